/* src/catalog/hash_priv.h
 * Tags for the tables: 32 bits of XXH3 with a seed of this process, so that nobody can prepare keys that
 * collide. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#include "base/hash.h"

/** @param salt  Keys that differ only in the salt get unrelated tags. */
static inline uint32_t drg_tag(uint64_t seed, uint64_t salt, const void *key, size_t n)
{
	return (uint32_t)(drg_hash(key, n, seed ^ salt * UINT64_C(0x9e3779b97f4a7c15)) >> 32);
}
