/* src/import/spool.h
 * The checked records of an import, in order, in a nameless file of the data folder: where they wait until all of
 * them are known to be good. A record's offset stands for the record. */
#pragma once
#include "model/record.h"
#include "base/tempfile.h"

struct drg_spool;

/** Where a record came from. */
struct drg_spool_origin {
	uint32_t file; /**< number of the file */
	uint64_t line;
	struct drg_str row; /**< as it was; empty where it is not kept */
};

/** One record read back. */
struct drg_spooled {
	uint64_t at; /**< its offset */
	struct drg_spool_origin from;
	bool rejected;
	bool readable; /**< false: a bad line, there is only `from` */
	struct drg_record record;
};

DRG_MUSTCHECK
int drg_spool_open(const char *dir, struct drg_spool **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_spool_close(struct drg_spool *s);

/** Append the spool's form of a record to @p out; @p r NULL: a bad line, which is rejected already. */
void drg_spool_frame(const struct drg_spool_origin *from, const struct drg_record *r, struct drg_buf *out);

/** Append frames. Their offsets are what drg_spool_size() was before, and on. */
DRG_MUSTCHECK
int drg_spool_add(struct drg_spool *s, struct drg_str frames, struct drg_err *reterr);
uint64_t drg_spool_size(const struct drg_spool *s);

/** Borrowed for the call. A return other than DRG_OK ends the reading and is handed through. */
typedef int drg_spool_fn(void *ctx, const struct drg_spooled *r, struct drg_err *reterr);

/** Every record, in order. */
DRG_MUSTCHECK
int drg_spool_each(struct drg_spool *s, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** The record at an offset. */
DRG_MUSTCHECK
int drg_spool_get(struct drg_spool *s, uint64_t at, drg_spool_fn *fn, void *ctx, struct drg_err *reterr);
/** Mark it as rejected. Allowed while drg_spool_each() is at it. */
DRG_MUSTCHECK
int drg_spool_reject(struct drg_spool *s, uint64_t at, struct drg_err *reterr);
