/* src/store/txn_run.h
 * What is read and written together, all of it or nothing, is a function of a transaction. It reads by
 * drg_txn_store(), writes by drg_txn_put() and its like, and neither begins nor ends the transaction. So a
 * command (drg_txn_run()) and the writer of a server (struct drg_job, server/writer.h) run one and the same
 * function. */
#pragma once
#include "store/store.h"

/**
 * @param ctx  The struct that the header of the function names: what is asked for, and, written on DRG_OK
 *             only, what came of it.
 * @return DRG_OK; anything else: the transaction is to be rolled back. It may then be run again, in another
 *         one.
 */
typedef int drg_txn_fn(void *ctx, struct drg_txn *t, struct drg_err *reterr);

/**
 * A transaction of its own: begin, run, commit; undo if anything fails. For whoever has a store to himself,
 * such as a command; within a server they are jobs of its writer.
 * @return DRG_OK: durable; what the function returned; errors of the store.
 */
DRG_MUSTCHECK
int drg_txn_run(struct drg_store *s, drg_txn_fn *run, void *ctx, struct drg_err *reterr);
