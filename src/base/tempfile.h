/* src/base/tempfile.h
 * A file without a name in the data folder, appended to and read back. It is gone when it is closed, or when
 * the process dies in any way. DRG_EFULL and DRG_EIO have the reason not_stored, so that they are not taken
 * for errors of a store. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/err.h"

enum { DRG_TEMPFILE_PATH = 32 };

struct drg_tempfile;

/** @return DRG_OK, DRG_ENOENT, DRG_EFULL, DRG_EIO, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_tempfile_open(const char *dir, struct drg_tempfile **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_tempfile_close(struct drg_tempfile *t);

/** Append, through a buffer. @return DRG_OK; DRG_EFULL with a message that names the folder; DRG_EIO. */
DRG_MUSTCHECK
int drg_tempfile_add(struct drg_tempfile *t, const void *p, size_t n, struct drg_err *reterr);

/** For what can wait: writes need the disk more. @return DRG_OK; DRG_EFULL: less than 2 % of the disk are
 * free. */
DRG_MUSTCHECK
int drg_tempfile_check_room(const struct drg_tempfile *t, struct drg_err *reterr);

/** Bytes appended so far. */
uint64_t drg_tempfile_size(const struct drg_tempfile *t);

/** Read up to @p n bytes from offset @p at; fewer only at the end. @return DRG_OK, DRG_EFULL, DRG_EIO. */
DRG_MUSTCHECK
int drg_tempfile_read(struct drg_tempfile *t, uint64_t at, void *p, size_t n, size_t *ret_n,
                      struct drg_err *reterr);

/** A path by which this process can read the file while it is open. @return DRG_OK, DRG_EFULL, DRG_EIO. */
DRG_MUSTCHECK
int drg_tempfile_path(struct drg_tempfile *t, char ret[static DRG_TEMPFILE_PATH], struct drg_err *reterr);
