/* Names in the letters of their own script, one byte for each letter: typing errors are counted in these. */
#include <assert.h>
#include <unicode/utf8.h>

#include "catalog/air/words_priv.h"
#include "text/fold.h"

enum { DROPPED = -1, STRANGE = -2, BREAK = -3 };

/* Cyrillic letters other than the 32 of Russian. */
static int further_cyrillic(UChar32 c)
{
	switch (c) {
	case 0x451: return 0x435 - 0x430; /* ё as е */
	case 0x454: return 32;
	case 0x456: return 33;
	case 0x457: return 34;
	case 0x490:
	case 0x491: return 35;
	default: return STRANGE;
	}
}

static int cyrillic(UChar32 c)
{
	if (c >= 0x400 && c <= 0x42f)
		c += c < 0x410 ? 0x50 : 0x20;
	if (c == 0x44a || c == 0x44c)
		return DROPPED;
	return c >= 0x430 && c <= 0x44f ? c - 0x430 : further_cyrillic(c);
}

/* Pairs: a letter, and the letter that it counts as. */
static const uint16_t arabic_ways[][2] = {
	{ 0x622, 0x627 }, { 0x623, 0x627 }, { 0x625, 0x627 }, { 0x671, 0x627 }, { 0x624, 0x648 },
	{ 0x626, 0x64a }, { 0x649, 0x64a }, { 0x6cc, 0x64a }, { 0x629, 0x647 }, { 0x67e, 0x628 },
	{ 0x6a4, 0x641 }, { 0x6af, 0x63a }, { 0x686, 0x62c }, { 0x6a9, 0x643 },
};

static int arabic(UChar32 c)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(arabic_ways); i++)
		if (arabic_ways[i][0] == c)
			c = arabic_ways[i][1];
	if (c == 0x640 || (c >= 0x64b && c <= 0x652))
		return DROPPED;
	if (c >= 0x621 && c <= 0x63a)
		return c - 0x621;
	return c >= 0x641 && c <= 0x64a ? c - 0x641 + 26 : STRANGE;
}

/* Pairs: a vowel with a mark, and the vowel without it. */
static const uint16_t greek_ways[][2] = {
	{ 0x386, 0x3b1 }, { 0x388, 0x3b5 }, { 0x389, 0x3b7 }, { 0x38a, 0x3b9 }, { 0x38c, 0x3bf },
	{ 0x38e, 0x3c5 }, { 0x38f, 0x3c9 }, { 0x390, 0x3b9 }, { 0x3aa, 0x3b9 }, { 0x3ab, 0x3c5 },
	{ 0x3ac, 0x3b1 }, { 0x3ad, 0x3b5 }, { 0x3ae, 0x3b7 }, { 0x3af, 0x3b9 }, { 0x3b0, 0x3c5 },
	{ 0x3c2, 0x3c3 }, { 0x3ca, 0x3b9 }, { 0x3cb, 0x3c5 }, { 0x3cc, 0x3bf }, { 0x3cd, 0x3c5 },
	{ 0x3ce, 0x3c9 },
};

static int greek(UChar32 c)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(greek_ways); i++)
		if (greek_ways[i][0] == c)
			c = greek_ways[i][1];
	if (c >= 0x391 && c <= 0x3a9)
		c += 0x20;
	return c >= 0x3b1 && c <= 0x3c9 ? c - 0x3b1 : STRANGE;
}

static bool is_apostrophe(UChar32 c)
{
	return c == '\'' || c == 0x60 || c == 0xb4 || c == 0x2bc || c == 0x2018 || c == 0x2019;
}

static const struct {
	UChar32 first, last;
	char name;
	int (*letter)(UChar32 c);
} scripts[] = {
	{ 0x400, 0x52f, 'C', cyrillic },
	{ 0x600, 0x6ff, 'A', arabic },
	{ 0x370, 0x3ff, 'G', greek },
};

/* The number of a character in @p script; the first letter of the text determines the script. */
static int letter_of(UChar32 c, size_t *script)
{
	if (is_apostrophe(c))
		return DROPPED;
	if (c < 0x80)
		return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ? STRANGE
		                                                                                  : BREAK;
	for (size_t i = 0; *script == DRG_ARRAY_LEN(scripts) && i < DRG_ARRAY_LEN(scripts); i++)
		if (c >= scripts[i].first && c <= scripts[i].last)
			*script = i;
	if (*script < DRG_ARRAY_LEN(scripts) && c >= scripts[*script].first && c <= scripts[*script].last)
		return scripts[*script].letter(c);
	return c == 0xa0 || (c >= 0x2010 && c <= 0x2015) ? BREAK : STRANGE;
}

/* The byte of a letter. It is one of the letter classes of typos.c, so a tree of these letters works like a
 * tree of Latin ones. */
static char byte_of(int letter)
{
	assert(letter >= 0 && letter < 26 + 10);
	return (char)(letter < 26 ? 'a' + letter : '0' + letter - 26);
}

static bool letters_add(struct drg_str text, size_t start, size_t *script, struct drg_buf *out)
{
	bool space = out->n > start;
	for (size_t i = 0; i < text.n;) {
		UChar32 c;
		U8_NEXT((const uint8_t *)text.p, i, text.n, c);
		int letter = letter_of(c, script);
		if (letter == STRANGE)
			return false;
		space |= letter == BREAK;
		if (letter < 0)
			continue;
		if (out->n == start)
			drg_buf_char(out, scripts[*script].name);
		else if (space)
			drg_buf_char(out, ' ');
		space = false;
		drg_buf_char(out, byte_of(letter));
	}
	return true;
}

static bool is_generic(struct drg_str word, struct drg_buf *folded)
{
	drg_buf_clear(folded);
	drg_fold(word, DRG_FOLD_PLAIN, folded);
	return folded->rc == DRG_OK && drg_air_generic(drg_buf_view(folded)) != DRG_AIR_WORD_OWN;
}

bool drg_air_letters(struct drg_str text, struct drg_buf *work, struct drg_buf *out)
{
	size_t start = out->n, script = DRG_ARRAY_LEN(scripts);
	struct drg_str word;
	bool whole = true;
	while (text.n > 0 && whole && drg_str_split(&text, ' ', &word))
		whole = is_generic(word, work) || letters_add(word, start, &script, out);
	if (whole && out->n > start && out->rc == DRG_OK)
		return true;
	out->n = start;
	return false;
}
