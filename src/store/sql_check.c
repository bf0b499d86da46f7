#include <stdio.h>

#include "store/sql.h"
#include "store/store_priv.h"

/* The state of a check, and the callback for findings. */
struct check {
	const struct drg_sql_dialect *d;
	struct drg_store *s;
	drg_finding_fn *fn;
	void *ctx;
};

/* Report the rows of @p t that meet a condition. */
static int each_bad_row(struct check *c, const struct drg_type *t, const char *what, const char *condition,
                        struct drg_err *reterr)
{
	struct drg_buf sql;
	drg_sql_init(&sql);
	drg_buf_lit(&sql, "SELECT ");
	drg_sql_columns(&sql, t);
	drg_buf_printf(&sql, " FROM %s%s AS t WHERE %s LIMIT %d", c->d->schema, t->name, condition,
	               DRG_SQL_MAX_FINDINGS);
	struct drg_rows rows;
	char label[160], text[320];
	for (drg_rows_query(&rows, c->s, &sql, t, reterr); drg_rows_next(&rows);) {
		snprintf(text, sizeof text, "%s: %s", drg_record_label(&rows.row.r, label, sizeof label),
		         what);
		c->fn(c->ctx, text);
	}
	return drg_rows_end(&rows);
}

/* Build the condition that a row x of another table meets if a reference may name it. */
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
	         " (SELECT 1 FROM %s%s AS x WHERE %s AND x.deleted = 0)",
	         f->wire, c->d->schema, table, target);
	snprintf(what, sizeof what, "%s: names a record that does not exist", f->wire);
	return each_bad_row(c, t, what, condition, reterr);
}

/* An id belongs to a record or to a redirect, never to both, and a redirect leads to a record directly. */
static int check_redirects(struct check *c, const struct drg_type *t, struct drg_err *reterr)
{
	char condition[256];
	snprintf(condition, sizeof condition,
	         "t.deleted = 0 AND EXISTS (SELECT 1 FROM %sdict AS x WHERE x.kind = t.kind AND"
	         " x.id = t.id AND x.deleted = 0)",
	         c->d->schema);
	int rc = each_bad_row(c, t, "id: a record has it too", condition, reterr);
	snprintf(condition, sizeof condition,
	         "t.deleted = 0 AND EXISTS (SELECT 1 FROM %sredirect AS x WHERE x.kind = t.kind"
	         " AND x.id = t.\"to\" AND x.deleted = 0)",
	         c->d->schema);
	if (rc == DRG_OK)
		rc = each_bad_row(c, t, "to: leads to another redirect", condition, reterr);
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
		                  " t.mapped_seq > t.seq OR (t.data_seq <> t.seq AND t.mapped_seq <> t.seq)",
		                  reterr);
	if (rc == DRG_OK && t->id == DRG_TYPE_REDIRECT)
		rc = check_redirects(c, t, reterr);
	for (unsigned i = 0; i < t->n_fields && rc == DRG_OK; i++)
		rc = check_reference(c, t, &t->fields[i], reterr);
	return rc;
}

int drg_sql_check(const struct drg_sql_dialect *d, struct drg_store *s, const struct drg_clock *clock,
                  drg_finding_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct check c = { d, s, fn, ctx };
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		rc = check_type(&c, &drg_types[i], clock->seq, reterr);
	return rc;
}
