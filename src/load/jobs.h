/* src/load/jobs.h
 * Lists that a server is given (decision C8): loaded as `dragoman load` does it, on a thread of low priority,
 * one at a time. */
#pragma once
#include "base/lanes.h"
#include "load/load.h"

struct drg_loads;

/** A list, and what becomes of it. In the caller's own struct, which lives until ended(). */
struct drg_loading {
	/** What the caller says: adapter, wishes, accept ... why, planned, note, ctx. The rest is filled in
	 * here. */
	struct drg_load_options o;
	struct drg_str file; /**< its bytes */
	const char *name; /**< what people call it */
	/** What is done in the place of drg_load(), with the file at @p path; NULL: that.
	 * @p s is opened for writing. */
	int (*work)(struct drg_loading *l, struct drg_store *s, const char *path, struct drg_err *reterr);
	/** Once, on the thread, when a next one can begin; nothing is touched after it. */
	void (*ended)(struct drg_loading *l);

	int rc; /**< as of drg_load() */
	struct drg_err err; /**< names the file by `name` */
	struct drg_load_sums sums;

	atomic_bool stop; /**< its own: nobody waits for it any more */
	struct drg_lane_item item; /**< its own */
};

struct drg_loads_options {
	const char *store_url;
	const char *dir; /**< for temporary files */
};

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_loads_start(const struct drg_loads_options *o, struct drg_loads **ret, struct drg_err *reterr);
/** From any thread: end what is under way soon, as DRG_ESTOPPED, and begin nothing more. NULL is fine. */
void drg_loads_drain(struct drg_loads *p);
/** From any thread, after it was submitted and before ended(): nobody waits for it any more. If its list is
 * still being read, that ends soon, as DRG_ESTOPPED, and nothing is applied; once all of it was read it goes
 * on to its end. */
void drg_loading_leave(struct drg_loading *l);
/** End the thread. Nobody submits any more. NULL is fine. */
void drg_loads_stop(struct drg_loads *p);

/**
 * From any thread. ended() may be called before this returns.
 * @return DRG_OK; DRG_EBUSY, import_running: another list is being loaded; ended() will not be called.
 */
DRG_MUSTCHECK
int drg_loads_submit(struct drg_loads *p, struct drg_loading *l, struct drg_err *reterr);
