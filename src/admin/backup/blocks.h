/* src/admin/backup/blocks.h
 * The file of a backup: "dragoman backup\n", then blocks of about a MiB, compressed (Zstandard). Each block
 * has a header with its sizes, a hash (XXH3) of its content and one of the header itself. The first block is
 * the head, a text that is not compressed. The last one has the number of blocks and a hash of all headers.
 * So a hash covers every byte, and a file that was cut off is recognised. Numbers are little-endian. */
#pragma once
#include "base/buf.h"
#include "base/err.h"

/** The content of a block: rows of one sort, whose number (admin/backup/layout.h) it has; or: */
enum { DRG_BLOCK_HEAD = 0xfffe, DRG_BLOCK_END = 0xffff };

/** Bytes of a block before it is written: enough to compress well. A row is never split between blocks. */
enum { DRG_BLOCK_BYTES = 1 << 20 };

/* ---- writing ------------------------------------------------------------------------------------------- */

struct drg_blocks_out {
	int fd;
	const char *name; /**< name of the file for messages */
	bool paced; /**< the output is a file: write data to the disk while it grows */
	uint64_t bytes; /**< size of the file so far */
	uint32_t n;
	uint64_t hash; /**< hash of all headers */
	struct drg_buf packed;
};

/** Begin a backup at the present position of @p fd. @param name  Lives as long as @p ret. */
DRG_MUSTCHECK
int drg_blocks_begin(int fd, const char *name, struct drg_blocks_out *ret, struct drg_err *reterr);
/** Write a block. @return DRG_OK, DRG_EFULL, DRG_EIO, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_blocks_put(struct drg_blocks_out *o, unsigned what, struct drg_str bytes, struct drg_err *reterr);
/** Write the last block. */
DRG_MUSTCHECK
int drg_blocks_end(struct drg_blocks_out *o, uint64_t rows, struct drg_err *reterr);

/* ---- reading ------------------------------------------------------------------------------------------- */

struct drg_blocks_in {
	int fd;
	const char *name;
	uint64_t bytes; /**< bytes read so far */
	uint32_t n;
	/** hash: of all headers so far; rows: number of rows, as the last block says, when that was read */
	uint64_t hash, rows;
	struct drg_buf packed, plain;
};

/** Does the file at @p path begin like a backup, or is it empty? If @p unsynced, it may begin with zeros
 * instead: power was lost before the data were on the disk. false if the file cannot be read. */
bool drg_blocks_are_at(const char *path, bool unsynced);

/** Open a backup. @return DRG_OK; DRG_ENOENT, DRG_EIO; DRG_EINVAL: the file is not a backup. */
DRG_MUSTCHECK
int drg_blocks_open(const char *path, struct drg_blocks_in *ret, struct drg_err *reterr);
/**
 * Read and check the next block.
 * @param ret_bytes  Borrowed until the next call.
 * @return DRG_OK; DRG_ENOENT, without a message: the end was read, and the file is complete; DRG_ECORRUPT:
 * the file is damaged or cut off, and err says where; DRG_EIO, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_blocks_next(struct drg_blocks_in *in, unsigned *ret_what, struct drg_str *ret_bytes,
                    struct drg_err *reterr);
/** Fail with "the backup FILE HOW (block N, byte N): take another one". @return DRG_ECORRUPT. */
int drg_blocks_damaged(const struct drg_blocks_in *in, const char *how, struct drg_err *reterr);
void drg_blocks_close(struct drg_blocks_in *in);
