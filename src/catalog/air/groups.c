/* The result groups (A1). A group is a set of places; those that no group before it had are appended in the
 * order of their numbers, which are ranks by weight. */
#include <assert.h>
#include <stdlib.h>

#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"

/* ---- sets ---------------------------------------------------------------------------------------------- */

static void groups_add_place(void *set, uint32_t place)
{
	drg_air_set_add(set, place);
}

void drg_air_add_code(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_str code,
                      struct drg_air_set *to)
{
	if (t->codes)
		drg_air_code_each(s->ix, code, groups_add_place, to);
}

static void pair_clear(struct drg_air_pair_set *p)
{
	drg_air_set_clear(&p->own);
	drg_air_set_clear(&p->any);
}

static void clear_names(struct drg_air_work *s)
{
	pair_clear(&s->equal);
	pair_clear(&s->begin);
	drg_air_set_clear(&s->titled);
}

/* Some Cyrillic letters fold to two Latin ones (sh, zh, kh, ts, ya). A query that ends in "s" must not match
 * the first half of "sh". */
static const struct {
	char last;
	const char *next;
} halves[] = { { 's', "h" }, { 'z', "h" }, { 'k', "h" }, { 't', "s" }, { 'y', "aeou" } };

static const char *other_letters(char last)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(halves); i++)
		if (halves[i].last == last)
			return halves[i].next;
	return "";
}

/* Add the places of the texts that begin with @p text. "мес" begins "Мессина"; in "Мешхед" (meshhed) it would
 * match half of a letter, so that place counts as found in any script only. */
static void add_begin(struct drg_air_pair_set *to, const struct drg_air_tree *tree,
                      const struct drg_air_terms *terms, struct drg_str text, struct drg_air_range begin,
                      unsigned scripts)
{
	char longer[DRG_AIR_TYPED_MAX + 1];
	const char *other = "";
	if (scripts == DRG_AIR_CYRILLIC && text.n > 0 && text.n < sizeof longer)
		other = other_letters(text.p[text.n - 1]);
	if (*other != '\0')
		memcpy(longer, text.p, text.n);
	for (; *other != '\0'; other++) {
		struct drg_air_range equal, half;
		longer[text.n] = *other;
		half = drg_air_tree_find(tree, terms, drg_str(longer, text.n + 1), &equal);
		if (half.lo == half.hi)
			continue;
		drg_air_set_add_scripts(&to->own, &to->any, terms,
		                        (struct drg_air_range){ begin.lo, half.lo }, scripts);
		drg_air_set_add_scripts(&to->own, &to->any, terms, half, 0);
		begin.lo = half.hi;
	}
	drg_air_set_add_scripts(&to->own, &to->any, terms, begin, scripts);
}

/* Add the places for which one of those texts is the title in the language asked for, in the script of the
 * query: in an English form "лон" does not begin "London", although it folds so. With `near` the nearest comes
 * first, whatever its language. */
static void add_titled(struct drg_air_work *s, struct drg_air_range r, unsigned scripts)
{
	const struct drg_air_terms *names = &s->ix->names;
	struct drg_air_set *to = &s->titled;
	if (r.lo == r.hi || s->order == NULL || s->q->near)
		return;
	drg_air_set_start(to);
	for (uint32_t i = names->first[r.lo], end = names->first[r.hi]; i < end; i++) {
		uint32_t place = drg_air_place_of(names->place[i]);
		uint64_t is = (s->order->title[i] & scripts) != 0;
		to->bits[place / 64] |= is << place % 64;
	}
	drg_air_set_and(to, &s->begin.own); /* without halves of letters */
}

/* Add the places whose name is the text, and those whose name begins with it. */
static void add_names(struct drg_air_work *s, struct drg_str text, unsigned scripts)
{
	const struct drg_air_terms *names = &s->ix->names;
	struct drg_air_range equal, begin = drg_air_tree_find(&s->ix->name_tree, names, text, &equal);
	drg_air_set_add_scripts(&s->equal.own, &s->equal.any, names, equal, scripts);
	add_begin(&s->begin, &s->ix->name_tree, names, text, begin, scripts);
	add_titled(s, begin, scripts);
}

/* One or two letters match too much: they match beginnings of words only in the script of the query, and no
 * countries. */
enum { BEGINNING_MIN = 3 };

/* Make the set of places of a word: one of their words begins with it, or it is their code. */
int drg_air_fill_word(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_air_word *w)
{
	struct drg_air_pair_set *has = &w->has;
	if (has->any.bits != NULL)
		return DRG_OK;
	if (!drg_air_set_new(&has->own, s->ix->n, s->arena) ||
	    !drg_air_set_new(&has->any, s->ix->n, s->arena))
		return DRG_ENOMEM;
	add_begin(has, &s->ix->word_tree, &s->ix->words, w->text, w->range, t->scripts);
	if (w->text.n < BEGINNING_MIN) {
		drg_air_set_clear(&has->any);
		drg_air_set_or(&has->any, &has->own);
	}
	drg_air_add_code(s, t, w->text, &has->own);
	drg_air_add_code(s, t, w->text, &has->any);
	return DRG_OK;
}

/* The word with the fewest places that was not taken yet. */
static size_t next_word(const struct drg_air_work *s, const struct drg_air_typed *t, unsigned taken)
{
	const uint32_t *first = s->ix->words.first;
	size_t best = t->n;
	uint32_t fewest = UINT32_MAX;
	for (size_t i = 0; i < t->n; i++) {
		uint32_t n = first[t->word[i].range.hi] - first[t->word[i].range.lo];
		if ((taken >> i & 1) == 0 && n < fewest) {
			fewest = n;
			best = i;
		}
	}
	return best;
}

/* Add the places that have every word. */
static int groups_add_words(struct drg_air_work *s, const struct drg_air_typed *t,
                            struct drg_air_pair_set *to)
{
	unsigned taken = 0;
	int rc = DRG_OK;
	bool any = t->n <= DRG_AIR_WORDS_MAX;
	for (size_t i = 0; i < t->n && any && rc == DRG_OK; i++) {
		size_t k = next_word(s, t, taken);
		assert(k < t->n); /* each turn takes one word */
		struct drg_air_word *w = &t->word[k];
		taken |= 1U << k;
		rc = drg_air_fill_word(s, t, w);
		if (rc == DRG_OK && i == 0) {
			drg_air_set_or(&to->own, &w->has.own);
			drg_air_set_or(&to->any, &w->has.any);
		} else if (rc == DRG_OK) {
			drg_air_set_and(&to->own, &w->has.own);
			any = drg_air_set_and(&to->any, &w->has.any);
		}
	}
	return rc;
}

static void add_country(struct drg_air_work *s, uint32_t country, struct drg_air_set *to)
{
	assert(country < s->ix->n_countries && to->words == s->ix->n / 64 + 1);
	const uint64_t *in = s->ix->in_country + country * to->words;
	drg_air_set_start(to);
	for (size_t i = 0; i < to->words; i++)
		to->bits[i] |= in[i];
}

/* Add all places of the countries among some texts. Countries have the first numbers. */
static void add_countries(struct drg_air_work *s, const struct drg_air_terms *terms, struct drg_air_range r,
                          struct drg_air_set *to)
{
	uint64_t seen[4] = { 0 };
	for (uint32_t i = r.lo; i < r.hi; i++) {
		for (uint32_t k = terms->first[i]; k < terms->first[i + 1]; k++) {
			uint32_t country = drg_air_place_of(terms->place[k]);
			if (country >= s->ix->n_countries || country >= 256)
				break; /* the numbers ascend */
			seen[country / 64] |= UINT64_C(1) << country % 64;
		}
	}
	for (uint32_t i = 0; i < 4; i++)
		for (uint64_t bits = seen[i]; bits != 0; bits &= bits - 1)
			add_country(s, i * 64 + (uint32_t)__builtin_ctzll(bits), to);
}

/* ---- as it was typed ----------------------------------------------------------------------------------- */

/* The first place of a set that is wanted and was not found yet. */
static uint32_t first_wanted(struct drg_air_work *s, const struct drg_air_set *set)
{
	const struct drg_air_set *wanted = drg_air_wanted(s);
	size_t at = drg_air_set_next(set, &s->found, 0);
	while (at < s->ix->n && !drg_air_set_has(wanted, (uint32_t)at))
		at = drg_air_set_next(set, &s->found, at + 1);
	return at < s->ix->n ? (uint32_t)at : DRG_AIR_NONE;
}

/* Somebody who types letter by letter has not finished. So the heaviest place whose name begins with the text
 * comes before places that have it as code or name, if it weighs this many tenths of them (decision A9). */
enum { CODE_GIVES_WAY = 13, NAME_GIVES_WAY = 15, TENTHS = 10 };

static uint32_t heavier_beginning(struct drg_air_work *s, const struct drg_air_set *exact, uint64_t much)
{
	uint32_t has = s->q->near ? DRG_AIR_NONE : first_wanted(s, exact);
	uint32_t begins = has != DRG_AIR_NONE ? first_wanted(s, &s->titled) : DRG_AIR_NONE;
	if (has != DRG_AIR_NONE && begins == DRG_AIR_NONE)
		begins = first_wanted(s, &s->begin.own);
	if (begins == DRG_AIR_NONE || begins >= has)
		return DRG_AIR_NONE;
	uint64_t heavy = s->ix->rec[begins]->weight, light = s->ix->rec[has]->weight;
	return heavy > light && heavy * TENTHS >= light * much ? begins : DRG_AIR_NONE;
}

static int append_codes(struct drg_air_work *s, const struct drg_air_typed *t)
{
	drg_air_set_clear(&s->code);
	drg_air_add_code(s, t, t->text, &s->code);
	if (t->named && s->code.used) {
		int given = drg_air_append(s, &s->equal.own);
		if (given != DRG_OK)
			return given;
	}
	uint32_t before = t->capitals ? DRG_AIR_NONE : heavier_beginning(s, &s->code, CODE_GIVES_WAY);
	if (before != DRG_AIR_NONE)
		drg_air_take(s, before);
	drg_air_set_clear(&s->work);
	drg_air_set_or(&s->work, &s->code);
	drg_air_set_and(&s->work, &s->equal.any);
	int rc = drg_air_append(s, &s->work);
	return rc == DRG_OK ? drg_air_append(s, &s->code) : rc;
}

static int append_names(struct drg_air_work *s, struct drg_air_set *equal, struct drg_air_set *begin,
                        struct drg_air_set *words)
{
	int rc = drg_air_append(s, equal);
	if (rc == DRG_OK)
		rc = drg_air_append(s, &s->titled);
	if (rc == DRG_OK)
		rc = drg_air_append(s, begin);
	if (rc == DRG_OK && words != NULL)
		rc = drg_air_append(s, words);
	return rc;
}

/* A beginning in another script only gives way to a heavier place that has the text with one error in the
 * letters that were typed. */
static void append_misspelt(struct drg_air_work *s, const struct drg_air_typed *t)
{
	uint32_t begins = first_wanted(s, &s->begin.any), has = first_wanted(s, &s->words.any);
	begins = begins < has ? begins : has;
	if (begins == DRG_AIR_NONE || first_wanted(s, &s->equal.any) != DRG_AIR_NONE)
		return;
	drg_air_set_clear(&s->one);
	drg_air_add_near_own(s, t, 1, &s->one, NULL);
	uint32_t meant = first_wanted(s, &s->one);
	if (meant < begins &&
	    s->ix->rec[meant]->weight * TENTHS >= s->ix->rec[begins]->weight * (uint64_t)NAME_GIVES_WAY)
		drg_air_take(s, meant);
}

/* Collect the places of the country that the query names. */
static void country_named(struct drg_air_work *s, const struct drg_air_typed *t)
{
	struct drg_air_range equal;
	drg_air_set_clear(&s->work);
	drg_air_tree_find(&s->ix->name_tree, &s->ix->names, t->core, &equal);
	add_countries(s, &s->ix->names, equal, &s->work);
}

/* Do the places of the country in s->work come before those whose name only begins with the query? "turkey" is
 * Istanbul, not Turkey Creek. */
static bool country_outweighs(struct drg_air_work *s)
{
	return s->work.used && !s->q->near && first_wanted(s, &s->work) < first_wanted(s, &s->begin.own);
}

/* The first of these, if it also outweighs the places of that name, and none of them has it: "peru" is not a
 * town elsewhere, but "bali" is not the capital of its country. */
static uint32_t country_leads(struct drg_air_work *s)
{
	for (size_t i = 0; i < s->work.words && s->equal.own.used; i++)
		if ((s->work.bits[i] & s->equal.own.bits[i]) != 0)
			return DRG_AIR_NONE;
	uint32_t first = first_wanted(s, &s->work);
	return first < first_wanted(s, &s->equal.own) ? first : DRG_AIR_NONE;
}

static int append_scripts(struct drg_air_work *s, const struct drg_air_typed *t, bool words)
{
	uint32_t before = DRG_AIR_NONE;
	bool outweighs = false;
	if (words) {
		country_named(s, t);
		outweighs = country_outweighs(s);
		before = outweighs ? country_leads(s) : DRG_AIR_NONE;
	}
	if (before == DRG_AIR_NONE && !t->complete)
		before = heavier_beginning(s, &s->equal.own, NAME_GIVES_WAY);
	if (before != DRG_AIR_NONE)
		drg_air_take(s, before);
	int rc = drg_air_append(s, &s->equal.own);
	if (rc == DRG_OK && outweighs)
		rc = drg_air_append(s, &s->work);
	if (rc == DRG_OK)
		rc = append_names(s, &s->equal.own, &s->begin.own, words ? &s->words.own : NULL);
	if (rc == DRG_OK && words && s->n == 0 && t->own.n > 0)
		append_misspelt(s, t);
	return rc == DRG_OK ? append_names(s, &s->equal.any, &s->begin.any, words ? &s->words.any : NULL)
	                    : rc;
}

/* Give the places where every word begins a word of the place or of its country, and at least one begins a
 * word of the place. */
static int append_with_country(struct drg_air_work *s, const struct drg_air_typed *t)
{
	bool any = t->n > 1 && t->n <= DRG_AIR_WORDS_MAX;
	int rc = DRG_OK;
	drg_air_set_clear(&s->all);
	drg_air_set_clear(&s->work);
	for (size_t i = 0; i < t->n && any && rc == DRG_OK; i++) {
		struct drg_air_set *to = i == 0 ? &s->all : &s->one;
		rc = drg_air_fill_word(s, t, &t->word[i]);
		if (rc != DRG_OK)
			return rc;
		drg_air_set_or(&s->work, &t->word[i].has.any);
		drg_air_set_clear(to);
		drg_air_set_or(to, &t->word[i].has.any);
		add_countries(s, &s->ix->words,
		              t->word[i].text.n >= BEGINNING_MIN ? t->word[i].range : t->word[i].equal, to);
		any = i == 0 || drg_air_set_and(&s->all, &s->one);
	}
	any = any && drg_air_set_and(&s->all, &s->work);
	return any && rc == DRG_OK ? drg_air_append(s, &s->all) : rc;
}

/* Add the airports of the cities in a set: "Oran airport" is one of Oran, whatever it is called. */
static void add_airports(struct drg_air_work *s, struct drg_air_set *set)
{
	const struct drg_air_index *ix = s->ix;
	const uint64_t *cities = ix->of_kind[DRG_PLACE_CITY];
	for (size_t w = 0; set->used && w < set->words; w++)
		for (uint64_t bits = set->bits[w] & cities[w]; bits != 0; bits &= bits - 1) {
			uint32_t city = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
			for (uint32_t i = ix->airport[city]; i != DRG_AIR_NONE; i = ix->airport[i])
				drg_air_set_add(set, i);
		}
}

int drg_air_append_as_typed(struct drg_air_work *s, const struct drg_air_typed *t)
{
	clear_names(s);
	pair_clear(&s->words);
	add_names(s, t->text, t->scripts);
	int rc = append_codes(s, t);
	if (rc == DRG_OK && t->core.p != t->text.p) {
		rc = append_scripts(s, t, false);
		add_names(s, t->core, t->scripts);
	}
	if (rc == DRG_OK)
		rc = groups_add_words(s, t, &s->words);
	if (rc == DRG_OK && t->airport) {
		s->airports_only = true;
		add_airports(s, &s->equal.own);
		add_airports(s, &s->equal.any);
		rc = append_scripts(s, t, true);
		s->airports_only = false;
	}
	if (rc == DRG_OK)
		rc = append_scripts(s, t, true);
	if (rc == DRG_OK)
		rc = append_with_country(s, t);
	if (rc != DRG_OK)
		return rc;
	country_named(s, t);
	return drg_air_append(s, &s->work);
}

/* ---- on another layout --------------------------------------------------------------------------------- */

int drg_air_append_layouts(struct drg_air_work *s, const struct drg_air_typed *guess, size_t n)
{
	clear_names(s);
	int rc = DRG_OK;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		add_names(s, guess[i].text, guess[i].scripts);
		drg_air_add_code(s, &guess[i], guess[i].text, &s->equal.any);
		pair_clear(&s->words);
		rc = groups_add_words(s, &guess[i], &s->words);
		drg_air_set_or(&s->begin.any, &s->words.any);
	}
	return rc == DRG_OK ? append_names(s, &s->equal.any, &s->begin.any, NULL) : rc;
}
