/* src/sheet/number_format.h
 * How Excel shows a number by a format code such as "TR-"0000: the common grammar, with English separators.
 * A code that is not understood is reported, never guessed at: an id would become another one. */
#pragma once
#include "base/buf.h"
#include "base/str.h"

/** Longest code in bytes; Excel's have 255 characters. A longer one is not understood. */
enum { FORMAT_CODE_MAX = 1024 };

enum format_shows {
	/** the number itself: the code adds at most separators, decimals and blanks. Separators depend on the
	 * reader's language, so nobody can mean them. */
	FORMAT_PLAIN,
	FORMAT_SHOWN, /**< what was appended */
	FORMAT_DATE, /**< a date, maybe with the time of day */
	FORMAT_TIME, /**< a time of day without a date */
	FORMAT_ELAPSED, /**< hours beyond 24: [h]:mm */
	FORMAT_UNKNOWN, /**< the code is not understood */
};

/** @param out  Gets what is shown if the result is FORMAT_SHOWN, else nothing. */
enum format_shows drg_format_number(struct drg_str code, double number, struct drg_buf *out);
/** Likewise of a cell with text: FORMAT_PLAIN, FORMAT_SHOWN or FORMAT_UNKNOWN. */
enum format_shows drg_format_text(struct drg_str code, struct drg_str text, struct drg_buf *out);
