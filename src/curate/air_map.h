/* src/curate/air_map.h
 * The mapping desk's work on air suppliers' identifiers: which place one means. */
#pragma once
#include "store/store.h"

/** What has become of an identifier. */
struct drg_air_mapping {
	bool changed;
	bool was_mapped;
	int64_t was; /**< source_id, where it was mapped */
	int64_t reports; /**< of avia/compared that are dealt with by this, and forgotten */
};

/**
 * Let an identifier mean a place, and forget the reports about it.
 * @param ret  Written only on success.
 * @return DRG_OK; DRG_ENOENT: no such adapter or place; DRG_EINVAL: the adapter is not for air, or external_id is no text
 *         that can be an identifier; errors of the store. Nothing is changed then.
 */
DRG_MUSTCHECK
int drg_air_map_set(struct drg_store *s, int64_t adapter, struct drg_str external_id, int64_t place,
                    struct drg_air_mapping *ret, struct drg_err *reterr);

/** Likewise: let it mean nothing. @return also DRG_ENOENT: it means nothing. */
DRG_MUSTCHECK
int drg_air_map_clear(struct drg_store *s, int64_t adapter, struct drg_str external_id,
                      struct drg_air_mapping *ret, struct drg_err *reterr);
