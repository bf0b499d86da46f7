/* src/workbench/undoer.h
 * Undoes batches for requests (decision C7): a thread and a store handle of its own, one batch at a
 * time, so that no reader waits for it. A stop of the server ends it at the next record: what is stored
 * stays, and doing it again completes it. */
#pragma once
#include "decide/batch.h"

struct drg_undoer;

/** A batch to undo. Lives until done(). */
struct drg_undoer_job {
	struct drg_batch_undo u; /**< its `leave` is the undoer's */
	void (*done)(
	        /** called once, on the undoer's thread or by drg_undoer_submit(), with rc and err set */
	        struct drg_undoer_job *j);
	int rc; /**< of drg_batch_undo(), or of opening the store */
	struct drg_clock commit; /**< the store afterwards; seq 0: unknown */
	struct drg_err err;
};

DRG_MUSTCHECK
int drg_undoer_start(const char *store_url, struct drg_undoer **ret, struct drg_err *reterr);
/** The server stops: what runs is left, and nothing more is taken. NULL is fine. */
void drg_undoer_drain(struct drg_undoer *d);
/** Likewise, and end the thread. Nobody submits any more. NULL is fine. */
void drg_undoer_stop(struct drg_undoer *d);

/** done() is called in any case: at once, with DRG_EBUSY, where another one is at work or the server stops. */
void drg_undoer_submit(struct drg_undoer *d, struct drg_undoer_job *j);
