/* src/curate/air_map.h
 * Decisions about what air suppliers send: which place an identifier means. Whoever refuses has written nothing. */
#pragma once
#include "store/txn_run.h"
#include "store/ledger.h"

/** What has become of an identifier. */
struct drg_air_mapping_change {
	bool changed;
	bool was_mapped;
	int64_t was; /**< source_id, where it was mapped */
	int64_t reports; /**< of avia/compared that are dealt with by this, and forgotten */
};

struct drg_air_mapping {
	int64_t adapter;
	struct drg_str external_id;
	int64_t place; /**< source_id; of drg_air_map_set() */
	bool expects; /**< it is decided of what was seen: */
	bool seen_mapped; /**< whether it was mapped then, */
	int64_t seen; /**< and where to (source_id) */
	struct drg_ledger *ledger; /**< the batch that it is a part of; NULL: none */

	struct drg_air_mapping_change change; /**< the result */
};

/**
 * A decision (struct drg_air_mapping): let an identifier mean a place, and forget the reports about it.
 * @return DRG_OK; DRG_ENOENT: no such adapter or place; DRG_EINVAL: the adapter is not for air, or external_id is no text
 *         that can be an identifier; DRG_EEXIST, changed_since: it is not mapped as was seen; errors of the store.
 */
DRG_MUSTCHECK
int drg_air_map_set(void *mapping, struct drg_txn *t, struct drg_err *reterr);

/** Likewise: let it mean nothing. @return also DRG_ENOENT: it means nothing. */
DRG_MUSTCHECK
int drg_air_map_clear(void *mapping, struct drg_txn *t, struct drg_err *reterr);
