/* src/import/spool.h
 * The checked records of an import, in order, in a nameless file of the data folder: where they wait until
 * all of them are known to be good. They are kept as blocks, a batch of the reading step each, compressed but
 * for the first. A record's place stands for the record: its offset among the uncompressed frames. */
#pragma once
#include "base/tempfile.h"
#include "model/record.h"

struct drg_spool;

/** Where a record came from. */
struct drg_spool_origin {
	uint32_t file; /**< number of the file */
	uint64_t line;
	struct drg_str row; /**< as it was; empty where it is not kept */
};

/** One record read back. */
struct drg_spooled {
	uint64_t at; /**< its place */
	struct drg_spool_origin from;
	bool rejected;
	bool readable; /**< false: a bad line, there is only `from` */
	struct drg_record record;
};

DRG_MUSTCHECK
int drg_spool_open(const char *dir, struct drg_spool **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_spool_close(struct drg_spool *s);

/* ---- writing ------------------------------------------------------------------------------------------- */

/** Append the spool's form of a record to @p out; @p r NULL: a bad line, which is rejected already. */
void drg_spool_frame(const struct drg_spool_origin *from, const struct drg_record *r, struct drg_buf *out);

/** Some frames, ready to be added. */
struct drg_spool_block {
	struct drg_buf bytes; /**< compressed, if they are fewer than those of the frames */
	size_t size; /**< of the frames */
	unsigned n; /**< of the frames */
};
void drg_spool_block_init(struct drg_spool_block *b);
/** Compress @p n frames, or take them as they are (@p plain), on any thread. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_spool_block_pack(struct drg_spool_block *b, struct drg_str frames, unsigned n, bool plain,
                         struct drg_err *reterr);

/** Append a block. The places of its frames are what drg_spool_size() was before, and on. */
DRG_MUSTCHECK
int drg_spool_add(struct drg_spool *s, const struct drg_spool_block *b, struct drg_err *reterr);
/** Bytes of all frames. */
uint64_t drg_spool_size(const struct drg_spool *s);

/* ---- reading ------------------------------------------------------------------------------------------- */

/** Borrowed for the call. A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_spool_fn(void *ctx, const struct drg_spooled *r, struct drg_err *reterr);

/** Every record, in order. */
DRG_MUSTCHECK
int drg_spool_each(struct drg_spool *s, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** The record at a place. Many are read fastest in order: the block of the last one is at hand. */
DRG_MUSTCHECK
int drg_spool_get(struct drg_spool *s, uint64_t at, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** Mark the record as rejected at which drg_spool_each() is; from within its function only. */
DRG_MUSTCHECK
int drg_spool_reject(struct drg_spool *s, struct drg_err *reterr);

/* Block by block: on one thread, nothing being added or rejected meanwhile. */

size_t drg_spool_blocks(const struct drg_spool *s);
/** Append the frames of a block to @p out. */
DRG_MUSTCHECK
int drg_spool_unpack(struct drg_spool *s, size_t block, struct drg_buf *out, struct drg_err *reterr);
/** Was frame @p number of a block rejected after it was written? */
bool drg_spool_rejected(const struct drg_spool *s, size_t block, unsigned number);
/** Read one frame; @p ret->at is left alone. Its texts are borrowed. @return its bytes; 0: it is damaged. */
size_t drg_spool_parse(struct drg_str frames, struct drg_spooled *ret);
