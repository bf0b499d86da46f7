/* src/server/own_job.h
 * Gives the writer (server/writer.h) a job of the server's own bookkeeping and waits for its end. For threads
 * that have nothing else to do. */
#pragma once
#include "server/writer.h"

/** @param rows  About how many rows the job writes. @return the job's rc; DRG_EBUSY: the queue is full. */
DRG_MUSTCHECK
int drg_own_job_run(struct drg_writer *w, drg_txn_fn *run, void *ctx, size_t rows, struct drg_err *reterr);
