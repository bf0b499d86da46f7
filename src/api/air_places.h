/* src/api/air_places.h
 * Air places for what a supplier says: the use case behind avia/compared. Knows the catalog; knows nothing of
 * HTTP and wire JSON. */
#pragma once
#include "catalog/air/air.h"

/** The adapter of an air request. @return DRG_OK; DRG_EINVAL: there is none, or it is one for tours (decision
 * R1). */
DRG_MUSTCHECK
int drg_air_adapter(const struct drg_catalog *cat, int64_t id, const struct drg_adapter **ret,
                    struct drg_err *reterr);

/** A supplier's data about a place; n is 0 if there is none. */
struct drg_air_clue {
	struct drg_str external_id, iata_code;
	struct drg_air_title title;
};

/** The place that is meant: by the adapter's id, else by IATA code, else by its title (decision A5). @return
 * false: none. */
bool drg_air_match(const struct drg_catalog *cat, const struct drg_adapter *a,
                   const struct drg_air_clue *clue, struct drg_air_place *ret);
