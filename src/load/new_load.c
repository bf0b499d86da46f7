#include "load/new_load.h"

#include <stdlib.h>

#include "load/columns.h"

enum new_column { NEW_CLUSTER, NEW_ADAPTER, NEW_KIND, NEW_ID, NEW_DECISION, NEW_COUNT };
static const char *const new_columns[NEW_COUNT] = { "cluster", "adapter_id", "kind", "id", "decision" };

/* A row that is `new`. */
struct new_row {
	int64_t cluster;
	uint64_t line;
	struct drg_mapping_source source;
};

struct new_loading {
	const char *file;
	int columns[NEW_COUNT];
	struct drg_arena texts;
	struct drg_buf rows; /* struct new_row */
	struct drg_err *err;
};

static int new_bad(const struct new_loading *x, uint64_t line, const char *what)
{
	return drg_fail(x->err, DRG_EINVAL, NULL, NULL, "%s:%llu: %s", x->file, (unsigned long long)line,
	                what);
}

static struct drg_str new_cell(const struct new_loading *x, const struct drg_sheet_row *row,
                               enum new_column c)
{
	unsigned i = (unsigned)x->columns[c];
	return i < row->n ? row->cells[i].text : drg_str("", 0);
}

static int new_header(struct new_loading *x, const struct drg_sheet_row *row)
{
	int rc = drg_columns_find(row, new_columns, NEW_COUNT, x->columns, x->err);
	if (rc != DRG_OK)
		return rc;
	for (unsigned c = 0; c < NEW_COUNT; c++)
		if (x->columns[c] < 0)
			return drg_fail(x->err, DRG_EINVAL, NULL, NULL,
			                "%s: expected the columns cluster, adapter_id, kind, id and "
			                "decision, as 'match "
			                "new --output FILE' writes them; there is no %s",
			                x->file, new_columns[c]);
	return DRG_OK;
}

static int new_take_row(struct new_loading *x, const struct drg_sheet_row *row)
{
	struct drg_str decision = new_cell(x, row, NEW_DECISION);
	struct new_row r = { .line = row->line, .source.kind = drg_kind_by_name(new_cell(x, row, NEW_KIND)) };
	if (decision.n == 0)
		return DRG_OK;
	if (!drg_str_eq_nocase(decision, DRG_STR("new")))
		return new_bad(x, row->line, "decision: expected new, or nothing");
	if (!drg_str_to_i64(new_cell(x, row, NEW_CLUSTER), &r.cluster))
		return new_bad(x, row->line, "cluster: expected a number");
	if (!drg_str_to_i64(new_cell(x, row, NEW_ADAPTER), &r.source.adapter))
		return new_bad(x, row->line, "adapter_id: expected the number of a supplier");
	if ((unsigned)r.source.kind >= DRG_KIND_SOURCE_COUNT || new_cell(x, row, NEW_ID).n == 0)
		return new_bad(x, row->line, "expected kind and id of a supplier's record");
	r.source.id = drg_arena_str(&x->texts, new_cell(x, row, NEW_ID));
	drg_buf_add(&x->rows, &r, sizeof r);
	return r.source.id.p != NULL && x->rows.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int new_read(struct new_loading *x)
{
	const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet *sheet;
	struct drg_sheet_row row;
	int rc = drg_sheet_open(x->file, &plain, &sheet, x->err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sheet_next(sheet, &row, x->err);
	if (rc == DRG_OK)
		rc = new_header(x, &row);
	while (rc == DRG_OK && (rc = drg_sheet_next(sheet, &row, x->err)) == DRG_OK)
		rc = new_take_row(x, &row);
	drg_sheet_close(sheet);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int new_by_cluster(const void *pa, const void *pb)
{
	const struct new_row *a = pa, *b = pb;
	if (a->cluster != b->cluster)
		return a->cluster < b->cluster ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int new_give_one(struct new_loading *x, struct drg_new_accept *a, const struct new_row *v, size_t n)
{
	struct drg_mapping_source *sources = calloc(n, sizeof *sources);
	int rc = sources != NULL ? DRG_OK : drg_fail_memory(x->err);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		sources[i] = v[i].source;
	if (rc == DRG_OK)
		rc = drg_new_accept_add(a, sources, n, v[0].cluster);
	free(sources);
	return rc;
}

static int new_give(struct new_loading *x, struct drg_new_accept *a)
{
	struct new_row *v = (struct new_row *)(void *)x->rows.p;
	size_t n = x->rows.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 0)
		qsort(v, n, sizeof *v, new_by_cluster);
	for (size_t i = 1; i < n && rc == DRG_OK; i++)
		if (v[i].cluster == v[i - 1].cluster && v[i].source.kind != v[i - 1].source.kind)
			rc = new_bad(x, v[i].line, "kind: records of one cluster are of one kind");
	for (size_t from = 0, to; from < n && rc == DRG_OK; from = to) {
		for (to = from + 1; to < n && v[to].cluster == v[from].cluster;)
			to++;
		rc = new_give_one(x, a, v + from, to - from);
	}
	return rc;
}

static int new_file(struct drg_new_load *m, const char *file, struct drg_err *reterr)
{
	struct new_loading x = { .file = file, .err = reterr };
	drg_arena_init(&x.texts, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	int rc = new_read(&x);
	if (rc == DRG_OK)
		rc = new_give(&x, m->accept);
	drg_arena_done(&x.texts);
	drg_buf_done(&x.rows);
	return rc;
}

int drg_new_load(struct drg_store *s, struct drg_new_load *m, struct drg_err *reterr)
{
	int rc = drg_new_accept_begin(m->accept, s, m->files[0], reterr);
	if (rc == DRG_OK)
		rc = drg_columns_open(reterr);
	for (size_t i = 0; i < m->n_files && rc == DRG_OK; i++)
		rc = new_file(m, m->files[i], reterr);
	return drg_new_accept_end(m->accept, rc);
}
