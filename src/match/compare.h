/* src/match/compare.h
 * The comparisons of two places (docs/matching.md): each gives a level, and a scorecard has bits for each
 * level. */
#pragma once
#include "match/place.h"

enum drg_comparison {
	DRG_CMP_NAME,
	DRG_CMP_DISTANCE,
	DRG_CMP_ADDRESS,
	DRG_CMP_ZIP,
	DRG_CMP_NUMBERS,
	DRG_CMP_NEARER,
	DRG_CMP_RESIDENCE,
	DRG_CMP_COUNT
};

/** Levels of the name, as far as code asks for them; docs/matching.md has them all. */
enum {
	DRG_NAME_SAME_CORE = 5, /**< 5..8: nearly the same, by how rare it is */
	DRG_NAME_SAME = 9, /**< 9..12: the same letters */
	DRG_NAME_SAME_FEW = 10, /**< likewise, and at most 5 records have it */
	DRG_NAME_LEVELS = 13
};

/** Levels that code asks for, of addresses and postcodes. */
enum {
	DRG_ADDRESS_SAME = 1, /**< street and house */
	DRG_ADDRESS_STREET = 2, /**< the street; one of them has no house number */
	DRG_ZIP_SAME = 1,
	DRG_ZIP_OTHER = 3
};

/** Two lists, and what is learnt from them: how rare each token is. For one thread. */
struct drg_comparing {
	const struct drg_places *a, *b; /**< suppliers' records, the reference */
	const double *rarity, *address_rarity; /**< by token */
	struct drg_align *align; /**< scratch */
	struct drg_compared
	        *compared; /**< likewise: what was found of the record of `a` that was compared last */
};

/** Rarity by token, 0..1, in two lists that share a vocabulary. @param address  Of addresses, not of names.
 * @return NULL: no memory; to be freed. */
double *drg_rarity_new(const struct drg_places *a, const struct drg_places *b, bool address);

DRG_MUSTCHECK
int drg_comparing_init(struct drg_comparing *c, const struct drg_places *a, const struct drg_places *b,
                       const double *rarity, const double *address_rarity);
void drg_comparing_done(struct drg_comparing *c);

/** What two forms with a name of this level are worth: the best counts. */
typedef double drg_forms_worth(void *ctx, unsigned level, const struct drg_form *a, const struct drg_form *b);

/** The level of the two forms that are worth most, and these. Forms without a word of their city count where
 * both are in one city. */
unsigned drg_level_name(struct drg_comparing *c, const struct drg_place_record *a,
                        const struct drg_place_record *b, drg_forms_worth *worth, void *ctx,
                        const struct drg_form **ret_a, const struct drg_form **ret_b);

/** Metres on the sphere. Both are located. */
double drg_metres(const struct drg_place_record *a, const struct drg_place_record *b);
double drg_metres_to(const struct drg_place_record *a, double lat, double lng);
/** In how many of @p bounds (ascending) it is at least. */
unsigned drg_level_distance(double metres, const double *bounds, unsigned n);

unsigned drg_level_address(struct drg_comparing *c, const struct drg_place_record *a,
                           const struct drg_place_record *b);
unsigned drg_level_zip(const struct drg_comparing *c, const struct drg_place_record *a,
                       const struct drg_place_record *b);
/** 1: the same numbers; 2: none in common; 3: on one side only; 0: else. */
unsigned drg_level_numbers(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);
/** 1: the words that tell sister houses apart are not the same. */
unsigned drg_level_residence(const struct drg_comparing *c, const struct drg_form *a,
                             const struct drg_form *b);

/** The same letters, or the same words in another order ("Hotel Roma", "Roma Hotel") that are not all type
 * words. */
bool drg_same_words(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);

/** Has @p b such words, and @p a none? */
bool drg_residence_is_missing(const struct drg_comparing *c, const struct drg_form *a,
                              const struct drg_form *b);

/** Such words differ, but only in what a house says of itself ("Beach Resort") or has besides ("&
 * Residences"). */
bool drg_residence_is_soft(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);

/** The tokens of two forms paired up, for an explanation. */
struct drg_alignment {
	uint32_t pair_a[DRG_NORMAL_TOKENS], pair_b[DRG_NORMAL_TOKENS];
	uint32_t left_a[DRG_NORMAL_TOKENS], left_b[DRG_NORMAL_TOKENS];
	unsigned n_pairs, n_left_a, n_left_b;
};
void drg_align_forms(struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b,
                     struct drg_alignment *ret);
