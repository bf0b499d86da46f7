#include "store/sqlite/sqlite_priv.h"

#include <assert.h>

/* Statements about rows that engines share are in sql.c; the others are here. */

const struct drg_sql_dialect drg_sqlite_dialect = {
	.mark = '?',
	.schema = "",
	.least = "min",
	.greatest = "max",
	.clock = "0",
	.source_of = "source AS s",
};

static const char *const once_sql[ONCE_COUNT] = {
	[ONCE_BEGIN_READ] = "BEGIN",
	[ONCE_BEGIN_WRITE] = "BEGIN IMMEDIATE",
	[ONCE_COMMIT] = "COMMIT",
	[ONCE_ROLLBACK] = "ROLLBACK",
	[ONCE_CLOCK] = ("SELECT seq, epoch, (SELECT id FROM branch WHERE seq <= clock.seq ORDER BY seq DESC "
	                "LIMIT 1),"
	                " (SELECT max(number) FROM migration) FROM clock"),
	[ONCE_SET_CLOCK] = "UPDATE clock SET seq = ?1",
};

static void insert_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	(void)d;
	drg_buf_printf(sql, "INSERT INTO %s (", t->name);
	drg_sql_columns(sql, t);
	drg_buf_lit(sql, ") VALUES (?1");
	for (unsigned i = 1; i < COL_FIELDS + t->n_fields; i++)
		drg_buf_printf(sql, ", ?%u", i + 1);
	drg_buf_lit(sql, ") ON CONFLICT DO NOTHING");
}

static void update_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	(void)d;
	drg_buf_printf(
	        sql, "UPDATE %s SET deleted = ?2, seq = ?3, created_seq = ?4, data_seq = ?5, mapped_seq = ?6",
	        t->name);
	for (unsigned i = drg_sql_n_identity(t); i < t->n_fields; i++)
		drg_buf_printf(sql, ", \"%s\" = ?%u", t->fields[i].wire, COL_FIELDS + i + 1);
	drg_buf_lit(sql, " WHERE row = ?1");
}

static void feed_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	(void)d;
	drg_buf_lit(sql, "SELECT ");
	drg_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM %s WHERE seq > ?1 ORDER BY seq, row", t->name);
}

static void feed_rest_sql(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	(void)d;
	drg_buf_lit(sql, "SELECT ");
	drg_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM %s WHERE seq = ?1 AND row > ?2 ORDER BY row", t->name);
}

static void (*const type_sql[TYPE_STMT_COUNT])(const struct drg_sql_dialect *, struct drg_buf *,
                                               const struct drg_type *) = {
	[TYPE_INSERT] = insert_sql,         [TYPE_UPDATE] = update_sql,
	[TYPE_FIND] = drg_sql_find,         [TYPE_EXISTS] = drg_sql_exists,
	[TYPE_SIBLINGS] = drg_sql_siblings, [TYPE_FEED] = feed_sql,
	[TYPE_FEED_REST] = feed_rest_sql,   [TYPE_SIBLINGS_FROM] = drg_sql_siblings_from,
};

static int sqlite_stmt_prepare(struct drg_store *s, struct drg_str sql, unsigned flags, sqlite3_stmt **ret,
                               struct drg_err *reterr)
{
	assert(s->db != NULL && sql.p != NULL);
	sqlite3_stmt *st;
	int rc = sqlite3_prepare_v3(s->db, sql.p, (int)sql.n, flags, &st, NULL);
	if (rc != SQLITE_OK)
		return drg_sqlite_fail(s, rc, reterr);
	*ret = st;
	return DRG_OK;
}

int drg_sqlite_prepare(struct drg_store *s, const char *sql, sqlite3_stmt **ret, struct drg_err *reterr)
{
	return sqlite_stmt_prepare(s, drg_str_c(sql), 0, ret, reterr);
}

int drg_sqlite_prepare_buf(struct drg_store *s, struct drg_buf *sql, unsigned flags, sqlite3_stmt **ret,
                           struct drg_err *reterr)
{
	int rc = sql->rc == DRG_OK ? sqlite_stmt_prepare(s, drg_buf_view(sql), flags, ret, reterr)
	                           : drg_fail_memory(reterr);
	drg_buf_done(sql);
	return rc;
}

int drg_sqlite_once(struct drg_store *s, enum once_stmt which, sqlite3_stmt **ret, struct drg_err *reterr)
{
	assert(which < ONCE_COUNT);
	sqlite3_stmt **slot = &s->once[which];
	int rc = DRG_OK;
	if (*slot == NULL)
		rc = sqlite_stmt_prepare(s, drg_str_c(once_sql[which]), SQLITE_PREPARE_PERSISTENT, slot,
		                         reterr);
	if (rc == DRG_OK)
		*ret = *slot;
	return rc;
}

int drg_sqlite_of_type(struct drg_store *s, const struct drg_type *t, enum type_stmt which,
                       sqlite3_stmt **ret, struct drg_err *reterr)
{
	assert(t->id < DRG_TYPE_COUNT && which < TYPE_STMT_COUNT);
	sqlite3_stmt **slot = &s->of_type[t->id][which];
	int rc = DRG_OK;
	if (*slot == NULL) {
		struct drg_buf sql;
		drg_sql_init(&sql);
		type_sql[which](&drg_sqlite_dialect, &sql, t);
		rc = drg_sqlite_prepare_buf(s, &sql, SQLITE_PREPARE_PERSISTENT, slot, reterr);
	}
	if (rc == DRG_OK)
		*ret = *slot;
	return rc;
}

int drg_sqlite_of_side(struct drg_store *s, unsigned statement, sqlite3_stmt **ret, struct drg_err *reterr)
{
	assert(statement < DRG_SIDE_STATEMENTS);
	sqlite3_stmt **slot = &s->of_side[statement];
	int rc = DRG_OK;
	if (*slot == NULL) {
		struct drg_buf sql;
		drg_sql_init(&sql);
		drg_side_sql(&drg_sqlite_dialect, &sql, statement);
		rc = drg_sqlite_prepare_buf(s, &sql, SQLITE_PREPARE_PERSISTENT, slot, reterr);
	}
	if (rc == DRG_OK)
		*ret = *slot;
	return rc;
}

void drg_sqlite_finalize_all(struct drg_store *s)
{
	for (unsigned i = 0; i < DRG_SIDE_STATEMENTS; i++)
		sqlite3_finalize(s->of_side[i]);
	for (unsigned i = 0; i < ONCE_COUNT; i++)
		sqlite3_finalize(s->once[i]);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		for (unsigned i = 0; i < TYPE_STMT_COUNT; i++)
			sqlite3_finalize(s->of_type[t][i]);
}

int drg_sqlite_run(struct drg_store *s, enum once_stmt which, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, which, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_step(st);
	if (step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
	return rc;
}

int drg_sqlite_run_bound(struct drg_store *s, sqlite3_stmt *st, int bound, struct drg_err *reterr)
{
	assert(st != NULL);
	int rc = bound == SQLITE_OK ? sqlite3_step(st) : bound;
	sqlite3_reset(st);
	return rc == SQLITE_DONE ? DRG_OK : drg_sqlite_fail(s, rc, reterr);
}

int drg_sqlite_bind_text(sqlite3_stmt *st, int at, struct drg_str s)
{
	return sqlite3_bind_text64(st, at, s.n > 0 ? s.p : "", s.n, SQLITE_STATIC, SQLITE_UTF8);
}

struct drg_str drg_sqlite_column_text(sqlite3_stmt *st, int at)
{
	assert(st != NULL && at >= 0);
	const char *p = (const char *)sqlite3_column_text(st, at);
	return drg_str(p, (size_t)sqlite3_column_bytes(st, at));
}

int drg_sqlite_bind(sqlite3_stmt *st, int at, const struct drg_field_def *f, const struct drg_record *r)
{
	assert(st != NULL && at > 0); /* SQLite counts parameters from 1 */
	if (!drg_record_has_value(r, f))
		return sqlite3_bind_null(st, at);
	const union drg_value *v = drg_record_value(r, f);
	if (drg_value_is_text(f->vtype))
		return drg_sqlite_bind_text(st, at, v->s);
	if (f->vtype == DRG_V_REAL)
		return sqlite3_bind_double(st, at, v->d);
	return sqlite3_bind_int64(st, at, v->i);
}

int drg_sqlite_bind_identity(sqlite3_stmt *st, const struct drg_record *r)
{
	int rc = SQLITE_OK;
	for (unsigned i = 0; i < drg_sql_n_identity(r->type) && rc == SQLITE_OK; i++)
		rc = drg_sqlite_bind(st, (int)i + 1, &r->type->fields[i], r);
	return rc;
}

static inline bool sqlite_stmt_value(const void *row, int col, const struct drg_field_def *f,
                                     union drg_value *ret)
{
	sqlite3_stmt *st = (sqlite3_stmt *)(uintptr_t)row;
	if (sqlite3_column_type(st, col) == SQLITE_NULL)
		return false;
	if (drg_value_is_text(f->vtype))
		ret->s = drg_sqlite_column_text(st, col);
	else if (f->vtype == DRG_V_REAL)
		ret->d = sqlite3_column_double(st, col);
	else
		ret->i = sqlite3_column_int64(st, col);
	return true;
}

int drg_sqlite_read_row(const struct drg_store *s, sqlite3_stmt *st, const struct drg_type *t,
                        struct drg_record *ret, struct drg_row_meta *ret_meta, struct drg_err *reterr)
{
	drg_record_init(ret, t);
	ret->deleted = sqlite3_column_int(st, COL_DELETED) != 0;
	ret_meta->seq = sqlite3_column_int64(st, COL_SEQ);
	ret_meta->created_seq = sqlite3_column_int64(st, COL_CREATED_SEQ);
	ret_meta->data_seq = sqlite3_column_int64(st, COL_DATA_SEQ);
	ret_meta->mapped_seq = sqlite3_column_int64(st, COL_MAPPED_SEQ);
	ret_meta->row = sqlite3_column_int64(st, COL_ROW);
	bool odd_words = ((const struct drg_store_head *)s)->odd_words;
	if (!drg_sql_read_fields(t, odd_words, sqlite_stmt_value, st, ret))
		return drg_sqlite_fail(s, SQLITE_CORRUPT, reterr);
	return DRG_OK;
}
