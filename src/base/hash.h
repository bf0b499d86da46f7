/* src/base/hash.h
 * The hash of tables in memory: XXH3. Seed it if clients choose the keys. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

static inline uint64_t drg_hash(const void *p, size_t n, uint64_t seed)
{
	return XXH3_64bits_withSeed(p, n, seed);
}
