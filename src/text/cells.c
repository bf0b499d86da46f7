#include "text/cells.h"

#include <assert.h>

/* How many bytes from @p s on, one at least, are the cell's text whatever follows them. */
static size_t cells_run(const struct drg_cells *c, struct drg_str s)
{
	const size_t room = c->max > 0 ? c->max - c->n + 1 : s.n, most = room < s.n ? room : s.n;
	size_t n = 1;
	while (n < most && c->in != CELLS_BEGIN && s.p[n] != '"' && s.p[n] != '\n' && s.p[n] != c->separator)
		n++;
	return n;
}

static void cells_take_back(struct drg_cells *c, size_t n, struct drg_buf *texts)
{
	assert(n <= c->n && (texts->rc != DRG_OK || n <= texts->n));
	c->n -= n;
	if (texts->rc == DRG_OK)
		texts->n -= n;
}

/* What ends no cell: text, or a quote. @return how many bytes of it were read. */
static size_t cells_within(struct drg_cells *c, struct drg_str s, struct drg_buf *texts)
{
	size_t n = 1;
	if (*s.p == '"' && c->in == CELLS_QUOTED) {
		c->in = CELLS_QUOTE;
	} else if (*s.p == '"' && c->in == CELLS_BEGIN) {
		cells_take_back(c, c->n, texts);
		c->in = CELLS_QUOTED;
	} else {
		if (c->in == CELLS_QUOTE)
			c->in = CELLS_QUOTED; /* a second quote: it is text */
		else if (c->in == CELLS_BEGIN && !(c->lenient && (*s.p == ' ' || *s.p == '\t')))
			c->in = CELLS_TEXT;
		n = cells_run(c, s);
		drg_buf_add(texts, s.p, n);
		c->n += n;
	}
	return n;
}

enum drg_cells_stop drg_cells_read(struct drg_cells *c, struct drg_str *text, struct drg_buf *texts)
{
	while (text->n > 0) {
		const char b = *text->p;
		size_t n = 1;
		if (c->in == CELLS_QUOTE && b != '"')
			c->in = CELLS_TEXT;
		if (b == '\n' && c->lenient && c->n > 0 && texts->rc == DRG_OK &&
		    texts->p[texts->n - 1] == '\r')
			cells_take_back(c, 1, texts);
		const bool quote = b == '"' && c->in != CELLS_TEXT;
		const bool ends = !quote && c->in != CELLS_QUOTED && (b == '\n' || b == c->separator);
		if (!ends)
			n = cells_within(c, *text, texts);
		c->lines += b == '\n';
		*text = drg_str(text->p + n, text->n - n);
		if (ends) {
			c->in = CELLS_BEGIN;
			c->n = 0;
			return b == '\n' ? DRG_CELLS_ROW : DRG_CELLS_CELL;
		}
		if (c->max > 0 && c->n > c->max)
			return DRG_CELLS_LONG;
	}
	return DRG_CELLS_MORE;
}

bool drg_cells_pass(struct drg_cells *c, struct drg_str text)
{
	struct drg_buf none = { .rc = DRG_ELIMIT };
	while (drg_cells_read(c, &text, &none) != DRG_CELLS_MORE)
		;
	return c->in == CELLS_QUOTED;
}

int drg_cells_split(struct drg_str row, char separator, struct drg_arena *a, struct drg_str *ret,
                    unsigned max, unsigned *ret_n, struct drg_err *reterr)
{
	assert(max > 0 && separator != '"' && separator != '\n');
	struct drg_cells c = { .separator = separator };
	struct drg_buf texts = { .p = drg_arena_alloc(a, row.n + 1), .cap = row.n + 1, .max = row.n + 1 };
	enum drg_cells_stop stop;
	unsigned n = 0;
	if (texts.p == NULL)
		return drg_fail_memory(reterr);
	do {
		const size_t at = texts.n;
		stop = drg_cells_read(&c, &row, &texts);
		if (n == max)
			return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_columns), NULL,
			                "expected at most %u columns, found more", max);
		ret[n++] = drg_str(texts.p + at, texts.n - at);
	} while (stop != DRG_CELLS_MORE);
	if (c.in == CELLS_QUOTED)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_csv), NULL,
		                "expected a closing quote, found the end of the row");
	*ret_n = n;
	return DRG_OK;
}
