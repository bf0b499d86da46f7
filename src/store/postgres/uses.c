/* What was used, and how often. */
#include "store/postgres/postgres_priv.h"
#include "store/uses.h"

static int pg_uses_add(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, u->sort);
	drg_pg_param_i(&p, u->number);
	drg_pg_param_i(&p, u->kind);
	drg_pg_param_s(&p, u->id);
	drg_pg_param_i(&p, u->slot);
	drg_pg_param_i(&p, u->count);
	drg_pg_param_i(&p, u->mapped);
	drg_pg_param_i(&p, u->day);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_USE), &p, reterr);
}

static int pg_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day,
                          struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, sort);
	drg_pg_param_i(&p, before_day);
	return drg_pg_queue(t->head.store, drg_pg_once(t->head.store, PG_USES_FORGET), &p, reterr);
}

static int pg_uses_each(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, sort);
	drg_pg_param_i(&p, since_day);
	int rc = drg_pg_run(s, PG_USES, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < PQntuples(res) && rc == DRG_OK; i++) {
		const struct drg_use u = {
			.sort = sort,
			.number = drg_pg_i(res, i, 0),
			.kind = (enum drg_kind)drg_pg_i(res, i, 1),
			.id = drg_pg_s(res, i, 2),
			.slot = drg_pg_i(res, i, 3),
			.count = drg_pg_i(res, i, 4),
			.mapped = drg_pg_i(res, i, 5),
			.day = drg_pg_i(res, i, 6),
		};
		rc = fn(ctx, &u);
	}
	PQclear(res);
	return rc;
}

const struct drg_use_ops drg_pg_use_ops = { pg_uses_add, pg_uses_forget, pg_uses_each };
