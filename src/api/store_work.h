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

/** As drg_store_work_run(), for a reading that can take seconds because it looks at a large part of the store.
 * Such readings have threads of their own, so that customers' readings do not wait for those of curators. Few
 * can wait, keys and users take turns, and what nobody waits for any more is not read. The answer may be 503
 * `busy`. */
DRG_MUSTCHECK
int drg_slow_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work);

struct drg_slow_reads;

/** How many readings can wait or run: of all, and of one key or user. */
enum { DRG_SLOW_READS_MAX = 16, DRG_SLOW_READS_EACH = 4 };

/** @param readers  How many threads and jobs is set here. */
DRG_MUSTCHECK
int drg_slow_reads_start(const struct drg_readers_options *readers, struct drg_slow_reads **ret,
                         struct drg_err *reterr);
/** Stop the connections first. NULL is fine. */
void drg_slow_reads_stop(struct drg_slow_reads *p);
/** The server stops: what has not begun ends with a 503. From any thread; NULL is fine. */
void drg_slow_reads_drain(struct drg_slow_reads *p);
