/* src/server/image/file_priv.h
 * The header of a snapshot file, for writing and reading. */
#pragma once
#include "catalog/image.h"
#include "server/image/file.h"

#define DRG_IMAGE_MAGIC "dragoman snapshot\n"

enum {
	DRG_IMAGE_HEAD = 4096,
	DRG_IMAGE_CHUNK = 1 << 20,
	/* The parts of the image, and behind them: */
	DRG_IMAGE_BRANCHES = DRG_IMAGE_PARTS,
	DRG_IMAGE_ALL
};

struct drg_image_head {
	char magic[24];
	uint64_t layout; /**< drg_image_layout() */
	uint64_t file_bytes;
	/** of the parts, which follow the header one after the other; the hashes come last */
	uint64_t bytes[DRG_IMAGE_ALL];
	uint64_t n_chunks; /**< each part has its own chunks; its last one is shorter */
	uint64_t hash_of_hashes;
	int64_t seq, branch, current_us;
	char epoch[40];
	char zero[DRG_IMAGE_HEAD - 24 - 8 * (2 + DRG_IMAGE_ALL + 2 + 3) - 40 - 8];
	uint64_t hash; /**< of all members above */
};
_Static_assert(sizeof(struct drg_image_head) == DRG_IMAGE_HEAD, "nothing of it is padding");

static inline uint64_t drg_image_chunks(const uint64_t bytes[DRG_IMAGE_ALL])
{
	uint64_t n = 0;
	for (int i = 0; i < DRG_IMAGE_ALL; i++)
		n += (bytes[i] + DRG_IMAGE_CHUNK - 1) / DRG_IMAGE_CHUNK;
	return n;
}
