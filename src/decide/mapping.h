/* src/decide/mapping.h
 * A supplier's record, as decisions name it (decisions M16 and M17). */
#pragma once
#include "model/model.h"
#include "store/store.h"

/** A source. */
struct drg_mapping_source {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
};
/** There is no such source: say what there is none of. @return DRG_ENOENT; errors of the store. */
DRG_MUSTCHECK
int drg_mapping_unknown_source(struct drg_store *s, const struct drg_mapping_source *of,
                               struct drg_err *reterr);
