#include "base/tempfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

enum { BUFFER_BYTES = 1 << 18, DISK_LEFT_PERCENT = 2 };

struct drg_tempfile {
	int fd;
	size_t held; /* bytes in buffer */
	uint64_t written; /* bytes in the file */
	char dir[128]; /* for messages; may be cut */
	char buffer[BUFFER_BYTES];
};

static int tempfile_fail(const struct drg_tempfile *t, int errnum, const char *verb, struct drg_err *reterr)
{
	int rc = drg_rc_from_errno(errnum);
	return drg_fail(reterr, rc, rc == DRG_EFULL || rc == DRG_EIO ? DRG_R(not_stored) : NULL, NULL,
	                "cannot %s a temporary file in %s: %s", verb, t->dir, strerror(errnum));
}

/* File systems without O_TMPFILE (NFS, some FUSE): give the file a name and remove it at once. */
static int open_nameless(const char *dir)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
		return fd;
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s/.dragoman-XXXXXX", dir);
	if (n < 0 || (size_t)n >= sizeof path) {
		errno = ENAMETOOLONG;
		return -1;
	}
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

int drg_tempfile_open(const char *dir, struct drg_tempfile **ret, struct drg_err *reterr)
{
	struct drg_tempfile *t = malloc(sizeof *t);
	if (t == NULL)
		return drg_fail_memory(reterr);
	t->held = 0;
	t->written = 0;
	snprintf(t->dir, sizeof t->dir, "%s", dir);
	t->fd = open_nameless(dir);
	if (t->fd < 0) {
		int rc = tempfile_fail(t, errno, "make", reterr);
		free(t);
		return rc;
	}
	*ret = t;
	return DRG_OK;
}

void drg_tempfile_close(struct drg_tempfile *t)
{
	if (t == NULL)
		return;
	close(t->fd);
	free(t);
}

static int tempfile_write_all(struct drg_tempfile *t, const char *p, size_t n, uint64_t at,
                              struct drg_err *reterr)
{
	while (n > 0) {
		ssize_t done = pwrite(t->fd, p, n, (off_t)at);
		if (done < 0 && errno == EINTR)
			continue;
		if (done <= 0)
			return tempfile_fail(t, done < 0 ? errno : ENOSPC, "write", reterr);
		p += done;
		n -= (size_t)done;
		at += (uint64_t)done;
	}
	return DRG_OK;
}

static int tempfile_flush(struct drg_tempfile *t, struct drg_err *reterr)
{
	int rc = tempfile_write_all(t, t->buffer, t->held, t->written, reterr);
	if (rc != DRG_OK)
		return rc;
	t->written += t->held;
	t->held = 0;
	return DRG_OK;
}

int drg_tempfile_add(struct drg_tempfile *t, const void *p, size_t n, struct drg_err *reterr)
{
	assert(t->held <= BUFFER_BYTES);
	if (n > BUFFER_BYTES - t->held) {
		int rc = tempfile_flush(t, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	if (n > BUFFER_BYTES) {
		int rc = tempfile_write_all(t, p, n, t->written, reterr);
		if (rc == DRG_OK)
			t->written += n;
		return rc;
	}
	if (n > 0)
		memcpy(t->buffer + t->held, p, n);
	t->held += n;
	return DRG_OK;
}

int drg_tempfile_check_room(const struct drg_tempfile *t, struct drg_err *reterr)
{
	struct statvfs v;
	bool full =
	        fstatvfs(t->fd, &v) == 0 && (double)v.f_bavail < (double)v.f_blocks * DISK_LEFT_PERCENT / 100;
	return full ? drg_fail(
	                      reterr, DRG_EFULL, DRG_R(not_stored), NULL,
	                      "an export is kept in %s until it is sent, and less than %d %% of its disk are "
	                      "free: make room",
	                      t->dir, DISK_LEFT_PERCENT)
	            : DRG_OK;
}

uint64_t drg_tempfile_size(const struct drg_tempfile *t)
{
	return t->written + t->held;
}

int drg_tempfile_read(struct drg_tempfile *t, uint64_t at, void *p, size_t n, size_t *ret_n,
                      struct drg_err *reterr)
{
	int rc = tempfile_flush(t, reterr);
	size_t got = 0;
	while (rc == DRG_OK && got < n) {
		ssize_t done = pread(t->fd, (char *)p + got, n - got, (off_t)(at + got));
		if (done == 0)
			break;
		if (done > 0)
			got += (size_t)done;
		else if (errno != EINTR)
			rc = tempfile_fail(t, errno, "read", reterr);
	}
	assert(rc != DRG_OK || (t->held == 0 && got <= n));
	if (rc == DRG_OK)
		*ret_n = got;
	return rc;
}

int drg_tempfile_path(struct drg_tempfile *t, char ret[static DRG_TEMPFILE_PATH], struct drg_err *reterr)
{
	int rc = tempfile_flush(t, reterr);
	if (rc == DRG_OK)
		snprintf(ret, DRG_TEMPFILE_PATH, "/proc/self/fd/%d", t->fd);
	return rc;
}
