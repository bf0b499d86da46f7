/* src/server/follower_priv.h
 * The follower, for its files: the loop (follower.c), its history (follower_history.c), which copy of the
 * store it reads (follower_store.c), the start from a snapshot (follower_image.c). All functions here are
 * called on its thread. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>

#include "base/outage.h"
#include "base/worker.h"
#include "server/aside.h"
#include "server/copies.h"
#include "server/follower.h"

struct drg_follower {
	struct drg_follower_options o;
	char *url, *image_path;
	struct drg_catalog *from_image; /* for the thread: loaded, not published yet; NULL: none */
	bool image_tried;
	/* under the worker's lock: clock of the snapshot that it started from; epoch "": none */
	struct drg_clock image_clock;
	_Atomic int64_t current_us; /* wall clock when the catalog was last known to equal the store */
	_Atomic int64_t answered_ns; /* when the store has answered a look last */
	_Atomic uint64_t rows; /* applied so far */
	struct drg_store *store; /* for the thread; NULL: not open */
	bool listens; /* the store announces commits on this handle */
	int wake; /* eventfd: readable when there is something to do; -1: the store announces nothing */
	_Atomic int from; /* enum drg_read_from: which server `store` is */
	int64_t copy_again_ns; /* with DRG_FROM_STORE_INSTEAD: when a copy is tried again */
	struct drg_clock aim; /* with a copy: the clock of the store that the copy must reach */
	bool aim_behind; /* since `aim` was set, the store was always behind the catalog */
	int64_t aim_ns; /* when `aim` was set; 0: there is no aim */
	_Atomic(struct drg_catalog *) catalog;
	/* write-locked while records are applied; readers hold it to keep the catalog unchanged */
	pthread_rwlock_t still;
	struct drg_worker worker;
	_Atomic bool stopping; /* a load checks it at each record */
	/* Under the worker's lock: a thread is looking at the store, and is "the thread" of the other members;
	 * the follower's thread waits for its end. */
	bool busy, awaited;
	/* Protected by the worker's lock. Only the follower's thread changes these members, so it reads them
	 * without the lock. */
	struct drg_follower_position followed;
	struct drg_branches branches; /* all of them */
	struct drg_clock
	        reported; /* under the worker's lock: the clock from drg_follower_set_store_clock() */
	int64_t reported_ns; /* when `reported` came; 0: never */
	bool reported_behind; /* the catalog was ahead of `reported` when that came */
	/* under the worker's lock: the commits after `before` up to `commit` have changed records of these
	 * types only; types == 0: unknown */
	struct drg_follower_expected {
		int64_t before;
		struct drg_clock commit;
		unsigned types;
	} expected;
	_Atomic bool cut_off;
	struct drg_aside aside; /* for the thread: records that the catalog refused */
	size_t most_adapters; /* the most adapters that this catalog had at any look */
	uint64_t aside_logged; /* how many quarantined records were logged */
	_Atomic uint64_t aside_count;
	int64_t behind_since_ns; /* since when a copy is behind the catalog; 0: it is not */
	unsigned failures; /* failed looks in a row */
	struct drg_outage outage;
};

/* ---- follower_history.c ---------------------------------------------------------------------------------- */

/** Note that the catalog shows the commit @p clock from now on. Takes over @p all, every branch of the
 * store. */
void drg_follower_note_commit(struct drg_follower *f, const struct drg_clock *clock,
                              const struct drg_branches *all);
/** Note that the catalog shows the commit @p clock from now on, and read the branches from the store. If that
 * fails they are read again when the next commit is shown. @return DRG_OK; DRG_ENOMEM; errors of the
 * store. */
DRG_MUSTCHECK
int drg_follower_note_shown(struct drg_follower *f, const struct drg_clock *clock, struct drg_err *reterr);
/** Does the store's clock continue the catalog's history? @return DRG_OK; errors of the store. */
DRG_MUSTCHECK
int drg_follower_find_history(struct drg_follower *f, const struct drg_clock *clock, bool *ret_same,
                              struct drg_err *reterr);

/* ---- follower_store.c ------------------------------------------------------------------------------------ */

/** Open the store or a copy. @param wait_ms  How long to wait for a copy that is late. */
DRG_MUSTCHECK
int drg_follower_open_store(struct drg_follower *f, unsigned wait_ms, struct drg_err *reterr);
/** Check whether the server that is followed is fit: leave a copy that does not keep up with the store, and
 * return to one that does.
 * @param clock  Of f->store, as read a moment ago; set to another one if another server is followed now. */
DRG_MUSTCHECK
int drg_follower_choose_store(struct drg_follower *f, struct drg_clock *clock, struct drg_err *reterr);

/* ---- follower_image.c ------------------------------------------------------------------------------------ */

/** Load the snapshot, if one fits the store; it is not published yet. Called once, before the first load. A
 * snapshot with an error is logged and ignored. */
void drg_follower_start_from_image(struct drg_follower *f);
/** Publish the catalog of the snapshot. */
void drg_follower_show_image(struct drg_follower *f);
/** End the start from a snapshot: its catalog has reached the store's clock, or (@p same false) turned out to
 * be of another history. */
void drg_follower_leave_image(struct drg_follower *f, bool same);

/* ---- follower_load.c ---- */

struct drg_follower_apply {
	struct drg_follower *f;
	struct drg_catalog *cat;
	struct drg_aside *aside;
	uint64_t rows;
	struct drg_err *err;
	bool first; /* applying the types that come first */
	struct drg_load_progress *progress; /* NULL: this is not a load */
};

DRG_MUSTCHECK
int drg_follower_apply_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m);
DRG_MUSTCHECK
int drg_follower_publish(struct drg_catalog *cat, const struct drg_clock *commit, struct drg_err *err);
/** Load a new catalog in the fastest way that the engine has. */
DRG_MUSTCHECK
int drg_follower_load(struct drg_follower *f, struct drg_aside *aside, struct drg_catalog **ret,
                      struct drg_clock *ret_clock, struct drg_err *err);
void drg_follower_call_changed(struct drg_follower *f, const struct drg_record *r);
