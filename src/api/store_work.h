/* src/api/store_work.h
 * Answers that are read from the store: on a thread of the readers, then written on an http thread, with the
 * catalog of then. */
#pragma once
#include "api/reading.h"
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
