#include "text/json_scan.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "text/json.h"
#include "text/utf8.h"

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

/* Stands for itself inside a string. */
static bool is_plain(char c)
{
	return (unsigned char)c >= 0x20 && c != '"' && c != '\\';
}

enum { NOT_HEX = 0x10000 };

/* The code unit of four hexadecimal digits, or NOT_HEX. */
static uint32_t hex4(const char *p)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		char c = p[i], low = (char)(c | 0x20);
		if (is_digit(c))
			v = v << 4 | (uint32_t)(c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (uint32_t)(low - 'a' + 10);
		else
			return NOT_HEX;
	}
	return v;
}

/* A number's text, to be followed by something else. Room for what people write; longer ones are rare. */
static double real_of(struct drg_str s)
{
	char small[64], *z = s.n < sizeof small ? small : strndup(s.p, s.n);
	if (z == NULL)
		return HUGE_VAL;
	if (z == small) {
		memcpy(small, s.p, s.n);
		small[s.n] = '\0';
	}
	double d = strtod(z, NULL);
	if (z != small)
		free(z);
	return d;
}

/* ---- checking ------------------------------------------------------------------------------------------ */

/* p stands at the first character that is not accepted yet. On failure it stands at the fault. */
struct checker {
	const char *p, *end;
	unsigned depth;
	const char *value_end; /* where the whole text's value ends */
	const char *reason, *problem;
};

static bool check_value(struct checker *c);

static bool fault(struct checker *c, const char *reason, const char *problem)
{
	c->reason = reason;
	c->problem = problem;
	return false;
}

static bool invalid(struct checker *c, const char *problem)
{
	return fault(c, "invalid_json", c->p < c->end ? problem : "the text ends too early");
}

static char peek(const struct checker *c)
{
	return c->p < c->end ? *c->p : '\0';
}

static char peek_token(struct checker *c)
{
	while (c->p < c->end && is_space(*c->p))
		c->p++;
	return peek(c);
}

static bool check_unicode_escape(struct checker *c)
{
	uint32_t unit = c->end - c->p >= 6 ? hex4(c->p + 2) : NOT_HEX;
	if (unit == NOT_HEX)
		return invalid(c, "expected four hexadecimal digits behind \\u");
	if (unit == 0)
		return invalid(c, "\\u0000 is not allowed");
	c->p += 6;
	if (!U16_IS_SURROGATE(unit))
		return true;
	bool pair = U16_IS_SURROGATE_LEAD(unit) && c->end - c->p >= 6 && c->p[0] == '\\' && c->p[1] == 'u';
	uint32_t trail = pair ? hex4(c->p + 2) : NOT_HEX;
	if (trail == NOT_HEX || !U16_IS_TRAIL(trail))
		return invalid(c, "expected both halves of a surrogate pair");
	c->p += 6;
	return true;
}

static bool check_escape(struct checker *c)
{
	char letter = c->end - c->p >= 2 ? c->p[1] : '\0';
	if (letter == 'u')
		return check_unicode_escape(c);
	if (letter == '\0' || strchr("\"\\/bfnrt", letter) == NULL)
		return invalid(c, "unknown escape");
	c->p += 2;
	return true;
}

static bool check_string(struct checker *c)
{
	for (c->p++;;) {
		while (c->p < c->end && is_plain(*c->p))
			c->p++;
		if (peek(c) == '"') {
			c->p++;
			return true;
		}
		if (peek(c) != '\\')
			return invalid(c, "a control character must be written as an escape");
		if (!check_escape(c))
			return false;
	}
}

static bool check_digits(struct checker *c)
{
	if (!is_digit(peek(c)))
		return invalid(c, "expected a digit");
	while (is_digit(peek(c)))
		c->p++;
	return true;
}

static bool check_range(struct checker *c, struct drg_str number, bool real, bool exponent)
{
	enum { ALWAYS_INT64 = 18, ALWAYS_FINITE = 308 };
	int64_t i;
	bool fits = real ? (!exponent && number.n <= ALWAYS_FINITE) || isfinite(real_of(number))
	                 : number.n <= ALWAYS_INT64 || drg_str_to_i64(number, &i);
	if (fits)
		return true;
	c->p = number.p;
	return fault(c, "out_of_range", real ? "the number is too big" : "the integer is too big");
}

static bool check_number(struct checker *c)
{
	const char *start = c->p;
	bool real = false, exponent = false;
	if (peek(c) == '-')
		c->p++;
	if (peek(c) == '0' && c->end - c->p > 1 && is_digit(c->p[1]))
		return invalid(c, "a number must not begin with a zero");
	if (!check_digits(c))
		return false;
	if (peek(c) == '.') {
		real = true;
		c->p++;
		if (!check_digits(c))
			return false;
	}
	if ((peek(c) | 0x20) == 'e') {
		real = exponent = true;
		c->p++;
		if (peek(c) == '+' || peek(c) == '-')
			c->p++;
		if (!check_digits(c))
			return false;
	}
	return check_range(c, drg_str(start, (size_t)(c->p - start)), real, exponent);
}

static bool check_word(struct checker *c, struct drg_str word)
{
	if ((size_t)(c->end - c->p) < word.n || memcmp(c->p, word.p, word.n) != 0)
		return fault(c, "invalid_json", "expected a value");
	c->p += word.n;
	return true;
}

static bool check_member(struct checker *c)
{
	if (peek_token(c) != '"')
		return invalid(c, "expected a member name in quotes");
	if (!check_string(c))
		return false;
	if (peek_token(c) != ':')
		return invalid(c, "expected ':'");
	c->p++;
	return check_value(c);
}

static bool check_container(struct checker *c, char close)
{
	if (c->depth == DRG_JSON_DEPTH)
		return fault(c, "too_deep", "nested more than 32 levels deep");
	c->depth++;
	c->p++;
	if (peek_token(c) != close) {
		for (;; c->p++) {
			if (!(close == '}' ? check_member(c) : check_value(c)))
				return false;
			if (peek_token(c) != ',')
				break;
		}
		if (peek(c) != close)
			return invalid(c, close == '}' ? "expected ',' or '}'" : "expected ',' or ']'");
	}
	c->p++;
	c->depth--;
	return true;
}

static bool check_value(struct checker *c)
{
	switch (peek_token(c)) {
	case '{': return check_container(c, '}');
	case '[': return check_container(c, ']');
	case '"': return check_string(c);
	case 't': return check_word(c, DRG_STR("true"));
	case 'f': return check_word(c, DRG_STR("false"));
	case 'n': return check_word(c, DRG_STR("null"));
	case '-': return check_number(c);
	default: return is_digit(peek(c)) ? check_number(c) : invalid(c, "expected a value");
	}
}

static bool check_text(struct checker *c, struct drg_str text)
{
	size_t bad;
	if (!drg_utf8_valid(text, &bad)) {
		c->p = text.p + bad;
		return fault(c, "invalid_utf8", "not UTF-8");
	}
	if (!check_value(c))
		return false;
	c->value_end = c->p;
	peek_token(c);
	return c->p == c->end || invalid(c, "expected nothing behind the value");
}

/* ---- walking ------------------------------------------------------------------------------------------- */

/* The text is checked, so every construct is known to be complete. */

static const char *skip_space(const char *p)
{
	while (is_space(*p))
		p++;
	return p;
}

/* From the opening quote to behind the closing one. */
static const char *skip_string(const char *p, bool *ret_escapes)
{
	for (p++; *p != '"'; p++) {
		if (*p == '\\') {
			*ret_escapes = true;
			p++;
		}
	}
	return p + 1;
}

static const char *skip_container(const char *p)
{
	unsigned depth = 0;
	bool escapes;
	do {
		if (*p == '"') {
			p = skip_string(p, &escapes);
			continue;
		}
		if (*p == '{' || *p == '[')
			depth++;
		else if (*p == '}' || *p == ']')
			depth--;
		p++;
	} while (depth > 0);
	return p;
}

static const char *decode_escape(const char *p, uint8_t *out, size_t *n)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	if (p[1] != 'u') {
		out[(*n)++] = (uint8_t)values[strchr(letters, p[1]) - letters];
		return p + 2;
	}
	uint32_t c = hex4(p + 2);
	p += 6;
	if (U16_IS_SURROGATE(c)) {
		c = (uint32_t)U16_GET_SUPPLEMENTARY(c, hex4(p + 2));
		p += 6;
	}
	U8_APPEND_UNSAFE(out, *n, c);
	return p;
}

/* @p s is what stands between the quotes; decoded it is never longer. */
static int decode(struct drg_str s, struct drg_arena *a, struct drg_str *ret)
{
	uint8_t *out = drg_arena_alloc(a, s.n);
	if (out == NULL)
		return DRG_ENOMEM;
	size_t n = 0;
	for (const char *p = s.p; p < s.p + s.n;) {
		if (*p == '\\')
			p = decode_escape(p, out, &n);
		else
			out[n++] = (uint8_t)*p++;
	}
	*ret = drg_str((const char *)out, n);
	return DRG_OK;
}

static int read_string(const char **p, struct drg_arena *a, struct drg_str *ret)
{
	bool escapes = false;
	const char *start = *p + 1;
	*p = skip_string(*p, &escapes);
	struct drg_str s = drg_str(start, (size_t)(*p - 1 - start));
	if (escapes)
		return decode(s, a, ret);
	*ret = s;
	return DRG_OK;
}

static bool in_number(char c)
{
	return is_digit(c) || c == '-' || c == '+' || c == '.' || c == 'e' || c == 'E';
}

/* @p end bounds a number that ends the text; elsewhere something that is no number follows. */
static void read_number(const char **p, const char *end, struct drg_json_item *ret)
{
	const char *start = *p;
	bool real = false;
	for (; *p < end && in_number(**p); (*p)++)
		real |= **p == '.' || (**p | 0x20) == 'e';
	struct drg_str s = drg_str(start, (size_t)(*p - start));
	ret->type = real ? DRG_JSON_REAL : DRG_JSON_INT;
	if (real)
		ret->d = real_of(s);
	else if (!drg_str_to_i64(s, &ret->i))
		assert(false);
}

static struct drg_json_item container(const char *start, const char *end)
{
	return (struct drg_json_item){ .type = *start == '{' ? DRG_JSON_OBJECT : DRG_JSON_ARRAY,
		                       .s = drg_str(start, (size_t)(end - start)) };
}

static int read_value(const char **p, const char *end, struct drg_arena *a, struct drg_json_item *ret)
{
	const char *start = *p;
	switch (*start) {
	case '"': ret->type = DRG_JSON_STRING; return read_string(p, a, &ret->s);
	case '{':
	case '[':
		*p = skip_container(start);
		*ret = container(start, *p);
		break;
	case 't':
	case 'f':
		ret->type = DRG_JSON_BOOL;
		ret->b = *start == 't';
		*p += ret->b ? 4 : 5;
		break;
	case 'n':
		ret->type = DRG_JSON_NULL;
		*p += 4;
		break;
	default: read_number(p, end, ret);
	}
	return DRG_OK;
}

int drg_json_scan(struct drg_str text, struct drg_arena *arena, struct drg_json_item *ret,
                  struct drg_err *reterr)
{
	struct checker c = { .p = text.p, .end = text.p + text.n };
	if (!check_text(&c, text)) {
		size_t before = drg_utf8_count(drg_str(text.p, (size_t)(c.p - text.p)));
		return drg_fail(reterr, DRG_EINVAL, c.reason, NULL, "column %zu: %s", before + 1, c.problem);
	}
	const char *p = skip_space(text.p);
	struct drg_json_item v;
	if (*p == '{' || *p == '[')
		v = container(p, c.value_end); /* known already; no need to look for it */
	else if (read_value(&p, c.end, arena, &v) != DRG_OK)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	*ret = v;
	return DRG_OK;
}

void drg_json_walk_init(struct drg_json_walk *w, const struct drg_json_item *container,
                        struct drg_arena *arena)
{
	assert(container->type == DRG_JSON_OBJECT || container->type == DRG_JSON_ARRAY);
	*w = (struct drg_json_walk){ container->s.p + 1, container->s.p + container->s.n, arena,
		                     container->type == DRG_JSON_OBJECT };
}

int drg_json_walk_next(struct drg_json_walk *w, struct drg_str *ret_name, struct drg_json_item *ret)
{
	const char *p = skip_space(w->p);
	if (*p == ',')
		p = skip_space(p + 1);
	if (*p == '}' || *p == ']')
		return DRG_ENOENT;
	if (w->object) {
		if (read_string(&p, w->arena, ret_name) != DRG_OK)
			return DRG_ENOMEM;
		p = skip_space(skip_space(p) + 1); /* over the colon */
	}
	int rc = read_value(&p, w->end, w->arena, ret);
	w->p = p;
	return rc;
}

/* ---- messages ------------------------------------------------------------------------------------------ */

/* At most this many bytes of a text are shown. */
enum { DESCRIBE_BYTES = 60 };

static const char *describe_text(struct drg_str s, char *buf, size_t n)
{
	if (s.n == 0) {
		snprintf(buf, n, "an empty text");
		return buf;
	}
	size_t shown = s.n;
	if (shown > DESCRIBE_BYTES)
		for (shown = DESCRIBE_BYTES; shown > 0 && U8_IS_TRAIL((uint8_t)s.p[shown]);)
			shown--;
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	drg_json_escape(&b, drg_str(s.p, shown)); /* a message goes to terminals: no control characters */
	snprintf(buf, n, "the text \"%.*s%s\"", (int)b.n, b.p, shown < s.n ? "..." : "");
	drg_buf_done(&b);
	return buf;
}

static const char *describe_real(double d, char *buf, size_t n)
{
	struct drg_buf b;
	drg_buf_init(&b, 256);
	drg_json_real(&b, d);
	drg_buf_char(&b, '\0');
	/* 12.0 is written "12", but it is the point that made it an unwelcome number. */
	snprintf(buf, n, "the number %s%s", b.p, strpbrk(b.p, ".e") == NULL ? ".0" : "");
	drg_buf_done(&b);
	return buf;
}

const char *drg_json_item_describe(const struct drg_json_item *v, char *buf, size_t n)
{
	switch (v->type) {
	case DRG_JSON_STRING: return describe_text(v->s, buf, n);
	case DRG_JSON_REAL: return describe_real(v->d, buf, n);
	case DRG_JSON_INT: snprintf(buf, n, "the number %lld", (long long)v->i); break;
	case DRG_JSON_BOOL: snprintf(buf, n, v->b ? "true" : "false"); break;
	case DRG_JSON_NULL: snprintf(buf, n, "null"); break;
	case DRG_JSON_OBJECT: snprintf(buf, n, "an object"); break;
	case DRG_JSON_ARRAY: snprintf(buf, n, "an array"); break;
	}
	return buf;
}
