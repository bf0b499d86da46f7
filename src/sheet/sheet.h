/* src/sheet/sheet.h
 * Tables as suppliers send them, row by row, whatever the file is: an Excel workbook (.xlsx), or text with
 * any character between its cells, in UTF-8, UTF-16 or an 8-bit encoding. Cells come out
 * as UTF-8 without blanks around them. Memory and time are bounded whatever the file claims
 * (sheet/budget.h). */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include "base/err.h"
#include "base/str.h"
#include "text/cells.h"

enum { DRG_SHEET_COLUMNS_MAX = 1024, DRG_SHEET_CELL_MAX = 1 << 20 };
/** Room for the name of a sheet: 128 characters. Excel's have 31. */
enum { DRG_SHEET_NAME = 128 * 4 + 1 };

/** Room for the name of an encoding. ICU's longest has 45. */
enum { DRG_SHEET_ENCODING = 64 };

struct drg_sheet;

struct drg_sheet_options {
	const char *
	        encoding; /**< of a text file, as ICU names it ("windows-1251", "cp1251"); NULL: recognised */
	uint32_t separator; /**< of a text file, a character; 0: recognised */
	enum drg_quote quote; /**< of a text file; DRG_QUOTE_UNKNOWN: recognised */
	/** of a workbook: the name of a sheet; or its number among the visible ones, from 1; or several of
	 * these with slashes between them, which names cannot have; or "all": the visible ones that have
	 * cells. NULL: the only one that has cells. */
	const char *sheet;
	unsigned at; /**< of several in `sheet` which one, from 0 */
	unsigned
	        /** if `sheet` is NULL: of the visible ones with cells the first, second ...; 0: the only one */
	        nth;
	const atomic_bool *stop; /**< once it is true, opening and reading end soon; NULL: never */
};

/** The type of a cell before it became text. */
enum drg_cell_form {
	DRG_CELL_TEXT,
	/** a number of a workbook; its text is as Excel shows it, but without the separators of its format */
	DRG_CELL_NUMBER,
	/** a number, or a text, in a format that is not understood; its text names the cell and the format */
	DRG_CELL_UNSHOWN,
	DRG_CELL_DATE, /**< a date of a workbook, written 2026-11-20 */
	DRG_CELL_ERROR, /**< "#N/A", or a formula whose value was not saved */
};

struct drg_cell {
	struct drg_str text; /**< empty: nothing in it */
	enum drg_cell_form form;
	double number; /**< of a number, whatever its format shows; NAN: it is not a number */
};

struct drg_sheet_row {
	const struct drg_cell *cells; /**< borrowed until the next call */
	unsigned n; /**< without empty cells at its end */
	uint64_t line; /**< row of the workbook, or line of the text file, from 1 */
	bool swallows; /**< a cell in quotes has line ends and separators: perhaps it is several rows */
	bool stray; /**< within quotes was a quote that ends no cell */
};

/** Findings about a file, for people. */
struct drg_sheet_about {
	bool workbook;
	char encoding[DRG_SHEET_ENCODING]; /**< of a text file */
	/** by a byte order mark or by being valid UTF-8; else it was recognised by its letters */
	bool encoding_told;
	uint32_t separator; /**< of a text file: a character */
	enum drg_quote quote; /**< of a text file, as it was said or recognised */
	/** of a text file: the other kind of quotes around all cells of a column; empty: none */
	char marks[16];
	char sheet[DRG_SHEET_NAME]; /**< of a workbook; cut behind so many bytes, between characters */
	unsigned n_chosen; /**< how many sheets of it `sheet` of the options has; 1 if that is NULL */
	bool all; /**< they were chosen by "all" */
	unsigned merged; /**< merged ranges of the workbook's sheet, once all rows were read */
	unsigned formulas; /**< cells with a formula; their saved values were read */
	uint64_t hidden; /**< rows that the workbook hides, such as by a filter; they were read too */
};

/**
 * @return DRG_OK; DRG_EINVAL: the file is not what it seems (encrypted, damaged, hostile), its encoding cannot
 * be told safely, several sheets have cells: what to do is in the message; with the reason list_too_large: it
 * is beyond a limit; DRG_ENOENT, without words: there is no nth sheet, or none `at` this place;
 * DRG_ESTOPPED: by `stop`;
 * DRG_ENOENT, DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_sheet_open(const char *path, const struct drg_sheet_options *o, struct drg_sheet **ret,
                   struct drg_err *reterr);
/** Begin again, with another sheet of the same workbook: what its sheets share is not read once more. A text
 * file has none. @return DRG_OK; DRG_EINVAL, DRG_ENOENT: it has no such sheet, and drg_sheet_next() gives
 * nothing; else as drg_sheet_open(). */
DRG_MUSTCHECK
int drg_sheet_choose(struct drg_sheet *s, const struct drg_sheet_options *o, struct drg_err *reterr);
/** The name of a sheet of a workbook, from 0, hidden ones too; NULL: there are no more. Borrowed. */
const char *drg_sheet_name(const struct drg_sheet *s, unsigned number, bool *ret_hidden);
/** Count a sheet's rows that are not empty, @p most at most; afterwards drg_sheet_next() returns no rows. All
 * counted sheets share one budget.
 * @return as drg_sheet_next(), DRG_OK at the end. */
DRG_MUSTCHECK
int drg_sheet_count(struct drg_sheet *s, unsigned number, uint64_t most, uint64_t *ret,
                    struct drg_err *reterr);
/** NULL is fine. */
void drg_sheet_close(struct drg_sheet *s);

/** The next row with something in it. @return DRG_OK; DRG_ENOENT behind the last, without words; DRG_EINVAL:
 * what follows cannot be read, and the message names the line; else as drg_sheet_open(). */
DRG_MUSTCHECK
int drg_sheet_next(struct drg_sheet *s, struct drg_sheet_row *ret, struct drg_err *reterr);

const struct drg_sheet_about *drg_sheet_about(const struct drg_sheet *s);

/** Room for the name of a separator. */
enum { DRG_SEPARATOR_NAME = 12 };
/** "comma", "tab" ..., or the character itself, for messages. @return @p ret. */
const char *drg_separator_name(uint32_t separator, char ret[DRG_SEPARATOR_NAME]);
