#include "base/lockfile.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct drg_lockfile {
	int fd;
};

enum { QUEUE_BYTE = 0, LOCK_BYTE = 1 };

static int set_lock(int fd, short type, off_t byte, bool wait)
{
	struct flock fl = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
	int rc;
	do
		rc = fcntl(fd, wait ? F_OFD_SETLKW : F_OFD_SETLK, &fl);
	while (rc == -1 && errno == EINTR);
	return rc == 0 ? 0 : errno;
}

int drg_lockfile_open(const char *path, struct drg_lockfile **ret, struct drg_err *reterr)
{
	struct drg_lockfile *l = malloc(sizeof *l);
	if (l == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	l->fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (l->fd < 0) {
		int e = errno;
		free(l);
		return drg_fail(reterr, drg_rc_from_errno(e), NULL, NULL, "cannot open the lock file %s: %s",
		                path, strerror(e));
	}
	*ret = l;
	return DRG_OK;
}

void drg_lockfile_close(struct drg_lockfile *l)
{
	if (l == NULL)
		return;
	close(l->fd);
	free(l);
}

static int take(struct drg_lockfile *l, bool wait, struct drg_err *reterr)
{
	int e = set_lock(l->fd, F_WRLCK, QUEUE_BYTE, wait);
	if (e == 0) {
		e = set_lock(l->fd, F_WRLCK, LOCK_BYTE, wait);
		set_lock(l->fd, F_UNLCK, QUEUE_BYTE, false);
	}
	if (e == 0)
		return DRG_OK;
	if (!wait && (e == EAGAIN || e == EACCES))
		return drg_fail(reterr, DRG_EBUSY, NULL, NULL, "the lock is held by another process");
	return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot lock the lock file: %s", strerror(e));
}

int drg_lockfile_lock(struct drg_lockfile *l, struct drg_err *reterr)
{
	return take(l, true, reterr);
}

int drg_lockfile_trylock(struct drg_lockfile *l, struct drg_err *reterr)
{
	return take(l, false, reterr);
}

void drg_lockfile_unlock(struct drg_lockfile *l)
{
	set_lock(l->fd, F_UNLCK, LOCK_BYTE, false);
}

/* Who waits for the lock byte holds the queue byte. */
bool drg_lockfile_wanted(struct drg_lockfile *l)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = QUEUE_BYTE, .l_len = 1 };
	return fcntl(l->fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}
