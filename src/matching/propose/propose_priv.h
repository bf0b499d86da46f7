/* src/matching/propose/propose_priv.h
 * Shared by the files of the proposals. */
#pragma once
#include "matching/automap_priv.h"
#include "matching/propose/propose.h"

/** A hotel that nothing in the reference is similar to. */
struct drg_pooled_row {
	int64_t adapter, country, city, category; /**< dict ids; INT64_MIN: not known */
	struct drg_str id, name, lang, city_name;
};

/** All hotels of the pool, with the data to compare. */
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

/** Two hotels of the pool that may be one house. */
struct drg_tie {
	uint32_t a, b; /**< a < b */
	float bits;
	bool apart; /**< a veto keeps them apart */
	/** a clear lead counts: the name is nearly the same and not a former one, and both are located */
	bool clear;
	bool placed; /**< both are located */
	bool named; /**< one of them is located only by its name, which its city has once */
};
#define DRG_TIE_METRES 1200.0 /* farther apart, street and house alone say that they are one */

/**
 * Join hotels into clusters: ties at the bound for automatic, the heaviest first, unless a supplier would be
 * in a cluster twice, or a veto keeps two of them apart. Then ties by name alone, if only one cluster has the
 * name.
 * @param ties  struct drg_tie, in any order; changed.
 * @param ret   uint32_t by place: the first member of its cluster; n of them.
 * @param ret_bits  By place, of a first member: the weakest tie.
 */
DRG_MUSTCHECK
int drg_pooled_join(const struct drg_pooled *p, const struct drg_scorecard *card, struct drg_buf *ties,
                    uint32_t *ret, float *ret_bits, uint64_t *ret_ambiguous);
