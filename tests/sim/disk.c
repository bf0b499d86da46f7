#include "disk.h"

#include <assert.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECTOR = 512, PATH = 256 };

/* What is on the disk whatever happens, and which sectors have been written since. */
struct shadow {
	struct shadow *next;
	char path[PATH];
	uint8_t *durable;
	size_t size, room, sectors; /* of `durable` in bytes, used and allocated; of `dirty` */
	bool *dirty;
};

struct file {
	sqlite3_file base;
	struct shadow *shadow; /* NULL: a file of no interest */
	sqlite3_file *real;
};

struct disk_counts disk_counts;
static sqlite3_vfs disk, *under;
static struct shadow *shadows;
static uint64_t (*choose)(void);
static struct disk_failure failure;
static bool dead;

/* ---- failures ------------------------------------------------------------------------------------------ */

/* @return SQLITE_OK, or how the operation fails */
static int disk_strike(int code)
{
	const bool counts = failure.in > 0 && (!failure.syncs || code == SQLITE_IOERR_FSYNC);
	if (!dead && !(counts && --failure.in == 0))
		return SQLITE_OK;
	disk_counts.failures++;
	const bool full = failure.full && code != SQLITE_IOERR_FSYNC && !dead;
	if (!dead && --failure.n > 0)
		failure.in = 1;
	dead = dead || failure.deadly;
	return full ? SQLITE_FULL : code;
}

void disk_fail(const struct disk_failure *how)
{
	failure = *how;
}

void disk_heal(void)
{
	failure.in = 0;
}

void disk_die(void)
{
	dead = true;
}

bool disk_is_dead(void)
{
	return dead;
}

void disk_revive(void)
{
	dead = false;
	failure.in = 0;
}

/* ---- shadows ------------------------------------------------------------------------------------------- */

static void shadow_read_all(struct shadow *s)
{
	int fd = open(s->path, O_RDONLY | O_CLOEXEC);
	off_t n = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	s->size = n > 0 ? (size_t)n : 0;
	s->room = s->size + 1;
	s->durable = malloc(s->room);
	if (s->size > 0 && pread(fd, s->durable, s->size, 0) != n)
		abort();
	if (fd >= 0)
		close(fd);
}

static struct shadow *shadow_of(const char *path)
{
	struct shadow *s = shadows;
	while (s != NULL && strcmp(s->path, path) != 0)
		s = s->next;
	if (s != NULL)
		return s;
	s = calloc(1, sizeof *s);
	snprintf(s->path, sizeof s->path, "%s", path);
	shadow_read_all(s);
	s->next = shadows;
	shadows = s;
	return s;
}

static void shadow_forget(const char *path)
{
	for (struct shadow **at = &shadows; *at != NULL;) {
		struct shadow *s = *at;
		if (path != NULL && strcmp(s->path, path) != 0) {
			at = &s->next;
			continue;
		}
		*at = s->next;
		free(s->durable);
		free(s->dirty);
		free(s);
	}
}

void disk_forget(void)
{
	shadow_forget(NULL);
	sqlite3_randomness(0, NULL);
}

static void shadow_soil(struct shadow *s, sqlite3_int64 at, int n)
{
	size_t end = ((size_t)at + (size_t)n + SECTOR - 1) / SECTOR;
	if (end > s->sectors) {
		size_t room = 2 * end;
		s->dirty = realloc(s->dirty, room);
		memset(s->dirty + s->sectors, 0, room - s->sectors);
		s->sectors = room;
	}
	memset(s->dirty + at / SECTOR, 1, end - (size_t)at / SECTOR);
}

static void shadow_grow(struct shadow *s, size_t size)
{
	if (size <= s->size)
		return;
	if (size > s->room) {
		s->room = 2 * size;
		s->durable = realloc(s->durable, s->room);
	}
	memset(s->durable + s->size, 0, size - s->size);
	s->size = size;
}

/* What the file has there is durable. */
static void shadow_keep(struct shadow *s, int fd, off_t at, off_t end)
{
	if (at == end)
		return;
	shadow_grow(s, (size_t)end);
	if (pread(fd, s->durable + at, (size_t)(end - at), at) != end - at)
		abort();
}

/* The sectors that were written are durable: all, or, of an fsync that failed, those that are chosen. The
 * others are so no more by a later fsync, until they are written again. */
static void shadow_settle(struct shadow *s, bool all)
{
	int fd = open(s->path, O_RDONLY | O_CLOEXEC);
	off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : 0;
	off_t from = 0, to = 0; /* what is kept and not yet read */
	for (size_t i = 0; i < s->sectors; i++) {
		off_t at = (off_t)(i * SECTOR), end = size - at < SECTOR ? size : at + SECTOR;
		bool kept = s->dirty[i] && end > at && (all || choose() % 2 == 0);
		if (s->dirty[i] && !kept)
			disk_counts.sectors_lost++;
		if (kept && to != at) {
			shadow_keep(s, fd, from, to);
			from = at;
		}
		to = kept ? end : to;
		s->dirty[i] = false;
	}
	shadow_keep(s, fd, from, to);
	if (all && (size_t)size < s->size)
		s->size = (size_t)size;
	if (fd >= 0)
		close(fd);
}

static void shadow_restore(struct shadow *s)
{
	int fd = open(s->path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		return;
	if (ftruncate(fd, (off_t)s->size) != 0 || pwrite(fd, s->durable, s->size, 0) != (ssize_t)s->size)
		abort();
	close(fd);
}

/* The index of the log is memory that was shared: it is gone. */
void disk_lose_power(void)
{
	char index[PATH + 8];
	assert(dead);
	for (struct shadow *s = shadows; s != NULL; s = s->next) {
		shadow_settle(s, false);
		shadow_restore(s);
		snprintf(index, sizeof index, "%s-shm", s->path);
		(void)unlink(index);
	}
}

/* ---- files --------------------------------------------------------------------------------------------- */

static sqlite3_file *real(sqlite3_file *f)
{
	return ((struct file *)f)->real;
}

static int file_close(sqlite3_file *f)
{
	return real(f)->pMethods->xClose(real(f));
}

static int file_read(sqlite3_file *f, void *to, int n, sqlite3_int64 at)
{
	return real(f)->pMethods->xRead(real(f), to, n, at);
}

/* A write that fails may have come in part: what write(2) says. */
static int file_write(sqlite3_file *f, const void *from, int n, sqlite3_int64 at)
{
	struct file *x = (struct file *)f;
	if (x->shadow == NULL)
		return x->real->pMethods->xWrite(x->real, from, n, at);
	disk_counts.writes++;
	const bool was_dead = dead;
	int rc = disk_strike(SQLITE_IOERR_WRITE);
	int part = rc == SQLITE_OK ? n : was_dead ? 0 : (int)(choose() % (unsigned)n);
	if (part > 0) {
		int done = x->real->pMethods->xWrite(x->real, from, part, at);
		assert(done == SQLITE_OK);
		shadow_soil(x->shadow, at, part);
	}
	return rc;
}

static int file_truncate(sqlite3_file *f, sqlite3_int64 size)
{
	struct file *x = (struct file *)f;
	int rc = x->shadow != NULL ? disk_strike(SQLITE_IOERR_TRUNCATE) : SQLITE_OK;
	return rc == SQLITE_OK ? x->real->pMethods->xTruncate(x->real, size) : rc;
}

/* One that fails may have done all: the answer alone is lost. */
static int file_sync(sqlite3_file *f, int flags)
{
	struct file *x = (struct file *)f;
	(void)flags;
	if (x->shadow == NULL)
		return SQLITE_OK;
	disk_counts.syncs++;
	const bool was_dead = dead;
	int rc = disk_strike(SQLITE_IOERR_FSYNC);
	if (!was_dead)
		shadow_settle(x->shadow, rc == SQLITE_OK || choose() % 4 == 0);
	return rc;
}

static int file_size(sqlite3_file *f, sqlite3_int64 *ret)
{
	return real(f)->pMethods->xFileSize(real(f), ret);
}

static int file_lock(sqlite3_file *f, int how)
{
	return real(f)->pMethods->xLock(real(f), how);
}

static int file_unlock(sqlite3_file *f, int how)
{
	return real(f)->pMethods->xUnlock(real(f), how);
}

static int file_reserved(sqlite3_file *f, int *ret)
{
	return real(f)->pMethods->xCheckReservedLock(real(f), ret);
}

static int file_control(sqlite3_file *f, int what, void *arg)
{
	return real(f)->pMethods->xFileControl(real(f), what, arg);
}

static int file_sector(sqlite3_file *f)
{
	return real(f)->pMethods->xSectorSize(real(f));
}

static int file_traits(sqlite3_file *f)
{
	return real(f)->pMethods->xDeviceCharacteristics(real(f));
}

static int file_shm_map(sqlite3_file *f, int page, int size, int extend, void volatile **ret)
{
	return real(f)->pMethods->xShmMap(real(f), page, size, extend, ret);
}

static int file_shm_lock(sqlite3_file *f, int offset, int n, int flags)
{
	return real(f)->pMethods->xShmLock(real(f), offset, n, flags);
}

static void file_shm_barrier(sqlite3_file *f)
{
	real(f)->pMethods->xShmBarrier(real(f));
}

static int file_shm_unmap(sqlite3_file *f, int remove)
{
	return real(f)->pMethods->xShmUnmap(real(f), dead ? 0 : remove);
}

static const sqlite3_io_methods methods = {
	2,           file_close,   file_read,     file_write,       file_truncate,  file_sync,
	file_size,   file_lock,    file_unlock,   file_reserved,    file_control,   file_sector,
	file_traits, file_shm_map, file_shm_lock, file_shm_barrier, file_shm_unmap, NULL,
	NULL
};

static int disk_open(sqlite3_vfs *v, const char *path, sqlite3_file *f, int flags, int *ret_flags)
{
	struct file *x = (struct file *)f;
	(void)v;
	x->real = (sqlite3_file *)(void *)(x + 1);
	x->base.pMethods = NULL;
	int rc = under->xOpen(under, path, x->real, flags, ret_flags);
	if (rc != SQLITE_OK)
		return rc;
	const int kept = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_WAL;
	x->shadow = (flags & kept) != 0 && path != NULL ? shadow_of(path) : NULL;
	x->base.pMethods = &methods;
	return SQLITE_OK;
}

static int disk_delete(sqlite3_vfs *v, const char *path, int sync)
{
	(void)v;
	int rc = disk_strike(SQLITE_IOERR_DELETE);
	if (rc != SQLITE_OK)
		return rc;
	shadow_forget(path);
	return under->xDelete(under, path, sync);
}

/* SQLite's chance, too, is the seed's. */
static int disk_randomness(sqlite3_vfs *v, int n, char *to)
{
	(void)v;
	memset(to, 0x5a, (size_t)n);
	return n;
}

void disk_begin(uint64_t (*random)(void))
{
	choose = random;
	under = sqlite3_vfs_find(NULL);
	disk = *under;
	disk.pNext = NULL;
	disk.zName = "simulated";
	disk.szOsFile = (int)sizeof(struct file) + under->szOsFile;
	disk.xOpen = disk_open;
	disk.xDelete = disk_delete;
	disk.xRandomness = disk_randomness;
	int rc = sqlite3_vfs_register(&disk, 1);
	assert(rc == SQLITE_OK);
}
