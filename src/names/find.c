#include "names/find.h"

#include <assert.h>
#include <stdlib.h>

#include "base/arena.h"
#include "model/key.h"
#include "names/making.h"
#include "text/fold.h"

struct find_hit {
	struct drg_record r;
	struct drg_str name;
};

struct name_search {
	const struct drg_find *f;
	struct drg_buf wanted, folded;
	struct drg_arena arena, one;
	struct find_hit hits[DRG_FIND_MAX];
	unsigned n;
	struct drg_err *err;
};

enum { NO_RANK = 3 };

/* How well a folded name fits: 0: equal; 1: it begins with the text; 2: a word in it does; NO_RANK: not at
 * all. */
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

/* Can the record exist? An entry of a damaged file may name one that cannot. */
static bool find_may_be(const struct drg_find *f, const struct drg_named *named, struct drg_str id)
{
	return f->sources ? drg_kind_is_source(named->kind) && id.n > 0 : named->kind < DRG_KIND_COUNT;
}

/* State while a part of the index is searched. It has the best hits of both parts. */
struct part_search {
	const struct drg_find *f;
	const struct drg_name_part *part;
	bool is_base;
	struct part_hit {
		enum drg_name_fit fit;
		const char *text;
		const struct drg_named *named;
		struct drg_str id; /* of a source */
	} hits[2 * DRG_FIND_MAX];
	size_t n, since; /* since: the first hit of this part */
};

static int part_take(void *ctx, enum drg_name_fit fit, const struct drg_name_entry *e)
{
	struct part_search *x = ctx;
	const struct drg_named *named = &x->part->records[e->record];
	if ((x->f->one_kind && named->kind != (uint32_t)x->f->kind) ||
	    (x->f->country != 0 && named->country != x->f->country) ||
	    (x->f->adapter != 0 && named->adapter != x->f->adapter))
		return DRG_OK;
	if (x->is_base && drg_name_index_changed(x->f->names, named))
		return DRG_OK;
	for (size_t i = x->since; i < x->n; i++)
		if (x->hits[i].named == named)
			return DRG_OK;
	struct drg_str id = x->f->sources ? drg_named_source_id(x->part, named) : drg_str("", 0);
	if (!find_may_be(x->f, named, id))
		return DRG_OK;
	assert(x->n < DRG_ARRAY_LEN(x->hits));
	x->hits[x->n++] = (struct part_hit){ fit, x->part->texts + e->text, named, id };
	return x->n - x->since < x->f->limit ? DRG_OK : DRG_ELIMIT;
}

static int compare_hits(const void *pa, const void *pb)
{
	const struct part_hit *a = pa, *b = pb;
	if (a->fit != b->fit)
		return a->fit < b->fit ? -1 : 1;
	int order = strcmp(a->text, b->text);
	if (order != 0)
		return order;
	if (a->named->kind != b->named->kind)
		return a->named->kind < b->named->kind ? -1 : 1;
	if (a->id.n > 0 && a->named->adapter != b->named->adapter)
		return a->named->adapter < b->named->adapter ? -1 : 1;
	if (a->id.n > 0)
		return drg_str_cmp(a->id, b->id);
	return a->named->id < b->named->id ? -1 : a->named->id > b->named->id;
}

/* State while the name of a found record that fits best is looked for. */
struct found_given {
	struct name_search *x;
	unsigned best;
	struct drg_str name;
};

static int found_name(void *ctx, struct drg_str name)
{
	struct found_given *g = ctx;
	find_name(g->x, name, &g->best, &g->name);
	return DRG_OK;
}

/* Keep a found record, if one of its names fits. */
static int found_give(struct name_search *x, const struct drg_record *r)
{
	struct found_given g = { .x = x, .best = NO_RANK };
	drg_arena_reset(&x->one);
	int rc = drg_each_name(r, &x->one, found_name, &g);
	if (rc != DRG_OK || g.best == NO_RANK)
		return rc;
	assert(x->n < DRG_FIND_MAX);
	struct find_hit *h = &x->hits[x->n++];
	h->name = drg_arena_str(&x->arena, g.name);
	return h->name.p != NULL && drg_record_copy(&x->arena, r, &h->r) == DRG_OK ? DRG_OK
	                                                                           : drg_fail_memory(x->err);
}

static int search_part(struct part_search *d, const struct drg_name_part *part, bool is_base,
                       struct drg_str wanted)
{
	d->part = part;
	d->is_base = is_base;
	d->since = d->n;
	int rc = drg_name_part_find(part, wanted, part_take, d);
	return rc == DRG_ELIMIT ? DRG_OK : rc;
}

static void find_key(const struct drg_find *f, const struct part_hit *hit, struct drg_record *ret)
{
	enum drg_kind kind = (enum drg_kind)hit->named->kind;
	if (f->sources)
		drg_key_source(ret, hit->named->adapter, kind, hit->id);
	else
		drg_key_dict(ret, kind, hit->named->id);
}

static int find_named(struct name_search *x, struct drg_store *s, drg_find_fn *fn, void *ctx,
                      struct drg_err *reterr)
{
	struct drg_rows rows;
	struct part_search *d = drg_arena_calloc(&x->arena, 1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	d->f = x->f;
	int rc = search_part(d, drg_name_index_base(x->f->names), true, drg_buf_view(&x->wanted));
	if (rc == DRG_OK)
		rc = search_part(d, drg_name_index_fresh(x->f->names), false, drg_buf_view(&x->wanted));
	qsort(d->hits, d->n, sizeof *d->hits, compare_hits);
	for (size_t i = 0; i < d->n && x->n < x->f->limit && rc == DRG_OK; i++) {
		struct drg_record key;
		find_key(x->f, &d->hits[i], &key);
		drg_rows_get(&rows, s, &key, reterr);
		if (drg_rows_next(&rows))
			rows.rc = found_give(x, &rows.row.r);
		rc = drg_rows_end(&rows);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
	}
	for (unsigned i = 0; i < x->n && rc == DRG_OK; i++)
		rc = fn(ctx, &x->hits[i].r, x->hits[i].name);
	return rc;
}

/* Needs no check of the tables for folding: they were loaded when the index was opened. */
static int find_all(struct name_search *x, struct drg_store *s, drg_find_fn *fn, void *ctx,
                    struct drg_err *reterr)
{
	drg_fold(x->f->text, DRG_FOLD_PLAIN, &x->wanted);
	return x->wanted.n > 0
	               ? find_named(x, s, fn, ctx, reterr)
	               : drg_fail(reterr, DRG_EINVAL, NULL, NULL, "expected a text with letters or digits");
}

int drg_find_each(struct drg_store *s, const struct drg_find *f, drg_find_fn *fn, void *ctx,
                  struct drg_err *reterr)
{
	assert(f->names != NULL && f->limit > 0 && f->limit <= DRG_FIND_MAX);
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
