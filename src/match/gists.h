/* src/match/gists.h
 * The data of each record of the reference that a search for candidates needs, in one piece: with millions of
 * records each step to another place in memory costs more than the work done there. */
#pragma once
#include "match/place.h"

struct drg_gist {
	double lat, lng; /**< NAN: not known */
	int64_t city;
	uint32_t n_forms;
	uint32_t forms[]; /**< for each form: the number of tokens, then these */
};

/** Made once, read from any thread. */
struct drg_gists {
	uint32_t *start; /**< by record, in units of 8 bytes */
	uint64_t *units;
	size_t n_start, n_units;
};

/** @return DRG_OK; DRG_ENOMEM; DRG_ELIMIT: more than 32 GiB. */
DRG_MUSTCHECK
int drg_gists_make(const struct drg_places *places, struct drg_gists *ret);
/** A zeroed one is fine. */
void drg_gists_done(struct drg_gists *g);

static inline const struct drg_gist *drg_gist(const struct drg_gists *g, uint32_t record)
{
	return (const struct drg_gist *)(const void *)&g->units[g->start[record]];
}
