/* src/matching/desk/nearby.h
 * Records near a supplier's record that have its name: records of the reference, and other open cases. A
 * curator who makes a new record of the reference wants to know them, since that is how duplicates begin. */
#pragma once
#include "decide/mapping.h"
#include "names/duplicates.h"

struct drg_nearby {
	int64_t adapter; /**< of an open case; 0: it is a record of the reference */
	struct drg_str adapter_name, id; /**< of an open case */
	int64_t dict_id; /**< of a record of the reference */
	struct drg_str name;
	double metres; /**< below 0: not known */
};

enum { DRG_NEARBY_MAX = 10 };
struct drg_nearby_list {
	struct drg_nearby v[DRG_NEARBY_MAX]; /**< records of the reference first */
	size_t n;
	size_t records, cases; /**< all there are */
	uint64_t key; /**< equal for cases of one kind with one name (folded) in one city; 0: not known */
};

/**
 * Find it for an open case; for one that is not open any more there is nothing.
 * @param cases  Other cases, of the same kind, that have its name: those that are open and near it are added.
 * @param arena  Texts of the result.
 * @return DRG_OK; DRG_ENOMEM; errors of the store.
 */
DRG_MUSTCHECK
int drg_nearby_find(struct drg_store *s, const struct drg_name_index *names,
                    const struct drg_mapping_source *of, const struct drg_mapping_source *cases, size_t n,
                    struct drg_arena *arena, struct drg_nearby_list *ret, struct drg_err *reterr);

/** In words, for a refusal: "505317 Hotel Roma of the reference, 120 m away, and 2 open cases". Empty: there is
 * nothing. @return DRG_OK, DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_nearby_text(const struct drg_nearby_list *l, struct drg_arena *arena, struct drg_str *ret);
