/* Format codes of workbooks, ECMA-376 part 1, 18.8.31. A code has up to four sections: for positive numbers,
 * negative ones, zero and text; conditions in brackets change that. A section is read token by token; what
 * each token is says one table. Fractions and other digits than ours are not understood. */
#include "sheet/number_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <strings.h>

#include "text/utf8.h"

enum { SECTIONS = 4, TOKENS_MAX = 256, DECIMALS_MAX = 30 };

enum token_kind {
	LITERAL,
	BLANK,
	DIGIT, /* 0 # ? */
	POINT,
	COMMA,
	SLASH,
	PERCENT,
	EXPONENT,
	GENERAL,
	TEXT, /* @ */
	DAY, /* also months, if no hours or seconds are near */
	MONTH,
	TIME,
	ELAPSED,
	CONDITION,
	NOTHING, /* a colour, a filling */
	UNKNOWN,
};

struct token {
	enum token_kind kind;
	struct drg_str text; /* what a literal shows, else the token itself */
};

struct section {
	struct token tokens[TOKENS_MAX];
	unsigned n;
	unsigned count[UNKNOWN + 1]; /* of each kind */
};

/* ---- tokens -------------------------------------------------------------------------------------------- */

static const struct {
	const char *word;
	enum token_kind kind;
} words[] = {
	{ "General", GENERAL }, { "AM/PM", TIME }, { "A/P", TIME }, { "E+", EXPONENT }, { "E-", EXPONENT },
};

static const struct {
	const char *characters;
	enum token_kind kind;
} classes[] = {
	{ "0#?", DIGIT },
	{ ".", POINT },
	{ ",", COMMA },
	{ "%", PERCENT },
	{ "@", TEXT },
	{ "/", SLASH },
	{ "yYdDbBgGeE", DAY },
	{ "mM", MONTH },
	{ "hHsS", TIME },
	{ " ", BLANK },
	{ "$-+():!^&'~{}<>=", LITERAL },
};

/* Words in brackets, beside conditions, currencies and [h]. */
static const char *const colours[] = {
	"Black", "Blue", "Cyan", "Green", "Magenta", "Red", "White", "Yellow"
};

static struct token bracket(struct drg_str s)
{
	if (s.n > 0 &&
	    s.p[0] == '$') { /* a currency and a language, "$€-407"; of numbers also their digits */
		const char *dash = memchr(s.p, '-', s.n);
		struct drg_str sign = drg_str(s.p + 1, dash != NULL ? (size_t)(dash - s.p) - 1 : s.n - 1);
		if (dash != NULL && strtoul(dash + 1, NULL, 16) >> 24 > 1)
			return (struct token){ UNKNOWN, s };
		return (struct token){ sign.n > 0 ? LITERAL : NOTHING, sign };
	}
	if (s.n > 0 && strchr("<>=", s.p[0]) != NULL)
		return (struct token){ CONDITION, s };
	for (size_t i = 0; i < DRG_ARRAY_LEN(colours); i++)
		if (drg_str_eq_nocase(s, drg_str_c(colours[i])))
			return (struct token){ NOTHING, s };
	if (s.n > 5 && strncasecmp(s.p, "Color", 5) == 0)
		return (struct token){ NOTHING, s };
	for (size_t i = 0; i < s.n; i++)
		if (strchr("hHmMsS", s.p[i]) == NULL || s.p[i] == '\0')
			return (struct token){ UNKNOWN, s };
	return (struct token){ s.n > 0 ? ELAPSED : UNKNOWN, s };
}

/* The bytes of the character at the beginning. */
static size_t character(struct drg_str s)
{
	size_t n = 1;
	while (n < s.n && ((unsigned char)s.p[n] & 0xc0) == 0x80)
		n++;
	return s.n > 0 ? n : 0;
}

/* Take the next token off @p rest, which is not empty. */
static struct token next_token(struct drg_str *rest)
{
	const struct drg_str s = *rest;
	struct token t = { UNKNOWN, s };
	size_t taken = 1;
	if (s.p[0] == '"' || s.p[0] == '[') {
		const char *end = memchr(s.p + 1, s.p[0] == '"' ? '"' : ']', s.n - 1);
		size_t n = end != NULL ? (size_t)(end - s.p) - 1 : s.n - 1;
		taken = end != NULL ? n + 2 : s.n;
		if (s.p[0] == '[' && end != NULL)
			t = bracket(drg_str(s.p + 1, n));
		else if (s.p[0] == '"')
			t = (struct token){ n == 0 ? NOTHING : LITERAL, drg_str(s.p + 1, n) };
	} else if (s.p[0] == '\\' || s.p[0] == '_' || s.p[0] == '*') { /* a character, its width, or many */
		size_t n = character(drg_str(s.p + 1, s.n - 1));
		taken = 1 + n;
		t.text = drg_str(s.p + 1, n);
		t.kind = n == 0 || s.p[0] == '*' ? NOTHING : s.p[0] == '_' ? BLANK : LITERAL;
	} else if ((unsigned char)s.p[0] >= 0x80) {
		taken = character(s);
		t = (struct token){ LITERAL, drg_str(s.p, taken) };
	} else {
		for (size_t i = 0; i < DRG_ARRAY_LEN(classes) && t.kind == UNKNOWN; i++)
			if (s.p[0] != '\0' && strchr(classes[i].characters, s.p[0]) != NULL)
				t.kind = classes[i].kind;
		for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
			if (s.n >= strlen(words[i].word) &&
			    strncasecmp(s.p, words[i].word, strlen(words[i].word)) == 0) {
				t.kind = words[i].kind;
				taken = strlen(words[i].word);
			}
		t.text = drg_str(s.p, taken);
	}
	if (t.kind == BLANK || (t.kind == LITERAL && drg_str_eq(t.text, DRG_STR(" "))))
		t = (struct token){ BLANK, DRG_STR(" ") };
	*rest = drg_str(s.p + taken, s.n - taken);
	return t;
}

/* Split a code at its semicolons. @return how many sections; more than SECTIONS: it is not a code. */
static unsigned split(struct drg_str code, struct drg_str ret[SECTIONS])
{
	unsigned n = 0;
	struct drg_str rest = code;
	const char *begin = code.p;
	for (;;) {
		bool end = rest.n == 0;
		if (end || rest.p[0] == ';') {
			if (n == SECTIONS)
				return SECTIONS + 1;
			ret[n++] = drg_str(begin, (size_t)(rest.p - begin));
			if (end)
				return n;
			rest = drg_str(rest.p + 1, rest.n - 1);
			begin = rest.p;
		} else {
			next_token(&rest);
		}
	}
}

static bool read_section(struct drg_str text, struct section *ret)
{
	ret->n = 0;
	memset(ret->count, 0, sizeof ret->count);
	while (text.n > 0) {
		if (ret->n == TOKENS_MAX)
			return false;
		struct token t = next_token(&text);
		ret->tokens[ret->n++] = t;
		ret->count[t.kind]++;
	}
	return true;
}

/* ---- which section ------------------------------------------------------------------------------------- */

/* "[<=9999]". @return false: the section has no condition. */
static bool condition(struct drg_str section, double number, bool *ret, bool *ret_negative)
{
	while (section.n > 0) {
		struct token t = next_token(&section);
		if (t.kind != CONDITION)
			continue;
		char text[64];
		snprintf(text, sizeof text, "%.*s", (int)(t.text.n < 63 ? t.text.n : 63), t.text.p);
		size_t sign = strspn(text, "<>=");
		double limit = strtod(text + sign, NULL);
		bool less = text[0] == '<', more = memchr(text, '>', sign) != NULL,
		     same = memchr(text, '=', sign) != NULL;
		*ret = (less && number < limit) || (more && number > limit) ||
		       (same && number >= limit && number <= limit);
		*ret_negative = less && !more && limit <= 0;
		return true;
	}
	return false;
}

static bool has_text(struct drg_str section)
{
	while (section.n > 0)
		if (next_token(&section).kind == TEXT)
			return true;
	return false;
}

/* @param ret_sign  A minus is put before the number, because the section does not imply one.
 * @return NULL: the number is shown as if it had no format. */
static const struct drg_str *section_of(const struct drg_str *list, unsigned n, double number, bool *ret_sign)
{
	bool holds[2] = { false, false }, negative[2] = { false, false };
	unsigned numbers = n == SECTIONS || has_text(list[n - 1]) ? n - 1 : n, first;
	if (numbers == 0)
		return NULL;
	bool has = condition(list[0], number, &holds[0], &negative[0]);
	bool second = numbers > 1 && condition(list[1], number, &holds[1], &negative[1]);
	if (!has && !second)
		first = number < 0 && numbers > 1 ? 1 : number < 0 || number > 0 || numbers < 3 ? 0 : 2;
	else if (has ? holds[0] : number > 0)
		first = 0;
	else if (numbers > 1 && (second ? holds[1] : numbers == 2 || number < 0))
		first = 1;
	else if (numbers > 2)
		first = 2;
	else
		return NULL; /* Excel shows #### */
	*ret_sign = number < 0 && !(first == 1 && !has && !second) && !(first < 2 && negative[first]);
	return &list[first];
}

/* ---- digits -------------------------------------------------------------------------------------------- */

/* Half is rounded up as in decimal notation: 1.005 is a little less in binary. */
static void round_to(double number, unsigned decimals, char *ret, size_t cap)
{
	if (number < 1e15 && number > floor(number))
		number = nextafter(nextafter(number, INFINITY), INFINITY);
	snprintf(ret, cap, "%.*f", (int)decimals, number);
}

/* The positions of a section's digits. */
struct layout {
	unsigned whole, decimals, exponent; /* placeholders */
	unsigned scale; /* commas behind the last digit: thousands */
	bool groups;
	bool literal; /* something is shown beside digits and separators */
	unsigned zeros; /* of `whole` */
};

static bool lay_out(const struct section *s, struct layout *ret)
{
	*ret = (struct layout){ .literal = s->count[GENERAL] > 0 && s->count[LITERAL] > 0 };
	bool point = false, exponent = false;
	unsigned digits_left = s->count[DIGIT];
	for (unsigned i = 0; i < s->n; i++) {
		const struct token *t = &s->tokens[i];
		const unsigned digits = s->count[DIGIT] - digits_left;
		switch (t->kind) {
		case DIGIT:
			digits_left--;
			if (exponent)
				ret->exponent++;
			else if (point)
				ret->decimals++;
			else
				ret->whole++, ret->zeros += t->text.p[0] == '0';
			break;
		case POINT: point = true; break;
		case EXPONENT:
			if (exponent || digits == 0 || digits_left == 0)
				return false;
			exponent = true;
			break;
		case SLASH:
			if (digits > 0 && digits_left > 0)
				return false; /* a fraction */
			ret->literal = true;
			break;
		case LITERAL: ret->literal = true; break;
		case BLANK: ret->literal |= digits > 0 && digits_left > 0; break;
		default: break;
		}
	}
	/* Commas directly behind the last digit, or the last one of the whole number, scale it. */
	bool between = false;
	for (unsigned i = 0, digits = 0; i < s->n; i++) {
		digits += s->tokens[i].kind == DIGIT;
		between |= s->tokens[i].kind == COMMA && digits > 0 && digits < ret->whole;
		if (s->tokens[i].kind == DIGIT &&
		    (digits == ret->whole || digits == ret->whole + ret->decimals))
			while (i + 1 < s->n && s->tokens[i + 1].kind == COMMA) {
				ret->scale++;
				i++;
			}
	}
	ret->groups = between;
	return ret->decimals <= DECIMALS_MAX && ret->exponent <= DECIMALS_MAX;
}

/* One of @p n placeholders for the digits @p text, which are flush right; the first takes all digits before. */
static void put_digit(char placeholder, unsigned number, unsigned n, struct drg_str text, bool groups,
                      struct drg_buf *out)
{
	const size_t place = n - number; /* 1: the last one */
	size_t from = place, to = place;
	if (number == 0 && text.n > n)
		from = text.n;
	for (size_t p = from; p >= to; p--) {
		bool shown = true;
		if (p <= text.n)
			drg_buf_char(out, text.p[text.n - p]);
		else if (placeholder == '0')
			drg_buf_char(out, '0');
		else if (placeholder == '?')
			drg_buf_char(out, ' ');
		else
			shown = false;
		if (groups && shown && p > 1 && (p - 1) % 3 == 0 && (p <= text.n || placeholder == '0'))
			drg_buf_char(out, ',');
	}
}

/* The decimals in front of which all placeholders show something. */
static unsigned last_decimal(const struct section *s, const struct layout *l, const char *decimals)
{
	unsigned last = 0, k = 0, digits = 0;
	for (unsigned i = 0; i < s->n && k < l->decimals; i++) {
		if (s->tokens[i].kind != DIGIT || digits++ < l->whole)
			continue;
		k++;
		if (s->tokens[i].text.p[0] == '0' || decimals[k - 1] != '0')
			last = k;
	}
	return last;
}

static void show(const struct section *s, const struct layout *l, double number, struct drg_buf *out)
{
	char digits[512], exponent[16] = "", plain[40];
	int power = 0;
	if (s->count[EXPONENT] > 0 && number > 0) {
		const int period = l->whole > 1 ? (int)l->whole : 1;
		power = (int)floor(log10(number) + 1e-12);
		power -= ((power % period) + period) % period;
		round_to(number / pow(10, power), l->decimals, digits, sizeof digits);
		if (strtod(digits, NULL) >= pow(10, period))
			power += period;
		number /= pow(10, power);
	}
	snprintf(exponent, sizeof exponent, "%d", abs(power));
	snprintf(plain, sizeof plain, "%.15g", number);
	round_to(number, l->decimals, digits, sizeof digits);
	struct drg_str whole = drg_str(digits, strcspn(digits, "."));
	const char *decimals = digits + whole.n + (digits[whole.n] == '.');
	if (drg_str_eq(whole, DRG_STR("0")))
		whole.n = 0;
	const unsigned last = last_decimal(s, l, decimals);
	unsigned k = 0, points = 0, exponents = 0;
	for (unsigned i = 0; i < s->n; i++) {
		const struct token *t = &s->tokens[i];
		switch (t->kind) {
		case DIGIT:
			if (k < l->whole)
				put_digit(t->text.p[0], k, l->whole, whole, l->groups, out);
			else if (k < l->whole + l->decimals && k - l->whole < last)
				drg_buf_char(out, decimals[k - l->whole]);
			else if (k < l->whole + l->decimals && t->text.p[0] == '?')
				drg_buf_char(out, ' ');
			else if (k >= l->whole + l->decimals)
				put_digit(t->text.p[0], k - l->whole - l->decimals, l->exponent,
				          drg_str_c(exponent), false, out);
			k++;
			break;
		case POINT:
			if (points == 0 && l->whole == 0 && whole.n > 0)
				drg_buf_str(out, whole); /* ".00" has no place for them */
			points++;
			drg_buf_char(out, '.');
			break;
		case EXPONENT:
			drg_buf_char(out, 'E');
			if (power < 0 || (t->text.p[1] == '+' && exponents == 0))
				drg_buf_char(out, power < 0 ? '-' : '+');
			exponents++;
			break;
		case GENERAL: drg_buf_str(out, drg_str_c(plain)); break;
		case LITERAL:
		case BLANK:
		case PERCENT:
		case SLASH: drg_buf_str(out, t->text); break;
		default: break;
		}
	}
}

/* ---- all ----------------------------------------------------------------------------------------------- */

enum format_shows drg_format_number(struct drg_str code, double number, struct drg_buf *out)
{
	struct drg_str list[SECTIONS];
	struct section s;
	struct layout l;
	bool sign = number < 0;
	if (code.n == 0 || code.n > FORMAT_CODE_MAX)
		return code.n == 0 ? FORMAT_PLAIN : FORMAT_UNKNOWN;
	unsigned n = split(code, list);
	if (n > SECTIONS)
		return FORMAT_UNKNOWN;
	const struct drg_str *chosen = section_of(list, n, number, &sign);
	if (chosen == NULL)
		return FORMAT_PLAIN;
	if (!read_section(*chosen, &s))
		return FORMAT_UNKNOWN;
	if (s.count[DAY] > 0 || (s.count[MONTH] > 0 && s.count[TIME] + s.count[ELAPSED] == 0))
		return FORMAT_DATE;
	if (s.count[UNKNOWN] > 0 || s.count[TEXT] > 0)
		return FORMAT_UNKNOWN;
	if (s.count[TIME] + s.count[ELAPSED] > 0)
		return s.count[ELAPSED] > 0 ? FORMAT_ELAPSED : FORMAT_TIME;
	if ((s.count[GENERAL] > 0 && s.count[DIGIT] > 0) || !lay_out(&s, &l))
		return FORMAT_UNKNOWN;
	const bool as_it_is = s.count[GENERAL] + s.count[DIGIT] > 0 && !l.literal && l.zeros < 2 &&
	                      s.count[PERCENT] + s.count[EXPONENT] + l.scale == 0 && sign == (number < 0);
	if (as_it_is)
		return FORMAT_PLAIN;
	if (sign)
		drg_buf_char(out, '-');
	show(&s, &l, fabs(number) * pow(100, s.count[PERCENT]) / pow(1000, l.scale), out);
	return FORMAT_SHOWN;
}

enum format_shows drg_format_text(struct drg_str code, struct drg_str text, struct drg_buf *out)
{
	struct drg_str list[SECTIONS];
	struct section s;
	if (code.n > FORMAT_CODE_MAX)
		return FORMAT_UNKNOWN;
	unsigned n = split(code, list);
	if (n > SECTIONS)
		return FORMAT_UNKNOWN;
	if (n < SECTIONS && !has_text(list[n - 1]))
		return FORMAT_PLAIN;
	if (!read_section(list[n - 1], &s) || s.count[UNKNOWN] > 0)
		return FORMAT_UNKNOWN;
	if (s.count[TEXT] == 1 && s.count[LITERAL] == 0)
		return FORMAT_PLAIN;
	for (unsigned i = 0; i < s.n; i++)
		if (s.tokens[i].kind == TEXT)
			drg_buf_str(out, text);
		else if (s.tokens[i].kind != NOTHING && s.tokens[i].kind != CONDITION)
			drg_buf_str(out, s.tokens[i].text);
	return FORMAT_SHOWN;
}
