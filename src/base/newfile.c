#include "base/newfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

static const char *folder_of(const char *path, char folder[static DRG_NEWFILE_PATH])
{
	snprintf(folder, DRG_NEWFILE_PATH, "%s", path);
	char *slash = strrchr(folder, '/');
	if (slash == NULL)
		return ".";
	slash[slash == folder] = '\0';
	return folder;
}

int drg_open_private(const char *path, int flags)
{
	char folder[DRG_NEWFILE_PATH];
	struct stat st;
	int fd = open(path, flags | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return errno == EEXIST && (flags & O_EXCL) == 0
		               ? open(path, flags | O_CREAT | O_CLOEXEC, 0600)
		               : -1;
	/* If root cannot give the file to the folder's owner, root keeps it. */
	if (geteuid() == 0 && stat(folder_of(path, folder), &st) == 0 &&
	    fchown(fd, st.st_uid, st.st_gid) != 0)
		errno = 0;
	return fd;
}

int drg_newfile_fail(const struct drg_newfile *w, const char *path, int errnum, struct drg_err *reterr)
{
	return drg_fail(reterr, drg_rc_from_errno(errnum), NULL, NULL, "cannot write %s %s: %s", w->what,
	                path, strerror(errnum));
}

/* Does the name still lead to the open file? Another process may have renamed it before we had the lock. */
static bool is_named(const struct drg_newfile *w)
{
	struct stat open, named;
	return fstat(w->fd, &open) == 0 && stat(w->aside, &named) == 0 && open.st_ino == named.st_ino &&
	       open.st_dev == named.st_dev;
}

int drg_newfile_begin(const char *what, const char *path, const char *aside, struct drg_newfile *ret,
                      struct drg_err *reterr)
{
	assert(what != NULL && path != NULL && path[0] != '\0');
	struct drg_newfile w = { .what = what, .fd = -1 };
	if (strlen(path) >= sizeof w.path || (aside != NULL && strlen(aside) >= sizeof w.aside))
		return drg_fail(reterr, DRG_ELIMIT, NULL, NULL, "the path of %s is too long", what);
	snprintf(w.path, sizeof w.path, "%s", path);
	snprintf(w.aside, sizeof w.aside, "%s%s", aside != NULL ? aside : path, aside != NULL ? "" : ".new");
	w.fd = drg_open_private(w.aside, O_RDWR | O_NOFOLLOW);
	if (w.fd < 0)
		return drg_newfile_fail(&w, w.aside, errno, reterr);
	int e = flock(w.fd, LOCK_EX | LOCK_NB) != 0 ? errno : is_named(&w) ? 0 : EWOULDBLOCK;
	if (e == 0 && (ftruncate(w.fd, 0) != 0 || fchmod(w.fd, 0600) != 0))
		e = errno;
	if (e == 0) {
		*ret = w;
		return DRG_OK;
	}
	close(w.fd);
	return e == EWOULDBLOCK ? drg_fail(reterr, DRG_EBUSY, NULL, NULL, "another process is writing %s %s",
	                                   what, w.aside)
	                        : drg_newfile_fail(&w, w.aside, e, reterr);
}

int drg_newfile_room(const struct drg_newfile *w, size_t bytes, struct drg_err *reterr)
{
	assert(w->fd >= 0);
	struct statvfs disk;
	if (fstatvfs(w->fd, &disk) != 0)
		return DRG_OK;
	uint64_t free_bytes = (uint64_t)disk.f_bavail * disk.f_frsize,
	         tenth = (uint64_t)disk.f_blocks * disk.f_frsize / 10;
	if (free_bytes >= bytes + tenth)
		return DRG_OK;
	return drg_fail(
	        reterr, DRG_EFULL, NULL, NULL,
	        "%s would need %zu MiB of a disk that has %llu MiB free, and a tenth of it is left to others",
	        w->path, bytes >> 20, (unsigned long long)(free_bytes >> 20));
}

int drg_newfile_sync(const struct drg_newfile *w, struct drg_err *reterr)
{
	assert(w->fd >= 0);
	return fsync(w->fd) == 0 ? DRG_OK : drg_newfile_fail(w, w->aside, errno, reterr);
}

static int sync_folder(const char *path)
{
	char folder[DRG_NEWFILE_PATH];
	int fd = open(folder_of(path, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int e = fd < 0 || fsync(fd) != 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	return e;
}

int drg_newfile_end(struct drg_newfile *w, bool keep, struct drg_err *reterr)
{
	assert(w->fd >= 0);
	if (!keep) {
		drg_newfile_drop(w);
		return DRG_OK;
	}
	int e = rename(w->aside, w->path) != 0 ? errno : 0;
	/* After a rename the name aside is no longer ours, whether the folder could be synced or not. */
	if (e != 0)
		unlink(w->aside);
	else
		e = sync_folder(w->path);
	close(w->fd);
	w->fd = -1;
	return e == 0 ? DRG_OK : drg_newfile_fail(w, w->path, e, reterr);
}

void drg_newfile_drop(struct drg_newfile *w)
{
	assert(w->fd >= 0);
	unlink(w->aside);
	close(w->fd);
	w->fd = -1;
}

int drg_write_all(int fd, struct drg_str bytes)
{
	assert(fd >= 0);
	while (bytes.n > 0) {
		ssize_t n = write(fd, bytes.p, bytes.n);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 ? errno : ENOSPC;
		bytes = drg_str(bytes.p + n, bytes.n - (size_t)n);
	}
	return 0;
}
