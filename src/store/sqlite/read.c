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

int drg_sqlite_scan(struct drg_store *s, const struct drg_filter *f, const struct drg_type *t, drg_row_fn *fn,
                    void *ctx, struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sql_init(&sql);
	drg_sql_scan(&drg_sqlite_dialect, &sql, f, t);
	int rc = drg_sqlite_prepare_buf(s, &sql, 0, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_each_row(s, st, t, fn, ctx, reterr);
	sqlite3_finalize(st);
	return rc;
}

int drg_sqlite_siblings(struct drg_store *s, const struct drg_record *key, unsigned limit, drg_row_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	const unsigned n = drg_sql_n_identity(key->type) - (limit == 0);
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, key->type, limit == 0 ? TYPE_SIBLINGS : TYPE_SIBLINGS_FROM, &st,
	                            reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = SQLITE_OK;
	for (unsigned i = 0; i < n && bound == SQLITE_OK; i++)
		bound = drg_sqlite_bind(st, (int)i + 1, &key->type->fields[i], key);
	if (limit > 0 && bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, (int)n + 1, limit);
	rc = bound == SQLITE_OK ? drg_sqlite_each_row(s, st, key->type, fn, ctx, reterr)
	                        : drg_sqlite_fail(s, bound, reterr);
	sqlite3_reset(st);
	return rc;
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

/* ---- referrers ------------------------------------------------------------------------------------------- */

int drg_sqlite_referrers(struct drg_store *s, const struct drg_type *t, const struct drg_field_def *f,
                         enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn, void *ctx,
                         struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sql_init(&sql);
	drg_sql_referrers(&drg_sqlite_dialect, &sql, t, f);
	int rc = drg_sqlite_prepare_buf(s, &sql, 0, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, id);
	if (f->ref == DRG_REF_OWN_KIND)
		sqlite3_bind_int(st, 2, (int)kind);
	sqlite3_bind_int64(st, 3, limit);
	rc = drg_sqlite_each_row(s, st, t, fn, ctx, reterr);
	sqlite3_finalize(st);
	return rc;
}
