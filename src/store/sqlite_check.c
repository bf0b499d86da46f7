#include "store/sqlite_priv.h"

#include <stdio.h>

/* ---- counts ---------------------------------------------------------------------------------------------- */

/* One group per adapter and kind, as far as the type has them. The three parts read only indexes (the identity,
 * the mapping, the tombstones), which for millions of rows is far less than the table. */
static void counts_sql(struct drg_buf *sql, const struct drg_type *t)
{
	const char *adapter = drg_field_of(t, DRG_F_ADAPTER_ID) != NULL ? "adapter_id" : "0";
	const char *kind = t->n_kinds > 0 ? "kind" : "255"; /* DRG_KIND_NONE */
	const char *mapped = drg_field_of(t, DRG_F_DICT_ID) != NULL ? "dict_id IS NOT NULL" : "false";
	const struct {
		const char *live, *mapped, *dead, *where;
	} parts[] = {
		{ "count(*)", "0", "0", "true" },
		{ "0", "count(*)", "0", mapped },
		{ "-count(*)", "0", "count(*)", "deleted = 1" },
	};
	drg_buf_lit(sql, "SELECT a, k, sum(l), sum(m), sum(d) FROM (");
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts); i++)
		drg_buf_printf(sql,
		               "%sSELECT %s AS a, %s AS k, %s AS l, %s AS m, %s AS d FROM %s WHERE %s"
		               " GROUP BY 1, 2",
		               i > 0 ? " UNION ALL " : "", adapter, kind, parts[i].live, parts[i].mapped,
		               parts[i].dead, t->name, parts[i].where);
	drg_buf_lit(sql, ") GROUP BY 1, 2 ORDER BY 2, 1");
}

int drg_sqlite_counts(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
                      struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sqlite_sql_init(&sql);
	counts_sql(&sql, t);
	int rc = drg_sqlite_prepare_buf(s, &sql, 0, &st, reterr);
	int step = SQLITE_DONE;
	if (rc != DRG_OK)
		return rc;
	while (rc == DRG_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
		struct drg_count c = {
			.type = t,
			.adapter = sqlite3_column_int64(st, 0),
			.kind = (enum drg_kind)sqlite3_column_int(st, 1),
			.live = sqlite3_column_int64(st, 2),
			.mapped = sqlite3_column_int64(st, 3),
			.tombstones = sqlite3_column_int64(st, 4),
		};
		rc = fn(ctx, &c);
	}
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_finalize(st);
	return rc;
}

/* ---- check ----------------------------------------------------------------------------------------------- */

/* Of one sort, so that a store that is badly off gives a report that can still be read. */
enum { MAX_FINDINGS = 20 };

struct check {
	struct drg_store *s;
	drg_finding_fn *fn;
	void *ctx;
	const char *what; /* what is wrong with the rows that each_bad_row() meets */
};

static int check_pages(struct check *c, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA integrity_check(%d)", MAX_FINDINGS);
	int rc = drg_sqlite_prepare(c->s, sql, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step;
	while ((step = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 0);
		if (text != NULL && strcmp(text, "ok") != 0)
			c->fn(c->ctx, text);
	}
	sqlite3_finalize(st);
	/* A file too damaged to be checked is a finding, too. */
	if ((step & 0xff) == SQLITE_CORRUPT)
		c->fn(c->ctx, "the file is damaged: restore it from a backup");
	else if (step != SQLITE_DONE)
		return drg_sqlite_fail(c->s, step, reterr);
	return DRG_OK;
}

static int bad_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct check *c = ctx;
	char label[160], text[320];
	snprintf(text, sizeof text, "%s: %s", drg_record_label(r, label, sizeof label), c->what);
	c->fn(c->ctx, text);
	return DRG_OK;
}

/* Report rows of @p t that meet a condition. */
static int each_bad_row(struct check *c, const struct drg_type *t, const char *what, const char *condition,
                        struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sqlite_sql_init(&sql);
	drg_buf_lit(&sql, "SELECT ");
	drg_sqlite_sql_columns(&sql, t);
	drg_buf_printf(&sql, " FROM %s AS t WHERE %s LIMIT %d", t->name, condition, MAX_FINDINGS);
	int rc = drg_sqlite_prepare_buf(c->s, &sql, 0, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	c->what = what;
	rc = drg_sqlite_each_row(c->s, st, t, bad_row, c, reterr);
	sqlite3_finalize(st);
	return rc;
}

/* What a reference must name, as a condition on a row x of another table. */
static bool target_of(const struct drg_field_def *f, char *table, char *condition, size_t n)
{
	switch (f->ref) {
	case DRG_REF_NONE: return false;
	case DRG_REF_ADAPTER:
		snprintf(table, n, "adapter");
		snprintf(condition, n, "x.id = t.\"%s\"", f->wire);
		return true;
	case DRG_REF_PLACE:
		snprintf(table, n, "air_place");
		snprintf(condition, n, "x.source_id = t.\"%s\"", f->wire);
		return true;
	case DRG_REF_SOURCE_HOTEL:
		snprintf(table, n, "source");
		snprintf(condition, n, "x.adapter_id = t.adapter_id AND x.kind = %d AND x.id = t.\"%s\"",
		         DRG_KIND_HOTEL, f->wire);
		return true;
	default: /* a dict kind, or DRG_REF_OWN_KIND */
		snprintf(table, n, "dict");
		if (f->ref == DRG_REF_OWN_KIND)
			snprintf(condition, n, "x.kind = t.kind AND x.id = t.\"%s\"", f->wire);
		else
			snprintf(condition, n, "x.kind = %d AND x.id = t.\"%s\"", f->ref, f->wire);
		return true;
	}
}

static int check_reference(struct check *c, const struct drg_type *t, const struct drg_field_def *f,
                           struct drg_err *reterr)
{
	char table[128], target[128], condition[512], what[160];
	if (!target_of(f, table, target, sizeof table))
		return DRG_OK;
	snprintf(condition, sizeof condition,
	         "t.deleted = 0 AND t.\"%s\" IS NOT NULL AND NOT EXISTS"
	         " (SELECT 1 FROM %s AS x WHERE %s AND x.deleted = 0)",
	         f->wire, table, target);
	snprintf(what, sizeof what, "%s: names a record that does not exist", f->wire);
	return each_bad_row(c, t, what, condition, reterr);
}

/* An id is that of a record or of a redirect, and a redirect leads to a record at once. */
static int check_redirects(struct check *c, const struct drg_type *t, struct drg_err *reterr)
{
	int rc = each_bad_row(c, t, "id: a record has it too",
	                      "t.deleted = 0 AND EXISTS (SELECT 1 FROM dict AS x WHERE x.kind = t.kind AND"
	                      " x.id = t.id AND x.deleted = 0)",
	                      reterr);
	if (rc == DRG_OK)
		rc = each_bad_row(
		        c, t, "to: leads to another redirect",
		        "t.deleted = 0 AND EXISTS (SELECT 1 FROM redirect AS x WHERE x.kind = t.kind"
		        " AND x.id = t.\"to\" AND x.deleted = 0)",
		        reterr);
	return rc;
}

static int check_type(struct check *c, const struct drg_type *t, int64_t clock, struct drg_err *reterr)
{
	char condition[128];
	snprintf(condition, sizeof condition, "t.seq > %lld", (long long)clock);
	int rc = each_bad_row(c, t, "was written after the last committed transaction", condition, reterr);
	if (rc == DRG_OK)
		rc = each_bad_row(c, t, "has seqs that contradict each other",
		                  "t.created_seq < 1 OR t.created_seq > t.data_seq OR t.data_seq > t.seq OR"
		                  " t.mapped_seq > t.seq OR max(t.data_seq, t.mapped_seq) <> t.seq",
		                  reterr);
	if (rc == DRG_OK && t->id == DRG_TYPE_REDIRECT)
		rc = check_redirects(c, t, reterr);
	for (unsigned i = 0; i < t->n_fields && rc == DRG_OK; i++)
		rc = check_reference(c, t, &t->fields[i], reterr);
	return rc;
}

int drg_sqlite_check(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
                     struct drg_err *reterr)
{
	struct check c = { s, fn, ctx, NULL };
	int rc = check_pages(&c, reterr);
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		rc = check_type(&c, &drg_types[i], clock->seq, reterr);
	return rc;
}
