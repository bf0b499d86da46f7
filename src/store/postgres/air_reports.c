/* Reports of what avia/compared could not match. */
#include "store/air_reports.h"
#include "store/postgres/postgres_priv.h"

static int pg_air_reports_add(struct drg_txn *t, const struct drg_air_report *r, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, r->adapter);
	drg_pg_param_s(&p, r->external_id);
	drg_pg_param_s(&p, r->iata_code);
	drg_pg_param_s(&p, r->title);
	drg_pg_param_s(&p, r->lang);
	drg_pg_param_i(&p, r->count);
	drg_pg_param_i(&p, r->first_us);
	drg_pg_param_i(&p, r->last_us);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_AIR_REPORT), &p, reterr);
}

static int pg_air_reports_trim(struct drg_txn *t, int64_t adapter, int64_t keep, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, adapter);
	drg_pg_param_i(&p, keep);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_AIR_REPORTS_TRIM), &p, reterr);
}

static int pg_air_reports_forget(struct drg_txn *t, int64_t adapter, struct drg_str external_id,
                                 int64_t *ret_n, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, adapter);
	drg_pg_param_s(&p, external_id);
	int rc = drg_pg_run(t->head.store, PG_AIR_REPORTS_FORGET, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret_n = drg_pg_i(res, 0, 0);
	PQclear(res);
	return DRG_OK;
}

/* All at once: a server keeps some thousands for each adapter. */
static int pg_air_reports_each(struct drg_store *s, int64_t adapter, drg_air_report_fn *fn, void *ctx,
                               struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, adapter);
	int rc = drg_pg_run(s, PG_AIR_REPORTS, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < PQntuples(res) && rc == DRG_OK; i++) {
		const struct drg_air_report r = {
			.adapter = drg_pg_i(res, i, 0),
			.external_id = drg_pg_s(res, i, 1),
			.iata_code = drg_pg_s(res, i, 2),
			.title = drg_pg_s(res, i, 3),
			.lang = drg_pg_s(res, i, 4),
			.count = drg_pg_i(res, i, 5),
			.first_us = drg_pg_i(res, i, 6),
			.last_us = drg_pg_i(res, i, 7),
		};
		rc = fn(ctx, &r);
	}
	PQclear(res);
	return rc;
}

const struct drg_air_report_ops drg_pg_air_report_ops = { pg_air_reports_add, pg_air_reports_trim,
	                                                  pg_air_reports_forget, pg_air_reports_each };
