/* src/sheet/form.h
 * How a text file separates its cells, quotes them and ends its lines. Cells are read byte by byte
 * (text/cells.h), so a longer separator, quote or line end is one byte in the text that is read: one that
 * UTF-8 never has, or a newline. */
#pragma once
#include "base/buf.h"
#include "sheet/sheet.h"

/** Bytes that stand for a separator and for quotes beyond ASCII. */
#define FORM_SEPARATOR '\xff'
#define FORM_OPEN '\xfe'
#define FORM_CLOSE '\xfd'

/** Quotes around all cells of a column that are not those of CSV. */
enum form_marks {
	FORM_NO_MARKS,
	FORM_OUTER, /**< they quote: a separator within them is text */
	FORM_INNER, /**< they are within other quotes, or beside cells with these, and are taken off */
};

struct text_form {
	uint32_t separator; /**< a character; 0: to be recognised */
	enum drg_quote quote; /**< DRG_QUOTE_UNKNOWN: to be recognised */
	unsigned wrapped; /**< cells of a line that is all in quotes; 0: there is no such line */

	char mark; /**< the byte that is the separator in the text */
	struct drg_str line_end; /**< it ends a line too; empty: only a newline does */
	char wide[4]; /**< the character, or the characters, for which FORM_SEPARATOR stands */
	size_t n_wide; /**< its bytes; 0: none */
	struct drg_str open, close; /**< quotes that are not those of CSV; empty: none */
	enum drg_quote within; /**< how cells in them are read */
	bool whole; /**< nothing follows the text that is converted */
	unsigned char marks[DRG_SHEET_COLUMNS_MAX]; /**< enum form_marks of each column */
};

/** Recognise what is to be, by the first text of a file, from @p at on, and put the bytes into it.
 * @param whole  It is all of the file. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_form_recognise(struct text_form *f, struct drg_buf *text, size_t at, bool whole);
/** Put the bytes into all of @p text, which follows that of the call before. @param last  Nothing follows. */
void drg_form_convert(struct text_form *f, struct drg_buf *text, bool last);
/** How many bytes at the end of a text, into which the bytes are put, may begin a sign that ends in what
 * follows: the next text has to begin with them, and they are not read before. */
size_t drg_form_held(const struct text_form *f, struct drg_str text);
/** The quotes that begin and end a cell of a column; 0: the usual ones. */
char drg_form_open(const struct text_form *f, unsigned column);
char drg_form_close(const struct text_form *f, unsigned column);
/** Make a cell, all behind @p at, what it was before these bytes, without the marks of its column. Its errors
 * are those of @p texts. */
void drg_form_restore(const struct text_form *f, unsigned column, struct drg_buf *texts, size_t at);
