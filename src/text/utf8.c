#include "text/utf8.h"

#include <assert.h>
#include <unicode/utf8.h>

static const uint64_t HIGH_BITS = UINT64_C(0x8080808080808080), SPACES = UINT64_C(0x2020202020202020);

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

size_t drg_utf8_put(uint32_t c, char ret[4])
{
	uint8_t bytes[4];
	size_t n = 0;
	if (c > 0x10ffff || U_IS_SURROGATE(c))
		return 0;
	U8_APPEND_UNSAFE(bytes, n, c);
	memcpy(ret, bytes, n);
	return n;
}

uint32_t drg_utf8_only(struct drg_str s)
{
	size_t n = 0;
	UChar32 c = -1;
	if (s.n > 0)
		U8_NEXT((const uint8_t *)s.p, n, s.n, c);
	return c > 0 && n == s.n ? (uint32_t)c : 0;
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

struct drg_str drg_utf8_first(struct drg_str s, size_t count)
{
	size_t i = 0;
	for (; i < s.n && count > 0; count--)
		U8_FWD_1((const uint8_t *)s.p, i, s.n);
	return drg_str(s.p, i);
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

/* Mark the bytes of a word that are not printable ASCII: their high bit is set, or gets set by adding 1
 * (0x7f) or subtracting a space. Not 0 if there is one; the marked bytes themselves are not exact. */
static uint64_t unprintable(uint64_t word)
{
	return (word | (word + UINT64_C(0x0101010101010101)) | (word - SPACES)) & HIGH_BITS;
}

/* Load a text of less than eight bytes into a word, by repeating its bytes. */
static uint64_t short_word(struct drg_str s)
{
	uint32_t first, last;
	if (s.n < sizeof first) {
		const uint64_t a = (uint8_t)s.p[0], b = (uint8_t)s.p[s.n / 2], c = (uint8_t)s.p[s.n - 1];
		return a * UINT64_C(0x0001000001000001) | b << 8 | b << 32 | c << 16 | c << 40 | a << 56;
	}
	memcpy(&first, s.p, sizeof first);
	memcpy(&last, s.p + s.n - sizeof last, sizeof last);
	return first | (uint64_t)last << 32;
}

/* Most text is printable ASCII and is checked word by word; the last word overlaps the previous one. */
static bool is_printable(struct drg_str s, bool *blank)
{
	uint64_t word, odd = 0, seen = 0;
	if (s.n < sizeof word) {
		word = s.n > 0 ? short_word(s) : SPACES;
		*blank = word == SPACES;
		return unprintable(word) == 0;
	}
	for (size_t i = 0; i + sizeof word <= s.n && odd == 0; i += sizeof word) {
		memcpy(&word, s.p + i, sizeof word);
		odd = unprintable(word);
		seen |= word ^ SPACES;
	}
	memcpy(&word, s.p + s.n - sizeof word, sizeof word);
	*blank = (seen | (word ^ SPACES)) == 0;
	return (odd | unprintable(word)) == 0;
}

struct drg_utf8_look drg_utf8_look(struct drg_str s)
{
	const uint8_t *p = (const uint8_t *)s.p;
	struct drg_utf8_look look = { .valid = true, .blank = true };
	bool blank;
	if (is_printable(s, &blank))
		return (struct drg_utf8_look){ .valid = true, .blank = blank, .count = s.n };
	for (size_t i = 0; i < s.n; look.count++) {
		UChar32 c = p[i];
		if (c < 0x80) {
			i++;
		} else if (c > 0xc2 && c < 0xe0 && i + 1 < s.n && U8_IS_TRAIL(p[i + 1])) {
			i += 2; /* U+00C0 to U+07FF, Cyrillic for example: no controls, no white space */
			look.blank = false;
			continue;
		} else {
			U8_NEXT(p, i, s.n, c);
		}
		if (c < 0) {
			look.valid = false;
			break;
		}
		look.control =
		        look.control || (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7f && c < 0xa0);
		look.blank = look.blank && is_white(c);
	}
	return look;
}

bool drg_utf8_is_blank(struct drg_str s)
{
	return !drg_utf8_has(s, false);
}

/* Unicode's Default_Ignorable_Code_Point, those that may be assigned yet included. */
static bool is_ignorable(UChar32 c)
{
	static const struct {
		UChar32 from, to;
	} ranges[] = { { 0xad, 0xad },      { 0x34f, 0x34f },   { 0x61c, 0x61c },     { 0x115f, 0x1160 },
		       { 0x17b4, 0x17b5 },  { 0x180b, 0x180f }, { 0x200b, 0x200f },   { 0x202a, 0x202e },
		       { 0x2060, 0x206f },  { 0x3164, 0x3164 }, { 0xfe00, 0xfe0f },   { 0xfeff, 0xfeff },
		       { 0xffa0, 0xffa0 },  { 0xfff0, 0xfff8 }, { 0x1bca0, 0x1bca3 }, { 0x1d173, 0x1d17a },
		       { 0xe0000, 0xe0fff } };
	for (size_t i = 0; i < sizeof ranges / sizeof ranges[0] && c >= ranges[i].from; i++)
		if (c <= ranges[i].to)
			return true;
	return false;
}

size_t drg_utf8_unseen(struct drg_str s)
{
	UChar32 c;
	size_t n = 0;
	U8_NEXT((const uint8_t *)s.p, n, s.n, c);
	return is_white(c) || is_ignorable(c) || (c >= 0 && c < 0x20) ? n : 0;
}

struct drg_str drg_utf8_trim(struct drg_str s)
{
	size_t n;
	while (s.n > 0 && ((uint8_t)*s.p <= ' ' || (uint8_t)*s.p >= 0x80) && (n = drg_utf8_unseen(s)) > 0)
		s = drg_str(s.p + n, s.n - n);
	while (s.n > 0 && ((uint8_t)s.p[s.n - 1] <= ' ' || (uint8_t)s.p[s.n - 1] >= 0x80)) {
		size_t at = s.n - 1;
		while (at > 0 && U8_IS_TRAIL((uint8_t)s.p[at]) && s.n - at < 4)
			at--;
		n = drg_utf8_unseen(drg_str(s.p + at, s.n - at));
		if (n == 0 || at + n != s.n)
			break;
		s.n = at;
	}
	return s;
}
