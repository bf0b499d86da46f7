/* src/server/readers.h
 * Reads the store for requests: a few threads with a store handle each, and a bounded queue of jobs. For data
 * that the catalog does not keep. http threads never read the store; they suspend the exchange and submit a
 * job (api/hotel_description.c shows how). All requests share one pool, which drg_app has.
 *
 * The jobs of one key begin in the order in which they came; several keys take turns. No key gets more than
 * its share of the queue, or all threads. A long job occupies a thread: cut long readings into several jobs. */
#pragma once
#include "base/lanes.h"
#include "server/follower.h"
#include "server/long_reads.h"

struct drg_readers;

/** One reading. Embedded in the caller's own struct, which lives until done(). */
struct drg_read_job {
	/**
	 * Runs on a thread of the pool, outside any read section. It may run twice, from the beginning: if
	 * the store fails on a handle that was open for long, a fresh one is tried.
	 * @param s  For this call only.
	 * @return DRG_OK; DRG_ENOENT, DRG_EINVAL, DRG_ELIMIT, DRG_ENOMEM: the job's own result; anything
	 *         else: the store has failed.
	 */
	int (*run)(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr);
	/** Called on the same thread if run() returned DRG_OK, when nothing of the store is held any more; the
	 * job keeps its place meanwhile. For what waits for a client. NULL: nothing. */
	void (*then)(struct drg_read_job *j);
	/** Called once, on a thread of the pool, when rc and err are final. The pool then forgets the job. */
	void (*done)(struct drg_read_job *j);

	/** what run() returned; DRG_EBUSY "store_away": the store cannot be read, and err says so in words for
	 * clients */
	int rc;
	struct drg_err err;

	/** owner: the key of the request, see drg_exchange_key_id(); the rest is for the pool */
	struct drg_lane_item item;
};

struct drg_readers_options {
	const char *store_url;
	/** a copy of the store is read only if it is as far as this catalog; NULL: any copy */
	struct drg_follower *follower;
	unsigned threads; /**< 0: 2 */
	size_t max_jobs; /**< jobs that wait or run; 0: 4096 */
	size_t max_each; /**< of one key; 0: a quarter of them */
	/** run() checks drg_record_find_unknown_enum() itself: see drg_store_allow_unknown_enums() */
	bool odd_words;
	/** one key may have every thread at once; false: one is left for others, if there are two */
	bool all_threads;
	/** run() takes seconds: threads begin it as @p turns lets those of @p sort, which may have the threads
	 * of several readers, and other threads go first (nice 10); NULL: at once */
	struct drg_long_reads *turns;
	struct drg_long_pool *sort;
};

/** Start the threads. Each opens the store at its first job, and again after a failure. The handle of a
 * database is borrowed for each job (drg_store_borrow()): a server has a dozen threads, and most have no job.
 * The files of the handles are reserved beside those of connections (cli/serve_http.c). */
DRG_MUSTCHECK
int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr);
/** Do the queued jobs, then end the threads. Nobody submits any more. NULL is fine. */
void drg_readers_stop(struct drg_readers *p);

/**
 * Queue a job; done() may be called before this returns. From any thread.
 * @return DRG_OK; DRG_EBUSY: the queue is full, or the key has its share; done() will not be called, and rc
 *         and err of the job say so.
 */
DRG_MUSTCHECK
int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j);
