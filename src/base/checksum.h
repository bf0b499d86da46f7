/* src/base/checksum.h
 * XXH3 without a secret: the same in each process. Not for the keys of a table (base/hash.h): a client that
 * chooses the data can prepare collisions. tools/lint_hashes.py lists the files that may use it. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/** @param seed  The sum of what comes before, or a number that makes it another sum. */
static inline uint64_t drg_checksum(const void *p, size_t n, uint64_t seed)
{
	return XXH3_64bits_withSeed(p, n, seed);
}
