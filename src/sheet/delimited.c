/* Text files: sep= lines, byte order marks, any separator, any encoding. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sheet/encoding.h"
#include "sheet/dialect.h"
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
	size_t end; /* from here on it may begin a sign that ends in the next text, and waits for that */
	struct drg_cells cells;
	struct drg_dialect dialect;
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

/* How far the text can be read: a sign may be cut where it ends. */
static void text_hold(struct text_sheet *t)
{
	t->end = t->text.n;
	if (!t->ended)
		t->end -= drg_dialect_held(&t->dialect, drg_str(t->text.p + t->at, t->text.n - t->at));
}

static int text_fill(struct text_sheet *t, struct drg_err *reterr)
{
	char chunk[CHUNK];
	size_t n = 0;
	struct drg_str in = drg_buf_view(&t->raw);
	const size_t held = t->text.n - t->end;
	if (held > 0)
		memmove(t->text.p, t->text.p + t->end, held);
	drg_buf_clear(&t->text);
	t->text.n = held;
	t->at = t->end = 0;
	if (in.n == 0) {
		int rc = text_read(t, chunk, sizeof chunk, &n, reterr);
		if (rc != DRG_OK)
			return rc;
		in = drg_str(chunk, n);
	}
	const bool first = t->raw.n > 0, last = !first && n == 0; /* the first text is yet to be recognised */
	int rc = drg_decoder_add(t->decoder, in, last, &t->text);
	t->raw.n = 0;
	if (rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	t->broken = rc != DRG_OK;
	t->ended = last || t->broken;
	if (!first) {
		drg_dialect_convert(&t->dialect, &t->text, t->ended);
		text_hold(t);
	}
	return DRG_OK;
}

/* Have something in `text` that can be read. @return DRG_ENOENT at the end. */
static int text_more(struct text_sheet *t, struct drg_err *reterr)
{
	while (t->at == t->end) {
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
	t->cells.open = drg_dialect_open(&t->dialect, column);
	t->cells.close = drg_dialect_close(&t->dialect, column);
	t->cells.quote = t->cells.open != '\0' ? t->dialect.within : t->dialect.quote;
	while (stop == DRG_CELLS_MORE && (rc = text_more(t, reterr)) == DRG_OK) {
		struct drg_str rest = drg_str(t->text.p + t->at, t->end - t->at);
		stop = drg_cells_read(&t->cells, &rest, &t->head.line.texts);
		t->at = t->end - rest.n;
	}
	if (stop == DRG_CELLS_LONG)
		return too_much(t, t->cells.within != 0 ? t->cells.opened : t->cells.lines + 1, reterr);
	if (rc == DRG_ENOENT && drg_cells_pass(&t->cells, DRG_STR("")))
		return drg_fail(reterr, DRG_EINVAL, NULL, "quote",
		                "%s:%llu: the quote that begins the cell of column %u is never closed; fix "
		                "it, or set --quote none if the file does not quote its cells",
		                t->head.path, (unsigned long long)t->cells.opened, column + 1);
	*ret = stop;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* A spreadsheet for which the separator is text has put a whole line into quotes: "1,""Ada, Blue"",Side". Take
 * it apart, if it has as many cells as other lines. */
static int text_unwrap(struct text_sheet *t, struct drg_err *reterr)
{
	struct sheet_line *l = &t->head.line;
	struct drg_cells c = { .separator = t->cells.separator, .quote = t->dialect.quote, .lenient = true };
	const size_t end = l->texts.n, from = l->places[0].at, n = l->places[0].n;
	enum drg_cells_stop stop = DRG_CELLS_CELL;
	if (!drg_buf_reserve(&l->texts, n + 1)) /* its cells are no longer, and it does not move */
		return drg_fail_memory(reterr);
	struct drg_str rest = drg_str(l->texts.p + from, n);
	l->n = 0;
	while (stop == DRG_CELLS_CELL && l->n < t->dialect.wrapped) {
		const size_t at = l->texts.n;
		stop = drg_cells_read(&c, &rest, &l->texts);
		l->texts.n = at + drg_cell_unescape(l->texts.p + at, l->texts.n - at);
		if (drg_sheet_line_cell(l, l->n, at, DRG_CELL_TEXT) != DRG_OK)
			break;
	}
	if (stop == DRG_CELLS_MORE && l->n == t->dialect.wrapped)
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
		    s->line.texts.n > at) { /* of the first one there may be no text at all yet */
			drg_dialect_restore(&t->dialect, column, &s->line.texts, at);
			s->line.texts.n = at + drg_cell_unescape(s->line.texts.p + at, s->line.texts.n - at);
		}
		if (rc == DRG_OK && (s->line.texts.rc == DRG_ELIMIT ||
		                     drg_sheet_line_cell(&s->line, column, at, DRG_CELL_TEXT) != DRG_OK))
			return too_much(t, line, reterr);
	}
	s->line.swallows =
	        (t->cells.within & DRG_CELLS_NEWLINE) != 0 && (t->cells.within & DRG_CELLS_SEPARATOR) != 0;
	s->line.stray = (t->cells.within & DRG_CELLS_STRAY_QUOTE) != 0;
	if (rc == DRG_OK && t->dialect.wrapped > 0 && s->line.n == 1 && t->cells.opened >= line)
		rc = text_unwrap(t, reterr);
	*ret_line = line;
	return rc;
}

static const struct sheet_ops text_ops = { .next = text_next, .close = text_close };

/* ---- recognising --------------------------------------------------------------------------------------- */

/* Does the first line have it? */
static bool line_has(struct drg_str s, struct drg_str sign)
{
	struct drg_str line = drg_str("", 0);
	while (line.n == 0 && drg_str_split(&s, memchr(s.p, '\n', s.n) != NULL ? '\n' : '\r', &line))
		;
	return memmem(line.p, line.n, sign.p, sign.n) != NULL;
}

/* "sep=;" is a line of Excel's own: it says the separator and is not a row. Some programs write it whatever
 * they put between cells, so the header has to have the sign. */
static bool sep_line(struct text_sheet *t, uint32_t said)
{
	struct drg_str s = drg_str(t->text.p + t->at, t->text.n - t->at);
	bool quoted = s.n > 0 && s.p[0] == '"';
	size_t n = quoted ? 1 : 0;
	if (s.n < n + 6 || !drg_str_eq_nocase(drg_str(s.p + n, 4), DRG_STR("sep=")))
		return false;
	size_t end = n + 5;
	while (end < s.n && ((unsigned char)s.p[end] & 0xc0) == 0x80)
		end++;
	const struct drg_str sign = drg_str(s.p + n + 4, end - n - 4);
	const uint32_t c = drg_utf8_only(sign);
	n = end + (quoted && end < s.n && s.p[end] == '"');
	const size_t line = n;
	n += n < s.n && s.p[n] == '\r';
	n += n < s.n && s.p[n] == '\n';
	if (n == line || c == 0 || c == '\n' || c == '\r' || c == '"')
		return false;
	t->dialect.separator = line_has(drg_str(s.p + n, s.n - n), sign) ? c : said;
	t->at += n;
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
	struct drg_dialect *f = &t->dialect;
	f->quote = o->quote;
	if (!sep_line(t, o->separator))
		f->separator = o->separator;
	if (drg_dialect_recognise(f, &t->text, t->at, whole) != DRG_OK)
		return drg_fail_memory(reterr);
	text_hold(t);
	t->cells.separator = f->mark;
	t->head.about.separator = f->separator;
	t->head.about.quote = f->quote;
	snprintf(t->head.about.marks, sizeof t->head.about.marks, "%.*s%.*s", DRG_STR_ARG(f->open),
	         DRG_STR_ARG(f->close));
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
