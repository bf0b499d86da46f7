/* A result group (A1) for words typed without spaces between them. Every part of the query is a word of the
 * place, and the last part begins one. Spaces that were typed stay. */
#include <assert.h>

#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"
#include "text/fold.h"

enum {
	PARTS_MAX = 6,
	WAYS_MAX = 16, /**< first parts that are tried at each step */
	PART_MIN = 2, /**< letters; shorter words would help only with initials, and cost much */
	LONGEST_MIN = 4, /**< letters of the longest part: "lo" and "nd" alone match too much */
	STEPS_MAX = 120 /**< sets that may be made: an upper bound for the cost of any query */
};

struct joined {
	struct drg_air_work *s;
	struct drg_air_set places[PARTS_MAX]; /* places that have all parts so far */
	struct drg_air_set *ret;
	unsigned steps;
};

static void joined_walk(struct joined *j, struct drg_str rest, size_t part, size_t longest);

/* Keep the places of some words that have the previous parts too. @return false: none. */
static bool keep_places(struct joined *j, struct drg_air_range words, size_t part)
{
	assert(part < PARTS_MAX && words.lo < words.hi);
	struct drg_air_set *set = &j->places[part];
	drg_air_set_clear(set);
	drg_air_set_add_texts(set, &j->s->ix->words, words);
	j->steps++;
	return part == 0 ? set->used : drg_air_set_and(set, &j->places[part - 1]);
}

static void end_with(struct joined *j, struct drg_air_range words, size_t part, size_t longest)
{
	if (part > 0 && longest >= LONGEST_MIN && words.lo < words.hi && keep_places(j, words, part))
		drg_air_set_or(j->ret, &j->places[part]);
}

static void joined_walk(struct joined *j, struct drg_str rest, size_t part, size_t longest)
{
	struct drg_air_part way[WAYS_MAX];
	struct drg_air_range end;
	struct drg_str later = rest, word;
	drg_str_split(&later, ' ', &word);
	size_t n = drg_air_tree_parts(&j->s->ix->word_tree, &j->s->ix->words, word, way, WAYS_MAX, &end);
	if (word.n == rest.n && word.n >= PART_MIN)
		end_with(j, end, part, word.n > longest ? word.n : longest);
	while (n-- > 0 && part + 1 < PARTS_MAX && j->steps < STEPS_MAX) {
		struct drg_str next = drg_str(rest.p + way[n].n, rest.n - way[n].n);
		if (next.n > 0 && next.p[0] == ' ')
			next = drg_str(next.p + 1, next.n - 1);
		if (way[n].n >= PART_MIN && next.n > 0 && keep_places(j, way[n].range, part))
			joined_walk(j, next, part + 1, way[n].n > longest ? way[n].n : longest);
	}
}

int drg_air_append_joined(struct drg_air_work *s, const struct drg_air_typed *t)
{
	struct joined j = { .s = s, .ret = &s->work };
	if (t->text.n < LONGEST_MIN + PART_MIN || t->text.n > DRG_AIR_TYPED_MAX)
		return DRG_OK;
	for (size_t i = 0; i < PARTS_MAX; i++)
		if (!drg_air_set_new(&j.places[i], s->ix->n, s->arena))
			return DRG_ENOMEM;
	drg_air_set_clear(&s->work);
	joined_walk(&j, t->core, 0, 0);
	return drg_air_append(s, &s->work);
}

/* ---- in the words of a Chinese address ------------------------------------------------------------------ */

enum { HAN = 3, NAME_LETTERS = 2, ADDRESS_LETTERS = 12 }; /* HAN: bytes of a letter */

/* Does a word have letters of that length only, enough for a name and more? */
static bool is_address(struct drg_str word)
{
	size_t i = 0;
	while (i < word.n && ((uint8_t)word.p[i] & 0xf0) == 0xe0)
		i += HAN;
	return i == word.n && word.n > NAME_LETTERS * HAN && word.n <= ADDRESS_LETTERS * HAN;
}

/* Take the places in China that have a part of the query as a name. Elsewhere a name in Han is a transcription,
 * and parts of it say nothing. */
static bool add_part(struct drg_air_work *s, struct drg_str part)
{
	const struct drg_air_terms *names = &s->ix->names;
	struct drg_air_range equal;
	char room[ADDRESS_LETTERS * HAN * 7];
	struct drg_buf folded = { .p = room, .cap = sizeof room, .max = sizeof room };
	drg_fold(part, DRG_FOLD_PLAIN, &folded);
	drg_air_tree_find(&s->ix->name_tree, &s->ix->names, drg_buf_view(&folded), &equal);
	for (uint32_t i = names->first[equal.lo]; i < names->first[equal.hi]; i++) {
		uint32_t place = drg_air_place_of(names->place[i]);
		if ((drg_air_scripts_of(names->place[i]) & DRG_AIR_HAN) != 0 &&
		    memcmp(s->ix->country_code[place], "CN", 2) == 0 && drg_air_set_has(&s->wanted, place))
			drg_air_set_add(&s->work, place);
	}
	return s->work.used;
}

/* Find the longest end of a word that is a name, or the longest beginning. */
static bool add_longest(struct drg_air_work *s, struct drg_str word, bool end)
{
	for (size_t n = word.n - HAN; n >= NAME_LETTERS * HAN; n -= HAN)
		if (add_part(s, drg_str(end ? word.p + word.n - n : word.p, n)))
			return true;
	return false;
}

int drg_air_append_within(struct drg_air_work *s, const struct drg_air_typed *t)
{
	struct drg_str rest = t->bare, word, last = { "", 0 };
	if (t->scripts != DRG_AIR_HAN)
		return DRG_OK;
	while (rest.n > 0 && drg_str_split(&rest, ' ', &word))
		last = word.n > 0 ? word : last;
	drg_air_set_clear(&s->work);
	bool found = is_address(last) && (add_longest(s, last, true) || add_longest(s, last, false));
	return found ? drg_air_append(s, &s->work) : DRG_OK;
}
