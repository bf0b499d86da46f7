/* src/catalog/air/typos_priv.h
 * Typing errors: finds the texts of a dictionary within some edits of the query. An edit is a letter too
 * many, a letter missing, another letter, or two neighbours swapped. */
#pragma once
#include "catalog/air/terms_priv.h"

/** The texts of a dictionary as a tree of their letters. The children of a node are neighbours, sorted by
 * letter, and lie before the children of the next node. */
struct drg_air_tree {
	uint32_t n; /**< nodes; the first one is the root */
	const struct drg_air_node *node; /**< n + 1: the last one ends the children of the one before */
};
struct drg_air_node {
	uint64_t letters; /**< classes of its children, a bit each */
	uint32_t child; /**< the first one */
	uint32_t lo, hi; /**< the texts that have its letters at their beginning */
	uint8_t letter; /**< its letter */
	uint8_t depth; /**< letters read so far */
};

enum {
	DRG_AIR_TYPED_MAX = 60, /**< bytes; no errors are searched for a longer query */
	DRG_AIR_EDITS_MAX = 2
};

/** @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_air_tree_build(const struct drg_air_terms *t, struct drg_arena *arena, struct drg_air_tree *ret,
                       struct drg_err *reterr);

/** A text that another one begins with. */
struct drg_air_part {
	struct drg_air_range range;
	size_t n; /**< its length */
};

/** The texts of @p t, the dictionary of the tree, that begin with @p beginning. Like drg_air_terms_find(), in
 * a fraction of the time. */
struct drg_air_range drg_air_tree_find(const struct drg_air_tree *tree, const struct drg_air_terms *t,
                                       struct drg_str beginning, struct drg_air_range *ret_equal);

/**
 * The texts that @p text begins with, shortest first: each as a range of one, and its length.
 * @return how many, @p room at most. @p ret_rest: those that begin with all of it.
 */
size_t drg_air_tree_parts(const struct drg_air_tree *tree, const struct drg_air_terms *t, struct drg_str text,
                          struct drg_air_part *ret, size_t room, struct drg_air_range *ret_rest);

/** Errors allowed in a text of @p n letters: decision A1. */
static inline unsigned drg_air_edits(size_t n)
{
	return n < 4 || n > DRG_AIR_TYPED_MAX ? 0 : n < 8 ? 1 : 2;
}

/**
 * Called with texts that are near. @p whole: the whole text is near; else its beginning is. A text may be
 * reported in both ways.
 */
typedef void drg_air_near_fn(void *ctx, struct drg_air_range texts, bool whole);

/** @param edits  0..DRG_AIR_EDITS_MAX. */
void drg_air_tree_near(const struct drg_air_tree *tree, const struct drg_air_terms *t, struct drg_str typed,
                       unsigned edits, drg_air_near_fn *fn, void *ctx);
