/* src/matching/propose/propose_priv.h
 * What the files of the proposals share. */
#pragma once
#include "matching/automap_priv.h"
#include "matching/propose/propose.h"

/** A hotel that nothing in the reference is like. */
struct drg_pooled_row {
	int64_t adapter, country, city, category; /**< dict ids; INT64_MIN */
	struct drg_str id, name, lang, city_name;
};

/** All of them, with what is compared. */
struct drg_pooled {
	struct drg_arena texts;
	struct drg_buf rows; /**< struct drg_pooled_row, ascending by adapter and id: one for each place */
	struct drg_places places;
};

static inline const struct drg_pooled_row *drg_pooled_row(const struct drg_pooled *p, size_t i)
{
	return &((const struct drg_pooled_row *)(const void *)p->rows.p)[i];
}

/** @param ret  To be given to _done() in any case; its places share the words of @p kept. */
DRG_MUSTCHECK
int drg_pooled_read(struct drg_store *s, struct drg_automap_kept *kept, struct drg_pooled *ret,
                    struct drg_err *reterr);
void drg_pooled_done(struct drg_pooled *p);

/** Two of the pool that may be one. */
struct drg_tie {
	uint32_t a, b; /**< a < b */
	float bits;
	bool apart; /**< a veto */
	/** a clear lead counts: the name is nearly the same, not a former one, and it is known where they
	 * are */
	bool clear;
	bool placed; /**< it is known where they are */
	bool named; /**< nothing says where one of them is but its name, which its city has once */
};
#define DRG_TIE_METRES 1200.0 /* what lies farther apart is placed by its street alone */

/**
 * Which of them are one: ties at the bound for automatic, the heaviest first, unless a supplier would be
 * there twice, or something keeps two of them apart. Then those that only the name places, where it is the
 * name of one cluster alone.
 * @param ties  struct drg_tie, in any order; changed.
 * @param ret   uint32_t by place: the first member of its cluster; n of them.
 * @param ret_bits  By place, of a first member: the weakest tie.
 */
DRG_MUSTCHECK
int drg_pooled_join(const struct drg_pooled *p, const struct drg_scorecard *card, struct drg_buf *ties,
                    uint32_t *ret, float *ret_bits, uint64_t *ret_ambiguous);
