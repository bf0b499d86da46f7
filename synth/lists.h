/* synth/lists.h
 * The short lists of a supplier: its countries, cities, meals and so on, and what its hotels quote of them. */
#pragma once
#include "synth/supplier.h"

struct drg_synth_lists {
	struct drg_str *country; /**< by country of the base: its id and name there as ready JSON members */
	struct drg_str *city; /**< by city of the base, likewise; empty where it does not sell */
	struct drg_str *city_name; /**< by city: the supplier's name, for names of hotels and addresses */
	struct drg_str *category; /**< by category of the base, then DRG_SYNTH_ODD_CATEGORIES of its own */
	uint32_t n_categories;
};

enum { DRG_SYNTH_ODD_CATEGORIES = 3 };

/**
 * Make the lists, and write their sources and the directions.
 * @param a  Holds the lists.
 */
DRG_MUSTCHECK
int drg_synth_lists_write(const struct drg_synth_world *w, const struct drg_synth_supplier *s, bool blind,
                          struct drg_arena *a, struct drg_synth_out *o, struct drg_synth_lists *ret,
                          struct drg_err *reterr);

/** Begin a source line up to and including its dict_id. @param dict_id  NULL: not mapped, or blind. */
void drg_synth_source_begin(struct drg_synth_out *o, const struct drg_synth_supplier *s, enum drg_kind kind,
                            struct drg_str id, struct drg_str name, const int64_t *dict_id);
