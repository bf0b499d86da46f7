/* A result group (A1) for scripts that write foreign names as they sound. Of the names that sound alike or
 * have one error it contains the heaviest, or the one whose letters are nearest. A name in Han also sounds
 * like others in Han: 纽瓦克, 紐華克. */
#include <stdlib.h>

#include "catalog/air/search_priv.h"
#include "catalog/air/words_priv.h"

/* A place that sounds alike, and its weight less a cost for each letter that differs. */
struct sounding {
	uint32_t place;
	int64_t worth;
};
/* ONE_DIFFERS: at most, if it is one letter of those that were typed. */
enum { ONE_DIFFERS = 1, LETTER_WORTH = 250, SOUNDING_MAX = 64, SOUNDING_LETTERS = 24 };

/* Arabic writes a silent alef before a long vowel at the beginning of a word. */
static bool is_silent_alef(struct drg_str text, size_t at)
{
	return text.p[at] == 'a' && (at == 0 || text.p[at - 1] == ' ') && at + 1 < text.n &&
	       (text.p[at + 1] == 'w' || text.p[at + 1] == 'y');
}

static size_t ear_letters_of(struct drg_str text, unsigned scripts, char *ret)
{
	size_t n = 0;
	for (size_t i = 0; i < text.n && n < SOUNDING_LETTERS; i++)
		if (text.p[i] != ' ' && !(scripts == DRG_AIR_OTHER && is_silent_alef(text, i)))
			ret[n++] = text.p[i];
	return n;
}

/* The cost of a letter that differs. A vowel is often left out, but between two names in Han, where it is a
 * syllable; consonants that are formed in one place are easily confused. */
static uint32_t letter_cost(char c, unsigned scripts)
{
	return drg_air_is_consonant(c) || (scripts & DRG_AIR_HAN) != 0 ? 2 : 1;
}

/* The distance of two texts without spaces (Levenshtein). */
static uint32_t letters_differ(const char *a, size_t na, const char *b, size_t nb, unsigned scripts)
{
	uint32_t row[SOUNDING_LETTERS + 1] = { 0 };
	for (uint32_t j = 1; j <= nb; j++)
		row[j] = row[j - 1] + letter_cost(b[j - 1], scripts);
	for (uint32_t i = 1; i <= na; i++) {
		uint32_t before = row[0], cost = letter_cost(a[i - 1], scripts);
		row[0] += cost;
		for (uint32_t j = 1; j <= nb; j++) {
			uint32_t other = before + drg_air_letters_differ(a[i - 1], b[j - 1]);
			before = row[j];
			uint32_t less = row[j] + cost, more = row[j - 1] + letter_cost(b[j - 1], scripts);
			less = less < more ? less : more;
			row[j] = less < other ? less : other;
		}
	}
	return row[nb];
}

/* The sounds of the query; 0: none. */
struct sounds {
	uint64_t one, other;
};

static struct sounds sounds_of(const struct drg_air_typed *t)
{
	if (t->scripts == DRG_AIR_HAN)
		return (struct sounds){ drg_air_sound(t->core, DRG_AIR_PINYIN), 0 };
	uint64_t plain = drg_air_sound(t->core, DRG_AIR_PLAIN), spanish = 0;
	if (t->scripts == DRG_AIR_OTHER)
		spanish = drg_air_sound(t->core, DRG_AIR_SPANISH);
	return (struct sounds){ plain, spanish != plain ? spanish : 0 };
}

/* The number of letters by which the nearest name differs, among the names that sound alike or are in the
 * script of the query. */
static uint32_t nearest_by_ear(const struct drg_air_rec *rec, const struct drg_air_typed *t,
                               struct sounds sounds)
{
	char typed[SOUNDING_LETTERS], name[SOUNDING_LETTERS];
	uint32_t best = 2 * SOUNDING_LETTERS;
	size_t n = ear_letters_of(t->core, t->scripts, typed);
	struct drg_str lines = drg_air_folded(rec), line;
	while (lines.n > 0 && drg_str_split(&lines, '\n', &line)) {
		if (line.n < 2)
			continue;
		struct drg_str text = drg_str(line.p + 1, line.n - 1);
		unsigned scripts = (unsigned)(line.p[0] - '0');
		if ((scripts & t->scripts) == 0) {
			uint64_t sound = drg_air_sound(text, DRG_AIR_PLAIN);
			if (sound == 0 || (sound != sounds.one && sound != sounds.other))
				continue;
		}
		uint32_t differ = letters_differ(typed, n, name, ear_letters_of(text, scripts, name),
		                                 scripts & t->scripts);
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

int drg_air_append_by_ear(struct drg_air_work *s, const struct drg_air_typed *t)
{
	const struct drg_air_index *ix = s->ix;
	struct sounding found[SOUNDING_MAX];
	struct sounds sounds = sounds_of(t);
	size_t n = 0, at = 0;
	drg_air_set_clear(&s->work);
	drg_air_set_clear(&s->one);
	add_sounds(s, sounds.one);
	add_sounds(s, sounds.other);
	if (t->own.n == 0)
		add_sounds(s, drg_air_sound_in(t->core, t->scripts));
	drg_air_add_near_names(s, t, 1, &s->work, NULL);
	drg_air_add_near_own(s, t, 1, &s->one, NULL);
	drg_air_set_start(&s->one);
	if (s->q->near)
		return drg_air_append(s, &s->work);
	for (; n < SOUNDING_MAX && (at = drg_air_set_next(&s->work, &s->found, at)) < ix->n; at++) {
		const struct drg_air_rec *rec = ix->rec[at];
		if (!drg_air_set_has(drg_air_wanted(s), (uint32_t)at))
			continue;
		int64_t differ = nearest_by_ear(rec, t, sounds);
		if (drg_air_set_has(&s->one, (uint32_t)at) && differ > ONE_DIFFERS)
			differ = ONE_DIFFERS;
		found[n++] = (struct sounding){ (uint32_t)at, rec->weight - differ * LETTER_WORTH };
	}
	qsort(found, n, sizeof *found, by_worth);
	for (size_t k = 0; k < n; k++)
		drg_air_take(s, found[k].place);
	return DRG_OK;
}
