#include "text/fold.h"

#include <assert.h>

#include "text/fold_priv.h"
#include "text/icu.h"

/* Japanese writes a foreign v with the letters of b, or with a sign of its own and a small vowel: they are
 * one. */
enum { KANA_VU = 0x30f4, HIRAGANA_VU = 0x3094 };
static bool is_small_vowel(UChar32 c)
{
	return (c >= 0x30a1 && c <= 0x30a9 && c % 2 == 1) || (c >= 0x3041 && c <= 0x3049 && c % 2 == 1);
}

static const char *fold_vu(struct drg_str rest)
{
	UChar32 next = 0;
	size_t i = 0;
	if (rest.n > 0)
		U8_NEXT((const uint8_t *)rest.p, i, rest.n, next);
	return is_small_vowel(next) ? "b" : "bu";
}

/* The letters of which a way has its own opinion; the first text is of the beginning of a word. */
struct exception {
	UChar32 c;
	const char *first, *later;
};
/* Ukraine's table of 2010. */
static const struct exception ukrainian[] = {
	{ 0x433, "h", "h" },   { 0x438, "y", "y" },   { 0x439, "y", "i" },  { 0x44e, "yu", "iu" },
	{ 0x44f, "ya", "ia" }, { 0x454, "ye", "ie" }, { 0x457, "yi", "i" },
};
static const struct exception digraphs[] = {
	{ 0xe4, "ae", "ae" }, { 0xe5, "aa", "aa" }, { 0xf6, "oe", "oe" },
	{ 0xf8, "oe", "oe" }, { 0xfc, "ue", "ue" },
};
static const struct {
	const struct exception *v;
	size_t n;
} ways[DRG_FOLD_WAYS] = {
	[DRG_FOLD_UKRAINIAN] = { ukrainian, DRG_ARRAY_LEN(ukrainian) },
	[DRG_FOLD_DIGRAPHS] = { digraphs, DRG_ARRAY_LEN(digraphs) },
};

/* The small letter, of the letters above. */
static UChar32 small(UChar32 c)
{
	if (c == 0x212b) /* the sign of the angstrom */
		return 0xe5;
	if ((c >= 0xc0 && c <= 0xde) || (c >= 0x410 && c <= 0x42f))
		return c + 0x20;
	return c >= 0x400 && c <= 0x40f ? c + 0x50 : c;
}

static const char *except(enum drg_fold_way way, UChar32 c, bool first)
{
	c = small(c);
	for (size_t i = 0; i < ways[way].n; i++)
		if (ways[way].v[i].c == c)
			return first ? ways[way].v[i].first : ways[way].v[i].later;
	return NULL;
}

/* The letter that a letter and a mark are together; 0: none. */
static UChar32 compose(UChar32 letter, UChar32 mark)
{
	size_t from = 0, to = drg_fold_n_pairs;
	while (from < to) {
		size_t at = (from + to) / 2;
		const struct drg_fold_pair *p = &drg_fold_pairs[at];
		if (p->letter == letter && p->mark == mark)
			return p->both;
		if (p->letter < letter || (p->letter == letter && p->mark < mark))
			from = at + 1;
		else
			to = at;
	}
	return 0;
}

/* Takes a letter together with the marks that belong to it: a mark can make it another letter. */
static UChar32 next_letter(struct drg_str s, size_t *at)
{
	const uint8_t *p = (const uint8_t *)s.p;
	UChar32 c, mark;
	U8_NEXT(p, *at, s.n, c);
	for (size_t i = *at; i < s.n && p[i] >= 0xcc && p[i] <= 0xcd; *at = i) { /* U+0300..U+037F */
		U8_NEXT(p, i, s.n, mark);
		UChar32 both = compose(c, mark);
		if (both == 0)
			break;
		c = both;
	}
	return c;
}

static void fold_put(struct drg_buf *out, const char *p, size_t n, bool space)
{
	if (space)
		drg_buf_char(out, ' ');
	drg_buf_add(out, p, n);
}

void drg_fold(struct drg_str s, enum drg_fold_way way, struct drg_buf *out)
{
	assert(way < DRG_FOLD_WAYS);
	size_t start = out->n;
	bool space = false;
	for (size_t i = 0; i < s.n;) {
		size_t at = i;
		UChar32 c = next_letter(s, &i);
		struct drg_fold_cell cell = { .n = DRG_FOLD_SPACE };
		if (c >= 0 && c < 0x10000)
			cell = drg_fold_cells[drg_fold_pages[c / DRG_FOLD_PAGE_CELLS]]
			                     [c % DRG_FOLD_PAGE_CELLS];
		else if (c > 0 && u_isalpha(c))
			cell.n = DRG_FOLD_ITSELF;
		if (cell.n == DRG_FOLD_SPACE) {
			space = out->n > start;
			continue;
		}
		const char *other = way != DRG_FOLD_PLAIN ? except(way, c, space || out->n == start) : NULL;
		if (c == KANA_VU || c == HIRAGANA_VU)
			other = fold_vu(drg_str(s.p + i, s.n - i));
		if (other != NULL)
			fold_put(out, other, strlen(other), space);
		else if (cell.n == DRG_FOLD_ITSELF)
			fold_put(out, s.p + at, i - at, space);
		else if (cell.n > 0)
			fold_put(out, cell.text, cell.n, space);
		else
			continue;
		space = false;
	}
}

/* ---- words that capitals part --------------------------------------------------------------------------- */

/* 1: a capital; -1: a small letter; 0: neither, or of a script without them. */
static int case_of(UChar32 c)
{
	if (c < 0x80)
		return c >= 'A' && c <= 'Z' ? 1 : c >= 'a' && c <= 'z' ? -1 : 0;
	if (c >= 0xc0 && c <= 0xff)
		return c == 0xd7 || c == 0xf7 ? 0 : c < 0xdf ? 1 : -1;
	if ((c >= 0x139 && c <= 0x148) || (c >= 0x179 && c <= 0x17e))
		return c % 2 == 1 ? 1 : -1;
	if ((c >= 0x100 && c <= 0x177) || (c >= 0x48a && c <= 0x4ff))
		return c % 2 == 0 ? 1 : -1;
	if (c >= 0x391 && c <= 0x3c9)
		return c <= 0x3a9 ? 1 : -1;
	return c < 0x400 || c > 0x45f ? 0 : c < 0x430 ? 1 : -1;
}

size_t drg_fold_part(struct drg_str text, char *to)
{
	int before = 0;
	size_t n = 0;
	for (size_t i = 0, from = 0; i < text.n; from = i) {
		UChar32 c, next = 0;
		U8_NEXT((const uint8_t *)text.p, i, text.n, c);
		size_t behind = i;
		if (behind < text.n)
			U8_NEXT((const uint8_t *)text.p, behind, text.n, next);
		const int now = c >= 0 ? case_of(c) : 0;
		if (now > 0 && (before < 0 || (before > 0 && next >= 0 && case_of(next) < 0)))
			to[n++] = ' ';
		memcpy(to + n, text.p + from, i - from);
		n += i - from;
		before = now;
	}
	return n;
}
