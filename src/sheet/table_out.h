/* src/sheet/table_out.h
 * Tables for people's programs: CSV, or an Excel workbook. */
#pragma once
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"
#include "base/str.h"

enum { DRG_TABLE_OUT_ROWS_MAX = 1048576 }; /**< of a workbook */

struct drg_table_out;

/**
 * @param path   Ends in .xlsx: a workbook; else CSV. "-": CSV to standard output.
 * @param excel  CSV as Excel takes it by a double click: with a byte order mark.
 * @param separator  0: a comma.
 */
DRG_MUSTCHECK
int drg_table_out_open(const char *path, bool excel, char separator, struct drg_table_out **ret,
                       struct drg_err *reterr);
/** Likewise, whatever the path ends in; CSV with a byte order mark and commas. */
DRG_MUSTCHECK
int drg_table_out_open_as(const char *path, bool workbook, struct drg_table_out **ret,
                          struct drg_err *reterr);
/** From now on the cells of these columns, a bit for each of the first 64, are amounts: a workbook has them as
 * numbers. */
void drg_table_out_amounts(struct drg_table_out *t, uint64_t columns);
/** The cells of a column are one of these words, or something else: a workbook offers them.
 * @param words  NULL-terminated; borrowed until the end. */
void drg_table_out_offer(struct drg_table_out *t, unsigned column, const char *const *words);
/** One row; what goes wrong is told at the end. The first one has the titles: in a workbook it stays in sight,
 * and its cells filter. */
void drg_table_out_row(struct drg_table_out *t, const struct drg_str *cells, unsigned n);
/** Finish and free; NULL is fine. @return DRG_OK; DRG_EFULL, DRG_EIO: it could not be written; DRG_ELIMIT: a
 * workbook has no room for so many rows. */
int drg_table_out_close(struct drg_table_out *t, struct drg_err *reterr);
