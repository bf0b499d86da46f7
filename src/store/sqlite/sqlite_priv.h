/* src/store/sqlite/sqlite_priv.h
 * Shared by the files of the SQLite engine. */
#pragma once
#include <sqlite3.h>
#include <sys/stat.h>

#include "base/lockfile.h"
#include "store/engine.h"
#include "store/side_priv.h"

/** Statements that exist once. */
enum once_stmt {
	ONCE_BEGIN_READ,
	ONCE_BEGIN_WRITE,
	ONCE_COMMIT,
	ONCE_ROLLBACK,
	ONCE_CLOCK,
	ONCE_SET_CLOCK,
	ONCE_COUNT
};

/** Statements that exist for each type. */
enum type_stmt {
	TYPE_INSERT, /**< insert, unless a row of the identity exists, live or as a tombstone */
	TYPE_UPDATE, /**< update all columns but the identity, by row */
	TYPE_FIND, /**< the row of an identity, tombstones included */
	TYPE_EXISTS, /**< is the identity alive? */
	TYPE_SIBLINGS, /**< live rows with all of an identity but its last field, in its order */
	TYPE_SIBLINGS_FROM, /**< the same, a limited number from the value of that field on */
	TYPE_FEED, /**< rows after a seq, in order of seq and row */
	TYPE_FEED_REST, /**< rows of a seq after a row, in order of row */
	TYPE_STMT_COUNT
};

struct drg_txn {
	struct drg_txn_head head;
};

/** The position in the feed of a type. */
struct sqlite_feed {
	sqlite3_stmt *st; /**< NULL: no statement is in progress */
	int64_t next_seq; /**< place to continue behind when st is at its end; INT64_MAX: no more rows */
};

/** The files that a handle has open, as stat() described them when they were opened. */
enum { FILE_DB, FILE_LOG, FILE_INDEX, FILE_COUNT };
struct drg_sqlite_place {
	bool known;
	struct drg_store *prev, *next; /**< list of the handles of this process */
	struct stat file[FILE_COUNT];
};

struct drg_store {
	struct drg_store_head head;
	sqlite3 *db;
	char *path_of[FILE_COUNT]; /**< of the database and the files beside it */
	const char *path; /**< of the database */
	struct drg_lockfile *lock; /**< NULL: the handle is for reading */
	struct drg_lockfile *imports; /**< NULL: the right to import was never asked for */
	/** pages in the write-ahead log after the last commit of this handle; 0 after a checkpoint */
	int wal_pages;
	int wal_moved; /**< pages in the log when this handle last moved them into the file */
	bool log_hardened; /**< drg_sqlite_log_harden() was run */
	struct drg_txn txn; /**< the handle's only transaction, while it is open */
	struct drg_sqlite_place place;
	bool incomplete; /**< an interrupted filling from another store left it incomplete */
	char remark[512]; /**< text for drg_store_remark() */
	struct sqlite_feed feed[DRG_TYPE_COUNT];
	sqlite3_stmt *once[ONCE_COUNT];
	sqlite3_stmt *of_type[DRG_TYPE_COUNT][TYPE_STMT_COUNT];
	sqlite3_stmt *of_side[DRG_SIDE_STATEMENTS];
};

/* ---- engine.c ------------------------------------------------------------------------------------------ */

/** Application ids in the header of the file: "drg1", by which file(1) and dragoman recognise a store among
 * SQLite files, and "drg0" for a store that is not complete yet. */
enum { DRG_SQLITE_ID = 0x64726731, DRG_SQLITE_INCOMPLETE_ID = 0x64726730 };

/** Run statements without parameters. */
DRG_MUSTCHECK
int drg_sqlite_exec(struct drg_store *s, const char *sql, struct drg_err *reterr);

/** Put an SQLite result code into words. Returns enum drg_rc. */
int drg_sqlite_fail(const struct drg_store *s, int sqlite_rc, struct drg_err *reterr);

/** Run a query that gives an integer. */
DRG_MUSTCHECK
int drg_sqlite_query_int(struct drg_store *s, const char *sql, int64_t *ret, struct drg_err *reterr);

/* ---- upgrade.c ----------------------------------------------------------------------------------- */

/** Bring the schema from @p version (0: an empty file) to the newest. @return DRG_OK; DRG_ELIMIT: upgrading
 * is not allowed; DRG_EFULL: there is no room for a copy; DRG_EIO. After an error the store is as it was. */
DRG_MUSTCHECK
int drg_sqlite_upgrade(struct drg_store *s, int64_t version, struct drg_err *reterr);
/** Copy the store, which is open for reading, into a new file, and upgrade that. */
DRG_MUSTCHECK
int drg_sqlite_copy_upgraded(struct drg_store *s, int64_t version, const char *path, struct drg_err *reterr);

/* ---- stmt.c -------------------------------------------------------------------------------------- */

/** Prepare a statement that the caller finalizes. */
DRG_MUSTCHECK
int drg_sqlite_prepare(struct drg_store *s, const char *sql, sqlite3_stmt **ret, struct drg_err *reterr);

extern const struct drg_sql_dialect drg_sqlite_dialect;

/** Prepare a statement that was built (drg_sql_init()), and free the buffer in every case. @param
 * flags  SQLITE_PREPARE_* */
DRG_MUSTCHECK
int drg_sqlite_prepare_buf(struct drg_store *s, struct drg_buf *sql, unsigned flags, sqlite3_stmt **ret,
                           struct drg_err *reterr);

/** A statement that lives as long as the store, prepared at its first use. Reset it after use. */
DRG_MUSTCHECK
int drg_sqlite_once(struct drg_store *s, enum once_stmt which, sqlite3_stmt **ret, struct drg_err *reterr);
DRG_MUSTCHECK
int drg_sqlite_of_type(struct drg_store *s, const struct drg_type *t, enum type_stmt which,
                       sqlite3_stmt **ret, struct drg_err *reterr);
/** The same for a side table. */
DRG_MUSTCHECK
int drg_sqlite_of_side(struct drg_store *s, unsigned statement, sqlite3_stmt **ret, struct drg_err *reterr);
void drg_sqlite_finalize_all(struct drg_store *s);

/** Run a statement that gives no rows. */
DRG_MUSTCHECK
int drg_sqlite_run(struct drg_store *s, enum once_stmt which, struct drg_err *reterr);

/** Bind the value of a field to parameter @p at, or NULL if the record lacks it. Texts are borrowed. */
int drg_sqlite_bind(sqlite3_stmt *st, int at, const struct drg_field_def *f, const struct drg_record *r);
/** Bind a text to parameter @p at; it is borrowed. */
int drg_sqlite_bind_text(sqlite3_stmt *st, int at, struct drg_str s);
/** The text of result column @p at (counted from 0), borrowed until the statement's next step or reset. */
struct drg_str drg_sqlite_column_text(sqlite3_stmt *st, int at);
/** Bind the identity to parameters 1..n. */
int drg_sqlite_bind_identity(sqlite3_stmt *st, const struct drg_record *r);

/** Read the row that @p st stands on. Texts are borrowed until its next step or reset. */
DRG_MUSTCHECK
int drg_sqlite_read_row(const struct drg_store *s, sqlite3_stmt *st, const struct drg_type *t,
                        struct drg_record *ret, struct drg_row_meta *ret_meta, struct drg_err *reterr);

/** Run a bound statement that gives no rows, and reset it. @param bound  The code of binding. */
DRG_MUSTCHECK
int drg_sqlite_run_bound(struct drg_store *s, sqlite3_stmt *st, int bound, struct drg_err *reterr);

/* ---- place.c ------------------------------------------------------------------------------------- */

/** Before the files are opened: put aside a log that belongs to another database than the one beside it.
 * Takes the lock for that, unless @p locked. */
DRG_MUSTCHECK
int drg_sqlite_pair(struct drg_store *s, bool locked, struct drg_err *reterr);
/** After the files were opened and read: remember which files they are. @return DRG_OK; DRG_ENOENT: they have
 * changed meanwhile. */
DRG_MUSTCHECK
int drg_sqlite_place_note(struct drg_store *s, struct drg_err *reterr);
/** A checkpoint has written the database: note its last commit in the lock file. Called under the lock. */
void drg_sqlite_place_written(struct drg_store *s);
int drg_sqlite_in_place(struct drg_store *s, struct drg_err *reterr);
/** Forget the files of a handle, which are closed. */
void drg_sqlite_place_forget(struct drg_store *s);

/* ---- log.c --------------------------------------------------------------------------------------- */

/** Before the first writing of a handle, under the lock: what stands in the log is on the disk. @return DRG_OK;
 * otherwise (not_stored) nothing may be written, and the next call tries again. */
DRG_MUSTCHECK
int drg_sqlite_log_harden(struct drg_store *s, struct drg_err *reterr);

/** Writers queue at the lock file; SQLite's own wait is for programs that do not know the lock file. */
enum { DRG_SQLITE_BUSY_MS = 5000 };

/* ---- the operations of struct drg_store_ops ------------------------------------------------------------- */

/* lock.c */
int drg_sqlite_lock_imports(struct drg_store *s, struct drg_err *reterr);
void drg_sqlite_unlock_imports(struct drg_store *s);

/* write.c */
int drg_sqlite_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);
int drg_sqlite_empty_log(struct drg_store *s, struct drg_err *reterr);
int drg_sqlite_commit(struct drg_txn *t, int64_t seq, int64_t branch, int64_t at, struct drg_err *reterr);
void drg_sqlite_rollback(struct drg_txn *t);
bool drg_sqlite_wanted(const struct drg_txn *t);
int drg_sqlite_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                              struct drg_err *reterr);
int drg_sqlite_insert(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                      bool *ret_inserted, struct drg_err *reterr);
int drg_sqlite_update(struct drg_txn *t, int64_t row, const struct drg_record *r,
                      const struct drg_row_meta *m, struct drg_err *reterr);

/* read.c */
int drg_sqlite_snapshot(struct drg_store *s, struct drg_err *reterr);
void drg_sqlite_snapshot_end(struct drg_store *s);
int drg_sqlite_scan(struct drg_rows *q, const struct drg_type *t, struct drg_err *reterr);
int drg_sqlite_query(struct drg_rows *q, struct drg_buf *sql, const struct drg_type *t,
                     struct drg_err *reterr);
int drg_sqlite_siblings(struct drg_rows *q, const struct drg_record *key, unsigned limit,
                        struct drg_err *reterr);
int drg_sqlite_referrers(struct drg_rows *q, const struct drg_type *t, const struct drg_field_def *f,
                         struct drg_err *reterr);
int drg_sqlite_rows_next(struct drg_rows *q, struct drg_err *reterr);
int drg_sqlite_rows_end(struct drg_rows *q, struct drg_err *reterr);
int drg_sqlite_load(struct drg_store *s, const struct drg_record *key, struct drg_stored *ret,
                    struct drg_err *reterr);
void drg_sqlite_unload(struct drg_store *s, const struct drg_type *t);
int drg_sqlite_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);

/* feed.c */
int drg_sqlite_feed_begin(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
                          struct drg_err *reterr);
int drg_sqlite_feed_next(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq,
                         struct drg_err *reterr);
int drg_sqlite_feed_row(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
                        struct drg_err *reterr);
void drg_sqlite_feed_end(struct drg_store *s, const struct drg_type *t);

/* check.c */
int drg_sqlite_counts(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
                      struct drg_err *reterr);
int drg_sqlite_check(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
                     struct drg_err *reterr);
