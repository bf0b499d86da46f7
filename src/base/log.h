/* src/base/log.h
 * What the program says to its operator: one line each on standard error. Only cli/ and the top of a thread
 * log (libraries return errors), so that each failure is logged once. */
#pragma once
#include "base/compiler.h"

enum drg_log_level {
	/** a request failed by our fault, or what people rely on is not there: somebody has to look */
	DRG_LOG_ERROR,
	DRG_LOG_WARN, /**< it goes on, with less than it should have: look soon */
	DRG_LOG_INFO, /**< what began, ended or changed: seldom, and nothing to be done */
	DRG_LOG_DEBUG /**< for who looks for a fault */
};

/** Lines above this level are dropped; DRG_LOG_INFO at start. */
void drg_log_set_level(enum drg_log_level level);

/** How a line looks. */
enum drg_log_format {
	/** for the journal where standard error is its socket (JOURNAL_STREAM), text on a terminal, else
	 * JSON */
	DRG_LOG_AUTO,
	DRG_LOG_TEXT, /**< 2026-11-20T12:00:00.000Z warning: … */
	DRG_LOG_JSON, /**< {"time":"…","level":"warning","message":"…"} */
	DRG_LOG_JOURNAL /**< <4>…, of which the journal makes the priority (sd-daemon(3)) */
};
/** DRG_LOG_TEXT at start. */
void drg_log_set_format(enum drg_log_format format);

/** One line: time, level, text. Control characters in the text are replaced, so that a line stays one line. */
void drg_log(enum drg_log_level level, const char *fmt, ...) DRG_PRINTF(2, 3);
