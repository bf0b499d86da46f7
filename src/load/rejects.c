/* Writes rejected rows as CSV, with all their cells and the reasons, to be corrected and loaded again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "load/load_priv.h"
#include "sheet/harmless.h"

static void write_header(FILE *f, const struct drg_plan *p)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		drg_cell_write(f, p->header[i].name, ',', true);
		fputc(',', f);
	}
	fputs("rejected because\r\n", f);
}

/* Write a bad row. @param bad  Its @p n faults. @param texts  The reasons of all rows. @param reasons  Buffer
 * for its reasons. */
static void write_bad_row(FILE *f, const struct drg_plan *p, const struct drg_sheet_row *row,
                          const char *texts, const struct load_bad *bad, size_t n, struct drg_buf *reasons)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		drg_cell_write(f, i < row->n ? row->cells[i].text : drg_str("", 0), ',', true);
		fputc(',', f);
	}
	drg_buf_clear(reasons);
	for (size_t i = 0; i < n; i++) {
		drg_buf_str(reasons, drg_str_c(i > 0 ? "; " : ""));
		drg_buf_add(reasons, texts + bad[i].at, bad[i].n);
	}
	drg_cell_write(f, drg_buf_view(reasons), ',', true);
	fputs("\r\n", f);
}

/* Write the bad rows of a file, or of one of its sheets. @param at  In and out: the next bad row. */
static int rejects_of_file(struct load_run *l, uint32_t number, size_t *at, FILE *f, struct drg_err *reterr)
{
	const struct load_bad *bad = (const struct load_bad *)(const void *)l->bad.p;
	size_t n = l->bad.n / sizeof *bad;
	struct drg_sheet_row row;
	struct drg_plan p;
	struct drg_buf reasons;
	if (*at == n || bad[*at].file != number)
		return DRG_OK;
	struct drg_plan_wishes w = l->o->wishes;
	const char *sheet = bad[*at].sheet;
	const bool again = *at > 0 && bad[*at - 1].file == number;
	w.sheet = sheet != NULL ? sheet : w.sheet;
	int rc = drg_plan_open(l->o->files[number], l->o->stop_reading, &l->profiles, &w, &l->plans, &p,
	                       reterr);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&reasons, SIZE_MAX);
	if (!again) /* sheets of one list have the same columns */
		write_header(f, &p);
	while (reasons.rc == DRG_OK && *at < n && bad[*at].file == number && bad[*at].sheet == sheet &&
	       (rc = drg_plan_next(&p, &row, reterr)) == DRG_OK) {
		if (row.line != bad[*at].line)
			continue;
		size_t first = *at;
		while (*at < n && bad[*at].file == number && bad[*at].sheet == sheet &&
		       bad[*at].line == row.line)
			++*at;
		write_bad_row(f, &p, &row, l->bad_texts.p, &bad[first], *at - first, &reasons);
	}
	drg_plan_close(&p);
	if (reasons.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	drg_buf_done(&reasons);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

int drg_load_write_rejects(struct load_run *l, struct drg_err *reterr)
{
	size_t at = 0;
	int rc = DRG_OK;
	FILE *f = fopen(l->o->rejects, "we");
	if (f == NULL)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot write %s: %s",
		                l->o->rejects, strerror(errno));
	fputs("\xef\xbb\xbf", f);
	for (size_t i = 0; i < l->o->n_files && rc == DRG_OK; i++)
		for (size_t before = SIZE_MAX; before != at && rc == DRG_OK;) {
			before = at;
			rc = rejects_of_file(l, (uint32_t)i, &at, f, reterr);
		}
	bool written = ferror(f) == 0;
	if (fclose(f) != 0 || !written)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot write %s", l->o->rejects);
	return rc;
}
