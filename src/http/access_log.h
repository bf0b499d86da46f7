/* src/http/access_log.h
 * Writes the line of a request in the access log, a file of JSON lines (base/log_file.h). */
#pragma once
#include "base/buf.h"

/** The content of a line. The path may be anything that a client sent: it is escaped. */
struct drg_access_line {
	struct drg_str request_id; /**< without characters that JSON escapes */
	const char *remote;
	const char *method;
	struct drg_str path; /**< as sent, without the query: a query may hold secrets */
	const char *route; /**< the endpoint's path; NULL: none */
	int status; /**< 0: closed before an answer */
	uint64_t bytes; /**< of the answer's body */
	int64_t us; /**< from the end of the head to the last byte handed to the system */
	const char *reason; /**< reason of an error; NULL: no error */
	const char *version; /**< X-Data-Version of the answer; NULL or "": none */
	int64_t key_id; /**< 0: none */
	bool cut; /**< the client or a deadline ended the request early */
};

/** Append the line to @p b, without the time at its beginning. */
void drg_access_line_write(const struct drg_access_line *line, struct drg_buf *b);
