/* Text files: sep= lines, byte order marks, any separator, any encoding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/encoding.h"
#include "sheet/harmless.h"
#include "sheet/sheet_priv.h"
#include "text/cells.h"
#include "text/input.h"
#include "text/utf8.h"

enum { SAMPLE = 1 << 20, CHUNK = 1 << 16 };

struct text_sheet {
	struct drg_sheet head;
	struct drg_input *in;
	struct drg_decoder *decoder;
	struct drg_buf raw; /* the sample, until it is decoded */
	struct drg_buf text; /* decoded, from `at` on not yet read */
	size_t at;
	struct drg_cells cells;
	unsigned wrapped; /* cells of a line that is all in quotes; 0: there is no such line */
	bool returns; /* lines end with a carriage return alone, as Excel on a Mac writes them */
	bool ended; /* nothing follows `text` */
	bool broken; /* and what followed means nothing in this encoding */
};

static void text_close(struct drg_sheet *s)
{
	struct text_sheet *t = (struct text_sheet *)s;
	drg_input_close(t->in);
	drg_decoder_close(t->decoder);
	drg_buf_done(&t->raw);
	drg_buf_done(&t->text);
	free(t);
}

/* ---- characters ---------------------------------------------------------------------------------------- */

/* Bytes of the file, unpacked. Damaged data is the file's fault, not the disk's. */
static int text_read(struct text_sheet *t, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	struct drg_err e;
	int rc = drg_input_read(t->in, buf, cap, ret_n, &e);
	if (rc == DRG_OK)
		rc = drg_sheet_spend(&t->head.budget, *ret_n, &e);
	if (rc == DRG_ECORRUPT)
		e.code = DRG_EINVAL;
	return rc == DRG_OK ? rc : drg_sheet_fail(&t->head, &e, reterr);
}

/* Does the first line end with a carriage return alone? Within quotes no line ends. */
static bool text_has_returns(struct drg_str s)
{
	bool quoted = false;
	for (size_t i = 0; i < s.n; i++) {
		quoted ^= s.p[i] == '"';
		if (!quoted && (s.p[i] == '\n' || s.p[i] == '\r'))
			return s.p[i] == '\r' && (i + 1 == s.n || s.p[i + 1] != '\n');
	}
	return false;
}

/* @param first  The text is the first of the file, and tells how its lines end. */
static void text_end_lines(struct text_sheet *t, bool first)
{
	if (first)
		t->returns = text_has_returns(drg_buf_view(&t->text));
	for (size_t i = 0; i < t->text.n && t->returns; i++)
		if (t->text.p[i] == '\r')
			t->text.p[i] = '\n';
}

static int text_fill(struct text_sheet *t, struct drg_err *reterr)
{
	char chunk[CHUNK];
	size_t n = 0;
	struct drg_str in = drg_buf_view(&t->raw);
	drg_buf_clear(&t->text);
	t->at = 0;
	if (in.n == 0) {
		int rc = text_read(t, chunk, sizeof chunk, &n, reterr);
		if (rc != DRG_OK)
			return rc;
		in = drg_str(chunk, n);
	}
	const bool first = t->raw.n > 0, last = !first && n == 0;
	int rc = drg_decoder_add(t->decoder, in, last, &t->text);
	t->raw.n = 0;
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	if (t->text.n > 0)
		text_end_lines(t, first);
	t->broken = rc != DRG_OK;
	t->ended = last || t->broken;
	return DRG_OK;
}

/* Have something in `text` that is not yet read. @return DRG_ENOENT at the end. */
static int text_more(struct text_sheet *t, struct drg_err *reterr)
{
	while (t->at == t->text.n) {
		if (t->broken)
			return drg_fail(
			        reterr, DRG_EINVAL, NULL, "encoding",
			        "%s:%llu: bytes that are not %s: the file mixes encodings, or it is another "
			        "one (--encoding)",
			        t->head.path, (unsigned long long)t->cells.lines + 1, t->head.about.encoding);
		if (t->ended)
			return DRG_ENOENT;
		int rc = text_fill(t, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	return DRG_OK;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static int too_much(const struct text_sheet *t, uint64_t line, struct drg_err *reterr)
{
	return drg_fail(
	        reterr, DRG_EINVAL, NULL, NULL,
	        "%s:%llu: expected a row of at most %d cells and %d bytes, found more (a quote that does "
	        "not end?)",
	        t->head.path, (unsigned long long)line, DRG_SHEET_COLUMNS_MAX, DRG_SHEET_CELL_MAX);
}

/* One cell to the end of `texts`. @param ret  DRG_CELLS_MORE: the file ends behind it. */
static int text_cell(struct text_sheet *t, unsigned column, enum drg_cells_stop *ret, struct drg_err *reterr)
{
	enum drg_cells_stop stop = DRG_CELLS_MORE;
	int rc = DRG_OK;
	while (stop == DRG_CELLS_MORE && (rc = text_more(t, reterr)) == DRG_OK) {
		struct drg_str rest = drg_str(t->text.p + t->at, t->text.n - t->at);
		stop = drg_cells_read(&t->cells, &rest, &t->head.line.texts);
		t->at = t->text.n - rest.n;
	}
	if (stop == DRG_CELLS_LONG)
		return too_much(t, t->cells.within != 0 ? t->cells.opened : t->cells.lines + 1, reterr);
	if (rc == DRG_ENOENT && drg_cells_pass(&t->cells, DRG_STR("")))
		return drg_fail(
		        reterr, DRG_EINVAL, NULL, "quote",
		        "%s:%llu: the quote that begins the cell of column %u is never closed; mend it, or "
		        "say --quote none if the file does not quote its cells",
		        t->head.path, (unsigned long long)t->cells.opened, column + 1);
	*ret = stop;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A spreadsheet for which the separator is text has put a whole line into quotes: "1,""Ada, Blue"",Side". Take
 * it apart, if it has as many cells as other lines. */
static int text_unwrap(struct text_sheet *t, struct drg_err *reterr)
{
	struct sheet_line *l = &t->head.line;
	struct drg_cells c = { .separator = t->cells.separator, .quote = t->cells.quote, .lenient = true };
	const size_t end = l->texts.n, from = l->places[0].at, n = l->places[0].n;
	enum drg_cells_stop stop = DRG_CELLS_CELL;
	if (!drg_buf_reserve(&l->texts, n + 1)) /* its cells are no longer, and it does not move */
		return drg_fail_memory(reterr);
	struct drg_str rest = drg_str(l->texts.p + from, n);
	l->n = 0;
	while (stop == DRG_CELLS_CELL && l->n < t->wrapped) {
		const size_t at = l->texts.n;
		stop = drg_cells_read(&c, &rest, &l->texts);
		l->texts.n = at + drg_cell_unescape(l->texts.p + at, l->texts.n - at);
		if (drg_sheet_line_cell(l, l->n, at, DRG_CELL_TEXT) != DRG_OK)
			break;
	}
	if (stop == DRG_CELLS_MORE && l->n == t->wrapped)
		return DRG_OK;
	l->texts.n = end;
	l->places[0].at = from;
	l->places[0].n = n;
	l->n = 1;
	return DRG_OK;
}

static int text_next(struct drg_sheet *s, uint64_t *ret_line, struct drg_err *reterr)
{
	struct text_sheet *t = (struct text_sheet *)s;
	enum drg_cells_stop stop = DRG_CELLS_CELL;
	uint64_t line = t->cells.lines + 1;
	int rc = text_more(t, reterr);
	t->cells.within = 0;
	for (unsigned column = 0; rc == DRG_OK && stop == DRG_CELLS_CELL; column++) {
		size_t at = s->line.texts.n;
		rc = text_cell(t, column, &stop, reterr);
		if (rc == DRG_OK && s->line.texts.rc == DRG_OK &&
		    s->line.texts.n > at) /* of the first one there may be no text at all yet */
			s->line.texts.n = at + drg_cell_unescape(s->line.texts.p + at, s->line.texts.n - at);
		if (rc == DRG_OK && (s->line.texts.rc == DRG_ELIMIT ||
		                     drg_sheet_line_cell(&s->line, column, at, DRG_CELL_TEXT) != DRG_OK))
			return too_much(t, line, reterr);
	}
	s->line.swallows =
	        (t->cells.within & DRG_CELLS_NEWLINE) != 0 && (t->cells.within & DRG_CELLS_SEPARATOR) != 0;
	s->line.stray = (t->cells.within & DRG_CELLS_STRAY_QUOTE) != 0;
	if (rc == DRG_OK && t->wrapped > 0 && s->line.n == 1 && t->cells.opened >= line)
		rc = text_unwrap(t, reterr);
	*ret_line = line;
	return rc;
}

static const struct sheet_ops text_ops = { .next = text_next, .close = text_close };

/* ---- recognising --------------------------------------------------------------------------------------- */

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

/* The usual signs come first. Another one has to be in the first line, and in most.
 * @param said  The separator is known; 0: it is not.
 * @param ret   How it does; no points: none of the signs occurs. */
static char guess_separator(struct drg_str s, char said, bool quotes, struct separator_trial *ret)
{
	enum { USUAL = 4 };
	static const char all[] = ";\t|,^~:\x1f\x01";
	const char one[] = { said, '\0' }, *const marks = said != '\0' ? one : all;
	char separator = said != '\0' ? said : ',';
	*ret = (struct separator_trial){ .points = 0 };
	for (const char *m = marks; *m != '\0'; m++) {
		const struct separator_trial t = try_separator(s, *m, quotes);
		const bool better = m < marks + USUAL
		                            ? !is_within_cells(ret, &t) &&
		                                      (t.points > ret->points || is_within_cells(&t, ret))
		                            : ret->same * 2 < t.lines && t.points > ret->points &&
		                                      t.first == 0 && t.same > 1 && t.same * 2 > t.lines;
		if (better && t.points > 0) {
			*ret = t;
			separator = *m;
		}
	}
	return separator;
}

/* What speaks against reading cells with quotes. */
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
	size_t odd; /* of the others those below the header that are no titles, but have cells or a quote */
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

/* What keeps separators within cells: quotes, unless the sample speaks against them. A file never quotes, if
 * quotes do not pair, and all lines have the same number of cells as they are. */
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
	/* Where all quotes pair, a title may be prose of a cell. */
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

/* Separator and quotes depend on each other: where quotes do not pair, a separator is sought without them. */
static void guess_form(struct text_sheet *t, const struct drg_sheet_options *o, bool whole)
{
	struct drg_sheet_about *a = &t->head.about;
	const struct drg_str s = drg_str(t->text.p + t->at, t->text.n - t->at);
	const bool quotes = o->quote != DRG_QUOTE_NONE && o->quote != DRG_QUOTE_DUMP;
	const char said = a->separator;
	struct separator_trial trial;
	a->separator = guess_separator(s, said, quotes, &trial);
	if (trial.counts[trial.first] > 1) /* of two cells, one may be prose */
		t->wrapped = (unsigned)trial.counts[trial.first] + 1;
	if (trial.points == 0 && s.n > 0 && s.p[0] == '"' && quotes) {
		struct drg_buf lines;
		drg_buf_init(&lines, SIZE_MAX);
		take_wrapped_lines(s, &lines);
		const char within = guess_separator(drg_buf_view(&lines), said, true, &trial);
		drg_buf_done(&lines);
		if (trial.same * 2 > trial.lines && trial.first == 0) {
			a->separator = within;
			t->wrapped = (unsigned)trial.counts[0] + 1;
		}
	}
	a->quote = o->quote;
	if (a->quote != DRG_QUOTE_UNKNOWN)
		return;
	a->quote = guess_quote(s, whole, a->separator);
	const char other = guess_separator(s, said, false, &trial);
	if (a->quote == DRG_QUOTE_DOUBLE && other != a->separator &&
	    guess_quote(s, whole, other) == DRG_QUOTE_NONE) {
		a->separator = other;
		a->quote = DRG_QUOTE_NONE;
	}
}

/* "sep=;" is a line of Excel's own: it says the separator and is no row. */
static bool sep_line(struct text_sheet *t)
{
	struct drg_str s = drg_str(t->text.p + t->at, t->text.n - t->at);
	bool quoted = s.n > 0 && s.p[0] == '"';
	size_t n = quoted ? 1 : 0;
	if (s.n < n + 6 || !drg_str_eq_nocase(drg_str(s.p + n, 4), DRG_STR("sep=")))
		return false;
	char c = s.p[n + 4];
	n += 5;
	n += quoted && s.p[n] == '"';
	n += n < s.n && s.p[n] == '\r';
	if (n >= s.n || s.p[n] != '\n')
		return false;
	t->head.about.separator = c;
	t->at += n + 1;
	t->cells.lines++;
	return true;
}

static int text_sample(struct text_sheet *t, bool *ret_whole, struct drg_err *reterr)
{
	char chunk[CHUNK];
	size_t n = 1;
	int rc = DRG_OK;
	while (rc == DRG_OK && n > 0 && t->raw.n < SAMPLE) {
		rc = text_read(t, chunk, sizeof chunk, &n, reterr);
		if (rc == DRG_OK)
			drg_buf_add(&t->raw, chunk, n);
	}
	*ret_whole = n == 0;
	return rc == DRG_OK && t->raw.rc != DRG_OK ? drg_fail_memory(reterr) : rc;
}

static int text_is_empty(const struct text_sheet *t, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s: the file is empty", t->head.path);
}

/* @param ret_whole  The sample is all of the file. */
static int text_encoding(struct text_sheet *t, const char *said, bool *ret_whole, struct drg_err *reterr)
{
	struct drg_encoding e = { .told = true };
	struct drg_err problem;
	int rc = text_sample(t, ret_whole, reterr);
	if (rc == DRG_OK && t->raw.n == 0)
		rc = text_is_empty(t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_encoding_detect(drg_buf_view(&t->raw), *ret_whole, &e, &problem);
	/* A mark is not to be argued with; else the user knows best. */
	if (said != NULL && e.mark == 0) {
		snprintf(e.name, sizeof e.name, "%s", said);
		e.told = true;
		rc = DRG_OK;
	}
	if (rc != DRG_OK)
		return drg_fail(reterr, rc, NULL, problem.field, "%s: %s", t->head.path, problem.message);
	snprintf(t->head.about.encoding, sizeof t->head.about.encoding, "%s", e.name);
	t->head.about.encoding_told = e.told;
	memmove(t->raw.p, t->raw.p + e.mark, t->raw.n - e.mark);
	t->raw.n -= e.mark;
	return drg_decoder_open(e.name, &t->decoder, reterr);
}

static int text_begin(struct text_sheet *t, const struct drg_sheet_options *o, struct drg_err *reterr)
{
	bool whole = true;
	int rc = drg_input_open(t->head.path, &t->in, reterr);
	if (rc == DRG_OK)
		rc = text_encoding(t, o->encoding, &whole, reterr);
	if (rc == DRG_OK && t->raw.n == 0)
		return text_is_empty(t, reterr);
	if (rc == DRG_OK)
		rc = text_fill(t, reterr);
	if (rc != DRG_OK)
		return rc;
	if (memchr(t->text.p, '\0', t->text.n) != NULL)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s is not a table: it has zero bytes",
		                t->head.path);
	if (!sep_line(t))
		t->head.about.separator = o->separator;
	guess_form(t, o, whole);
	t->cells.separator = t->head.about.separator;
	t->cells.quote = t->head.about.quote;
	return DRG_OK;
}

int drg_sheet_open_text(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                        struct drg_err *reterr)
{
	struct text_sheet *t = calloc(1, sizeof *t);
	if (t == NULL)
		return drg_fail_memory(reterr);
	t->cells = (struct drg_cells){ .lenient = true, .max = DRG_SHEET_CELL_MAX };
	drg_buf_init(&t->raw, SAMPLE + CHUNK);
	drg_buf_init(&t->text, (size_t)SAMPLE * 8);
	int rc = drg_sheet_init(&t->head, &text_ops, path, o, reterr);
	if (rc == DRG_OK)
		rc = text_begin(t, o, reterr);
	if (rc == DRG_OK)
		*ret = &t->head;
	else
		drg_sheet_close(&t->head);
	return rc;
}
