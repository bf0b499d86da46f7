/* src/api/store_work.h
 * Answers that are read from the store: on a thread of the readers, then written on an http thread, with the
 * catalog of then. */
#pragma once
#include "api/reading.h"
#include "server/readers.h"
#include "store/store.h"

/** On a thread of the readers, outside any read section; perhaps once more, from the beginning.
 * @param arena  Of the exchange: what write() needs is kept in it.
 * @return as struct drg_read_job says. */
typedef int drg_store_work_fn(void *work, struct drg_store *s, struct drg_arena *arena,
                              struct drg_err *reterr);

/** Read, then write. To be returned by the handler. @param work  In the arena of the exchange. @param run  A
 * failure is the answer. */
DRG_MUSTCHECK
int drg_store_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work);

/** As drg_store_work_run(), for a slow read: one that can take seconds because it scans a large part of
 * the store. Slow reads have their own threads, so that customers' reads do not wait for curators'. The
 * queue is short, keys and users take turns, and a read is skipped if its client has disconnected. The
 * response can be 503 `busy`. */
DRG_MUSTCHECK
int drg_slow_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work);

struct drg_slow_reads;

/** The most slow reads that can wait or run: in all, and for one key or user. */
enum { DRG_SLOW_READS_MAX = 16, DRG_SLOW_READS_EACH = 4 };

/** @param readers  The numbers of threads and jobs are set here. */
DRG_MUSTCHECK
int drg_slow_reads_start(const struct drg_readers_options *readers, struct drg_slow_reads **ret,
                         struct drg_err *reterr);
/** Free the threads. Stop the connections first. NULL is fine. */
void drg_slow_reads_stop(struct drg_slow_reads *p);
/** Prepare for the server's stop: slow reads that have not started get a 503. From any thread; NULL is
 * fine. */
void drg_slow_reads_drain(struct drg_slow_reads *p);
