/* src/decide/mapping.h
 * The key of a supplier's record in decisions (M16 and M17). */
#pragma once
#include "model/model.h"
#include "store/store.h"

/** A source. */
struct drg_mapping_source {
	int64_t adapter;
	enum drg_kind kind;
	struct drg_str id;
};
/** Fail because there is no such source; the message says which part of the key is unknown. @return
 * DRG_ENOENT; errors of the store. */
DRG_MUSTCHECK
int drg_mapping_fail_unknown(struct drg_store *s, const struct drg_mapping_source *of,
                             struct drg_err *reterr);
