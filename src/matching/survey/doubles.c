#include <stdlib.h>

#include "matching/automap_priv.h"
#include "matching/survey/survey.h"

#define DOUBLES_FAR_METRES 1000.0

/* A hotel whose supplier has another one at the same dict record. */
struct double_row {
	int64_t dict_id, adapter;
	double lat, lng;
	struct drg_str id, category;
};

struct double_group {
	size_t from, n;
	double metres;
	enum drg_double what;
};

struct double_reading {
	int64_t adapter; /* 0: all */
	struct drg_tally counts; /* by supplier and dict record */
	struct drg_arena texts;
	struct drg_buf rows; /* struct double_row */
	struct drg_buf groups; /* struct double_group */
	struct drg_err *err;
};

const char *drg_double_name(enum drg_double d)
{
	static const char *const names[] = { "over_merged", "doubtful", "duplicate" };
	return names[d];
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static uint64_t double_key(const struct drg_record *r)
{
	const int64_t v[] = { r->v[DRG_F_ADAPTER_ID].i, r->v[DRG_F_DICT_ID].i };
	return drg_match_hash(drg_str((const char *)v, sizeof v), 11) | 1;
}

static bool double_looked_at(const struct double_reading *x, const struct drg_record *r)
{
	return drg_record_has(r, DRG_F_DICT_ID) &&
	       (x->adapter == 0 || x->adapter == r->v[DRG_F_ADAPTER_ID].i);
}

static int double_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct double_reading *x = ctx;
	if (!double_looked_at(x, r) || drg_tally_get(&x->counts, double_key(r)) < 2)
		return DRG_OK;
	struct drg_str category = drg_record_s(r, DRG_F_SRC_CATEGORY_ID);
	if (category.n == 0)
		category = drg_record_s(r, DRG_F_CATEGORY_NAME);
	const struct double_row row = { .dict_id = r->v[DRG_F_DICT_ID].i,
		                        .adapter = r->v[DRG_F_ADAPTER_ID].i,
		                        .lat = drg_record_has(r, DRG_F_LAT) ? r->v[DRG_F_LAT].d : NAN,
		                        .lng = drg_record_has(r, DRG_F_LNG) ? r->v[DRG_F_LNG].d : NAN,
		                        .id = drg_arena_str(&x->texts, r->v[DRG_F_SOURCE_ID].s),
		                        .category = drg_arena_str(&x->texts, category) };
	drg_buf_add(&x->rows, &row, sizeof row);
	return row.id.p != NULL && row.category.p != NULL ? x->rows.rc : DRG_ENOMEM;
}

static int double_read(struct double_reading *x, struct drg_store *s)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_SOURCE],
		                      .one_kind = true,
		                      .kind = DRG_KIND_HOTEL,
		                      .any_order = true };
	for (drg_rows_scan(&rows, s, &f, x->err); drg_rows_next(&rows);)
		if (double_looked_at(x, &rows.row.r))
			rows.rc = drg_tally_add(&x->counts, double_key(&rows.row.r));
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK)
		rc = drg_rows_each(drg_rows_scan(&rows, s, &f, x->err), double_take, x);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}

/* ---- judging ------------------------------------------------------------------------------------------- */

static int double_order(const void *pa, const void *pb)
{
	const struct double_row *a = pa, *b = pb;
	if (a->dict_id != b->dict_id)
		return a->dict_id < b->dict_id ? -1 : 1;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

static int double_worst_first(const void *pa, const void *pb)
{
	const struct double_group *a = pa, *b = pb;
	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	double da = isnan(a->metres) ? 0 : a->metres, db = isnan(b->metres) ? 0 : b->metres;
	if (da != db)
		return da > db ? -1 : 1;
	return a->from < b->from ? -1 : a->from > b->from;
}

/* Judge a group. Categories of neighbours are compared; places of each pair of the first dozen. */
static struct double_group double_judge(const struct double_row *v, size_t from, size_t n)
{
	struct double_group g = { .from = from, .n = n, .metres = NAN };
	bool differ = false;
	for (size_t i = from; i < from + n; i++)
		for (size_t k = from; k < i && k < from + 12; k++) {
			const struct drg_place_record a = { .lat = v[i].lat, .lng = v[i].lng };
			const struct drg_place_record b = { .lat = v[k].lat, .lng = v[k].lng };
			differ = differ || (v[i].category.n > 0 && v[k].category.n > 0 &&
			                    !drg_str_eq(v[i].category, v[k].category));
			if (drg_place_located(&a) && drg_place_located(&b))
				g.metres = fmax(isnan(g.metres) ? 0 : g.metres, drg_metres(&a, &b));
		}
	bool far = g.metres > DOUBLES_FAR_METRES;
	g.what = far && differ   ? DRG_DOUBLE_OVER_MERGED
	         : far || differ ? DRG_DOUBLE_DOUBTFUL
	                         : DRG_DOUBLE_DUPLICATE;
	return g;
}

static int double_group_all(struct double_reading *x)
{
	struct double_row *v = (struct double_row *)(void *)x->rows.p;
	size_t n = x->rows.n / sizeof *v;
	if (n > 0)
		qsort(v, n, sizeof *v, double_order);
	for (size_t from = 0, to; from < n; from = to) {
		for (to = from + 1;
		     to < n && v[to].dict_id == v[from].dict_id && v[to].adapter == v[from].adapter;)
			to++;
		const struct double_group g = double_judge(v, from, to - from);
		drg_buf_add(&x->groups, &g, sizeof g);
	}
	if (x->groups.n > 0)
		qsort(x->groups.p, x->groups.n / sizeof(struct double_group), sizeof(struct double_group),
		      double_worst_first);
	return x->groups.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

/* ---- reporting ----------------------------------------------------------------------------------------- */

static int report_doubles(const struct double_reading *x, const struct double_group *g,
                          drg_survey_double_fn *fn, void *ctx)
{
	const struct double_row *v = (const struct double_row *)(const void *)x->rows.p + g->from;
	struct drg_str *texts = calloc(2 * g->n, sizeof *texts);
	if (texts == NULL)
		return drg_fail_memory(x->err);
	for (size_t i = 0; i < g->n; i++) {
		texts[i] = v[i].id;
		texts[g->n + i] = v[i].category;
	}
	const struct drg_survey_double d = { .dict_id = v->dict_id,
		                             .adapter = v->adapter,
		                             .what = g->what,
		                             .metres = g->metres,
		                             .n = g->n,
		                             .ids = texts,
		                             .categories = texts + g->n };
	int rc = fn(ctx, &d);
	free(texts);
	return rc;
}

int drg_survey_doubles(struct drg_store *s, int64_t adapter, drg_survey_double_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	struct double_reading x = { .adapter = adapter, .err = reterr };
	drg_tally_init(&x.counts);
	drg_arena_init(&x.texts, SIZE_MAX);
	drg_buf_init(&x.rows, SIZE_MAX);
	drg_buf_init(&x.groups, SIZE_MAX);
	int rc = double_read(&x, s);
	if (rc == DRG_OK)
		rc = double_group_all(&x);
	const struct double_group *g = (const struct double_group *)(const void *)x.groups.p;
	for (size_t i = 0; i < x.groups.n / sizeof *g && rc == DRG_OK; i++)
		rc = report_doubles(&x, &g[i], fn, ctx);
	drg_tally_done(&x.counts);
	drg_arena_done(&x.texts);
	drg_buf_done(&x.rows);
	drg_buf_done(&x.groups);
	return rc;
}
