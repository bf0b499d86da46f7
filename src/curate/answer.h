/* src/curate/answer.h
 * What a person answers to the queue (decision M34): that a record is the dict record suggested, that it is not, or that the reference
 * lacks it. */
#pragma once
#include "store/txn_run.h"
#include "store/ledger.h"

/** The words of `drg_answer_words`, in this order. */
enum drg_answer_sort { DRG_ANSWER_ACCEPT, DRG_ANSWER_REJECT, DRG_ANSWER_NEW, DRG_ANSWER_SORTS };
extern const char *const drg_answer_words[]; /**< NULL-terminated */

struct drg_answer {
	enum drg_answer_sort sort;
	int64_t adapter; /**< the source: adapter, kind, id */
	enum drg_kind kind;
	struct drg_str id;
	bool judges; /**< what the matcher has mapped, in a sample of that: an audit (curate/learn/audit.h); wants has_dict */
	const int64_t *instead; /**< of a REJECT that judges: what it is; NULL: that is not known */
	bool has_dict; /**< else the dict record that is suggested; of NEW: not used */
	int64_t dict_id; /**< in; out: the one that it was about, or was made */
	struct drg_str by, why; /**< empty: not said */
	/** Of which batch it is, to be taken back with that; wanted for NEW. NULL: a decision of its own. */
	struct drg_ledger *ledger;
	bool replace; /**< with a ledger, of ACCEPT: what it is mapped to by now gives way; who asks has seen it */
	bool repeats; /**< of NEW: a record that was made for this source before is this answer: a list is read again */
	int64_t *
	        largest; /**< of a load's NEW: what it remembers (curate/propose/new_record.h); may be NULL */

	/* The result. */
	bool changed; /**< else it was so already */
	bool was_apart; /**< of ACCEPT: that they are not the same was said before, and is forgotten */
	bool was_mapped; /**< of REJECT: that mapping is gone */
};

/**
 * A decision (struct drg_answer).
 * @return DRG_OK; DRG_ENOENT: no such adapter, source or dict record, or nothing is suggested; DRG_EINVAL: by or why is no text that
 *         can be kept; the source is mapped to something else by now (with a ledger); of NEW: what the record would have to refer to
 *         is not known, or this kind cannot be made from a source; errors of the store.
 */
DRG_MUSTCHECK
int drg_answer_give(void *answer, struct drg_txn *t, struct drg_err *reterr);
