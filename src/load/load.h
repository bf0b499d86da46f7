/* src/load/load.h
 * Loads suppliers' lists into the store: `dragoman load` (decisions P3 to P5). Each row is compared with the
 * stored record before anything is written, so the same run reports what would happen and does it. An import
 * writes (import/import.h). */
#pragma once
#include "import/import.h"
#include "load/plan.h"

/** The outcome of a row, for reports. */
enum drg_load_what {
	DRG_LOAD_NEW,
	DRG_LOAD_CHANGED, /**< one note for each changed field */
	DRG_LOAD_CLEARED, /**< one note for each stored value whose cell is empty in the file */
	DRG_LOAD_GONE,
	DRG_LOAD_UNMAPPED, /**< a mapping that the file removes */
	DRG_LOAD_TWICE, /**< an id that came before; the later row decides */
	DRG_LOAD_REJECTED,
	DRG_LOAD_WARNED, /**< a value that is left out; `to` says why */
	DRG_LOAD_SKIPPED, /**< a row that is not a record, such as a title or a total; `to` says why */
	/** a record missing from a complete list that is not removed: rows were rejected, or the load is
	 * refused */
	DRG_LOAD_KEPT,
	DRG_LOAD_OTHER, /**< an id that seems to mean another house now: `from` and `to` are the names */
	DRG_LOAD_WHATS
};
extern const char *const drg_load_words[DRG_LOAD_WHATS];

struct drg_load_note {
	enum drg_load_what what;
	enum drg_kind kind;
	struct drg_str id, name;
	const char *field; /**< of CHANGED, CLEARED and OTHER; otherwise "" */
	struct drg_str from, to; /**< of REJECTED, WARNED, SKIPPED: `to` has the reasons */
	const char *file;
	uint64_t line; /**< 0: not about a row */
};

struct drg_load_options {
	const char *store_url, *dir;
	int64_t adapter;
	const char *const *files;
	const char *const *names; /**< names of the files for messages and the batch; NULL: their paths */
	size_t n_files;
	struct drg_plan_wishes wishes;
	bool accept; /**< store a proposed profile, and accept a file whose ids are not known */
	bool dry_run, keep_going;
	bool complete; /**< remove records that the files lack; also if the profile says so */
	/** remove them although rows were rejected or lack an id, and so may be these records */
	bool accept_rejected;
	double max_gone; /**< most records that may be removed, in per cent of the stored ones of a kind */
	const char *rejects; /**< path of the file for rejected rows; NULL: none */
	const atomic_bool *stop; /**< as in struct drg_import_options */
	const atomic_bool
	        *stop_reading; /**< once true reading ends soon, rows read so far are applied; NULL: never */
	struct drg_str by, why; /**< empty: unknown */

	/** Called when a file was opened; its sheet belongs to the plan. */
	void (*planned)(void *ctx, const struct drg_plan *p);
	/** Called after each workbook with several sheets that have rows, for each of these sheets: how
	 * many rows are not empty, whether the sheet was read, and whether it is hidden. Sheets that were
	 * not read are counted in a dry run only. */
	void (*sheet)(void *ctx, const char *file, const char *name, uint64_t rows, bool read, bool hidden);
	/** Called for each note, on another thread, one at a time; the note is borrowed. */
	void (*note)(void *ctx, const struct drg_load_note *n);
	void (*progress)(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total);
	void *ctx;
};

struct drg_load_sums {
	uint64_t rows, rejected;
	uint64_t skipped, /**< rows that are not records */
	        warned, /**< rows of which coordinates were left out */
	        doubtful; /**< other rows with a warning */
	struct drg_load_kind_sums {
		uint64_t added, changed, same, gone;
	} kinds[DRG_KIND_COUNT];
	uint64_t cleared, unmapped, twice;
	/** ids that seem to mean another house now; those of them that were mapped, and are open questions
	 * again */
	uint64_t other, asked;
	uint64_t fields[DRG_F_COUNT]; /**< changed fields, by drg_field_index() of a source's field */
	uint64_t merged,
	        /** merged ranges, of which only the first cell has a value; formulas, of which the stored
	         * value was read */
	        formulas;
	uint64_t hidden; /**< rows that a workbook hides; they were read like the others */
	/** records missing from a complete list that were not removed: rows were rejected or lack an id */
	uint64_t gone_left;
	uint64_t gone_refused; /**< likewise, of a load that is refused and would have removed them */
	bool proposed; /**< a profile was proposed */
	struct drg_import_sums import;
};

/**
 * Load a list.
 * @return DRG_OK; DRG_EINVAL: nothing was applied, and the message says why; the reason is bad_rows,
 *         other_file, new_columns or too_many_gone if an option would allow it; DRG_ENOENT: no such adapter;
 *         as drg_import().
 */
DRG_MUSTCHECK
int drg_load(const struct drg_load_options *o, struct drg_load_sums *ret, struct drg_err *reterr);
