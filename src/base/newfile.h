/* src/base/newfile.h
 * A file that takes the place of another one, or comes into being, only when all of it is on stable storage:
 * it is written under another name, with a lock so that two do not write it at once, and renamed. */
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
 * Begin.
 * @param what   For messages; lives as long as @p ret.
 * @param aside  The name to write under, in the same folder; NULL: PATH.new. What a process that died left
 *               there is written over.
 * @return DRG_OK; DRG_EBUSY: another process writes it; DRG_EFULL, DRG_EIO, DRG_ENOENT; DRG_ELIMIT: the path
 *         is too long.
 */
DRG_MUSTCHECK
int drg_newfile_begin(const char *what, const char *path, const char *aside, struct drg_newfile *ret,
                      struct drg_err *reterr);
/** Is there room for so many bytes, and a tenth of the disk besides, which others may need? @return DRG_OK,
 * DRG_EFULL. */
DRG_MUSTCHECK
int drg_newfile_room(const struct drg_newfile *w, size_t bytes, struct drg_err *reterr);
/** Bring what was written to stable storage. @return DRG_OK, DRG_EFULL, DRG_EIO. */
DRG_MUSTCHECK
int drg_newfile_sync(const struct drg_newfile *w, struct drg_err *reterr);
/** Put it in its place, where it lasts even if the power fails; or remove it. @return DRG_OK, DRG_EFULL,
 * DRG_EIO. */
DRG_MUSTCHECK
int drg_newfile_end(struct drg_newfile *w, bool keep, struct drg_err *reterr);
/** Remove it: drg_newfile_end() without an outcome. */
void drg_newfile_drop(struct drg_newfile *w);

/** "cannot write the snapshot PATH: why". Returns the code of @p errnum. */
int drg_newfile_fail(const struct drg_newfile *w, const char *path, int errnum, struct drg_err *reterr);

/** open(), of a file that only its owner may read; it is made where there is none. What root makes gets the
 * owner of its folder: a command that was given as root must not lock out the server, which is another user.
 * @return -1 with errno. */
int drg_open_private(const char *path, int flags);

/** Write all of it to a descriptor. @return 0, or an errno; ENOSPC where nothing more was taken. */
int drg_write_all(int fd, struct drg_str bytes);
