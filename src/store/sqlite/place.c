/* Checks that the open files are still those that the path names.
 *
 * A store is three files: the database, its write-ahead log, the index of that log; and the lock file beside
 * them. A handle keeps the files that it opened, even if their names now mean others. So a handle compares
 * device and inode with the path before it trusts what it reads, and before and after it commits.
 *
 * A database that is copied over in place keeps its inode. But the log beside it is that of the old database,
 * and SQLite would combine the two into a state that never existed. The log holds all commits that are not in
 * the database yet, so a database can only move forward. Each writer of the database (a checkpoint, under the
 * lock) notes in the lock file its last commit and the files that this is true of. A database that is behind
 * the note was restored to an earlier state. */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "store/sqlite/sqlite_priv.h"

static bool place_path_of(const struct drg_store *s, const char *suffix, char to[static PATH_MAX])
{
	int n = snprintf(to, PATH_MAX, "%s%s", s->path, suffix);
	return n > 0 && n < PATH_MAX;
}

/* All zero: there is no such file. */
static void sqlite_place_look_at(const struct drg_store *s, int which, struct stat *ret)
{
	if (stat(s->path_of[which], ret) != 0)
		memset(ret, 0, sizeof *ret);
}

static bool same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool same_content(const struct stat *a, const struct stat *b)
{
	return a->st_size == b->st_size && a->st_mtim.tv_sec == b->st_mtim.tv_sec &&
	       a->st_mtim.tv_nsec == b->st_mtim.tv_nsec;
}

/* ---- what the database has come to --------------------------------------------------------------------- */

/* A file, distinguished from all later ones: an inode number is used again when its file is gone, perhaps for
 * a copy of that file. */
struct identity {
	uint64_t inode;
	int64_t born_s;
	uint32_t born_ns; /* both 0: the file system does not keep it */
};

struct base {
	struct identity db, log;
	int64_t seq;
	char epoch[40];
};

static struct identity identity_of(const struct drg_store *s, int which)
{
	struct statx x;
	if (statx(AT_FDCWD, s->path_of[which], 0, STATX_INO | STATX_BTIME, &x) != 0)
		return (struct identity){ 0 };
	if ((x.stx_mask & STATX_BTIME) == 0)
		return (struct identity){ .inode = x.stx_ino };
	return (struct identity){ x.stx_ino, x.stx_btime.tv_sec, x.stx_btime.tv_nsec };
}

static bool same_identity(const struct identity *a, const struct identity *b)
{
	return a->inode == b->inode && a->born_s == b->born_s && a->born_ns == b->born_ns;
}

/* Make "file:/path?immutable=1": a connection that reads the database alone and takes no locks. */
static bool uri_of(const struct drg_store *s, char *to, size_t n)
{
	size_t at = (size_t)snprintf(to, n, "file:");
	for (const char *c = s->path; *c != '\0' && at + 4 < n; c++)
		at += (size_t)snprintf(to + at, n - at, strchr("%?#", *c) != NULL ? "%%%02x" : "%c",
		                       (unsigned char)*c);
	int more = snprintf(to + at, n - at, "?immutable=1");
	return more > 0 && at + (size_t)more < n;
}

/* @return false: the database cannot be read, for whatever reason. */
static bool read_base(const struct drg_store *s, struct base *ret)
{
	char uri[PATH_MAX * 3 + 32];
	sqlite3 *db = NULL;
	sqlite3_stmt *st = NULL;
	bool ok = uri_of(s, uri, sizeof uri) &&
	          sqlite3_open_v2(uri, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX,
	                          NULL) == SQLITE_OK &&
	          sqlite3_prepare_v2(db, "SELECT seq, epoch FROM clock", -1, &st, NULL) == SQLITE_OK &&
	          sqlite3_step(st) == SQLITE_ROW && sqlite3_column_type(st, 1) == SQLITE_TEXT;
	if (ok) {
		ret->seq = sqlite3_column_int64(st, 0);
		snprintf(ret->epoch, sizeof ret->epoch, "%s", (const char *)sqlite3_column_text(st, 1));
	}
	sqlite3_finalize(st);
	sqlite3_close(db);
	return ok;
}

static bool read_note(const struct drg_store *s, struct base *ret)
{
	char path[PATH_MAX], text[DRG_LOCKFILE_NOTE];
	if (!place_path_of(s, ".lock", path))
		return false;
	drg_lockfile_read_note(path, text);
	return sscanf(text,
	              "base %39s %" SCNd64 " %" SCNu64 " %" SCNd64 " %" SCNu32 " %" SCNu64 " %" SCNd64
	              " %" SCNu32,
	              ret->epoch, &ret->seq, &ret->db.inode, &ret->db.born_s, &ret->db.born_ns,
	              &ret->log.inode, &ret->log.born_s, &ret->log.born_ns) == 8;
}

/* SQLite shares one index of the log between all handles of a process on one database, even if the path names
 * another index by now. So a database that was overwritten in place cannot be opened before the last old
 * handle is closed. Each handle looks every half second whether it must close. */
static pthread_mutex_t handles_lock = PTHREAD_MUTEX_INITIALIZER;
static struct drg_store *handles;

void drg_sqlite_place_written(struct drg_store *s)
{
	char text[DRG_LOCKFILE_NOTE];
	struct base now = { .db = identity_of(s, FILE_DB), .log = identity_of(s, FILE_LOG) };
	struct stat db;
	bool known = read_base(s, &now);
	sqlite_place_look_at(s, FILE_DB, &db);
	/* The clock was read from the file that the path names, which may be another one by now. */
	if (!known || !same_file(&db, &s->place.file[FILE_DB]) || now.db.inode != db.st_ino)
		return;
	pthread_mutex_lock(&handles_lock); /* is_still_open() reads it on other threads */
	s->place.file[FILE_DB] = db;
	pthread_mutex_unlock(&handles_lock);
	snprintf(text, sizeof text,
	         "base %s %" PRId64 " %" PRIu64 " %" PRId64 " %" PRIu32 " %" PRIu64 " %" PRId64 " %" PRIu32,
	         now.epoch, now.seq, now.db.inode, now.db.born_s, now.db.born_ns, now.log.inode,
	         now.log.born_s, now.log.born_ns);
	drg_lockfile_note(s->lock, text);
}

/* Does the log beside the database belong to another database? If the note knows neither file (a folder that
 * was copied as a whole), it says nothing. */
static bool is_mispaired(const struct drg_store *s)
{
	struct identity db = identity_of(s, FILE_DB), log = identity_of(s, FILE_LOG);
	struct stat log_now;
	struct base note, now;
	sqlite_place_look_at(s, FILE_LOG, &log_now);
	if (db.inode == 0 || log_now.st_size == 0 || !read_note(s, &note))
		return false;
	bool same_db = same_identity(&note.db, &db), same_log = same_identity(&note.log, &log);
	if (!same_db && same_log)
		return true;
	return same_db && read_base(s, &now) && (strcmp(now.epoch, note.epoch) != 0 || now.seq < note.seq);
}

/* ---- a log of another file ----------------------------------------------------------------------------- */

/* Find an unused name: a log that was put aside earlier is the only copy of its commits. */
static bool path_aside(const struct drg_store *s, char to[static PATH_MAX])
{
	enum { ORPHANS_MAX = 10000 };
	char suffix[32] = "-wal.orphan";
	for (unsigned i = 2; place_path_of(s, suffix, to); i++) {
		if (access(to, F_OK) != 0 || i > ORPHANS_MAX)
			return i <= ORPHANS_MAX;
		snprintf(suffix, sizeof suffix, "-wal.orphan.%u", i);
	}
	return false;
}

/* Called under the lock. The index goes with its log. */
static int put_log_aside(struct drg_store *s, struct drg_err *reterr)
{
	const char *log = s->path_of[FILE_LOG], *index = s->path_of[FILE_INDEX];
	char aside[PATH_MAX];
	/* Remove the index first: as long as the log exists, other processes that open the store wait for the
	 * lock, which we hold. */
	if (!path_aside(s, aside) || (unlink(index) != 0 && errno != ENOENT) || rename(log, aside) != 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL,
		                "the store %s was replaced, and the log beside it is of what it was before: "
		                "remove %s and %s (%s)",
		                s->path, log, index, strerror(errno));
	snprintf(s->remark, sizeof s->remark,
	         "the store %.150s was replaced; the log beside it was of what it was before and is %.150s "
	         "now",
	         s->path, aside);
	return DRG_OK;
}

/* ---- the handles of this process ----------------------------------------------------------------------- */

static void remember_handle(struct drg_store *s)
{
	pthread_mutex_lock(&handles_lock);
	s->place.known = true;
	s->place.next = handles;
	if (handles != NULL)
		handles->place.prev = s;
	handles = s;
	pthread_mutex_unlock(&handles_lock);
}

void drg_sqlite_place_forget(struct drg_store *s)
{
	if (!s->place.known)
		return;
	pthread_mutex_lock(&handles_lock);
	*(s->place.prev != NULL ? &s->place.prev->place.next : &handles) = s->place.next;
	if (s->place.next != NULL)
		s->place.next->place.prev = s->place.prev;
	s->place.known = false;
	pthread_mutex_unlock(&handles_lock);
}

static bool is_still_open(const struct drg_store *s)
{
	struct stat db, index;
	bool open = false;
	sqlite_place_look_at(s, FILE_DB, &db);
	sqlite_place_look_at(s, FILE_INDEX, &index);
	pthread_mutex_lock(&handles_lock);
	for (const struct drg_store *o = handles; o != NULL && !open; o = o->place.next)
		open = same_file(&o->place.file[FILE_DB], &db) &&
		       !same_file(&o->place.file[FILE_INDEX], &index);
	pthread_mutex_unlock(&handles_lock);
	return open;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

static int is_gone(const struct drg_store *s, const char *what, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ENOENT, DRG_R(store_replaced), NULL, "the store %s %s", s->path, what);
}

static int put_others_log_aside(struct drg_store *s, bool locked, struct drg_err *reterr)
{
	struct drg_lockfile *lock = NULL;
	char path[PATH_MAX];
	if (!is_mispaired(s))
		return DRG_OK;
	if (locked)
		return put_log_aside(s, reterr);
	if (!place_path_of(s, ".lock", path))
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "the path of the store is too long");
	int rc = drg_lockfile_open(path, &lock, reterr);
	if (rc == DRG_OK)
		rc = drg_lockfile_lock(lock, reterr);
	if (rc == DRG_OK && is_mispaired(s))
		rc = put_log_aside(s, reterr);
	drg_lockfile_close(lock);
	return rc;
}

int drg_sqlite_pair(struct drg_store *s, bool locked, struct drg_err *reterr)
{
	int rc = put_others_log_aside(s, locked, reterr);
	if (rc == DRG_OK && is_still_open(s))
		rc = is_gone(s,
		             "was overwritten, and this process has not closed what it was before: try again",
		             reterr);
	return rc;
}

int drg_sqlite_place_note(struct drg_store *s, struct drg_err *reterr)
{
	int moved = 0;
	for (int i = 0; i < FILE_COUNT; i++)
		sqlite_place_look_at(s, i, &s->place.file[i]);
	sqlite3_file_control(s->db, "main", SQLITE_FCNTL_HAS_MOVED, &moved);
	remember_handle(s);
	/* If the database was replaced between the look at its log and the opening, the log would be noted as
	 * its own. A log without an index: SQLite has an index open that no other process finds. */
	bool split = s->place.file[FILE_LOG].st_ino != 0 && s->place.file[FILE_INDEX].st_ino == 0;
	return moved == 0 && s->place.file[FILE_DB].st_ino != 0 && !split && !is_mispaired(s)
	               ? DRG_OK
	               : is_gone(s, "was replaced while it was opened: try again", reterr);
}

/* ---- later --------------------------------------------------------------------------------------------- */

int drg_sqlite_in_place(struct drg_store *s, struct drg_err *reterr)
{
	struct stat now[FILE_COUNT];
	if (!s->place.known)
		return DRG_OK;
	for (int i = 0; i < FILE_COUNT; i++)
		sqlite_place_look_at(s, i, &now[i]);
	if (now[FILE_DB].st_ino == 0)
		return is_gone(s, "is not there any more: put it back", reterr);
	if (!same_file(&now[FILE_DB], &s->place.file[FILE_DB]))
		return is_gone(s, "was replaced by another file", reterr);
	for (int i = FILE_LOG; i < FILE_COUNT; i++)
		if (!same_file(&now[i], &s->place.file[i]))
			return is_gone(s, "has lost its log: it was removed or replaced", reterr);
	if (s->lock != NULL && !drg_lockfile_in_place(s->lock))
		return is_gone(s, "has lost its lock file: it was removed or replaced", reterr);
	if (same_content(&now[FILE_DB], &s->place.file[FILE_DB]))
		return DRG_OK;
	if (is_mispaired(s))
		return is_gone(s, "was overwritten", reterr);
	pthread_mutex_lock(&handles_lock);
	s->place.file[FILE_DB] = now[FILE_DB];
	pthread_mutex_unlock(&handles_lock);
	return DRG_OK;
}
