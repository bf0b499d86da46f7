#include "base/str.h"

#include <assert.h>

static char str_lower(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

bool drg_str_eq_nocase(struct drg_str a, struct drg_str b)
{
	if (a.n != b.n)
		return false;
	for (size_t i = 0; i < a.n; i++)
		if (str_lower(a.p[i]) != str_lower(b.p[i]))
			return false;
	return true;
}

int drg_str_cmp(struct drg_str a, struct drg_str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n > 0 ? memcmp(a.p, b.p, n) : 0;
	if (c != 0)
		return c;
	return a.n < b.n ? -1 : a.n > b.n;
}

/* Check the second byte, if the first allows fewer than 80..BF: other bytes would make a form that is longer
 * than needed, half of a surrogate pair, or a character beyond U+10FFFF. */
static bool str_second_fits(unsigned char first, unsigned char second)
{
	switch (first) {
	case 0xE0: return second >= 0xA0;
	case 0xED: return second <= 0x9F;
	case 0xF0: return second >= 0x90;
	case 0xF4: return second <= 0x8F;
	default: return true;
	}
}

size_t drg_str_character(struct drg_str s)
{
	unsigned char first = s.n > 0 ? (unsigned char)s.p[0] : 0x80;
	if ((first >= 0x80 && first < 0xC2) || first >= 0xF5)
		return 0;
	size_t n = 1U + (first >= 0xC2) + (first >= 0xE0) + (first >= 0xF0);
	for (size_t i = 1; i < n; i++)
		if (i == s.n || ((unsigned char)s.p[i] & 0xC0) != 0x80)
			return 0;
	return n == 1 || str_second_fits(first, (unsigned char)s.p[1]) ? n : 0;
}

/* C1, U+0080..U+009F, is C2 80..C2 9F. */
static bool str_is_control(const char *p, size_t n)
{
	unsigned char c = (unsigned char)p[0];
	return n == 1 ? c < 0x20 || c == 0x7f : n == 2 && c == 0xc2 && (unsigned char)p[1] < 0xa0;
}

/* Bidi_Control of Unicode: U+061C, U+200E, U+200F, U+202A..U+202E, U+2066..U+2069. */
static bool str_is_bidi(const char *p, size_t n)
{
	static const char marks[] = "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069";
	if (n == 2)
		return memcmp(p, "\u061c", 2) == 0;
	for (const char *m = marks; n == 3 && *m != '\0'; m += 3)
		if (memcmp(p, m, 3) == 0)
			return true;
	return false;
}

size_t drg_str_sanitize(char *p, size_t n)
{
	size_t to = 0;
	for (size_t at = 0, step = 0; at < n; at += step == 0 ? 1 : step) {
		step = drg_str_character(drg_str(p + at, n - at));
		if (p[at] == '\n' || p[at] == '\t') {
			p[to++] = ' ';
		} else if (step == 0 || str_is_control(p + at, step) || str_is_bidi(p + at, step)) {
			p[to++] = '?';
		} else {
			memmove(p + to, p + at, step);
			to += step;
		}
	}
	assert(to <= n);
	return to;
}

struct drg_str drg_str_trim(struct drg_str s)
{
	while (s.n > 0 && (s.p[0] == ' ' || s.p[0] == '\t')) {
		s.p++;
		s.n--;
	}
	while (s.n > 0 && (s.p[s.n - 1] == ' ' || s.p[s.n - 1] == '\t'))
		s.n--;
	return s;
}

bool drg_str_is_among(struct drg_str word, const char *words)
{
	assert(word.n > 0 && words[0] == ' ');
	for (const char *at = words + 1; (at = memmem(at, strlen(at), word.p, word.n)) != NULL; at++)
		if (at[-1] == ' ' && at[word.n] == ' ')
			return true;
	return false;
}

bool drg_str_split(struct drg_str *rest, char sep, struct drg_str *ret_part)
{
	if (rest->p == NULL)
		return false;
	const char *at = rest->n > 0 ? memchr(rest->p, sep, rest->n) : NULL;
	if (at == NULL) {
		*ret_part = *rest;
		*rest = drg_str(NULL, 0);
	} else {
		size_t n = (size_t)(at - rest->p);
		*ret_part = drg_str(rest->p, n);
		*rest = drg_str(at + 1, rest->n - n - 1);
	}
	return true;
}

bool drg_str_to_i64(struct drg_str s, int64_t *ret)
{
	bool neg = s.n > 0 && s.p[0] == '-';
	size_t i = neg ? 1 : 0;
	if (i == s.n)
		return false;
	/* Sum negative numbers: their range reaches one further. */
	int64_t v = 0;
	for (; i < s.n; i++) {
		int d = s.p[i] - '0';
		if (d < 0 || d > 9)
			return false;
		if (__builtin_mul_overflow(v, 10, &v) || __builtin_sub_overflow(v, d, &v))
			return false;
	}
	if (!neg && v == INT64_MIN)
		return false;
	*ret = neg ? v : -v;
	return true;
}

bool drg_str_is_canonical_i64(struct drg_str s, int64_t *ret)
{
	if (s.n == 0 || s.n > 20)
		return false;
	size_t first = s.p[0] == '-' ? 1 : 0;
	if (first < s.n && s.p[first] == '0' && (s.n > first + 1 || first == 1))
		return false;
	return drg_str_to_i64(s, ret);
}

size_t drg_i64_text(int64_t v, char *buf)
{
	char tmp[DRG_I64_TEXT];
	size_t n = 0;
	uint64_t u = v < 0 ? 0 - (uint64_t)v : (uint64_t)v;
	do {
		tmp[n++] = (char)('0' + u % 10);
		u /= 10;
	} while (u > 0);
	size_t len = 0;
	if (v < 0)
		buf[len++] = '-';
	while (n > 0)
		buf[len++] = tmp[--n];
	buf[len] = '\0';
	return len;
}
