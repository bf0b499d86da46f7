/* src/base/newfile.h
 * A file that replaces another one, or appears, only when all of it is on stable storage. It is written under
 * another name, with a lock so that two processes do not write it at once, and then renamed. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include "base/err.h"
#include "base/str.h"

enum { DRG_NEWFILE_PATH = 4096 };

/** A file that is being written. */
struct drg_newfile {
	const char *what; /**< for messages: "the snapshot" */
	char path[DRG_NEWFILE_PATH], aside[DRG_NEWFILE_PATH + 8];
	int fd; /**< -1: none; mode 0600 */
};

/**
 * Begin to write a file.
 * @param what   For messages; lives as long as @p ret.
 * @param aside  The name to write under, in the same folder; NULL: PATH.new. A file that a dead process left
 *               there is overwritten.
 * @return DRG_OK; DRG_EBUSY: another process writes it; DRG_EFULL, DRG_EIO, DRG_ENOENT; DRG_ELIMIT: the path
 *         is too long.
 */
DRG_MUSTCHECK
int drg_newfile_begin(const char *what, const char *path, const char *aside, struct drg_newfile *ret,
                      struct drg_err *reterr);
/** Is there room for @p bytes, with a tenth of the disk left for other programs? @return DRG_OK,
 * DRG_EFULL. */
DRG_MUSTCHECK
int drg_newfile_room(const struct drg_newfile *w, size_t bytes, struct drg_err *reterr);
/** Bring the bytes written so far to stable storage. @return DRG_OK, DRG_EFULL, DRG_EIO. */
DRG_MUSTCHECK
int drg_newfile_sync(const struct drg_newfile *w, struct drg_err *reterr);
/** Move the file to its place, where it survives a loss of power; or remove it. @return DRG_OK, DRG_EFULL,
 * DRG_EIO. */
DRG_MUSTCHECK
int drg_newfile_end(struct drg_newfile *w, bool keep, struct drg_err *reterr);
/** Remove the file: drg_newfile_end() without an outcome. */
void drg_newfile_drop(struct drg_newfile *w);

/** Fail with "cannot write the snapshot PATH: why". Returns the code of @p errnum. */
int drg_newfile_fail(const struct drg_newfile *w, const char *path, int errnum, struct drg_err *reterr);

/** open() for a file that only its owner may read; it is created if it is missing. A file that root creates
 * gets the owner of its folder: a command run as root must not lock out the server, which runs as another
 * user. @return -1 with errno. */
int drg_open_private(const char *path, int flags);

/** Write all bytes to a descriptor. @return 0, or an errno; ENOSPC if nothing more was taken. */
int drg_write_all(int fd, struct drg_str bytes);
