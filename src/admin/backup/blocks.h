/* src/admin/backup/blocks.h
 * The file of a backup: "dragoman backup\n", then blocks of about a MiB, compressed (Zstandard), each with a
 * header that has its sizes and hashes (XXH3) of itself and of its bytes. The first block is the head, a text
 * that is not compressed; the last one has the number of blocks and a hash of all headers. So every byte is
 * under a hash, and a file without its end is known as such. Numbers are little-endian. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** What is in a block: a sort of rows (admin/backup/layout.h), or: */
enum { DRG_BLOCK_HEAD = 0xfffe, DRG_BLOCK_END = 0xffff };

/** Enough to compress well; a row is never cut. */
enum { DRG_BLOCK_BYTES = 1 << 20 };

/* ---- writing ------------------------------------------------------------------------------------------- */

struct drg_blocks_out {
	int fd;
	const char *name; /**< for messages */
	bool paced; /**< a file: what was written goes to the disk meanwhile */
	uint64_t bytes; /**< of the file so far */
	uint32_t n;
	uint64_t hash; /**< of the headers */
	struct drg_buf packed;
};

/** Begin at the beginning of @p fd. @param name  Lives as long as @p ret. */
DRG_MUSTCHECK
int drg_blocks_begin(int fd, const char *name, struct drg_blocks_out *ret, struct drg_err *reterr);
/** @return DRG_OK, DRG_EFULL, DRG_EIO, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_blocks_put(struct drg_blocks_out *o, unsigned what, struct drg_str bytes, struct drg_err *reterr);
/** The last block. */
DRG_MUSTCHECK
int drg_blocks_end(struct drg_blocks_out *o, uint64_t rows, struct drg_err *reterr);

/* ---- reading ------------------------------------------------------------------------------------------- */

struct drg_blocks_in {
	int fd;
	const char *name;
	uint64_t bytes; /**< read so far */
	uint32_t n;
	uint64_t hash, rows; /**< rows: those of the end, when that was read */
	struct drg_buf packed, plain;
};

/** Is the file at @p path the beginning of a backup, or empty? Of @p unsynced it may have zeros there: power
 *  was lost before it was on the disk. Not where it cannot be read. */
bool drg_blocks_are_at(const char *path, bool unsynced);

/** @return DRG_OK; DRG_ENOENT, DRG_EIO; DRG_EINVAL: it is no backup. */
DRG_MUSTCHECK
int drg_blocks_open(const char *path, struct drg_blocks_in *ret, struct drg_err *reterr);
/**
 * The next block, checked.
 * @param ret_bytes  Borrowed until the next call.
 * @return DRG_OK; DRG_ENOENT, without words: the end was read, and all was there; DRG_ECORRUPT: it is damaged
 *         or cut off, and err says where; DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_blocks_next(struct drg_blocks_in *in, unsigned *ret_what, struct drg_str *ret_bytes,
                    struct drg_err *reterr);
/** "the backup FILE is damaged at byte N: ...". Returns DRG_ECORRUPT. */
int drg_blocks_damaged(const struct drg_blocks_in *in, const char *how, struct drg_err *reterr);
void drg_blocks_close(struct drg_blocks_in *in);
