/* synth/prng.h
 * Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood 2014), integers only.
 * Everything is drawn from a stream named by what it is for, so that any record can be made without the ones
 * before it. */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** The use of a stream of numbers; part of its name. */
enum drg_rng_use {
	DRG_RNG_HOTEL,
	DRG_RNG_SUPPLIER,
	DRG_RNG_LISTS,
	DRG_RNG_SOURCE,
	DRG_RNG_CONTENT,
	DRG_RNG_CITY,
	DRG_RNG_AIR
};

struct drg_rng {
	uint64_t state;
};

/** A bijection on 64 bits that scatters well. */
static inline uint64_t drg_rng_mix(uint64_t x)
{
	x = (x ^ (x >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	x = (x ^ (x >> 27)) * UINT64_C(0x94d049bb133111eb);
	return x ^ (x >> 31);
}

static inline uint64_t drg_rng_next(struct drg_rng *r)
{
	r->state += UINT64_C(0x9e3779b97f4a7c15);
	return drg_rng_mix(r->state);
}

/** The stream of a use and two numbers, say supplier and hotel. */
static inline struct drg_rng drg_rng(uint64_t seed, enum drg_rng_use use, uint64_t a, uint64_t b)
{
	uint64_t s = drg_rng_mix(seed + UINT64_C(0x9e3779b97f4a7c15) * ((uint64_t)use + 1));
	s = drg_rng_mix(s + a);
	return (struct drg_rng){ drg_rng_mix(s ^ (b * UINT64_C(0xd6e8feb86659fd93))) };
}

/** 0..n-1; n > 0. */
static inline uint32_t drg_rng_below(struct drg_rng *r, uint32_t n)
{
	return (uint32_t)((drg_rng_next(r) >> 32) * n >> 32);
}

/** lo..hi, both included. */
static inline int32_t drg_rng_between(struct drg_rng *r, int32_t lo, int32_t hi)
{
	return (int32_t)(lo + (int64_t)drg_rng_below(r, (uint32_t)((int64_t)hi - lo) + 1));
}

/** True in @p per_mille of 1,000 draws. */
static inline bool drg_rng_chance(struct drg_rng *r, uint32_t per_mille)
{
	return drg_rng_below(r, 1000) < per_mille;
}

/** An index 0..n-1, drawn by weights that stand @p stride bytes apart; n when all of them are 0. */
static inline uint32_t drg_rng_pick(struct drg_rng *r, const uint32_t *weight, size_t stride, uint32_t n)
{
	const char *at = (const char *)weight;
	uint32_t total = 0, i = 0;
	for (; i < n; i++)
		total += *(const uint32_t *)(const void *)(at + i * stride);
	if (total == 0)
		return n;
	uint32_t left = drg_rng_below(r, total);
	for (i = 0; left >= *(const uint32_t *)(const void *)(at + i * stride); i++)
		left -= *(const uint32_t *)(const void *)(at + i * stride);
	return i;
}
