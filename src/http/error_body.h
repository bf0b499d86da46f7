/* src/http/error_body.h
 * Errors as clients see them: the status of a code, the JSON of decision E1. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** The HTTP status of an enum drg_rc, as the table in exchange.h has it. */
int drg_http_status(int rc);

/** "Not Found" for 404. */
const char *drg_http_phrase(int status);

/** Why: that of @p err, or that of the status. NULL where neither has a word. */
const struct drg_reason *drg_error_reason(int status, const struct drg_err *err);

/** The statuses that are answered, in a table: @p i below DRG_HTTP_STATUSES; 0 at its end, for no answer. */
enum { DRG_HTTP_STATUSES = 22 };
int drg_http_status_at(unsigned i);
/** Where it stands there; that of 0 where it does not. */
unsigned drg_http_status_place(int status);

/** The one form of errors (decision E21): append {"status":"error","error":{...}} to @p b. Empty reason and
 * message are replaced by the status' own. */
void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err);
