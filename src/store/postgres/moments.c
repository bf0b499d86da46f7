/* Times of commits. */
#include "store/moments_priv.h"
#include "store/postgres/postgres_priv.h"

int drg_pg_moment_put(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, at);
	drg_pg_param_i(&p, seq);
	return drg_pg_queue(s, drg_pg_once(s, PG_MOMENT), &p, reterr);
}

int drg_pg_each_moment(struct drg_store *s, int (*fn)(void *ctx, int64_t at, int64_t seq), void *ctx,
                       struct drg_err *reterr)
{
	static char sql[] = "SELECT at, seq FROM dragoman.moment ORDER BY at";
	struct pg_statement st = { .text = sql };
	struct pg_params p = { 0 };
	PGresult *res;
	int rc = drg_pg_exec(s, &st, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < PQntuples(res) && rc == DRG_OK; i++)
		rc = fn(ctx, drg_pg_i(res, i, 0), drg_pg_i(res, i, 1));
	PQclear(res);
	return rc;
}

int drg_pg_send_moment(struct drg_store *s, int64_t at, int64_t seq, struct drg_err *reterr)
{
	struct pg_params p = { 0 }, thin = { 0 };
	const int64_t before = drg_moments_thin_before(at);
	drg_pg_param_i(&p, at);
	drg_pg_param_i(&p, seq);
	drg_pg_param_i(&thin, before);
	int rc = drg_pg_queue(s, drg_pg_once(s, PG_MOMENT), &p, reterr);
	return rc == DRG_OK && before > 0 ? drg_pg_queue(s, drg_pg_once(s, PG_MOMENTS_THIN), &thin, reterr)
	                                  : rc;
}

int drg_pg_moments(struct drg_store *s, int64_t at, struct drg_moments *ret, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, at);
	int rc = drg_pg_run(s, PG_MOMENTS, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	if (PQntuples(res) == 1)
		*ret = (struct drg_moments){ drg_pg_i(res, 0, 0), drg_pg_i(res, 0, 1), drg_pg_i(res, 0, 2) };
	else
		rc = drg_pg_corrupt(s, reterr);
	PQclear(res);
	return rc;
}
