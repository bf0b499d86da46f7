#include "store/sql.h"

#include <assert.h>

/* Our statements have under 2 KiB; the ceiling only bounds the effect of a bug. */
enum { MAX_SQL = 65536 };

void drg_sql_init(struct drg_buf *sql)
{
	drg_buf_init(sql, MAX_SQL);
}

unsigned drg_sql_n_identity(const struct drg_type *t)
{
	unsigned n = 0;
	while (n < t->n_fields && (t->fields[n].flags & DRG_FF_ID) != 0)
		n++;
	assert(n > 0);
	return n;
}

void drg_sql_columns(struct drg_buf *sql, const struct drg_type *t)
{
	drg_buf_lit(sql, "\"row\", deleted, seq, created_seq, data_seq, mapped_seq");
	for (unsigned i = 0; i < t->n_fields; i++)
		drg_buf_printf(sql, ", \"%s\"", t->fields[i].wire);
}

void drg_sql_identity(struct drg_buf *sql, const struct drg_type *t)
{
	for (unsigned i = 0; i < drg_sql_n_identity(t); i++)
		drg_buf_printf(sql, "%s\"%s\"", i > 0 ? ", " : "", t->fields[i].wire);
}

/* Append SELECT … FROM the table of a type. */
static void select_rows(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	drg_buf_lit(sql, "SELECT ");
	drg_sql_columns(sql, t);
	drg_buf_printf(sql, " FROM %s%s", d->schema, t->name);
}

static void where_identity(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	for (unsigned i = 0; i < drg_sql_n_identity(t); i++)
		drg_buf_printf(sql, " %s \"%s\" = %c%u", i > 0 ? "AND" : "WHERE", t->fields[i].wire, d->mark,
		               i + 1);
}

void drg_sql_find(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	select_rows(d, sql, t);
	where_identity(d, sql, t);
}

void drg_sql_exists(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	drg_buf_printf(sql, "SELECT 1 FROM %s%s", d->schema, t->name);
	where_identity(d, sql, t);
	drg_buf_lit(sql, " AND deleted = 0");
}

void drg_sql_siblings(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	unsigned last = drg_sql_n_identity(t) - 1;
	select_rows(d, sql, t);
	drg_buf_lit(sql, " WHERE deleted = 0");
	for (unsigned i = 0; i < last; i++)
		drg_buf_printf(sql, " AND \"%s\" = %c%u", t->fields[i].wire, d->mark, i + 1);
	drg_buf_printf(sql, " ORDER BY \"%s\"", t->fields[last].wire);
}

void drg_sql_siblings_from(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	unsigned last = drg_sql_n_identity(t) - 1;
	select_rows(d, sql, t);
	drg_buf_lit(sql, " WHERE deleted = 0");
	for (unsigned i = 0; i <= last; i++)
		drg_buf_printf(sql, " AND \"%s\" %s %c%u", t->fields[i].wire, i < last ? "=" : ">=", d->mark,
		               i + 1);
	drg_buf_printf(sql, " ORDER BY \"%s\" LIMIT %c%u", t->fields[last].wire, d->mark, last + 2);
}

void drg_sql_scan(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_filter *f,
                  const struct drg_type *t)
{
	assert(f->latest_first || (f->at_from == NULL && f->at_before == NULL));
	select_rows(d, sql, t);
	drg_buf_lit(sql, " WHERE true");
	if (!f->tombstones)
		drg_buf_lit(sql, " AND deleted = 0");
	assert(!f->latest_first || (f->adapter == 0 && !f->one_kind));
	if (f->adapter != 0)
		drg_buf_printf(sql, " AND adapter_id = %lld", (long long)f->adapter);
	if (f->one_kind)
		drg_buf_printf(sql, " AND kind = %d", (int)f->kind);
	if (f->at_from != NULL)
		drg_buf_printf(sql, " AND at >= '%s'", f->at_from);
	if (f->at_before != NULL)
		drg_buf_printf(sql, " AND at < '%s'", f->at_before);
	assert(f->highest_first || f->below == 0);
	if (f->below != 0)
		drg_buf_printf(sql, " AND id < %lld", (long long)f->below);
	if (f->highest_first) {
		drg_buf_lit(sql, " ORDER BY id DESC");
	} else if (f->latest_first) {
		drg_buf_lit(sql, " ORDER BY at DESC, \"row\" DESC");
	} else if (!f->any_order) {
		drg_buf_lit(sql, " ORDER BY ");
		drg_sql_identity(sql, t);
	}
}

/* The mapping has an index, by adapter first; all adapters are found by skipping over it. The other fields
 * are on the dict side, which is small and seldom loses a record: their tables are scanned. */
void drg_sql_referrers(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t,
                       const struct drg_field_def *f)
{
	assert(f->ref != DRG_REF_NONE);
	if (f->field == DRG_F_DICT_ID)
		drg_buf_printf(sql,
		               "WITH RECURSIVE a(id) AS (SELECT min(adapter_id) FROM %s%s UNION ALL"
		               " SELECT (SELECT min(adapter_id) FROM %s%s WHERE adapter_id > a.id) FROM a"
		               " WHERE a.id IS NOT NULL) ",
		               d->schema, t->name, d->schema, t->name);
	select_rows(d, sql, t);
	drg_buf_printf(sql, " WHERE deleted = 0 AND \"%s\" = %c1", f->wire, d->mark);
	if (f->ref == DRG_REF_OWN_KIND)
		drg_buf_printf(sql, " AND kind = %c2", d->mark);
	if (f->field == DRG_F_DICT_ID)
		drg_buf_lit(sql, " AND adapter_id IN (SELECT id FROM a)");
	drg_buf_printf(sql, " LIMIT %c3", d->mark);
}

/* One group for each adapter and kind, as far as the type has them. The three parts read only indexes (the
 * identity, the mapping, the tombstones); for millions of rows that is far less than the table. */
void drg_sql_counts(const struct drg_sql_dialect *d, struct drg_buf *sql, const struct drg_type *t)
{
	const char *adapter = drg_field_of(t, DRG_F_ADAPTER_ID) != NULL ? "adapter_id" : "0";
	const char *kind = t->kinds != 0 ? "kind" : "255"; /* DRG_KIND_NONE */
	const char *mapped = drg_field_of(t, DRG_F_DICT_ID) != NULL ? "dict_id IS NOT NULL" : "false";
	const struct {
		const char *live, *mapped, *dead, *where;
	} parts[] = {
		{ "count(*)", "0", "0", "true" },
		{ "0", "count(*)", "0", mapped },
		{ "-count(*)", "0", "count(*)", "deleted = 1" },
	};
	drg_buf_lit(sql, "SELECT a, k, CAST(sum(l) AS bigint), CAST(sum(m) AS bigint), CAST(sum(d) AS bigint)"
	                 " FROM (");
	for (size_t i = 0; i < DRG_ARRAY_LEN(parts); i++)
		drg_buf_printf(sql,
		               "%sSELECT %s AS a, %s AS k, %s AS l, %s AS m, %s AS d FROM %s%s WHERE %s"
		               " GROUP BY 1, 2",
		               i > 0 ? " UNION ALL " : "", adapter, kind, parts[i].live, parts[i].mapped,
		               parts[i].dead, d->schema, t->name, parts[i].where);
	drg_buf_lit(sql, ") AS parts GROUP BY 1, 2 ORDER BY 2, 1");
}
