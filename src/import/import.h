/* src/import/import.h
 * Imports files of records into the store (docs/interchange.md), in three steps:
 *   checking   every row is read and validated, by several threads, and spooled; nothing is written yet
 *   comparing  references, removals and unique values of the whole import are checked against import and store
 *   applying   the spool is written to the store, sorted in windows (import/window.h), in short transactions
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

/** Gives the records of an import, instead of the files. The files then only have names, for messages. */
struct drg_record_feed {
	/**
	 * Give the next records by drg_import_append(), as many as are available. Called on a thread of the
	 * import.
	 * @return DRG_OK; DRG_ENOENT: there are no more; any other error.
	 */
	int (*next)(void *ctx, struct drg_import_batch *to, struct drg_err *reterr);
	void *ctx;
};
/** Give a record. @param r  Complete and valid, as drg_ndjson_read() makes it; copied. @param file  Number of
 * its file. @param asks  If it loses its mapping by this it is an open question again, as after an undoing. */
void drg_import_append(struct drg_import_batch *to, const struct drg_record *r, uint32_t file, uint64_t line,
                       bool asks);

struct drg_import_options {
	const char *store_url; /**< NULL: nothing is stored yet; for a dry run */
	const char *dir; /**< for temporary files */
	const char *const *files; /**< "-" is standard input */
	const char *const *names; /**< names of the files in the batch; NULL: as in `files` */
	size_t n_files;
	const struct drg_csv_options *csv; /**< NULL: NDJSON */
	/** gives the records instead of the files; NULL: they are read from the files */
	const struct drg_record_feed *feed;
	bool keep_going; /**< apply the good rows although there are bad ones */
	bool dry_run; /**< check and compare only; the store need not exist */
	enum drg_batch_what what; /**< of the batch that the import becomes (decide/ledger.h) */
	struct drg_str by, why; /**< empty: not said */
	bool remember; /**< a source that exists again is mapped as it was before */
	const char *rejects; /**< the file for rejected rows, unchanged; NULL: they are dropped */
	unsigned threads; /**< 0: one per core */
	/** if it becomes true the import ends soon, between two transactions; NULL: it cannot be stopped */
	const atomic_bool *stop;

	/** Called for the first DRG_IMPORT_SHOWN bad rows. */
	void (*bad_row)(void *ctx, const char *file, uint64_t line, const struct drg_err *e);
	/** Called often. In the step CHECKING it counts bytes, in the others records; @p total 0: not
	 * known. */
	void (*progress)(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total);
	void *ctx;
};
enum { DRG_IMPORT_SHOWN = 100 };

struct drg_import_sums {
	uint64_t rows; /**< without blank rows */
	uint64_t bad; /**< rejected rows; in a dry run rows that would be rejected */
	uint64_t by_type[DRG_TYPE_COUNT]; /**< good rows */
	uint64_t created, changed, same, deleted;
	int64_t batch; /**< its number; 0: nothing changed */
	double seconds;
};

/** Is @p path one of the files? If so it must not be opened for writing, which would empty it. */
bool drg_import_reads(const char *const *files, size_t n, const char *path);

/**
 * Run an import.
 * @param ret  Filled as far as the import came, also when it fails.
 * @return DRG_OK; DRG_EINVAL: there are bad rows and keep_going is off, and nothing was applied; DRG_EBUSY:
 * another import runs; DRG_ESTOPPED: by `stop`; DRG_EFULL, DRG_EIO ...: the message says what happened, and
 * whether a part was applied.
 */
DRG_MUSTCHECK
int drg_import(const struct drg_import_options *o, struct drg_import_sums *ret, struct drg_err *reterr);
