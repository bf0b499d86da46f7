/* src/sheet/workbook.h
 * What the cells of an .xlsx file (decision P2) refer to: its sheets, shared strings and styles. */
#pragma once
#include "base/buf.h"
#include "sheet/sheet.h"
#include "sheet/xml_part.h"

enum { WORKBOOK_SHEETS_MAX = 256, WORKBOOK_STYLES_MAX = 65536 };

enum style_class { STYLE_PLAIN, STYLE_DATE, STYLE_ZEROS };

/** How a cell's number is shown. */
struct style {
	uint8_t class; /**< enum style_class */
	uint8_t zeros; /**< STYLE_ZEROS: digits, "00000" */
};

struct workbook_sheet {
	char name[DRG_SHEET_NAME], part[160], rel[64];
	bool hidden;
	bool looked, has_cells; /* looked: it is known whether it has cells */
};

struct workbook {
	zip_t *zip;
	struct sheet_budget *budget; /* borrowed */
	struct workbook_sheet sheets[WORKBOOK_SHEETS_MAX];
	struct workbook_sheet *by_rel[WORKBOOK_SHEETS_MAX]; /* while relations are read: in order of `rel` */
	unsigned n_sheets;
	bool date1904;
	struct drg_buf strings; /**< shared strings, one behind the other */
	struct drg_buf ends; /**< uint32_t: where each ends */
	struct drg_buf styles; /**< struct style by number */
};

/** Read all of it but the cells. @param budget  What is read of it, now and later, is spent of that; borrowed.
 * @return DRG_OK, DRG_EINVAL, DRG_ESTOPPED, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_workbook_open(const char *path, struct sheet_budget *budget, struct workbook *ret,
                      struct drg_err *reterr);
void drg_workbook_close(struct workbook *w);

/** A shared string. @return false: there is none of this number. */
bool drg_workbook_string(const struct workbook *w, uint64_t number, struct drg_str *ret);
struct style drg_workbook_style(const struct workbook *w, uint64_t number);
