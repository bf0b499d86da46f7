/* src/sheet/workbook.h
 * What the cells of an .xlsx file (decision P2) refer to: its sheets, shared strings and styles. */
#pragma once
#include "base/buf.h"
#include "sheet/sheet.h"
#include "sheet/xml_part.h"

enum { WORKBOOK_SHEETS_MAX = 256, WORKBOOK_STYLES_MAX = 65536 };

/** Room for the name of a part. */
enum { WORKBOOK_NAME = 264 };

/** How a cell's number is shown: where its code is in `codes`. */
struct style {
	uint32_t at, n; /**< n 0: "General" */
};

struct workbook_sheet {
	char name[DRG_SHEET_NAME], part[WORKBOOK_NAME], rel[64];
	bool hidden;
	bool looked, has_cells; /* looked: it is known whether it has cells */
};

struct workbook {
	zip_t *zip;
	struct workbook_file *files; /* of the archive, in order of their names */
	unsigned n_files;
	char book_part[WORKBOOK_NAME], styles_part[WORKBOOK_NAME], strings_part[WORKBOOK_NAME];
	char folder[WORKBOOK_NAME]; /* of the workbook's part, "xl/" */
	struct sheet_budget *budget; /* borrowed */
	struct workbook_sheet sheets[WORKBOOK_SHEETS_MAX];
	struct workbook_sheet *by_rel[WORKBOOK_SHEETS_MAX]; /* while relations are read: in order of `rel` */
	unsigned n_sheets;
	bool date1904;
	struct drg_buf strings; /**< shared strings, one behind the other */
	struct drg_buf ends; /**< uint32_t: where each ends */
	struct drg_buf styles; /**< struct style by number */
	struct drg_buf codes; /**< of their formats */
};

/** Read all of it but the cells. @param budget  What is read of it, now and later, is spent of that; borrowed.
 * @return DRG_OK, DRG_EINVAL, DRG_ESTOPPED, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_workbook_open(const char *path, struct sheet_budget *budget, struct workbook *ret,
                      struct drg_err *reterr);
void drg_workbook_close(struct workbook *w);

/** A shared string. @return false: there is none of this number. */
bool drg_workbook_string(const struct workbook *w, uint64_t number, struct drg_str *ret);
/** The format code of a style; empty: "General". @return false: there is no such style. */
bool drg_workbook_format(const struct workbook *w, uint64_t number, struct drg_str *ret);
/** Open a part; its budget is the workbook's. @return as drg_xml_part_open(); DRG_ENOENT, without words:
 * there is none of this name. */
DRG_MUSTCHECK
int drg_workbook_part(const struct workbook *w, const char *name, const struct xml_part_calls *calls,
                      void *ctx, struct xml_part **ret, struct drg_err *reterr);
/** Put characters in place of their escapes, such as _x000D_, in place. @return the bytes left of @p n. */
size_t drg_workbook_unescape(char *p, size_t n);
