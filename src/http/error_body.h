/* src/http/error_body.h
 * Errors as clients see them: the status of a code, the JSON of decision E1. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** The HTTP status of an enum drg_rc, as the table in exchange.h has it. */
int drg_http_status(int rc);

/** "Not Found" for 404. */
const char *drg_http_phrase(int status);

/** The reason of @p err, or else the default reason of the status; NULL: neither has one. */
const struct drg_reason *drg_error_reason(int status, const struct drg_err *err);

/** The statuses that answers may have, as a table: @p i below DRG_HTTP_STATUSES. The last one is 0, for no
 * answer. */
enum { DRG_HTTP_STATUSES = 22 };
int drg_http_status_at(unsigned i);
/** The place of a status in this table; an unknown status has the place of 0. */
unsigned drg_http_status_place(int status);

/** Append {"status":"error","error":{...}}, the only form of errors (decision E21), to @p b. An empty reason
 * or message is replaced by the default of the status. */
void drg_error_body(struct drg_buf *b, int status, const struct drg_err *err);
