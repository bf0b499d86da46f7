/* src/http/error_body.h
 * Errors as clients see them: the status of a code, the JSON of decision E1. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** The HTTP status of an enum drg_rc, as the table in exchange.h has it. */
int drg_http_status(int rc);

/** "Not Found" for 404. */
const char *drg_http_phrase(int status);

/** The one form of errors (decision E21): append {"status":"error","error":{...}} to @p b. Empty reason and message are replaced by the status' own. */
void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err);
