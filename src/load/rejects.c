/* Rejected rows as CSV, with all their cells and the reasons: to be mended and loaded again. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

#include "load/load_priv.h"
#include "sheet/harmless.h"

/* What stands in quotes. */
static void write_quoted(FILE *f, struct drg_str s)
{
	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '"')
			fputc('"', f);
		fputc(s.p[i], f);
	}
}

static void write_cell(FILE *f, struct drg_str s)
{
	fputs(drg_cell_is_harmful(s) ? "\"'" : "\"", f);
	write_quoted(f, s);
	fputc('"', f);
}

static void write_header(FILE *f, const struct drg_plan *p)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		write_cell(f, p->header[i].name);
		fputc(',', f);
	}
	fputs("rejected because\r\n", f);
}

/* @param bad  What is wrong with it, @p n times. @param texts  Of all. */
static void write_bad_row(FILE *f, const struct drg_plan *p, const struct drg_sheet_row *row,
                          const char *texts, const struct load_bad *bad, size_t n)
{
	for (unsigned i = 0; i < p->n_columns; i++) {
		write_cell(f, i < row->n ? row->cells[i].text : drg_str("", 0));
		fputc(',', f);
	}
	fputc('"', f);
	for (size_t i = 0; i < n; i++) {
		fputs(i > 0 ? "; " : "", f);
		write_quoted(f, drg_str(texts + bad[i].at, bad[i].n));
	}
	fputs("\"\r\n", f);
}

/* @param at  In and out: the next bad row. */
static int rejects_of_file(struct load_run *l, uint32_t number, size_t *at, FILE *f, struct drg_err *reterr)
{
	const struct load_bad *bad = (const struct load_bad *)(const void *)l->bad.p;
	size_t n = l->bad.n / sizeof *bad;
	struct drg_sheet_row row;
	struct drg_plan p;
	if (*at == n || bad[*at].file != number)
		return DRG_OK;
	int rc = drg_plan_open(l->o->files[number], l->o->stop, &l->profiles, &l->o->wishes, &l->plans, &p,
	                       reterr);
	if (rc != DRG_OK)
		return rc;
	write_header(f, &p);
	while (*at < n && bad[*at].file == number && (rc = drg_plan_next(&p, &row, reterr)) == DRG_OK) {
		if (row.line != bad[*at].line)
			continue;
		size_t first = *at;
		while (*at < n && bad[*at].file == number && bad[*at].line == row.line)
			++*at;
		write_bad_row(f, &p, &row, l->bad_texts.p, &bad[first], *at - first);
	}
	drg_plan_close(&p);
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
		rc = rejects_of_file(l, (uint32_t)i, &at, f, reterr);
	bool written = ferror(f) == 0;
	if (fclose(f) != 0 || !written)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot write %s", l->o->rejects);
	return rc;
}
