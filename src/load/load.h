/* src/load/load.h
 * Lists of suppliers into the store: `dragoman load` (decisions P3 to P5). Each row is compared with what is
 * stored before anything is written, so the same run tells what would happen and does it. The writing is an
 * import's (import/import.h). */
#pragma once
#include "import/import.h"
#include "load/plan.h"

/** What becomes of a row, for a report. */
enum drg_load_what {
	DRG_LOAD_NEW,
	DRG_LOAD_CHANGED, /**< one for each field */
	DRG_LOAD_CLEARED, /**< likewise: a value that is there and that the file has empty */
	DRG_LOAD_GONE,
	DRG_LOAD_UNMAPPED, /**< a mapping that the file takes away */
	DRG_LOAD_TWICE, /**< an id that came already; the later row decides */
	DRG_LOAD_REJECTED,
	DRG_LOAD_WARNED, /**< a value that is left out; `to` has why */
	DRG_LOAD_SKIPPED, /**< a row that is no record: a title, a total; `to` has why */
	DRG_LOAD_KEPT, /**< what a complete list lacks, and what is not removed since rows were rejected */
	DRG_LOAD_WHATS
};
extern const char *const drg_load_words[DRG_LOAD_WHATS];

struct drg_load_note {
	enum drg_load_what what;
	enum drg_kind kind;
	struct drg_str id, name;
	const char *field; /**< CHANGED, CLEARED; else "" */
	struct drg_str from, to; /**< REJECTED, WARNED, SKIPPED: `to` has the reasons */
	const char *file;
	uint64_t line; /**< 0: of no row */
};

struct drg_load_options {
	const char *store_url, *dir;
	int64_t adapter;
	const char *const *files;
	const char *const
	        *names; /**< what people call the files, for messages and the batch; NULL: their paths */
	size_t n_files;
	struct drg_plan_wishes wishes;
	bool accept; /**< store what is proposed, and take a file whose ids are not known */
	bool dry_run, keep_going;
	bool complete; /**< what the files lack is gone; also if the profile says so */
	bool accept_rejected; /**< though rows were rejected or lack an id: any of them may be one of these */
	double max_gone; /**< per cent of what is stored of a kind */
	const char *rejects; /**< NULL: nowhere */
	const atomic_bool *stop; /**< as of struct drg_import_options */
	const atomic_bool *
	        stop_reading; /**< once it is true the reading ends soon, what was read goes on; NULL: never */
	struct drg_str by, why; /**< empty: not said */

	/** A file was opened; its sheet is the plan's business. */
	void (*planned)(void *ctx, const struct drg_plan *p);
	/** Every single thing that happens, on another thread, one at a time; borrowed. */
	void (*note)(void *ctx, const struct drg_load_note *n);
	void (*progress)(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total);
	void *ctx;
};

struct drg_load_sums {
	uint64_t rows, rejected;
	uint64_t skipped, /**< rows that are no records */
	        warned; /**< rows of which a value was left out */
	struct drg_load_kind_sums {
		uint64_t added, changed, same, gone;
	} kinds[DRG_KIND_SOURCE_COUNT];
	uint64_t cleared, unmapped, twice;
	uint64_t fields[DRG_F_COUNT]; /**< changed, by enum drg_field of a source */
	uint64_t merged,
	        /** ranges of merged cells, of which only the first has a value; formulas, of which that was
	         * read */
	        formulas;
	uint64_t gone_left; /**< not removed from a complete list: rows were rejected or lack an id */
	bool proposed; /**< a profile was proposed */
	struct drg_import_sums import;
};

/**
 * @return DRG_OK; DRG_EINVAL: nothing was applied, and why, with the reason bad_rows, other_file, new_columns
 *         or too_many_gone where an option would allow it; DRG_ENOENT: no such adapter; as drg_import().
 */
DRG_MUSTCHECK
int drg_load(const struct drg_load_options *o, struct drg_load_sums *ret, struct drg_err *reterr);
