#include "sheet/harmless.h"

#include "base/compiler.h"

/* "-5", "+12.75": a number is what it says. */
static bool harmless_number(struct drg_str s)
{
	size_t digits = 0, points = 0;
	for (size_t i = 1; i < s.n; i++) {
		digits += s.p[i] >= '0' && s.p[i] <= '9';
		points += s.p[i] == '.';
	}
	return digits > 0 && points <= 1 && digits + points == s.n - 1 && (s.p[0] == '-' || s.p[0] == '+');
}

/* The bytes of the sign that @p s begins with; 0: it begins with another character. */
static size_t harmful_sign(struct drg_str s, bool first)
{
	static const char *const wide[] = { "\uff1d", "\uff0b", "\uff0d", "\uff20" };
	if (s.n > 0 && (memchr("=+-@", s.p[0], 4) != NULL || (first && (s.p[0] == '\t' || s.p[0] == '\r'))))
		return 1;
	for (size_t i = 0; i < DRG_ARRAY_LEN(wide); i++)
		if (s.n >= 3 && memcmp(s.p, wide[i], 3) == 0)
			return 3;
	return 0;
}

static bool harmless_boundary(char c)
{
	return c == ',' || c == ';' || c == '\t' || c == '\r' || c == '\n';
}

static size_t harmless_skip(struct drg_str s, size_t at, const char *what)
{
	while (at < s.n && s.p[at] != '\0' && strchr(what, s.p[at]) != NULL)
		at++;
	return at;
}

/* Does a part that begins at @p at want an apostrophe, or had it one? @param ret_mark  Where. */
static bool harmful_part(struct drg_str s, size_t at, size_t *ret_mark)
{
	*ret_mark = harmless_skip(s, at, " \"");
	const size_t begin = harmless_skip(s, *ret_mark, "'");
	const struct drg_str rest = drg_str(s.p + begin, s.n - begin);
	const size_t sign = harmful_sign(rest, at == 0);
	return sign > 0 && (at > 0 || (rest.n > sign && !harmless_number(rest)));
}

/* The next place from the part that begins at @p at on where an apostrophe belongs, or `s.n`. */
static size_t next_mark(struct drg_str s, size_t at)
{
	size_t mark;
	while (at < s.n && !harmful_part(s, at, &mark)) {
		while (at < s.n && !harmless_boundary(s.p[at]))
			at++;
		at += at < s.n;
	}
	return at < s.n ? mark : s.n;
}

/* The part behind the one that has its apostrophe at @p mark. */
static size_t part_behind(struct drg_str s, size_t mark)
{
	mark = harmless_skip(s, mark, "'");
	while (mark < s.n && !harmless_boundary(s.p[mark]))
		mark++;
	return mark + (mark < s.n);
}

static void cell_write_bytes(FILE *f, struct drg_str s, bool quoted)
{
	const char *quote;
	while (quoted && s.n > 0 && (quote = memchr(s.p, '"', s.n)) != NULL) {
		size_t n = (size_t)(quote - s.p) + 1;
		fwrite(s.p, 1, n, f);
		fputc('"', f);
		s = drg_str(s.p + n, s.n - n);
	}
	fwrite(s.p, 1, s.n, f);
}

void drg_cell_write(FILE *f, struct drg_str cell, char separator, bool quoted)
{
	for (size_t i = 0; i < cell.n && !quoted; i++)
		quoted = cell.p[i] == separator || cell.p[i] == '"' || harmless_boundary(cell.p[i]);
	if (quoted)
		fputc('"', f);
	for (size_t at = 0, part = 0; at < cell.n;) {
		size_t mark = next_mark(cell, part);
		cell_write_bytes(f, drg_str(cell.p + at, mark - at), quoted);
		if (mark < cell.n)
			fputc('\'', f);
		part = part_behind(cell, mark);
		at = mark;
	}
	if (quoted)
		fputc('"', f);
}

/* Is it ="00123", as which systems write an id that Excel should not take for a number? */
static bool is_formula_of_text(struct drg_str s)
{
	return s.n >= 3 && s.p[0] == '=' && s.p[1] == '"' && memchr(s.p + 2, '"', s.n - 2) == s.p + s.n - 1;
}

size_t drg_cell_unescape(char *p, size_t n)
{
	const struct drg_str cell = drg_str(p, n);
	if (is_formula_of_text(cell)) {
		memmove(p, p + 2, n - 3);
		return n - 3;
	}
	size_t to = 0;
	for (size_t at = 0, part = 0; at < n;) {
		size_t mark = next_mark(cell, part), next = part_behind(cell, mark);
		memmove(p + to, p + at, mark - at);
		to += mark - at;
		at = mark + (mark < n && p[mark] == '\'');
		part = next;
	}
	return to;
}
