/* Brings the schema of a store to the newest version. A store with an older one is first copied beside it. */
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

#include "base/newfile.h"
#include "store/migration.h"
#include "store/sqlite/sqlite_priv.h"
#include "store/store_priv.h"

/* Set page size and write-ahead log: both belong to the file and cannot be set in a transaction. */
static int set_up_file(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_sqlite_exec(s, "PRAGMA page_size = 8192; PRAGMA journal_mode = WAL", reterr);
	int64_t wal = 0;
	if (rc == DRG_OK)
		rc = drg_sqlite_query_int(s, "SELECT journal_mode = 'wal' FROM pragma_journal_mode", &wal,
		                          reterr);
	if (rc == DRG_OK && wal == 0)
		rc = drg_fail(reterr, DRG_EIO, NULL, NULL,
		              "the store %s cannot keep a write-ahead log: put it on a local disk", s->path);
	return rc;
}

static int sqlite_apply(struct drg_store *s, const struct drg_migration *m, struct drg_err *reterr)
{
	int rc = drg_sqlite_exec(s, m->sql, reterr);
	char *record = sqlite3_mprintf("INSERT INTO migration (number, name, applied_at)"
	                               " VALUES (%d, %Q, strftime('%%Y-%%m-%%dT%%H:%%M:%%SZ'))",
	                               m->number, m->name);
	if (rc == DRG_OK && record == NULL)
		rc = drg_sqlite_fail(s, SQLITE_NOMEM, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_exec(s, record, reterr);
	sqlite3_free(record);
	return rc;
}

static int sqlite_raise(struct drg_store *s, int64_t version, struct drg_err *reterr)
{
	int rc = version == 0 ? set_up_file(s, reterr) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_sqlite_exec(s, "BEGIN IMMEDIATE", reterr);
	if (rc != DRG_OK)
		return rc;
	if (version == 0)
		rc = drg_sqlite_exec(s,
		                     "CREATE TABLE migration (number INTEGER PRIMARY KEY, name TEXT NOT NULL,"
		                     " applied_at TEXT NOT NULL) STRICT",
		                     reterr);
	for (unsigned i = 0; i < drg_sqlite_n_migrations && rc == DRG_OK; i++)
		if (drg_sqlite_migrations[i].number > version)
			rc = sqlite_apply(s, &drg_sqlite_migrations[i], reterr);
	char id[64];
	snprintf(id, sizeof id, "PRAGMA application_id = %d; COMMIT", DRG_SQLITE_ID);
	if (rc == DRG_OK)
		rc = drg_sqlite_exec(s, id, reterr);
	if (sqlite3_get_autocommit(s->db) == 0)
		sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return rc;
}

/* ---- the copy beside it -------------------------------------------------------------------------------- */

/* Find an unused name: "dragoman.db.schema-17", or with ".2" and so on at its end. */
static int copy_name(const struct drg_store *s, int64_t version, char to[static PATH_MAX],
                     struct drg_err *reterr)
{
	enum { COPIES_MAX = 1000 };
	char number[16] = "";
	for (unsigned i = 2; i < COPIES_MAX; i++) {
		int n = snprintf(to, PATH_MAX, "%s.schema-%lld%s", s->path, (long long)version, number);
		if (n > 0 && n < PATH_MAX && access(to, F_OK) != 0)
			return DRG_OK;
		snprintf(number, sizeof number, ".%u", i);
	}
	return drg_fail(reterr, DRG_EEXIST, NULL, NULL,
	                "%s.schema-%lld: there is no name left for a copy; move the others away", s->path,
	                (long long)version);
}

/* Copy page by page, with the contents of the log. An incomplete copy is of no use. */
static int copy_pages(struct drg_store *s, const char *path, struct drg_err *reterr)
{
	sqlite3 *to = NULL;
	int rc = sqlite3_open_v2(path, &to, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
	if (rc == SQLITE_OK)
		rc = sqlite3_exec(to, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", NULL, NULL,
		                  NULL);
	sqlite3_backup *b = rc == SQLITE_OK ? sqlite3_backup_init(to, "main", s->db, "main") : NULL;
	if (b != NULL) {
		rc = sqlite3_backup_step(b, -1);
		int end = sqlite3_backup_finish(b);
		rc = rc == SQLITE_DONE ? end : rc;
	} else if (rc == SQLITE_OK) {
		rc = sqlite3_errcode(to);
	}
	sqlite3_close(to);
	bool full = (rc & 0xff) == SQLITE_FULL;
	return rc == SQLITE_OK ? DRG_OK
	                       : drg_fail(reterr, full ? DRG_EFULL : DRG_EIO, NULL, NULL,
	                                  "cannot copy the store to %s before it is upgraded: %s", path,
	                                  sqlite3_errstr(rc));
}

static int copy_aside(struct drg_store *s, const char *path, struct drg_err *reterr)
{
	struct drg_newfile file;
	uint64_t bytes = 0;
	int rc = drg_sqlite_ops.bytes(s, &bytes, reterr);
	if (rc == DRG_OK)
		rc = drg_newfile_begin("the copy of the store", path, NULL, &file, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_newfile_room(&file, bytes, reterr);
	if (rc == DRG_OK)
		rc = copy_pages(s, file.aside, reterr);
	if (rc == DRG_OK)
		rc = drg_newfile_sync(&file, reterr);
	int end = drg_newfile_end(&file, rc == DRG_OK, rc == DRG_OK ? reterr : NULL);
	return rc == DRG_OK ? end : rc;
}

int drg_sqlite_upgrade(struct drg_store *s, int64_t version, struct drg_err *reterr)
{
	char copy[PATH_MAX];
	if (version == 0)
		return sqlite_raise(s, version, reterr);
	int rc = drg_store_may_upgrade(s->path, version, drg_sqlite_n_migrations, reterr);
	if (rc == DRG_OK)
		rc = copy_name(s, version, copy, reterr);
	if (rc == DRG_OK)
		rc = copy_aside(s, copy, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = sqlite_raise(s, version, reterr);
	if (rc != DRG_OK)
		(void)unlink(copy); /* nothing was upgraded, and each try would leave another copy */
	else
		drg_store_log_upgraded(s->path, version, drg_sqlite_n_migrations, copy);
	return rc;
}

int drg_sqlite_copy_upgraded(struct drg_store *s, int64_t version, const char *path, struct drg_err *reterr)
{
	struct drg_store copy = { .path = path };
	int rc = copy_aside(s, path, reterr);
	if (rc == DRG_OK) {
		int e = sqlite3_open_v2(path, &copy.db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, NULL);
		rc = e == SQLITE_OK ? sqlite_raise(&copy, version, reterr)
		                    : drg_sqlite_fail(&copy, e, reterr);
	}
	sqlite3_close(copy.db);
	return rc;
}
