/* src/http/error_body.h
 * Errors as clients see them: the status of a code, the JSON of decision E1. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** The HTTP status of an enum drg_rc, as the table in exchange.h has it. */
int drg_http_status(int rc);

/** Append {"status":"error","error":{...}} to @p b. Empty reason and message are replaced by the status' own. */
void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err);

/** The same as RFC 9457 has it (decision E21): type, title, status, detail, and reason and field as members of our own. */
void drg_error_problem(struct drg_buf *b, int status, const struct drg_err *err);
