#include "text/cells.h"

/* A walk over the cells of a row. Their texts are gathered at `to`, which has room for the whole row. */
struct cells_walk {
	const char *p, *end;
	char separator;
	bool behind; /* the last cell was given */
	bool unfinished; /* the text ended inside quotes */
	char *to; /* NULL: nobody wants the texts */
	size_t n;
};

static void cells_put(struct cells_walk *w, char c)
{
	if (w->to != NULL)
		w->to[w->n] = c;
	w->n++;
}

/* From the opening quote to behind the closing one. */
static void walk_quotes(struct cells_walk *w)
{
	for (w->p++; w->p < w->end; w->p++) {
		if (*w->p == '"') {
			w->p++;
			if (w->p == w->end || *w->p != '"')
				return;
		}
		cells_put(w, *w->p);
	}
	w->unfinished = true;
}

/* The next cell; a quote that does not begin a cell is a character like others. @return false behind the last. */
static bool next_cell(struct cells_walk *w, struct drg_str *ret)
{
	if (w->behind)
		return false;
	size_t start = w->n;
	if (w->p < w->end && *w->p == '"')
		walk_quotes(w);
	for (; w->p < w->end && *w->p != w->separator; w->p++)
		cells_put(w, *w->p);
	if (w->p < w->end)
		w->p++;
	else
		w->behind = true;
	*ret = drg_str(w->to != NULL ? w->to + start : NULL, w->n - start);
	return true;
}

bool drg_cells_complete(struct drg_str text, char separator)
{
	struct cells_walk w = { .p = text.p, .end = text.p + text.n, .separator = separator };
	struct drg_str cell;
	while (next_cell(&w, &cell))
		;
	return !w.unfinished;
}

int drg_cells_split(struct drg_str row, char separator, struct drg_arena *a, struct drg_str *ret,
                    unsigned max, unsigned *ret_n, struct drg_err *reterr)
{
	struct cells_walk w = { .p = row.p, .end = row.p + row.n, .separator = separator };
	struct drg_str cell;
	unsigned n = 0;
	w.to = drg_arena_alloc(a, row.n + 1);
	if (w.to == NULL)
		return drg_fail_memory(reterr);
	while (next_cell(&w, &cell)) {
		if (n == max)
			return drg_fail(reterr, DRG_EINVAL, DRG_R(too_many_columns), NULL,
			                "expected at most %u columns, found more", max);
		ret[n++] = cell;
	}
	if (w.unfinished)
		return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_csv), NULL,
		                "expected a closing quote, found the end of the row");
	*ret_n = n;
	return DRG_OK;
}
