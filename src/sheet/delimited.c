/* Text files: sep= lines, byte order marks, any separator, any encoding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/encoding.h"
#include "sheet/harmless.h"
#include "sheet/sheet_priv.h"
#include "text/cells.h"
#include "text/input.h"

enum { SAMPLE = 1 << 20, CHUNK = 1 << 16 };

struct text_sheet {
	struct drg_sheet head;
	struct drg_input *in;
	struct drg_decoder *decoder;
	struct drg_buf raw; /* the sample, until it is decoded */
	struct drg_buf text; /* decoded, from `at` on not yet read */
	size_t at;
	struct drg_cells cells;
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
static int text_cell(struct text_sheet *t, enum drg_cells_stop *ret, struct drg_err *reterr)
{
	enum drg_cells_stop stop = DRG_CELLS_MORE;
	int rc = DRG_OK;
	while (stop == DRG_CELLS_MORE && (rc = text_more(t, reterr)) == DRG_OK) {
		struct drg_str rest = drg_str(t->text.p + t->at, t->text.n - t->at);
		stop = drg_cells_read(&t->cells, &rest, &t->head.line.texts);
		t->at = t->text.n - rest.n;
	}
	if (stop == DRG_CELLS_LONG)
		return too_much(t, t->cells.lines + 1, reterr);
	if (rc == DRG_ENOENT && drg_cells_pass(&t->cells, DRG_STR("")))
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s: a quote is opened and never closed",
		                t->head.path);
	*ret = stop;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int text_next(struct drg_sheet *s, uint64_t *ret_line, struct drg_err *reterr)
{
	struct text_sheet *t = (struct text_sheet *)s;
	enum drg_cells_stop stop = DRG_CELLS_CELL;
	uint64_t line = t->cells.lines + 1;
	int rc = text_more(t, reterr);
	for (unsigned column = 0; rc == DRG_OK && stop == DRG_CELLS_CELL; column++) {
		size_t at = s->line.texts.n;
		rc = text_cell(t, &stop, reterr);
		if (rc == DRG_OK && s->line.texts.rc == DRG_OK &&
		    s->line.texts.n > at) /* of the first one there may be no text at all yet */
			s->line.texts.n = at + drg_cell_unescape(s->line.texts.p + at, s->line.texts.n - at);
		if (rc == DRG_OK && (s->line.texts.rc == DRG_ELIMIT ||
		                     drg_sheet_line_cell(&s->line, column, at, DRG_CELL_TEXT) != DRG_OK))
			return too_much(t, line, reterr);
	}
	*ret_line = line;
	return rc;
}

static const struct sheet_ops text_ops = { text_next, text_close, NULL };

/* ---- recognising --------------------------------------------------------------------------------------- */

enum { GUESS_LINES = 20 };

/* How often a sign stands in each of the first lines. @return how many lines */
static unsigned guess_counts(struct drg_str s, char mark, size_t *ret)
{
	unsigned lines = 0;
	bool quoted = false;
	ret[0] = 0;
	for (size_t i = 0; i < s.n && lines < GUESS_LINES; i++) {
		quoted ^= s.p[i] == '"';
		ret[lines] += !quoted && s.p[i] == mark;
		if (!quoted && s.p[i] == '\n' && ++lines < GUESS_LINES)
			ret[lines] = 0;
	}
	return lines < GUESS_LINES && ret[lines] > 0 ? lines + 1 : lines;
}

/* What stands most often between cells in the first lines, and as often in most of them: titles have none. */
static char guess_separator(struct drg_str s)
{
	static const char marks[] = ";\t|,";
	size_t counts[GUESS_LINES], best_points = 0;
	char best = ',';
	for (const char *m = marks; *m != '\0'; m++) {
		unsigned lines = guess_counts(s, *m, counts);
		for (unsigned i = 0; i < lines; i++) {
			size_t same = 0;
			for (unsigned k = 0; k < lines && counts[i] > 0; k++)
				same += counts[k] == counts[i];
			if (same * (counts[i] + 1) > best_points) {
				best = *m;
				best_points = same * (counts[i] + 1);
			}
		}
	}
	return best;
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

static int text_encoding(struct text_sheet *t, const char *said, struct drg_err *reterr)
{
	struct drg_encoding e = { .told = true };
	struct drg_err problem;
	bool whole;
	int rc = text_sample(t, &whole, reterr);
	if (rc == DRG_OK && t->raw.n == 0)
		rc = text_is_empty(t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_encoding_detect(drg_buf_view(&t->raw), whole, &e, &problem);
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
	int rc = drg_input_open(t->head.path, &t->in, reterr);
	if (rc == DRG_OK)
		rc = text_encoding(t, o->encoding, reterr);
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
		t->head.about.separator =
		        o->separator != '\0' ? o->separator : guess_separator(drg_buf_view(&t->text));
	t->cells.separator = t->head.about.separator;
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
