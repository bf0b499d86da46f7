/* tests/fault/power.c
 * Loaded before the libraries of a program (LD_PRELOAD), in front of faults.c: keeps what each write
 * overwrites, until the file is synced. power.py takes back from it what a loss of power takes: sectors that
 * no fsync has confirmed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { SECTOR = 512 };

struct entry {
	uint64_t ino;
	int64_t at, n, old, size; /* n < 0: it was synced; `old` bytes follow; the file had `size` before */
};

static int journal = -1;

__attribute__((constructor)) static void begin(void)
{
	const char *path = getenv("DRG_TEST_POWER");
	journal = path != NULL ? open(path, O_WRONLY | O_APPEND | O_CLOEXEC) : -1;
}

#define NEXT(name)                                                                                           \
	static typeof(&name) next;                                                                           \
	if (next == NULL)                                                                                    \
	next = (typeof(&name))dlsym(RTLD_NEXT, #name)

static void append(const struct entry *e, const void *old)
{
	struct iovec parts[] = { { (void *)e, sizeof *e }, { (void *)old, (size_t)e->old } };
	if (writev(journal, parts, 2) != (ssize_t)(sizeof *e + (size_t)e->old))
		abort();
}

/* What the sectors there have now, before they are written or cut off. */
static void keep(int fd, int64_t at, int64_t n)
{
	struct stat st;
	if (journal < 0 || n <= 0 || fstat(fd, &st) != 0 || !S_ISREG(st.st_mode) || st.st_nlink == 0)
		return;
	int64_t from = at / SECTOR * SECTOR, end = (at + n + SECTOR - 1) / SECTOR * SECTOR;
	int64_t left = st.st_size > from ? st.st_size - from : 0;
	struct entry e = { .ino = st.st_ino, .at = from, .n = end - from, .size = st.st_size };
	e.old = left < e.n ? left : e.n;
	void *old = malloc((size_t)e.old + 1);
	if (old == NULL || pread(fd, old, (size_t)e.old, from) != e.old)
		abort();
	append(&e, old);
	free(old);
}

static void confirm(int fd, int rc)
{
	struct stat st;
	if (journal >= 0 && rc == 0 && fstat(fd, &st) == 0)
		append(&(struct entry){ .ino = st.st_ino, .n = -1 }, "");
}

ssize_t pwrite64(int fd, const void *p, size_t n, off64_t at)
{
	NEXT(pwrite64);
	keep(fd, at, (int64_t)n);
	return next(fd, p, n, at);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	return pwrite64(fd, p, n, at);
}

ssize_t write(int fd, const void *p, size_t n)
{
	NEXT(write);
	keep(fd, lseek(fd, 0, SEEK_CUR), (int64_t)n);
	return next(fd, p, n);
}

int ftruncate64(int fd, off64_t n)
{
	NEXT(ftruncate64);
	struct stat st;
	if (fstat(fd, &st) == 0)
		keep(fd, n, st.st_size - n);
	return next(fd, n);
}

int ftruncate(int fd, off_t n)
{
	return ftruncate64(fd, n);
}

int fsync(int fd)
{
	NEXT(fsync);
	int rc = next(fd);
	confirm(fd, rc);
	return rc;
}

int fdatasync(int fd)
{
	NEXT(fdatasync);
	int rc = next(fd);
	confirm(fd, rc);
	return rc;
}
