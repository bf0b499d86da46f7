/* src/base/log.h
 * Messages of the program to its operator: one line each on standard error. Only cli/ and the top of a thread
 * log (libraries return errors), so each failure is logged once. */
#pragma once
#include <stdbool.h>
#include "base/compiler.h"

enum drg_log_level {
	/** a request failed by our fault, or something that people rely on is missing: somebody has to
	 * look */
	DRG_LOG_ERROR,
	DRG_LOG_WARN, /**< the program goes on with less than it should have: look soon */
	DRG_LOG_INFO, /**< something began, ended or changed: seldom, and there is nothing to do */
	DRG_LOG_DEBUG /**< for finding faults */
};

/** Lines above this level are dropped; DRG_LOG_INFO at start. */
void drg_log_set_level(enum drg_log_level level);

/** The format of a line. */
enum drg_log_format {
	/** DRG_LOG_JOURNAL if standard error is the journal's socket (JOURNAL_STREAM), DRG_LOG_TEXT on a
	 * terminal, else DRG_LOG_JSON */
	DRG_LOG_AUTO,
	DRG_LOG_TEXT, /**< 2026-11-20T12:00:00.000Z warning: … */
	DRG_LOG_JSON, /**< {"time":"…","level":"warning","message":"…"} */
	DRG_LOG_JOURNAL /**< <4>…: the journal takes the priority from it (sd-daemon(3)) */
};
/** Set the format; DRG_LOG_TEXT at start. */
void drg_log_set_format(enum drg_log_format format);
/** When the program starts: DRG_LOG_JOURNAL if standard error is the journal's socket, so that errors have
 * their priority before the settings are read, and in every command. */
void drg_log_start(void);
/** Do people read the lines? (DRG_LOG_TEXT) */
bool drg_log_is_text(void);

/** Log one line: time, level, text. Control characters in the text are replaced, so that a line stays one
 * line. */
void drg_log(enum drg_log_level level, const char *fmt, ...) DRG_PRINTF(2, 3);
