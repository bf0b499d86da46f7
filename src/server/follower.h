/* src/server/follower.h
 * Feed -> catalog: the one way into the catalog, for start-up, imports, other processes and other nodes alike.
 *
 * A thread with its own store handle reads the clock every poll_ms (and when it is woken), applies what is new,
 * and publishes: API keys and redirects first, then everything. A record that the catalog refuses is set aside (decision E14). Another
 * history (store/store.h: another epoch, a clock that went back, another branch) makes it build
 * a fresh catalog beside the old one and swap; so does a heap of which too much is dead. While the store is away the
 * catalog goes on answering; a store that was replaced is opened anew. */
#pragma once
#include "catalog/catalog.h"
#include "catalog/rcu.h"
#include "store/store.h"

struct drg_follower;

struct drg_follower_options {
	const char *store_url;
	const char *
	        image_path; /**< a snapshot (server/image/file.h) to start from, if it is there and fits; NULL: none */
	bool may_be_away; /**< the store may be away at the start */
	struct drg_clock
	        known; /**< the store's at the start: no copy of it is read before it has come to that; epoch "": unknown */
	unsigned poll_ms; /**< 0: 100 */
	struct drg_catalog_options catalog;
	size_t rebuild_dead_bytes; /**< a heap with more dead bytes, and half of it dead, is built anew; 0: 256 MiB */
	void (*published)(
	        void *ctx); /**< called on the follower's thread after each publication; may be NULL */
	/** Called on the follower's thread before a change is published, for each record that changed or is gone; with
	 * NULL when any may have (another catalog takes over); may be NULL. */
	void (*changed)(void *ctx, const struct drg_record *r);
	void *ctx;
};

/**
 * Open the store; nothing is loaded yet.
 * @return DRG_OK; errors of the store's opening, so that a wrong path is said at once.
 */
DRG_MUSTCHECK
int drg_follower_open(const struct drg_follower_options *o, struct drg_follower **ret,
                      struct drg_err *reterr);
/** Start the thread, which loads the catalog and follows from there. Returns at once. */
DRG_MUSTCHECK
int drg_follower_run(struct drg_follower *f, struct drg_err *reterr);
/** End the thread: published() is not called any more. The catalog stays, as it is. NULL is fine. */
void drg_follower_stop(struct drg_follower *f);
/** End the thread and free the catalog; no reader may be inside. NULL is fine. */
void drg_follower_close(struct drg_follower *f);

/** The clock of the store itself, for a follower that reads a copy of it: to be told every second or so, or it counts for
 * nothing. A copy that does not come to it in 5 s is left for the store (decision D4). From any thread. */
void drg_follower_tell_store(struct drg_follower *f, const struct drg_clock *clock);
/** Is what is followed a copy of the store? From any thread. */
bool drg_follower_reads_copy(const struct drg_follower *f);
/** Is the store itself followed because its copy would not do? Nobody else should read that copy then. From any thread. */
bool drg_follower_avoids_copies(const struct drg_follower *f);

/** Look now instead of at the next poll. From any thread. */
void drg_follower_wake(struct drg_follower *f);

/**
 * The catalog of now, NULL while the first load is under way. Inside a read section, and valid until its end:
 * drg_read_lock(); cat = drg_follower_catalog(f); ...; drg_read_unlock().
 */
const struct drg_catalog *drg_follower_catalog(const struct drg_follower *f);

/** How far the catalog has come, and in which history. */
struct drg_followed {
	struct drg_clock clock;
	struct drg_branch
	        branches[64]; /**< newest first: more writers than the store sees in the moment of a commit */
	unsigned n;
};
/** From any thread. */
void drg_follower_followed(struct drg_follower *f, struct drg_followed *ret);
/** Does it have the commit of which @p commit is the clock? Not if it came to that seq in another history. */
bool drg_followed_has(const struct drg_followed *x, const struct drg_clock *commit);
/** All branches of a store, newest first. */
struct drg_branches {
	struct drg_branch *v;
	unsigned n;
};

/** Does the catalog show the commit that @p v names? From any thread. */
enum drg_reached {
	DRG_REACHED,
	DRG_NOT_YET_REACHED, /**< it has not come so far, in whatever history */
	DRG_OTHER_HISTORY /**< it was there, and that commit was another one */
};
enum drg_reached drg_follower_reached(struct drg_follower *f, const struct drg_data_version *v);

struct drg_image_of;

/** What the catalog of now is of, for a snapshot; the caller frees the branches. From any thread. @return DRG_OK; DRG_ENOENT:
 * nothing is loaded; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_follower_image_of(struct drg_follower *f, struct drg_image_of *ret);
/** Of which commit the snapshot is that it has started from; left alone where it has not. From any thread. */
void drg_follower_started_from(struct drg_follower *f, struct drg_clock *ret);
/** Rows that were taken in since the start. From any thread. */
uint64_t drg_follower_rows(const struct drg_follower *f);

/** For how long, in seconds, the catalog may be behind the store: since the last look at that ended. 0 while looks end as soon as
 * they do. From any thread. */
int64_t drg_follower_lag(const struct drg_follower *f);

/** Is the store away, or does it fail? From any thread. */
bool drg_follower_is_cut_off(const struct drg_follower *f);

/** Records that the catalog cannot take in, and without which it goes on. From any thread. */
uint64_t drg_follower_aside(const struct drg_follower *f);

/**
 * Between the two the catalog stands still at what was last published: no record changes, so what is read twice is the
 * same twice. Changes wait meanwhile: for the builder of lists, for one list at a time. To be held before a read
 * section is entered, never inside one.
 */
void drg_follower_hold(struct drg_follower *f);
void drg_follower_let_go(struct drg_follower *f);
