/* src/catalog/air/index_priv.h
 * All that the search knows: places numbered by weight, their names and words sorted. Made as a whole when a place has
 * changed, and immutable but for the orders of titles, which are added as languages are asked for. */
#pragma once
#include "catalog/air/air_priv.h"
#include "catalog/air/typos_priv.h"
#include "catalog/catalog_priv.h"

enum { DRG_AIR_CODES = 36 * 36 * 36, DRG_AIR_ORDERS = 64, DRG_AIR_NONE = UINT32_MAX };

/** Places in the order of their titles in one language, those of each weight by themselves. */
struct drg_air_order {
	char lang[DRG_LANG_MAX + 1];
	uint32_t place[];
};

struct drg_air_index {
	struct drg_arena arena;
	uint32_t n; /**< places; a place's number is its rank by weight, then id */
	const struct drg_air_rec **rec; /**< by number */
	const uint32_t *by_id; /**< numbers, ascending by id */
	const uint32_t *tie_first, *tie_end; /**< by number: the places of its weight */
	const uint32_t *of_code; /**< by drg_air_code_number(): the first place of the code ... */
	const uint32_t *next_of_code; /**< ... and by number the next one */
	struct drg_air_terms names, words; /**< words also of the city's names */
	struct drg_air_tree name_tree, word_tree;
	_Atomic(struct drg_air_order *) order[DRG_AIR_ORDERS];
};

/** @param was  The index before, NULL at first: the orders that it has are made again. */
DRG_MUSTCHECK
int drg_air_index_new(const struct drg_catalog *c, const struct drg_rows *places, struct drg_air_index *was,
                      struct drg_air_index **ret, struct drg_err *reterr);
/** No reader may see it. NULL is fine. */
void drg_air_index_free(struct drg_air_index *ix);

/** The order of a language (valid, lower case); made now if nobody has asked for it yet. NULL, which is by id, when
 * memory is exhausted or DRG_AIR_ORDERS other languages were asked for. */
const struct drg_air_order *drg_air_order(const struct drg_catalog *c, struct drg_air_index *ix,
                                          struct drg_str lang);

/** Number of a code of letters, in any case, and digits; DRG_AIR_NONE when it is none. */
uint32_t drg_air_code_number(struct drg_str code);

static inline struct drg_air_index *drg_air_index_of(const struct drg_catalog *c)
{
	return atomic_load_explicit(&c->air.index, memory_order_acquire);
}
