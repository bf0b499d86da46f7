/* Side tables. */
#include "store/side_priv.h"

#include "base/clock.h"
#include "store/sqlite/sqlite_priv.h"

static int sqlite_side_bind(struct drg_store *s, unsigned statement, const struct drg_side_values *v,
                            sqlite3_stmt **ret, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_side(s, statement, &st, reterr), bound = SQLITE_OK;
	if (rc != DRG_OK)
		return rc;
	for (unsigned i = 0; i < v->n && bound == SQLITE_OK; i++)
		bound = v->v[i].is_text ? drg_sqlite_bind_text(st, (int)i + 1, v->v[i].v.s)
		                        : sqlite3_bind_int64(st, (int)i + 1, v->v[i].v.i);
	*ret = st;
	return bound == SQLITE_OK ? DRG_OK : drg_sqlite_fail(s, bound, reterr);
}

static int sqlite_side_run(struct drg_txn *t, unsigned statement, const struct drg_side_values *v,
                           int64_t *ret_n, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	sqlite3_stmt *st;
	int rc = sqlite_side_bind(s, statement, v, &st, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_run_bound(s, st, SQLITE_OK, reterr);
	if (rc == DRG_OK && ret_n != NULL)
		*ret_n = sqlite3_changes64(s->db);
	return rc;
}

static void sqlite_side_read(sqlite3_stmt *st, const struct drg_side *side, int n, union drg_side_row *ret)
{
	for (int i = 0; i < n; i++) {
		const struct drg_side_column *c = &side->columns[i];
		if (c->type == DRG_SIDE_TEXT)
			drg_side_set_s(ret, c, drg_sqlite_column_text(st, i));
		else
			drg_side_set_i(ret, c, sqlite3_column_int64(st, i));
	}
}

static int sqlite_side_each(struct drg_store *s, unsigned statement, const struct drg_side_values *v,
                            drg_side_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct drg_side_statement is = drg_side_statement(statement);
	union drg_side_row row = { 0 };
	sqlite3_stmt *st;
	bool any = false;
	int rc = sqlite_side_bind(s, statement, v, &st, reterr), step = SQLITE_DONE;
	if (rc != DRG_OK)
		return rc;
	const int n = sqlite3_column_count(st);
	while (rc == DRG_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
		any = true;
		sqlite_side_read(st, &drg_sides[is.side], n, &row);
		rc = fn(ctx, &row);
	}
	if (rc == DRG_OK && (step != SQLITE_DONE || (is.one_row && !any)))
		rc = drg_sqlite_fail(s, step == SQLITE_DONE ? SQLITE_CORRUPT : step, reterr);
	sqlite3_reset(st);
	return rc;
}

const struct drg_side_ops drg_sqlite_side_ops = { sqlite_side_run, sqlite_side_each, NULL, drg_wall_us };
