#include "store/moments_priv.h"
#include "store/sqlite/sqlite_priv.h"

#include <assert.h>

#include "base/clock.h"

/* Writing.
 *
 * Every transaction and every checkpoint runs under the lock file: SQLite before 3.51.3 (Debian 12 has 3.40)
 * can lose data when one connection writes while another resets the log (sqlite.org/wal.html#walresetbug).
 * The lock is released between a commit and its checkpoint, so that another writer waits for one of the two,
 * not for both.
 *
 * The lock makes this handle the only writer, so the seq of a transaction is known at its beginning. The
 * clock row is written at the end, and only if something changed. */

/* 16 MiB of log: a checkpoint of that size stays well below 100 ms on a plain disk. */
enum { CHECKPOINT_PAGES = 2048 };

/* How long emptying the log waits for those who read from it. */
enum { READERS_MS = 200 };

/* ---- transactions --------------------------------------------------------------------------------------- */

int drg_sqlite_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr)
{
	assert(s->lock != NULL);
	int rc = drg_lockfile_lock(s->lock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_in_place(s, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_log_harden(s, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_run(s, ONCE_BEGIN_WRITE, reterr);
	if (rc == DRG_OK)
		*ret = &s->txn;
	else
		drg_lockfile_unlock(s->lock);
	return rc;
}

static void sqlite_end(struct drg_store *s)
{
	/* It fails only if SQLite has rolled back already. */
	if (sqlite3_get_autocommit(s->db) == 0)
		(void)!drg_sqlite_run(s, ONCE_ROLLBACK, NULL);
	drg_lockfile_unlock(s->lock);
}

void drg_sqlite_rollback(struct drg_txn *t)
{
	sqlite_end(t->head.store);
}

bool drg_sqlite_wanted(const struct drg_txn *t)
{
	return drg_lockfile_has_waiters(t->head.store->lock);
}

static int sqlite_write_clock(struct drg_store *s, int64_t seq, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_SET_CLOCK, &st, reterr);
	return rc == DRG_OK ? drg_sqlite_run_bound(s, st, sqlite3_bind_int64(st, 1, seq), reterr) : rc;
}

/* Commit only into the file that the path names: nobody would find a commit in another file. */
static int sqlite_commit_in_place(struct drg_store *s, struct drg_err *reterr)
{
	struct drg_err err = { 0 };
	int rc = drg_sqlite_in_place(s, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_run(s, ONCE_COMMIT, &err);
	/* After a failed sync the log may have all of the commit, for a recovery to find. A failed write
	 * leaves none. */
	int code = rc != DRG_OK ? sqlite3_extended_errcode(s->db) : SQLITE_OK;
	bool unknown = (code & 0xff) == SQLITE_IOERR && code != SQLITE_IOERR_WRITE;
	if (code == SQLITE_IOERR_WRITE)
		return drg_fail(reterr, rc, DRG_R(not_stored), NULL, "%.500s", err.message);
	if (rc == DRG_OK) {
		rc = drg_sqlite_in_place(s, &err);
		unknown = rc != DRG_OK;
	}
	if (unknown)
		return drg_fail(reterr, DRG_EIO, NULL, NULL,
		                "%.500s; whether the last transaction is stored is unknown", err.message);
	if (rc != DRG_OK && reterr != NULL)
		*reterr = err;
	return rc;
}

/* While a transaction reads from the log, SQLite cannot restart it, so it only grows. Without this rule,
 * each commit would be followed by a checkpoint, which syncs both files to move a few pages. */
static bool is_checkpoint_due(struct drg_store *s)
{
	if (s->wal_pages < s->wal_moved) /* the log was restarted */
		s->wal_moved = 0;
	return s->wal_pages - s->wal_moved >= CHECKPOINT_PAGES;
}

/* Move the log into the file. A failure only leaves the log longer: the next commit tries again. */
static void checkpoint_if_due(struct drg_store *s)
{
	if (!is_checkpoint_due(s) || drg_lockfile_lock(s->lock, NULL) != DRG_OK)
		return;
	if (drg_sqlite_in_place(s, NULL) == DRG_OK &&
	    sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_PASSIVE, NULL, NULL) == SQLITE_OK) {
		s->wal_moved = s->wal_pages;
		s->wal_pages = 0;
		drg_sqlite_place_written(s);
	}
	drg_lockfile_unlock(s->lock);
}

/* SQLite starts the log again, by itself too, only when nobody reads from it. Readers that are about to end are
 * waited for; writers wait meanwhile. */
int drg_sqlite_empty_log(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_lockfile_lock(s->lock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_sqlite_in_place(s, reterr);
	if (rc == DRG_OK)
		rc = drg_sqlite_log_harden(s, reterr);
	if (rc == DRG_OK) {
		sqlite3_busy_timeout(s->db, READERS_MS);
		int code = sqlite3_wal_checkpoint_v2(s->db, NULL, SQLITE_CHECKPOINT_TRUNCATE, NULL, NULL);
		sqlite3_busy_timeout(s->db, DRG_SQLITE_BUSY_MS);
		rc = code == SQLITE_OK ? DRG_OK : drg_sqlite_fail(s, code, reterr);
	}
	if (rc == DRG_OK) {
		s->wal_pages = s->wal_moved = 0;
		drg_sqlite_place_written(s);
	}
	drg_lockfile_unlock(s->lock);
	return rc;
}

int drg_sqlite_commit(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	int rc = seq > 0 ? sqlite_write_clock(s, seq, reterr) : DRG_OK;
	if (rc == DRG_OK && branch != 0)
		rc = drg_side_put(t, DRG_SIDE_BRANCH, &(const struct drg_branch){ seq, branch }, reterr);
	if (rc == DRG_OK && seq > 0)
		rc = drg_moment_write(t, at, seq, reterr);
	if (rc == DRG_OK)
		rc = sqlite_commit_in_place(s, reterr);
	sqlite_end(s);
	if (rc == DRG_OK)
		checkpoint_if_due(s);
	return rc;
}

/* Displace a failed commit: it may lie in the log as if it were whole, and a recovery after a crash would
 * find it. The next commit takes its place, so make one. (Writing the same clock would not do: SQLite does
 * not write a page that stays the same.) */
static int sqlite_displace(struct drg_store *s, struct drg_clock *now, struct drg_err *reterr)
{
	const struct drg_kept_answer mark = { .name = DRG_STR("after a failed commit"),
		                              .at_us = drg_wall_us() };
	struct drg_txn *t;
	int rc = drg_store_begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_txn_kept_put(t, &mark, reterr);
	if (rc == DRG_OK)
		rc = drg_store_clock(s, now, reterr);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, reterr);
	drg_txn_rollback(t);
	return rc;
}

/* Never report a failed commit as stored: a clock at its seq or beyond may be that of another writer, and
 * bytes read back after a failed fsync need not be on the disk. A commit without a seq cannot be recognised
 * at all. */
int drg_sqlite_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                              struct drg_err *reterr)
{
	struct drg_clock now;
	int rc = sqlite_displace(s, &now, reterr);
	if (rc != DRG_OK)
		return rc;
	bool lost = mark->seq > 0 && now.seq < mark->seq && strcmp(now.epoch, mark->before.epoch) == 0;
	*ret = lost ? DRG_OUTCOME_LOST : DRG_OUTCOME_UNKNOWN;
	return DRG_OK;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

/* Bind a record to the parameters of TYPE_INSERT or TYPE_UPDATE, without the row number. */
static int bind_row(sqlite3_stmt *st, const struct drg_record *r, const struct drg_row_meta *m,
                    unsigned first)
{
	sqlite3_bind_int(st, COL_DELETED + 1, r->deleted);
	sqlite3_bind_int64(st, COL_SEQ + 1, m->seq);
	sqlite3_bind_int64(st, COL_CREATED_SEQ + 1, m->created_seq);
	sqlite3_bind_int64(st, COL_DATA_SEQ + 1, m->data_seq);
	sqlite3_bind_int64(st, COL_MAPPED_SEQ + 1, m->mapped_seq);
	int rc = SQLITE_OK;
	for (unsigned i = first; i < r->type->n_fields && rc == SQLITE_OK; i++)
		rc = drg_sqlite_bind(st, COL_FIELDS + (int)i + 1, &r->type->fields[i], r);
	return rc;
}

int drg_sqlite_insert(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                      bool *ret_inserted, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, r->type, TYPE_INSERT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	/* SQLite makes the number of a new row. */
	if (m->row != 0)
		sqlite3_bind_int64(st, COL_ROW + 1, m->row);
	else
		sqlite3_bind_null(st, COL_ROW + 1);
	rc = drg_sqlite_run_bound(s, st, bind_row(st, r, m, 0), reterr);
	if (rc == DRG_OK)
		*ret_inserted = sqlite3_changes(s->db) > 0;
	return rc;
}

int drg_sqlite_update(struct drg_txn *t, int64_t row, const struct drg_record *r,
                      const struct drg_row_meta *m, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	sqlite3_stmt *st;
	int rc = drg_sqlite_of_type(s, r->type, TYPE_UPDATE, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, COL_ROW + 1, row);
	return drg_sqlite_run_bound(s, st, bind_row(st, r, m, drg_sql_n_identity(r->type)), reterr);
}
