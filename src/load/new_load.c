#include "load/new_load.h"

#include <stdlib.h>

enum new_column { NEW_CLUSTER = 3, NEW_DECISION, NEW_COUNT };
static const char *const new_columns[NEW_COUNT] = { "adapter_id", "kind", "id", "cluster", "decision" };

/* A row with the decision `new`. */
struct new_row {
	int64_t cluster;
	uint64_t line;
	struct drg_mapping_source source;
};

struct new_loading {
	struct drg_new_load *m;
	struct drg_arena texts;
	struct drg_buf rows; /* array of struct new_row */
	uint64_t refused_before; /* in earlier files */
};

static int new_load_take(void *ctx, const struct drg_sheet_row *row, struct drg_err *reterr)
{
	struct new_loading *x = ctx;
	struct drg_str decision = drg_read_back_cell(&x->m->list, row, NEW_DECISION);
	struct new_row r = { .line = row->line };
	if (decision.n == 0)
		return DRG_OK;
	const char *bad =
	        drg_read_back_source(&x->m->list, row, &r.source.adapter, &r.source.kind, &r.source.id);
	if (!drg_str_eq_nocase(decision, DRG_STR("new")))
		bad = "decision: expected new, or nothing";
	else if (!drg_str_to_i64(drg_read_back_cell(&x->m->list, row, NEW_CLUSTER), &r.cluster))
		bad = "cluster: expected a number";
	if (bad != NULL) {
		drg_read_back_refuse(&x->m->list, bad);
		return DRG_OK;
	}
	r.source.id = drg_arena_str(&x->texts, r.source.id);
	drg_buf_add(&x->rows, &r, sizeof r);
	return r.source.id.p != NULL && x->rows.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

static int new_by_cluster(const void *pa, const void *pb)
{
	const struct new_row *a = pa, *b = pb;
	if (a->cluster != b->cluster)
		return a->cluster < b->cluster ? -1 : 1;
	return a->line < b->line ? -1 : a->line > b->line;
}

static int new_give_one(struct new_loading *x, const struct new_row *v, size_t n, struct drg_err *reterr)
{
	struct drg_mapping_source *sources = calloc(n, sizeof *sources);
	int rc = sources != NULL ? DRG_OK : drg_fail_memory(reterr);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		sources[i] = v[i].source;
	if (rc == DRG_OK)
		rc = drg_new_accept_add(x->m->accept, sources, n, v[0].cluster);
	free(sources);
	return rc;
}

/* The rows of one number are of one kind. */
static void new_check_kinds(struct new_loading *x, const struct new_row *v, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (v[i].cluster != v[i - 1].cluster || v[i].source.kind == v[i - 1].source.kind)
			continue;
		x->m->list.line = v[i].line;
		drg_read_back_refuse(&x->m->list, "kind: records of one cluster are of one kind");
	}
}

/* At the end of a file: make one record of each group of rows with the same number; of a file with a bad row
 * none. */
static int new_give(void *ctx, struct drg_err *reterr)
{
	struct new_loading *x = ctx;
	struct new_row *v = (struct new_row *)(void *)x->rows.p;
	size_t n = x->rows.n / sizeof *v;
	int rc = DRG_OK;
	if (n > 0)
		qsort(v, n, sizeof *v, new_by_cluster);
	new_check_kinds(x, v, n);
	const bool bad = x->m->list.n_refused > x->refused_before;
	x->refused_before = x->m->list.n_refused;
	for (size_t from = 0, to; from < n && rc == DRG_OK && !bad; from = to) {
		for (to = from + 1; to < n && v[to].cluster == v[from].cluster;)
			to++;
		rc = new_give_one(x, v + from, to - from, reterr);
	}
	drg_buf_clear(&x->rows);
	drg_arena_reset(&x->texts);
	return rc;
}

static const struct drg_read_back_form new_form = {
	.columns = new_columns,
	.n_columns = NEW_COUNT,
	.n_wanted = NEW_COUNT,
	.expected = "the columns cluster, adapter_id, kind, id and decision, as 'match new --output FILE' "
	            "writes them",
	.row = new_load_take,
	.end = new_give,
};

int drg_new_load(struct drg_store *s, struct drg_new_load *m, struct drg_err *reterr)
{
	struct new_loading x = { .m = m };
	drg_arena_init(&x.texts, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	int rc = drg_new_accept_begin(m->accept, s, drg_read_back_name(&m->list), reterr);
	if (rc == DRG_OK)
		rc = drg_read_back(&m->list, &new_form, &x, reterr);
	drg_arena_done(&x.texts);
	drg_buf_done(&x.rows);
	return drg_new_accept_end(m->accept, rc);
}
