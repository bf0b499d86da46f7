/* src/load/jobs.h
 * Loads lists that a server is given (decision C8), as `dragoman load` does, on a thread of low priority, one
 * at a time. */
#pragma once
#include "base/lanes.h"
#include "load/load.h"

struct drg_loads;

/** A list to load, and the outcome. It is a part of the caller's own struct, which lives until ended(). */
struct drg_loading {
	/** The caller sets adapter, wishes, accept ... why, planned, note, ctx. This code fills in the
	 * rest. */
	struct drg_load_options o;
	struct drg_str file; /**< the bytes of the list */
	const char *name; /**< the name that people know it by */
	/** Called instead of drg_load(), with the file at @p path; NULL: drg_load() is called.
	 * @p s is opened for writing. */
	int (*work)(struct drg_loading *l, struct drg_store *s, const char *path, struct drg_err *reterr);
	/** Called once, on the thread, when the next list can begin; the struct is not touched afterwards. */
	void (*ended)(struct drg_loading *l);

	int rc; /**< code of drg_load() */
	struct drg_err err; /**< calls the file `name` */
	struct drg_load_sums sums;
	struct drg_clock commit; /**< the store once the list was loaded; seq 0: unknown */

	atomic_bool stop; /**< used by this code: nobody waits for the list any more */
	struct drg_lane_item item; /**< used by this code */
};

struct drg_loads_options {
	const char *store_url;
	const char *dir; /**< folder of temporary files */
};

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_loads_start(const struct drg_loads_options *o, struct drg_loads **ret, struct drg_err *reterr);
/** From any thread: end the load in progress soon, as DRG_ESTOPPED, and begin no other. NULL is fine. */
void drg_loads_drain(struct drg_loads *p);
/** The caller no longer waits for a list. From any thread, after it was submitted and before ended(). If the
 * list is still being read, that ends soon, as DRG_ESTOPPED, and nothing is applied; a list that was read
 * completely is loaded to its end. */
void drg_loading_cancel(struct drg_loading *l);
/** End the thread. Nobody may submit any more. NULL is fine. */
void drg_loads_stop(struct drg_loads *p);

/**
 * Submit a list. From any thread. ended() may be called before this returns.
 * @return DRG_OK; DRG_EBUSY, import_running: another list is being loaded; ended() will not be called.
 */
DRG_MUSTCHECK
int drg_loads_submit(struct drg_loads *p, struct drg_loading *l, struct drg_err *reterr);
