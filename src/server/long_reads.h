/* src/server/long_reads.h
 * Readings of the store that take seconds: exports, files for curators. A bounded number runs at the same
 * time. And SQLite can empty its log only in a moment in which nobody reads, which need never come while
 * readings overlap; the log then grows with every write. So when the log is long, new readings wait until
 * those that run have ended and the writer has emptied it. None waits for a client: what was read is kept in
 * a file (api/file_out.h), and sent when the reading is over. */
#pragma once
#include "base/err.h"
#include "server/writer.h"

struct drg_long_reads;

/** The readings of one sort. */
struct drg_long_pool {
	unsigned max; /**< how many may run */
	unsigned running;
};

/** @param store_url, writer  Outlive it. */
DRG_MUSTCHECK
int drg_long_reads_new(const char *store_url, struct drg_writer *writer, struct drg_long_reads **ret,
                       struct drg_err *reterr);
/** Nobody reads any more. NULL is fine. */
void drg_long_reads_free(struct drg_long_reads *l);

/** Wait for the turn of a reading. Of the turns NULL: nothing happens. */
void drg_long_reads_enter(struct drg_long_reads *l, struct drg_long_pool *p);
void drg_long_reads_leave(struct drg_long_reads *l, struct drg_long_pool *p);

/** A log is long from so many bytes on. It grows further by what is written while readings end. */
enum { DRG_LOG_LONG_BYTES = 96 << 20 };
