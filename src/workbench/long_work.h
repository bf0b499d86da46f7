/* src/workbench/long_work.h
 * What takes long over HTTP: on the thread that loads lists, one at a time (decision C8). For people who have
 * signed in: what is done is not of one supplier. */
#pragma once
#include "api/reading.h"
#include "load/jobs.h"

struct drg_long_work {
	/** On the thread. @param path  Where the body of the request is. */
	int (*run)(struct drg_long_work *w, struct drg_store *s, const char *path, struct drg_err *reterr);
	/** On an http thread, when run() went well. */
	drg_reading_fn *write; /**< with the work */
	struct drg_str by, why;
	const char *name; /**< of the file, for people */
	bool changes; /**< it may have changed something */

	/* Its own. */
	struct drg_exchange *x;
	struct drg_loading l;
	int rc; /**< of the queueing */
	struct drg_err err;
};

/** Suspend, run and answer; who does it is filled in. To be returned by the handler.
 * @param w  In the arena of the exchange. */
DRG_MUSTCHECK
int drg_long_work(struct drg_exchange *x, struct drg_long_work *w);
