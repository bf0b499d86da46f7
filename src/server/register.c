#include "server/register.h"

#include <assert.h>
#include <inttypes.h>
#include <stddef.h>

#include "base/clock.h"
#include "store/uses.h"

struct drg_str drg_element_text(const struct drg_element *e, enum drg_field f)
{
	for (unsigned i = 0; i < e->table->n; i++)
		if (e->table->fields[i].field == f && (e->has >> i & 1) != 0)
			return e->v[i].s;
	return drg_str(NULL, 0);
}

static void to_record(const struct drg_registration *g, const struct drg_element *e, struct drg_record *r)
{
	assert(e->table != NULL);
	drg_record_init(r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(r, DRG_F_ADAPTER_ID, g->adapter);
	drg_record_set_i(r, DRG_F_KIND, e->kind);
	drg_record_set_s(r, DRG_F_LANG, g->lang);
	for (unsigned i = 0; i < e->table->n; i++) {
		if ((e->has >> i & 1) == 0)
			continue;
		assert(drg_record_allows(r, e->table->fields[i].field));
		drg_record_set_value(r, &e->table->fields[i], e->v[i]);
	}
}

int drg_registration_prefetch(void *registration, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_registration *g = registration;
	struct drg_record r;
	int rc = DRG_OK;
	for (size_t i = 0; i < g->n && rc == DRG_OK; i++) {
		to_record(g, &g->elements[i], &r);
		rc = drg_txn_prefetch(t, &r, reterr);
	}
	return rc;
}

static int register_add(const struct drg_registration *g, struct drg_element *e, struct drg_txn *t,
                        struct drg_err *reterr)
{
	struct drg_record r;
	enum drg_put_result result;
	to_record(g, e, &r);
	int rc = drg_txn_add(t, &r, &result, reterr);
	if (rc == DRG_OK)
		e->state = result == DRG_PUT_CREATED ? DRG_ELEMENT_CREATED : DRG_ELEMENT_EXISTS;
	return rc;
}

/* Must the element be registered? This may be the second run, after the first was undone: then the states are
 * those of the first run. */
static bool is_to_register(enum drg_element_state s)
{
	return s == DRG_ELEMENT_NEW || s == DRG_ELEMENT_CREATED || s == DRG_ELEMENT_EXISTS;
}

/* Count the new elements against the key's daily limit. Called before anything is written. */
static int register_count(struct drg_registration *g, struct drg_txn *t, struct drg_err *reterr)
{
	const int64_t today = drg_wall_us() / (86400 * INT64_C(1000000)), n = g->adds.n;
	const struct drg_use u = {
		.sort = DRG_USE_ADDS, .number = g->adds.key_id, .slot = today, .count = n, .day = today
	};
	int64_t used;
	int rc = drg_txn_used(t, &u, &used, reterr);
	if (rc != DRG_OK)
		return rc;
	const int64_t left = used < g->adds.per_day ? g->adds.per_day - used : 0;
	g->adds.left = left >= n ? left - n : left;
	if (left < n)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_today), NULL,
		                "this key may send %" PRId64 " elements a day; %" PRId64
		                " are left until midnight UTC, and the request has %" PRId64
		                "; none of them was added",
		                g->adds.per_day, left, n);
	return n > 0 ? drg_txn_use(t, &u, reterr) : DRG_OK;
}

int drg_registration_run(void *registration, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_registration *g = registration;
	int rc = g->adds.per_day > 0 ? register_count(g, t, reterr) : DRG_OK;
	for (size_t i = 0; i < g->n && rc == DRG_OK; i++)
		if (is_to_register(g->elements[i].state))
			rc = register_add(g, &g->elements[i], t, reterr);
	return rc;
}
