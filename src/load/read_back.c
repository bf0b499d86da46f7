#include "load/read_back.h"

#include <stdio.h>
#include <string.h>

#include "load/columns.h"
#include "text/utf8.h"

const char *drg_read_back_name(const struct drg_read_back *b)
{
	return b->name != NULL ? b->name : b->files[0];
}

struct drg_str drg_read_back_cell(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                  unsigned column)
{
	unsigned i = (unsigned)b->at[column]; /* -1: no such column */
	return i < row->n ? row->cells[i].text : drg_str("", 0);
}

const char *drg_read_back_source(const struct drg_read_back *b, const struct drg_sheet_row *row,
                                 int64_t *ret_adapter, enum drg_kind *ret_kind, struct drg_str *ret_id)
{
	*ret_kind = drg_kind_by_name(drg_read_back_cell(b, row, 1));
	*ret_id = drg_read_back_cell(b, row, 2);
	if (!drg_str_to_i64(drg_read_back_cell(b, row, 0), ret_adapter))
		return "adapter_id: expected the number of a supplier";
	if (!drg_kind_is_source(*ret_kind) || ret_id->n == 0)
		return "expected kind and id of a supplier's record";
	return NULL;
}

void drg_read_back_refuse(struct drg_read_back *b, const char *why)
{
	const struct drg_str none = drg_str("", 0);
	drg_read_back_refuse_source(b, b->row != NULL ? drg_read_back_cell(b, b->row, 1) : none,
	                            b->row != NULL ? drg_read_back_cell(b, b->row, 2) : none, why);
}

void drg_read_back_refuse_source(struct drg_read_back *b, struct drg_str kind, struct drg_str id,
                                 const char *why)
{
	enum { SHOWN = 64 };
	char named[4 * SHOWN + 256];
	b->n_refused++;
	if (kind.n + id.n > 0) {
		snprintf(named, sizeof named, "%.*s %.*s: %s", DRG_STR_ARG(drg_utf8_cut(kind, SHOWN)),
		         DRG_STR_ARG(drg_utf8_cut(id, SHOWN)), why);
		why = named;
	}
	if (b->refused != NULL && b->n_refused <= DRG_READ_BACK_TOLD)
		b->refused(b->ctx, b->file, b->line, why);
}

static int read_back_header(struct drg_read_back *b, const struct drg_read_back_form *form,
                            const struct drg_sheet_row *row, struct drg_err *reterr)
{
	int rc = drg_columns_find(row, form->columns, form->n_columns, b->at, reterr);
	for (unsigned c = 0; c < form->n_wanted && rc == DRG_OK; c++)
		if (b->at[c] < 0)
			rc = drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s: expected %s; there is no %s",
			              b->file, form->expected, form->columns[c]);
	return rc;
}

/* Open a sheet and read its header. @return also DRG_ENOENT, without words: no nth sheet, or nothing in
 * it; then and after other faults @p ret may have to be closed. */
static int read_back_sheet(struct drg_read_back *b, const struct drg_read_back_form *form, unsigned nth,
                           struct drg_sheet **ret, struct drg_err *reterr)
{
	const struct drg_sheet_options o = { .encoding = b->encoding, .nth = nth };
	struct drg_sheet_row row;
	int rc;
	if (*ret != NULL && drg_sheet_about(*ret)->workbook) {
		rc = drg_sheet_choose(*ret, &o, reterr);
	} else {
		drg_sheet_close(*ret);
		*ret = NULL;
		rc = drg_sheet_open(b->file, &o, ret, reterr);
	}
	if (rc == DRG_OK)
		rc = drg_sheet_next(*ret, &row, reterr);
	return rc == DRG_OK ? read_back_header(b, form, &row, reterr) : rc;
}

/* Open the sheet that has the columns, if there are several: people add notes. */
static int read_back_open(struct drg_read_back *b, const struct drg_read_back_form *form,
                          struct drg_sheet **ret, struct drg_err *reterr)
{
	enum { SHEETS = 16 };
	unsigned lists = 0, list = 0;
	int rc = read_back_sheet(b, form, 0, ret, reterr);
	if (rc != DRG_EINVAL || strcmp(reterr->field, "sheet") != 0)
		return rc;
	for (unsigned nth = 1; nth <= SHEETS && (rc == DRG_OK || rc == DRG_EINVAL); nth++) {
		rc = read_back_sheet(b, form, nth, ret, reterr);
		lists += rc == DRG_OK;
		list = rc == DRG_OK ? nth : list;
	}
	if (rc != DRG_OK && rc != DRG_EINVAL && rc != DRG_ENOENT)
		return rc;
	if (lists != 1)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "%s: expected %s, in one sheet, found them in %s of the first %d", b->file,
		                form->expected, lists == 0 ? "none" : "several", SHEETS);
	return read_back_sheet(b, form, list, ret, reterr);
}

static int read_back_file(struct drg_read_back *b, const struct drg_read_back_form *form, void *ctx,
                          struct drg_err *reterr)
{
	struct drg_sheet *sheet = NULL;
	struct drg_sheet_row row;
	int rc = read_back_open(b, form, &sheet, reterr);
	bool opened = sheet != NULL;
	while (rc == DRG_OK && (rc = drg_sheet_next(sheet, &row, reterr)) == DRG_OK) {
		b->line = row.line;
		b->rows++;
		b->row = &row;
		rc = form->row(ctx, &row, reterr);
	}
	b->row = NULL;
	drg_sheet_close(sheet);
	if (rc != DRG_ENOENT || !opened)
		return rc;
	return form->end != NULL ? form->end(ctx, reterr) : DRG_OK;
}

int drg_read_back(struct drg_read_back *b, const struct drg_read_back_form *form, void *ctx,
                  struct drg_err *reterr)
{
	b->rows = b->same = b->n_refused = 0;
	int rc = drg_columns_open(reterr);
	for (size_t i = 0; i < b->n_files && rc == DRG_OK; i++) {
		b->file = b->files[i];
		rc = read_back_file(b, form, ctx, reterr);
	}
	return rc;
}
