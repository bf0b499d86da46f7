/* src/curate/mapping.h
 * Decisions about the mapping of one source (decisions M16 and M17): set, clear, undo. Each is kept as a mapping_event
 * in the same transaction; one that would change nothing is none. */
#pragma once
#include "store/store.h"

struct drg_decision {
	int64_t adapter; /**< the source: adapter, kind, id */
	enum drg_kind kind;
	struct drg_str id;
	struct drg_str by, why; /**< empty: not said */
};

/** What has become of a source. */
struct drg_mapping_change {
	bool changed;
	bool was_mapped, is_mapped;
	int64_t was, is; /**< dict ids, where mapped */
	bool redirected; /**< `asked` was wanted, and had been merged into `is` */
	int64_t asked;
};

/**
 * Map a source to a dict record of its kind, or to what that was merged into.
 * @param ret  Written only on success.
 * @return DRG_OK; DRG_ENOENT: no such adapter, source or dict record; DRG_EINVAL: by or why is no text that can be kept;
 *         errors of the store. Nothing is changed then.
 */
DRG_MUSTCHECK
int drg_mapping_set(struct drg_store *s, const struct drg_decision *d, int64_t dict_id,
                    struct drg_mapping_change *ret, struct drg_err *reterr);

/** Likewise: map it to nothing. */
DRG_MUSTCHECK
int drg_mapping_clear(struct drg_store *s, const struct drg_decision *d, struct drg_mapping_change *ret,
                      struct drg_err *reterr);

/**
 * Likewise: take the last decision back, so that the mapping is again what it was before. That is a decision too, so
 * a second undo takes the first one back.
 * @return also DRG_ENOENT: there was no decision; DRG_EINVAL: the last event is of a merge or split, or the mapping was
 *         changed without a decision since (by an import).
 */
DRG_MUSTCHECK
int drg_mapping_undo(struct drg_store *s, const struct drg_decision *d, struct drg_mapping_change *ret,
                     struct drg_err *reterr);
