/* src/decide/reference/merge_priv.h
 * A merge or split in progress: shared by both. */
#pragma once
#include "decide/reference/dict_history.h"
#include "decide/reference/merge_journal.h"
#include "decide/reference/merge_referrers.h"
#include "decide/verb.h"

struct drg_merging {
	struct drg_verb_run *v;
	const struct drg_decision *d;
	struct drg_txn *txn;
	struct drg_store *s; /**< of the transaction */
	struct drg_arena arena; /**< lives as long as this */
	struct drg_arena scratch; /**< for one record */
	struct drg_buf referrers; /**< drg_referrers_collect() */
	struct drg_merge_sums sums;
};

/** drg_merging_done() must be called in every case. */
void drg_merging_begin(struct drg_merging *x, struct drg_verb_run *v, const struct drg_decision *d);
void drg_merging_done(struct drg_merging *x);

/** Store the event of the decision: @p was and @p is have the names before and after (struct
 * drg_dict_event). */
DRG_MUSTCHECK
int drg_merging_keep(struct drg_merging *x, enum drg_dict_how how, const struct drg_record *was,
                     const struct drg_record *is, struct drg_err *reterr);

/** Store a record; the caller does not need the result. */
DRG_MUSTCHECK
int drg_merging_put(struct drg_merging *x, const struct drg_record *r, struct drg_err *reterr);
