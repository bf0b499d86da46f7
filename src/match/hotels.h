/* src/match/hotels.h
 * Matches a supplier's hotels to those of the reference: candidates, scores, rivals, vetoes, outcomes
 * (docs/matching.md). The matcher knows records, not where they are stored. */
#pragma once
#include <stdatomic.h>
#include "match/candidates.h"
#include "match/outcome.h"
#include "match/card/scorecard.h"

enum {
	DRG_HOTEL_BEST = 10, /**< pairs that are kept for a record */
	DRG_HOTEL_SHOWN = 3 /**< pairs that are shown in lists */
};

/** Metres from which on no pair is automatic, whatever its bits. */
#define DRG_HOTEL_FAR 60000.0

struct drg_hotel_match {
	struct drg_hotel_pair {
		uint32_t i; /**< in the reference */
		float bits;
		float metres; /**< NAN: not known */
		uint8_t level[DRG_CMP_COUNT];
		uint16_t form_a, form_b; /**< the forms that were compared */
		bool former; /**< one of the forms is a former name */
		/** the pair is located: by coordinates, a name that is unique in its city, or an address */
		bool placed;
	} best[DRG_HOTEL_BEST]; /**< the best first */
	uint8_t n_best;
	uint8_t outcome; /**< enum drg_match_outcome */
	uint8_t reason; /**< enum drg_match_reason */
	uint16_t candidates; /**< how many were compared */
	/** with DRG_WHY_VETO_CLAIMED: another record that claims the best one, counted from 1 */
	uint32_t twin;
	float clear; /**< bits for the lead over the second best; the bits of the best pair include them */
	/** input: mapped already, to best[0] (n_best is 1); it stays, and no other record gets that hotel */
	bool taken;
};

struct drg_hotel_matching {
	const struct drg_scorecard *card;
	const struct drg_candidate_index *index;
	const struct drg_places *src;
	bool whole; /**< `src` has all records of the supplier: no others exist */
	unsigned threads; /**< at least 1 */
	/** looked at for each record; NULL: match to the end */
	const atomic_bool *leave;
	/** Is this record known not to be that one? Such a pair is not compared. From any thread; NULL:
	 * nothing is known. */
	bool (*apart)(const void *apart_ctx, uint32_t record, uint32_t reference);
	const void *apart_ctx;
	/** Rarity by token, of names and of addresses, as drg_rarity_new() returns it; NULL: computed here,
	 * for all tokens of both lists. */
	const double *rarity, *address_rarity;
	/** Called for each pair that is compared, from any thread; may be NULL. @param veto  DRG_WHY_SURE:
	 * none, or too few bits to ask. */
	void (*pair)(void *pair_ctx, uint32_t record, const struct drg_hotel_pair *p,
	             enum drg_match_reason veto);
	void *pair_ctx;
	/** for the one record that is not `taken`: compare it with `against` too, and report that pair */
	bool against_one;
	uint32_t against; /**< in the reference */
	/** Called now and then on the calling thread; may be NULL. */
	void (*progress)(void *ctx, uint64_t done, uint64_t total);
	void *ctx;
};

/**
 * Match every record of a supplier.
 * @param ret  One for each record of `src`, zeroed except the ones that are `taken`.
 * @return DRG_OK, DRG_ENOMEM; DRG_ESTOPPED, without words: @p m->leave became true.
 */
DRG_MUSTCHECK
int drg_hotels_match(const struct drg_hotel_matching *m, struct drg_hotel_match *ret, struct drg_err *reterr);

/** Drop coordinates that mean nothing: 0,0, and those that many records share (the middle of a city). */
void drg_hotels_drop_crowds(struct drg_places *l);

/** Writes explanations; one for each thread. */
struct drg_hotel_explainer {
	const struct drg_hotel_matching *m;
	struct drg_comparing comparing;
	double *rarity;
	struct drg_alignment alignment;
};
DRG_MUSTCHECK
int drg_hotel_explainer_init(struct drg_hotel_explainer *e, const struct drg_hotel_matching *m);
void drg_hotel_explainer_done(struct drg_hotel_explainer *e);

/**
 * Explain a result in one line: "automatic, 9.8 bits (p .999): name +6.7 (orkide, resort; left over: spa), 38
 * m +5.0, ...". The bits add up.
 * @param i  The supplier's record.
 */
void drg_hotel_explain(struct drg_hotel_explainer *e, uint32_t i, const struct drg_hotel_match *x,
                       struct drg_buf *out);
