/* src/match/candidates.h
 * Finds the records of the reference that are worth a comparison: by place, by rare tokens, by pairs of
 * tokens, by city and token. Other records count as not found, not as compared. */
#pragma once
#include <stdatomic.h>

#include "match/gists.h"
#include "match/postings.h"

enum { DRG_CANDIDATES_MAX = 256 };

/** An index of the reference; made once, read from any thread. Records that were added to the reference since
 * are found too, by looking at each. */
struct drg_candidate_index {
	const struct drg_places *ref;
	uint32_t n; /**< records that it has; those behind them were added since */
	struct drg_postings postings;
	struct drg_gists gists;
};

/** @param leave  Checked for each record; may be NULL.
 * @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: too many records; DRG_EBUSY: @p leave became true. */
DRG_MUSTCHECK
int drg_candidate_index_make(const struct drg_places *ref, const atomic_bool *leave,
                             struct drg_candidate_index *ret);
void drg_candidate_index_done(struct drg_candidate_index *x);

/** Working memory and result of a thread. */
struct drg_candidates {
	struct drg_candidate {
		uint32_t i; /**< in the reference */
		float rank; /**< shared rarity and nearness */
	} best[DRG_CANDIDATES_MAX]; /**< the best first */
	unsigned n;

	const struct drg_candidate_index *index;
	const struct drg_places *src;
	const double *rarity;
	uint32_t *seen, *marked; /**< by record, by token: the number of the last search that met it */
	uint32_t n_marked, search;
	/** a bit for each token of the record, by its last 12 bits: it excludes most other tokens */
	uint64_t hint[64];
};

/** @param rarity  By token, of both lists. */
DRG_MUSTCHECK
int drg_candidates_init(struct drg_candidates *c, const struct drg_candidate_index *index,
                        const struct drg_places *src, const double *rarity);
void drg_candidates_done(struct drg_candidates *c);

/** Find the best DRG_CANDIDATES_MAX candidates and store them in @p c. */
void drg_candidates_find(struct drg_candidates *c, const struct drg_place_record *r);
