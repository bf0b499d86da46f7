/* Recognises how a text file keeps its cells apart: by its first lines, of which most are alike. */
#include "sheet/dialect.h"

#include <stdlib.h>
#include <string.h>

#include "text/cells.h"
#include "text/icu.h"
#include "text/utf8.h"

/* ---- bytes in place of characters ---------------------------------------------------------------------- */

static bool stands_at(struct drg_str s, struct drg_str sign)
{
	return sign.n > 0 && s.n >= sign.n && s.p[0] == sign.p[0] && memcmp(s.p, sign.p, sign.n) == 0;
}

static struct drg_str dialect_wide(const struct drg_dialect *f)
{
	return drg_str(f->wide, f->n_wide);
}

/* The unread rest of a text that may be empty. */
static struct drg_str text_from(const struct drg_buf *text, size_t at)
{
	return text->n > at ? drg_str(text->p + at, text->n - at) : DRG_STR("");
}

/* A carriage return before a newline ends no line of its own; at the end of a text, what follows decides. */
static void dialect_convert_from(const struct drg_dialect *f, struct drg_buf *text, size_t at)
{
	const struct drg_str wide = dialect_wide(f), none = drg_str("", 0),
	                     open = f->open.n > 1 ? f->open : none, close = f->close.n > 1 ? f->close : none;
	const bool returns = drg_str_eq(f->line_end, DRG_STR("\r"));
	if (wide.n == 0 && f->line_end.n == 0 && open.n == 0 && close.n == 0)
		return;
	size_t to = at, i = at;
	while (i < text->n) {
		const struct drg_str rest = drg_str(text->p + i, text->n - i);
		const bool ends = stands_at(rest, f->line_end),
		           stays = ends && returns && (rest.n > 1 ? rest.p[1] == '\n' : !f->whole);
		if (ends && !stays) {
			text->p[to++] = '\n';
			i += f->line_end.n;
		} else if (stands_at(rest, wide)) {
			text->p[to++] = DRG_DIALECT_SEPARATOR;
			i += wide.n;
		} else if (stands_at(rest, open)) {
			text->p[to++] = DRG_DIALECT_OPEN;
			i += open.n;
		} else if (stands_at(rest, close)) {
			text->p[to++] = DRG_DIALECT_CLOSE;
			i += close.n;
		} else {
			text->p[to++] = text->p[i++];
		}
	}
	text->n = to;
}

void drg_dialect_convert(struct drg_dialect *f, struct drg_buf *text, bool last)
{
	f->whole = last;
	dialect_convert_from(f, text, 0);
}

size_t drg_dialect_held(const struct drg_dialect *f, struct drg_str text)
{
	const bool returns = drg_str_eq(f->line_end, DRG_STR("\r"));
	const struct drg_str signs[] = { returns ? DRG_STR("\r\n") : f->line_end, dialect_wide(f), f->open,
		                         f->close };
	/* no sign has more bytes than there is room for a separator */
	for (size_t n = text.n < sizeof f->wide ? text.n : sizeof f->wide - 1; n > 0; n--)
		for (size_t i = 0; i < DRG_ARRAY_LEN(signs); i++)
			if (n < signs[i].n && memcmp(text.p + text.n - n, signs[i].p, n) == 0)
				return n;
	return 0;
}

char drg_dialect_open(const struct drg_dialect *f, unsigned column)
{
	if (column >= DRG_SHEET_COLUMNS_MAX || f->marks[column] != DRG_DIALECT_OUTER)
		return '\0';
	return f->open.n > 1 ? DRG_DIALECT_OPEN : f->open.p[0];
}

char drg_dialect_close(const struct drg_dialect *f, unsigned column)
{
	if (column >= DRG_SHEET_COLUMNS_MAX || f->marks[column] != DRG_DIALECT_OUTER ||
	    drg_str_eq(f->open, f->close))
		return drg_dialect_open(f, column);
	return f->close.n > 1 ? DRG_DIALECT_CLOSE : f->close.p[0];
}

/* The text between marks that are all around it. @return false: they are not. */
static bool is_marked(struct drg_str s, struct drg_str open, struct drg_str close, struct drg_str *ret)
{
	s = drg_utf8_trim(s);
	if (open.n == 0 || s.n < open.n + close.n || !stands_at(s, open) ||
	    memcmp(s.p + s.n - close.n, close.p, close.n) != 0)
		return false;
	*ret = drg_str(s.p + open.n, s.n - open.n - close.n);
	return true;
}

static struct drg_str character_of(const struct drg_dialect *f, char byte)
{
	return byte == DRG_DIALECT_SEPARATOR ? dialect_wide(f)
	       : byte == DRG_DIALECT_OPEN    ? f->open
	       : byte == DRG_DIALECT_CLOSE   ? f->close
	                                     : drg_str("", 0);
}

void drg_dialect_restore(const struct drg_dialect *f, unsigned column, struct drg_buf *texts, size_t at)
{
	size_t more = 0;
	struct drg_str within;
	if ((f->n_wide == 0 && f->open.n == 0) || texts->rc != DRG_OK || texts->n == at)
		return;
	for (size_t i = at; i < texts->n; i++) {
		const size_t n = character_of(f, texts->p[i]).n;
		more += n > 0 ? n - 1 : 0;
	}
	if (more > 0 && !drg_buf_reserve(texts, more))
		return;
	for (size_t i = texts->n, to = texts->n + more; to > i;) {
		const struct drg_str c = character_of(f, texts->p[--i]);
		to -= c.n > 0 ? c.n : 1;
		if (c.n > 0)
			memcpy(texts->p + to, c.p, c.n);
		else
			texts->p[to] = texts->p[i];
	}
	texts->n += more;
	if (column < DRG_SHEET_COLUMNS_MAX && f->marks[column] == DRG_DIALECT_INNER &&
	    is_marked(drg_str(texts->p + at, texts->n - at), f->open, f->close, &within)) {
		memmove(texts->p + at, within.p, within.n);
		texts->n = at + within.n;
	}
}

/* ---- separators ---------------------------------------------------------------------------------------- */

enum { GUESS_LINES = 20 };

/* How often a sign stands in each of the first lines. @return how many lines */
static unsigned guess_counts(struct drg_str s, char mark, bool quotes, size_t *ret)
{
	unsigned lines = 0;
	bool quoted = false;
	ret[0] = 0;
	for (size_t i = 0; i < s.n && lines < GUESS_LINES; i++) {
		quoted ^= quotes && s.p[i] == '"';
		ret[lines] += !quoted && s.p[i] == mark;
		if (!quoted && s.p[i] == '\n' && ++lines < GUESS_LINES)
			ret[lines] = 0;
	}
	return lines < GUESS_LINES && ret[lines] > 0 ? lines + 1 : lines;
}

/* How often a sign stands in the first lines, and in how many of them as often: between cells it does in most.
 * Titles have none. */
struct separator_trial {
	size_t counts[GUESS_LINES], points;
	unsigned lines, same, first; /* of those with the same number, the first */
};

static struct separator_trial try_separator(struct drg_str s, char mark, bool quotes)
{
	struct separator_trial t = { .points = 0 };
	t.lines = guess_counts(s, mark, quotes, t.counts);
	for (unsigned i = 0; i < t.lines; i++) {
		unsigned same = 0;
		for (unsigned k = 0; k < t.lines && t.counts[i] > 0; k++)
			same += t.counts[k] == t.counts[i];
		if (same * (t.counts[i] + 1) > t.points) {
			t.points = same * (t.counts[i] + 1);
			t.same = same;
			t.first = i;
		}
	}
	return t;
}

/* Does the second sign stand only within the cells of the first? Then the header has none of it. */
static bool is_within_cells(const struct separator_trial *of, const struct separator_trial *sign)
{
	return of->same > 0 && of->same * 2 >= of->lines && of->first < sign->first &&
	       sign->counts[of->first] == 0 && of->counts[sign->first] == of->counts[of->first];
}

/* Is another sign the separator, and not the usual one that does best? @param odd  Texts have hardly any. */
static bool is_rarer(const struct separator_trial *usual, const struct separator_trial *t, bool odd)
{
	const bool more = t->points > usual->points;
	return (more && usual->same * 2 < t->lines) || (odd && more && t->same == t->lines) ||
	       (odd && is_within_cells(t, usual));
}

/* The usual signs come first. Another one has to be in the first line, and in most.
 * @param said  The separator is known; 0: it is not.
 * @param ret   How it does; no points: none of the signs occurs. */
static char guess_separator(struct drg_str s, char said, bool quotes, struct separator_trial *ret)
{
	enum { USUAL = 4, PRINTED = 7 };
	static const char all[] = ";\t|,^~:\xff\x1f\x1e\x1d\x1c\x01\x02\x03\x04\x05\x06\x07\b\x0e\x0f\x10\x11"
	                          "\x12\x13\x14\x15\x16\x17\x18\x19";
	const char one[] = { said, '\0' }, *const marks = said != '\0' ? one : all;
	char separator = said != '\0' ? said : ',';
	*ret = (struct separator_trial){ .points = 0 };
	for (const char *m = marks; *m != '\0'; m++) {
		const struct separator_trial t = try_separator(s, *m, quotes);
		const bool most = t.first == 0 && t.same > 1 && t.same * 2 > t.lines,
		           better = m < marks + USUAL
		                            ? !is_within_cells(ret, &t) &&
		                                      (t.points > ret->points || is_within_cells(&t, ret))
		                            : most && is_rarer(ret, &t, m >= marks + PRINTED);
		if (better && t.points > 0) {
			*ret = t;
			separator = *m;
		}
	}
	return separator;
}

/* ---- quotes -------------------------------------------------------------------------------------------- */

/* Findings that speak against reading cells with quotes. */
struct quote_trial {
	size_t cells; /* that have quotes around them */
	size_t strays; /* quotes within quotes that end no cell */
	size_t swallows; /* cells with a line end and a separator */
	bool open; /* a quote is not closed */
};

/* The bytes of what shows nothing and ends no cell, at a place of the sample. */
static size_t blank_bytes(const char *p, size_t n, char separator)
{
	return *p != '\n' && *p != separator ? drg_utf8_unseen(drg_str(p, n)) : 0;
}

/* Try the quotes of the sample as drg_cells_read() reads them, from quote to quote. */
static struct quote_trial try_quotes(struct drg_str s, char separator, bool escapes)
{
	struct quote_trial r = { .cells = 0 };
	const char *end = s.p + s.n, *quote;
	for (const char *p = s.p; p < end && (quote = memchr(p, '"', (size_t)(end - p))) != NULL;
	     p = quote + 1) {
		const char *before = quote, *behind = NULL;
		for (size_t n = 1; n <= 4 && n <= (size_t)(before - s.p); n++)
			if (blank_bytes(before - n, n, separator) == n) {
				before -= n;
				n = 0;
			}
		if (before > s.p && before[-1] != '\n' && before[-1] != separator)
			continue; /* it begins no cell, and is text */
		const char *const text = quote + 1;
		do {
			const char *next = memchr(quote + 1, '"', (size_t)(end - quote) - 1);
			if (next == NULL) {
				r.open = true;
				return r;
			}
			size_t slashes = 0;
			while (escapes && next - slashes > text && next[-1 - (ptrdiff_t)slashes] == '\\')
				slashes++;
			quote = next;
			if (slashes % 2 == 1)
				continue;
			if (next + 1 < end && next[1] == '"') {
				quote++;
				continue;
			}
			behind = next + 1;
			for (size_t n = 1; behind < end && n > 0; behind += n)
				n = blank_bytes(behind, (size_t)(end - behind), separator);
			if (behind < end && *behind != '\n' && *behind != separator) {
				r.strays++;
				behind = NULL;
			}
		} while (behind == NULL);
		r.cells++;
		r.swallows += memchr(text, '\n', (size_t)(quote - text)) != NULL &&
		              memchr(text, separator, (size_t)(quote - text)) != NULL;
	}
	return r;
}

/* The sample read with each line as a row. */
struct line_trial {
	size_t rows, others; /* lines with something, and those that have another number of cells than most */
	size_t odd; /* among the others, lines below the header that are not titles, but have cells or a
	             * quote */
	size_t quoted; /* cells with quotes around them */
	size_t nulls; /* cells that are \N */
	size_t letters; /* \t, \n and the like */
};

/* @param escapes  A backslash keeps the next byte within its cell. */
static struct line_trial try_lines(struct drg_str s, bool whole, char separator, bool escapes)
{
	enum { CELLS = 256 };
	struct {
		size_t rows, before, titles; /* and what came before the first of these rows */
	} of[CELLS + 1] = { { 0 } };
	size_t most = 0, titles = 0;
	bool quote = false; /* in this line */
	struct line_trial r = { .rows = 0 };
	size_t cells = 1, begin = 0;
	for (size_t i = 0; i <= s.n; i++) {
		const bool last = i == s.n;
		if (!last && s.p[i] == '\\' && i + 1 < s.n) {
			r.letters += s.p[i + 1] == 't' || s.p[i + 1] == 'n' || s.p[i + 1] == '\\';
			i += escapes && s.p[i + 1] != 'N';
			continue;
		}
		quote = quote || (!last && s.p[i] == '"');
		if (!last && s.p[i] != separator && s.p[i] != '\n')
			continue;
		size_t n = i - begin;
		n -= n > 0 && s.p[begin + n - 1] == '\r';
		r.quoted += n > 1 && s.p[begin] == '"' && s.p[begin + n - 1] == '"';
		r.nulls += n == 2 && memcmp(s.p + begin, "\\N", 2) == 0;
		begin = i + 1;
		if (!last && s.p[i] == separator) {
			cells++;
			continue;
		}
		if ((cells > 1 || n > 0) && (whole || !last)) {
			const size_t k = cells < CELLS ? cells : CELLS;
			if (of[k].rows++ == 0) {
				of[k].before = r.rows;
				of[k].titles = titles;
			}
			r.rows++;
			titles += cells == 1 && !quote;
		}
		cells = 1;
		quote = false;
	}
	for (size_t i = 2; i <= CELLS; i++)
		most = of[i].rows > of[most].rows ? i : most;
	r.others = r.rows - of[most].rows;
	r.odd = r.others - of[most].before - (titles - of[most].titles);
	return r;
}

/* Guess what keeps separators within cells: quotes, unless the sample speaks against them. A file never
 * quotes, if quotes do not pair, and all lines have the same number of cells as they are. */
static enum drg_quote guess_quote(struct drg_str s, bool whole, char separator)
{
	enum { ODD_PERCENT = 2 };
	const bool slashes = memchr(s.p, '\\', s.n) != NULL;
	const struct quote_trial d = try_quotes(s, separator, false);
	const bool fits = d.strays == 0 && !(d.open && whole), even = fits && d.swallows == 0;
	if (even && !slashes)
		return DRG_QUOTE_DOUBLE;
	if (slashes) {
		const struct quote_trial b = try_quotes(s, separator, true);
		const bool within = memmem(s.p, s.n, "\\\"", 2) != NULL;
		if (within && b.strays == 0 && !(b.open && whole) && (!fits || d.cells == 0))
			return DRG_QUOTE_BACKSLASH;
		const struct line_trial l = try_lines(s, whole, separator, false),
		                        e = try_lines(s, whole, separator, true);
		const bool dump = l.nulls > 0 || e.others < l.others || (separator == '\t' && l.letters > 0);
		if (dump && l.quoted == 0 && e.others <= l.others)
			return DRG_QUOTE_DUMP;
		if (dump && fits && l.nulls > 0 && b.strays == 0 && !b.open)
			return DRG_QUOTE_BACKSLASH;
	}
	const struct line_trial l = try_lines(s, whole, separator, false);
	/* If all quotes pair, a title may be prose of a cell. */
	const bool alike = fits ? l.others == 0 : l.odd * 100 <= l.rows * ODD_PERCENT;
	return !even && alike && l.others * 2 < l.rows && l.quoted * 2 <= l.rows ? DRG_QUOTE_NONE
	                                                                         : DRG_QUOTE_DOUBLE;
}

/* The first lines, of which each is one cell in quotes, without them. */
static void take_wrapped_lines(struct drg_str s, struct drg_buf *out)
{
	struct drg_cells c = { .separator = '\n', .lenient = true };
	for (unsigned i = 0; i < GUESS_LINES && drg_cells_read(&c, &s, out) == DRG_CELLS_ROW; i++)
		drg_buf_char(out, '\n');
}

/* ---- characters that separate or end lines ------------------------------------------------------------- */

/* Line ends beside a newline: a carriage return, a record separator, and U+0085, U+2028, U+2029. */
static const struct drg_str line_ends[] = {
	{ "\r", 1 }, { "\x1e", 1 }, { "\xc2\x85", 2 }, { "\xe2\x80\xa8", 3 }, { "\xe2\x80\xa9", 3 },
};

/* The end of the first line: no line ends within quotes. A file with newlines may have the others within its
 * cells, but hardly a carriage return. @return empty: a newline. */
static struct drg_str first_line_end(struct drg_str s)
{
	const bool newlines = memchr(s.p, '\n', s.n) != NULL;
	bool quoted = false;
	for (size_t i = 0; i < s.n; i++) {
		quoted ^= s.p[i] == '"';
		for (size_t k = 0; !quoted && k < DRG_ARRAY_LEN(line_ends); k++)
			if (stands_at(drg_str(s.p + i, s.n - i), line_ends[k]) && (k == 0 || !newlines))
				return k == 0 && i + 1 < s.n && s.p[i + 1] == '\n' ? drg_str("", 0)
				                                                   : line_ends[k];
		if (!quoted && s.p[i] == '\n')
			break;
	}
	return drg_str("", 0);
}

/* Find what ends lines beside newlines: with it, more rows have the same number of cells. */
static int find_line_end(struct drg_dialect *f, struct drg_buf *text, size_t at, bool whole, char separator)
{
	const struct drg_str s = text_from(text, at);
	struct line_trial before = { .rows = 0 };
	struct drg_buf copy;
	int rc = DRG_OK;
	drg_buf_init(&copy, SIZE_MAX);
	for (size_t k = 0; k < DRG_ARRAY_LEN(line_ends) && f->line_end.n == 0 && rc == DRG_OK; k++) {
		if (memmem(s.p, s.n, line_ends[k].p, line_ends[k].n) == NULL ||
		    line_ends[k].p[0] == separator)
			continue;
		if (before.rows == 0)
			before = try_lines(s, whole, separator, false);
		const struct drg_dialect one = { .line_end = line_ends[k], .whole = true };
		drg_buf_clear(&copy);
		drg_buf_str(&copy, s);
		rc = copy.rc;
		if (rc == DRG_OK) {
			dialect_convert_from(&one, &copy, 0);
			const struct line_trial t = try_lines(drg_buf_view(&copy), whole, separator, false);
			if (t.rows > before.rows &&
			    (t.others < before.others || (before.rows < 2 && t.others * 2 < t.rows)))
				f->line_end = line_ends[k];
		}
	}
	drg_buf_done(&copy);
	if (rc == DRG_OK && f->line_end.n > 0)
		dialect_convert_from(f, text, at);
	return rc;
}

/* May a character beyond ASCII separate cells? Signs of measures, words and quotes do not. */
static bool is_wide_separator(UChar32 c)
{
	static const UChar32 others[] = { 0xa1,   0xa9,   0xae,   0xb0,   0xb4,   0xbf,
		                          0x2026, 0x2030, 0x2032, 0x2033, 0x2116, 0x2122,
		                          0x2605, 0x2606, 0x2b50, 0xff02, 0xff07, 0xfffd };
	for (size_t i = 0; i < DRG_ARRAY_LEN(others); i++)
		if (c == others[i])
			return false;
	switch (u_charType(c)) {
	case U_OTHER_PUNCTUATION:
	case U_MATH_SYMBOL:
	case U_OTHER_SYMBOL:
	case U_MODIFIER_SYMBOL:
	case U_CONTROL_CHAR: return true;
	default: return c == 0xa4; /* "any currency", which is not a currency */
	}
}

/* Among the signs of the first line, find the one that most lines have as often. */
static int find_wide(struct drg_dialect *f, struct drg_str s, bool quotes)
{
	enum { TRIED = 8, TEXT = 1 << 16 };
	struct separator_trial best = { .points = 0 };
	struct drg_buf copy;
	unsigned tried = 0;
	int rc = DRG_OK;
	s = drg_utf8_cut(s, TEXT);
	drg_buf_init(&copy, SIZE_MAX);
	for (size_t i = 0; i < s.n && s.p[i] != '\n' && tried < TRIED && rc == DRG_OK;) {
		const size_t from = i;
		UChar32 c;
		U8_NEXT((const uint8_t *)s.p, i, s.n, c);
		if (c < 0x80 || memmem(s.p, from, s.p + from, i - from) != NULL || !is_wide_separator(c))
			continue;
		struct drg_dialect one = { .n_wide = i - from };
		memcpy(one.wide, s.p + from, i - from);
		tried++;
		drg_buf_clear(&copy);
		drg_buf_str(&copy, s);
		rc = copy.rc;
		if (rc != DRG_OK)
			break;
		dialect_convert_from(&one, &copy, 0);
		const struct separator_trial t =
		        try_separator(drg_buf_view(&copy), DRG_DIALECT_SEPARATOR, quotes);
		if (t.first == 0 && t.same > 1 && t.points > best.points) {
			best = t;
			f->n_wide = one.n_wide;
			memcpy(f->wide, one.wide, sizeof f->wide);
		}
	}
	drg_buf_done(&copy);
	return rc;
}

/* Find a separator of several characters, such as "||" or "~|~": all separators of the header stand among the
 * same signs, and each line has as many. */
static int find_longer(struct drg_dialect *f, struct drg_buf *text, size_t at, bool quotes)
{
	static const char signs[] = "~!@#$%^&*+=|:;<>?,\t";
	struct drg_str s = text_from(text, at), line = s;
	struct drg_dialect one = { .n_wide = 0 };
	struct drg_buf copy;
	size_t marks = 0;
	if (f->mark == DRG_DIALECT_SEPARATOR || f->mark == '\t')
		return DRG_OK;
	while (drg_str_split(&s, '\n', &line) && memchr(line.p, f->mark, line.n) == NULL)
		;
	const char *first = memchr(line.p, f->mark, line.n);
	if (first == NULL || first == line.p)
		return DRG_OK;
	const char *from = first, *to = first + 1, *end = line.p + line.n;
	while (from > line.p && strchr(signs, from[-1]) != NULL)
		from--;
	while (to < end && strchr(signs, *to) != NULL)
		to++;
	one.n_wide = (size_t)(to - from);
	if (one.n_wide < 2 || one.n_wide > sizeof one.wide || from == line.p || to == end)
		return DRG_OK;
	memcpy(one.wide, from, one.n_wide);
	for (const char *c = line.p; c < end; c++)
		marks += *c == f->mark;
	s = drg_str(line.p, text->n - (size_t)(line.p - text->p));
	s.n = s.n < 1 << 16 ? s.n : 1 << 16;
	drg_buf_init(&copy, SIZE_MAX);
	drg_buf_str(&copy, s);
	const int rc = copy.rc;
	if (rc == DRG_OK) {
		dialect_convert_from(&one, &copy, 0);
		const struct separator_trial t =
		        try_separator(drg_buf_view(&copy), DRG_DIALECT_SEPARATOR, quotes);
		size_t within = 0;
		for (size_t i = 0; i < one.n_wide; i++)
			within += one.wide[i] == f->mark;
		if (t.first == 0 && t.lines > 1 && t.same == t.lines && t.counts[0] * within == marks) {
			memcpy(f->wide, one.wide, sizeof f->wide);
			f->n_wide = one.n_wide;
		}
	}
	drg_buf_done(&copy);
	return rc;
}

/* ---- quotes that are not those of CSV ------------------------------------------------------------------ */

static const struct mark_pair {
	struct drg_str open, close;
} mark_pairs[] = {
#define PAIR(open, close)                                                                                    \
	{                                                                                                    \
		{ open, sizeof(open) - 1 },                                                                  \
		{                                                                                            \
			close, sizeof(close) - 1                                                             \
		}                                                                                            \
	}
	PAIR("'", "'"),   PAIR("“", "”"),   PAIR("„", "“"),   PAIR("„", "”"),   PAIR("”", "”"),
	PAIR("“", "“"),   PAIR("«", "»"),   PAIR("»", "«"),   PAIR("‹", "›"),   PAIR("›", "‹"),
	PAIR("‘", "’"),   PAIR("‚", "‘"),   PAIR("‚", "’"),   PAIR("’", "’"),   PAIR("「", "」"),
	PAIR("『", "』"), PAIR("《", "》"), PAIR("〈", "〉"), PAIR("〝", "〟"), PAIR("`", "`"),
	PAIR("`", "´"),   PAIR("´", "´"),   PAIR("`", "'"),   PAIR("＂", "＂"), PAIR("＇", "＇"),
	PAIR("þ", "þ"),   PAIR("''", "''"),
#undef PAIR
};

struct mark_column {
	unsigned outer, inner, others; /* cells below the header */
	bool header; /* it has the marks too */
};

struct marks_trial {
	const struct drg_dialect *f;
	const struct mark_pair *pair;
	unsigned cells; /* of a row: others are titles; 0: rows are counted by their cells */
	unsigned counts[DRG_SHEET_COLUMNS_MAX + 1];
	struct mark_column columns[DRG_SHEET_COLUMNS_MAX];
	bool below; /* the header came */
};

enum mark_found { MARK_NONE, MARK_EMPTY, MARK_OUTER, MARK_INNER };

/* The bytes of a cell that begins with a mark, to the mark before the separator or the end of the line; 0: it
 * has none. Twice the same mark is text. */
static size_t outer_bytes(struct drg_str s, const struct mark_pair *m, char separator)
{
	const bool same = drg_str_eq(m->open, m->close);
	for (size_t i = m->open.n; i < s.n && s.p[i] != '\n'; i++) {
		if (!stands_at(drg_str(s.p + i, s.n - i), m->close) || s.p[i - 1] == '\\')
			continue;
		size_t behind = i + m->close.n;
		if (same && stands_at(drg_str(s.p + behind, s.n - behind), m->close)) {
			i = behind + m->close.n - 1;
			continue;
		}
		while (behind < s.n && (s.p[behind] == ' ' || s.p[behind] == '\r') &&
		       s.p[behind] != separator)
			behind++;
		if (behind == s.n || s.p[behind] == '\n' || s.p[behind] == separator)
			return behind;
		i += m->close.n - 1;
	}
	return 0;
}

/* Read on over a cell and what ends it. @return whether the row goes on. */
static bool mark_cell(const struct marks_trial *t, struct drg_str *s, struct drg_buf *text,
                      enum mark_found *ret)
{
	struct drg_cells c = { .separator = t->f->mark, .quote = t->f->quote, .lenient = true };
	struct drg_str rest = *s, within;
	while (rest.n > 0 && rest.p[0] == ' ')
		rest = drg_str(rest.p + 1, rest.n - 1);
	const size_t n = stands_at(rest, t->pair->open) ? outer_bytes(rest, t->pair, t->f->mark) : 0;
	if (n > 0) {
		*ret = MARK_OUTER;
		const bool on = n < rest.n && rest.p[n] != '\n';
		*s = drg_str(rest.p + n + (n < rest.n), rest.n - n - (n < rest.n));
		return on;
	}
	drg_buf_clear(text);
	const enum drg_cells_stop stop = drg_cells_read(&c, s, text);
	*ret = drg_utf8_trim(drg_buf_view(text)).n == 0                                ? MARK_EMPTY
	       : is_marked(drg_buf_view(text), t->pair->open, t->pair->close, &within) ? MARK_INNER
	                                                                               : MARK_NONE;
	return stop == DRG_CELLS_CELL;
}

static void take_marks(struct marks_trial *t, const unsigned char *found, unsigned cells)
{
	t->counts[cells]++;
	if (cells != t->cells)
		return;
	for (unsigned i = 0; i < cells; i++) {
		struct mark_column *c = &t->columns[i];
		if (t->below) {
			c->outer += found[i] == MARK_OUTER;
			c->inner += found[i] == MARK_INNER;
			c->others += found[i] == MARK_NONE;
		} else {
			c->header = found[i] == MARK_OUTER || found[i] == MARK_INNER;
		}
	}
	t->below = true;
}

static void try_marks(struct marks_trial *t, struct drg_str s, struct drg_buf *text)
{
	unsigned char found[DRG_SHEET_COLUMNS_MAX];
	unsigned n = 0;
	while (s.n > 0) {
		enum mark_found is = MARK_EMPTY;
		const bool on = mark_cell(t, &s, text, &is);
		found[n] = (unsigned char)is;
		n += n + 1 < DRG_SHEET_COLUMNS_MAX;
		if (on)
			continue;
		if (n > 1 || is != MARK_EMPTY)
			take_marks(t, found, n);
		n = 0;
	}
}

/* Does a cell below the header begin with this, about? */
static bool begins_cells(struct drg_str s, struct drg_str open, char separator)
{
	const char *at, *begin = s.p;
	while ((at = memmem(s.p, s.n, open.p, open.n)) != NULL) {
		const char *before = at;
		while (before > begin && (before[-1] == ' ' || before[-1] == '"'))
			before--;
		if (before > begin && (before[-1] == separator || before[-1] == '\n'))
			return true;
		s = drg_str(at + 1, s.n - (size_t)(at + 1 - s.p));
	}
	return false;
}

/* Columns of which all cells have the marks; what the header has does not matter, but one cell is not all. */
static unsigned marked_columns(const struct marks_trial *t, unsigned char *ret)
{
	unsigned n = 0;
	for (unsigned i = 0; i < t->cells; i++) {
		const struct mark_column *c = &t->columns[i];
		const unsigned cells = c->outer + c->inner;
		ret[i] = DRG_DIALECT_NO_MARKS;
		if (c->others > 0 || cells == 0 || cells + c->header < 2)
			continue;
		ret[i] = c->inner > 0 ? DRG_DIALECT_INNER : DRG_DIALECT_OUTER;
		n++;
	}
	return n;
}

/* Find the quotes that all cells of some columns have around them. */
static int find_marks(struct drg_dialect *f, struct drg_buf *text, size_t at)
{
	enum { TEXT = 1 << 18 };
	struct drg_str s = text_from(text, at);
	s.n = s.n < TEXT ? s.n : TEXT;
	const char *last = s.n < text->n - at ? memrchr(s.p, '\n', s.n) : NULL;
	unsigned char marks[DRG_SHEET_COLUMNS_MAX];
	unsigned most = 0;
	struct marks_trial *t = malloc(sizeof *t);
	struct drg_buf cell;
	if (t == NULL)
		return DRG_ENOMEM;
	s.n = last != NULL ? (size_t)(last - s.p) : s.n;
	drg_buf_init(&cell, DRG_SHEET_CELL_MAX);
	for (size_t k = 0; k < DRG_ARRAY_LEN(mark_pairs); k++) {
		const struct mark_pair *pair = &mark_pairs[k];
		if (!begins_cells(s, pair->open, f->mark))
			continue;
		*t = (struct marks_trial){ .f = f, .pair = pair };
		try_marks(t, s, &cell);
		unsigned cells = 1;
		for (unsigned i = 1; i < DRG_SHEET_COLUMNS_MAX; i++)
			cells = t->counts[i] > t->counts[cells] ? i : cells;
		*t = (struct marks_trial){ .f = f, .pair = pair, .cells = cells };
		try_marks(t, s, &cell);
		const unsigned n = marked_columns(t, marks);
		if (n <= most)
			continue;
		most = n;
		f->open = pair->open;
		f->close = pair->close;
		memset(f->marks, DRG_DIALECT_NO_MARKS, sizeof f->marks);
		memcpy(f->marks, marks, cells);
	}
	drg_buf_done(&cell);
	free(t);
	f->within = f->close.n == 1 && memmem(s.p, s.n, "\\'", 2) != NULL ? DRG_QUOTE_BACKSLASH
	                                                                  : DRG_QUOTE_DOUBLE;
	if (most > 0)
		dialect_convert_from(f, text, at);
	return DRG_OK;
}

/* ---- all of it ----------------------------------------------------------------------------------------- */

static char dialect_guess_separator(struct drg_dialect *f, struct drg_str s, char said, bool quotes)
{
	struct separator_trial trial;
	const char mark = guess_separator(s, said, quotes, &trial);
	f->wrapped = 0;
	if (trial.counts[trial.first] > 1 &&
	    mark != DRG_DIALECT_SEPARATOR) /* of two cells, one may be prose */
		f->wrapped = (unsigned)trial.counts[trial.first] + 1;
	if (trial.points > 0 || s.n == 0 || s.p[0] != '"' || !quotes)
		return mark;
	struct drg_buf lines;
	drg_buf_init(&lines, SIZE_MAX);
	take_wrapped_lines(s, &lines);
	const char within = guess_separator(drg_buf_view(&lines), said, true, &trial);
	drg_buf_done(&lines);
	if (trial.same * 2 <= trial.lines || trial.first != 0)
		return mark;
	f->wrapped = (unsigned)trial.counts[0] + 1;
	return within;
}

static void dialect_guess_quote(struct drg_dialect *f, struct drg_str s, bool whole, char said)
{
	struct separator_trial trial;
	f->quote = guess_quote(s, whole, f->mark);
	const char other = guess_separator(s, said, false, &trial);
	if (f->quote == DRG_QUOTE_DOUBLE && other != f->mark &&
	    guess_quote(s, whole, other) == DRG_QUOTE_NONE) {
		f->mark = other;
		f->quote = DRG_QUOTE_NONE;
	}
}

/* Separator and quotes depend on each other: where quotes do not pair, a separator is sought without them. */
int drg_dialect_recognise(struct drg_dialect *f, struct drg_buf *text, size_t at, bool whole)
{
	const bool quotes = f->quote != DRG_QUOTE_NONE && f->quote != DRG_QUOTE_DUMP;
	char said = f->separator < 0x80 ? (char)f->separator : DRG_DIALECT_SEPARATOR;
	int rc = DRG_OK;
	f->whole = whole;
	f->line_end = first_line_end(text_from(text, at));
	if (said == DRG_DIALECT_SEPARATOR)
		f->n_wide = drg_utf8_put(f->separator, f->wide);
	dialect_convert_from(f, text, at);
	if (said == '\0')
		rc = find_wide(f, text_from(text, at), quotes);
	if (said == '\0' && f->n_wide > 0)
		dialect_convert_from(f, text, at);
	f->mark = dialect_guess_separator(f, text_from(text, at), said, quotes);
	if (rc == DRG_OK && f->line_end.n == 0)
		rc = find_line_end(f, text, at, whole, f->mark);
	if (f->quote == DRG_QUOTE_UNKNOWN)
		dialect_guess_quote(f, text_from(text, at), whole, said);
	if (rc == DRG_OK && f->mark != DRG_DIALECT_SEPARATOR && f->n_wide > 0) {
		drg_dialect_restore(f, DRG_SHEET_COLUMNS_MAX, text, at);
		f->n_wide = 0;
		rc = text->rc;
	}
	const char single = f->mark;
	if (rc == DRG_OK)
		rc = find_longer(f, text, at, quotes);
	if (rc == DRG_OK && f->mark != DRG_DIALECT_SEPARATOR && f->n_wide > 0) {
		dialect_convert_from(f, text, at);
		f->mark = DRG_DIALECT_SEPARATOR;
		f->wrapped = 0;
	}
	f->separator =
	        single != DRG_DIALECT_SEPARATOR ? (unsigned char)single : drg_utf8_only(dialect_wide(f));
	return rc == DRG_OK && quotes ? find_marks(f, text, at) : rc;
}
