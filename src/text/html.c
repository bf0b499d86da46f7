#include "text/html.h"

#include <string.h>

#include "text/icu.h"

/* HTML 4, 24.2: the characters from U+00A0 on, in order. */
enum { LATIN = 0xa0 };
static const char *const latin[] = {
	"nbsp",   "iexcl",  "cent",   "pound",  "curren", "yen",    "brvbar", "sect",   "uml",    "copy",
	"ordf",   "laquo",  "not",    "shy",    "reg",    "macr",   "deg",    "plusmn", "sup2",   "sup3",
	"acute",  "micro",  "para",   "middot", "cedil",  "sup1",   "ordm",   "raquo",  "frac14", "frac12",
	"frac34", "iquest", "Agrave", "Aacute", "Acirc",  "Atilde", "Auml",   "Aring",  "AElig",  "Ccedil",
	"Egrave", "Eacute", "Ecirc",  "Euml",   "Igrave", "Iacute", "Icirc",  "Iuml",   "ETH",    "Ntilde",
	"Ograve", "Oacute", "Ocirc",  "Otilde", "Ouml",   "times",  "Oslash", "Ugrave", "Uacute", "Ucirc",
	"Uuml",   "Yacute", "THORN",  "szlig",  "agrave", "aacute", "acirc",  "atilde", "auml",   "aring",
	"aelig",  "ccedil", "egrave", "eacute", "ecirc",  "euml",   "igrave", "iacute", "icirc",  "iuml",
	"eth",    "ntilde", "ograve", "oacute", "ocirc",  "otilde", "ouml",   "divide", "oslash", "ugrave",
	"uacute", "ucirc",  "uuml",   "yacute", "thorn",  "yuml",
};
_Static_assert(DRG_ARRAY_LEN(latin) == 0x100 - LATIN, "a name for each character");

/* Numbers of these are meant as Windows-1252 has them (HTML 5, 13.2.5.80); 0: it has none. */
enum { WINDOWS = 0x80 };
static const uint16_t windows[LATIN - WINDOWS] = {
	0x20ac, 0,      0x201a, 0x192,  0x201e, 0x2026, 0x2020, 0x2021, 0x2c6,  0x2030, 0x160,
	0x2039, 0x152,  0,      0x17d,  0,      0,      0x2018, 0x2019, 0x201c, 0x201d, 0x2022,
	0x2013, 0x2014, 0x2dc,  0x2122, 0x161,  0x203a, 0x153,  0,      0x17e,  0x178,
};

/* 24.4: the others that names of houses and places are written with. */
static const struct {
	const char *name;
	uint32_t cp;
} others[] = {
	{ "amp", '&' },       { "lt", '<' },        { "gt", '>' },       { "quot", '"' },
	{ "apos", '\'' },     { "OElig", 0x152 },   { "oelig", 0x153 },  { "Scaron", 0x160 },
	{ "scaron", 0x161 },  { "Yuml", 0x178 },    { "ndash", 0x2013 }, { "mdash", 0x2014 },
	{ "lsquo", 0x2018 },  { "rsquo", 0x2019 },  { "sbquo", 0x201a }, { "ldquo", 0x201c },
	{ "rdquo", 0x201d },  { "bdquo", 0x201e },  { "bull", 0x2022 },  { "hellip", 0x2026 },
	{ "lsaquo", 0x2039 }, { "rsaquo", 0x203a }, { "euro", 0x20ac },  { "trade", 0x2122 },
};

static const struct {
	const char *name;
	bool line; /* it begins a line */
} tags[] = {
	{ "b", false },    { "i", false },    { "u", false },     { "em", false },  { "strong", false },
	{ "font", false }, { "span", false }, { "small", false }, { "sup", false }, { "sub", false },
	{ "br", true },    { "p", true },     { "div", true },    { "li", true },   { "ul", true },
};

bool drg_html_may_be(struct drg_str s)
{
	return memchr(s.p, '&', s.n) != NULL || memchr(s.p, '<', s.n) != NULL;
}

/* ---- references ---------------------------------------------------------------------------------------- */

static uint32_t html_named(struct drg_str name)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(others); i++)
		if (drg_str_eq(name, drg_str_c(others[i].name)))
			return others[i].cp;
	for (uint32_t i = 0; i < DRG_ARRAY_LEN(latin); i++)
		if (drg_str_eq(name, drg_str_c(latin[i])))
			return LATIN + i;
	return 0;
}

static int html_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : 16;
}

/* @param s  What follows "&#". @return 0: no number of a character that may be in a text (decision M11). */
static uint32_t html_numbered(struct drg_str s)
{
	enum { DIGITS = 7 };
	bool hex = s.n > 0 && (s.p[0] | 0x20) == 'x';
	uint32_t cp = 0, base = hex ? 16 : 10;
	size_t i = hex;
	if (s.n - i > DIGITS)
		return 0;
	for (; i < s.n; i++) {
		uint32_t digit = (uint32_t)html_digit(s.p[i]);
		if (digit >= base)
			return 0;
		cp = cp * base + digit;
	}
	if (cp == '\t' || cp == '\n' || cp == '\r')
		return ' ';
	if (cp >= WINDOWS && cp < LATIN)
		cp = windows[cp - WINDOWS];
	bool control = cp < 0x20 || cp == 0x7f;
	return control || (cp >= 0xd800 && cp < 0xe000) || cp > 0x10ffff ? 0 : cp;
}

static void html_add(uint32_t cp, struct drg_buf *out)
{
	uint8_t b[U8_MAX_LENGTH];
	size_t n = 0;
	U8_APPEND_UNSAFE(b, n, cp);
	drg_buf_add(out, b, n);
}

/* Read a reference such as "&#39" without its semicolon, as browsers do. @return its length; 0: it is not
 * one. */
static size_t html_unended(struct drg_str s, struct drg_buf *out)
{
	size_t n = 2;
	if (!drg_str_begins(s, "&#"))
		return 0;
	while (n < s.n && s.p[n] >= '0' && s.p[n] <= '9')
		n++;
	const uint32_t cp = n > 3 && n < 6 ? html_numbered(drg_str(s.p + 2, n - 2)) : 0;
	if (cp > 0)
		html_add(cp, out);
	return cp > 0 ? n : 0;
}

/* Read a reference at the front of @p s. @return its bytes; 0: there is none. */
static size_t html_reference(struct drg_str s, struct drg_buf *out)
{
	enum { LONGEST = 10 };
	const char *end = s.p[0] == '&' ? memchr(s.p, ';', s.n < LONGEST ? s.n : LONGEST) : NULL;
	if (end == NULL)
		return html_unended(s, out);
	struct drg_str name = drg_str(s.p + 1, (size_t)(end - s.p) - 1);
	uint32_t cp = name.n > 1 && name.p[0] == '#' ? html_numbered(drg_str(name.p + 1, name.n - 1))
	                                             : html_named(name);
	/* A space that does not break and a break that does not show are how a page sets a text. */
	if (cp == LATIN)
		drg_buf_char(out, ' ');
	else if (cp > 0 && cp != 0xad)
		html_add(cp, out);
	return cp > 0 ? name.n + 2 : 0;
}

/* ---- tags ---------------------------------------------------------------------------------------------- */

static bool is_blank(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* True if the name of a tag ends here: its '>', a '/' or attributes follow. */
static bool html_ends_tag(struct drg_str rest)
{
	bool blank = rest.n > 0 && is_blank(rest.p[0]);
	while (rest.n > 0 && is_blank(rest.p[0]))
		rest = drg_str(rest.p + 1, rest.n - 1);
	return rest.n == 0 || (rest.n == 1 && rest.p[0] == '/') ||
	       (blank && memchr(rest.p, '=', rest.n) != NULL);
}

/* Read a tag at the front of @p s. @return its bytes; 0: there is none. */
static size_t html_tag(struct drg_str s, struct drg_buf *out)
{
	enum { LONGEST = 256, NAME = 6 };
	const char *end = s.p[0] == '<' ? memchr(s.p, '>', s.n < LONGEST ? s.n : LONGEST) : NULL;
	if (end == NULL)
		return 0;
	struct drg_str in = drg_str(s.p + 1, (size_t)(end - s.p) - 1);
	if (in.n > 0 && in.p[0] == '/')
		in = drg_str(in.p + 1, in.n - 1);
	size_t n = 0;
	while (n < in.n && n <= NAME && !is_blank(in.p[n]) && in.p[n] != '/')
		n++;
	for (size_t i = 0; i < DRG_ARRAY_LEN(tags) && html_ends_tag(drg_str(in.p + n, in.n - n)); i++)
		if (drg_str_eq_nocase(drg_str(in.p, n), drg_str_c(tags[i].name))) {
			if (tags[i].line)
				drg_buf_char(out, ' ');
			return (size_t)(end - s.p) + 1;
		}
	return 0;
}

/* ---- texts --------------------------------------------------------------------------------------------- */

static void html_pass(struct drg_str s, struct drg_buf *out)
{
	while (s.n > 0) {
		size_t n = html_reference(s, out);
		if (n == 0)
			n = html_tag(s, out);
		if (n == 0) {
			drg_buf_char(out, s.p[0]);
			n = 1;
		}
		s = drg_str(s.p + n, s.n - n);
	}
}

void drg_html_text(struct drg_str s, struct drg_buf *out)
{
	struct drg_buf once;
	drg_buf_init(&once, SIZE_MAX);
	html_pass(s, &once);
	if (once.rc == DRG_OK)
		html_pass(drg_buf_view(&once), out);
	else
		out->rc = once.rc;
	drg_buf_done(&once);
}
