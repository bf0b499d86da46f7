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

/** The levels of the name that code refers to; docs/matching.md has all of them. */
enum {
	DRG_NAME_SAME_CORE = 5, /**< 5..8: nearly the same, by how rare it is */
	DRG_NAME_SAME = 9, /**< 9..12: the same letters */
	DRG_NAME_SAME_FEW = 10, /**< likewise, and at most 5 records have the name */
	DRG_NAME_LEVELS = 13
};

/** The levels of addresses and postcodes that code refers to. */
enum {
	DRG_ADDRESS_SAME = 1, /**< street and house */
	DRG_ADDRESS_STREET = 2, /**< the street; one of them has no house number */
	DRG_ZIP_SAME = 1,
	DRG_ZIP_OTHER = 3
};

/** Two lists and the rarity of their tokens. For one thread. */
struct drg_comparing {
	const struct drg_places *a, *b; /**< suppliers' records, the reference */
	const double *rarity, *address_rarity; /**< by token */
	struct drg_align *align; /**< scratch */
	struct drg_compared *compared; /**< likewise: data of the record of `a` that was compared last */
};

/** Compute the rarity of each token, 0..1, in two lists that share a vocabulary. @param address  Of addresses,
 * not of names. @return To be freed; NULL: no memory. */
double *drg_rarity_new(const struct drg_places *a, const struct drg_places *b, bool address);

DRG_MUSTCHECK
int drg_comparing_init(struct drg_comparing *c, const struct drg_places *a, const struct drg_places *b,
                       const double *rarity, const double *address_rarity);
void drg_comparing_done(struct drg_comparing *c);

/** The worth of two forms whose names have this level; the best pair counts. */
typedef double drg_forms_worth_fn(void *ctx, unsigned level, const struct drg_form *a,
                                  const struct drg_form *b);

/** Find the two forms with the highest worth, and their level. Forms without the name of their city count if
 * both records are in one city. */
unsigned drg_level_name(struct drg_comparing *c, const struct drg_place_record *a,
                        const struct drg_place_record *b, drg_forms_worth_fn *worth, void *ctx,
                        const struct drg_form **ret_a, const struct drg_form **ret_b);

/** The distance in metres on the sphere. Both are located. */
double drg_metres(const struct drg_place_record *a, const struct drg_place_record *b);
double drg_metres_to(const struct drg_place_record *a, double lat, double lng);
/** How many of @p bounds (ascending) the distance reaches. */
unsigned drg_level_distance(double metres, const double *bounds, unsigned n);

unsigned drg_level_address(struct drg_comparing *c, const struct drg_place_record *a,
                           const struct drg_place_record *b);
unsigned drg_level_zip(const struct drg_comparing *c, const struct drg_place_record *a,
                       const struct drg_place_record *b);
/** 1: the same numbers; 2: none in common; 3: on one side only; 0: else. */
unsigned drg_level_numbers(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);
/** 1: the words that distinguish sister houses differ. */
unsigned drg_level_residence(const struct drg_comparing *c, const struct drg_form *a,
                             const struct drg_form *b);

/** The same letters, or the same words in another order ("Hotel Roma", "Roma Hotel") that are not all type
 * words. */
bool drg_same_words(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);

/** Does @p b have such words, and @p a none? */
bool drg_residence_is_missing(const struct drg_comparing *c, const struct drg_form *a,
                              const struct drg_form *b);

/** Do such words differ only in what the house has besides ("& Residences"), or in what praises it ("Beach
 * Resort") and is in @p b alone? */
bool drg_residence_is_soft(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b);

/** The paired tokens of two forms, for an explanation. */
struct drg_alignment {
	uint32_t pair_a[DRG_NORMAL_TOKENS], pair_b[DRG_NORMAL_TOKENS];
	uint32_t left_a[DRG_NORMAL_TOKENS], left_b[DRG_NORMAL_TOKENS];
	unsigned n_pairs, n_left_a, n_left_b;
};
void drg_align_forms(struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b,
                     struct drg_alignment *ret);
