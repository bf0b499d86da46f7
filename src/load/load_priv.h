/* src/load/load_priv.h
 * The state of a load, for the files of this folder. */
#pragma once
#include "import/redirects.h"
#include "load/convert.h"
#include "load/load.h"
#include "load/seen.h"
#include "matching/other_house.h"

/* A rejected row. */
struct load_bad {
	uint32_t file;
	const char *sheet; /* of several; NULL: the file has one list */
	uint64_t line;
	size_t at, n; /* place and length of its reasons in bad_texts */
};

/* A block of rows that were read and converted. LOAD_BLOCK_ROWS: its size. */
enum { LOAD_BLOCK_ROWS = 1000 };
struct load_row {
	struct drg_converted c;
	uint64_t line;
};
struct load_block {
	struct load_row rows[LOAD_BLOCK_ROWS];
	unsigned n, at;
	int rc; /* why the file gives no more rows; DRG_OK: it may give more */
	struct drg_err err;
	struct drg_arena arena; /* texts of rows and stored records */
	struct drg_buf ids[DRG_KIND_COUNT]; /* struct drg_str: the ids that were looked up */
	struct drg_buf stored[DRG_KIND_COUNT]; /* const struct drg_record *, sorted by id */
};

struct load_run {
	const struct drg_load_options *o;
	struct drg_load_sums *sums;
	struct drg_store *store; /* for comparing; used by the feeding thread only */
	struct drg_profiles profiles;
	struct drg_arena plans; /* texts of the plans */
	struct drg_plan plan; /* plan of file next_file - 1 */
	struct load_block block; /* rows of that file */
	struct drg_import_batch *batch; /* batch of the import that takes the next records */
	uint64_t line; /* line of their row */
	size_t next_file;
	/* The chosen sheets of that file behind the first one, and the index of the next. They are one list,
	 * so they have the columns of the first. */
	const char **sheets;
	unsigned n_sheets, next_sheet;
	bool skip_headless; /* all sheets were chosen: those without a header are notes */
	struct drg_profile first;
	struct load_sheet_read {
		const char *name;
		uint64_t rows;
	} * sheets_read;
	unsigned n_sheets_read;
	char label[512]; /* of the present one of several sheets, for messages; empty: there is one */
	bool row_rejected; /* this row was reported as bad already */
	struct drg_house_compare *houses; /* NULL: not needed yet */
	struct drg_seen seen;
	struct drg_seen mapped; /* dict ids that exist */
	struct drg_redirects *redirects; /* redirects of the store; NULL: not read yet */
	struct drg_buf bad, bad_texts; /* struct load_bad, and the texts of their reasons */
	unsigned complete; /* kinds of which the files are complete, a bit each */
	uint64_t stored[DRG_KIND_COUNT], known[DRG_KIND_COUNT], read[DRG_KIND_COUNT];
	bool looked; /* profiles and counts were read, before the first file */
	bool gone_found; /* the records that the files lack were looked for */
	uint64_t lost; /* rows without an id, or within others: see struct drg_converted */
	bool keep_gone; /* only report records that are gone: the load is refused, or it is not sure */
	struct drg_buf gone; /* struct gone_one, with texts in gone_texts */
	struct drg_arena gone_texts;
	size_t gone_at; /* the next of these to remove */
};

/** Report something about a record of the list. */
void drg_load_note(struct load_run *l, enum drg_load_what what, const struct drg_record *r, const char *field,
                   struct drg_str from, struct drg_str to);
/** Reject the present row; it may be called for each of its faults. */
DRG_MUSTCHECK
int drg_load_reject(struct load_run *l, const struct drg_record *r, struct drg_str reasons,
                    struct drg_err *reterr);

/** Decide which of two coordinates of the file is the latitude, by all its values, and tell it in the plan. A
 * stored profile keeps the order that it was accepted with. */
DRG_MUSTCHECK
int drg_load_order_degrees(struct load_run *l, struct drg_err *reterr);

/** Initialise a block that is all zero; call drg_load_block_done() in every case. */
void drg_load_block_init(struct load_block *b);
void drg_load_block_done(struct load_block *b);
/** Get the next row of the file. @return DRG_OK; DRG_ENOENT, without a message: there are no more; as
 * drg_plan_next(). */
DRG_MUSTCHECK
int drg_load_next_row(struct load_run *l, const struct load_row **ret, struct drg_err *reterr);
/** The stored record with an id that the block's rows name, or with such an id with zeros before it; NULL:
 * none. Valid until the next block. */
const struct drg_record *drg_load_stored(const struct load_run *l, enum drg_kind kind, struct drg_str id);

/** The id without the ".0" that a program adds which takes it for a number. */
struct drg_str drg_load_whole(struct drg_str id);
/** An id of digits that is not stored may be stored with zeros before it: limits of such ids. */
enum { LOAD_ZEROS_MAX = 5, LOAD_PADDED_MAX = 32 };
bool drg_load_may_lack_zeros(struct drg_str id);
/** The id with zeros before it. @param zeros  At most LOAD_ZEROS_MAX. @param to  LOAD_PADDED_MAX bytes, to
 * which the result points. */
struct drg_str drg_load_padded(struct drg_str id, size_t zeros, char *to);

/** Does the dict record exist to which a record is mapped? The id of a merged record is replaced by that of
 * the record that it was merged into (decision M19), for the comparison with the stored record.
 * @param was  The stored record; NULL: none.
 * @return DRG_OK, also if it is not mapped; DRG_ENOENT, without a message: it does not exist. */
DRG_MUSTCHECK
int drg_load_mapped(struct load_run *l, struct drg_record *r, const struct drg_record *was,
                    struct drg_err *reterr);

/** Open the next file, or the next of its chosen sheets, with the wishes that it takes. @return as
 * drg_plan_open(). */
DRG_MUSTCHECK
int drg_load_open_next(struct load_run *l, struct drg_err *reterr);
/** Report the sheets of the workbook that was read, and how many rows those have that were not. */
void drg_load_tell_sheets(struct load_run *l, struct drg_sheet *s);

/** Give a record to the import. @param asks  As in drg_import_append(). */
void drg_load_give(struct load_run *l, const struct drg_record *r, bool asks);
/** Compare a record of a file with the stored one, keep fields that the file does not have, report the
 * changes, and give the record to the import. @param mask  Fields that the file has a column for, a bit
 * each. */
DRG_MUSTCHECK
int drg_load_record(struct load_run *l, struct drg_record *r, uint64_t mask, struct drg_err *reterr);

/** Find stored records that the files lack. @return DRG_EINVAL: more than is safe to remove; with keep_gone
 * none is too many. */
DRG_MUSTCHECK
int drg_load_find_gone(struct load_run *l, struct drg_err *reterr);
/** Report them, and remove none. @return how many there are. */
uint64_t drg_load_keep_gone(struct load_run *l);
/** Remove the next of these records. @return DRG_OK; DRG_ENOENT, without a message: there are no more. */
DRG_MUSTCHECK
int drg_load_remove(struct load_run *l, struct drg_err *reterr);

/** Write the rejected rows with all their cells and a column of reasons. */
DRG_MUSTCHECK
int drg_load_write_rejects(struct load_run *l, struct drg_err *reterr);
