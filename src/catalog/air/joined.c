/* A result group (A1) for words typed without spaces between them. Every part of the query is a word of the
 * place, and the last part begins one. Spaces that were typed stay. */
#include <assert.h>

#include "catalog/air/search_priv.h"

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
