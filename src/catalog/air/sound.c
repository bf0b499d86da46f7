/* The sound of a name (docs/search.md): a number of four bits for each consonant. */
#include "catalog/air/words_priv.h"

enum sound {
	NOTHING, /* vowels, and letters that scripts write for vowels */
	VOWEL, /* a vowel at the beginning */
	LABIAL,
	DENTAL,
	VELAR,
	SIBILANT,
	LIQUID,
	M,
	N
};
enum { SOUND_BITS = 4, SOUNDS_MAX = 64 / SOUND_BITS };

static const uint8_t sounds[26] = {
	['b' - 'a'] = LABIAL,   ['c' - 'a'] = VELAR,    ['d' - 'a'] = DENTAL, ['f' - 'a'] = LABIAL,
	['g' - 'a'] = VELAR,    ['j' - 'a'] = VELAR,    ['k' - 'a'] = VELAR,  ['l' - 'a'] = LIQUID,
	['m' - 'a'] = M,        ['n' - 'a'] = N,        ['p' - 'a'] = LABIAL, ['q' - 'a'] = VELAR,
	['r' - 'a'] = LIQUID,   ['s' - 'a'] = SIBILANT, ['t' - 'a'] = DENTAL, ['v' - 'a'] = LABIAL,
	['x' - 'a'] = SIBILANT, ['z' - 'a'] = SIBILANT,
};

static enum sound plain_sound(char c)
{
	return c >= 'a' && c <= 'z' ? (enum sound)sounds[c - 'a'] : NOTHING;
}

bool drg_air_is_consonant(char c)
{
	return plain_sound(c) != NOTHING;
}

static bool is_one_of(char c, const char *all)
{
	return c != '\0' && strchr(all, c) != NULL;
}

/* Is @p c a long vowel that Arabic writes with @p arabic? */
static bool is_long_vowel(char arabic, char c)
{
	return (arabic == 'y' && is_one_of(c, "ie")) || (arabic == 'w' && is_one_of(c, "uo"));
}

unsigned drg_air_letters_differ(char a, char b)
{
	return a == b || is_long_vowel(a, b) || is_long_vowel(b, a) ? 0
	       : plain_sound(a) == plain_sound(b)                   ? 1
	                                                            : 2;
}

/* The sound of a letter; @p next and @p after are the following letters, NUL at the end. */
static enum sound sound_of(char c, char next, char after, enum drg_air_reading reading)
{
	if (reading == DRG_AIR_PINYIN && c == 'q')
		return SIBILANT; /* pinyin q sounds like ch */
	if (reading == DRG_AIR_PINYIN && c == 'z' && next == 'h')
		return VELAR; /* pinyin zh sounds like j */
	if (reading == DRG_AIR_SPANISH && next == 'h' && (c == 't' || c == 'k'))
		return c == 't' ? SIBILANT : VELAR; /* the c of Ciudad, the j of San Juan */
	if (c == 'c' && is_one_of(next, "heiy"))
		return SIBILANT;
	if (c == 'k' && next == 'h')
		return NOTHING; /* other scripts write h */
	if (c == 't' && is_one_of(next, "sc") && after == 'h')
		return NOTHING; /* "tsh" stands for ch */
	if (c == 'm' && plain_sound(next) == LABIAL)
		return N;
	return plain_sound(c);
}

/* "ng" is one sound, except before a vowel in other scripts than Han; Egyptian names have "nj" for it. */
static bool is_silent_g(char before, char c, char next)
{
	return before == 'n' && (c == 'g' || c == 'j') && !is_one_of(next, "aeiouy");
}

uint64_t drg_air_sound_in(struct drg_str text, unsigned script)
{
	static const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
	uint64_t sound = drg_air_sound(text, script == DRG_AIR_HAN ? DRG_AIR_PINYIN : DRG_AIR_PLAIN);
	return sound != 0 && script != DRG_AIR_LATIN ? sound ^ script * odd : sound;
}

uint64_t drg_air_sound(struct drg_str text, enum drg_air_reading reading)
{
	uint64_t key = 0;
	enum sound last = NOTHING;
	size_t n = 0;
	if (text.n > 0 && is_one_of(text.p[0], "aeiouhwy")) {
		key = VOWEL;
		n = 1;
	}
	for (size_t i = 0; i < text.n && n < SOUNDS_MAX; i++) {
		char c = text.p[i], next = i + 1 < text.n ? text.p[i + 1] : '\0';
		if ((c & 0x80) != 0)
			return 0;
		enum sound s = is_silent_g(i > 0 ? text.p[i - 1] : '\0', c, next)
		                       ? NOTHING
		                       : sound_of(c, next, i + 2 < text.n ? text.p[i + 2] : '\0', reading);
		bool kx = c == 'x' && reading != DRG_AIR_PINYIN; /* x is two sounds */
		if (s == NOTHING || (s == last && !kx))
			continue;
		if (kx && last != VELAR && ++n <= SOUNDS_MAX)
			key = key << SOUND_BITS | VELAR;
		key = key << SOUND_BITS | s;
		last = s;
		n++;
	}
	return n >= 2 ? key : 0;
}
