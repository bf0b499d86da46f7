/* src/decide/reference/dict_history.h
 * The history of records of the reference: a dict_event with every decision about one (decisions M41 and
 * M42), in the transaction of the decision itself. Nothing here begins or ends a transaction. */
#pragma once
#include "decide/history.h"

/** The event to store. Texts are borrowed for the call; empty: not given, or none. */
struct drg_dict_event {
	enum drg_kind kind;
	/** the dict record: of a merge the one that is removed, of a split the one that comes back */
	int64_t id;
	enum drg_dict_how how;
	struct drg_str lang; /**< of NAME and UNDO */
	/** the name before; of a merge the name of `id`, of a split the name of `into` */
	struct drg_str was;
	struct drg_str is; /**< the name after; of a merge the name of `into`, of a split the name of `id` */
	/** of MERGE: the record that `id` was merged into; of SPLIT: the record that it had been merged into */
	int64_t into;
	struct drg_str by, why;
};

/** Store the event with the present time, or just after the record's last event if the clock has not moved
 * on. */
DRG_MUSTCHECK
int drg_dict_event_put(struct drg_txn *t, const struct drg_dict_event *e, struct drg_err *reterr);

/** Call fn for every event of a dict record, the oldest first; their meta is empty. */
DRG_MUSTCHECK
int drg_dict_event_each(struct drg_store *s, enum drg_kind kind, int64_t id, drg_row_fn *fn, void *ctx,
                        struct drg_err *reterr);
