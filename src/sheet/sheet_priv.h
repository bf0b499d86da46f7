/* src/sheet/sheet_priv.h
 * What the readers of workbooks and of text files share. */
#pragma once
#include "base/buf.h"
#include "sheet/budget.h"
#include "sheet/sheet.h"

/** A row that is being read: its texts one behind the other. */
struct sheet_line {
	struct drg_buf texts;
	struct {
		size_t at, n;
		enum drg_cell_form form;
		double number;
	} places[DRG_SHEET_COLUMNS_MAX];
	struct drg_cell cells[DRG_SHEET_COLUMNS_MAX];
	unsigned n;
	bool swallows, stray; /* as in struct drg_sheet_row */
};

/** A kind of file. */
struct sheet_ops {
	int (*next)(struct drg_sheet *s, uint64_t *ret_line, struct drg_err *reterr);
	void (*close)(struct drg_sheet *s);
	/* NULL: it has no sheets */
	int (*choose)(struct drg_sheet *s, const struct drg_sheet_options *o, struct drg_err *reterr);
	const char *(*name)(const struct drg_sheet *s, unsigned number, bool *ret_hidden);
	int (*take)(struct drg_sheet *s, unsigned number, struct drg_err *reterr);
};

/** Every reader's struct begins with this. */
struct drg_sheet {
	const struct sheet_ops *ops;
	char *path;
	struct sheet_budget budget;
	struct drg_sheet_about about;
	struct sheet_line line;
};

/** Fill the head of a reader. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_sheet_init(struct drg_sheet *s, const struct sheet_ops *ops, const char *path,
                   const struct drg_sheet_options *o, struct drg_err *reterr);
/** Pass on what is wrong with the file, with its name before it. */
int drg_sheet_fail(const struct drg_sheet *s, const struct drg_err *e, struct drg_err *reterr);
/** The last @p n bytes of `texts` are the cell of column @p column (from 0); what is between is empty.
 * @return DRG_OK; DRG_ELIMIT: too many columns, a column that came already, or a cell that is too long. */
DRG_MUSTCHECK
int drg_sheet_line_cell(struct sheet_line *l, unsigned column, size_t at, enum drg_cell_form form);
int drg_sheet_open_text(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                        struct drg_err *reterr);
int drg_sheet_open_workbook(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                            struct drg_err *reterr);
