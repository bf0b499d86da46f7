/* src/text/compress.h
 * Whole buffers to gzip, Brotli and Zstandard: for answers that are compressed once and served often. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

enum drg_coding { DRG_CODING_IDENTITY, DRG_CODING_GZIP, DRG_CODING_BR, DRG_CODING_ZSTD, DRG_CODING_COUNT };

/** The HTTP content-coding token: "gzip"; "identity" for none. */
const char *drg_coding_name(enum drg_coding c);

/** The memory for compressing, kept from one body to the next: some 30 MB. For one thread at a time. */
struct drg_packer;
/** @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_packer_new(struct drg_packer **ret, struct drg_err *reterr);
/** NULL is fine. */
void drg_packer_free(struct drg_packer *p);

/**
 * Append the compressed form of @p in to @p out. Deterministic: same bytes in, same bytes out, whatever came
 * before.
 * @param out  Its ceiling must leave room for incompressible input: a little more than @p in.
 * @return DRG_OK; DRG_ELIMIT: the ceiling; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_packer_compress(struct drg_packer *p, enum drg_coding c, struct drg_str in, struct drg_buf *out,
                        struct drg_err *reterr);

/** The same, at the fastest level of each coding, for what is sent once. Each thread keeps what it needs for
 * it, some 300 KB, until it ends. */
DRG_MUSTCHECK
int drg_compress_fast(enum drg_coding c, struct drg_str in, struct drg_buf *out, struct drg_err *reterr);
