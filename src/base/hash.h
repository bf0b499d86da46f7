/* src/base/hash.h
 * The hash of keys in memory: XXH3 with a secret of this process, so that nobody can prepare keys that
 * collide. It differs from process to process: base/checksum.h has the one for what is stored, shown or
 * compared elsewhere, and for what must come out alike at each start. */
#pragma once
#include <stddef.h>
#include <stdint.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/** Random bits, drawn before main(). */
extern uint64_t drg_hash_secret;

/** @param salt  Keys that differ only in the salt get unrelated hashes. */
static inline uint64_t drg_hash(const void *p, size_t n, uint64_t salt)
{
	return XXH3_64bits_withSeed(p, n, drg_hash_secret ^ salt * UINT64_C(0x9e3779b97f4a7c15));
}
