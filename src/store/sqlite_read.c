#include "store/sqlite_priv.h"

int drg_sqlite_snapshot(struct drg_store *s, struct drg_err *reterr)
{
	return drg_sqlite_run(s, ONCE_BEGIN_READ, reterr);
}

void drg_sqlite_snapshot_end(struct drg_store *s)
{
	/* Nothing was written: there is nothing that could fail to be. */
	(void)!drg_sqlite_run(s, ONCE_COMMIT, NULL);
}

/* ---- many rows ------------------------------------------------------------------------------------------- */

static int scan_stmt(struct drg_store *s, const struct drg_filter *f, const struct drg_type *t,
                     sqlite3_stmt **ret, struct drg_err *reterr)
{
	struct drg_buf sql;
	drg_sqlite_sql_init(&sql);
	drg_buf_lit(&sql, "SELECT ");
	drg_sqlite_sql_columns(&sql, t);
	drg_buf_printf(&sql, " FROM %s WHERE true", t->name);
	if (!f->tombstones)
		drg_buf_lit(&sql, " AND deleted = 0");
	if (f->adapter != 0)
		drg_buf_printf(&sql, " AND adapter_id = %lld", (long long)f->adapter);
	if (f->one_kind)
		drg_buf_printf(&sql, " AND kind = %d", (int)f->kind);
	if (!f->any_order) {
		drg_buf_lit(&sql, " ORDER BY ");
		drg_sqlite_sql_identity(&sql, t);
	}
	return drg_sqlite_prepare_buf(s, &sql, 0, ret, reterr);
}

int drg_sqlite_scan(struct drg_store *s, const struct drg_filter *f, const struct drg_type *t, drg_row_fn *fn,
                    void *ctx, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = scan_stmt(s, f, t, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_each_row(s, st, t, fn, ctx, reterr);
	sqlite3_finalize(st);
	return rc;
}

int drg_sqlite_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                        struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, key->type, TYPE_SIBLINGS, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = SQLITE_OK;
	for (unsigned i = 0; i + 1 < drg_sqlite_n_identity(key->type) && bound == SQLITE_OK; i++)
		bound = drg_sqlite_bind(st, (int)i + 1, &key->type->fields[i], key);
	rc = bound == SQLITE_OK ? drg_sqlite_each_row(s, st, key->type, fn, ctx, reterr)
	                        : drg_sqlite_fail(s, bound, reterr);
	sqlite3_reset(st);
	return rc;
}

/* ---- single rows ----------------------------------------------------------------------------------------- */

int drg_sqlite_load(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                    struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, key->type, TYPE_FIND, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = drg_sqlite_bind_identity(st, key);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_DONE)
		return DRG_ENOENT;
	if (step != SQLITE_ROW)
		return drg_sqlite_fail(s, step, reterr);
	ret->row = sqlite3_column_int64(st, COL_ROW);
	return drg_sqlite_read_row(s, st, key->type, &ret->r, &ret->m, reterr);
}

void drg_sqlite_unload(struct drg_store *s, const struct drg_type *t)
{
	sqlite3_reset(s->of_type[t->id][TYPE_FIND]);
}

int drg_sqlite_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, key->type, TYPE_EXISTS, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = drg_sqlite_bind_identity(st, key);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_DONE)
		rc = DRG_ENOENT;
	else if (step != SQLITE_ROW)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
	return rc;
}

/* ---- referrers ------------------------------------------------------------------------------------------- */

/* The mapping has an index, by adapter first; all adapters are found by hopping over it. The other fields are on
 * the dict side, which is small and seldom loses a record: their tables are read through. */
static void referrers_sql(struct drg_buf *sql, const struct drg_type *t, const struct drg_field_def *f)
{
	if (f->field == DRG_F_DICT_ID)
		drg_buf_printf(sql,
		               "WITH RECURSIVE a(id) AS (SELECT min(adapter_id) FROM %s UNION ALL"
		               " SELECT (SELECT min(adapter_id) FROM %s WHERE adapter_id > a.id) FROM a"
		               " WHERE a.id IS NOT NULL) ",
		               t->name, t->name);
	drg_buf_lit(sql, "SELECT ");
	drg_sqlite_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM %s WHERE deleted = 0 AND \"%s\" = ?1", t->name, f->wire);
	if (f->ref == DRG_REF_OWN_KIND)
		drg_buf_lit(sql, " AND kind = ?2");
	if (f->field == DRG_F_DICT_ID)
		drg_buf_lit(sql, " AND adapter_id IN (SELECT id FROM a)");
	drg_buf_lit(sql, " LIMIT ?3");
}

int drg_sqlite_referrers(struct drg_store *s, const struct drg_type *t, const struct drg_field_def *f,
                         enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn, void *ctx,
                         struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sqlite_sql_init(&sql);
	referrers_sql(&sql, t, f);
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
