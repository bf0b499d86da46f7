/* src/base/log.h
 * What the program says to its operator: one line each on standard error. Only cli/ and the top of a thread
 * log (libraries return errors), so that each failure is logged once. */
#pragma once
#include "base/compiler.h"

enum drg_log_level { DRG_LOG_ERROR, DRG_LOG_WARN, DRG_LOG_INFO, DRG_LOG_DEBUG };

/** Lines above this level are dropped; DRG_LOG_INFO at start. */
void drg_log_set_level(enum drg_log_level level);

/** One line: time, level, text. Control characters in the text are replaced, so that a line stays one line. */
void drg_log(enum drg_log_level level, const char *fmt, ...) DRG_PRINTF(2, 3);
