/* src/server/write.h
 * What a request writes: a function of a transaction that the writer runs. Where the request has a name (decision M24) its answer is made
 * and kept in that transaction, and a repetition gets the same bytes and writes nothing. */
#pragma once
#include "server/idempotency.h"
#include "server/writer.h"

/** One write. Lives until done(). */
struct drg_write {
	struct drg_job job; /**< rows and bytes are the caller's; then rc, err and commit say how it ended */
	drg_txn_fn *run, *expect; /**< as those of struct drg_job */
	void *ctx; /**< of run, expect and answer */
	void (*done)(struct drg_write *q); /**< called once, as drg_job.done */

	struct drg_retry *retry; /**< NULL: the request has no name; the next two are then not used */
	/** On the writer's thread, after run(): append the answer. @return may it be kept? Not if a repetition may find more possible. */
	bool (*answer)(void *ctx, struct drg_buf *out);
	struct drg_buf *out; /**< gets the answer, be it a kept one */
	bool replayed; /**< it is a kept one, and nothing was run */
	struct drg_retries *retries; /**< this file's own */
};

/**
 * Queue it. done() is called in any case, perhaps before this returns. From any thread.
 * Then job.rc is as struct drg_job says, or DRG_EEXIST: a request of this name is under way; DRG_EINVAL: the name came with another body
 * before (reason idempotency_mismatch); DRG_EINTERNAL, DRG_ENOMEM: the answer cannot be kept.
 */
void drg_write_submit(struct drg_writer *w, struct drg_retries *retries, struct drg_write *q);
