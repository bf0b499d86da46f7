/* src/load/load_priv.h
 * A load under way, as its parts share it. */
#pragma once
#include "load/load.h"
#include "load/seen.h"

/* A row that is rejected. */
struct load_bad {
	uint32_t file;
	uint64_t line;
	size_t at, n; /* of its reasons, in bad_texts */
};

struct load_run {
	const struct drg_load_options *o;
	struct drg_load_sums *sums;
	struct drg_store *store; /* what rows are compared with; the feeding thread's */
	struct drg_profiles profiles;
	struct drg_arena plans; /* texts of plans */
	struct drg_arena arena; /* of one row */
	struct drg_plan plan; /* of file next_file - 1 */
	struct drg_buf lines; /* NDJSON that waits to be given */
	size_t lines_at;
	uint64_t line; /* the row that they are of */
	size_t next_file;
	struct drg_seen seen;
	struct drg_buf bad, bad_texts; /* struct load_bad, and their reasons */
	unsigned complete; /* a bit for each kind of which the files have all */
	uint64_t stored[DRG_KIND_SOURCE_COUNT], known[DRG_KIND_SOURCE_COUNT], read[DRG_KIND_SOURCE_COUNT];
	bool all_proposed_told;
	bool gone_done;
};

/** What a note is about, besides what it says. */
void drg_load_note(struct load_run *l, enum drg_load_what what, const struct drg_record *r, const char *field,
                   struct drg_str from, struct drg_str to);
/** Reject the row at hand. */
DRG_MUSTCHECK
int drg_load_reject(struct load_run *l, const struct drg_record *r, struct drg_str reasons,
                    struct drg_err *reterr);

/** Compare a record of a file with what is stored, keep what the file says nothing of, tell what changes, and hand it to
 * the import. @param mask  Fields that the file has a column for, a bit each. */
DRG_MUSTCHECK
int drg_load_record(struct load_run *l, struct drg_record *r, uint64_t mask, struct drg_err *reterr);

/** What the files lack. @return DRG_EINVAL: more than is safe. */
DRG_MUSTCHECK
int drg_load_gone(struct load_run *l, struct drg_err *reterr);

/** Write the rejected rows, with all their cells and a column that says why. */
DRG_MUSTCHECK
int drg_load_write_rejects(struct load_run *l, struct drg_err *reterr);
