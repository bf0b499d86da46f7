#include "text/json_priv.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <unicode/utf16.h>

#include "text/json.h"
#include "text/json_names.h"
#include "text/utf8.h"

uint32_t drg_json_hex4(const char *p)
{
	uint32_t v = 0;
	for (int i = 0; i < 4; i++) {
		char c = p[i], low = (char)(c | 0x20);
		if (drg_json_is_digit(c))
			v = v << 4 | (uint32_t)(c - '0');
		else if (low >= 'a' && low <= 'f')
			v = v << 4 | (uint32_t)(low - 'a' + 10);
		else
			return DRG_JSON_NOT_HEX;
	}
	return v;
}

double drg_json_real_of(struct drg_str s)
{
	/* Room for what people write; longer ones are rare. */
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

/* p stands at the first character that is not accepted yet. On failure it stands at the fault. */
struct checker {
	const char *p, *end;
	unsigned depth;
	struct drg_json_names *names; /* NULL: members may stand twice */
	const struct drg_reason *reason;
	const char *problem;
	bool any_number; /* also one that neither 64 bits nor a double can hold */
};

static bool check_value(struct checker *c);

static bool fault(struct checker *c, const struct drg_reason *reason, const char *problem)
{
	c->reason = reason;
	c->problem = problem;
	return false;
}

static bool invalid(struct checker *c, const char *problem)
{
	return fault(c, DRG_R(invalid_json), c->p < c->end ? problem : "the text ends too early");
}

static char peek(const struct checker *c)
{
	return c->p < c->end ? *c->p : '\0';
}

static char peek_token(struct checker *c)
{
	while (c->p < c->end && drg_json_is_space(*c->p))
		c->p++;
	return peek(c);
}

static bool check_unicode_escape(struct checker *c)
{
	uint32_t unit = c->end - c->p >= 6 ? drg_json_hex4(c->p + 2) : DRG_JSON_NOT_HEX;
	if (unit == DRG_JSON_NOT_HEX)
		return invalid(c, "expected four hexadecimal digits behind \\u");
	if (unit == 0)
		return invalid(c, "\\u0000 is not allowed");
	c->p += 6;
	if (!U16_IS_SURROGATE(unit))
		return true;
	bool pair = U16_IS_SURROGATE_LEAD(unit) && c->end - c->p >= 6 && c->p[0] == '\\' && c->p[1] == 'u';
	uint32_t trail = pair ? drg_json_hex4(c->p + 2) : DRG_JSON_NOT_HEX;
	if (trail == DRG_JSON_NOT_HEX || !U16_IS_TRAIL(trail))
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
		c->p = drg_json_skip_plain(c->p, c->end);
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
	if (!drg_json_is_digit(peek(c)))
		return invalid(c, "expected a digit");
	while (drg_json_is_digit(peek(c)))
		c->p++;
	return true;
}

static bool check_range(struct checker *c, struct drg_str number, bool real, bool exponent)
{
	enum { ALWAYS_INT64 = 18, ALWAYS_FINITE = 308 };
	int64_t i;
	bool fits = real ? (!exponent && number.n <= ALWAYS_FINITE) || isfinite(drg_json_real_of(number))
	                 : number.n <= ALWAYS_INT64 || drg_str_to_i64(number, &i);
	if (c->any_number || fits)
		return true;
	c->p = number.p;
	return fault(c, DRG_R(out_of_range), real ? "the number is too big" : "the integer is too big");
}

static bool check_number(struct checker *c)
{
	const char *start = c->p;
	bool real = false, exponent = false;
	if (peek(c) == '-')
		c->p++;
	if (peek(c) == '0' && c->end - c->p > 1 && drg_json_is_digit(c->p[1]))
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
		return fault(c, DRG_R(invalid_json), "expected a value");
	c->p += word.n;
	return true;
}

/* On failure c->p stands at the name. */
static bool check_name(struct checker *c, struct drg_json_object *o)
{
	if (peek_token(c) != '"')
		return invalid(c, "expected a member name in quotes");
	const char *start = c->p;
	if (!check_string(c))
		return false;
	if (c->names == NULL)
		return true;
	struct drg_str name = drg_str(start + 1, (size_t)(c->p - start) - 2);
	int rc = drg_json_object_add(c->names, o, name, memchr(name.p, '\\', name.n) != NULL);
	if (rc == DRG_OK)
		return true;
	c->p = start;
	return rc == DRG_EEXIST
	               ? fault(c, DRG_R(duplicate_member), "the object has a member of this name already")
	               : fault(c, NULL, NULL);
}

static bool check_member(struct checker *c, struct drg_json_object *o)
{
	if (!check_name(c, o))
		return false;
	if (peek_token(c) != ':')
		return invalid(c, "expected ':'");
	c->p++;
	return check_value(c);
}

/* Check its items, up to the closing bracket. @param o  NULL: an array. */
static bool check_items(struct checker *c, char close, struct drg_json_object *o)
{
	for (;; c->p++) {
		if (!(o != NULL ? check_member(c, o) : check_value(c)))
			return false;
		if (peek_token(c) != ',')
			break;
	}
	return peek(c) == close || invalid(c, o != NULL ? "expected ',' or '}'" : "expected ',' or ']'");
}

static bool check_object(struct checker *c)
{
	struct drg_json_object o = { 0 };
	if (c->names != NULL)
		drg_json_object_begin(c->names, &o);
	bool ok = check_items(c, '}', &o);
	if (c->names != NULL)
		drg_json_object_end(c->names, &o);
	return ok;
}

static bool check_container(struct checker *c, char close)
{
	if (c->depth == DRG_JSON_DEPTH)
		return fault(c, DRG_R(too_deep), "nested more than 32 levels deep");
	c->depth++;
	c->p++;
	if (peek_token(c) != close && !(close == '}' ? check_object(c) : check_items(c, close, NULL)))
		return false;
	c->p++;
	assert(c->depth > 0 && c->depth <= DRG_JSON_DEPTH);
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
	default: return drg_json_is_digit(peek(c)) ? check_number(c) : invalid(c, "expected a value");
	}
}

static bool json_check_text(struct checker *c, struct drg_str text, struct drg_str *ret_value)
{
	size_t bad;
	if (!drg_utf8_valid(text, &bad)) {
		c->p = text.p + bad;
		return fault(c, DRG_R(invalid_utf8), "not UTF-8");
	}
	if (text.n >= 3 && memcmp(text.p, "\xef\xbb\xbf", 3) == 0)
		return fault(c, DRG_R(invalid_json), "a byte order mark, which JSON does not begin with");
	peek_token(c);
	const char *start = c->p;
	if (!check_value(c))
		return false;
	struct drg_str value = drg_str(start, (size_t)(c->p - start));
	peek_token(c);
	if (c->p < c->end)
		return invalid(c, "expected nothing behind the value");
	*ret_value = value;
	return true;
}

static void place_fault(const struct checker *c, const char *start, struct drg_json_fault *ret)
{
	assert(c->p >= start && c->p <= c->end);
	size_t line = 1;
	for (const char *p = start; p < c->p; p++) {
		if (*p == '\n') {
			line++;
			start = p + 1;
		}
	}
	size_t before = drg_utf8_count(drg_str(start, (size_t)(c->p - start)));
	*ret = (struct drg_json_fault){ c->reason, c->problem, line, before + 1 };
}

int drg_json_check(struct drg_str text, enum drg_json_use use, struct drg_str *ret_value,
                   struct drg_json_fault *ret_fault)
{
	struct drg_json_names names = { 0 };
	if (text.n == 0)
		text.p = "";
	struct checker c = { .p = text.p,
		             .end = text.p + text.n,
		             .names = use != DRG_JSON_LINE ? &names : NULL,
		             .any_number = use != DRG_JSON_TREE };
	bool ok = json_check_text(&c, text, ret_value);
	drg_json_names_done(&names);
	if (ok)
		return DRG_OK;
	if (c.reason == NULL)
		return DRG_ENOMEM;
	place_fault(&c, text.p, ret_fault);
	return DRG_EINVAL;
}
