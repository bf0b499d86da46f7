#include "catalog/air/terms_priv.h"

#include <assert.h>
#include <stdlib.h>

/* ---- building ------------------------------------------------------------------------------------------- */

static uint64_t terms_key_of(struct drg_str s)
{
	uint64_t key = 0;
	memcpy(&key, s.p, s.n < sizeof key ? s.n : sizeof key);
	/* so that numbers compare like the bytes; the machine is little-endian */
	return __builtin_bswap64(key);
}

void drg_air_pairs_add(struct drg_air_pairs *p, struct drg_str text, uint32_t place, unsigned scripts)
{
	if (p->n == p->cap && !p->full) {
		size_t cap = p->cap > 0 ? p->cap * 2 : 1024;
		struct drg_air_pair *v = realloc(p->v, cap * sizeof *v);
		p->full = v == NULL;
		p->v = v != NULL ? v : p->v;
		p->cap = v != NULL ? cap : p->cap;
	}
	if (!p->full)
		p->v[p->n++] =
		        (struct drg_air_pair){ terms_key_of(text), text.p, (uint32_t)text.n, place, scripts };
}

void drg_air_pairs_done(struct drg_air_pairs *p)
{
	free(p->v);
	*p = (struct drg_air_pairs){ 0 };
}

static int compare_texts(const struct drg_air_pair *x, const struct drg_air_pair *y)
{
	if (x->key != y->key)
		return x->key < y->key ? -1 : 1;
	return drg_str_cmp(drg_str(x->p, x->n), drg_str(y->p, y->n));
}

static int terms_compare(const void *a, const void *b)
{
	const struct drg_air_pair *x = a, *y = b;
	int d = compare_texts(x, y);
	return d != 0 ? d : x->place < y->place ? -1 : x->place > y->place;
}

/* Keep each pair of text and place once, with all its scripts. */
static size_t drop_repeats(struct drg_air_pair *v, size_t n)
{
	size_t left = 0;
	for (size_t i = 0; i < n; i++) {
		if (i > 0 && terms_compare(&v[i], &v[left - 1]) == 0)
			v[left - 1].scripts |= v[i].scripts;
		else
			v[left++] = v[i];
	}
	return left;
}

int drg_air_terms_build(struct drg_air_pairs *pairs, struct drg_arena *arena, struct drg_air_terms *ret,
                        struct drg_err *reterr)
{
	if (pairs->n > 0)
		qsort(pairs->v, pairs->n, sizeof *pairs->v, terms_compare);
	pairs->n = drop_repeats(pairs->v, pairs->n);
	size_t bytes = 0, texts = 0;
	for (size_t i = 0; i < pairs->n; i++) {
		if (i > 0 && compare_texts(&pairs->v[i], &pairs->v[i - 1]) == 0)
			continue;
		bytes += pairs->v[i].n;
		texts++;
	}
	char *text = drg_arena_alloc(arena, bytes + 1);
	uint32_t *at = drg_arena_alloc(arena, (texts + 1) * sizeof *at);
	uint32_t *first = drg_arena_alloc(arena, (texts + 1) * sizeof *first);
	uint32_t *place = drg_arena_alloc(arena, (pairs->n + 1) * sizeof *place);
	if (pairs->full || bytes > UINT32_MAX || text == NULL || at == NULL || first == NULL || place == NULL)
		return drg_fail_memory(reterr);
	uint32_t n = 0, end = 0;
	for (size_t i = 0; i < pairs->n; i++) {
		const struct drg_air_pair *p = &pairs->v[i];
		assert(p->place >> DRG_AIR_PLACE_BITS == 0 && p->scripts >> (32 - DRG_AIR_PLACE_BITS) == 0);
		place[i] = p->place | (uint32_t)p->scripts << DRG_AIR_PLACE_BITS;
		if (i > 0 && compare_texts(p, p - 1) == 0)
			continue;
		at[n] = end;
		first[n++] = (uint32_t)i;
		memcpy(text + end, p->p, p->n);
		end += p->n;
	}
	assert(n == texts && end == bytes);
	at[n] = end;
	first[n] = (uint32_t)pairs->n;
	*ret = (struct drg_air_terms){ .n = n, .text = text, .at = at, .first = first, .place = place };
	return DRG_OK;
}

/* ---- finding -------------------------------------------------------------------------------------------- */

/* <0: the text sorts before all texts that begin with @p s; 0: it begins with @p s; >0: after them. */
static int against(struct drg_str text, struct drg_str s)
{
	int d = memcmp(text.p, s.p, text.n < s.n ? text.n : s.n);
	return d != 0 ? d : text.n < s.n ? -1 : 0;
}

/* The first text that begins with @p s, or the first one after these if @p behind. */
static uint32_t terms_bound(const struct drg_air_terms *t, struct drg_str s, uint32_t lo, bool behind)
{
	uint32_t hi = t->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (against(drg_air_term(t, mid), s) < (behind ? 1 : 0))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

struct drg_air_range drg_air_terms_find(const struct drg_air_terms *t, struct drg_str beginning,
                                        struct drg_air_range *ret_equal)
{
	struct drg_air_range r;
	r.lo = terms_bound(t, beginning, 0, false);
	r.hi = terms_bound(t, beginning, r.lo, true);
	bool equal = r.lo < r.hi && drg_air_term(t, r.lo).n == beginning.n;
	*ret_equal = (struct drg_air_range){ r.lo, r.lo + equal };
	return r;
}
