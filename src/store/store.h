/* src/store/store.h
 * The system of record behind a small struct of operations. sqlite.c and postgres.c implement it. Callers use
 * the drg_store_* functions below and never learn which engine answers.
 *
 * Rows and versions. Every writing transaction that changes something takes the next number of the clock row
 * (`seq`) and stamps the rows it touches. Commit order equals seq order, so a reader that sees the clock at H
 * in a snapshot sees every row with seq <= H. Deleted rows stay as tombstones (record.deleted), which keep
 * nothing but their identity. `epoch` identifies the store, from its making on.
 *
 * Histories. A store that was set back (a file copied back, a point-in-time recovery) goes on from an earlier
 * seq, so the same number can mean two commits. Therefore whoever opens a store for writing begins a new
 * `branch` with its first change, a random number that is stored with the seq where it begins. Two states
 * with one epoch are of one history up to a seq if that has the same branch in both; nobody needs to have
 * watched.
 *
 * Words in messages: they name the store and what to do, never a statement of the engine. */
#pragma once
#include "base/err.h"
#include "model/record.h"

struct drg_store;
struct drg_txn;

struct drg_clock {
	int64_t seq; /**< last committed seq, 0 in an empty store */
	char epoch[40]; /**< identity of the store, NUL-terminated */
	int64_t branch; /**< that of the commit `seq`; 0 in a store that none was begun in yet */
	bool copy; /**< read from a copy that follows the store: what is missing may only be late */
};

/** When a row changed. All are seqs; 0 where it never happened. */
struct drg_row_meta {
	int64_t seq; /**< last change of any sort */
	int64_t created_seq; /**< became alive (again, after a deletion) */
	int64_t data_seq; /**< last change of a field other than the mapping; creation and deletion are such */
	int64_t mapped_seq; /**< last change of dict_id (source); so is the deletion of a mapped one */
	int64_t row; /**< its lasting number in the store; only of rows that were read from it */
};

enum drg_store_mode {
	DRG_STORE_READ, /**< must exist; never writes */
	DRG_STORE_WRITE, /**< must exist */
	DRG_STORE_CREATE, /**< created when missing, upgraded when older (drg_store_set_upgrade()) */
	/** to be filled from another, see store/restore.h: created when missing, never upgraded */
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
 * May this process upgrade a store of an older schema that it opens with DRG_STORE_CREATE (D9)? It may,
 * unless this is called. A store in a file is copied first, to PATH.schema-N beside it. Before any is opened.
 * @param told  Is told of each that was, in a sentence; NULL: nobody is.
 */
void drg_store_set_upgrade(bool allowed, void (*told)(const char *text));

/** The clock as of now; within a transaction, as it was at its beginning. */
DRG_MUSTCHECK
int drg_store_clock(struct drg_store *s, struct drg_clock *ret, struct drg_err *reterr);

/** The branch of the commit @p seq, 0 before the first one. */
DRG_MUSTCHECK
int drg_store_branch_at(struct drg_store *s, int64_t seq, int64_t *ret, struct drg_err *reterr);

/** Where branches begin: the newest first, at most @p max, of those that begin with @p from or later. Two
 * states that have one branch with its seq have all before it in common. */
struct drg_branch {
	int64_t seq, id;
};
DRG_MUSTCHECK
int drg_store_branches(struct drg_store *s, int64_t from, struct drg_branch *ret, unsigned max,
                       unsigned *ret_n, struct drg_err *reterr);

/**
 * The last commit before a time: what was committed at @p us or later has a higher seq. Times of commits are
 * kept to the second for a month, and before that to the hour; @p us is rounded down to that, so that rather
 * too much counts as later.
 * @param us         Wall clock.
 * @param ret_since  May be NULL. Also where DRG_ENOENT is returned: the time from which on commits have
 *                   times.
 * @return DRG_OK; DRG_ENOENT, without words: it was before times were kept, and there had been commits.
 */
DRG_MUSTCHECK
int drg_store_seq_before(struct drg_store *s, int64_t us, int64_t *ret, int64_t *ret_since,
                         struct drg_err *reterr);

/**
 * Is what this handle has open still what its URL names? Costs a few microseconds. drg_store_begin() and
 * drg_txn_commit() ask by themselves.
 * @return DRG_OK; DRG_ENOENT: it was removed, moved, replaced or overwritten, and the handle is of no use:
 *         close it and open anew.
 */
DRG_MUSTCHECK
int drg_store_in_place(struct drg_store *s, struct drg_err *reterr);

/**
 * For who reads now and then: borrow a handle for reading where @p s is NULL, and another one where it is not
 * in place any more. drg_store_rest() follows.
 * @param s  NULL afterwards, unless DRG_OK is returned.
 */
DRG_MUSTCHECK
int drg_store_keep_open(const char *url, struct drg_store **s, struct drg_err *reterr);

/** What opening found amiss and mended, as a sentence for the log; "" where there was nothing. Lives as long
 * as @p s. */
const char *drg_store_remark(const struct drg_store *s);

/** What the store takes on its disk, in bytes. */
DRG_MUSTCHECK
int drg_store_bytes(struct drg_store *s, uint64_t *ret, struct drg_err *reterr);

/**
 * Have the commits of all announced to this handle, which is for reading as before.
 * @return DRG_OK; DRG_ENOENT: this store announces nothing, it has to be looked at; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_store_listen(struct drg_store *s, struct drg_err *reterr);
/**
 * Wait until a commit is announced, for at most @p ms, or until @p wake (a descriptor; -1: none) can be read,
 * which counts as news. One that is announced can be read.
 * @return DRG_OK, also when the time is over; DRG_EIO: the connection is gone, and announcements with it.
 */
DRG_MUSTCHECK
int drg_store_await_news(struct drg_store *s, int wake, unsigned ms, bool *ret_news, struct drg_err *reterr);

/** Is it kept in files of ours, which the last one to close tidies up? */
bool drg_store_is_file(const char *url);

/**
 * How long an answer of a database server may take, from now on, in this process: a look at the store 3 s of
 * it at most, what reads all there is six times as long. A connection without an answer is given up, and what
 * was asked is DRG_EIO. Who waits already is told. Unless it is called (commands), as long as a statement may
 * take, or for what reads all there is as long as it takes. Files know no such bound.
 */
void drg_store_set_timeout(unsigned ms);

/** The process stops: nobody waits for the write lock for more than a second, nor for an answer for more than
 * three, and once a database server has not answered none is connected to any more. */
void drg_store_stop(void);

/* ---- writing ------------------------------------------------------------------------------------------- */

enum drg_put_result { DRG_PUT_SAME, DRG_PUT_CREATED, DRG_PUT_CHANGED, DRG_PUT_DELETED };

/** Wait for the write lock and begin. At most one transaction per handle. Others wait meanwhile: keep it
 * short.
 * @return DRG_OK; DRG_EBUSY "locked": another process holds the lock for longer than the timeout, and the
 *         message names it; DRG_ENOENT: drg_store_in_place() says so; DRG_EIO, DRG_EFULL ... */
DRG_MUSTCHECK
int drg_store_begin(struct drg_store *s, struct drg_txn **ret, struct drg_err *reterr);

/**
 * Upsert one record by identity; remove it when `deleted`. store/change.h has the rules: which fields stay as
 * they are, and what is no change at all (DRG_PUT_SAME), so that writing the same twice changes nothing.
 * References are not checked here. Many records are written fastest in the order of their identity: at
 * random, each touches pages of its own.
 * @return DRG_OK; DRG_EINVAL: a part of the identity is missing, or a field is not of this type and kind.
 *         After any other error the transaction can only be rolled back.
 */
DRG_MUSTCHECK
int drg_txn_put(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr);

/**
 * Store a record whose identity is not alive: DRG_PUT_CREATED. One that is alive is left as it is:
 * DRG_PUT_SAME. Otherwise as drg_txn_put().
 */
DRG_MUSTCHECK
int drg_txn_add(struct drg_txn *t, const struct drg_record *r, enum drg_put_result *ret,
                struct drg_err *reterr);

/**
 * Tell of an identity that will be put, added or looked up in this transaction. Nothing comes of it but
 * speed, where the store is on another machine: those of which it was told are loaded together when the first
 * is asked for.
 */
DRG_MUSTCHECK
int drg_txn_expect(struct drg_txn *t, const struct drg_record *key, struct drg_err *reterr);
/** Is it of any use? */
bool drg_txn_expects(const struct drg_txn *t);

/**
 * From now on tell @p fn, before the row is written, of every put that changes something: what was stored
 * (NULL, or `deleted`: nothing), and what becomes of it. Both are borrowed for the call, which may not use
 * the transaction.
 */
typedef void drg_watch_fn(void *ctx, const struct drg_record *was, const struct drg_record *is);
void drg_txn_watch(struct drg_txn *t, drg_watch_fn *fn, void *ctx);

/**
 * The handle of a transaction. What is read with it (drg_store_get(), _exists(), _siblings(), _referrers(),
 * _scan() and what is made of these) sees the transaction's own changes. Neither close it nor begin anything
 * with it.
 */
struct drg_store *drg_txn_store(const struct drg_txn *t);

/**
 * For who writes much in many transactions, and asks after each put: is it time to commit? After 40 ms while
 * another writer waits, after 250 ms while nobody does. Longer ones write less: a page that many of their
 * records touch goes to the log once.
 */
bool drg_txn_due(struct drg_txn *t);

/** The seq that this transaction's changes carry (assigned at its first change; 0 before). */
int64_t drg_txn_seq(const struct drg_txn *t);

/** How many calls have changed something so far: records, kept answers, reports. To know whether somebody who
 * gave up has left anything behind. */
unsigned long drg_txn_writes(const struct drg_txn *t);

/** Has the store failed in it, so that it can only be rolled back? */
bool drg_txn_failed(const struct drg_txn *t);

/**
 * Make it durable: on return with DRG_OK it is on stable storage. Frees @p t in every case. After an error
 * nothing of it is stored, or (DRG_EIO without the reason not_stored) that is unknown: see
 * drg_store_settle(). So it is where the store was replaced in the moment of the commit; DRG_ENOENT: it was
 * replaced before, and nothing is stored.
 * @param ret_seq  May be NULL. The clock's seq after the commit.
 */
DRG_MUSTCHECK
int drg_txn_commit(struct drg_txn *t, int64_t *ret_seq, struct drg_err *reterr);
/** Undo and free; NULL is fine. */
void drg_txn_rollback(struct drg_txn *t);

/* ---- a commit that failed --------------------------------------------------------------------------------
 * (Decision D5.) A commit can fail when it is on its way to the disk, or on its way over a network: nobody
 * knows then whether it is in. Who has to tell a client takes the mark before, and afterwards has the matter
 * settled. */

/** Names a transaction. Plain data. */
struct drg_txn_mark {
	struct drg_clock before; /**< the clock when it began */
	int64_t seq; /**< drg_txn_seq(); 0: it changed no record */
	int64_t number; /**< the engine's own, by which it can find it again; 0 where it has none */
	int64_t server; /**< the engine's own: where it had that number; 0 where it has none */
};

/** To be taken just before the commit. */
void drg_txn_mark(const struct drg_txn *t, struct drg_txn_mark *ret);

enum drg_outcome {
	DRG_OUTCOME_UNKNOWN, /**< it may be stored or not */
	DRG_OUTCOME_LOST, /**< nothing of it is stored, nor ever will be */
	DRG_OUTCOME_STORED
};

/**
 * Find out what became of a transaction whose commit failed, and see to it that it cannot come up later: what
 * lies unfinished in the log of the engine is made void. Another writer may have been there in between.
 * @param s  Opened for writing after the failure.
 * @param ret  Written on success only. When the store fails again it remains unknown.
 */
DRG_MUSTCHECK
int drg_store_settle(struct drg_store *s, const struct drg_txn_mark *mark, enum drg_outcome *ret,
                     struct drg_err *reterr);

/* ---- one import at a time --------------------------------------------------------------------------------
 * An import compares first and writes later, in many transactions. Meanwhile there must be no second one, and
 * nobody who moves what it compared with. Other writers are not held up. Who dies lets go. */

/**
 * Take the right to import, without waiting; the handle keeps it until drg_store_unlock_imports() or is closed.
 * @return DRG_OK; DRG_EBUSY: another has it; DRG_EIO.
 */
DRG_MUSTCHECK
int drg_store_lock_imports(struct drg_store *s, struct drg_err *reterr);
void drg_store_unlock_imports(struct drg_store *s);

/** Likewise, until the transaction ends. Asking twice is fine, and so is a handle that has the right
 * already. */
DRG_MUSTCHECK
int drg_txn_lock_imports(struct drg_txn *t, struct drg_err *reterr);

/* ---- answers kept for retries (Idempotency-Key) -----------------------------------------------------------
 * No records: they have no seq and are in no scan, feed or count. */

struct drg_kept_answer {
	int64_t key_id; /**< API key that asked */
	struct drg_str name; /**< what it called the request; unique for the key */
	int64_t at_us; /**< wall clock of the answer */
	struct drg_str body_hash; /**< of the request's body */
	struct drg_str answer;
};

/** The answer is borrowed for the call. A return other than DRG_OK is handed through. */
typedef int drg_kept_fn(void *ctx, const struct drg_kept_answer *k);

/** The answer of (@p key_id, @p name). @return DRG_OK after fn was called, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_txn_kept(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                 struct drg_err *reterr);
/** Keep an answer, in place of an older one of its name. */
DRG_MUSTCHECK
int drg_txn_keep(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr);
/** Forget answers from before a time, the oldest first, at most @p limit. */
DRG_MUSTCHECK
int drg_txn_forget(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr);

/* ---- reading ------------------------------------------------------------------------------------------- */

/** Called for each row; the record is borrowed for the call. A return other than DRG_OK ends the reading and
 * is handed through. It may ask drg_store_exists() and drg_store_get() of the same handle, but neither within
 * the other, and nothing else. */
typedef int drg_row_fn(void *ctx, const struct drg_record *r, const struct drg_row_meta *m);

/**
 * Between the two, everything that this handle reads is of one snapshot. The log of the engine cannot be
 * shortened meanwhile. Not within a transaction of the handle.
 */
DRG_MUSTCHECK
int drg_store_hold(struct drg_store *s, struct drg_clock *ret_clock, struct drg_err *reterr);
void drg_store_release(struct drg_store *s);

/** What to read; zero-initialise and set what narrows. */
struct drg_filter {
	const struct drg_type *type; /**< NULL: every type, in the order of drg_types */
	bool one_kind; /**< only `kind`; types without kinds are then left out */
	enum drg_kind kind;
	int64_t adapter; /**< 0: every adapter; types without adapter are then left out */
	unsigned without; /**< when type is NULL: types that are left out, a bit for each enum drg_type_id */
	bool tombstones; /**< deleted rows too */
	bool internal; /**< internal types too, when type is NULL */
	bool any_order; /**< the engine's fastest order instead of type, then identity (bytes) */
	/**
	 * Of mapping_event only, of all adapters and kinds: by `at` and then by row, the latest first, and
	 * read by that order, so that who stops early has read few. `at` in bytes: of the events of one
	 * millisecond the one without microseconds comes first.
	 */
	bool latest_first;
	/** With latest_first: bounds of `at`, the bytes of a time or of its beginning; NULL: none. */
	const char *at_from, *at_before;
};

/** Every row that the filter wants, from one snapshot. The log of the engine cannot be shortened while it is
 * being read, so a slow reading beside much writing costs disk. @param ret_clock  May be NULL: the clock of
 * that snapshot. */
DRG_MUSTCHECK
int drg_store_scan(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                   struct drg_clock *ret_clock, struct drg_err *reterr);

/**
 * From now on rows with a DRG_V_ENUM value for which there is no word are given as they are, for who asks
 * drg_record_wordless() (a catalog does). Else a read that meets one is DRG_ECORRUPT.
 */
void drg_store_give_odd_words(struct drg_store *s);

/** A place in the feed: just behind a row. */
struct drg_feed_place {
	int64_t seq;
	unsigned type; /**< enum drg_type_id; DRG_FEED_END: behind everything of this commit */
	int64_t row; /**< the row's lasting number in the store */
};
enum { DRG_FEED_END = 255 };

/**
 * The feed of some types, from a place on: every row up to the clock (internal ones and tombstones too),
 * ordered by (seq, type, row), from one snapshot, each row once, as it is now.
 * @param types      A bit for each enum drg_type_id.
 * @param place      In: where to begin. Out: behind the last row for which fn returned DRG_OK, be the reading
 *                   over or stopped by fn.
 * @param ret_clock  Written before fn is called: the clock of the snapshot.
 */
DRG_MUSTCHECK
int drg_store_feed_from(struct drg_store *s, unsigned types, struct drg_feed_place *place, drg_row_fn *fn,
                        void *ctx, struct drg_clock *ret_clock, struct drg_err *reterr);

/** When a row with the identity fields of @p key was removed. @param ret  Its seq; 0: it lives, or never was
 * there. */
DRG_MUSTCHECK
int drg_store_removed(struct drg_store *s, const struct drg_record *key, int64_t *ret,
                      struct drg_err *reterr);

/** The live row with the identity fields of @p key. @return DRG_OK after fn was called, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_store_get(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                  struct drg_err *reterr);

/** Live rows whose identity is that of @p key but for its last field, a text, which is one of @p ids: in any
 * order, and one that is asked for twice perhaps twice. Many cost hardly more than one where the store is
 * behind a network. Not within a transaction of the handle. */
DRG_MUSTCHECK
int drg_store_among(struct drg_store *s, const struct drg_record *key, const struct drg_str *ids, size_t n,
                    drg_row_fn *fn, void *ctx, struct drg_err *reterr);

/** Is a record with this identity alive? Sees the uncommitted changes of this handle's own transaction.
 * @return DRG_OK, DRG_ENOENT, or an error. */
DRG_MUSTCHECK
int drg_store_exists(struct drg_store *s, const struct drg_record *key, struct drg_err *reterr);

/** Live rows whose identity is that of @p key but for its last field, in the order of that field: the
 * mapping_events of a source. */
DRG_MUSTCHECK
int drg_store_siblings(struct drg_store *s, const struct drg_record *key, drg_row_fn *fn, void *ctx,
                       struct drg_err *reterr);

/** Likewise, but those from the last field of @p key on, and at most @p limit of them: memory is bounded.
 * @param limit  At least 1. */
DRG_MUSTCHECK
int drg_store_siblings_from(struct drg_store *s, const struct drg_record *key, unsigned limit, drg_row_fn *fn,
                            void *ctx, struct drg_err *reterr);

/** Live records that refer to the dict record (@p kind, @p id) by dict_id or another field of the model's
 * table (not from inside the JSON of a hotel_content); for the checks before a removal. Calls @p fn for at
 * most @p limit of them. Mappings are found by index; the other types are read through, which is far slower
 * for large ones. */
DRG_MUSTCHECK
int drg_store_referrers(struct drg_store *s, enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn,
                        void *ctx, struct drg_err *reterr);

/** The sources that are mapped to it, at most @p limit; by index. */
DRG_MUSTCHECK
int drg_store_mapped(struct drg_store *s, enum drg_kind kind, int64_t id, unsigned limit, drg_row_fn *fn,
                     void *ctx, struct drg_err *reterr);

/** One line of the counts. */
struct drg_count {
	const struct drg_type *type;
	enum drg_kind kind; /**< DRG_KIND_NONE where the type has none */
	int64_t adapter; /**< 0 where the type has none */
	int64_t live, mapped, tombstones;
};
typedef int drg_count_fn(void *ctx, const struct drg_count *c);

/** Counts by type, kind and adapter. */
DRG_MUSTCHECK
int drg_store_counts(struct drg_store *s, drg_count_fn *fn, void *ctx, struct drg_err *reterr);

/** The store against itself: pages and indexes, seqs against the clock, references to records that do not
 * exist. Calls
 * @p fn with each finding, of each sort a few; DRG_OK also when there are some. */
typedef void drg_finding_fn(void *ctx, const char *text);
DRG_MUSTCHECK
int drg_store_check(struct drg_store *s, drg_finding_fn *fn, void *ctx, struct drg_err *reterr);
