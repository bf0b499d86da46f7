/* Audits (decision M39): a sample of the matcher's mappings, judged by people. */
#include "matching/learn/audit.h"

#include <stdlib.h>

#include "base/clock.h"
#include "matching/learn/last_event.h"
#include "model/key.h"
#include "store/fetch.h"
#include "store/suggestions.h"

enum { AUDIT_ITEM_ROOM = 1 << 20 };

/* ---- drawing ------------------------------------------------------------------------------------------- */

/* A mapping that was drawn. */
struct drawn {
	int64_t adapter, dict_id;
	enum drg_kind kind;
	struct drg_str id, why;
};

struct drawing {
	struct drg_store *s;
	struct drg_audit_draw *d;
	struct drg_arena texts;
	struct drawn *v;
	uint64_t random;
	struct drg_err *err;
};

static uint64_t draw_random(struct drawing *x)
{
	x->random = x->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return x->random >> 20;
}

static int draw_last(void *ctx, const struct drg_last_event *e)
{
	struct drg_rows rows;
	struct drawing *x = ctx;
	struct drg_record key;
	int64_t dict = INT64_MIN;
	const struct drg_audit_draw *d = x->d;
	if (e->how != DRG_HOW_MATCH || !e->has_to || (d->adapter != 0 && d->adapter != e->adapter) ||
	    (d->kind != DRG_KIND_NONE && d->kind != e->kind))
		return DRG_OK;
	drg_key_source(&key, e->adapter, e->kind, e->id);
	drg_rows_get(&rows, x->s, &key, x->err);
	if (drg_rows_next(&rows))
		dict = drg_record_i(&rows.row.r, DRG_F_DICT_ID, INT64_MIN);
	int rc = drg_rows_end(&rows);
	if (rc == DRG_ENOENT || (rc == DRG_OK && dict == INT64_MIN))
		return DRG_OK;
	if (rc != DRG_OK)
		return rc;
	uint64_t seen = x->d->among++, at = seen < d->size ? seen : draw_random(x) % (seen + 1);
	if (at >= d->size)
		return DRG_OK;
	x->v[at] = (struct drawn){ e->adapter, dict, e->kind, drg_arena_str(&x->texts, e->id),
		                   drg_arena_str(&x->texts, e->why) };
	return x->v[at].id.p != NULL && x->v[at].why.p != NULL ? DRG_OK : drg_fail_memory(x->err);
}

static int draw_report(struct drawing *x, const struct drawn *v, drg_audit_fn *fn, void *ctx)
{
	struct drg_audit_item item = { .explanation = v->why };
	struct drg_record key;
	struct drg_arena arena;
	drg_arena_init(&arena, 2 * AUDIT_ITEM_ROOM);
	drg_key_source(&key, v->adapter, v->kind, v->id);
	int rc = drg_fetch(x->s, &key, &arena, &item.source, x->err);
	drg_key_dict(&key, v->kind, v->dict_id);
	if (rc == DRG_OK)
		rc = drg_fetch(x->s, &key, &arena, &item.dict, x->err);
	if (rc == DRG_OK)
		rc = fn(ctx, &item);
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_audit_draw(struct drg_store *s, struct drg_audit_draw *d, drg_audit_fn *fn, void *ctx,
                   struct drg_err *reterr)
{
	struct drawing x = { .s = s, .d = d, .random = d->seed * 2 + 1, .err = reterr };
	d->among = 0;
	x.v = calloc(d->size, sizeof *x.v);
	if (x.v == NULL)
		return drg_fail_memory(reterr);
	for (unsigned i = 0; i < 8; i++) /* skip the first numbers: small seeds give similar ones */
		(void)draw_random(&x);
	drg_arena_init(&x.texts, SIZE_MAX);
	int rc = drg_last_events(s, draw_last, &x, reterr);
	for (size_t i = 0; i < d->size && i < d->among && rc == DRG_OK; i++)
		rc = draw_report(&x, &x.v[i], fn, ctx);
	drg_arena_done(&x.texts);
	free(x.v);
	return rc;
}

/* ---- precision ----------------------------------------------------------------------------------------- */

void drg_wilson(uint64_t right, uint64_t n, double *ret_low, double *ret_high)
{
	const double z = 1.959963984540054, all = (double)n;
	*ret_low = 0;
	*ret_high = 1;
	if (n == 0)
		return;
	double share = (double)right / all, middle = (share + z * z / (2 * all)) / (1 + z * z / all);
	double half = z / (1 + z * z / all) * sqrt(share * (1 - share) / all + z * z / (4 * all * all));
	*ret_low = right == 0 ? 0 : middle - half;
	*ret_high = right == n ? 1 : middle + half;
}

/* Reads judgements: the last event of a source, if it is one. */
struct judging {
	const struct drg_precision *which;
	int (*fn)(void *ctx, const struct drg_last_event *e);
	void *ctx;
};

static int judging_take(void *ctx, const struct drg_last_event *e)
{
	const struct judging *x = ctx;
	const struct drg_precision *w = x->which;
	if (!e->audited || e->audited_us < w->since_us || (w->adapter != 0 && w->adapter != e->adapter) ||
	    (w->kind != DRG_KIND_NONE && w->kind != e->kind))
		return DRG_OK;
	return x->fn(x->ctx, e);
}

static int precision_count(void *ctx, const struct drg_last_event *e)
{
	struct drg_precision *p = ctx;
	p->kinds[e->kind].judged++;
	p->kinds[e->kind].right += e->audited_right;
	return DRG_OK;
}

static int precision_read(struct drg_store *s, struct drg_precision *p, struct drg_err *reterr)
{
	struct judging x = { p, precision_count, p };
	memset(p->kinds, 0, sizeof p->kinds);
	return drg_last_events(s, judging_take, &x, reterr);
}

struct precision_row {
	const char *kind;
	int64_t judged, right;
	double precision, from, to;
};

/* clang-format off */
#define PRECISION(...) DRG_REPORT_COLUMN(struct precision_row, __VA_ARGS__)
const struct drg_report drg_precision_report = { "CurateJudged", (const struct drg_report_column[]){
	PRECISION(kind, WORD, 14, .doc = "kind of the records, or all"),
	PRECISION(judged, INT, -8, .doc = "number of judged mappings"),
	PRECISION(right, INT, -8, .doc = "number of right mappings"),
	PRECISION(precision, REAL, -9, .doc = "share of right mappings"),
	PRECISION(from, REAL, -9, .doc = "lower end of the 95 % interval"),
	PRECISION(to, REAL, -9, .doc = "upper end of the 95 % interval"),
	{ 0 } } };
#undef PRECISION
/* clang-format on */

static int precision_give(const char *kind, const struct drg_judged *j, drg_report_row_fn *fn, void *ctx)
{
	struct precision_row row = { .kind = kind, .judged = (int64_t)j->judged, .right = (int64_t)j->right };
	if (j->judged == 0)
		return DRG_OK;
	row.precision = (double)j->right / (double)j->judged;
	drg_wilson(j->right, j->judged, &row.from, &row.to);
	return fn(ctx, &row);
}

int drg_precision_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	struct drg_precision *p = asked;
	struct drg_judged all = { 0, 0 };
	(void)arena;
	int rc = precision_read(s, p, reterr);
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++) {
		all.judged += p->kinds[k].judged;
		all.right += p->kinds[k].right;
		rc = precision_give(drg_kind_name((enum drg_kind)k), &p->kinds[k], fn, ctx);
	}
	return rc == DRG_OK ? precision_give("all", &all, fn, ctx) : rc;
}

/* ---- the bound ----------------------------------------------------------------------------------------- */

/* A judged hotel. */
struct bound_hotel {
	int64_t adapter, dict_id;
	struct drg_str id;
	double bits;
	bool right, counts;
};

struct bounding {
	struct drg_bound *b;
	struct drg_arena texts;
	struct drg_buf hotels; /* struct bound_hotel */
	struct drg_buf adapters; /* int64_t */
	struct drg_err *err;
};

static struct bound_hotel *bound_hotels(struct bounding *x, size_t *ret_n)
{
	*ret_n = x->hotels.n / sizeof(struct bound_hotel);
	return (struct bound_hotel *)(void *)x->hotels.p;
}

static int bound_take(void *ctx, const struct drg_last_event *e)
{
	struct bounding *x = ctx;
	struct bound_hotel h = { .adapter = e->adapter,
		                 .dict_id = e->audited_from,
		                 .id = drg_arena_str(&x->texts, e->id),
		                 .right = e->audited_right };
	if (e->kind != DRG_KIND_HOTEL)
		return DRG_OK;
	drg_buf_add(&x->hotels, &h, sizeof h);
	return h.id.p != NULL && x->hotels.rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int bound_by_source(const void *pa, const void *pb)
{
	const struct bound_hotel *a = pa, *b = pb;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	return drg_str_cmp(a->id, b->id);
}

static int bound_by_bits(const void *pa, const void *pb)
{
	const struct bound_hotel *a = pa, *b = pb;
	if (a->counts != b->counts)
		return a->counts ? -1 : 1;
	return a->bits > b->bits ? -1 : a->bits < b->bits;
}

static struct bound_hotel *bound_find(struct bounding *x, int64_t adapter, struct drg_str id)
{
	const struct bound_hotel key = { .adapter = adapter, .id = id };
	size_t n;
	struct bound_hotel *v = bound_hotels(x, &n);
	return n > 0 ? bsearch(&key, v, n, sizeof *v, bound_by_source) : NULL;
}

static bool bound_wanted(void *ctx, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return kind == DRG_KIND_HOTEL && bound_find(ctx, adapter, id) != NULL;
}

/* Count a hotel that the scorecard in use would map to the same record, apart from its bits. */
static int bound_result(void *ctx, const struct drg_automap_result *r)
{
	struct bounding *x = ctx;
	struct bound_hotel *h = bound_find(x, r->adapter, r->id);
	if (h == NULL || r->n_ranked == 0 || r->ranked[0].dict_id != h->dict_id)
		return DRG_OK;
	h->bits = r->ranked[0].bits;
	h->counts = r->reason == DRG_WHY_SURE;
	return DRG_OK;
}

static void bound_progress(void *ctx, const char *step, uint64_t done, uint64_t total)
{
	const struct bounding *x = ctx;
	if (x->b->progress != NULL)
		x->b->progress(x->b->ctx, step, done, total);
}

static int bound_run(struct bounding *x, struct drg_store *s)
{
	struct drg_automap_totals totals;
	struct drg_automap_options o = { .kinds = 1U << DRG_KIND_HOTEL,
		                         .card = x->b->card,
		                         .dry_run = true,
		                         .wanted = bound_wanted,
		                         .result = bound_result,
		                         .progress = bound_progress,
		                         .ctx = x };
	size_t n;
	struct bound_hotel *v = bound_hotels(x, &n);
	qsort(v, n, sizeof *v, bound_by_source);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || v[i].adapter != v[i - 1].adapter)
			drg_buf_add(&x->adapters, &v[i].adapter, sizeof v[i].adapter);
	if (x->adapters.rc != DRG_OK)
		return drg_fail_memory(x->err);
	o.adapters = (const int64_t *)(const void *)x->adapters.p;
	o.n_adapters = x->adapters.n / sizeof(int64_t);
	return drg_automap_run(s, &o, &totals, x->err);
}

static int bound_few(const struct bounding *x, uint64_t n)
{
	return drg_fail(x->err, DRG_EINVAL, NULL, NULL,
	                "a bound takes %d judged hotels which the scorecard in use would map likewise; there "
	                "are %llu",
	                DRG_AUDIT_LEAST, (unsigned long long)n);
}

/* Find the lowest bound, trying bits upwards. The first candidate is the bound in use; each other one is just
 * above a wrong mapping. */
static int bound_find_lowest(struct bounding *x)
{
	struct drg_bound *b = x->b;
	size_t n;
	struct bound_hotel *v = bound_hotels(x, &n);
	qsort(v, n, sizeof *v, bound_by_bits);
	for (b->counted = 0; b->counted < n && v[b->counted].counts;)
		b->right += v[b->counted++].right;
	if (b->counted < DRG_AUDIT_LEAST)
		return bound_few(x, b->counted);
	b->above = b->counted;
	while (b->above > 0 && (double)b->right < b->wanted * (double)b->above) {
		double wrong = 0;
		for (bool found = false; b->above > 0 && !found; b->above--) {
			found = !v[b->above - 1].right;
			wrong = v[b->above - 1].bits;
			b->right -= v[b->above - 1].right;
		}
		b->automatic = floor(wrong * 100 + 1) / 100;
		while (b->above > 0 && v[b->above - 1].bits < b->automatic)
			b->right -= v[--b->above].right;
	}
	if (b->above > 0)
		return DRG_OK;
	return drg_fail(x->err, DRG_EINVAL, NULL, NULL, "at no bound %g of the judged hotels are right",
	                b->wanted);
}

int drg_audit_bound(struct drg_store *s, const struct drg_precision *which, struct drg_bound *b,
                    struct drg_err *reterr)
{
	struct bounding x = { .b = b, .err = reterr };
	struct judging j = { which, bound_take, &x };
	drg_arena_init(&x.texts, SIZE_MAX);
	drg_buf_init(&x.hotels, SIZE_MAX);
	drg_buf_init(&x.adapters, SIZE_MAX);
	b->counted = b->above = b->right = 0;
	b->automatic = b->card.automatic;
	int rc = drg_last_events(s, judging_take, &j, reterr);
	size_t n = x.hotels.n / sizeof(struct bound_hotel);
	if (rc == DRG_OK && n < DRG_AUDIT_LEAST)
		rc = bound_few(&x, n);
	if (rc == DRG_OK)
		rc = bound_run(&x, s);
	if (rc == DRG_OK)
		rc = bound_find_lowest(&x);
	drg_buf_done(&x.adapters);
	drg_buf_done(&x.hotels);
	drg_arena_done(&x.texts);
	return rc;
}
