#include "synth/letters.h"

#include "base/compiler.h"

enum { FIRST_MARKED = 0xc0, LAST_MARKED = 0x17f };

/* The first letter of each; joined() has the second ones. */
static const char plain[] = "AAAAAAACEEEEIIIIDNOOOOOxOUUUUYTs"
                            "aaaaaaaceeeeiiiidnooooo-ouuuuyty"
                            "AaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGg"
                            "GgGgHhHhIiIiIiIiIiIiJjKkkLlLlLlL"
                            "lLlNnNnNnnNnOoOoOoOoRrRrRrSsSsSs"
                            "SsTtTtTtUuUuUuUuUuUuWwYyYZzZzZzs";

/* Beyond that table: runs of capital and small letter in turn, of one plain letter. */
static const struct {
	uint32_t first, last;
	char plain;
} runs[] = {
	{ 0x1a0, 0x1a1, 'O' },   { 0x1af, 0x1b0, 'U' },   { 0x218, 0x219, 'S' },   { 0x21a, 0x21b, 'T' },
	{ 0x1e0a, 0x1e13, 'D' }, { 0x1e20, 0x1e21, 'G' }, { 0x1e22, 0x1e2b, 'H' }, { 0x1e2c, 0x1e2f, 'I' },
	{ 0x1e30, 0x1e35, 'K' }, { 0x1e36, 0x1e3d, 'L' }, { 0x1e3e, 0x1e43, 'M' }, { 0x1e44, 0x1e4b, 'N' },
	{ 0x1e4c, 0x1e53, 'O' }, { 0x1e58, 0x1e5f, 'R' }, { 0x1e60, 0x1e69, 'S' }, { 0x1e6a, 0x1e71, 'T' },
	{ 0x1e72, 0x1e7b, 'U' }, { 0x1e90, 0x1e95, 'Z' }, { 0x1ea0, 0x1eb7, 'A' }, { 0x1eb8, 0x1ec7, 'E' },
	{ 0x1ec8, 0x1ecb, 'I' }, { 0x1ecc, 0x1ee3, 'O' }, { 0x1ee4, 0x1ef1, 'U' }, { 0x1ef2, 0x1ef9, 'Y' },
};

/** The run that a letter is in, or -1. */
static int find_run(uint32_t cp)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(runs) && cp > LAST_MARKED; i++)
		if (cp >= runs[i].first && cp <= runs[i].last)
			return (int)i;
	return -1;
}

static char joined(uint32_t cp)
{
	switch (cp) {
	case 0xc6: /* AE */
	case 0x152: /* OE */ return 'E';
	case 0xe6:
	case 0x153: return 'e';
	case 0xde: /* Thorn */ return 'H';
	case 0xfe: return 'h';
	case 0xdf: /* sharp s */ return 's';
	default: return '\0';
	}
}

size_t drg_letter_next(struct drg_str s, uint32_t *ret)
{
	const unsigned char *p = (const unsigned char *)s.p;
	if (p[0] < 0x80) {
		*ret = p[0];
		return 1;
	}
	size_t n = p[0] < 0xe0 ? 2 : p[0] < 0xf0 ? 3 : 4;
	uint32_t cp = p[0] & (0xffU >> (n + 1));
	for (size_t i = 1; i < n; i++)
		cp = cp << 6 | (p[i] & 0x3f);
	*ret = cp;
	return n;
}

void drg_letter_put(struct drg_buf *out, uint32_t cp)
{
	if (cp < 0x80) {
		drg_buf_char(out, (char)cp);
		return;
	}
	char text[4];
	size_t n = cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
	for (size_t i = n - 1; i > 0; i--, cp >>= 6)
		text[i] = (char)(0x80 | (cp & 0x3f));
	text[0] = (char)((0xf00U >> n & 0xff) | cp);
	drg_buf_add(out, text, n);
}

uint32_t drg_letter_upper(uint32_t cp)
{
	if (cp < 0x80)
		return cp >= 'a' && cp <= 'z' ? cp - 0x20 : cp;
	if (cp == 0x131) /* the dotless i of Turkish */
		return 'I';
	if ((cp >= 0xe0 && cp <= 0xfe && cp != 0xf7) || (cp >= 0x430 && cp <= 0x44f))
		return cp - 0x20;
	if (cp >= 0x450 && cp <= 0x45f)
		return cp - 0x50;
	bool small_is_even = (cp >= 0x139 && cp <= 0x148) || (cp >= 0x179 && cp <= 0x17e);
	if (small_is_even)
		return cp % 2 == 0 ? cp - 1 : cp;
	bool pairs =
	        (cp >= 0x100 && cp <= 0x137) || (cp >= 0x14a && cp <= 0x177) || (cp >= 0x48a && cp <= 0x4bf);
	if (pairs)
		return cp % 2 == 1 ? cp - 1 : cp;
	int run = find_run(cp);
	return run >= 0 && (cp - runs[run].first) % 2 == 1 ? cp - 1 : cp;
}

size_t drg_letter_plain(uint32_t cp, char ret[static 2])
{
	if (cp >= FIRST_MARKED && cp <= LAST_MARKED && cp != 0xd7 && cp != 0xf7) {
		ret[0] = plain[cp - FIRST_MARKED];
		ret[1] = joined(cp);
		return ret[1] != '\0' ? 2 : 1;
	}
	int run = find_run(cp);
	if (run >= 0)
		ret[0] = (char)(runs[run].plain + ((cp - runs[run].first) % 2 == 1 ? 'a' - 'A' : 0));
	else if (cp == 0x2018 || cp == 0x2019)
		ret[0] = '\'';
	else if (cp == 0x2013)
		ret[0] = '-';
	else
		return 0;
	return 1;
}
