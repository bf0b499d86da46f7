#include "store/sqlite_priv.h"

#include <assert.h>

int drg_sqlite_snapshot(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct drg_clock clock;
	int rc = s->in_txn || s->held ? DRG_OK : drg_sqlite_run(s, ONCE_BEGIN_READ, reterr);
	if (rc != DRG_OK)
		return rc;
	/* The first read makes the snapshot, so it is the clock's. */
	rc = drg_sqlite_clock(s, &clock, reterr);
	if (rc != DRG_OK)
		drg_sqlite_snapshot_end(s);
	else if (ret_clock != NULL)
		*ret_clock = clock;
	return rc;
}

void drg_sqlite_snapshot_end(struct drg_store *s)
{
	/* Nothing was written: there is nothing that could fail to be. */
	if (!s->in_txn && !s->held)
		(void)!drg_sqlite_run(s, ONCE_COMMIT, NULL);
}

int drg_sqlite_hold(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	assert(!s->in_txn && !s->held);
	int rc = drg_sqlite_snapshot(s, ret_clock, reterr);
	s->held = rc == DRG_OK;
	return rc;
}

void drg_sqlite_let_go(struct drg_store *s)
{
	assert(s->held);
	s->held = false;
	drg_sqlite_snapshot_end(s);
}

/* ---- scan ------------------------------------------------------------------------------------------------ */

static bool wants_type(const struct drg_filter *f, const struct drg_type *t)
{
	if (f->type != NULL && f->type != t)
		return false;
	if (f->type == NULL && t->id == DRG_TYPE_API_KEY && !f->internal)
		return false;
	if (f->one_kind && (unsigned)f->kind >= t->n_kinds)
		return false;
	return f->adapter == 0 || drg_field_of(t, DRG_F_ADAPTER_ID) != NULL;
}

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

static int scan_type(struct drg_store *s, const struct drg_filter *f, const struct drg_type *t,
                     drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = scan_stmt(s, f, t, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_each_row(s, st, t, fn, ctx, reterr);
	sqlite3_finalize(st);
	return rc;
}

int drg_sqlite_scan(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                    struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct drg_clock clock;
	int rc = drg_sqlite_snapshot(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		if (wants_type(f, &drg_types[i]))
			rc = scan_type(s, f, &drg_types[i], fn, ctx, reterr);
	drg_sqlite_snapshot_end(s);
	if (rc == DRG_OK && ret_clock != NULL)
		*ret_clock = clock;
	return rc;
}

/* ---- feed ------------------------------------------------------------------------------------------------ */

/* One statement per type, each in order of seq and row, merged here. */
struct feed {
	sqlite3_stmt *st[DRG_TYPE_COUNT]; /* NULL: not wanted */
	int64_t seq[DRG_TYPE_COUNT]; /* of the row that st stands on; INT64_MAX: no more */
};

static int feed_step(struct drg_store *s, struct feed *f, unsigned type, struct drg_err *reterr)
{
	int step = sqlite3_step(f->st[type]);
	if (step != SQLITE_ROW && step != SQLITE_DONE)
		return drg_sqlite_fail(s, step, reterr);
	f->seq[type] = step == SQLITE_ROW ? sqlite3_column_int64(f->st[type], COL_SEQ) : INT64_MAX;
	return DRG_OK;
}

/* The rows of a type with a higher seq. */
static int feed_after(struct drg_store *s, struct feed *f, unsigned type, int64_t seq, struct drg_err *reterr)
{
	int rc = drg_sqlite_of_type(s, &drg_types[type], TYPE_FEED, &f->st[type], reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(f->st[type], 1, seq);
	return feed_step(s, f, type, reterr);
}

/* The rows of the type in the midst of which the place is: those of its seq first. */
static int feed_rest(struct drg_store *s, struct feed *f, const struct drg_feed_place *place,
                     struct drg_err *reterr)
{
	sqlite3_stmt **st = &f->st[place->type];
	int rc = drg_sqlite_of_type(s, &drg_types[place->type], TYPE_FEED_REST, st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(*st, 1, place->seq);
	sqlite3_bind_int64(*st, 2, place->row);
	return feed_step(s, f, place->type, reterr);
}

/* Go on to the next row of a type. */
static int feed_next(struct drg_store *s, struct feed *f, unsigned type, const struct drg_feed_place *from,
                     struct drg_err *reterr)
{
	int rc = feed_step(s, f, type, reterr);
	sqlite3_stmt *rest = s->of_type[type][TYPE_FEED_REST];
	if (rc != DRG_OK || f->seq[type] != INT64_MAX || f->st[type] != rest)
		return rc;
	sqlite3_reset(rest);
	return feed_after(s, f, type, from->seq, reterr);
}

static int feed_start(struct drg_store *s, struct feed *f, unsigned types, const struct drg_feed_place *place,
                      struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++) {
		f->seq[i] = INT64_MAX;
		if ((types >> i & 1) == 0)
			continue;
		if (i == place->type)
			rc = feed_rest(s, f, place, reterr);
		if (rc == DRG_OK && f->seq[i] == INT64_MAX) {
			if (f->st[i] != NULL)
				sqlite3_reset(f->st[i]);
			rc = feed_after(s, f, i, i > place->type ? place->seq - 1 : place->seq, reterr);
		}
	}
	return rc;
}

static int feed_rows(struct drg_store *s, struct feed *f, struct drg_feed_place *place, drg_row_fn *fn,
                     void *ctx, struct drg_err *reterr)
{
	const struct drg_feed_place from = *place;
	struct drg_record r;
	struct drg_row_meta m;
	for (;;) {
		unsigned next = 0;
		for (unsigned i = 1; i < DRG_TYPE_COUNT; i++)
			if (f->seq[i] < f->seq[next])
				next = i;
		if (f->seq[next] == INT64_MAX)
			return DRG_OK;
		int rc = drg_sqlite_read_row(s, f->st[next], &drg_types[next], &r, &m, reterr);
		if (rc == DRG_OK)
			rc = fn(ctx, &r, &m);
		if (rc != DRG_OK)
			return rc;
		*place = (struct drg_feed_place){ m.seq, next, sqlite3_column_int64(f->st[next], COL_ROW) };
		rc = feed_next(s, f, next, &from, reterr);
		if (rc != DRG_OK)
			return rc;
	}
}

int drg_sqlite_feed_from(struct drg_store *s, unsigned types, struct drg_feed_place *place, drg_row_fn *fn,
                         void *ctx, struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct feed f = { 0 };
	int rc = drg_sqlite_snapshot(s, ret_clock, reterr);
	if (rc != DRG_OK)
		return rc;
	if (ret_clock->seq > place->seq || place->type != DRG_PLACE_END) {
		rc = feed_start(s, &f, types, place, reterr);
		if (rc == DRG_OK)
			rc = feed_rows(s, &f, place, fn, ctx, reterr);
		for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
			sqlite3_reset(f.st[i]);
	}
	drg_sqlite_snapshot_end(s);
	return rc;
}

/* ---- single rows ----------------------------------------------------------------------------------------- */

static int not_there(const struct drg_record *key, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, NULL, NULL, "there is no such %s %s", key->type->name,
	                drg_kind_name(drg_record_kind(key)));
}

int drg_sqlite_get(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	struct drg_record r;
	struct drg_row_meta m;
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, key->type, TYPE_FIND, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = drg_sqlite_bind_identity(st, key);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_ROW)
		rc = drg_sqlite_read_row(s, st, key->type, &r, &m, reterr);
	else if (step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	if (rc == DRG_OK)
		rc = step == SQLITE_ROW && !r.deleted ? fn(ctx, &r, &m) : not_there(key, reterr);
	sqlite3_reset(st);
	return rc;
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
		rc = not_there(key, reterr);
	else if (step != SQLITE_ROW)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
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

/* ---- referrers ------------------------------------------------------------------------------------------- */

/* Can the field name a dict record of this kind? */
static bool refers_to(const struct drg_field_def *f, const struct drg_type *t, enum drg_kind kind)
{
	return f->ref == (int)kind || (f->ref == DRG_REF_OWN_KIND && (unsigned)kind < t->n_kinds);
}

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

/* Counts the rows given, over all fields that can refer. */
struct limited {
	drg_row_fn *fn;
	void *ctx;
	unsigned left;
};

static int give_limited(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct limited *l = ctx;
	l->left--;
	return l->fn(l->ctx, r, m);
}

static int referrers_by(struct drg_store *s, const struct drg_type *t, const struct drg_field_def *f,
                        enum drg_kind kind, int64_t id, struct limited *l, struct drg_err *reterr)
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
	sqlite3_bind_int64(st, 3, l->left);
	rc = drg_sqlite_each_row(s, st, t, give_limited, l, reterr);
	sqlite3_finalize(st);
	return rc;
}

int drg_sqlite_referrers(struct drg_store *s, enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn,
                         void *ctx, struct drg_err *reterr)
{
	struct limited l = { fn, ctx, limit };
	int rc = drg_sqlite_snapshot(s, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		for (unsigned k = 0; k < drg_types[i].n_fields && rc == DRG_OK && l.left > 0; k++)
			if (refers_to(&drg_types[i].fields[k], &drg_types[i], kind))
				rc = referrers_by(s, &drg_types[i], &drg_types[i].fields[k], kind, id, &l,
				                  reterr);
	drg_sqlite_snapshot_end(s);
	return rc;
}
