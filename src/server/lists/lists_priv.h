/* src/server/lists/lists_priv.h
 * The reference lists that are kept ready, for the files of this folder. */
#pragma once
#include "server/lists/lists.h"
#include "server/lists/held.h"
#include "server/lists/turns.h"
#include "base/outage.h"
#include "base/worker.h"

struct drg_list_entry {
	struct drg_lru_item used;
	struct drg_list_key key;
	struct drg_held_list *ready; /* NULL before the first build */
	uint64_t version; /* list version of `ready` */
	/* the newest version that `ready` is known to be of, once it is outdated */
	struct drg_data_version at;
	int64_t stale_since_ns; /* since when it is outdated; 0: it is up to date */
	int64_t moved_ns; /* when a change arrived during the build; 0: none did */
	/* when it was last asked for; when it was last moved to the front of the order of use */
	int64_t asked_ns, used_ns;
	int64_t first_ns; /* when it was first built; 0: never */
	int64_t coding_ns[DRG_CODING_COUNT]; /* when it was last asked for in each coding */
	bool wanted; /* requests wait for a build, not only for a coding */
	struct drg_awaited awaited;
	int rc; /* the failure of the last build */
	struct drg_err err;
	int64_t failed_ns; /* when it failed; requests that came before this time get `rc` as their answer */
	bool building;
};

struct drg_lists {
	struct drg_lists_options o;
	struct drg_worker builder; /* its lock protects what follows */
	uint64_t version; /* list version of the last change */
	struct drg_data_version data; /* ... and the version of the data since then that is equal for lists */
	struct drg_lru entries;
	struct drg_turns turns;
	size_t bytes;
	int64_t built; /* how many so far */
	bool draining; /* no request waits any more, except for the list being built */
	struct drg_outage queue; /* requests wait too long, or too many wait */
	int64_t queue_ns; /* when requests last waited too long */
	size_t refused; /* requests refused since the outage began */
	struct drg_list_body body; /* for the builder, kept between builds */
	struct drg_buf coded; /* likewise */
	struct drg_packer *packer; /* likewise; NULL: nothing was compressed lately */
	int64_t built_ns; /* when the last build ended */
	struct drg_durations builds;
	drg_measure failed;
};

/** The present version of the data. Called on the follower's thread, or while that is held. */
uint64_t drg_lists_data_version(const struct drg_lists *l, struct drg_data_version *ret);
DRG_MUSTCHECK
int drg_lists_attach(const struct drg_lists *l, struct drg_held_list *made);
/** A step of the builder's thread. */
int64_t drg_lists_build_next(void *lists);
struct drg_list_entry *drg_lists_awaited(struct drg_awaited *a);
bool drg_lists_is_awaited(const struct drg_list_entry *e);
struct drg_list_entry *drg_lists_newest(const struct drg_lists *l);
struct drg_list_entry *drg_lists_older(const struct drg_list_entry *e);
/** Drop the least recently used lists. @p fresh stays, however large it is: requests that wait for it still
 * have to take it. */
void drg_lists_shrink(struct drg_lists *l, const struct drg_list_entry *fresh);
/** Wake requests. Called without the lock; a request that was woken belongs to its caller again. */
void drg_lists_wake(struct drg_list_waits *waits);
