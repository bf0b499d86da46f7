/* src/text/cells.h
 * The reader of delimited text: rows of cells with or without quotes, "" for a quote inside quotes, newlines
 * inside quotes (RFC 4180). `dragoman import --csv` cuts rows with it that it has whole, suppliers' lists
 * (sheet/) are read with it as their bytes come. */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

/** The quotes that keep separators and line ends within a cell. */
enum drg_quote {
	DRG_QUOTE_UNKNOWN, /**< not said; a reader of cells takes it for DRG_QUOTE_DOUBLE */
	DRG_QUOTE_DOUBLE, /**< quotes around the cell; "" within them is a quote (RFC 4180) */
	DRG_QUOTE_BACKSLASH, /**< quotes too, and a backslash before what is text whatever it is */
	DRG_QUOTE_NONE, /**< nothing: a quote is text */
	DRG_QUOTE_DUMP, /**< only a backslash, as databases write tables; a quote is text */
	DRG_QUOTES
};
/** "double", "backslash", "none", "dump"; NULL for DRG_QUOTE_UNKNOWN. */
extern const char *const drg_quote_names[DRG_QUOTES];
/** DRG_QUOTE_UNKNOWN: there is no such word. */
enum drg_quote drg_quote_by_name(struct drg_str name);

/** A walk over text, which may come in pieces that end anywhere. */
struct drg_cells {
	char separator;
	/** what shows nothing around quotes is not text, nor is a carriage return before a newline; a quote
	 * within quotes that ends no cell is text */
	bool lenient;
	enum drg_quote quote;
	char open, close; /**< the quotes; 0: '"' */
	size_t max; /**< bytes of a cell; 0: no limit */
	uint64_t lines; /**< newlines so far, those in quotes too */
	uint64_t opened; /**< the line in which the last quote was opened, from 1; 0: none was */
	/** within quotes there was a newline, a separator, a quote that ends nothing; the caller clears it */
	unsigned char within;

	/* its own */
	enum { CELLS_BEGIN, CELLS_TEXT, CELLS_QUOTED, CELLS_QUOTE } in;
	bool escaped; /* a backslash came, and what it is for did not yet */
	size_t blanks; /* of this cell's text, behind the quote that may have ended it */
	size_t n; /* bytes of this cell so far */
};

/** Bits of `within`. */
enum { DRG_CELLS_NEWLINE = 1, DRG_CELLS_SEPARATOR = 2, DRG_CELLS_STRAY_QUOTE = 4 };

/** The point at which drg_cells_read() has stopped. */
enum drg_cells_stop {
	DRG_CELLS_MORE, /**< the text ends, perhaps within a cell: go on with what follows it */
	DRG_CELLS_CELL, /**< behind a cell and its separator */
	DRG_CELLS_ROW, /**< behind a cell and the newline that ends its row */
	DRG_CELLS_LONG /**< within a cell that is longer than `max` */
};

/**
 * Read on, to the end of a cell at most.
 * @param text   What was read is taken off its front.
 * @param texts  The cell's bytes are added to it, as many as were read at most; its error is sticky, and the
 *               walk goes on.
 */
enum drg_cells_stop drg_cells_read(struct drg_cells *c, struct drg_str *text, struct drg_buf *texts);

/** Read on over all of @p text, whatever cells it has. @return true: quotes are open then, or a backslash was
 * the last byte, and the row goes on in the next line. */
bool drg_cells_pass(struct drg_cells *c, struct drg_str text);

/**
 * Cut a whole row into its cells.
 * @param row   Without its last newline.
 * @param ret   Room for @p max texts; they are in the arena.
 * @return DRG_OK; DRG_EINVAL: more than @p max cells, or quotes that do not end; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_cells_split(struct drg_str row, char separator, struct drg_arena *a, struct drg_str *ret,
                    unsigned max, unsigned *ret_n, struct drg_err *reterr);
