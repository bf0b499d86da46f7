#include "store/air_reports.h"

#include <assert.h>

#include "model/key.h"
#include "store/side_priv.h"
#include "store/store_priv.h"

/* ---- dealt with? ---------------------------------------------------------------------------------------- */

/* Is the external id mapped to an existing place? @return DRG_OK: yes; DRG_ENOENT: no. */
static int is_mapped(struct drg_store *s, const struct drg_air_report *r, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	drg_key_air_map(&key, r->adapter, r->external_id);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows))
		drg_key_air_place(&key, drg_record_i(&rows.row.r, DRG_F_PLACE_ID, 0));
	int rc = drg_rows_end(&rows);
	return rc == DRG_OK ? drg_store_exists(s, &key, reterr) : rc;
}

/* ---- the operations ------------------------------------------------------------------------------------- */

int drg_txn_air_report(struct drg_txn *t, const struct drg_air_report *r, struct drg_err *reterr)
{
	assert(r->count > 0 && r->first_us <= r->last_us);
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	if (rc == DRG_OK)
		rc = is_mapped(h->store, r, reterr);
	if (rc != DRG_ENOENT)
		return rc;
	return drg_txn_side_put(t, DRG_SIDE_REPORT, r, reterr);
}

int drg_txn_air_reports_trim(struct drg_txn *t, int64_t adapter, int64_t keep, struct drg_err *reterr)
{
	assert(keep >= 0);
	const struct drg_side_values v = { 2, { drg_side_i(adapter), drg_side_i(keep) } };
	return drg_txn_side(t, DRG_SIDE_REPORTS_TRIM, &v, NULL, reterr);
}

int drg_txn_air_reports_forget(struct drg_txn *t, int64_t adapter, struct drg_str external_id, int64_t *ret_n,
                               struct drg_err *reterr)
{
	const struct drg_side_values v = { 2, { drg_side_i(adapter), drg_side_s(external_id) } };
	return drg_txn_side(t, DRG_SIDE_REPORTS_FORGET, &v, ret_n, reterr);
}

struct unmapped {
	struct drg_store *s;
	drg_air_report_fn *fn;
	void *ctx;
	struct drg_err *err;
};

static int give_if_unmapped(void *ctx, const void *row)
{
	const struct drg_air_report *r = row;
	const struct unmapped *u = ctx;
	int rc = is_mapped(u->s, r, u->err);
	return rc == DRG_ENOENT ? u->fn(u->ctx, r) : rc;
}

int drg_store_air_reports(struct drg_store *s, int64_t adapter, drg_air_report_fn *fn, void *ctx,
                          struct drg_err *reterr)
{
	const struct drg_side_values v = { 1, { drg_side_i(adapter) } };
	struct unmapped u = { s, fn, ctx, reterr };
	return drg_store_side(s, DRG_SIDE_REPORTS, &v, give_if_unmapped, &u, reterr);
}
