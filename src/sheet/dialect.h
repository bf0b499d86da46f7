/* src/sheet/dialect.h
 * How a text file separates its cells, quotes them and ends its lines. Cells are read byte by byte
 * (text/cells.h), so a longer separator, quote or line end is one byte in the text that is read: one that
 * UTF-8 never has, or a newline. */
#pragma once
#include "base/buf.h"
#include "sheet/sheet.h"

/** Bytes that stand for a separator and for quotes beyond ASCII. */
#define DRG_DIALECT_SEPARATOR '\xff'
#define DRG_DIALECT_OPEN '\xfe'
#define DRG_DIALECT_CLOSE '\xfd'

/** Quotes around all cells of a column that are not those of CSV. */
enum drg_dialect_marks {
	DRG_DIALECT_NO_MARKS,
	DRG_DIALECT_OUTER, /**< they quote: a separator within them is text */
	DRG_DIALECT_INNER, /**< they are within other quotes, or beside cells with these, and are taken off */
};

struct drg_dialect {
	uint32_t separator; /**< a character; 0: to be recognised */
	enum drg_quote quote; /**< DRG_QUOTE_UNKNOWN: to be recognised */
	unsigned wrapped; /**< cells of a line that is all in quotes; 0: there is no such line */

	char mark; /**< the byte that is the separator in the text */
	struct drg_str line_end; /**< it ends a line too; empty: only a newline does */
	char wide[4]; /**< the character, or the characters, for which DRG_DIALECT_SEPARATOR stands */
	size_t n_wide; /**< its bytes; 0: none */
	struct drg_str open, close; /**< quotes that are not those of CSV; empty: none */
	enum drg_quote within; /**< how cells in them are read */
	bool whole; /**< nothing follows the text that is converted */
	unsigned char marks[DRG_SHEET_COLUMNS_MAX]; /**< enum drg_dialect_marks of each column */
};

/** Recognise what is to be, by the first text of a file, from @p at on, and put the bytes into it.
 * @param whole  It is all of the file. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_dialect_recognise(struct drg_dialect *f, struct drg_buf *text, size_t at, bool whole);
/** Put the bytes into all of @p text, which follows that of the call before. @param last  Nothing follows. */
void drg_dialect_convert(struct drg_dialect *f, struct drg_buf *text, bool last);
/** How many bytes at the end of a text, into which the bytes are put, may begin a sign that ends in what
 * follows: the next text must begin with them, and they are not read before. */
size_t drg_dialect_held(const struct drg_dialect *f, struct drg_str text);
/** The quotes that begin and end a cell of a column; 0: the usual ones. */
char drg_dialect_open(const struct drg_dialect *f, unsigned column);
char drg_dialect_close(const struct drg_dialect *f, unsigned column);
/** Make a cell, all behind @p at, what it was before these bytes, without the marks of its column. Its errors
 * are those of @p texts. */
void drg_dialect_restore(const struct drg_dialect *f, unsigned column, struct drg_buf *texts, size_t at);
