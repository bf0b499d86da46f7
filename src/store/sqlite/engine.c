#include "store/sqlite/sqlite_priv.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/newfile.h"
#include "store/air_reports.h"
#include "store/migration.h"
#include "store/restore.h"
#include "store/side_priv.h"
#include "store/store_priv.h"

/* A handle that closes tries the lock so often. If it fails the log stays, and the next process that opens
 * the store finds it. */
enum { CLOSE_LOOKS = 50, CLOSE_LOOK_MS = 5 };

static const struct {
	int sqlite;
	int rc;
	const char *text;
} failures[] = {
	{ SQLITE_FULL, DRG_EFULL, "cannot grow, the disk is full: free some space and try again" },
	{ SQLITE_IOERR, DRG_EIO, "could not be read or written" },
	{ SQLITE_CORRUPT, DRG_ECORRUPT, "is damaged: restore it from a backup" },
	{ SQLITE_NOTADB, DRG_ECORRUPT, "is not a store of dragoman: name another file" },
	{ SQLITE_BUSY, DRG_EBUSY, "is held by another program: try again when that has ended" },
	{ SQLITE_LOCKED, DRG_EBUSY, "is held by another program: try again when that has ended" },
	{ SQLITE_CANTOPEN, DRG_EIO,
	  "cannot be opened: the file and its folder must be readable and writable" },
	{ SQLITE_READONLY, DRG_EIO, "cannot be written: the file or its folder is read-only" },
	{ SQLITE_NOMEM, DRG_ENOMEM, "needs more memory than there is" },
	{ SQLITE_TOOBIG, DRG_ELIMIT, "cannot keep a value of this size" },
	{ SQLITE_ERROR, DRG_EINTERNAL, "answered with an unexpected error" }, /* last: for all other codes */
};

int drg_sqlite_fail(const struct drg_store *s, int sqlite_rc, struct drg_err *reterr)
{
	int basic = sqlite_rc & 0xff;
	size_t i = 0;
	while (i + 1 < DRG_ARRAY_LEN(failures) && failures[i].sqlite != basic)
		i++;
	int rc = failures[i].rc;
	/* SQLite keeps the errno of these two codes only. */
	int e = basic == SQLITE_IOERR || basic == SQLITE_CANTOPEN ? sqlite3_system_errno(s->db) : 0;
	if (e == ENOSPC || e == EDQUOT || e == EFBIG)
		rc = DRG_EFULL;
	return drg_fail(reterr, rc, NULL, NULL, "the store %s %s (%s %d)", s->path, failures[i].text,
	                e != 0 ? strerror(e) : "sqlite", sqlite_rc);
}

int drg_sqlite_exec(struct drg_store *s, const char *sql, struct drg_err *reterr)
{
	int rc = sqlite3_exec(s->db, sql, NULL, NULL, NULL);
	return rc == SQLITE_OK ? DRG_OK : drg_sqlite_fail(s, rc, reterr);
}

/* Run a query that gives an integer. */
int drg_sqlite_query_int(struct drg_store *s, const char *sql, int64_t *ret, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_prepare(s, sql, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_step(st);
	if (step == SQLITE_ROW)
		*ret = sqlite3_column_int64(st, 0);
	else
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_finalize(st);
	return rc;
}

/* The number of the last migration; 0 for an empty file. */
static int schema_version(struct drg_store *s, int64_t *ret, struct drg_err *reterr)
{
	int64_t id = 0, tables = 0;
	int rc = drg_sqlite_query_int(s, "PRAGMA application_id", &id, reterr);
	s->incomplete = rc == DRG_OK && id == DRG_SQLITE_INCOMPLETE_ID;
	if (s->incomplete || (rc == DRG_OK && id == DRG_SQLITE_ID))
		return drg_sqlite_query_int(s, "SELECT max(number) FROM migration", ret, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_query_int(s, "SELECT count(*) FROM sqlite_schema", &tables, reterr);
	if (rc != DRG_OK)
		return rc;
	if (id != 0 || tables != 0)
		return drg_sqlite_fail(s, SQLITE_NOTADB, reterr);
	*ret = 0;
	return DRG_OK;
}

static int check_schema(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr)
{
	int64_t version = 0, newest = drg_sqlite_n_migrations;
	int rc = schema_version(s, &version, reterr);
	if (rc == DRG_OK && s->incomplete && mode != DRG_STORE_TARGET)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "the store %s is incomplete: a 'migrate' or 'restore' into it did not come "
		                "to its end; "
		                "run it again",
		                s->path);
	if (rc != DRG_OK || version == newest)
		return rc;
	if (version > newest)
		return drg_fail(
		        reterr, DRG_ELIMIT, NULL, NULL,
		        "the store %s was made by a newer dragoman (schema %lld, this one knows %lld): "
		        "use that version",
		        s->path, (long long)version, (long long)newest);
	if (mode == DRG_STORE_CREATE || (mode == DRG_STORE_TARGET && version == 0))
		return drg_sqlite_upgrade(s, version, reterr);
	if (version == 0)
		return drg_sqlite_fail(s, SQLITE_NOTADB, reterr);
	return drg_fail(reterr, DRG_ELIMIT, NULL, NULL,
	                "the store %s was made by an older dragoman (schema %lld, this one needs %lld): "
	                "start dragoman serve or import once, which bring it up to date",
	                s->path, (long long)version, (long long)newest);
}

static int count_wal_pages(void *ctx, sqlite3 *db, const char *name, int pages)
{
	(void)db, (void)name;
	((struct drg_store *)ctx)->wal_pages = pages;
	return SQLITE_OK;
}

static int connect_to(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr)
{
	int flags = mode == DRG_STORE_READ ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE;
	int rc = sqlite3_open_v2(s->path, &s->db, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
	if (rc != SQLITE_OK)
		return drg_sqlite_fail(s, rc, reterr);
	sqlite3_busy_timeout(s->db, DRG_SQLITE_BUSY_MS);
	/* Checkpoints run only under the lock (see write.c): this hook replaces the automatic ones, and
	 * closing runs one only if sqlite_close() says so. */
	sqlite3_wal_hook(s->db, count_wal_pages, s);
	sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
	static const char pragmas[] = "PRAGMA synchronous = FULL; PRAGMA journal_size_limit = 67108864;"
	                              "PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON";
	return drg_sqlite_exec(s, pragmas, reterr);
}

/* Only the owner may read the store: it holds the hashes of the keys. SQLite gives its log the same mode. */
static int create_file(const struct drg_store *s, struct drg_err *reterr)
{
	int fd = drg_open_private(s->path, O_RDWR | O_EXCL);
	if (fd >= 0)
		close(fd);
	else if (errno != EEXIST)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
		                "cannot create the store %s: %s", s->path, strerror(errno));
	return DRG_OK;
}

static int open_lock(struct drg_store *s, struct drg_err *reterr)
{
	char *path = sqlite3_mprintf("%s.lock", s->path);
	if (path == NULL)
		return drg_sqlite_fail(s, SQLITE_NOMEM, reterr);
	int rc = drg_lockfile_open(path, &s->lock, reterr);
	sqlite3_free(path);
	return rc;
}

/* Called under the lock: opening can recover the log, create the file and migrate it. */
static int open_for_writing(struct drg_store *s, enum drg_store_mode mode, struct drg_err *reterr)
{
	int rc = open_lock(s, reterr);
	if (rc == DRG_OK)
		rc = drg_lockfile_lock(s->lock, reterr);
	if (rc != DRG_OK)
		return rc;
	if (mode >= DRG_STORE_CREATE)
		rc = create_file(s, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_pair(s, true, reterr);
	if (rc == DRG_OK)
		rc = connect_to(s, mode, reterr);
	/* Registrations cost 9 % more CPU with 8 MiB of pages, and no less with 64. Readers keep SQLite's 2. */
	if (rc == DRG_OK)
		rc = drg_sqlite_exec(s, "PRAGMA cache_size = -16384", reterr);
	if (rc == DRG_OK)
		rc = check_schema(s, mode, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_place_note(s, reterr);
	/* Move the tables of a new store into the file, so that the file has a clock that can be read. */
	if (rc == DRG_OK && s->wal_pages > 0)
		rc = drg_sqlite_log_harden(s, reterr);
	if (rc == DRG_OK && s->wal_pages > 0)
		sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
	if (rc == DRG_OK)
		drg_sqlite_place_written(s);
	drg_lockfile_unlock(s->lock);
	return rc;
}

static int open_for_reading(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_sqlite_pair(s, false, reterr);
	if (rc == DRG_OK)
		rc = connect_to(s, DRG_STORE_READ, reterr);
	if (rc == DRG_OK)
		rc = check_schema(s, DRG_STORE_READ, reterr);
	return rc == DRG_OK ? drg_sqlite_place_note(s, reterr) : rc;
}

static bool lock_for_closing(struct drg_lockfile *lock)
{
	const struct timespec pause = { 0, CLOSE_LOOK_MS * 1000000L };
	for (int i = 0; i < CLOSE_LOOKS; i++) {
		if (drg_lockfile_trylock(lock, NULL) == DRG_OK)
			return true;
		nanosleep(&pause, NULL);
	}
	return false;
}

static void free_handle(struct drg_store *s)
{
	for (int i = 0; i < FILE_COUNT; i++)
		sqlite3_free(s->path_of[i]);
	free(s);
}

static void sqlite_close(struct drg_store *s)
{
	drg_sqlite_finalize_all(s);
	/* The last handle to close moves the log into the file and removes it. Not if the file was replaced,
	 * and not if the lock is taken: closing does not wait. */
	bool locked = s->lock != NULL && lock_for_closing(s->lock);
	bool tidy = locked && s->place.known && drg_sqlite_in_place(s, NULL) == DRG_OK &&
	            drg_sqlite_log_harden(s, NULL) == DRG_OK;
	if (tidy)
		sqlite3_db_config(s->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 0, NULL);
	int rc = sqlite3_close(s->db);
	assert(rc == SQLITE_OK);
	(void)rc;
	drg_sqlite_place_forget(s);
	if (tidy)
		drg_sqlite_place_written(s);
	if (locked)
		drg_lockfile_unlock(s->lock);
	drg_lockfile_close(s->lock);
	drg_lockfile_close(s->imports);
	free_handle(s);
}

/* SQLite's statistics of memory cost a lock for each allocation. It must be the first call of SQLite. */
static void count_no_memory(void)
{
	sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

static struct drg_store *new_handle(const char *rest)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;
	pthread_once(&once, count_no_memory);
	static const char *const suffixes[FILE_COUNT] = { "", "-wal", "-shm" };
	struct drg_store *s = calloc(1, sizeof *s);
	if (s == NULL)
		return NULL;
	/* "./" keeps SQLite from taking a name for a URI or ":memory:". */
	for (int i = 0; i < FILE_COUNT; i++) {
		s->path_of[i] = sqlite3_mprintf("%s%s%s", rest[0] == '/' ? "" : "./", rest, suffixes[i]);
		if (s->path_of[i] == NULL) {
			free_handle(s);
			return NULL;
		}
	}
	s->head.ops = &drg_sqlite_ops;
	s->path = s->path_of[FILE_DB];
	return s;
}

static int sqlite_copy_older(const char *rest, const char *path, struct drg_err *reterr)
{
	struct drg_store *s = new_handle(rest);
	int64_t version = 0;
	if (s == NULL)
		return drg_fail_memory(reterr);
	int rc = drg_sqlite_pair(s, false, reterr);
	if (rc == DRG_OK)
		rc = connect_to(s, DRG_STORE_READ, reterr);
	if (rc == DRG_OK)
		rc = schema_version(s, &version, reterr);
	if (rc == DRG_OK && (version == 0 || version >= drg_sqlite_n_migrations || s->incomplete))
		rc = drg_fail(reterr, DRG_ELIMIT, NULL, NULL, "%s is not a store of an older dragoman",
		              s->path);
	if (rc == DRG_OK)
		rc = drg_sqlite_copy_upgraded(s, version, path, reterr);
	sqlite_close(s);
	return rc;
}

static int sqlite_open(const char *rest, enum drg_store_mode mode, struct drg_store **ret,
                       struct drg_err *reterr)
{
	struct drg_store *s = new_handle(rest);
	if (s == NULL)
		return drg_fail_memory(reterr);
	const char *path = s->path;
	int rc;
	if (mode < DRG_STORE_CREATE && access(path, F_OK) != 0)
		rc = drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
		              "there is no store at %s (%s): dragoman import or serve makes one", path,
		              strerror(errno));
	else
		rc = mode == DRG_STORE_READ ? open_for_reading(s, reterr) : open_for_writing(s, mode, reterr);
	if (rc == DRG_OK)
		*ret = s;
	else
		sqlite_close(s);
	return rc;
}

static int sqlite_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_CLOCK, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_step(st);
	if (step == SQLITE_ROW && sqlite3_column_int64(st, 3) > drg_sqlite_n_migrations) {
		rc = drg_store_outgrown(s->path, reterr);
	} else if (step == SQLITE_ROW) {
		ret->seq = sqlite3_column_int64(st, 0);
		snprintf(ret->epoch, sizeof ret->epoch, "%s", (const char *)sqlite3_column_text(st, 1));
		ret->branch = sqlite3_column_int64(st, 2);
		ret->copy = false;
	} else {
		/* The row is made with its table and never removed. */
		rc = drg_sqlite_fail(s, step == SQLITE_DONE ? SQLITE_CORRUPT : step, reterr);
	}
	sqlite3_reset(st);
	return rc;
}

static const char *sqlite_remark(const struct drg_store *s)
{
	return s->remark;
}

static uint64_t file_bytes(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 ? (uint64_t)st.st_size : 0;
}

/* The size of the database and its write-ahead log. */
static int sqlite_bytes(struct drg_store *s, uint64_t *ret, struct drg_err *reterr)
{
	(void)reterr;
	*ret = file_bytes(s->path) + file_bytes(s->path_of[FILE_LOG]);
	return DRG_OK;
}

const struct drg_store_ops drg_sqlite_ops = {
	.open = sqlite_open,
	.copy_older = sqlite_copy_older,
	.close = sqlite_close,
	.clock = sqlite_clock,
	.in_place = drg_sqlite_in_place,
	.remark = sqlite_remark,
	.bytes = sqlite_bytes,
	.empty_log = drg_sqlite_empty_log,
	.begin = drg_sqlite_begin,
	.commit = drg_sqlite_commit,
	.rollback = drg_sqlite_rollback,
	.wanted = drg_sqlite_wanted,
	.resolve_commit = drg_sqlite_resolve_commit,
	.lock_imports = drg_sqlite_lock_imports,
	.unlock_imports = drg_sqlite_unlock_imports,
	.insert = drg_sqlite_insert,
	.update = drg_sqlite_update,
	.load = drg_sqlite_load,
	.unload = drg_sqlite_unload,
	.exists = drg_sqlite_exists,
	.snapshot = drg_sqlite_snapshot,
	.snapshot_end = drg_sqlite_snapshot_end,
	.scan = drg_sqlite_scan,
	.query = drg_sqlite_query,
	.siblings = drg_sqlite_siblings,
	.referrers = drg_sqlite_referrers,
	.rows_next = drg_sqlite_rows_next,
	.rows_end = drg_sqlite_rows_end,
	.feed_begin = drg_sqlite_feed_begin,
	.feed_next = drg_sqlite_feed_next,
	.feed_row = drg_sqlite_feed_row,
	.feed_end = drg_sqlite_feed_end,
	.counts = drg_sqlite_counts,
	.check = drg_sqlite_check,
	.restore = &drg_sqlite_restore_ops,
	.side = &drg_sqlite_side_ops,
};
