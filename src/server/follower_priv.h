/* src/server/follower_priv.h
 * The follower, for its files: the loop (follower.c), its history (follower_history.c), which copy of the store it reads
 * (follower_store.c), the start from a snapshot (follower_image.c). All functions here are for its thread. */
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
	struct drg_catalog *from_image; /* the thread's: loaded, and not shown yet; NULL */
	bool image_tried;
	struct drg_clock
	        image_clock; /* under the worker's lock: of the snapshot that it has started from; epoch "": none */
	_Atomic int64_t current_us; /* wall clock when the catalog was last seen to be what the store has */
	_Atomic uint64_t rows; /* taken in */
	struct drg_store *store; /* the thread's; NULL while it is away */
	bool listens; /* commits are announced to that */
	int wake; /* eventfd: can be read when there is something to look at */
	_Atomic int from; /* enum drg_read_from: what that is */
	int64_t copy_again_ns; /* from DRG_FROM_STORE_INSTEAD: when a copy is tried again */
	struct drg_clock aim; /* from a copy: the store's, to which it has to come */
	bool aim_behind; /* the store was told to be behind the catalog, each time since */
	int64_t aim_ns; /* since when; 0: no aim */
	_Atomic(struct drg_catalog *) catalog;
	pthread_rwlock_t
	        still; /* written while records are applied, read by those who need them to stand still */
	struct drg_worker worker;
	_Atomic bool stopping; /* a load asks for it at each record */
	/* Under the worker's lock; the thread, which alone changes them, reads them without. */
	struct drg_followed followed;
	struct drg_branches branches; /* all of them */
	struct drg_clock told; /* under the worker's lock: the store's own, drg_follower_tell_store() */
	int64_t told_ns; /* when; 0: never */
	bool told_behind; /* the catalog was ahead of it then */
	_Atomic bool cut_off;
	struct drg_aside aside; /* the thread's: what the catalog has not taken in */
	size_t most_adapters; /* in this catalog, at any look */
	uint64_t aside_told; /* so many were logged */
	_Atomic uint64_t aside_count;
	int64_t behind_since_ns; /* a copy of the store is behind the catalog; 0: it is not */
	unsigned failures; /* looks in a row that failed */
	struct drg_outage outage;
};

/* ---- follower_history.c ---------------------------------------------------------------------------------- */

/** The catalog shows the commit of @p clock from now on. Takes @p all, every branch of the store, over. */
void drg_follower_note_commit(struct drg_follower *f, const struct drg_clock *clock,
                              const struct drg_branches *all);
/** Likewise, of what the store has told. Where its branches cannot be had, they are asked for again when the next commit
 * is shown. @return DRG_OK; DRG_ENOMEM; errors of the store. */
DRG_MUSTCHECK
int drg_follower_note_shown(struct drg_follower *f, const struct drg_clock *clock, struct drg_err *reterr);
/** Is what the clock tells of a continuation of what the catalog has? @return DRG_OK; errors of the store. */
DRG_MUSTCHECK
int drg_follower_find_history(struct drg_follower *f, const struct drg_clock *clock, bool *ret_same,
                              struct drg_err *reterr);

/* ---- follower_store.c ------------------------------------------------------------------------------------ */

/** Open what is followed. @param wait_ms  For a copy that has not come so far. */
DRG_MUSTCHECK
int drg_follower_open_store(struct drg_follower *f, unsigned wait_ms, struct drg_err *reterr);
/** See whether what is followed will do: leave a copy that does not follow the store, and come back to one that does.
 * @param clock  Of f->store, as read a moment ago; of another one if that is followed now. */
DRG_MUSTCHECK
int drg_follower_choose_store(struct drg_follower *f, struct drg_clock *clock, struct drg_err *reterr);

/* ---- follower_image.c ------------------------------------------------------------------------------------ */

/** Load the snapshot, if there is one that fits the store; not shown yet. Once, before the first load: what is wrong
 * with it is logged, and then it counts for nothing. */
void drg_follower_start_from_image(struct drg_follower *f);
/** Show the catalog of the snapshot: it has come as far as it can. */
void drg_follower_show_image(struct drg_follower *f);
/** The catalog of the snapshot has come to what the store has, or (@p same false) turns out to be of another history. */
void drg_follower_leave_image(struct drg_follower *f, bool same);
