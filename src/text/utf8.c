#include "text/utf8.h"

#include <assert.h>
#include <unicode/utf8.h>

static const uint64_t HIGH_BITS = UINT64_C(0x8080808080808080);

/* Length of the ASCII beginning of s, in whole words: most text is nothing else. */
static size_t ascii_prefix(struct drg_str s)
{
	size_t i = 0;
	for (uint64_t word; s.n - i >= sizeof word; i += sizeof word) {
		memcpy(&word, s.p + i, sizeof word);
		if ((word & HIGH_BITS) != 0)
			break;
	}
	return i;
}

bool drg_utf8_valid(struct drg_str s, size_t *ret_at)
{
	const uint8_t *p = (const uint8_t *)s.p;
	for (size_t i = ascii_prefix(s); i < s.n;) {
		size_t at = i;
		UChar32 c;
		U8_NEXT(p, i, s.n, c);
		if (c < 0) {
			if (ret_at != NULL)
				*ret_at = at;
			return false;
		}
	}
	return true;
}

bool drg_utf8_is_ascii(struct drg_str s)
{
	for (size_t i = ascii_prefix(s); i < s.n; i++)
		if ((uint8_t)s.p[i] >= 0x80)
			return false;
	return true;
}

size_t drg_utf8_count(struct drg_str s)
{
	size_t n = 0;
	for (size_t i = 0; i < s.n; i++)
		n += !U8_IS_TRAIL((uint8_t)s.p[i]);
	return n;
}

struct drg_str drg_utf8_cut(struct drg_str s, size_t max)
{
	if (s.n <= max)
		return s;
	while (max > 0 && U8_IS_TRAIL((uint8_t)s.p[max]))
		max--;
	assert(max <= s.n);
	return drg_str(s.p, max);
}

bool drg_utf8_has_control(struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		uint8_t c = (uint8_t)s.p[i];
		if ((c < 0x20 && c != '\t' && c != '\n') || c == 0x7f)
			return true;
		/* C1, U+0080..U+009F, is C2 80..C2 9F. */
		if (c == 0xc2 && i + 1 < s.n && (uint8_t)s.p[i + 1] < 0xa0)
			return true;
	}
	return false;
}

/* Unicode's White_Space, which does not grow. */
static bool is_white(UChar32 c)
{
	return (c >= 0x9 && c <= 0xd) || c == 0x20 || c == 0x85 || c == 0xa0 || c == 0x1680 ||
	       (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 || c == 0x202f || c == 0x205f ||
	       c == 0x3000;
}

bool drg_utf8_has(struct drg_str s, bool white)
{
	const uint8_t *p = (const uint8_t *)s.p;
	for (size_t i = 0; i < s.n;) {
		UChar32 c;
		U8_NEXT(p, i, s.n, c);
		if (is_white(c) == white)
			return true;
	}
	return false;
}

bool drg_utf8_is_blank(struct drg_str s)
{
	return !drg_utf8_has(s, false);
}
