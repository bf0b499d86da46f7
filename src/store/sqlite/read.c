#include "store/sqlite/sqlite_priv.h"

int drg_sqlite_snapshot(struct drg_store *s, struct drg_err *reterr)
{
	return drg_sqlite_run(s, ONCE_BEGIN_READ, reterr);
}

void drg_sqlite_snapshot_end(struct drg_store *s)
{
	/* Nothing was written, so nothing can fail to be stored. */
	(void)!drg_sqlite_run(s, ONCE_COMMIT, NULL);
}

/* ---- many rows ------------------------------------------------------------------------------------------- */

int drg_sqlite_query(struct drg_rows *q, struct drg_buf *sql, const struct drg_type *t,
                     struct drg_err *reterr)
{
	(void)t;
	sqlite3_stmt *st = NULL;
	int rc = drg_sqlite_prepare_buf(q->store, sql, 0, &st, reterr);
	q->page = st;
	q->n = 1; /* the reading finalises it */
	return rc;
}

int drg_sqlite_scan(struct drg_rows *q, const struct drg_type *t, struct drg_err *reterr)
{
	struct drg_buf sql;
	drg_sql_init(&sql);
	drg_sql_scan(&drg_sqlite_dialect, &sql, &q->filter, t);
	return drg_sqlite_query(q, &sql, t, reterr);
}

int drg_sqlite_siblings(struct drg_rows *q, const struct drg_record *key, unsigned limit,
                        struct drg_err *reterr)
{
	const unsigned n = drg_sql_n_identity(key->type) - (limit == 0);
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(q->store, key->type, limit == 0 ? TYPE_SIBLINGS : TYPE_SIBLINGS_FROM, &st,
	                            reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = SQLITE_OK;
	for (unsigned i = 0; i < n && bound == SQLITE_OK; i++)
		bound = drg_sqlite_bind(st, (int)i + 1, &key->type->fields[i], key);
	if (limit > 0 && bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, (int)n + 1, limit);
	q->page = st;
	if (bound == SQLITE_OK)
		return DRG_OK;
	rc = drg_sqlite_fail(q->store, bound, reterr);
	sqlite3_reset(st);
	return rc;
}

int drg_sqlite_referrers(struct drg_rows *q, const struct drg_type *t, const struct drg_field_def *f,
                         struct drg_err *reterr)
{
	struct drg_buf sql;
	drg_sql_init(&sql);
	drg_sql_referrers(&drg_sqlite_dialect, &sql, t, f);
	int rc = drg_sqlite_query(q, &sql, t, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(q->page, 1, q->id);
	if (f->ref == DRG_REF_OWN_KIND)
		sqlite3_bind_int(q->page, 2, (int)q->kind);
	sqlite3_bind_int64(q->page, 3, q->left);
	return DRG_OK;
}

int drg_sqlite_rows_next(struct drg_rows *q, struct drg_err *reterr)
{
	int step = sqlite3_step(q->page);
	if (step == SQLITE_DONE)
		return DRG_ENOENT;
	if (step != SQLITE_ROW)
		return drg_sqlite_fail(q->store, step, reterr);
	q->row.row = sqlite3_column_int64(q->page, COL_ROW);
	return drg_sqlite_read_row(q->store, q->page, q->type, &q->row.r, &q->row.m, reterr);
}

int drg_sqlite_rows_end(struct drg_rows *q, struct drg_err *reterr)
{
	(void)reterr;
	if (q->n == 1)
		sqlite3_finalize(q->page);
	else
		sqlite3_reset(q->page);
	return DRG_OK;
}

/* ---- single rows ----------------------------------------------------------------------------------------- */

/* Find a row: the statement stands on it until it is reset. @return DRG_OK; DRG_ENOENT. */
static int sqlite_find_row(struct drg_store *s, const struct drg_record *key, enum type_stmt which,
                           sqlite3_stmt **ret, struct drg_err *reterr)
{
	int rc = drg_sqlite_of_type(s, key->type, which, ret, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = drg_sqlite_bind_identity(*ret, key);
	if (step == SQLITE_OK)
		step = sqlite3_step(*ret);
	return step == SQLITE_ROW    ? DRG_OK
	       : step == SQLITE_DONE ? DRG_ENOENT
	                             : drg_sqlite_fail(s, step, reterr);
}

int drg_sqlite_load(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                    struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = sqlite_find_row(s, key, TYPE_FIND, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	ret->row = sqlite3_column_int64(st, COL_ROW);
	return drg_sqlite_read_row(s, st, key->type, &ret->r, &ret->m, reterr);
}

void drg_sqlite_unload(struct drg_store *s, const struct drg_type *t)
{
	sqlite3_reset(s->of_type[t->id][TYPE_FIND]);
}

int drg_sqlite_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr)
{
	sqlite3_stmt *st = NULL;
	int rc = sqlite_find_row(s, key, TYPE_EXISTS, &st, reterr);
	sqlite3_reset(st);
	return rc;
}
