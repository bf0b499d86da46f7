#include "reconcile/find.h"

#include <math.h>
#include <stdlib.h>

#include "base/bound.h"
#include "base/hash.h"
#include "reconcile/score_priv.h"

enum {
	CANDIDATES = 2000, /* are looked at */
	SLOTS = 4096, /* of a table of them: a power of two */
	POSTINGS = 6000, /* are walked through for one query */
	/* a longer one is walked through for what fits what is said of the place, or where nothing else is */
	LONG_LIST = 1000,
	EXACT_NAMES = 4000, /* of the same letters are looked at */
	SCORED = 48, /* are compared word by word */
	EXACT_RANK = 1000, /* of those with the very name: before all others */
	LIKE_WORDS = 6, /* in place of one that nobody knows */
	BEGINNINGS = 64, /* words that begin as somebody types */
	LISTS = DRG_RECON_QUERY_WORDS * BEGINNINGS / 4,
};

struct find_candidate {
	uint32_t record;
	float rank;
};

struct drg_recon_scratch {
	uint16_t slots[SLOTS]; /* candidate and one more; 0: free */
	struct find_candidate v[CANDIDATES];
	struct find_list {
		uint32_t word;
		float weight;
		bool passed_over; /* True if the word is only looked up in the candidates of other words */
	} lists[LISTS];
	struct drg_recon_found scored[SCORED];
	unsigned n, n_lists, walked;
	bool missed; /* of those with the very name some were not compared */
};

struct drg_recon_scratch *drg_recon_scratch_new(void)
{
	return malloc(sizeof(struct drg_recon_scratch));
}

/* ---- candidates ---------------------------------------------------------------------------------------- */

static struct find_candidate *find_candidate(struct drg_recon_scratch *k, uint32_t record)
{
	size_t at = drg_hash(&record, sizeof record, 0) & (SLOTS - 1);
	while (k->slots[at] != 0 && k->v[k->slots[at] - 1].record != record)
		at = (at + 1) & (SLOTS - 1);
	if (k->slots[at] == 0) {
		if (k->n == CANDIDATES)
			return NULL;
		k->v[k->n] = (struct find_candidate){ .record = record };
		k->slots[at] = (uint16_t)++k->n;
	}
	return &k->v[k->slots[at] - 1];
}

static bool find_wants(const struct drg_recon_query *q, const struct drg_named *r)
{
	return (q->types >> r->kind & 1) != 0;
}

static bool find_knows_place(const struct drg_recon_query *q)
{
	return q->city.n > 0 || !isnan(q->lat);
}

static const struct drg_named *find_record(const struct drg_recon_index *x, size_t i)
{
	return &x->names.records[x->names.names[i].record];
}

static bool find_is(const struct drg_recon_index *x, size_t i, struct drg_str text)
{
	if (i >= x->names.n_names)
		return false;
	const char *name = x->names.texts + x->names.names[i].text;
	return strncmp(name, text.p, text.n) == 0 && (name[text.n] == '\0' || text.n + 1 >= DRG_SPELLED_MAX);
}

/* The names of the same letters, as a range of the sorted ones. @return false: there are more than
 * EXACT_NAMES. */
static bool find_same(const struct drg_recon_index *x, struct drg_str text, size_t *ret_from, size_t *ret_to)
{
	size_t i = drg_name_lower_bound(&x->names, x->names.names, x->names.n_names, text),
	       end = i + EXACT_NAMES;
	*ret_from = i;
	while (i < end && find_is(x, i, text))
		i++;
	*ret_to = i;
	return !find_is(x, i, text);
}

/* Find the records with the very name, the fitting ones first: there may be more than there is room for. If a
 * fitting one was found, one that lies elsewhere does not compete with it. */
static void find_exact(struct drg_recon_scratch *k, const struct drg_recon_asked *a, struct drg_str text)
{
	const struct drg_recon_index *x = a->x;
	size_t from, to;
	bool found = false;
	k->missed |= !find_same(x, text, &from, &to);
	for (int fitting = 1; fitting >= 0; fitting--)
		for (size_t i = from; i < to; i++) {
			const struct drg_named *r = find_record(x, i);
			int fits = find_wants(a->q, r) ? drg_recon_fits(a->q, r) : 0;
			if (!find_wants(a->q, r) || (fits > 0) != (fitting > 0))
				continue;
			struct find_candidate *c = find_candidate(k, x->names.names[i].record);
			k->missed |= c == NULL && (fits >= 0 || !found);
			found |= c != NULL && fits > 0;
			if (c != NULL)
				c->rank = EXACT_RANK + 10 * (float)fits;
		}
}

static void find_by_id(struct drg_recon_scratch *k, const struct drg_recon_asked *a)
{
	const struct drg_recon_index *x = a->x;
	const struct drg_named *r = drg_recon_record_of(x, a->q->id_type, a->q->id);
	if (r != NULL && find_wants(a->q, r))
		find_candidate(k, (uint32_t)(r - x->names.records))->rank = 2 * EXACT_RANK;
}

/* The first of a list that is not before a record. */
static size_t find_posting(const uint32_t *v, size_t n, size_t record)
{
	size_t at;
	DRG_BOUND(at, n, i, v[i] < record);
	return at;
}

/* The records of a type with a word. */
static void find_walk(struct drg_recon_scratch *k, const struct drg_recon_asked *a, struct find_list *l,
                      unsigned type)
{
	const struct drg_recon_index *x = a->x;
	const struct drg_recon_word *w = &x->words[l->word];
	const uint32_t *v = x->postings + w->postings;
	size_t from = find_posting(v, w->n_postings, x->types[type]),
	       to = find_posting(v, w->n_postings, x->types[type + 1]);
	bool is_long = to - from > LONG_LIST;
	if (is_long && k->n >= SCORED && (!find_knows_place(a->q) || to - from > POSTINGS - k->walked)) {
		l->passed_over = true;
		return;
	}
	for (size_t i = from; i < to && k->walked < POSTINGS; i++, k->walked++) {
		int fits = is_long || a->q->city.n > 0 ? drg_recon_fits(a->q, &x->names.records[v[i]]) : 0;
		if (is_long && fits <= 0 && k->n > SCORED)
			continue;
		struct find_candidate *c = find_candidate(k, v[i]);
		if (c != NULL)
			c->rank += l->weight * (fits > 0 ? 1.5F : 1);
	}
}

static bool find_has(const struct drg_recon_index *x, const struct drg_named *r, uint32_t word)
{
	for (unsigned n = 0; n < r->n_spelled; n++) {
		const struct drg_spelled *name = drg_recon_spelled(x, r) + n;
		for (unsigned w = 0; w < name->n_words; w++)
			if (x->name_words[name->words + w] == word)
				return true;
	}
	return false;
}

/* Rank the candidates, as far as there are too many to compare. */
static void find_rank_by_others(struct drg_recon_scratch *k, const struct drg_recon_asked *a)
{
	for (unsigned i = 0; i < k->n_lists && k->n > SCORED; i++)
		for (unsigned c = 0; c < k->n && k->lists[i].passed_over; c++)
			if (find_has(a->x, &a->x->names.records[k->v[c].record], k->lists[i].word))
				k->v[c].rank += k->lists[i].weight;
}

static void find_list(struct drg_recon_scratch *k, uint32_t word, float weight)
{
	if (k->n_lists < LISTS)
		k->lists[k->n_lists++] = (struct find_list){ word, weight, false };
}

/* The words of names that a word of the query may stand for. */
static void find_lists_of(struct drg_recon_scratch *k, const struct drg_recon_asked *a, unsigned i)
{
	const struct drg_recon_index *x = a->x;
	uint32_t like[LIKE_WORDS];
	if (a->numbers[i] != DRG_RECON_NO_WORD)
		find_list(k, a->numbers[i], a->weights[i]);
	if (a->q->beginning && i + 1 == a->n) {
		size_t from, to;
		drg_recon_words_from(x, a->words[i], &from, &to);
		for (size_t w = from; w < to && w < from + BEGINNINGS; w++)
			if (w != a->numbers[i])
				find_list(k, (uint32_t)w, x->words[w].weight);
		if (from < to)
			return;
	}
	if (a->numbers[i] != DRG_RECON_NO_WORD)
		return;
	unsigned n = drg_recon_words_like(x, a->words[i], like, LIKE_WORDS);
	for (unsigned w = 0; w < n; w++)
		find_list(k, like[w], 0.8F * x->words[like[w]].weight);
}

/* The rarest first. */
static int compare_lists(const void *pa, const void *pb)
{
	const struct find_list *a = pa, *b = pb;
	if (a->weight != b->weight)
		return a->weight > b->weight ? -1 : 1;
	return a->word < b->word ? -1 : a->word > b->word;
}

static void find_by_words(struct drg_recon_scratch *k, const struct drg_recon_asked *a)
{
	for (unsigned i = 0; i < a->n; i++)
		find_lists_of(k, a, i);
	qsort(k->lists, k->n_lists, sizeof *k->lists, compare_lists);
	for (unsigned i = 0; i < k->n_lists && k->walked < POSTINGS; i++)
		for (unsigned type = 0; type < DRG_RECON_TYPES; type++)
			if (a->q->types >> type & 1)
				find_walk(k, a, &k->lists[i], type);
	find_rank_by_others(k, a);
}

/* ---- the best ------------------------------------------------------------------------------------------ */

static int compare_candidates(const void *pa, const void *pb)
{
	const struct find_candidate *a = pa, *b = pb;
	if (a->rank != b->rank)
		return a->rank > b->rank ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

static int compare_found(const void *pa, const void *pb)
{
	const struct drg_recon_found *a = pa, *b = pb;
	if (a->score != b->score)
		return a->score > b->score ? -1 : 1;
	return a->record < b->record ? -1 : a->record > b->record;
}

static unsigned find_worst(const struct drg_recon_scratch *k)
{
	unsigned worst = 0;
	for (unsigned i = 1; i < SCORED; i++)
		if (compare_candidates(&k->v[i], &k->v[worst]) > 0)
			worst = i;
	return worst;
}

/* The best SCORED to the front, in no order. */
static void find_select(struct drg_recon_scratch *k)
{
	if (k->n <= SCORED)
		return;
	float best = 0;
	unsigned worst = find_worst(k), alike = 0;
	for (unsigned i = 0; i < k->n; i++)
		best = k->v[i].rank > best ? k->v[i].rank : best;
	for (unsigned i = 0; i < k->n; i++)
		alike += k->v[i].rank == best;
	k->missed |= best >= EXACT_RANK && alike > SCORED;
	for (unsigned i = SCORED; i < k->n; i++) {
		if (compare_candidates(&k->v[i], &k->v[worst]) >= 0)
			continue;
		k->v[worst] = k->v[i];
		worst = find_worst(k);
	}
}

unsigned drg_recon_find(const struct drg_recon_index *x, const struct drg_recon_query *q,
                        struct drg_recon_scratch *k, struct drg_recon_found *ret, bool *ret_sure)
{
	struct drg_recon_asked a;
	unsigned n = 0;
	memset(k->slots, 0, sizeof k->slots);
	k->n = k->n_lists = k->walked = 0;
	k->missed = false;
	drg_recon_ask(&a, x, q);
	if (q->by_id)
		find_by_id(k, &a);
	if (a.n > 0)
		find_exact(k, &a, q->text);
	if (q->code.n > 0)
		find_exact(k, &a, q->code);
	find_by_words(k, &a);
	find_select(k);
	for (; n < k->n && n < SCORED; n++)
		drg_recon_score(&a, &x->names.records[k->v[n].record], &k->scored[n]);
	qsort(k->scored, n, sizeof *k->scored, compare_found);
	*ret_sure = !k->missed && drg_recon_is_sure(q, k->scored, n);
	n = n < q->limit ? n : q->limit;
	memcpy(ret, k->scored, n * sizeof *ret);
	return n;
}

static bool named_in(const struct drg_recon_ids *countries, int64_t country)
{
	for (unsigned i = 0; i < countries->n; i++)
		if (countries->v[i] == country)
			return true;
	return false;
}

void drg_recon_named(const struct drg_recon_index *x, unsigned type, struct drg_str folded,
                     const struct drg_recon_ids *countries, struct drg_recon_ids *ret)
{
	size_t from, to;
	if (folded.n == 0)
		return;
	find_same(x, folded, &from, &to);
	for (int inside = 1; inside >= 0; inside--)
		for (size_t i = from; i < to && ret->n < DRG_RECON_IDS; i++) {
			const struct drg_named *r = find_record(x, i);
			if (r->kind == type && named_in(countries, r->country) == (inside > 0))
				ret->v[ret->n++] = r->id;
		}
}
