/* src/server/follower.h
 * From the feed to the catalog: the only way into the catalog, at start-up and for imports, other processes
 * and other servers.
 *
 * A thread with its own store handle reads the clock every poll_ms (and when it is woken), applies what is
 * new, and publishes: API keys and redirects first, then everything. A record that the catalog refuses is
 * quarantined (decision E14). Another history (store/store.h: another epoch, a clock that went back, another
 * branch) makes it build a fresh catalog beside the old one and swap; so does a heap of which too much is
 * dead. While the store is away the catalog goes on answering; a store that was replaced is opened again. */
#pragma once
#include "catalog/catalog.h"
#include "catalog/rcu.h"
#include "store/store.h"

struct drg_follower;

struct drg_follower_options {
	const char *store_url;
	/** a snapshot (server/image/file.h) to start from, if there is one that fits; NULL: none */
	const char *image_path;
	bool may_be_away; /**< the store may be away at the start */
	/** the clock of the store at the start: a copy is read only once it has reached it; epoch "":
	 * unknown */
	struct drg_clock known;
	unsigned poll_ms; /**< 0: 100 */
	struct drg_catalog_options catalog;
	/** the catalog is rebuilt when more than this, and half of the heap, is dead; 0: 8 MiB */
	size_t rebuild_dead_bytes;
	void (*published)(
	        void *ctx); /**< called after each publication, on the thread that published; may be NULL */
	/** Called on that thread before a change is published, for each record that changed or was
	 * removed; with NULL if any may have (another catalog takes over). May be NULL. */
	void (*changed)(void *ctx, const struct drg_record *r);
	void *ctx;
};

/**
 * Open the store; nothing is loaded yet.
 * @return DRG_OK; errors of the store's opening, so that a wrong path is reported at once.
 */
DRG_MUSTCHECK
int drg_follower_open(const struct drg_follower_options *o, struct drg_follower **ret,
                      struct drg_err *reterr);
/** Start the thread: it loads the catalog, then follows the store. Returns at once. */
DRG_MUSTCHECK
int drg_follower_run(struct drg_follower *f, struct drg_err *reterr);
/** End the thread: published() is not called any more. The catalog stays, as it is. NULL is fine. */
void drg_follower_stop(struct drg_follower *f);
/** End the thread and free the catalog; no reader may be in a read section. NULL is fine. */
void drg_follower_close(struct drg_follower *f);

/** Give a follower that reads a copy the clock of the store itself, every second or so; older values are
 * ignored. If the copy does not reach it in 5 s, the follower reads the store instead (decision D4). From any
 * thread. */
void drg_follower_set_store_clock(struct drg_follower *f, const struct drg_clock *clock);
/** Does the follower read a copy of the store? From any thread. */
bool drg_follower_reads_copy(const struct drg_follower *f);
/** Does the follower read the store itself because the copy was late? Then other readers should not read that
 * copy either. From any thread. */
bool drg_follower_avoids_copies(const struct drg_follower *f);

/** Note that the commits after the seq @p before up to @p commit have changed records of @p types only (a bit
 * each): the follower then reads no other feeds. From any thread. */
void drg_follower_expect(struct drg_follower *f, int64_t before, const struct drg_clock *commit,
                         unsigned types);
/** Look at the store now, not at the next poll. From any thread. */
void drg_follower_wake(struct drg_follower *f);
/** The same, after drg_follower_expect() of a commit to a store in a file. If the follower sleeps, the calling
 * thread applies and publishes the commit, which saves two switches of threads. It does not wait for readers
 * that hold the catalog, nor rebuild it: that is left to the follower's thread. */
void drg_follower_show(struct drg_follower *f);

/**
 * The present catalog; NULL while the first load is in progress. Call it inside a read section; the result is
 * valid until that ends: drg_read_lock(); cat = drg_follower_catalog(f); ...; drg_read_unlock().
 */
const struct drg_catalog *drg_follower_catalog(const struct drg_follower *f);

/** The commit that the catalog shows, and the history of that commit. */
struct drg_follower_position {
	struct drg_clock clock;
	/** the newest branches, newest first; 64 are enough, because the store never sees that many writers
	 * in the moment of a commit */
	struct drg_branch branches[64];
	unsigned n;
};
/** From any thread. */
void drg_follower_read_position(struct drg_follower *f, struct drg_follower_position *ret);
/** Does @p x have the commit with the clock @p commit? Not if it reached that seq in another history. */
bool drg_follower_position_has(const struct drg_follower_position *x, const struct drg_clock *commit);
/** All branches of a store, newest first. */
struct drg_branches {
	struct drg_branch *v;
	unsigned n;
};

/** Does the catalog show the commit that @p v names? From any thread. */
enum drg_reached {
	DRG_REACHED,
	DRG_NOT_YET_REACHED, /**< the catalog has not reached that seq, in any history */
	DRG_OTHER_HISTORY /**< the catalog has another commit with that seq */
};
enum drg_reached drg_follower_reached(struct drg_follower *f, const struct drg_data_version *v);

struct drg_image_of;

/** Describe the commit of the present catalog, for a snapshot; the caller frees the branches. From any
 * thread. @return DRG_OK; DRG_ENOENT: nothing is loaded; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_follower_image_of(struct drg_follower *f, struct drg_image_of *ret);
/** The commit of the snapshot that the follower started from; @p ret is unchanged if it did not. From any
 * thread. */
void drg_follower_started_from(struct drg_follower *f, struct drg_clock *ret);
/** Rows applied since the start. From any thread. */
uint64_t drg_follower_rows(const struct drg_follower *f);

/** By how many seconds the catalog may be behind the store: the time since the last completed look. 0 while
 * looks take no longer than usual. From any thread. */
int64_t drg_follower_lag(const struct drg_follower *f);

/** When the store has answered a look last, as drg_clock_ns(); 0: none yet. From any thread. */
int64_t drg_follower_answered_ns(const struct drg_follower *f);

/** Is the store away, or does it fail? From any thread. */
bool drg_follower_is_offline(const struct drg_follower *f);

/** How many records the catalog refused; it works without them. From any thread. */
uint64_t drg_follower_aside(const struct drg_follower *f);

/**
 * Between these two calls the catalog does not change: it shows the last publication, so a record that is
 * read twice is the same twice. Changes wait meanwhile. For the builder of lists, for one list at a time.
 * Call drg_follower_hold() before a read section, never inside one.
 */
void drg_follower_hold(struct drg_follower *f);
void drg_follower_release(struct drg_follower *f);
