/* src/store/txn_run.h
 * Reads and writes that belong together, all or nothing, are one function of a transaction. It reads by
 * drg_txn_store(), writes by drg_txn_put() and the like, and neither begins nor ends the transaction. So a
 * command (drg_txn_run()) and the writer of a server (struct drg_job, server/writer.h) run the same
 * function. */
#pragma once
#include "store/store.h"

/**
 * A function of a transaction.
 * @param ctx  The struct that the header of the function names: the request and, written on DRG_OK only, the
 *             result.
 * @return DRG_OK; anything else: the transaction is rolled back. The function may then run again, in another
 *         transaction.
 */
typedef int drg_txn_fn(void *ctx, struct drg_txn *t, struct drg_err *reterr);

/**
 * Run a function in a transaction of its own: begin, run, commit; roll back if anything fails. For programs
 * that have a store to themselves, such as a command; in a server such functions are jobs of the writer.
 * @return DRG_OK: durable; the code of the function; errors of the store.
 */
DRG_MUSTCHECK
int drg_txn_run(struct drg_store *s, drg_txn_fn *run, void *ctx, struct drg_err *reterr);
