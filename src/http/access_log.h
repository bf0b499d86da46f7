/* src/http/access_log.h
 * One JSON line per request. Requests never wait for the disk: lines go to a buffer that a thread of its own writes
 * out every second; a line that finds the buffer full is dropped, and the next write says how many were. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct drg_access_log;

/** What a line tells. Text may be anything a client sent: it is escaped. */
struct drg_access_line {
	struct drg_str request_id;
	const char *remote;
	const char *method;
	struct drg_str path; /**< as sent, without the query: a query may hold secrets */
	const char *route; /**< the endpoint's path, NULL: none */
	int status; /**< 0: closed before an answer */
	uint64_t bytes; /**< of the answer's body */
	int64_t us; /**< from the request line to the last byte handed to the system */
	int64_t key_id; /**< 0: none */
	bool cut; /**< the client or a deadline ended it early */
};

/**
 * @param path  A file to append to (mode 0640), or "-" for standard output.
 * @return DRG_OK; DRG_EIO and others: it cannot be opened.
 */
DRG_MUSTCHECK
int drg_access_log_open(const char *path, struct drg_access_log **ret, struct drg_err *reterr);
/** Write what is left and close. NULL is fine. */
void drg_access_log_close(struct drg_access_log *l);
/**
 * From any thread; never waits for the disk.
 * @param scratch  Memory for putting the line together outside of the lock; what was in it is lost.
 */
void drg_access_log_write(struct drg_access_log *l, const struct drg_access_line *line,
                          struct drg_buf *scratch);
/** Let the writing thread open the file anew, after its rotation. From any thread. */
void drg_access_log_reopen(struct drg_access_log *l);
