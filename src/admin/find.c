#include "admin/find.h"

#include <stdlib.h>

#include "base/arena.h"
#include "text/fold.h"
#include "text/json_scan.h"

struct find_hit {
	unsigned rank; /* 0: is called so, 1: begins so, 2: a word of it does */
	size_t order;
	struct drg_record r;
	struct drg_str name;
};

struct name_search {
	const struct drg_find *f;
	struct drg_buf wanted, folded;
	struct drg_arena arena, one;
	struct find_hit hits[DRG_FIND_MAX];
	unsigned n;
	size_t seen;
	struct drg_err *err;
};

enum { NO_RANK = 3 };

/* How a folded name fits. */
static unsigned find_rank(struct drg_str name, struct drg_str wanted)
{
	for (size_t at = 0; at + wanted.n <= name.n; at++) {
		if ((at == 0 || name.p[at - 1] == ' ') && memcmp(name.p + at, wanted.p, wanted.n) == 0)
			return at > 0 ? 2 : name.n > wanted.n ? 1 : 0;
	}
	return NO_RANK;
}

static void find_name(struct name_search *x, struct drg_str name, unsigned *best, struct drg_str *best_name)
{
	drg_buf_clear(&x->folded);
	drg_fold(name, DRG_FOLD_PLAIN, &x->folded);
	unsigned rank = find_rank(drg_buf_view(&x->folded), drg_buf_view(&x->wanted));
	if (rank < *best) {
		*best = rank;
		*best_name = name;
	}
}

/* Of names by language the one that fits best. */
static void find_in_names(struct name_search *x, struct drg_str names, unsigned *best,
                          struct drg_str *best_name)
{
	struct drg_json_item object, v;
	struct drg_json_walk w;
	struct drg_str lang;
	if (drg_json_scan(names, &x->one, &object, NULL) != DRG_OK)
		return;
	drg_json_walk_init(&w, &object, &x->one);
	while (drg_json_walk_next(&w, &lang, &v) == DRG_OK)
		if (v.type == DRG_JSON_STRING)
			find_name(x, v.s, best, best_name);
}

/* Keep it if it is better than the worst of those that are kept. */
static int find_keep(struct name_search *x, const struct drg_record *r, unsigned rank, struct drg_str name)
{
	unsigned at = x->n;
	if (x->n == x->f->limit) {
		for (at = 0; at < x->n && x->hits[at].rank <= rank; at++)
			;
		if (at == x->n)
			return DRG_OK;
		for (unsigned i = at; i < x->n; i++)
			at = x->hits[i].rank > x->hits[at].rank ? i : at;
	} else {
		x->n++;
	}
	struct find_hit *h = &x->hits[at];
	h->rank = rank;
	h->order = x->seen;
	h->name = drg_arena_str(&x->arena, name);
	return h->name.p != NULL && drg_record_copy(&x->arena, r, &h->r) == DRG_OK ? DRG_OK
	                                                                           : drg_fail_memory(x->err);
}

static int find_look(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct name_search *x = ctx;
	unsigned best = NO_RANK;
	struct drg_str name = { NULL, 0 };
	(void)m;
	x->seen++;
	drg_arena_reset(&x->one);
	if (x->f->country != 0 && drg_record_i(r, DRG_F_COUNTRY_ID, 0) != x->f->country)
		return DRG_OK;
	if (x->f->sources)
		find_name(x, drg_record_s(r, DRG_F_NAME), &best, &name);
	else
		find_in_names(x, drg_record_s(r, DRG_F_NAMES), &best, &name);
	return best < NO_RANK ? find_keep(x, r, best, name) : DRG_OK;
}

static int compare_hits(const void *pa, const void *pb)
{
	const struct find_hit *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->order < b->order ? -1 : a->order > b->order;
}

static int find_all(struct name_search *x, struct drg_store *s, drg_find_fn *fn, void *ctx,
                    struct drg_err *reterr)
{
	const struct drg_filter filter = {
		.type = &drg_types[x->f->sources ? DRG_TYPE_SOURCE : DRG_TYPE_DICT],
		.one_kind = x->f->one_kind,
		.kind = x->f->kind,
		.adapter = x->f->adapter,
		.any_order = true,
	};
	int rc = drg_fold_open(reterr);
	if (rc == DRG_OK)
		drg_fold(x->f->text, DRG_FOLD_PLAIN, &x->wanted);
	if (rc == DRG_OK && x->wanted.n == 0)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "expected a text with letters or digits");
	if (rc == DRG_OK)
		rc = drg_store_scan(s, &filter, find_look, x, NULL, reterr);
	if (rc == DRG_OK)
		qsort(x->hits, x->n, sizeof *x->hits, compare_hits);
	for (unsigned i = 0; i < x->n && rc == DRG_OK; i++)
		rc = fn(ctx, &x->hits[i].r, x->hits[i].name);
	return rc;
}

int drg_find_each(struct drg_store *s, const struct drg_find *f, drg_find_fn *fn, void *ctx,
                  struct drg_err *reterr)
{
	struct name_search *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->f = f;
	x->err = reterr;
	drg_buf_init(&x->wanted, 1 << 16);
	drg_buf_init(&x->folded, 1 << 16);
	drg_arena_init(&x->arena, SIZE_MAX);
	drg_arena_init(&x->one, 1 << 20);
	int rc = find_all(x, s, fn, ctx, reterr);
	drg_buf_done(&x->wanted);
	drg_buf_done(&x->folded);
	drg_arena_done(&x->arena);
	drg_arena_done(&x->one);
	free(x);
	return rc;
}
