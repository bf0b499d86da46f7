/* src/base/log_file.h
 * A file of JSON lines, each with its time. Who writes one never waits for the disk: lines go to a buffer
 * that a thread of its own writes out every second; a line that finds the buffer full is dropped, and the
 * next write says how many were. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct drg_log_file;

/**
 * @param path  A file to append to (mode 0640), or "-" for standard output.
 * @param what  In messages: "the access log"; borrowed until it is closed.
 * @return DRG_OK; DRG_EIO and others: it cannot be opened.
 */
DRG_MUSTCHECK
int drg_log_file_open(const char *path, const char *what, struct drg_log_file **ret, struct drg_err *reterr);
/** Write what is left and close. NULL is fine. */
void drg_log_file_close(struct drg_log_file *l);
/** A line. From any thread; never waits for the disk. @param members  What stands behind the time:
 * "a":1,"b":2 */
void drg_log_file_add(struct drg_log_file *l, const struct drg_buf *members);
/** Let the writing thread open the file anew, after its rotation. From any thread. */
void drg_log_file_reopen(struct drg_log_file *l);
