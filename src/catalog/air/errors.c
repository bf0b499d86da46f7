/* Result groups (A1) for a query that matches nothing literally: typing errors, superfluous words. */
#include <assert.h>

#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"

/* By number of errors: in a query of more words only whole names are compared with so many errors, not single
 * words. */
static const size_t words_max[] = { DRG_AIR_WORDS_MAX, 5, 3 };

/* ---- with errors --------------------------------------------------------------------------------------- */

/* The sets that receive the places of near texts. */
struct near {
	const struct drg_air_terms *terms;
	struct drg_air_set *whole, *begin; /* whole may be NULL */
};

static void add_near(void *ctx, struct drg_air_range texts, bool whole)
{
	struct near *n = ctx;
	struct drg_air_set *to = whole ? n->whole : n->begin;
	assert(texts.lo < texts.hi);
	if (to != NULL)
		drg_air_set_add_texts(to, n->terms, texts);
}

/* Two errors are forgiven in a whole name of at least this many letters, if nothing else is found. */
enum { WHOLE_MIN = 7, WHOLE_EDITS = 2 };

static unsigned edits_in(struct drg_str text, unsigned most)
{
	unsigned edits = drg_air_edits(text.n);
	return edits < most ? edits : most;
}

/* The query in the letters of its own script, without the blank at its end. */
static struct drg_str own_letters(const struct drg_air_typed *t)
{
	return drg_str(t->own.p, t->own.n > 0 ? t->own.n - 1 : 0);
}

void drg_air_add_near_own(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                          struct drg_air_set *whole, struct drg_air_set *begin)
{
	struct near own = { &s->ix->own, whole, begin };
	if (t->own.n > 0)
		drg_air_tree_near(&s->ix->own_tree, &s->ix->own, t->own, edits_in(own_letters(t), edits),
		                  add_near, &own);
}

void drg_air_add_near_names(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                            struct drg_air_set *whole, struct drg_air_set *begin)
{
	struct near names = { &s->ix->names, whole, begin };
	drg_air_tree_near(&s->ix->name_tree, &s->ix->names, t->core, edits_in(t->core, edits), add_near,
	                  &names);
	drg_air_add_near_own(s, t, edits, whole, begin);
}

int drg_air_append_whole(struct drg_air_work *s, const struct drg_air_typed *t)
{
	const struct drg_air_index *ix = s->ix;
	struct near names = { &ix->names, &s->one, NULL }, own = { &ix->own, &s->one, NULL };
	bool latin = t->scripts == DRG_AIR_LATIN;
	drg_air_set_clear(&s->one);
	if (latin && t->core.n >= WHOLE_MIN)
		drg_air_tree_near(&ix->name_tree, &ix->names, t->core, WHOLE_EDITS, add_near, &names);
	else if (own_letters(t).n >= WHOLE_MIN)
		drg_air_tree_near(&ix->own_tree, &ix->own, t->own, WHOLE_EDITS, add_near, &own);
	return drg_air_append(s, &s->one);
}

/* The places that have a word with errors. The set is made in @p room, or in the word itself if it will be
 * needed again. */
static struct drg_air_set *fill_near(struct drg_air_work *s, const struct drg_air_typed *t,
                                     struct drg_air_word *w, unsigned edits, struct drg_air_set *room)
{
	bool keep = edits == 1, there = w->near.bits != NULL;
	if (keep && !there && !drg_air_set_new(&w->near, s->ix->n, s->arena))
		return NULL;
	struct drg_air_set *to = keep ? &w->near : room;
	struct near words = { &s->ix->words, NULL, to };
	if (keep && there)
		return to;
	drg_air_set_clear(to);
	drg_air_tree_near(&s->ix->word_tree, &s->ix->words, w->text, edits_in(w->text, edits), add_near,
	                  &words);
	drg_air_add_code(s, t, w->text, to);
	return to;
}

/* Give first the places whose name is the query with errors, then those whose name begins with it or that
 * have each word, with errors. */
int drg_air_append_errors(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits)
{
	assert(edits > 0 && edits < DRG_ARRAY_LEN(words_max));
	bool found = s->n > 0;
	drg_air_set_clear(&s->work);
	drg_air_set_clear(&s->one);
	if (t->n == 1 || !found)
		drg_air_add_near_names(s, t, edits, &s->one, &s->work);
	int rc = drg_air_append(s, &s->one);
	bool any = rc == DRG_OK && t->n <= words_max[edits] && (t->n > 1 || !found);
	drg_air_set_clear(&s->all);
	for (size_t i = 0; i < t->n && any; i++) {
		const struct drg_air_set *has = fill_near(s, t, &t->word[i], edits, &s->one);
		if (has == NULL)
			return DRG_ENOMEM;
		if (i == 0)
			drg_air_set_or(&s->all, has);
		any = i == 0 || drg_air_set_and(&s->all, has);
	}
	if (any)
		drg_air_set_or(&s->work, &s->all);
	return rc == DRG_OK ? drg_air_append(s, &s->work) : rc;
}

/* ---- without a word ------------------------------------------------------------------------------------ */

/* Make the set of places of each word. */
static int fill_each(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                     struct drg_air_set *set)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < t->n && rc == DRG_OK; i++) {
		if (edits > 0)
			rc = fill_near(s, t, &t->word[i], edits, NULL) != NULL ? DRG_OK : DRG_ENOMEM;
		else
			rc = drg_air_fill_word(s, t, &t->word[i]);
		struct drg_air_set *has = edits > 0 ? &t->word[i].near : &t->word[i].has.any;
		if (rc == DRG_OK)
			drg_air_set_start(has);
		set[i] = *has;
	}
	return rc;
}

static size_t groups_count(const struct drg_air_set *s)
{
	size_t n = 0;
	for (size_t i = 0; i < s->words; i++)
		n += (size_t)__builtin_popcountll(s->bits[i]);
	return n;
}

/* The numbers of the words, sorted by their number of places, most first. */
static void by_places(const struct drg_air_set *set, size_t n, size_t *ret)
{
	size_t places[DRG_AIR_WORDS_MAX];
	assert(n <= DRG_ARRAY_LEN(places));
	for (size_t i = 0; i < n; i++) {
		size_t at = i, many = groups_count(&set[i]);
		for (; at > 0 && places[at - 1] < many; at--) {
			places[at] = places[at - 1];
			ret[at] = ret[at - 1];
		}
		places[at] = many;
		ret[at] = i;
	}
}

/* For 64 places, count the sets that each is in: bit b of the count of place i is bit i of bit[b]. */
enum { COUNT_BITS = 4 }; /* counts to DRG_AIR_WORDS_MAX */
static void count_words(const struct drg_air_set *set, size_t n, size_t word, uint64_t bit[COUNT_BITS])
{
	memset(bit, 0, COUNT_BITS * sizeof *bit);
	for (size_t k = 0; k < n; k++) {
		uint64_t carry = set[k].bits[word];
		for (int b = 0; b < COUNT_BITS; b++) {
			uint64_t both = bit[b] & carry;
			bit[b] ^= carry;
			carry = both;
		}
	}
}

/* Find the places that are in exactly @p many of the sets. @return false: none. */
static bool fill_many(const struct drg_air_set *set, size_t n, size_t many, struct drg_air_set *to)
{
	uint64_t any = 0, bit[COUNT_BITS];
	for (size_t i = 0; i < to->words; i++) {
		uint64_t are = ~UINT64_C(0);
		count_words(set, n, i, bit);
		for (int b = 0; b < COUNT_BITS; b++)
			are &= (many >> b & 1) != 0 ? bit[b] : ~bit[b];
		any |= to->bits[i] = are;
	}
	to->used = true;
	return any != 0;
}

/* Find the names that are @p n consecutive words of the query. */
static void find_runs(struct drg_air_work *s, const struct drg_air_typed *t, size_t n)
{
	struct drg_air_range equal;
	drg_air_set_clear(&s->one);
	for (size_t i = 0; i + n <= t->n; i++) {
		struct drg_str from = t->word[i].text, to = t->word[i + n - 1].text;
		if (to.p < from.p)
			continue; /* the query has the word twice */
		struct drg_str run = drg_str(from.p, (size_t)(to.p + to.n - from.p));
		drg_air_tree_find(&s->ix->name_tree, &s->ix->names, run, &equal);
		drg_air_set_add_texts(&s->one, &s->ix->names, equal);
	}
}

/* Give the places that have @p many of the words: first those whose name is exactly these words, then those
 * that have the rarest word. */
static int append_many(struct drg_air_work *s, const struct drg_air_typed *t, const struct drg_air_set *set,
                       const size_t *order, size_t many)
{
	int rc = DRG_OK;
	if (!fill_many(set, t->n, many, &s->all))
		return DRG_OK;
	find_runs(s, t, many);
	if (drg_air_set_and(&s->one, &s->all))
		rc = drg_air_append(s, &s->one);
	for (size_t i = t->n; i-- > 0 && rc == DRG_OK;) {
		drg_air_set_clear(&s->one);
		drg_air_set_or(&s->one, &set[order[i]]);
		if (drg_air_set_and(&s->one, &s->all))
			rc = drg_air_append(s, &s->one);
	}
	return rc;
}

int drg_air_append_most(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits)
{
	struct drg_air_set set[DRG_AIR_WORDS_MAX];
	size_t order[DRG_AIR_WORDS_MAX];
	assert(edits < 2); /* fill_each() keeps one set of near places only */
	if (t->n < 2 || t->n > words_max[edits])
		return DRG_OK;
	int rc = fill_each(s, t, edits, set);
	if (rc == DRG_OK)
		by_places(set, t->n, order);
	for (size_t many = t->n; many > 0 && s->n == 0 && rc == DRG_OK; many--)
		rc = append_many(s, t, set, order, many);
	return rc;
}
