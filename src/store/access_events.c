#include "store/access_events.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"
#include "store/side_priv.h"

int drg_txn_access_note(struct drg_txn *t, enum drg_access_sort sort, int64_t number, const char *what,
                        struct drg_str who, struct drg_str detail, struct drg_err *reterr)
{
	const struct drg_str none = DRG_STR("");
	const struct drg_access_event e = { .sort = sort,
		                            .number = number,
		                            .at_us = drg_wall_us(),
		                            .what = drg_str_c(what),
		                            .who = who.p != NULL ? who : none,
		                            .detail = detail.p != NULL ? detail : none };
	assert(number > 0 && e.what.n > 0);
	int rc = drg_txn_side_put(t, DRG_SIDE_ACCESS, &e, reterr);
	if (rc != DRG_OK || (strcmp(what, "failed") != 0 && strcmp(what, "signed_in") != 0))
		return rc;
	const struct drg_side_values last = {
		3, { drg_side_i(sort), drg_side_i(number), drg_side_i(DRG_SIGN_INS_KEPT) }
	};
	return drg_txn_side(t, DRG_SIDE_ACCESS_TRIM, &last, NULL, reterr);
}

DRG_SIDE_READER(access, drg_access_event_fn)

int drg_store_access_events(struct drg_store *s, enum drg_access_sort sort, int64_t number,
                            drg_access_event_fn *fn, void *ctx, struct drg_err *reterr)
{
	assert(fn != NULL && number >= 0);
	const struct drg_side_values v = { 2, { drg_side_i(sort), drg_side_i(number) } };
	struct access_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_ACCESS_OF, &v, access_read, &x, reterr);
}

int drg_store_access_newest(struct drg_store *s, enum drg_access_sort sort, int64_t number, unsigned most,
                            drg_access_event_fn *fn, void *ctx, struct drg_err *reterr)
{
	assert(fn != NULL && number >= 0);
	const struct drg_side_values v = { 3, { drg_side_i(sort), drg_side_i(number), drg_side_i(most) } };
	struct access_reading x = { .fn = fn, .ctx = ctx };
	return drg_store_side(s, DRG_SIDE_ACCESS_NEWEST, &v, access_read, &x, reterr);
}
