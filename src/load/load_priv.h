/* src/load/load_priv.h
 * A load under way, as its parts share it. */
#pragma once
#include "import/redirects.h"
#include "load/convert.h"
#include "load/load.h"
#include "load/seen.h"

/* A row that is rejected. */
struct load_bad {
	uint32_t file;
	uint64_t line;
	size_t at, n; /* of its reasons, in bad_texts */
};

/* A row that was read and converted, and what stands behind the last of a block. */
enum { LOAD_BLOCK_ROWS = 1000 };
struct load_row {
	struct drg_converted c;
	uint64_t line;
};
struct load_block {
	struct load_row rows[LOAD_BLOCK_ROWS];
	unsigned n, at;
	int rc; /* why there are no more; DRG_OK: there may be */
	struct drg_err err;
	struct drg_arena arena; /* texts, and what is stored */
	struct drg_buf ids[DRG_KIND_SOURCE_COUNT]; /* struct drg_str: what was looked for */
	struct drg_buf stored[DRG_KIND_SOURCE_COUNT]; /* const struct drg_record *, by id */
};

struct load_run {
	const struct drg_load_options *o;
	struct drg_load_sums *sums;
	struct drg_store *store; /* what rows are compared with; the feeding thread's */
	struct drg_profiles profiles;
	struct drg_arena plans; /* texts of plans */
	struct drg_plan plan; /* of file next_file - 1 */
	struct load_block block; /* of its rows */
	struct drg_import_batch *batch; /* of the import: takes the next records */
	uint64_t line; /* the row that they are of */
	size_t next_file;
	bool row_rejected; /* that row was told to be bad already */
	struct drg_seen seen;
	struct drg_seen mapped; /* dict ids that are there */
	struct drg_redirects *redirects; /* of the store; NULL: not asked for yet */
	struct drg_buf bad, bad_texts; /* struct load_bad, and their reasons */
	unsigned complete; /* a bit for each kind of which the files have all */
	uint64_t stored[DRG_KIND_SOURCE_COUNT], known[DRG_KIND_SOURCE_COUNT], read[DRG_KIND_SOURCE_COUNT];
	bool looked; /* at what is stored, before the first file */
	bool gone_found; /* what the files lack was looked for */
	uint64_t idless; /* rows, see struct drg_converted */
	bool keep_gone; /* it is only told: rows were rejected, or have no id */
	struct drg_buf gone; /* struct gone_one, with texts in gone_texts */
	struct drg_arena gone_texts;
	size_t gone_at; /* the next of them */
};

/** What a note is about, besides what it says. */
void drg_load_note(struct load_run *l, enum drg_load_what what, const struct drg_record *r, const char *field,
                   struct drg_str from, struct drg_str to);
/** Reject the row at hand; as often as something is wrong with it. */
DRG_MUSTCHECK
int drg_load_reject(struct load_run *l, const struct drg_record *r, struct drg_str reasons,
                    struct drg_err *reterr);

/** Zero-initialise; to be done with in every case. */
void drg_load_block_init(struct load_block *b);
void drg_load_block_done(struct load_block *b);
/** The next row of the file. @return DRG_OK; DRG_ENOENT, without words: it has no more; what drg_plan_next()
 * returns. */
DRG_MUSTCHECK
int drg_load_next_row(struct load_run *l, const struct load_row **ret, struct drg_err *reterr);
/** What is stored of a record that the block's rows name, or that zeros before its id make of one; NULL:
 * nothing. Valid until the next block. */
const struct drg_record *drg_load_stored(const struct load_run *l, enum drg_kind kind, struct drg_str id);

/** Of an id of digits that is not stored: with zeros before it, it may be. */
enum { LOAD_ZEROS_MAX = 5, LOAD_PADDED_MAX = 32 };
bool drg_load_may_lack_zeros(struct drg_str id);
/** @param zeros  At most LOAD_ZEROS_MAX. @param to  Of LOAD_PADDED_MAX bytes; what is returned is in it. */
struct drg_str drg_load_padded(struct drg_str id, size_t zeros, char *to);

/** Is what a record is mapped to there? What was merged becomes what it was merged into (decision M19), so
 * that it is compared with what is stored. @param was  What is stored of the record; NULL: nothing.
 * @return DRG_OK, also where it is not mapped; DRG_ENOENT, without words: it is not. */
DRG_MUSTCHECK
int drg_load_mapped(struct load_run *l, struct drg_record *r, const struct drg_record *was,
                    struct drg_err *reterr);

/** Hand a record to the import. */
void drg_load_give(struct load_run *l, const struct drg_record *r);
/** Compare a record of a file with what is stored, keep what the file says nothing of, tell what changes, and
 * hand it to the import. @param mask  Fields that the file has a column for, a bit each. */
DRG_MUSTCHECK
int drg_load_record(struct load_run *l, struct drg_record *r, uint64_t mask, struct drg_err *reterr);

/** Find what the files lack. @return DRG_EINVAL: more than is safe. */
DRG_MUSTCHECK
int drg_load_find_gone(struct load_run *l, struct drg_err *reterr);
/** Remove the next one of those. @return DRG_OK; DRG_ENOENT, without words: there are no more. */
DRG_MUSTCHECK
int drg_load_remove(struct load_run *l, struct drg_err *reterr);

/** Write the rejected rows, with all their cells and a column that says why. */
DRG_MUSTCHECK
int drg_load_write_rejects(struct load_run *l, struct drg_err *reterr);
