/* src/catalog/hash_priv.h
 * Tags for the tables: 32 bits of XXH3. Unlike those of base/hash.h the tables outlive the process, as the
 * catalog's image, so the seed is in the catalog: random bits, drawn when it was made, so that nobody can
 * prepare keys that collide. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/** @param seed  The catalog's. @param salt  Keys that differ only in the salt get unrelated tags. */
static inline uint32_t drg_tag(uint64_t seed, uint64_t salt, const void *key, size_t n)
{
	return (uint32_t)(XXH3_64bits_withSeed(key, n, seed ^ salt * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}
