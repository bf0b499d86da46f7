/* src/curate/mapping.h
 * Decisions about the mapping of one source (decisions M16 and M17): set, clear, undo. Each is kept as a mapping_event
 * in the same transaction; one that would change nothing is none. Whoever refuses has written nothing. */
#pragma once
#include "store/txn_run.h"

/** What has become of a source. */
struct drg_mapping_change {
	bool changed;
	bool was_mapped, is_mapped;
	int64_t was, is; /**< dict ids, where mapped */
	bool redirected; /**< `asked` was wanted, and had been merged into `is` */
	int64_t asked;
	bool was_apart; /**< somebody had said that they are not the same (curate/apart.h); that is forgotten */
};

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

struct drg_mapping_decision {
	int64_t adapter; /**< the source: adapter, kind, id */
	enum drg_kind kind;
	struct drg_str id;
	int64_t dict_id; /**< of drg_mapping_set() */
	struct drg_str by, why; /**< empty: not said */

	struct drg_mapping_change change; /**< the result */
};

/**
 * A decision (struct drg_mapping_decision): map a source to a dict record of its kind, or to what that was merged into.
 * @return DRG_OK; DRG_ENOENT: no such adapter, source or dict record; DRG_EINVAL: by or why is no text that can be kept;
 *         errors of the store.
 */
DRG_MUSTCHECK
int drg_mapping_set(void *decision, struct drg_txn *t, struct drg_err *reterr);

/** Likewise: map it to nothing. */
DRG_MUSTCHECK
int drg_mapping_clear(void *decision, struct drg_txn *t, struct drg_err *reterr);

/**
 * Likewise: take the last decision back, so that the mapping is again what it was before. That is a decision too, so
 * a second undo takes the first one back.
 * @return also DRG_ENOENT: there was no decision; DRG_EINVAL: the last event is of a merge or split, or the mapping was
 *         changed without a decision since (by an import).
 */
DRG_MUSTCHECK
int drg_mapping_undo(void *decision, struct drg_txn *t, struct drg_err *reterr);
