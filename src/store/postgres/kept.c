/* Answers kept for retries. */
#include "store/postgres/postgres_priv.h"

int drg_pg_kept(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, key_id);
	drg_pg_param_s(&p, name);
	int rc = drg_pg_run(t->head.store, PG_KEPT, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	if (PQntuples(res) > 0) {
		const struct drg_kept_answer k = { key_id, name, drg_pg_i(res, 0, 0), drg_pg_s(res, 0, 1),
			                           drg_pg_s(res, 0, 2) };
		rc = fn(ctx, &k);
	} else {
		rc = drg_fail(reterr, DRG_ENOENT, NULL, NULL, "no answer is kept under this name");
	}
	PQclear(res);
	return rc;
}

int drg_pg_keep(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, k->key_id);
	drg_pg_param_s(&p, k->name);
	drg_pg_param_i(&p, k->at_us);
	drg_pg_param_s(&p, k->body_hash);
	drg_pg_param_s(&p, k->answer);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_KEEP), &p, reterr);
}

int drg_pg_forget(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, before_us);
	drg_pg_param_i(&p, limit);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_FORGET), &p, reterr);
}
