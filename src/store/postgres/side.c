/* Side tables. */
#include "store/side_priv.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/postgres/postgres_priv.h"

static void pg_side_params(struct pg_params *p, const struct drg_side_values *v)
{
	assert(v->n <= PG_MAX_PARAMS);
	for (unsigned i = 0; i < v->n; i++)
		if (v->v[i].is_text)
			drg_pg_param_s(p, v->v[i].v.s);
		else
			drg_pg_param_i(p, v->v[i].v.i);
}

/* Before a statement reads records, send the rows that the transaction has gathered. */
static int pg_side_before(struct drg_store *s, unsigned statement, struct drg_err *reterr)
{
	const struct drg_side_statement is = drg_side_statement(statement);
	int rc = is.of_records ? drg_pg_rows_flush(s, reterr) : DRG_OK;
	return rc == DRG_OK && is.side == DRG_SIDE_SUGGESTION ? drg_pg_suggested_flush(s, reterr) : rc;
}

static int pg_side_run(struct drg_txn *t, unsigned statement, const struct drg_side_values *v, int64_t *ret_n,
                       struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	assert(statement < DRG_SIDE_STATEMENTS);
	struct pg_statement *st = drg_pg_of_side(s, statement);
	struct pg_params p = { 0 };
	PGresult *res;
	if (statement == DRG_SIDE_PUT + DRG_SIDE_SUGGESTION && ret_n == NULL)
		return drg_pg_suggested_add(s, v, false, reterr);
	int rc = pg_side_before(s, statement, reterr);
	pg_side_params(&p, v);
	if (rc != DRG_OK || ret_n == NULL)
		return rc == DRG_OK ? drg_pg_queue(s, st, &p, reterr) : rc;
	rc = drg_pg_exec(s, st, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret_n = strtoll(PQcmdTuples(res), NULL, 10);
	PQclear(res);
	return DRG_OK;
}

static int pg_side_suggest(struct drg_txn *t, const struct drg_side_values *row, struct drg_err *reterr)
{
	return drg_pg_suggested_add(t->head.store, row, true, reterr);
}

static void pg_side_read(const PGresult *res, int at, const struct drg_side *side, union drg_side_row *ret)
{
	for (int i = 0, n = PQnfields(res); i < n; i++) {
		const struct drg_side_column *c = &side->columns[i];
		if (c->type == DRG_SIDE_TEXT)
			drg_side_set_s(ret, c, drg_pg_s(res, at, i));
		else
			drg_side_set_i(ret, c, drg_pg_i(res, at, i));
	}
}

static int pg_side_each(struct drg_store *s, unsigned statement, const struct drg_side_values *v,
                        drg_side_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_side_statement is = drg_side_statement(statement);
	union drg_side_row row = { 0 };
	struct pg_params p = { 0 };
	PGresult *res;
	pg_side_params(&p, v);
	int rc = pg_side_before(s, statement, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_queue(s, drg_pg_of_side(s, statement), &p, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_collect_for(s, is.looks ? PG_FOR_LOOKS : s->patience, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	const int n = PQntuples(res);
	for (int i = 0; i < n && rc == DRG_OK; i++) {
		pg_side_read(res, i, &drg_sides[is.side], &row);
		rc = fn(ctx, &row);
	}
	PQclear(res);
	return is.one_row && n == 0 ? drg_pg_corrupt(s, reterr) : rc;
}

const struct drg_side_ops drg_pg_side_ops = { pg_side_run, pg_side_each, pg_side_suggest,
	                                      drg_clock_ahead_us };
