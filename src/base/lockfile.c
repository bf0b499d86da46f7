#include "base/lockfile.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/newfile.h"

/* The file begins with the holder of the lock; a note follows. */
enum { HOLDER_TEXT = 256, COMMAND_TEXT = 160 };

struct drg_lockfile {
	int fd;
	dev_t device; /* of the open file ... */
	ino_t inode;
	char signature[HOLDER_TEXT]; /* what this process writes when it takes the lock */
	char path[];
};

enum { QUEUE_BYTE = 0, LOCK_BYTE = 1 };

/* A waiter looks often at first, since most holders keep the lock for a moment only. */
enum { QUICK_LOOKS = 20, QUICK_US = 50, SLOW_US = 500 };

static _Atomic unsigned patience_ms = 5000;

void drg_lockfile_set_timeout(unsigned ms)
{
	atomic_store(&patience_ms, ms);
}

unsigned drg_lockfile_timeout(void)
{
	return atomic_load(&patience_ms);
}

static int lockfile_set(int fd, short type, off_t byte)
{
	struct flock fl = { .l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1 };
	int rc;
	do
		rc = fcntl(fd, F_OFD_SETLK, &fl);
	while (rc == -1 && errno == EINTR);
	return rc == 0 ? 0 : errno;
}

/* ---- who holds it ---------------------------------------------------------------------------------------- */

/* Read the command line of this process, as far as it fits. */
static void own_command(char *to, size_t n)
{
	int fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
	ssize_t got = fd >= 0 ? read(fd, to, n - 1) : 0;
	if (fd >= 0)
		close(fd);
	size_t len = got > 0 ? (size_t)got : 0;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)to[i] < ' ' || to[i] == 0x7f)
			to[i] = ' ';
	while (len > 0 && to[len - 1] == ' ')
		len--;
	to[len] = '\0';
}

static void make_signature(char to[static HOLDER_TEXT])
{
	char command[COMMAND_TEXT];
	own_command(command, sizeof command);
	int n = snprintf(to, HOLDER_TEXT, "%d %s", (int)getpid(), command);
	assert(n > 0 && (size_t)n < HOLDER_TEXT);
	memset(to + n, ' ', HOLDER_TEXT - (size_t)n);
	to[HOLDER_TEXT - 1] = '\n';
}

/* Write the holder into the file, for the messages of waiters; nothing depends on it. */
static void lockfile_sign(const struct drg_lockfile *l)
{
	ssize_t done = pwrite(l->fd, l->signature, HOLDER_TEXT, 0);
	(void)done;
}

void drg_lockfile_holder(const struct drg_lockfile *l, char *to, size_t n)
{
	assert(l->fd >= 0 && n > 0);
	char text[HOLDER_TEXT + 1] = "";
	ssize_t got = pread(l->fd, text, HOLDER_TEXT, 0);
	char *command = text;
	long pid = got > 0 ? strtol(text, &command, 10) : 0;
	/* If another program holds the lock, the text may name a process that has ended. */
	if (pid <= 0 || (kill((pid_t)pid, 0) != 0 && errno == ESRCH)) {
		snprintf(to, n, "another process");
		return;
	}
	command += strspn(command, " ");
	size_t len = strlen(command);
	while (len > 0 && (command[len - 1] == ' ' || command[len - 1] == '\n'))
		len--;
	snprintf(to, n, "process %ld (%.*s)", pid, (int)len, command);
}

/* ---- open and close -------------------------------------------------------------------------------------- */

static void lockfile_close_file(struct drg_lockfile *l)
{
	if (l->fd >= 0)
		close(l->fd);
	l->fd = -1;
}

static int lockfile_open_at(struct drg_lockfile *l, struct drg_err *reterr)
{
	struct stat st;
	l->fd = drg_open_private(l->path, O_RDWR);
	if (l->fd >= 0 && fstat(l->fd, &st) == 0) {
		l->device = st.st_dev;
		l->inode = st.st_ino;
		return DRG_OK;
	}
	int e = errno;
	lockfile_close_file(l);
	return drg_fail(reterr, drg_rc_from_errno(e), NULL, NULL, "cannot open the lock file %s: %s", l->path,
	                strerror(e));
}

int drg_lockfile_open(const char *path, struct drg_lockfile **ret, struct drg_err *reterr)
{
	struct drg_lockfile *l = malloc(sizeof *l + strlen(path) + 1);
	if (l == NULL)
		return drg_fail_memory(reterr);
	strcpy(l->path, path);
	make_signature(l->signature);
	int rc = lockfile_open_at(l, reterr);
	if (rc == DRG_OK)
		*ret = l;
	else
		free(l);
	return rc;
}

void drg_lockfile_close(struct drg_lockfile *l)
{
	if (l == NULL)
		return;
	lockfile_close_file(l);
	free(l);
}

bool drg_lockfile_in_place(const struct drg_lockfile *l)
{
	struct stat at_path;
	return l->fd >= 0 && stat(l->path, &at_path) == 0 && l->device == at_path.st_dev &&
	       l->inode == at_path.st_ino;
}

/* ---- locking --------------------------------------------------------------------------------------------- */

/* Lock both bytes in turn, without waiting. @return 0 or an errno. */
static int lockfile_try(const struct drg_lockfile *l, bool *queued)
{
	int e = *queued ? 0 : lockfile_set(l->fd, F_WRLCK, QUEUE_BYTE);
	if (e != 0)
		return e;
	*queued = true;
	e = lockfile_set(l->fd, F_WRLCK, LOCK_BYTE);
	if (e != 0)
		return e;
	lockfile_set(l->fd, F_UNLCK, QUEUE_BYTE);
	*queued = false;
	return 0;
}

static bool is_held(int e)
{
	return e == EAGAIN || e == EACCES;
}

static void lockfile_sleep(unsigned looks)
{
	const struct timespec pause = { 0, (looks < QUICK_LOOKS ? QUICK_US : SLOW_US) * 1000L };
	nanosleep(&pause, NULL);
}

static int lockfile_failed(const struct drg_lockfile *l, int e, double waited_s, struct drg_err *reterr)
{
	char holder[HOLDER_TEXT + 40];
	if (!is_held(e))
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot lock the lock file %s: %s", l->path,
		                strerror(e));
	drg_lockfile_holder(l, holder, sizeof holder);
	return drg_fail(reterr, DRG_EBUSY, DRG_R(locked), NULL,
	                "%s holds the lock %s; waited for %.1f s: wait until it has ended, or end it", holder,
	                l->path, waited_s);
}

/* Reopen the file if it was removed or replaced: other processes lock the file that the path names. A look at
 * the path behind each look at the lock is enough. Read the patience at each look: it may be changed during a
 * wait. */
static int lockfile_take(struct drg_lockfile *l, bool wait, struct drg_err *reterr)
{
	int64_t began = drg_clock_ns();
	bool queued = false;
	for (unsigned looks = 0;; looks++) {
		int e = l->fd >= 0 ? lockfile_try(l, &queued) : 0;
		if (!queued && !drg_lockfile_in_place(l)) {
			lockfile_close_file(l); /* gives back what was locked */
			int rc = lockfile_open_at(l, reterr);
			if (rc != DRG_OK)
				return rc;
			continue;
		}
		if (e == 0) {
			lockfile_sign(l);
			return DRG_OK;
		}
		int64_t waited = drg_clock_ns() - began;
		if (!is_held(e) || !wait || waited >= (int64_t)atomic_load(&patience_ms) * 1000000) {
			lockfile_set(l->fd, F_UNLCK, QUEUE_BYTE);
			return lockfile_failed(l, e, (double)waited / 1e9, reterr);
		}
		lockfile_sleep(looks);
	}
}

int drg_lockfile_lock(struct drg_lockfile *l, struct drg_err *reterr)
{
	return lockfile_take(l, true, reterr);
}

int drg_lockfile_trylock(struct drg_lockfile *l, struct drg_err *reterr)
{
	return lockfile_take(l, false, reterr);
}

void drg_lockfile_unlock(struct drg_lockfile *l)
{
	assert(l->fd >= 0);
	lockfile_set(l->fd, F_UNLCK, LOCK_BYTE);
}

/* ---- the note ------------------------------------------------------------------------------------------ */

void drg_lockfile_note(const struct drg_lockfile *l, const char *text)
{
	assert(l->fd >= 0 && strlen(text) < DRG_LOCKFILE_NOTE);
	char note[DRG_LOCKFILE_NOTE] = "";
	snprintf(note, sizeof note, "%s", text);
	ssize_t done = pwrite(l->fd, note, sizeof note, HOLDER_TEXT);
	(void)done;
}

void drg_lockfile_read_note(const char *path, char to[static DRG_LOCKFILE_NOTE])
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? pread(fd, to, DRG_LOCKFILE_NOTE - 1, HOLDER_TEXT) : 0;
	if (fd >= 0)
		close(fd);
	to[n > 0 ? n : 0] = '\0';
}

/* A process that waits for the lock byte holds the queue byte. */
bool drg_lockfile_has_waiters(struct drg_lockfile *l)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = QUEUE_BYTE, .l_len = 1 };
	return fcntl(l->fd, F_OFD_GETLK, &fl) == 0 && fl.l_type != F_UNLCK;
}
