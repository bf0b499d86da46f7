/* src/import/pipe.h
 * Passes batches through three steps at once: one thread fills them, several threads work on them, and the
 * caller's thread drains them in the order in which they were filled. */
#pragma once
#include "base/err.h"

struct drg_pipe {
	/** Called on the filling thread. @return DRG_OK; DRG_ENOENT: nothing was left, and the batch is
	 * empty; an error. */
	int (*fill)(void *ctx, void *batch, struct drg_err *reterr);
	/** Called on any of the working threads. @param worker  Number of the thread, from 0. */
	int (*work)(void *ctx, unsigned worker, void *batch, struct drg_err *reterr);
	/** Called on the caller's thread. */
	int (*drain)(void *ctx, void *batch, struct drg_err *reterr);
	void *ctx;
	void *const *batches; /**< each batch is in one step at a time */
	unsigned n_batches; /**< at least 1 */
	unsigned n_workers; /**< at least 1 */
};

/**
 * Run until fill() returns DRG_ENOENT or a step fails. When this returns every thread has ended.
 * @return DRG_OK, or the error of the failed step (the first in the order of batches that was seen).
 */
DRG_MUSTCHECK
int drg_pipe_run(const struct drg_pipe *p, struct drg_err *reterr);
