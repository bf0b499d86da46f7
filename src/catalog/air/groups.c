/* The groups of decision A1: each a set of places; what is in it and not in the groups before comes out in the order of
 * the numbers, which are ranks by weight. */
#include <assert.h>
#include <stdlib.h>

#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"

/* By the errors in each: in more words they are not looked for, but in names as wholes they are. */
static const size_t words_max[] = { DRG_AIR_WORDS_MAX, 5, 3 };

/* ---- sets ------------------------------------------------------------------------------------------------- */

static void groups_add_place(void *set, uint32_t place)
{
	drg_air_set_add(set, place);
}

static void add_code(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_str code,
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

/* Letters that fold to two, in Cyrillic names: what was typed ends with a letter, and not in the middle of one. */
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

/* Of texts that begin with @p text the places. "мес" begins with three letters of "Мессина" and two of "Мешхед": that is not
 * of the script. */
static void add_begin(struct drg_air_pair_set *to, const struct drg_air_tree *tree, const struct drg_air_terms *terms,
                      struct drg_str text, struct drg_air_range begin, unsigned scripts)
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
		drg_air_set_add_scripts(&to->own, &to->any, terms, (struct drg_air_range){ begin.lo, half.lo }, scripts);
		drg_air_set_add_scripts(&to->own, &to->any, terms, half, 0);
		begin.lo = half.hi;
	}
	drg_air_set_add_scripts(&to->own, &to->any, terms, begin, scripts);
}

/* The names that are a text, and those that begin with it. */
static void add_names(struct drg_air_work *s, struct drg_str text, unsigned scripts)
{
	const struct drg_air_terms *names = &s->ix->names;
	struct drg_air_range equal, begin = drg_air_tree_find(&s->ix->name_tree, names, text, &equal);
	drg_air_set_add_scripts(&s->equal.own, &s->equal.any, names, equal, scripts);
	add_begin(&s->begin, &s->ix->name_tree, names, text, begin, scripts);
}

/* The places that have a word: it begins one of theirs, or is their code. */
static int fill_word(struct drg_air_work *s, const struct drg_air_typed *t, struct drg_air_word *w)
{
	struct drg_air_pair_set *has = &w->has;
	if (has->any.bits != NULL)
		return DRG_OK;
	if (!drg_air_set_new(&has->own, s->ix->n, s->arena) ||
	    !drg_air_set_new(&has->any, s->ix->n, s->arena))
		return DRG_ENOMEM;
	add_begin(has, &s->ix->word_tree, &s->ix->words, w->text, w->range, t->scripts);
	add_code(s, t, w->text, &has->own);
	add_code(s, t, w->text, &has->any);
	return DRG_OK;
}

/* The word of fewest places that was not taken yet. */
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

/* The places that have each word. */
static int groups_add_words(struct drg_air_work *s, const struct drg_air_typed *t,
                            struct drg_air_pair_set *to)
{
	unsigned taken = 0;
	int rc = DRG_OK;
	bool any = t->n <= DRG_AIR_WORDS_MAX;
	for (size_t i = 0; i < t->n && any && rc == DRG_OK; i++) {
		size_t k = next_word(s, t, taken);
		assert(k < t->n); /* there are as many words as turns */
		struct drg_air_word *w = &t->word[k];
		taken |= 1U << k;
		rc = fill_word(s, t, w);
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
	for (size_t i = 0; i < to->words; i++)
		to->bits[i] |= in[i];
	to->used = true;
}

/* The places of the countries among some texts. Countries have the first numbers. */
static void add_countries(struct drg_air_work *s, const struct drg_air_terms *terms, struct drg_air_range r,
                          struct drg_air_set *to)
{
	uint64_t seen[4] = { 0 };
	for (uint32_t i = r.lo; i < r.hi; i++) {
		for (uint32_t k = terms->first[i]; k < terms->first[i + 1]; k++) {
			uint32_t country = drg_air_place_of(terms->place[k]);
			if (country >= s->ix->n_countries || country >= 256)
				break; /* they ascend */
			seen[country / 64] |= UINT64_C(1) << country % 64;
		}
	}
	for (uint32_t i = 0; i < 4; i++)
		for (uint64_t bits = seen[i]; bits != 0; bits &= bits - 1)
			add_country(s, i * 64 + (uint32_t)__builtin_ctzll(bits), to);
}

/* Of a word of one or two letters countries are meant only where it is all of theirs: "uk". */
static void add_countries_of(struct drg_air_work *s, const struct drg_air_word *w, struct drg_air_set *to)
{
	enum { BEGINNING_MIN = 3 };
	add_countries(s, &s->ix->words, w->text.n >= BEGINNING_MIN ? w->range : w->equal, to);
}

/* ---- as it was typed ---------------------------------------------------------------------------------------- */

/* The heaviest place whose name begins so, where it is so much heavier than those of the code that it is meant. */
static uint32_t code_gives_way(struct drg_air_work *s, const struct drg_air_typed *t)
{
	enum { MUCH = 13, MUCH_OF = 10 };
	const struct drg_air_index *ix = s->ix;
	const struct drg_air_set *none = &s->one;
	uint32_t coded = 0, begins = 0;
	if (!s->code.used)
		return DRG_AIR_NONE;
	drg_air_set_clear(&s->one);
	while (coded < ix->n && (!drg_air_set_has(&s->code, coded) || !drg_air_wanted(s, ix->rec[coded])))
		coded = (uint32_t)drg_air_set_next(&s->code, none, coded + 1);
	if (t->capitals || s->q->near || coded >= ix->n)
		return DRG_AIR_NONE;
	begins = (uint32_t)drg_air_set_next(&s->begin.own, none, 0);
	while (begins < ix->n && !drg_air_wanted(s, ix->rec[begins]))
		begins = (uint32_t)drg_air_set_next(&s->begin.own, none, begins + 1);
	if (begins >= coded || ix->rec[begins]->weight == ix->rec[coded]->weight ||
	    (uint64_t)ix->rec[begins]->weight * MUCH_OF < (uint64_t)ix->rec[coded]->weight * MUCH)
		return DRG_AIR_NONE;
	return begins;
}

static int give_codes(struct drg_air_work *s, const struct drg_air_typed *t)
{
	drg_air_set_clear(&s->code);
	add_code(s, t, t->text, &s->code);
	uint32_t before = code_gives_way(s, t);
	if (before != DRG_AIR_NONE)
		drg_air_take(s, before);
	drg_air_set_clear(&s->work);
	drg_air_set_or(&s->work, &s->code);
	drg_air_set_and(&s->work, &s->equal.any);
	int rc = drg_air_give(s, &s->work);
	return rc == DRG_OK ? drg_air_give(s, &s->code) : rc;
}

static int give_names(struct drg_air_work *s, struct drg_air_set *equal, struct drg_air_set *begin,
                      struct drg_air_set *words)
{
	int rc = drg_air_give(s, equal);
	if (rc == DRG_OK)
		rc = drg_air_give(s, begin);
	if (rc == DRG_OK && words != NULL)
		rc = drg_air_give(s, words);
	return rc;
}

static int give_scripts(struct drg_air_work *s, bool words)
{
	int rc = give_names(s, &s->equal.own, &s->begin.own, words ? &s->words.own : NULL);
	return rc == DRG_OK ? give_names(s, &s->equal.any, &s->begin.any, words ? &s->words.any : NULL) : rc;
}

/* Each word begins one of the place's or of its country's, one at least the place's. */
static int give_with_country(struct drg_air_work *s, const struct drg_air_typed *t)
{
	bool any = t->n > 1 && t->n <= DRG_AIR_WORDS_MAX;
	int rc = DRG_OK;
	drg_air_set_clear(&s->all);
	drg_air_set_clear(&s->work);
	for (size_t i = 0; i < t->n && any && rc == DRG_OK; i++) {
		struct drg_air_set *to = i == 0 ? &s->all : &s->one;
		rc = fill_word(s, t, &t->word[i]);
		if (rc != DRG_OK)
			return rc;
		drg_air_set_or(&s->work, &t->word[i].has.any);
		drg_air_set_clear(to);
		drg_air_set_or(to, &t->word[i].has.any);
		add_countries_of(s, &t->word[i], to);
		any = i == 0 || drg_air_set_and(&s->all, &s->one);
	}
	any = any && drg_air_set_and(&s->all, &s->work);
	return any && rc == DRG_OK ? drg_air_give(s, &s->all) : rc;
}

/* All places of the country that the text names. */
static int give_country(struct drg_air_work *s, const struct drg_air_typed *t)
{
	struct drg_air_range equal;
	drg_air_set_clear(&s->work);
	drg_air_tree_find(&s->ix->name_tree, &s->ix->names, t->core, &equal);
	add_countries(s, &s->ix->names, equal, &s->work);
	return drg_air_give(s, &s->work);
}

int drg_air_give_as_typed(struct drg_air_work *s, const struct drg_air_typed *t)
{
	pair_clear(&s->equal);
	pair_clear(&s->begin);
	pair_clear(&s->words);
	add_names(s, t->text, t->scripts);
	int rc = give_codes(s, t);
	if (rc == DRG_OK && t->core.p != t->text.p) {
		rc = give_scripts(s, false);
		add_names(s, t->core, t->scripts);
	}
	if (rc == DRG_OK)
		rc = groups_add_words(s, t, &s->words);
	if (rc == DRG_OK && t->airport) {
		s->airports_only = true;
		rc = give_scripts(s, true);
		s->airports_only = false;
	}
	if (rc == DRG_OK)
		rc = give_scripts(s, true);
	if (rc == DRG_OK)
		rc = give_with_country(s, t);
	return rc == DRG_OK ? give_country(s, t) : rc;
}

/* ---- on another layout -------------------------------------------------------------------------------------- */

int drg_air_give_layouts(struct drg_air_work *s, const struct drg_air_typed *guess, size_t n)
{
	pair_clear(&s->equal);
	pair_clear(&s->begin);
	int rc = DRG_OK;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		add_names(s, guess[i].text, guess[i].scripts);
		add_code(s, &guess[i], guess[i].text, &s->equal.any);
		pair_clear(&s->words);
		rc = groups_add_words(s, &guess[i], &s->words);
		drg_air_set_or(&s->begin.any, &s->words.any);
	}
	return rc == DRG_OK ? give_names(s, &s->equal.any, &s->begin.any, NULL) : rc;
}

/* ---- with errors -------------------------------------------------------------------------------------------- */

/* Where the texts near a typed one go. */
struct near {
	const struct drg_air_terms *terms;
	struct drg_air_set *whole, *begin; /* whole may be NULL */
};

static void add_near(void *ctx, struct drg_air_range texts, bool whole)
{
	struct near *n = ctx;
	struct drg_air_set *to = whole ? n->whole : n->begin;
	if (to != NULL)
		drg_air_set_add_texts(to, n->terms, texts);
}

static unsigned edits_in(struct drg_str text, unsigned most)
{
	unsigned edits = drg_air_edits(text.n);
	return edits < most ? edits : most;
}

/* Names that are the text but for one error. */
static void add_near_names(struct drg_air_work *s, const struct drg_air_typed *t)
{
	struct near names = { &s->ix->names, &s->work, &s->one };
	drg_air_tree_near(&s->ix->name_tree, &s->ix->names, t->core, edits_in(t->core, 1), add_near, &names);
}

/* ---- as it sounds ------------------------------------------------------------------------------------------- */

/* A place that sounds so, and how many letters of its name are others. */
struct sounding {
	uint32_t place;
	int64_t worth;
};
enum { LETTER_WORTH = 250, SOUNDING_MAX = 64, SOUNDING_LETTERS = 24 };

static size_t letters_of(struct drg_str text, char *ret)
{
	size_t n = 0;
	for (size_t i = 0; i < text.n && n < SOUNDING_LETTERS; i++)
		if (text.p[i] != ' ')
			ret[n++] = text.p[i];
	return n;
}

/* A vowel is written or not, by taste; consonants that are formed in one place are easily taken for each other. */
static uint32_t letter_cost(char c)
{
	return drg_air_is_consonant(c) ? 2 : 1;
}

/* How far texts without spaces are from each other (Levenshtein). */
static uint32_t letters_differ(const char *a, size_t na, const char *b, size_t nb)
{
	uint32_t row[SOUNDING_LETTERS + 1] = { 0 };
	for (uint32_t j = 1; j <= nb; j++)
		row[j] = row[j - 1] + letter_cost(b[j - 1]);
	for (uint32_t i = 1; i <= na; i++) {
		uint32_t before = row[0], cost = letter_cost(a[i - 1]);
		row[0] += cost;
		for (uint32_t j = 1; j <= nb; j++) {
			uint32_t other = before + drg_air_letters_differ(a[i - 1], b[j - 1]);
			before = row[j];
			uint32_t less = row[j] + cost, more = row[j - 1] + letter_cost(b[j - 1]);
			less = less < more ? less : more;
			row[j] = less < other ? less : other;
		}
	}
	return row[nb];
}

/* By how many letters the nearest name differs, of those that sound so or are in the script that was typed. */
static uint32_t nearest_by_ear(const struct drg_air_rec *rec, const struct drg_air_typed *t, uint64_t sound)
{
	char typed[SOUNDING_LETTERS], name[SOUNDING_LETTERS];
	uint32_t best = 2 * SOUNDING_LETTERS;
	size_t n = letters_of(t->core, typed);
	struct drg_str lines = drg_air_folded(rec), line;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line)) {
		if (line.n < 2)
			continue;
		struct drg_str text = drg_str(line.p + 1, line.n - 1);
		if (((unsigned)(line.p[0] - '0') & t->scripts) == 0 && drg_air_sound(text, false) != sound)
			continue;
		uint32_t differ = letters_differ(typed, n, name, letters_of(text, name));
		best = differ < best ? differ : best;
	}
	return best;
}

static int by_worth(const void *a, const void *b)
{
	const struct sounding *x = a, *y = b;
	if (x->worth != y->worth)
		return x->worth > y->worth ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static void add_sounds(struct drg_air_work *s, uint64_t sound)
{
	const struct drg_air_index *ix = s->ix;
	uint32_t i = sound != 0 ? drg_air_numbered_find(ix->sound, ix->n_sounds, sound) : ix->n_sounds;
	for (; i < ix->n_sounds && ix->sound[i].number == sound; i++)
		drg_air_set_add(&s->work, ix->sound[i].place);
}

int drg_air_give_by_ear(struct drg_air_work *s, const struct drg_air_typed *t)
{
	const struct drg_air_index *ix = s->ix;
	struct sounding found[SOUNDING_MAX];
	uint64_t sound = drg_air_sound(t->core, t->scripts == DRG_AIR_HAN);
	size_t n = 0, at = 0;
	drg_air_set_clear(&s->work);
	drg_air_set_clear(&s->one);
	add_sounds(s, sound);
	add_near_names(s, t);
	if (s->q->near)
		return drg_air_give(s, &s->work);
	for (; n < SOUNDING_MAX && (at = drg_air_set_next(&s->work, &s->found, at)) < ix->n; at++) {
		const struct drg_air_rec *rec = ix->rec[at];
		if (!drg_air_wanted(s, rec))
			continue;
		int64_t differ = nearest_by_ear(rec, t, sound);
		found[n++] = (struct sounding){ (uint32_t)at, rec->weight - differ * LETTER_WORTH };
	}
	qsort(found, n, sizeof *found, by_worth);
	for (size_t k = 0; k < n; k++)
		drg_air_take(s, found[k].place);
	return DRG_OK;
}

/* The places that have a word but for errors, in @p room, or with the word where they are asked for again. */
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
	add_code(s, t, w->text, to);
	return to;
}

/* Names that are the text but for errors, then what begins so, or has each word but for errors. */
int drg_air_give_errors(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits)
{
	assert(edits > 0 && edits < DRG_ARRAY_LEN(words_max));
	const struct drg_air_index *ix = s->ix;
	bool found = s->n > 0;
	drg_air_set_clear(&s->work);
	drg_air_set_clear(&s->one);
	struct near names = { &ix->names, &s->one, &s->work };
	if (t->n == 1 || !found)
		drg_air_tree_near(&ix->name_tree, &ix->names, t->core, edits_in(t->core, edits), add_near,
		                  &names);
	int rc = drg_air_give(s, &s->one);
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
	return rc == DRG_OK ? drg_air_give(s, &s->work) : rc;
}

/* ---- without a word ----------------------------------------------------------------------------------------- */

/* For each word the set of its places. */
static int fill_each(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits,
                     struct drg_air_set *set)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < t->n && rc == DRG_OK; i++) {
		if (edits > 0)
			rc = fill_near(s, t, &t->word[i], edits, NULL) != NULL ? DRG_OK : DRG_ENOMEM;
		else
			rc = fill_word(s, t, &t->word[i]);
		set[i] = edits > 0 ? t->word[i].near : t->word[i].has.any;
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

/* Numbers of the words, that of most places first. */
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

/* Of 64 places, how many of the sets each is in: bit b of the counts of all. */
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

/* The places that are in @p many of the sets. @return false: none is. */
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

/* The names that are @p n words of the text, one behind the other. */
static void find_runs(struct drg_air_work *s, const struct drg_air_typed *t, size_t n)
{
	struct drg_air_range equal;
	drg_air_set_clear(&s->one);
	for (size_t i = 0; i + n <= t->n; i++) {
		struct drg_str from = t->word[i].text, to = t->word[i + n - 1].text;
		if (to.p < from.p)
			continue; /* a word that stands twice */
		struct drg_str run = drg_str(from.p, (size_t)(to.p + to.n - from.p));
		drg_air_tree_find(&s->ix->name_tree, &s->ix->names, run, &equal);
		drg_air_set_add_texts(&s->one, &s->ix->names, equal);
	}
}

/* What has @p many of the words: names that are these words, then what has the rarest of them. */
static int give_many(struct drg_air_work *s, const struct drg_air_typed *t, const struct drg_air_set *set,
                     const size_t *order, size_t many)
{
	int rc = DRG_OK;
	if (!fill_many(set, t->n, many, &s->all))
		return DRG_OK;
	find_runs(s, t, many);
	if (drg_air_set_and(&s->one, &s->all))
		rc = drg_air_give(s, &s->one);
	for (size_t i = t->n; i-- > 0 && rc == DRG_OK;) {
		drg_air_set_clear(&s->one);
		drg_air_set_or(&s->one, &set[order[i]]);
		if (drg_air_set_and(&s->one, &s->all))
			rc = drg_air_give(s, &s->one);
	}
	return rc;
}

int drg_air_give_most(struct drg_air_work *s, const struct drg_air_typed *t, unsigned edits)
{
	struct drg_air_set set[DRG_AIR_WORDS_MAX];
	size_t order[DRG_AIR_WORDS_MAX];
	assert(edits < 2); /* fill_each() has one set of what is near */
	if (t->n < 2 || t->n > words_max[edits])
		return DRG_OK;
	int rc = fill_each(s, t, edits, set);
	if (rc == DRG_OK)
		by_places(set, t->n, order);
	for (size_t many = t->n; many > 0 && s->n == 0 && rc == DRG_OK; many--)
		rc = give_many(s, t, set, order, many);
	return rc;
}
