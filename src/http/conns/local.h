/* src/http/conns/local.h
 * Local sockets, which have a path instead of a port. */
#pragma once
#include "base/err.h"

/** The longest path that the system accepts, with its NUL. */
enum { DRG_LOCAL_PATH = 108 };

/**
 * Bind a local socket: once the server listens, owner and group may connect, whatever the umask. A socket
 * that a killed server left at the path is replaced.
 * @param ret_fd  The caller's; so is the file at the path.
 * @return DRG_OK; DRG_EEXIST: another program listens there, or the path has another file; DRG_EINVAL: the
 *         path is too long; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_local_bind(const char *path, int *ret_fd, struct drg_err *reterr);
