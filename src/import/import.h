/* src/import/import.h
 * Files of records into the store (docs/interchange.md), in three steps:
 *   checking   every row is read and validated, by several threads, and spooled; nothing is written yet
 *   comparing  references, removals and unique values of the whole import are checked against import and store
 *   applying   the spool goes into the store, sorted in windows (import/window.h), in short transactions
 * Memory is bounded whatever the size of the files. An interrupted import is completed by running it again:
 * rows that are stored already do not change. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include "model/csv.h"
#include "model/record.h"

enum drg_import_step { DRG_IMPORT_CHECKING, DRG_IMPORT_COMPARING, DRG_IMPORT_APPLYING };

struct drg_import_batch;

/** Records from somewhere else than the files, which only have the names for messages. */
struct drg_record_feed {
	/**
	 * Give the next ones by drg_import_give(), as many as are at hand. Called on a thread of the import's
	 * own.
	 * @return DRG_OK; DRG_ENOENT: there are no more; what went wrong.
	 */
	int (*next)(void *ctx, struct drg_import_batch *to, struct drg_err *reterr);
	void *ctx;
};
/** @param r  Complete and valid, as drg_ndjson_read() makes it; copied. @param file  Its number. */
void drg_import_give(struct drg_import_batch *to, const struct drg_record *r, uint32_t file, uint64_t line);

struct drg_import_options {
	const char *store_url; /**< NULL: nothing is stored yet; for a dry run */
	const char *dir; /**< for temporary files */
	const char *const *files; /**< "-" is standard input */
	const char *const *names; /**< what the batch calls them; NULL: as they are given */
	size_t n_files;
	const struct drg_csv_options *csv; /**< NULL: NDJSON */
	const struct drg_record_feed *feed; /**< gives the records instead of the files; NULL: the files do */
	bool keep_going; /**< apply the good rows although there are bad ones */
	bool dry_run; /**< check and compare only; the store need not exist */
	enum drg_batch_what what; /**< of the batch that it becomes (decide/ledger.h) */
	struct drg_str by, why; /**< empty: not said */
	bool remember; /**< sources that are there again have the mapping that they had */
	const char *rejects; /**< where bad rows go, as they were; NULL: nowhere */
	unsigned threads; /**< 0: one per core */
	const atomic_bool
	        *stop; /**< once it is true the import ends soon, between two transactions; NULL: never */

	/** Told of the first DRG_IMPORT_SHOWN bad rows. */
	void (*bad_row)(void *ctx, const char *file, uint64_t line, const struct drg_err *e);
	/** Told often. CHECKING counts bytes, the others records; @p total 0: not known. */
	void (*progress)(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total);
	void *ctx;
};
enum { DRG_IMPORT_SHOWN = 100 };

struct drg_import_sums {
	uint64_t rows; /**< not blank ones */
	uint64_t bad; /**< rejected rows, or rows that would be */
	uint64_t by_type[DRG_TYPE_COUNT]; /**< good rows */
	uint64_t created, changed, same, deleted;
	int64_t batch; /**< its number; 0: nothing changed */
	double seconds;
};

/** Is the file at @p path one of these? Opening it for writing would empty it. */
bool drg_import_reads(const char *const *files, size_t n, const char *path);

/**
 * @param ret  Filled as far as the import came, also when it fails.
 * @return DRG_OK; DRG_EINVAL: there are bad rows and keep_going is off, nothing was applied; DRG_EBUSY:
 *         another import runs; DRG_ESTOPPED: by `stop`; DRG_EFULL, DRG_EIO ...: what happened, and whether a
 *         part was applied, is in the message.
 */
DRG_MUSTCHECK
int drg_import(const struct drg_import_options *o, struct drg_import_sums *ret, struct drg_err *reterr);
