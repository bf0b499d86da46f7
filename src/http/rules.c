#include "http/rules.h"

#include <stdint.h>
#include <string.h>

#define BIT(rule) (1U << DRG_RULE_##rule)

/* clang-format off */
const struct drg_rule_row drg_rules[DRG_RULE_COUNT] = {
	[DRG_RULE_ADDRESS_SIZE] = { "RFC 9110, 4.1", 414, DRG_R(address_too_long), "the address is too long" },
	[DRG_RULE_HEADERS_SIZE] = { "RFC 6585, 5", 431, DRG_R(headers_too_large),
		"the request headers are too large" },
	[DRG_RULE_BARE_LF] = { "RFC 9112, 2.2", 400, DRG_R(bad_header),
		"a line of the head ends with LF alone" },
	[DRG_RULE_CONTROL] = { "RFC 9112, 2.2", 400, DRG_R(bad_header),
		"the first line contains a control character" },
	[DRG_RULE_LINE] = { "RFC 9112, 3", 400, DRG_R(bad_target),
	                    "the first line is not method, address and version with one space between them" },
	[DRG_RULE_METHOD] = { "RFC 9110, 9.1", 400, DRG_R(bad_header), "the method is not a token of HTTP" },
	[DRG_RULE_TARGET] = { "RFC 9112, 3.2", 400, DRG_R(bad_target),
	                      "the address contains a fragment or a character that is not visible ASCII" },
	[DRG_RULE_VERSION] = { "RFC 9112, 2.3", 400, DRG_R(bad_header),
		"the first line does not end with HTTP/1.1" },
	[DRG_RULE_MAJOR] = { "RFC 9110, 15.6.6", 505, DRG_R(version_not_supported),
		"this server speaks HTTP/1.1 and HTTP/1.0" },
	[DRG_RULE_KNOWN_METHOD] = { "RFC 9110, 15.6.2", 501, DRG_R(not_implemented),
		"this server does not know this method" },
	[DRG_RULE_FOLDED] = { "RFC 9112, 5.2", 400, DRG_R(bad_header),
		"a line of the head begins with a space" },
	[DRG_RULE_COLON] = { "RFC 9112, 5", 400, DRG_R(bad_header), "a line of the head has no colon" },
	[DRG_RULE_NAME] = { "RFC 9112, 5.1", 400, DRG_R(bad_header),
	                    "the name of a header field is empty, or contains a space or another forbidden "
	                    "character" },
	[DRG_RULE_VALUE] = { "RFC 9110, 5.5", 400, DRG_R(bad_header),
		"the value of a header field contains a control character" },
	[DRG_RULE_LENGTH_TWICE] = { "RFC 9112, 6.3", 400, DRG_R(bad_framing),
		"Content-Length must be sent once" },
	[DRG_RULE_LENGTH_AND_CODING] = { "RFC 9112, 6.1", 400, DRG_R(bad_framing),
	                                 "Content-Length and Transfer-Encoding must not be sent together" },
	[DRG_RULE_CODING_1_0] = { "RFC 9112, 6.1", 400, DRG_R(bad_framing),
		"Transfer-Encoding must not be sent with HTTP/1.0" },
	[DRG_RULE_CODING] = { "RFC 9112, 6.1", 501, DRG_R(not_implemented),
		"Transfer-Encoding must be chunked, once" },
	[DRG_RULE_HOST_TWICE] = { "RFC 9112, 3.2", 400, DRG_R(bad_host), "Host must be sent once" },
	[DRG_RULE_NO_HOST] = { "RFC 9112, 3.2", 400, DRG_R(bad_host), "HTTP/1.1 requires Host" },
	[DRG_RULE_HOST] = { "RFC 9112, 3.2", 400, DRG_R(bad_host), "Host is not a host name" },
	[DRG_RULE_TRAILER] = { "RFC 9110, 6.5.1", 400, DRG_R(bad_framing),
		"a trailer says how the request is framed or routed" },
	[DRG_RULE_PARSER] = { "RFC 9112", 400, DRG_R(bad_framing),
		"the request is not framed as HTTP/1.1 asks" },
	[DRG_RULE_CHUNK] = { "RFC 9112, 7.1", 400, DRG_R(bad_framing),
		"the chunks of the body are not as HTTP/1.1 asks" },
};
/* clang-format on */

/* ---- characters ---- */

/** True if all characters are in the set. @param set  One bit for each character. */
static bool all_among(struct drg_str s, const uint64_t set[static 4])
{
	uint64_t all = 1;
	for (size_t i = 0; i < s.n; i++) {
		unsigned char c = (unsigned char)s.p[i];
		all &= set[c >> 6] >> (c & 63);
	}
	return (all & 1) != 0;
}

static bool is_token(struct drg_str s)
{
	/* The characters of a field name (RFC 9110, 5.6.2). */
	static const uint64_t allowed[4] = { UINT64_C(0x03ff6cfa00000000), UINT64_C(0x57ffffffc7fffffe) };
	return s.n > 0 && all_among(s, allowed);
}

/* Eight bytes at a time. */
static const uint64_t EACH = UINT64_C(0x0101010101010101), HIGH = UINT64_C(0x8080808080808080);

static uint64_t load_word(const char *at)
{
	uint64_t w;
	memcpy(&w, at, sizeof w);
	return w;
}

/** Mark the bytes below @p c. Not 0 if there is one; exact if all bytes of @p w are below 0x80. */
static uint64_t bytes_below(uint64_t w, unsigned char c)
{
	return (w - EACH * c) & ~w & HIGH;
}

static uint64_t bytes_equal(uint64_t w, unsigned char c)
{
	return bytes_below(w ^ EACH * c, 1);
}

/** True if one of eight bytes is a control character. Exact, except that a tab counts as one. */
static bool may_have_control(const char *at)
{
	uint64_t w = load_word(at);
	return (bytes_below(w, ' ') | bytes_equal(w, 0x7f)) != 0;
}

/** True if one of eight bytes is not visible ASCII, or is '#'. */
static bool has_invisible(const char *at)
{
	uint64_t w = load_word(at);
	return ((w & HIGH) | bytes_below(w, '!') | bytes_equal(w, 0x7f) | bytes_equal(w, '#')) != 0;
}

static bool has_control(struct drg_str s)
{
	bool found = false;
	size_t i = 0;
	while (i + 8 <= s.n && !may_have_control(s.p + i))
		i += 8;
	/* the rest; checks some earlier bytes a second time */
	if (i + 8 > s.n && s.n >= 8 && !may_have_control(s.p + s.n - 8))
		return false;
	for (; i < s.n; i++)
		found |= ((unsigned char)s.p[i] < ' ' && s.p[i] != '\t') || s.p[i] == 0x7f;
	return found;
}

static bool is_visible(struct drg_str s)
{
	bool all = true;
	size_t i = 0;
	for (; i + 8 <= s.n; i += 8)
		all &= !has_invisible(s.p + i);
	if (s.n >= 8)
		return all && !has_invisible(s.p + s.n - 8);
	for (; i < s.n; i++)
		all &= s.p[i] > ' ' && s.p[i] < 0x7f && s.p[i] != '#';
	return all;
}

/** Is the text a target: "/path", "http://host/path" or "*" (RFC 9112, 3.2)? Only CONNECT has another
 * form. */
static bool is_target(struct drg_str s)
{
	bool form = s.p[0] == '/' || (s.p[0] == '*' && s.n == 1) || memmem(s.p, s.n, "://", 3) != NULL;
	return form && is_visible(s);
}

bool drg_rules_is_host(struct drg_str host)
{
	/* visible ASCII except / \ ? # @ , < > " */
	static const uint64_t allowed[4] = { UINT64_C(0x2fff6ff200000000), UINT64_C(0x7fffffffeffffffe) };
	return all_among(host, allowed);
}

/* ---- lines ---- */

/** Get the next line, without its end. @return false: there is none. */
static bool rules_next_line(struct drg_str *rest, struct drg_str *ret, unsigned *broken)
{
	const char *lf = rest->n > 0 ? memchr(rest->p, '\n', rest->n) : NULL;
	if (lf == NULL)
		return false;
	size_t n = (size_t)(lf - rest->p);
	bool cr = n > 0 && lf[-1] == '\r';
	*broken |= cr ? 0 : BIT(BARE_LF);
	*ret = drg_str(rest->p, cr ? n - 1 : n);
	*rest = drg_str(lf + 1, rest->n - n - 1);
	return true;
}

static bool is_known_method(struct drg_str method)
{
	static const char *const known[] = { "GET",    "HEAD",    "POST",  "PUT",
		                             "DELETE", "OPTIONS", "TRACE", "PATCH" };
	for (size_t i = 0; i < sizeof known / sizeof known[0]; i++)
		if (drg_str_eq(method, drg_str_c(known[i])))
			return true;
	return false;
}

static bool is_version(struct drg_str v)
{
	return v.n == 8 && memcmp(v.p, "HTTP/", 5) == 0 && v.p[5] >= '0' && v.p[5] <= '9' && v.p[6] == '.' &&
	       v.p[7] >= '0' && v.p[7] <= '9';
}

static unsigned check_line_bytes(struct drg_str line, struct drg_request_line *ret)
{
	struct drg_str rest = line;
	unsigned broken = has_control(line) ? BIT(CONTROL) : 0;
	bool three = drg_str_split(&rest, ' ', &ret->method) && drg_str_split(&rest, ' ', &ret->target) &&
	             drg_str_split(&rest, ' ', &ret->version);
	if (!three || rest.n > 0 || ret->target.n == 0 || line.p[line.n - 1] == ' ')
		return broken | BIT(LINE);
	broken |= is_token(ret->method) ? 0 : BIT(METHOD);
	broken |= is_target(ret->target) ? 0 : BIT(TARGET);
	if (!is_version(ret->version))
		return broken | BIT(VERSION);
	/* An unknown minor version counts as HTTP/1 (RFC 9110, 2.5); only 0 and 1 exist. */
	broken |= ret->version.p[5] == '1' && ret->version.p[7] <= '1' ? 0 : BIT(MAJOR);
	return broken | (is_known_method(ret->method) ? 0 : BIT(KNOWN_METHOD));
}

static unsigned check_field_bytes(struct drg_str line, const struct drg_fields *known, drg_rules_field_fn *fn,
                                  void *ctx)
{
	if (line.n > 0 && (line.p[0] == ' ' || line.p[0] == '\t'))
		return BIT(FOLDED);
	const char *colon = memchr(line.p, ':', line.n);
	if (colon == NULL)
		return BIT(COLON);
	size_t n = (size_t)(colon - line.p);
	struct drg_str name = drg_str(line.p, n), value = drg_str_trim(drg_str(colon + 1, line.n - n - 1));
	const unsigned number = drg_fields_find(known, name);
	unsigned broken = number != DRG_FIELD_NONE || is_token(name) ? 0 : BIT(NAME);
	/* Check this here and not after llhttp: its versions stop at different places. */
	if (number == DRG_FIELD_CODING && !drg_str_eq_nocase(value, DRG_STR("chunked")))
		broken |= BIT(CODING);
	broken |= has_control(value) ? BIT(VALUE) : 0;
	if (broken == 0)
		fn(ctx, number, value);
	return broken;
}

unsigned drg_rules_fields(struct drg_str fields, const struct drg_fields *known, drg_rules_field_fn *fn,
                          void *ctx)
{
	unsigned broken = 0;
	struct drg_str line;
	bool ended = false;
	while (!ended && rules_next_line(&fields, &line, &broken)) {
		ended = line.n == 0;
		broken |= ended ? 0 : check_field_bytes(line, known, fn, ctx);
	}
	return broken | (ended && fields.n == 0 ? 0 : BIT(PARSER));
}

unsigned drg_rules_head(struct drg_str head, const struct drg_fields *known, struct drg_request_line *ret,
                        drg_rules_field_fn *fn, void *ctx)
{
	struct drg_str line = head;
	unsigned broken = 0;
	*ret = (struct drg_request_line){ .method = drg_str(NULL, 0) };
	bool has_line = rules_next_line(&head, &line, &broken);
	broken |= line.n > 0 ? check_line_bytes(line, ret) : BIT(LINE);
	return broken | (has_line ? drg_rules_fields(head, known, fn, ctx) : BIT(PARSER));
}
