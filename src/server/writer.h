/* src/server/writer.h
 * All writes of the server go through one thread with its own store handle. It takes all queued jobs, runs
 * them in one transaction and commits them with one fsync (group commit). A job is over when its commit is on
 * stable storage and the catalog shows it (decision M9); while the follower applies one group, the next is
 * being written.
 *
 * Faults. A job that fails by itself (not by an error of the store) does not affect other jobs: the jobs of
 * its group are tried once more, each alone. When no transaction can begin (the store is away, another
 * process holds its lock), all queued jobs fail at once. When the commit fails, nothing is tried again: a
 * full disk says that nothing is stored; otherwise the store is opened again, and its clock tells whether it
 * has the commit. A store that was replaced is opened again; commits to the previous one that the catalog
 * does not show yet are then answered as unknown. */
#pragma once
#include "base/measure.h"
#include "server/follower.h"
#include "store/txn_run.h"

struct drg_writer;

/** One unit of work: all of it is stored or nothing. Embedded in the caller's own struct, which lives until
 * done(). */
struct drg_job {
	/**
	 * A function of a transaction (store/txn_run.h) and its argument. It runs on the writer's thread, in
	 * one transaction with other jobs; perhaps once more, alone, after that was undone. If it fails
	 * without having written, and the store has not failed, the others are not affected. If it has
	 * written and then fails, the others run again without it.
	 */
	drg_txn_fn *run;
	void *ctx;
	/** Called once, from a thread of the service or by drg_writer_submit(), when rc and err are final. The
	 * writer then forgets the job. */
	void (*done)(struct drg_job *j);
	size_t rows; /**< about how many rows it writes */
	size_t bytes; /**< of memory that it holds */
	/** bookkeeping of the server itself: no request waits for it, and it ends when it is durable, visible
	 * or not */
	bool own;
	/** Announces what `run` will look up (drg_txn_prefetch()), before the first job of a group runs; may be
	 * NULL. */
	drg_txn_fn *expect;

	/** DRG_OK: durable and visible. DRG_EBUSY with the reason queue_full: nothing was tried; with
	 * not_stored, outcome_unknown or not_visible_yet (decision M23): the store failed, and err explains
	 * it. Else the code of `run`, and nothing is stored. */
	int rc;
	struct drg_err err;

	/* for the writer */
	struct drg_job *next;
	struct drg_clock commit;
	int64_t since_ns;
};

struct drg_writer_options {
	const char *store_url;
	struct drg_follower *follower; /**< its published() is to call drg_writer_published() */
	size_t max_jobs; /**< jobs that wait to be written; 0: 1024 */
	size_t max_bytes; /**< memory that they hold together; 0: 64 MiB */
	size_t max_rows; /**< rows in one transaction, unless one job has more; 0: 10,000 */
	unsigned visible_ms; /**< how long the catalog may take to show a commit; 0: 10,000 */
};

DRG_MUSTCHECK
int drg_writer_start(const struct drg_writer_options *o, struct drg_writer **ret, struct drg_err *reterr);
/** Write the queued jobs, fail those that are not visible in time, and end the thread. Nobody submits any
 * more. NULL is fine. */
void drg_writer_stop(struct drg_writer *w);

/** Queue a job. done() is called in any case, perhaps before this returns: at once if the queue is full. From
 * any thread. */
void drg_writer_submit(struct drg_writer *w, struct drg_job *j);

/** Have the thread empty the log of the store (drg_store_empty_log()) after the group that it writes, and wait
 * until it has tried. For one caller at a time, from any thread but the writer's. */
void drg_writer_empty_log(struct drg_writer *w);

/** Why the last transaction failed, as a word for /readyz ("disk_full", "locked", "away", "failing"); NULL: it
 * did not fail. From any thread. */
const char *drg_writer_failure(const struct drg_writer *w);

/** When a transaction last failed for want of space, by drg_clock_ns(); 0: the last one did not. From any
 * thread. */
int64_t drg_writer_full_ns(const struct drg_writer *w);

/** These words by number; NULL after the last one. */
const char *drg_writer_failure_word(size_t i);

/** Is a write worth trying? Not after a failure, until a transaction could begin again. After a full disk, not
 * for some seconds, since only a write can tell. From any thread. */
bool drg_writer_is_ready(const struct drg_writer *w);

/** How many requests wait until their write is stored and shown. From any thread. */
size_t drg_writer_waiting(struct drg_writer *w);

/** Counts since the start. From any thread. */
struct drg_writer_counts {
	uint64_t jobs; /**< jobs that were committed */
	uint64_t failed; /**< transactions that the store did not begin or commit */
	struct drg_durations_sum commits; /**< durations of COMMIT, which ends on stable storage */
	size_t room; /**< jobs that may wait */
};
void drg_writer_count(const struct drg_writer *w, struct drg_writer_counts *ret);

/** The catalog has a new version. Called on the follower's thread. */
void drg_writer_published(struct drg_writer *w);
