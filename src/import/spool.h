/* src/import/spool.h
 * The checked records of an import, in order, in a nameless file of the data folder, until all of them are
 * known to be good. They are stored as blocks, one for each batch of the reading step; all but the first
 * blocks are compressed. A record is identified by its place: its offset among the uncompressed frames. */
#pragma once
#include "base/tempfile.h"
#include "model/record.h"

struct drg_spool;

/** The origin of a record. */
struct drg_spool_origin {
	uint32_t file; /**< number of the file */
	uint64_t line;
	struct drg_str row; /**< the row as it was; empty if it is not kept */
	bool asks; /**< see drg_import_append() */
};

/** One record read back. */
struct drg_spooled {
	uint64_t at; /**< place of the record */
	struct drg_spool_origin from;
	bool rejected;
	bool readable; /**< false: a bad line, of which there is only `from` */
	struct drg_record record;
};

DRG_MUSTCHECK
int drg_spool_open(const char *dir, struct drg_spool **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_spool_close(struct drg_spool *s);

/* ---- writing ------------------------------------------------------------------------------------------- */

/** Append the frame of a record to @p out. @p r NULL: a bad line, which is rejected already. */
void drg_spool_frame(const struct drg_spool_origin *from, const struct drg_record *r, struct drg_buf *out);

/** Frames that are ready to be added. */
struct drg_spool_block {
	struct drg_buf bytes; /**< compressed, if that makes them smaller */
	size_t size; /**< bytes of the frames */
	unsigned n; /**< number of frames */
};
void drg_spool_block_init(struct drg_spool_block *b);
/** Compress @p n frames, or copy them (@p plain). On any thread. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_spool_block_pack(struct drg_spool_block *b, struct drg_str frames, unsigned n, bool plain,
                         struct drg_err *reterr);

/** Append a block. Its frames get places from the present drg_spool_size() on. */
DRG_MUSTCHECK
int drg_spool_add(struct drg_spool *s, const struct drg_spool_block *b, struct drg_err *reterr);
/** Bytes of all frames. */
uint64_t drg_spool_size(const struct drg_spool *s);

/* ---- reading ------------------------------------------------------------------------------------------- */

/** The record is borrowed for the call. A result other than DRG_OK ends the reading and is returned. */
typedef int drg_spool_fn(void *ctx, const struct drg_spooled *r, struct drg_err *reterr);

/** Call @p fn for every record, in order. */
DRG_MUSTCHECK
int drg_spool_each(struct drg_spool *s, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** Call @p fn for the record at a place. Many are read fastest in the order of places, because the last block
 * stays in memory. */
DRG_MUSTCHECK
int drg_spool_get(struct drg_spool *s, uint64_t at, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** Mark the record that drg_spool_each() is passing as rejected. Only from within its function. */
DRG_MUSTCHECK
int drg_spool_reject(struct drg_spool *s, struct drg_err *reterr);

/* The following functions read block by block: on one thread, while nothing is added or rejected. */

size_t drg_spool_blocks(const struct drg_spool *s);
/** Append the frames of a block to @p out. */
DRG_MUSTCHECK
int drg_spool_unpack(struct drg_spool *s, size_t block, struct drg_buf *out, struct drg_err *reterr);
/** Was frame @p number of a block rejected after it was written? */
bool drg_spool_rejected(const struct drg_spool *s, size_t block, unsigned number);
/** Read one frame; @p ret->at is not set. Its texts are borrowed. @return bytes of the frame; 0: it is
 * damaged. */
size_t drg_spool_parse(struct drg_str frames, struct drg_spooled *ret);
