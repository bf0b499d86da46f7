/* src/sheet/workbook.h
 * What the cells of an .xlsx file refer to: its sheets, shared strings and styles. */
#pragma once
#include "sheet/xml_part.h"
#include "base/buf.h"

enum { WORKBOOK_SHEETS_MAX = 256, WORKBOOK_STYLES_MAX = 65536 };

enum style_class { STYLE_PLAIN, STYLE_DATE, STYLE_ZEROS };

/** How a cell's number is shown. */
struct style {
	uint8_t class; /**< enum style_class */
	uint8_t zeros; /**< STYLE_ZEROS: digits, "00000" */
};

struct workbook_sheet {
	char name[128], part[160], rel[64];
	bool hidden;
};

struct workbook {
	zip_t *zip;
	struct workbook_sheet sheets[WORKBOOK_SHEETS_MAX];
	unsigned n_sheets;
	bool date1904;
	struct drg_buf strings; /**< shared strings, one behind the other */
	struct drg_buf ends; /**< size_t: where each ends */
	struct drg_buf styles; /**< struct style by number */
};

/** Read all of it but the cells. @return DRG_OK, DRG_EINVAL, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_workbook_open(const char *path, struct workbook *ret, struct drg_err *reterr);
void drg_workbook_close(struct workbook *w);

/** A shared string. @return false: there is none of this number. */
bool drg_workbook_string(const struct workbook *w, uint64_t number, struct drg_str *ret);
struct style drg_workbook_style(const struct workbook *w, uint64_t number);
