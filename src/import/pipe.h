/* src/import/pipe.h
 * Batches through three steps at once: one thread fills them, several work on them, the caller's thread takes
 * them out in the order in which they were filled. */
#pragma once
#include "base/err.h"

struct drg_pipe {
	/** Filling thread. @return DRG_OK; DRG_ENOENT: there was nothing left and the batch is empty; an
	 * error. */
	int (*fill)(void *ctx, void *batch, struct drg_err *reterr);
	/** Any of the working threads. @param worker  Its number, from 0. */
	int (*work)(void *ctx, unsigned worker, void *batch, struct drg_err *reterr);
	/** The caller's thread. */
	int (*drain)(void *ctx, void *batch, struct drg_err *reterr);
	void *ctx;
	void *const *batches; /**< each is in one step at a time */
	unsigned n_batches; /**< at least 1 */
	unsigned n_workers; /**< at least 1 */
};

/**
 * Run until fill says that nothing is left, or a step fails; then every thread has ended.
 * @return DRG_OK, or what the failing step returned (the first in the order of batches that was seen).
 */
DRG_MUSTCHECK
int drg_pipe_run(const struct drg_pipe *p, struct drg_err *reterr);
