/* src/match/candidates.h
 * Which records of the reference are worth a comparison with a record: by place, by rare tokens, by pairs of
 * tokens, by city and token. What is not among them counts as not found, not as compared. */
#pragma once
#include <stdatomic.h>

#include "match/gists.h"
#include "match/postings.h"

enum { DRG_CANDIDATES_MAX = 256 };

/** Over the reference; made once, read from any thread. */
struct drg_candidate_index {
	const struct drg_places *ref;
	struct drg_postings postings;
	struct drg_gists gists;
};

/** @param leave  Looked at for each record; may be NULL.
 * @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: too many records; DRG_EBUSY: @p leave became true. */
DRG_MUSTCHECK
int drg_candidate_index_make(const struct drg_places *ref, const atomic_bool *leave,
                             struct drg_candidate_index *ret);
void drg_candidate_index_done(struct drg_candidate_index *x);

/** Scratch and result of a thread. */
struct drg_candidates {
	struct drg_candidate {
		uint32_t i; /**< in the reference */
		float rank; /**< shared rarity and nearness */
	} best[DRG_CANDIDATES_MAX]; /**< the best first */
	unsigned n;

	const struct drg_candidate_index *index;
	const struct drg_places *src;
	const double *rarity;
	uint32_t *seen, *marked; /**< by record, by token: the number of the search that met it last */
	uint32_t n_marked, search;
	/** a bit for the record's tokens, by their last 12 bits: most others are told apart by it */
	uint64_t hint[64];
};

/** @param rarity  By token, of both lists. */
DRG_MUSTCHECK
int drg_candidates_init(struct drg_candidates *c, const struct drg_candidate_index *index,
                        const struct drg_places *src, const double *rarity);
void drg_candidates_done(struct drg_candidates *c);

/** The best DRG_CANDIDATES_MAX of them, into @p c. */
void drg_candidates_find(struct drg_candidates *c, const struct drg_place_record *r);
