/* src/match/align.h
 * Pairs the tokens of two texts one to one, the most similar first; two neighbours may be one token of the
 * other text ("may well", "maywell"). */
#pragma once
#include "match/normal.h"
#include "match/vocab.h"

enum { DRG_ALIGN_KNOWN = 1 << 13 };

/** Working memory and result, large: one for each thread and vocabulary; zeroed before first use. */
struct drg_align {
	struct drg_align_pair {
		uint32_t a, b;
		double similar; /**< 0..1 */
		double weight; /**< rarity of the paired tokens */
	} pair[DRG_NORMAL_TOKENS];
	uint32_t left_a[DRG_NORMAL_TOKENS], left_b[DRG_NORMAL_TOKENS]; /**< those without a partner */
	unsigned n, n_left_a, n_left_b;

	struct drg_align_try {
		double similar;
		uint16_t i, k;
	} tries[DRG_NORMAL_TOKENS * DRG_NORMAL_TOKENS];

	struct drg_align_known {
		uint32_t a, b; /**< both 0: free */
		double similar;
		/** results of earlier comparisons: the words of a city occur again and again */
	} known[DRG_ALIGN_KNOWN];
};

/** @param rarity  By token. */
void drg_align(struct drg_align *al, const struct drg_vocab *v, const double *rarity, const uint32_t *a,
               unsigned na, const uint32_t *b, unsigned nb);
