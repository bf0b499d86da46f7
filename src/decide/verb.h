/* src/decide/verb.h
 * The functions of the verbs (decide/verbs.h) and their arguments. Before it calls a verb, the runner has
 * checked texts and versions, has taken the right to import if the row asks for it, and has loaded the
 * source. The verb checks the rest before it writes anything, writes by drg_verb_put(), and sets in `is` what
 * it changes; is_mapped and is are equal to was_mapped and was at the start. */
#pragma once
#include "decide/decision.h"
#include "decide/history.h"

struct drg_verb_run {
	struct drg_txn *txn;
	struct drg_store *s; /**< of the transaction */
	struct drg_ledger *ledger;
	struct drg_str why; /**< the reason of this decision: its own, or that of the ledger */
	struct drg_arena arena; /**< of this decision */
	struct drg_record source; /**< the stored source, if the decision is about one */
	enum drg_how how; /**< of the mapping events of this decision */
};

/** Store a record, and keep its previous state in the batch. */
DRG_MUSTCHECK
int drg_verb_put(struct drg_verb_run *x, const struct drg_record *r, struct drg_err *reterr);

/** Map the source to @p dict_id or to the record that it was merged into; NULL: to nothing. Sets all of `is`
 * that is about a mapping. */
DRG_MUSTCHECK
int drg_verb_map_to(struct drg_verb_run *x, struct drg_decision *d, const int64_t *dict_id,
                    struct drg_err *reterr);

/** Note that a mapping was judged right, or that this was undone (M39): it does not change. */
DRG_MUSTCHECK
int drg_judge_note(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr);

#define DRG_VERB_FN(id, word, about, says, locks, how, run)                                                  \
	DRG_MUSTCHECK int run(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr);
DRG_VERB_TABLE(DRG_VERB_FN)
#undef DRG_VERB_FN
