/* src/store/store.h
 * The system of record behind a small struct of operations. The engines in sqlite/ and postgres/ implement
 * it. Callers use the drg_store_* functions below and never learn which engine answers.
 *
 * Rows and versions. Every writing transaction that changes something takes the next number of the clock row
 * (`seq`) and stamps the rows that it changes. Commit order equals seq order, so a reader that sees the clock
 * at H in a snapshot sees every row with seq <= H. Deleted rows stay as tombstones (record.deleted), which
 * keep only their identity. `epoch` identifies the store for its whole life.
 *
 * Histories. A store that was restored to an earlier state (a file copied back, a point-in-time recovery)
 * continues from an earlier seq, so the same number can mean two commits. Therefore each handle that is
 * opened for writing begins a new `branch` with its first change: a random number that is stored with the seq
 * where it begins. Two states with one epoch have the same history up to a seq if that seq has the same
 * branch in both; nobody needs to have observed the change.
 *
 * Messages name the store and what to do, never a statement of the engine. */
#pragma once
#include "base/err.h"
#include "model/record.h"

struct drg_store;
struct drg_txn;

struct drg_clock {
	int64_t seq; /**< last committed seq, 0 in an empty store */
	char epoch[40]; /**< identity of the store, NUL-terminated */
	int64_t branch; /**< the branch of the commit `seq`; 0: the store has no branch yet */
	bool copy; /**< read from a copy that follows the primary: a missing row may only be late */
};

/** When a row changed. All are seqs; 0: it never happened. */
struct drg_row_meta {
	int64_t seq; /**< last change of any sort */
	int64_t created_seq; /**< last time that it became alive (again, after a deletion) */
	int64_t data_seq; /**< last change of a field except the mapping; creation and deletion count */
	int64_t mapped_seq; /**< last change of dict_id (source); deletion of a mapped source counts */
	int64_t row; /**< lasting number in the store; set only for rows that were read from it */
};

enum drg_store_mode {
	DRG_STORE_READ, /**< must exist; never writes */
	DRG_STORE_WRITE, /**< must exist */
	DRG_STORE_CREATE, /**< created if missing, upgraded if older (drg_store_set_upgrade()) */
	/** to be filled from another store, see store/restore.h: created if missing, never upgraded */
	DRG_STORE_TARGET
};

/**
 * Open a store. One handle per thread: a handle is a connection and is not shared.
 * @param url  "sqlite:PATH" (PATH may be relative to the working folder), or a URL of libpq, postgresql://…
 * @return DRG_OK; DRG_ENOENT: nothing there; DRG_EINVAL: unknown scheme, or a password in the URL;
 *         DRG_ECORRUPT: not a dragoman store, or damaged, or incomplete (store/restore.h); DRG_ELIMIT: made
 *         by a newer version (or by an older one, unless mode is CREATE); DRG_EIO, DRG_EFULL.
 */
DRG_MUSTCHECK
int drg_store_open(const char *url, enum drg_store_mode mode, struct drg_store **ret, struct drg_err *reterr);
void drg_store_close(struct drg_store *s);

/**
 * May this process upgrade a store with an older schema that it opens with DRG_STORE_CREATE (D9)? Yes, unless
 * this is called. A store in a file is first copied to PATH.schema-N beside it. Call this before any store is
 * opened.
 * @param told  Called with a sentence for each store that was upgraded; NULL: no report.
 */
void drg_store_set_upgrade(bool allowed, void (*told)(const char *text));

/**
 * Repair rows that older versions have written beyond the model's limits, unless they are repaired already,
 * or drg_store_set_upgrade() forbids it. drg_store_open() with DRG_STORE_CREATE repairs them after it has
 * upgraded the schema.
 * @param s      Open for writing.
 * @param place  The store's name, for the report of drg_store_set_upgrade().
 */
DRG_MUSTCHECK
int drg_store_repair(struct drg_store *s, const char *place, struct drg_err *reterr);

/**
 * Copy the store in a file that has an older schema into a new file @p path, and upgrade the copy: the store
 * itself stays as it is, and servers of the older version go on with it.
 * @return DRG_OK; DRG_ELIMIT: the store is in a database, or is not older; else as drg_store_open().
 */
DRG_MUSTCHECK
int drg_store_copy_older(const char *url, const char *path, struct drg_err *reterr);

/** The present clock; within a transaction, the clock at its beginning. */
DRG_MUSTCHECK
int drg_store_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr);

/** The branch of the commit @p seq, 0 before the first one. */
DRG_MUSTCHECK
int drg_store_branch_at(struct drg_store *s, int64_t seq, int64_t *ret, struct drg_err *reterr);

/** The starts of branches: the newest first, at most @p max, only branches that begin with @p from or later.
 * Two states that have the same branch at the same seq have everything before it in common. */
struct drg_branch {
	int64_t seq, id;
};
DRG_MUSTCHECK
int drg_store_branches(struct drg_store *s, int64_t from, struct drg_branch *ret, unsigned max,
                       unsigned *ret_n, struct drg_err *reterr);

/**
 * Find the last commit before a time: commits at @p us or later have a higher seq. Times of commits are kept
 * to the second for a month, before that to the hour; @p us is rounded down to that, so that rather too much
 * counts as later.
 * @param us         Wall clock.
 * @param ret_since  May be NULL. The time from which on commits have times; also set with DRG_ENOENT.
 * @return DRG_OK; DRG_ENOENT, without a message: @p us is before times were kept, and there were commits.
 */
DRG_MUSTCHECK
int drg_store_seq_before(struct drg_store *s, int64_t us, int64_t *ret, int64_t *ret_since,
                         struct drg_err *reterr);

/**
 * Do the open files of this handle still belong to its URL? Takes a few microseconds. drg_store_begin() and
 * drg_txn_commit() check it themselves.
 * @return DRG_OK; DRG_ENOENT: the store was removed, moved, replaced or overwritten. Close the handle and
 *         open a new one.
 */
DRG_MUSTCHECK
int drg_store_in_place(struct drg_store *s, struct drg_err *reterr);

/**
 * For callers that read now and then: borrow a handle for reading if @p s is NULL, and replace it if it is
 * not in place any more. Give it back by drg_store_return().
 * @param s  NULL afterwards, unless DRG_OK is returned.
 */
DRG_MUSTCHECK
int drg_store_keep_open(const char *url, struct drg_store **s, struct drg_err *reterr);

/** A fault that opening found and repaired, as a sentence for the log; "": none. Lives as long as @p s. */
const char *drg_store_remark(const struct drg_store *s);

/** The size of the store on its disk, in bytes. */
DRG_MUSTCHECK
int drg_store_bytes(struct drg_store *s, uint64_t *ret, struct drg_err *reterr);

/** Bytes of the write-ahead log of a store in a file, which cannot be emptied while somebody reads; 0: none, or
 * the store is a database. From any thread. */
uint64_t drg_store_log_bytes(const char *url);
/** Empty that log. Of a handle that writes, outside a transaction. @return DRG_OK, also for a database;
 * DRG_EBUSY: somebody reads from it or writes; errors of the store. */
DRG_MUSTCHECK
int drg_store_empty_log(struct drg_store *s, struct drg_err *reterr);

/**
 * Have all commits announced to this handle, which stays usable for reading.
 * @return DRG_OK; DRG_ENOENT: this store announces nothing, poll it; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_store_listen(struct drg_store *s, struct drg_err *reterr);
/**
 * Wait until a commit is announced, for at most @p ms, or until @p wake (a descriptor; -1: none) is readable,
 * which counts as news. An announced commit can be read.
 * @return DRG_OK, also when the time is over; DRG_EIO: the connection is gone, and announcements with it.
 */
DRG_MUSTCHECK
int drg_store_wait_commit(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr);

/** Is the store in files of ours, which the last handle to close tidies up? */
bool drg_store_is_file(const char *url);

/** Set how long a database server may take for an answer, in this process: a look at the store takes at most
 * 3 s of it, statements that read everything six times as long. A connection without an answer is given up,
 * and its call returns DRG_EIO. Waits in progress follow the new value. Unless this is called (commands), an
 * answer may take as long as a statement may run, and reading everything takes any time. Stores in files have
 * no such limit. */
void drg_store_set_timeout(unsigned ms);

/** The process stops. From now on nobody waits more than a second for the write lock, nor more than three for
 * an answer. Once a database server has not answered, no connection is made any more. */
void drg_store_stop(void);

/* ---- writing ------------------------------------------------------------------------------------------- */

enum drg_put_result { DRG_PUT_SAME, DRG_PUT_CREATED, DRG_PUT_CHANGED, DRG_PUT_DELETED };

/** Wait for the write lock and begin. At most one transaction for each handle. Others wait meanwhile: keep it
 * short.
 * @return DRG_OK; DRG_EBUSY "locked": another process holds the lock for longer than the timeout, and the
 *         message names it; DRG_ENOENT: as drg_store_in_place(); DRG_EIO, DRG_EFULL ... */
DRG_MUSTCHECK
int drg_store_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);

/**
 * Upsert one record by identity; remove it if `deleted`. store/change.h has the rules: which fields are kept,
 * and what does not change anything (DRG_PUT_SAME), so that writing the same twice changes nothing.
 * References are not checked here, but the record is (drg_record_check()), whatever its origin. Many records
 * are written fastest in the order of their identity: in random order, each record touches pages of its own.
 * @return DRG_OK; DRG_EINTERNAL: the record breaks the model, and nothing was written; the transaction stays
 *         open. After any other error the transaction can only be rolled back.
 */
DRG_MUSTCHECK
int drg_txn_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr);

/** Store a record whose identity is not alive: DRG_PUT_CREATED. A live record is left unchanged:
 * DRG_PUT_SAME. Otherwise as drg_txn_put(). */
DRG_MUSTCHECK
int drg_txn_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr);

/** Announce an identity that will be put, added or looked up in this transaction. The only effect is speed,
 * for a store on another machine: all announced rows are loaded together when the first of them is needed. */
DRG_MUSTCHECK
int drg_txn_prefetch(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr);
/** Does the engine use announcements? */
bool drg_txn_can_prefetch(const struct drg_txn *t);

/** Call @p fn for every later put that changes something, before the row is written, with the stored record
 * (NULL, or `deleted`: none) and the new one. Both are borrowed for the call, which may not use the
 * transaction. */
typedef void drg_watch_fn(void *ctx, const struct drg_record *was, const struct drg_record *is);
void drg_txn_watch(struct drg_txn *t, drg_watch_fn *fn, void *ctx);

/** The handle of a transaction. Readings (struct drg_rows), drg_store_exists() and functions made of these see
 * the transaction's own changes. Neither close the handle nor begin a transaction with it. */
struct drg_store *drg_txn_store(const struct drg_txn *t);

/** Is it time to commit? For writers of many transactions, which ask after each put. After 40 ms while
 * another writer waits, after 250 ms otherwise. Longer transactions write less: a page that many of their
 * records touch goes to the log once. */
bool drg_txn_should_commit(struct drg_txn *t);

/** The seq of this transaction's changes (assigned at its first change; 0 before). */
int64_t drg_txn_seq(const struct drg_txn *t);

/** How many calls have changed something so far: records, kept answers, reports. It tells whether a failed
 * job has left changes behind. */
unsigned long drg_txn_writes(const struct drg_txn *t);

/** Has the store failed in this transaction, so that it can only be rolled back? */
bool drg_txn_failed(const struct drg_txn *t);

/**
 * Commit: on return with DRG_OK the transaction is on stable storage. Frees @p t in every case. After an
 * error nothing is stored, or (DRG_EIO without the reason not_stored) that is unknown, see
 * drg_store_resolve_commit(). It is also unknown if the store was replaced in the moment of the commit.
 * DRG_ENOENT: it was replaced before, and nothing is stored.
 * @param ret  May be NULL. The clock after the commit.
 */
DRG_MUSTCHECK
int drg_txn_commit(struct drg_txn *t, struct drg_clock *ret, struct drg_err *reterr);
/** Roll back and free; NULL is fine. */
void drg_txn_rollback(struct drg_txn *t);

/* ---- a commit that failed --------------------------------------------------------------------------------
 * (Decision D5.) A commit can fail on its way to the disk or over a network; then it is unknown whether it is
 * stored. A caller that must answer a client takes the mark before the commit, and has the outcome settled
 * afterwards. */

/** Names a transaction. Plain data. */
struct drg_txn_mark {
	struct drg_clock before; /**< the clock at its beginning */
	int64_t seq; /**< drg_txn_seq(); 0: it changed no record */
	int64_t number; /**< used by the engine to find the transaction again; 0: none */
	int64_t server; /**< used by the engine: the server on which it had that number; 0: none */
	unsigned types; /**< types of the changed records, one bit each */
};

/** Take the mark of a transaction, just before the commit. */
void drg_txn_mark(const struct drg_txn *t, struct drg_txn_mark *ret);

enum drg_outcome {
	DRG_OUTCOME_UNKNOWN, /**< it is unknown whether the transaction is stored */
	DRG_OUTCOME_LOST, /**< the transaction is not stored, and never will be */
	DRG_OUTCOME_STORED
};

/**
 * Find out the outcome of a transaction whose commit failed, and make sure that it cannot appear later: an
 * unfinished commit in the engine's log is made void. Another writer may have committed in between.
 * @param s  Opened for writing after the failure.
 * @param ret  Written on success only. If the store fails again the outcome stays unknown.
 */
DRG_MUSTCHECK
int drg_store_resolve_commit(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                             struct drg_err *reterr);

/* ---- one import at a time --------------------------------------------------------------------------------
 * An import compares first and writes later, in many transactions. Meanwhile no second import may run, and
 * nobody may move the records that it compared with. Other writers are not delayed. A process that dies
 * releases the right. */

/**
 * Take the right to import, without waiting; the handle keeps it until drg_store_unlock_imports() or until it
 * is closed.
 * @return DRG_OK; DRG_EBUSY: another process has it; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_store_lock_imports(struct drg_store *s, struct drg_err *reterr);
void drg_store_unlock_imports(struct drg_store *s);

/** Take the right to import until the transaction ends. Calling it twice is fine, also with a handle that has
 * the right already. */
DRG_MUSTCHECK
int drg_txn_lock_imports(struct drg_txn *t, struct drg_err *reterr);

/* ---- answers kept for retries (Idempotency-Key) -----------------------------------------------------------
 * These are not records: they have no seq and are in no scan, feed or count. */

struct drg_kept_answer {
	int64_t key_id; /**< API key of the request */
	struct drg_str name; /**< the name that the client gave the request; unique for the key */
	int64_t at_us; /**< wall clock time of the answer */
	struct drg_str body_hash; /**< hash of the request's body */
	struct drg_str answer;
};

/** The answer is borrowed for the call. A return other than DRG_OK is passed on. */
typedef int drg_kept_fn(void *ctx, const struct drg_kept_answer *k);

/** Find the answer of (@p key_id, @p name). @return DRG_OK after fn was called, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_txn_kept_get(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                     struct drg_err *reterr);
/** Keep an answer, in place of an older one with its name. */
DRG_MUSTCHECK
int drg_txn_kept_put(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr);
/** Forget answers from before a time, the oldest first, at most @p limit. */
DRG_MUSTCHECK
int drg_txn_kept_delete(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr);

/* ---- reading ------------------------------------------------------------------------------------------- */

/** Between the two calls, everything that this handle reads is of one snapshot. The log of the engine cannot
 * be shortened meanwhile. Not within a transaction of the handle. */
DRG_MUSTCHECK
int drg_store_hold(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr);
void drg_store_release(struct drg_store *s);

/** The records to read; zero-initialise it, then set the members that narrow. */
struct drg_filter {
	const struct drg_type *type; /**< NULL: every type, in the order of drg_types */
	bool one_kind; /**< only rows of `kind`; types without kinds are then left out */
	enum drg_kind kind;
	int64_t adapter; /**< 0: every adapter; types without adapter are then left out */
	unsigned without; /**< if type is NULL: types to leave out, a bit for each enum drg_type_id */
	bool tombstones; /**< deleted rows too */
	bool internal; /**< internal types too, if type is NULL */
	bool any_order; /**< the engine's fastest order instead of type, then identity (bytes) */
	/** Only for mapping_event, of all adapters and kinds: by `at` and then by row, the latest first. The
	 * rows are read in that order, so a caller that stops early has read few. `at` is compared by bytes:
	 * of the events of one millisecond the one without microseconds comes first. */
	bool latest_first;
	/** With latest_first: bounds of `at`, a time or the beginning of one; NULL: none. */
	const char *at_from, *at_before;
	/** Only for batch: by number, the highest first, likewise; and only numbers below `below`. */
	bool highest_first;
	int64_t below; /**< 0: all */
};

/** A stored row. */
struct drg_stored {
	int64_t row; /**< its lasting row number */
	struct drg_record r;
	struct drg_row_meta m;
};

/**
 * Rows that are read one after the other, from one snapshot:
 *
 *	struct drg_rows rows;
 *	for (drg_rows_scan(&rows, s, &filter, reterr); drg_rows_next(&rows);)
 *		rows.rc = use(&rows.row.r);
 *	return drg_rows_end(&rows);
 *
 * A reading stays at its address from its begin to drg_rows_end(), which always follows. Until then the handle
 * may only be used for drg_store_exists() and one drg_rows_get() at a time. The engine's log cannot be
 * shortened meanwhile, so a slow reading beside many writes costs disk space.
 */
struct drg_rows {
	struct drg_stored row; /**< the present row; its texts are borrowed until the next call */
	int rc; /**< the first failure; the caller sets it to end the reading with a code of its own */
	struct drg_clock clock; /**< of the snapshot of a scan */

	/* The rest belongs to the store. */
	struct drg_store *store;
	struct drg_err *err;
	enum { DRG_ROWS_SCAN, DRG_ROWS_REFERRERS, DRG_ROWS_GET, DRG_ROWS_FEW } how;
	struct drg_filter filter;
	const struct drg_type *type; /* of the open part; NULL: none is open */
	unsigned n_types, n_fields; /* the parts that are over */
	enum drg_kind kind;
	int64_t id;
	unsigned left; /* of a limit */
	bool in_snapshot, living; /* living: without tombstones */
	/* The engine's: a statement, or rows that have come, of which at..n are to be given (lent: they belong
	 * to the rows that it keeps for a transaction), and the rows behind them. */
	void *page, *ahead;
	bool lent;
	int at, n, asked, rc_ahead;
};

/** Begin to read every row that matches the filter. This and the others return @p rows. */
struct drg_rows *drg_rows_scan(struct drg_rows *rows, struct drg_store *s, const struct drg_filter *f,
                               struct drg_err *reterr);
/** Begin to read the live row with the identity fields of @p key. The reading fails with DRG_ENOENT if there is
 * none. */
struct drg_rows *drg_rows_get(struct drg_rows *rows, struct drg_store *s, const struct drg_record *key,
                              struct drg_err *reterr);
/** Begin to read live rows whose identity is that of @p key except for its last field, in the order of that
 * field: for example the mapping_events of a source.
 * @param limit  0: all; else at most so many, from the last field of @p key on, so memory is bounded. */
struct drg_rows *drg_rows_siblings(struct drg_rows *rows, struct drg_store *s, const struct drg_record *key,
                                   unsigned limit, struct drg_err *reterr);
/** Begin to read live records that refer to the dict record (@p kind, @p id) by dict_id or another field of the
 * model's table (not from inside the JSON of a hotel_content), for the checks before a removal; at most
 * @p limit. Mappings are found by index; other types are scanned, which is far slower if they are large. */
struct drg_rows *drg_rows_referrers(struct drg_rows *rows, struct drg_store *s, enum drg_kind kind,
                                    int64_t id, unsigned limit, struct drg_err *reterr);
/** Begin to read the sources that are mapped to a dict record, at most @p limit; by index. */
struct drg_rows *drg_rows_mapped(struct drg_rows *rows, struct drg_store *s, enum drg_kind kind, int64_t id,
                                 unsigned limit, struct drg_err *reterr);
/** Go to the next row. @return False: there is none, or the reading has failed (`rc`). */
bool drg_rows_next(struct drg_rows *rows);
/** End the reading. @return Its `rc`. */
DRG_MUSTCHECK
int drg_rows_end(struct drg_rows *rows);

/** A function for each row; the record is borrowed for the call. A return other than DRG_OK ends the reading
 * and is passed on. It may call what a reading allows (struct drg_rows). */
typedef int drg_row_fn(void *ctx, const struct drg_record *r, const struct drg_row_meta *m);

/** Call a function for each row of a reading that has begun, and end it. */
DRG_MUSTCHECK
int drg_rows_each(struct drg_rows *rows, drg_row_fn *fn, void *ctx);

/** From now on give rows with a DRG_V_ENUM value without a word as they are, for callers that check
 * drg_record_find_unknown_enum() (a catalog does). Otherwise a read that finds one returns DRG_ECORRUPT. */
void drg_store_allow_unknown_enums(struct drg_store *s);

/** A place in the feed: just behind a row. */
struct drg_feed_place {
	int64_t seq;
	unsigned type; /**< enum drg_type_id; DRG_FEED_END: behind all rows of this commit */
	int64_t row; /**< the row's lasting number in the store */
};
enum { DRG_FEED_END = 255 };

/**
 * Read the feed of some types from a place on: every row up to the clock (internal ones and tombstones too),
 * ordered by (seq, type, row), from one snapshot, each row once, in its present state.
 * @param types      A bit for each enum drg_type_id.
 * @param place      In: where to begin. Out: behind the last row for which fn returned DRG_OK, whether the
 *                   reading ended or fn stopped it.
 * @param ret_clock  Written before fn is called: the clock of the snapshot.
 */
DRG_MUSTCHECK
int drg_store_feed_from(struct drg_store *s, unsigned types, struct drg_feed_place *place, drg_row_fn *fn,
                        void *ctx, struct drg_clock *ret_clock, struct drg_err *reterr);

/** When was a row with the identity fields of @p key removed? @param ret  The seq; 0: the row is alive, or
 * never existed. */
DRG_MUSTCHECK
int drg_store_removed(struct drg_store *s, const struct drg_record *key, int64_t *ret,
                      struct drg_err *reterr);

/** Get live rows whose identity is that of @p key except for its last field, a text, which is one of @p ids.
 * They come in any order; an id that is asked for twice may come twice. Over a network, many cost hardly more
 * than one. Not within a transaction of the handle. */
DRG_MUSTCHECK
int drg_store_get_many(struct drg_store *s, const struct drg_record *key, const struct drg_str *ids, size_t n,
                       drg_row_fn *fn, void *ctx, struct drg_err *reterr);

/** Is a record with this identity alive? Sees the uncommitted changes of this handle's own transaction.
 * @return DRG_OK, DRG_ENOENT, or an error. */
DRG_MUSTCHECK
int drg_store_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);

/** One line of the counts. */
struct drg_count {
	const struct drg_type *type;
	enum drg_kind kind; /**< DRG_KIND_NONE: the type has no kinds */
	int64_t adapter; /**< 0: the type has no adapter */
	int64_t live, mapped, tombstones;
};
typedef int drg_count_fn(void *ctx, const struct drg_count *c);

/** Counts by type, kind and adapter. */
DRG_MUSTCHECK
int drg_store_counts(struct drg_store *s, drg_count_fn *fn, void *ctx, struct drg_err *reterr);

/** Check the store: pages and indexes, seqs against the clock, references to records that do not exist. Calls
 * @p fn with each finding, a few of each sort; returns DRG_OK also if there are some. */
typedef void drg_finding_fn(void *ctx, const char *text);
DRG_MUSTCHECK
int drg_store_check(struct drg_store *s, drg_finding_fn *fn, void *ctx, struct drg_err *reterr);
