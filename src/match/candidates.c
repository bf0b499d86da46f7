#include "match/candidates.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/pages.h"
#include "match/compare.h"

enum {
	RAREST_TERMS = 5, /* rarest tokens whose pairs are looked up */
	TOKENS = 48, /* tokens of a record that are used */
	TOKEN_LIST_MAX = 200, /* longer lists narrow too little */
	CITY_LIST_MAX = 3000,
	CELL_LIST_MAX = 3000,
	/* records whose gists are being fetched; as many again whose places are being fetched */
	FETCHED = 32,
	FEW = 1000, /* records */
	WALKED = 64 /* lists of a search that were walked already */
};
#define CELLS_PER_DEGREE 100.0
#define NEAR_DEGREES 0.003

/* ---- keys ----------------------------------------------------------------------------------------------- */

enum key_sort { KEY_CELL = 1, KEY_TOKEN, KEY_PAIR, KEY_CITY };

static uint64_t key_of(enum key_sort sort, uint64_t a, uint64_t b)
{
	uint64_t h = (a + (uint64_t)sort * UINT64_C(0x9e3779b97f4a7c15)) * UINT64_C(0xff51afd7ed558ccd);
	h = (h ^ h >> 32 ^ b) * UINT64_C(0xc4ceb9fe1a85ec53);
	return h ^ h >> 29;
}

static int64_t cell_of(double degrees)
{
	return (int64_t)floor(degrees * CELLS_PER_DEGREE);
}

static uint64_t candidates_cell_key(int64_t y, int64_t x)
{
	return key_of(KEY_CELL, (uint64_t)y, (uint64_t)x);
}

static uint64_t pair_key(uint32_t a, uint32_t b)
{
	return key_of(KEY_PAIR, a < b ? a : b, a < b ? b : a);
}

/* A token and the number of records of the reference that have it. */
struct counted_token {
	uint32_t t, df;
};

static int rarest_first(const void *pa, const void *pb)
{
	const struct counted_token *a = pa, *b = pb;
	if (a->df != b->df)
		return a->df < b->df ? -1 : 1;
	return a->t < b->t ? -1 : a->t > b->t;
}

/* Get the tokens of a form that the reference has, each once, the rarest first. @return how many */
static unsigned tokens_of_form(const struct drg_places *l, const struct drg_places *ref,
                               const struct drg_form *f, struct counted_token *ret)
{
	const uint32_t *t = drg_place_tokens(l, f->tokens);
	unsigned n = 0;
	for (unsigned i = 0; i < f->n && n < TOKENS; i++) {
		unsigned k = 0;
		while (k < n && ret[k].t != t[i])
			k++;
		uint32_t df = drg_places_df(&ref->df, t[i]);
		if (k == n && df > 0)
			ret[n++] = (struct counted_token){ t[i], df };
	}
	if (n > 1)
		qsort(ret, n, sizeof *ret, rarest_first);
	return n;
}

/* ---- the index ------------------------------------------------------------------------------------------ */

/* A pass over the keys of all records: first counting, then putting. */
struct indexing {
	struct drg_postings *p;
	uint32_t record;
	bool putting;
};

static void index_key(const struct indexing *x, uint64_t key)
{
	if (x->putting)
		drg_postings_put(x->p, key, x->record);
	else
		drg_postings_count(x->p, key);
}

static bool is_rare_in_city(const struct drg_places *ref, uint32_t df)
{
	return (uint64_t)df * 40 < drg_places_size(ref) || df <= TOKEN_LIST_MAX;
}

static void index_form(const struct indexing *x, const struct drg_places *ref,
                       const struct drg_place_record *r, const struct drg_form *f)
{
	struct counted_token t[TOKENS];
	unsigned n = tokens_of_form(ref, ref, f, t);
	for (unsigned i = 0; i < n; i++) {
		if (t[i].df <= TOKEN_LIST_MAX)
			index_key(x, key_of(KEY_TOKEN, t[i].t, 0));
		if (r->city != DRG_PLACE_UNKNOWN && is_rare_in_city(ref, t[i].df))
			index_key(x, key_of(KEY_CITY, (uint64_t)r->city, t[i].t));
		for (unsigned k = i + 1; k < n && k < RAREST_TERMS; k++)
			index_key(x, pair_key(t[i].t, t[k].t));
	}
}

/* @return DRG_EBUSY: @p leave became true. */
static int index_pass(struct indexing *x, const struct drg_places *ref, const atomic_bool *leave)
{
	for (uint32_t i = 0; i < drg_places_size(ref); i++) {
		if (leave != NULL && atomic_load_explicit(leave, memory_order_relaxed))
			return DRG_EBUSY;
		const struct drg_place_record *r = drg_place(ref, i);
		x->record = i;
		if (drg_place_located(r))
			index_key(x, candidates_cell_key(cell_of(r->lat), cell_of(r->lng)));
		for (unsigned f = 0; f < r->n_forms; f++)
			index_form(x, ref, r, drg_place_form(ref, r, f));
	}
	return DRG_OK;
}

int drg_candidate_index_make(const struct drg_places *ref, const atomic_bool *leave,
                             struct drg_candidate_index *ret)
{
	struct indexing x = { .p = &ret->postings };
	*ret = (struct drg_candidate_index){ .ref = ref, .n = drg_places_size(ref) };
	int rc = drg_postings_init(x.p, (size_t)drg_places_size(ref) * 12);
	if (rc == DRG_OK)
		rc = drg_gists_make(ref, &ret->gists);
	if (rc == DRG_OK)
		rc = index_pass(&x, ref, leave);
	if (rc == DRG_OK)
		rc = drg_postings_allocate(x.p);
	x.putting = true;
	if (rc == DRG_OK)
		rc = index_pass(&x, ref, leave);
	if (rc != DRG_OK)
		drg_candidate_index_done(ret);
	return rc;
}

void drg_candidate_index_done(struct drg_candidate_index *x)
{
	drg_postings_done(&x->postings);
	drg_gists_done(&x->gists);
}

/* ---- a search ------------------------------------------------------------------------------------------- */

static size_t seen_bytes(const struct drg_candidates *c)
{
	return ((size_t)drg_places_size(c->index->ref) + 1) * sizeof *c->seen;
}

static size_t marked_bytes(const struct drg_candidates *c)
{
	return ((size_t)c->n_marked + 1) * sizeof *c->marked;
}

int drg_candidates_init(struct drg_candidates *c, const struct drg_candidate_index *index,
                        const struct drg_places *src, const double *rarity)
{
	assert(index->ref != NULL && index->ref->vocab == src->vocab);
	c->index = index;
	c->src = src;
	c->rarity = rarity;
	c->n = 0;
	c->search = 0;
	c->n_marked = drg_vocab_size(src->vocab);
	bool many = drg_places_size(src) > FEW; /* a few searches touch little of this memory */
	c->seen = drg_pages_new(seen_bytes(c), many);
	c->marked = drg_pages_new(marked_bytes(c), many);
	if (c->seen != NULL && c->marked != NULL)
		return DRG_OK;
	drg_candidates_done(c);
	return DRG_ENOMEM;
}

void drg_candidates_done(struct drg_candidates *c)
{
	if (c->index == NULL)
		return;
	drg_pages_free(c->seen, seen_bytes(c));
	drg_pages_free(c->marked, marked_bytes(c));
	c->seen = c->marked = NULL;
}

/* The state of a search. */
struct searching {
	struct drg_candidates *c;
	const struct drg_place_record *r;
	double near_wants; /* a record that is only near must share a token of this rarity */
	struct {
		uint32_t i;
		bool near; /* found by its coordinates, not by a token */
	} waiting[2 * FETCHED]; /* a ring */
	size_t n_came, n_fetched, n_met;
	uint64_t walked[WALKED];
	unsigned n_walked;
};

static void mark(struct drg_candidates *c, uint32_t t)
{
	assert(t < c->n_marked);
	c->marked[t] = c->search;
	c->hint[t / 64 % 64] |= UINT64_C(1) << t % 64;
}

/* Is the token one of the record's? A search asks this for some ten thousand tokens of other records:
 * `marked` is too large for a cache, `hint` is not. */
static bool is_marked(const struct drg_candidates *c, uint32_t t)
{
	return (c->hint[t / 64 % 64] >> t % 64 & 1) != 0 && c->marked[t] == c->search;
}

/* The rarity of the tokens that a form of the reference shares with the record. @param ret_rarest  The rarity
 * of the rarest one. */
static double shared_rarity(const struct drg_candidates *c, const struct drg_gist *other, double *ret_rarest)
{
	const uint32_t *t = other->forms;
	double best = 0;
	*ret_rarest = 0;
	for (unsigned f = 0; f < other->n_forms; f++) {
		double sum = 0;
		for (unsigned n = *t++; n > 0; n--, t++) {
			if (!is_marked(c, *t))
				continue;
			sum += c->rarity[*t];
			if (c->rarity[*t] > *ret_rarest)
				*ret_rarest = c->rarity[*t];
		}
		best = sum > best ? sum : best;
	}
	return best;
}

static double nearness(const struct drg_place_record *r, const struct drg_gist *other)
{
	if (!drg_place_located(r) || isnan(other->lat) || isnan(other->lng))
		return r->city == other->city && r->city != DRG_PLACE_UNKNOWN ? 0.3 : 0;
	return 1 / (1 + drg_metres_to(r, other->lat, other->lng) / 300);
}

/* Restore the heap; the worst candidate is at its top. */
static void heap_sink(struct drg_candidate *heap, unsigned n)
{
	for (unsigned i = 0;;) {
		unsigned least = i, left = 2 * i + 1;
		for (unsigned k = left; k <= left + 1 && k < n; k++)
			if (heap[k].rank < heap[least].rank)
				least = k;
		if (least == i)
			return;
		struct drg_candidate other = heap[i];
		heap[i] = heap[least];
		heap[least] = other;
		i = least;
	}
}

static void heap_rise(struct drg_candidate *heap, unsigned i)
{
	while (i > 0 && heap[i].rank < heap[(i - 1) / 2].rank) {
		struct drg_candidate other = heap[i];
		heap[i] = heap[(i - 1) / 2];
		heap[(i - 1) / 2] = other;
		i = (i - 1) / 2;
	}
}

static void candidates_keep(struct drg_candidates *c, uint32_t i, double rank)
{
	const struct drg_candidate new = { i, (float)rank };
	if (c->n < DRG_CANDIDATES_MAX) {
		c->best[c->n] = new;
		heap_rise(c->best, c->n++);
	} else if (new.rank > c->best[0].rank) {
		c->best[0] = new;
		heap_sink(c->best, c->n);
	}
}

static void candidate_meet(const struct searching *x, uint32_t i, bool by_place)
{
	struct drg_candidates *c = x->c;
	if (c->seen[i] == c->search)
		return;
	const struct drg_gist *other = drg_gist(&c->index->gists, i);
	double rarest, shared = shared_rarity(c, other, &rarest);
	bool near = by_place && fabs(x->r->lat - other->lat) < NEAR_DEGREES &&
	            fabs(x->r->lng - other->lng) < NEAR_DEGREES;
	if (!near && (rarest <= 0 || (by_place && rarest < x->near_wants)))
		return;
	c->seen[i] = c->search;
	candidates_keep(c, i, shared + nearness(x->r, other));
}

/* Fetch a gist. Records are spread over memory: among three million, half of the time was spent waiting for
 * them one by one. So each waits in a ring while earlier ones are processed: first the place of its gist is
 * fetched, then the gist. */
static void fetch_gist(struct searching *x)
{
	uint32_t i = x->waiting[x->n_fetched++ % (2 * FETCHED)].i;
	if (x->c->seen[i] == x->c->search)
		return;
	const char *gist = (const char *)drg_gist(&x->c->index->gists, i);
	__builtin_prefetch(gist);
	__builtin_prefetch(gist + 64);
	__asm__ volatile(""); /* see hotels.c */
}

static void meet_next(struct searching *x)
{
	size_t at = x->n_met++ % (2 * FETCHED);
	candidate_meet(x, x->waiting[at].i, x->waiting[at].near);
}

static void meet_later(struct searching *x, uint32_t i, bool near)
{
	if (x->n_came - x->n_met == 2 * FETCHED)
		meet_next(x);
	size_t at = x->n_came++ % (2 * FETCHED);
	x->waiting[at].i = i;
	x->waiting[at].near = near;
	__builtin_prefetch(&x->c->seen[i]);
	__builtin_prefetch(&x->c->index->gists.start[i]);
	if (x->n_came - x->n_fetched > FETCHED)
		fetch_gist(x);
}

static void meet_rest(struct searching *x)
{
	while (x->n_fetched < x->n_came)
		fetch_gist(x);
	while (x->n_met < x->n_came)
		meet_next(x);
}

static bool was_walked(struct searching *x, uint64_t key)
{
	for (unsigned i = 0; i < x->n_walked; i++)
		if (x->walked[i] == key)
			return true;
	if (x->n_walked < WALKED)
		x->walked[x->n_walked++] = key;
	return false;
}

static void meet_list(struct searching *x, uint64_t key, uint32_t longest, bool by_place)
{
	uint32_t n = 0;
	const uint32_t *list = was_walked(x, key) ? NULL : drg_postings_find(&x->c->index->postings, key, &n);
	for (uint32_t i = 0; i < n && n <= longest; i++)
		meet_later(x, list[i], by_place);
}

/* The rarity of a token that one of @p share records has. */
static double rarity_of_share(const struct searching *x, double share)
{
	double n = (double)drg_places_size(x->c->index->ref) + (double)drg_places_size(x->c->src);
	double rarity = log(share) / log(n + 1);
	return rarity < 1 ? rarity : 0;
}

static void meet_near(struct searching *x)
{
	int64_t y = cell_of(x->r->lat), e = cell_of(x->r->lng);
	for (int64_t dy = -1; dy <= 1; dy++)
		for (int64_t de = -1; de <= 1; de++)
			meet_list(x, candidates_cell_key(y + dy, e + de), CELL_LIST_MAX, true);
}

static void meet_by_tokens(struct searching *x, const struct drg_form *f)
{
	struct counted_token t[TOKENS];
	const struct drg_places *ref = x->c->index->ref;
	unsigned n = tokens_of_form(x->c->src, ref, f, t);
	for (unsigned i = 0; i < n && i < 3; i++)
		if (t[i].df <= TOKEN_LIST_MAX)
			meet_list(x, key_of(KEY_TOKEN, t[i].t, 0), TOKEN_LIST_MAX, false);
	for (unsigned i = 0; i < n && i < RAREST_TERMS; i++)
		for (unsigned k = i + 1; k < n && k < RAREST_TERMS; k++)
			meet_list(x, pair_key(t[i].t, t[k].t), TOKEN_LIST_MAX, false);
	for (unsigned i = 0; i < n && x->r->city != DRG_PLACE_UNKNOWN; i++)
		if (is_rare_in_city(ref, t[i].df))
			meet_list(x, key_of(KEY_CITY, (uint64_t)x->r->city, t[i].t), CITY_LIST_MAX, false);
}

static void mark_tokens(const struct searching *x)
{
	for (unsigned f = 0; f < x->r->n_forms; f++) {
		const struct drg_form *form = drg_place_form(x->c->src, x->r, f);
		const uint32_t *t = drg_place_tokens(x->c->src, form->tokens);
		for (unsigned i = 0; i < form->n; i++)
			mark(x->c, t[i]);
	}
}

/* Look at a record that was added to the reference since the index was made. */
static void meet_added(const struct searching *x, uint32_t i)
{
	struct drg_candidates *c = x->c;
	const struct drg_place_record *r = x->r, *other = drg_place(c->index->ref, i);
	double best = 0, rarest = 0;
	for (unsigned f = 0; f < other->n_forms; f++) {
		const struct drg_form *form = drg_place_form(c->index->ref, other, f);
		const uint32_t *t = drg_place_tokens(c->index->ref, form->tokens);
		double sum = 0;
		for (unsigned k = 0; k < form->n; k++) {
			if (!is_marked(c, t[k]))
				continue;
			sum += c->rarity[t[k]];
			rarest = fmax(rarest, c->rarity[t[k]]);
		}
		best = fmax(best, sum);
	}
	bool placed = drg_place_located(r) && drg_place_located(other);
	bool near = placed && fabs(r->lat - other->lat) < NEAR_DEGREES &&
	            fabs(r->lng - other->lng) < NEAR_DEGREES;
	bool same_city = r->city != DRG_PLACE_UNKNOWN && r->city == other->city;
	if (!near && (rarest <= 0 || (!same_city && rarest < x->near_wants)))
		return;
	const struct drg_gist place = { .lat = other->lat, .lng = other->lng, .city = other->city };
	candidates_keep(c, i, best + nearness(r, &place));
}

static int best_first(const void *pa, const void *pb)
{
	const struct drg_candidate *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->i < b->i ? -1 : a->i > b->i;
}

void drg_candidates_find(struct drg_candidates *c, const struct drg_place_record *r)
{
	assert(c->seen != NULL);
	struct searching x = { .c = c, .r = r };
	x.near_wants = rarity_of_share(&x, 50);
	c->search++;
	c->n = 0;
	memset(c->hint, 0, sizeof c->hint);
	mark_tokens(&x);
	if (drg_place_located(r))
		meet_near(&x);
	for (unsigned f = 0; f < r->n_forms; f++)
		meet_by_tokens(&x, drg_place_form(c->src, r, f));
	meet_rest(&x);
	for (uint32_t i = c->index->n; i < drg_places_size(c->index->ref); i++)
		meet_added(&x, i);
	qsort(c->best, c->n, sizeof *c->best, best_first);
}
