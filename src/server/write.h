/* src/server/write.h
 * The write of a request: a function of a transaction that the writer runs. If the request has a name
 * (decision M24), its answer is made and stored in the same transaction; a repetition gets the same bytes and
 * writes nothing. */
#pragma once
#include "server/idempotency.h"
#include "server/writer.h"

/** One write. Lives until done(). */
struct drg_write {
	struct drg_job job; /**< the caller sets rows and bytes; at the end rc, err and commit are set */
	drg_txn_fn *run, *expect; /**< as in struct drg_job */
	void *ctx; /**< of run, expect and answer */
	void (*done)(struct drg_write *q); /**< called once, as drg_job.done */
	void *owner; /**< of done() */
	/** Called before done() with ctx, by the same thread, if the write is stored and is not a repeated
	 * one; can be NULL. */
	void (*stored)(void *ctx);

	struct drg_retry *retry; /**< NULL: the request has no name, and the next two are not used */
	/** Append the answer; on the writer's thread, after run(). @return whether to store it: not if nothing
	 * was changed, nor if a repetition could achieve more. */
	bool (*answer)(void *ctx, struct drg_buf *out);
	struct drg_buf *out; /**< gets the answer, new or stored */
	bool replayed; /**< the answer is a stored one; nothing was run */
	struct drg_retries *retries; /**< for write.c */
};

/**
 * Queue it. done() is called in any case, perhaps before this returns. From any thread. job.rc is then as
 * struct drg_job says, or DRG_EEXIST: a request of this name is in progress; DRG_EINVAL: the name came with
 * another body before (reason idempotency_mismatch), or the key has had its share kept (too_much_kept);
 * DRG_EINTERNAL, DRG_ENOMEM: the answer cannot be stored.
 */
void drg_write_submit(struct drg_writer *w, struct drg_retries *retries, struct drg_write *q);
