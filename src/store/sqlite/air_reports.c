/* Reports of what avia/compared could not match. */
#include "store/air_reports.h"
#include "store/sqlite/sqlite_priv.h"

static int sqlite_air_reports_add(struct drg_txn *t, const struct drg_air_report *r, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_AIR_REPORT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_str texts[] = { r->external_id, r->iata_code, r->title, r->lang };
	const int64_t figures[] = { r->count, r->first_us, r->last_us };
	int at = 1, bound = sqlite3_bind_int64(st, at, r->adapter);
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts) && bound == SQLITE_OK; i++)
		bound = drg_sqlite_bind_text(st, ++at, texts[i]);
	for (size_t i = 0; i < DRG_ARRAY_LEN(figures) && bound == SQLITE_OK; i++)
		bound = sqlite3_bind_int64(st, ++at, figures[i]);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

static int trim(struct drg_txn *t, int64_t adapter, int64_t keep, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_AIR_REPORTS_TRIM, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, adapter);
	if (bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, 2, keep);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

static int forget(struct drg_txn *t, int64_t adapter, struct drg_str external_id, int64_t *ret_n,
                  struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_AIR_REPORTS_FORGET, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, adapter);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, 2, external_id);
	rc = drg_sqlite_run_bound(t->head.store, st, bound, reterr);
	if (rc == DRG_OK)
		*ret_n = sqlite3_changes64(t->head.store->db);
	return rc;
}

static int each(struct drg_store *s, int64_t adapter, drg_air_report_fn *fn, void *ctx,
                struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_AIR_REPORTS, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_bind_int64(st, 1, adapter);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	for (; step == SQLITE_ROW && rc == DRG_OK; step = sqlite3_step(st)) {
		const struct drg_air_report r = {
			.adapter = sqlite3_column_int64(st, 0),
			.external_id = drg_sqlite_column_text(st, 1),
			.iata_code = drg_sqlite_column_text(st, 2),
			.title = drg_sqlite_column_text(st, 3),
			.lang = drg_sqlite_column_text(st, 4),
			.count = sqlite3_column_int64(st, 5),
			.first_us = sqlite3_column_int64(st, 6),
			.last_us = sqlite3_column_int64(st, 7),
		};
		rc = fn(ctx, &r);
	}
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
	return rc;
}

const struct drg_air_report_ops drg_sqlite_air_report_ops = { sqlite_air_reports_add, trim, forget, each };
