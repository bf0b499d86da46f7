/* src/match/airports_priv.h
 * Shared by the files that match airports. */
#pragma once
#include <math.h>
#include "match/airports.h"
#include "match/align.h"

enum { AIRPORT_CANDIDATES = 4096 };

#define FAR_METRES 1500.0

struct drg_airport_matching {
	const struct drg_airports *ref, *src;
	double *rarity; /* by token */
	struct drg_buf words, cells, codes; /* struct drg_keyed of the reference */
	uint32_t *seen; /* by airport of the reference: the last search that found it */
	uint32_t search;
	uint32_t found[AIRPORT_CANDIDATES];
	unsigned n_found;
	struct drg_align align;
};

struct drg_airport_pair drg_airport_compare(struct drg_airport_matching *m, const struct drg_airport *a,
                                            uint32_t i);
static inline bool drg_airport_located(const struct drg_airport *a)
{
	return !isnan(a->lat) && !isnan(a->lng);
}

static inline const struct drg_airport_name *drg_airport_name(const struct drg_airports *l, uint32_t i)
{
	return &((const struct drg_airport_name *)(const void *)l->names.p)[i];
}

/** Never NULL: if no name has a letter, each has 0 tokens. */
static inline const uint32_t *drg_airport_name_tokens(const struct drg_airports *l,
                                                      const struct drg_airport_name *name)
{
	static const uint32_t none;
	const uint32_t *all = (const void *)l->tokens.p;
	return all != NULL ? &all[name->at] : &none;
}
