#include "match/sounds.h"

#include "match/similar.h"
#include "match/words.h"

enum {
	LETTERS_MIN = 2,
	LIST_MAX = 4000, /* words with the same consonants that are tried */
	VOWELS_OFF = 2 /* the most vowels that may differ, in long words */
};
#define VOWEL_COSTS 2.0 /* bits: as much as being four times as rare */
/* a word with so many bits less than the first one is left out: it is 32 times as rare */
#define FAR_BEHIND 5.0

/* ---- how a word sounds ---------------------------------------------------------------------------------- */

enum { SOUND_MAX = 48 };

/* The sound of a word: consonants that people confuse are one letter, in capitals; vowels are small letters. */
struct sound {
	char all[SOUND_MAX], consonants[SOUND_MAX];
	unsigned n, n_consonants;
};

enum sound_of {
	SOUND_LATIN = 1, /* a word as people write it in Latin letters */
	SOUND_OTHER = 2, /* a word that was written in other letters, and folded (match/normal.h) */
	SOUND_SOFT_G = 4 /* with SOUND_LATIN: g before e, i and y as in "magic", not as in "get" */
};

enum sound_where {
	ANYWHERE,
	BEFORE_EIY, /* the next letter is e, i or y */
	BEFORE_VOWEL,
	BEFORE_NO_VOWEL,
	FIRST_BEFORE_VOWEL, /* the first letter of the word, and the next one is a vowel */
	LAST /* the last letter, in a word of four letters or more */
};

/* clang-format off */

/* The first rule that fits counts. Capitals: S for all hissing sounds; G for g and h, which other alphabets
 * write alike; V for v and w; K for k and c. */
static const struct sound_rule {
	const char *letters, *sound;
	unsigned of;
	enum sound_where where;
} sound_rules[] = {
	{ "sch", "S",  SOUND_LATIN,  ANYWHERE },
	{ "tch", "S",  SOUND_LATIN,  ANYWHERE },
	{ "ch",  "S",  SOUND_LATIN,  ANYWHERE },
	{ "sh",  "S",  SOUND_LATIN,  ANYWHERE },
	{ "zh",  "S",  SOUND_LATIN,  ANYWHERE },
	{ "dg",  "S",  SOUND_LATIN,  BEFORE_EIY },
	{ "dj",  "S",  SOUND_LATIN,  ANYWHERE },
	{ "kh",  "G",  SOUND_LATIN,  ANYWHERE },
	{ "ck",  "K",  SOUND_LATIN,  ANYWHERE },
	{ "ph",  "F",  SOUND_LATIN,  ANYWHERE },
	{ "th",  "T",  SOUND_LATIN,  ANYWHERE },
	{ "qu",  "KV", SOUND_LATIN,  BEFORE_VOWEL },
	{ "ee",  "i",  SOUND_LATIN,  ANYWHERE },
	{ "ea",  "i",  SOUND_LATIN,  ANYWHERE },
	{ "oo",  "u",  SOUND_LATIN,  ANYWHERE },
	{ "ou",  "u",  SOUND_LATIN,  ANYWHERE },
	{ "ai",  "e",  SOUND_LATIN,  BEFORE_NO_VOWEL },
	{ "ay",  "e",  SOUND_LATIN,  BEFORE_NO_VOWEL },
	{ "ei",  "e",  SOUND_LATIN,  BEFORE_NO_VOWEL },
	{ "ey",  "e",  SOUND_LATIN,  BEFORE_NO_VOWEL },
	{ "c",   "S",  SOUND_LATIN,  BEFORE_EIY },
	{ "g",   "S",  SOUND_SOFT_G, BEFORE_EIY },
	{ "j",   "S",  SOUND_LATIN,  ANYWHERE },
	{ "w",   "V",  SOUND_LATIN,  BEFORE_VOWEL },
	{ "w",   "",   SOUND_LATIN,  ANYWHERE },
	{ "e",   "",   SOUND_LATIN,  LAST },
	{ "ch",  "G",  SOUND_OTHER,  ANYWHERE },
	{ "c",   "S",  SOUND_OTHER,  ANYWHERE },
	{ "aj",  "e",  SOUND_OTHER,  BEFORE_NO_VOWEL },
	{ "ou",  "o",  SOUND_OTHER,  ANYWHERE },
	{ "j",   "i",  SOUND_OTHER,  BEFORE_VOWEL },
	{ "j",   "",   SOUND_OTHER,  ANYWHERE },
	{ "u",   "V",  SOUND_OTHER,  FIRST_BEFORE_VOWEL },
	{ "a",   "a",  0, ANYWHERE }, { "b", "B", 0, ANYWHERE }, { "c", "K", 0, ANYWHERE }, { "d",  "D", 0,
		ANYWHERE },
	{ "e",   "e",  0, ANYWHERE }, { "f", "F", 0, ANYWHERE }, { "g", "G", 0, ANYWHERE }, { "h",  "G", 0,
		ANYWHERE },
	{ "i",   "i",  0, ANYWHERE }, { "k", "K", 0, ANYWHERE }, { "l", "L", 0, ANYWHERE }, { "m",  "M", 0,
		ANYWHERE },
	{ "n",   "N",  0, ANYWHERE }, { "o", "o", 0, ANYWHERE }, { "p", "P", 0, ANYWHERE }, { "q",  "K", 0,
		ANYWHERE },
	{ "r",   "R",  0, ANYWHERE }, { "s", "S", 0, ANYWHERE }, { "t", "T", 0, ANYWHERE }, { "u",  "u", 0,
		ANYWHERE },
	{ "v",   "V",  0, ANYWHERE }, { "w", "V", 0, ANYWHERE }, { "x", "KS", 0, ANYWHERE }, { "y", "i", 0,
		ANYWHERE },
	{ "z",   "S",  0, ANYWHERE },
};
/* clang-format on */

static bool sounds_is_one_of(struct drg_str word, size_t at, const char *letters)
{
	return at < word.n && strchr(letters, word.p[at]) != NULL;
}

static bool rule_fits(const struct sound_rule *r, struct drg_str word, size_t at, unsigned of)
{
	size_t n = strlen(r->letters), next = at + n;
	if ((r->of != 0 && (r->of & of) == 0) || next > word.n || memcmp(word.p + at, r->letters, n) != 0)
		return false;
	switch (r->where) {
	case BEFORE_EIY: return sounds_is_one_of(word, next, "eiy");
	case BEFORE_VOWEL: return sounds_is_one_of(word, next, "aeiouy");
	case BEFORE_NO_VOWEL: return !sounds_is_one_of(word, next, "aeiouy");
	case FIRST_BEFORE_VOWEL: return at == 0 && sounds_is_one_of(word, next, "aeiouy");
	case LAST: return next == word.n && word.n > 3;
	default: return true;
	}
}

static bool is_consonant(char c)
{
	return c >= 'A' && c <= 'Z';
}

/* Add a sound; doubles are one, "ts" and "dz" hiss. */
static void sound_add(struct sound *s, char c)
{
	char *last = s->n > 0 ? &s->all[s->n - 1] : NULL;
	if (last != NULL && c == 'S' && (*last == 'T' || *last == 'D'))
		*last = c;
	else if (last == NULL || *last != c)
		s->all[s->n++] = c;
}

static void take_consonants(struct sound *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (is_consonant(s->all[i]) &&
		    (s->n_consonants == 0 || s->consonants[s->n_consonants - 1] != s->all[i]))
			s->consonants[s->n_consonants++] = s->all[i];
}

/* @return false: it cannot be pronounced (it has digits) or is too long. */
static bool sound_of(struct drg_str word, unsigned of, struct sound *ret)
{
	ret->n = ret->n_consonants = 0;
	for (size_t at = 0; at < word.n;) {
		unsigned i = 0;
		while (i < DRG_ARRAY_LEN(sound_rules) && !rule_fits(&sound_rules[i], word, at, of))
			i++;
		if (i == DRG_ARRAY_LEN(sound_rules) || ret->n + 2 > SOUND_MAX)
			return false;
		for (const char *c = sound_rules[i].sound; *c != '\0'; c++)
			sound_add(ret, *c);
		at += strlen(sound_rules[i].letters);
	}
	take_consonants(ret);
	return ret->n > 0;
}

/* ---- the words of the reference ------------------------------------------------------------------------- */

static uint64_t key_of_sound(const struct sound *s)
{
	return drg_match_hash(drg_str(s->consonants, s->n_consonants), 3);
}

/* How many records have the word in a name. */
static uint32_t sounds_df(const struct drg_sounds *s, uint32_t t)
{
	return drg_places_df(&s->ref->df, t) + (s->more != NULL ? drg_places_df(&s->more->df, t) : 0);
}

/* Does a name of the reference have the word, in Latin letters? */
static bool is_known(const struct drg_sounds *s, uint32_t t)
{
	return t < s->n_tokens && (drg_token(s->ref->vocab, t)->classes & DRG_WORD_LATIN) != 0 &&
	       sounds_df(s, t) > 0;
}

static void sounds_add(struct drg_sounds *s, uint32_t t, unsigned of, uint64_t *key)
{
	struct sound sound;
	struct drg_str word = drg_token_text(s->ref->vocab, t);
	if (word.n < LETTERS_MIN || !sound_of(word, of, &sound) || key_of_sound(&sound) == *key)
		return;
	*key = key_of_sound(&sound);
	const struct drg_keyed e = { *key, t };
	drg_buf_add(&s->words, &e, sizeof e);
}

int drg_sounds_make(const struct drg_places *ref, const struct drg_places *more, struct drg_sounds *ret)
{
	*ret = (struct drg_sounds){ .ref = ref, .more = more, .n_tokens = drg_vocab_size(ref->vocab) };
	drg_buf_init(&ret->words, SIZE_MAX);
	drg_buf_init(&ret->meant, SIZE_MAX);
	for (uint32_t t = 0; t < ret->n_tokens; t++) {
		uint64_t key = 0;
		if (!is_known(ret, t))
			continue;
		sounds_add(ret, t, SOUND_LATIN, &key);
		sounds_add(ret, t, SOUND_LATIN | SOUND_SOFT_G, &key);
	}
	int rc = ret->words.rc;
	if (rc == DRG_OK)
		drg_keyed_sort(&ret->words);
	else
		drg_sounds_done(ret);
	return rc;
}

void drg_sounds_done(struct drg_sounds *s)
{
	drg_buf_done(&s->words);
	drg_buf_done(&s->meant);
}

/* ---- choosing the word that was meant ------------------------------------------------------------------- */

/* The number of vowels that differ; the consonants are the same. */
static unsigned sound_distance(const struct sound *heard, struct drg_str word)
{
	unsigned best = SOUND_MAX;
	for (unsigned soft = 0; soft <= SOUND_SOFT_G; soft += SOUND_SOFT_G) {
		struct sound s;
		if (!sound_of(word, SOUND_LATIN | soft, &s) || s.n_consonants != heard->n_consonants ||
		    memcmp(s.consonants, heard->consonants, s.n_consonants) != 0)
			continue;
		unsigned d = drg_edit_distance(drg_str(heard->all, heard->n), drg_str(s.all, s.n));
		best = d < best ? d : best;
	}
	return best;
}

/* The number of vowels that may differ: the more consonants, the more. */
static unsigned distance_allowed(const struct sound *s)
{
	unsigned n = s->n_consonants > 0 ? s->n_consonants - 1 : 0;
	return n < VOWELS_OFF ? n : VOWELS_OFF;
}

/* The words that may be meant, the best first. */
struct drg_sounds_meant {
	uint32_t n; /* 0: not asked for yet */
	uint32_t word[DRG_SOUNDS_ALIKE];
	float score[DRG_SOUNDS_ALIKE];
};

static void meant_add(struct drg_sounds_meant *m, uint32_t word, double score)
{
	uint32_t at = m->n;
	for (uint32_t i = 0; i < m->n; i++)
		if (m->word[i] == word)
			return;
	while (at > 0 && (double)m->score[at - 1] < score)
		at--;
	if (at == DRG_SOUNDS_ALIKE)
		return;
	m->n += m->n < DRG_SOUNDS_ALIKE;
	for (uint32_t i = m->n - 1; i > at; i--) {
		m->word[i] = m->word[i - 1];
		m->score[i] = m->score[i - 1];
	}
	m->word[at] = word;
	m->score[at] = (float)score;
}

static double score_of(const struct drg_sounds *s, uint32_t word, unsigned distance)
{
	return log2(1.0 + sounds_df(s, word)) - VOWEL_COSTS * distance;
}

static struct drg_sounds_meant sounds_find(const struct drg_sounds *s, uint32_t t)
{
	const struct drg_vocab *v = s->ref->vocab;
	struct drg_str word = drg_token_text(v, t);
	struct drg_sounds_meant m = { .n = 0 };
	struct sound heard;
	size_t n = 0;
	if (is_known(s, t))
		meant_add(&m, t, score_of(s, t, 0));
	bool sounds = word.n >= LETTERS_MIN && sound_of(word, SOUND_OTHER, &heard);
	const struct drg_keyed *same = sounds ? drg_keyed_find(&s->words, key_of_sound(&heard), &n) : NULL;
	for (size_t i = 0; i < n && n <= LIST_MAX; i++) {
		uint32_t other = (uint32_t)same[i].value;
		unsigned d = sound_distance(&heard, drg_token_text(v, other));
		if (d <= distance_allowed(&heard))
			meant_add(&m, other, score_of(s, other, d));
	}
	if (m.n == 0)
		meant_add(&m, t, 0);
	while (m.score[m.n - 1] < m.score[0] - (float)FAR_BEHIND)
		m.n--;
	return m;
}

/* The slot for the words that @p t may mean; NULL: no memory. */
static struct drg_sounds_meant *sounds_slot(struct drg_sounds *s, uint32_t t)
{
	size_t size = sizeof(struct drg_sounds_meant), had = s->meant.n;
	size_t wanted = ((size_t)drg_vocab_size(s->ref->vocab) + 1) * size;
	if (((size_t)t + 1) * size > had) {
		if (!drg_buf_reserve(&s->meant, wanted - had))
			return NULL;
		memset(s->meant.p + had, 0, wanted - had);
		s->meant.n = wanted;
	}
	return (struct drg_sounds_meant *)(void *)s->meant.p + t;
}

unsigned drg_sounds_like(struct drg_sounds *s, uint32_t t, uint32_t ret[static DRG_SOUNDS_ALIKE])
{
	struct drg_sounds_meant *slot = sounds_slot(s, t);
	const struct drg_sounds_meant m = slot != NULL && slot->n > 0 ? *slot : sounds_find(s, t);
	if (slot != NULL)
		*slot = m;
	memcpy(ret, m.word, sizeof m.word);
	return m.n;
}
