/* src/base/log_file.h
 * A file of JSON lines, each with its time. A thread that adds a line never waits for the disk: lines go to a
 * buffer, which a thread of the file writes out every second. A line that finds the buffer full is dropped,
 * and the next write says how many were. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

struct drg_log_file;

/**
 * Open a file of lines.
 * @param path  A file to append to (mode 0640), or "-" for standard output.
 * @param what  For messages: "the access log"; borrowed until the file is closed.
 * @return DRG_OK; DRG_EIO and others: the file cannot be opened.
 */
DRG_MUSTCHECK
int drg_log_file_open(const char *path, const char *what, struct drg_log_file **ret, struct drg_err *reterr);
/** Write the remaining lines and close. NULL is fine. */
void drg_log_file_close(struct drg_log_file *l);
/** Add a line. From any thread; never waits for the disk. @param members  The text behind the time:
 * "a":1,"b":2 */
void drg_log_file_add(struct drg_log_file *l, const struct drg_buf *members);
/** Have the writing thread open the file again, after its rotation. From any thread. */
void drg_log_file_reopen(struct drg_log_file *l);
