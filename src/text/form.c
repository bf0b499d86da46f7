#include "text/form.h"

#include <assert.h>

#include "text/utf8.h"

/* Up to this length, a loop over the bytes is faster than a search for each special character. */
enum { SHORT_TEXT = 12 };

static int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	if (c >= 'A' && c <= 'F')
		return c - 'A' + 10;
	return -1;
}

static bool needs_decoding(struct drg_str s, bool plus)
{
	return s.n > 0 && (memchr(s.p, '%', s.n) != NULL || (plus && memchr(s.p, '+', s.n) != NULL));
}

/** True if the text has only characters that need no decoding. */
static bool is_plain(struct drg_str s)
{
	/* visible ASCII except '%' and '+', one bit each */
	static const uint64_t allowed[4] = { UINT64_C(0xfffff7de00000000), UINT64_C(0x7fffffffffffffff) };
	uint64_t all = 1;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		all &= allowed[c >> 6] >> (c & 63);
	}
	return (all & 1) != 0;
}

/** Decode into @p out, which has room for in.n bytes; false for a bad escape. */
static bool unescape(struct drg_str in, bool plus, char *out, size_t *ret_n)
{
	size_t n = 0;
	for (size_t i = 0; i < in.n; i++) {
		char c = in.p[i];
		if (c == '%') {
			int high = i + 2 < in.n ? hex_digit(in.p[i + 1]) : -1;
			int low = i + 2 < in.n ? hex_digit(in.p[i + 2]) : -1;
			if (high < 0 || low < 0)
				return false;
			c = (char)(high * 16 + low);
			i += 2;
		} else if (c == '+' && plus) {
			c = ' ';
		}
		out[n++] = c;
	}
	assert(n <= in.n);
	*ret_n = n;
	return true;
}

int drg_percent_decode(struct drg_str in, bool plus, const char *what, struct drg_arena *arena,
                       struct drg_str *ret, struct drg_err *reterr)
{
	assert(what != NULL && arena != NULL);
	struct drg_str s = in;
	if (in.n <= SHORT_TEXT && is_plain(in)) {
		*ret = in;
		return DRG_OK;
	}
	if (needs_decoding(in, plus)) {
		char *out = drg_arena_alloc(arena, in.n);
		if (out == NULL)
			return drg_fail_memory(reterr);
		if (!unescape(in, plus, out, &s.n))
			return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_escape), NULL,
			                "the %s has a %% that is not followed by two hexadecimal digits",
			                what);
		s.p = out;
	}
	if (s.n > 0 && memchr(s.p, '\0', s.n) != NULL)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_encoding), NULL,
		                "the %s contains a NUL character", what);
	if (!drg_utf8_valid(s, NULL))
		return drg_fail(reterr, DRG_EINVAL, DRG_R(bad_encoding), NULL, "the %s is not valid UTF-8",
		                what);
	*ret = s;
	return DRG_OK;
}

int drg_form_each(struct drg_str text, struct drg_arena *arena, drg_pair_fn *fn, void *ctx,
                  struct drg_err *reterr)
{
	struct drg_str pair;
	while (drg_str_split(&text, '&', &pair)) {
		if (pair.n == 0)
			continue;
		const char *equals = memchr(pair.p, '=', pair.n);
		size_t name_n = equals != NULL ? (size_t)(equals - pair.p) : pair.n;
		struct drg_str name = drg_str(pair.p, name_n);
		struct drg_str value =
		        equals != NULL ? drg_str(equals + 1, pair.n - name_n - 1) : drg_str("", 0);
		int rc = drg_percent_decode(name, true, "name of a parameter", arena, &name, reterr);
		if (rc == DRG_OK)
			rc = drg_percent_decode(value, true, "value of a parameter", arena, &value, reterr);
		if (rc == DRG_OK)
			rc = fn(ctx, name, value);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}
