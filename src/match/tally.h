/* src/match/tally.h
 * Counts of 64-bit hashes. */
#pragma once
#include "base/err.h"
#include "base/str.h"

struct drg_tally {
	struct drg_tally_slot {
		uint64_t key; /**< 0: free */
		uint32_t n;
	} * slots;
	size_t n_slots, used;
};

void drg_tally_init(struct drg_tally *t);
void drg_tally_done(struct drg_tally *t);

/** @param key  Not 0. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_tally_add(struct drg_tally *t, uint64_t key);

/** The count of a key; 0: it was never counted. */
uint32_t drg_tally_get(const struct drg_tally *t, uint64_t key);
