/* src/server/readers.h
 * Reading the store while serving: a few threads with a store handle each, and a bounded queue of jobs before them. For
 * what the catalog does not keep; http threads never read the store themselves, they suspend the exchange and submit a
 * job (api/hotel_description.c shows how). One pool serves all who read: drg_app has it.
 *
 * The jobs of one key are begun in the order in which they came, those of several keys in turn; no key has more than its
 * share of the queue, nor all of the threads. A long job occupies a thread: cut long readings into several jobs. */
#pragma once
#include "base/lanes.h"
#include "server/follower.h"

struct drg_readers;

/** One reading. Embedded in the caller's own struct, which lives until done(). */
struct drg_read_job {
	/**
	 * On a thread of the pool, outside any read section. Perhaps once more, from the beginning: when the store
	 * failed on a handle that was open for long, a fresh one is tried.
	 * @param s  For this call only.
	 * @return DRG_OK; DRG_ENOENT, DRG_EINVAL, DRG_ELIMIT, DRG_ENOMEM: the job's own result, handed through as it is;
	 *         anything else: the store has failed.
	 */
	int (*run)(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr);
	/** Called once, on a thread of the pool, when rc and err are final. The pool then forgets the job. */
	void (*done)(struct drg_read_job *j);

	int rc; /**< what run() returned; DRG_EBUSY "store_away": the store cannot be read, in words for clients */
	struct drg_err err;

	struct drg_lane_item
	        item; /**< owner: the key that asks, see drg_exchange_key_id(); the rest is the pool's own */
};

struct drg_readers_options {
	const char *store_url;
	struct drg_follower *
	        follower; /**< no copy of the store is read that is not as far as its catalog; NULL: any may be */
	unsigned threads; /**< 0: 2 */
	size_t max_jobs; /**< that wait or run; 0: 4096 */
	size_t max_each; /**< of one key; 0: a quarter of them */
	bool odd_words; /**< run() looks at drg_record_wordless() by itself: see drg_store_give_odd_words() */
	bool all_threads; /**< One key may have every thread at one time. false: one is left for others, if there are two. */
};

/** Each thread opens the store at its first job, and at the next one after a failure; a database's handle it borrows for each job
 * (drg_store_borrow()): a server has a dozen threads, and most are never asked. The files of their handles are reserved beside those of connections (cli/serve_http.c). */
DRG_MUSTCHECK
int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr);
/** Do what is queued, end the threads. Nobody submits any more. NULL is fine. */
void drg_readers_stop(struct drg_readers *p);

/**
 * Queue a job; done() may be called before this returns. From any thread.
 * @return DRG_OK; DRG_EBUSY: the queue is full, or the key has its share; done() will not be called, and rc and err of
 *         the job say so.
 */
DRG_MUSTCHECK
int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j);
