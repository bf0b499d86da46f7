/* src/decide/decision.h
 * Decisions of people (decisions C3, C4, M16, M28): one struct, one table of verbs, one path for requests,
 * commands and rows of lists. A ledger (decide/ledger.h) keeps what a decision changes, so that its batch can
 * be undone; of a merge or split it keeps the one record that identifies it (decide/batch_merges.c). The
 * judgement "right" only writes an event. A new verb is a row of decide/verbs.h and a function. */
#pragma once
#include "decide/ledger.h"
#include "decide/verbs.h"
#include "store/txn_run.h"

#define DRG_VERB_ID(id, word, about, says, locks, how, run) DRG_VERB_##id,
enum drg_decide_verb { DRG_VERB_TABLE(DRG_VERB_ID) DRG_VERBS };
#undef DRG_VERB_ID

/** The records that a merge or a split has moved. */
struct drg_merge_sums {
	/** of a merge: the record that the other one was merged into; of a split: the record that it had been
	 * merged into */
	int64_t into;
	uint64_t sources;
	uint64_t others; /**< dict records, directions, hotel contents */
	uint64_t redirects; /**< redirects of older merges that now lead elsewhere */
	/** of a merge: sources that are now mapped to a record that a person said they are not */
	uint64_t apart;
};

struct drg_decision {
	enum drg_decide_verb verb;
	enum drg_kind kind;
	int64_t adapter;
	struct drg_str id; /**< of a source: adapter, kind, id; of a place: adapter, external_id */
	/** the record that a source is, or is not; for verbs about the reference: the record that is merged,
	 * comes back or is named */
	int64_t dict_id;
	/** of MAP, NOT_SAME: dict_id is not given; the matcher's first suggestion is used */
	bool suggested;
	/** of MAP: nobody has looked at this source. Refuse unless its own first suggestion is dict_id, without
	 * a veto, and right with the probability `above` or more; the mapping counts as the matcher's, with its
	 * explanation (decision C12) */
	bool unseen;
	float likely, above; /**< of unseen: the probability of its first suggestion, and the bound */
	/** of MAP: refuse if the source is mapped to another record by now; false: replace that */
	bool keeps;
	/** of NEW: use the record that was made for this source before, because a list may be read again */
	bool repeats;
	/** of NEW: true if the curator wants to be told if something else of that name is nearby. The caller
	 * looks for that, and names it in `beside`: then the decision is refused. Empty: nothing. */
	bool alone;
	struct drg_str beside;
	bool has_into; /**< of WRONG: the right record is known */
	int64_t into; /**< of MERGE: the other record; of WRONG: the right record */
	struct drg_str lang; /**< of NAME, UNDO_NAME; in any letter case (decision L1) */
	struct drg_str name; /**< of NAME; empty: remove the name in this language */
	struct drg_str why; /**< empty: the reason of the ledger */
	bool has_version; /**< refuse if the record has another version by now */
	/** of the source (drg_source_version()); of SPLIT the seq of the redirect, else of `dict_id` */
	int64_t version;
	bool has_into_version;
	int64_t into_version; /**< of MERGE: the seq of `into` */
	bool has_seen; /**< of PLACE, NO_PLACE: refuse if it is not mapped as it was seen: */
	bool seen_mapped; /**< whether the identifier was mapped, */
	int64_t seen; /**< and to which place */
	int64_t *largest; /**< of NEW, by kind: known largest ids (decide/new_record.h); may be NULL */
	/** of NAME, UNDO_NAME, COUNTRY: memory for the result's names; NULL: not wanted */
	struct drg_arena *texts;

	/* The result; drg_decisions_run() clears it first. */
	struct drg_decision_result {
		/** DRG_OK; DRG_EEXIST: another decision came first; else why the verb refused. Unless DRG_OK,
		 * nothing is stored */
		int rc;
		struct drg_err err;
		bool changed; /**< false: the decision was in force already */
		bool was_mapped, is_mapped; /**< of a source or an identifier, before and after */
		int64_t was, is; /**< dict ids, or places, if mapped */
		bool redirected; /**< `asked` was given, and it had been merged into `is` */
		int64_t asked;
		bool was_apart; /**< a statement "not the same" existed, and was removed */
		/** of a source: its present version, if has_version, even if the decision was refused because
		 * of it; the same of a dict record for a decision about a name */
		int64_t version;
		/** of a source that is not mapped, if has_version: how many candidates are left */
		unsigned n_ranked;
		int64_t best; /**< the best candidate */
		/** the names before and after; empty: none in this language */
		struct drg_str name_was, name_is;
		struct drg_str country; /**< of COUNTRY: the id of the supplier's record of the country */
		struct drg_merge_sums sums; /**< of MERGE, SPLIT */
		/** of PLACE: reports of avia/compared that this settles; they are removed */
		int64_t reports;
	} is;
};

/** As `how` of a verb: its mapping events have the `how` of the rest of its batch. */
enum { DRG_HOW_BATCH = -1 };

struct drg_verb_run;
struct drg_verb_def {
	const char *word; /**< word of curate/decide; NULL: not available there */
	enum drg_about about; /**< what the decision is about; a key that may write that may decide */
	unsigned needs; /**< DRG_SAYS_… */
	bool locks; /**< prevents imports until the transaction ends */
	int how; /**< enum drg_how of its mapping events, or DRG_HOW_BATCH */
	int (*run)(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr);
};
extern const struct drg_verb_def drg_verbs[DRG_VERBS];

/** Is the decision about the reference, which all suppliers share? */
bool drg_decision_is_shared(const struct drg_decision *d);

/**
 * Run decisions in order; each sees the results of those before it. A decision that is refused has written
 * nothing.
 * @param j  The ledger with `by`, `why` and batch.
 * @return DRG_OK, even if some or all are refused (`is.rc`); DRG_EINVAL: by or why of the ledger cannot be
 *         stored; errors of the store: the caller then resets the ledger's state with the transaction.
 */
DRG_MUSTCHECK
int drg_decisions_run(struct drg_txn *t, struct drg_ledger *j, struct drg_decision *v, size_t n,
                      struct drg_err *reterr);

/** Decisions that are a batch of their own. */
struct drg_decisions {
	struct drg_decision *v;
	size_t n;
	struct drg_str by, why; /**< empty: not said */
	int64_t after; /**< in and out: the number of a batch that is known to exist; 0: not known */
	int64_t batch; /**< result; 0: nothing was changed */
};
/** Run the decisions as one batch. A drg_txn_fn; @p decisions is a struct drg_decisions. @return as
 * drg_decisions_run() */
DRG_MUSTCHECK
int drg_decisions_run_batch(void *decisions, struct drg_txn *t, struct drg_err *reterr);

/** Get the version of a source: the seq of its last change, or of the last "not the same". @return DRG_OK,
 * DRG_ENOENT. */
DRG_MUSTCHECK
int drg_source_version(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_record *source, struct drg_arena *arena, int64_t *ret,
                       struct drg_err *reterr);
/** Get the version of a dict record: its seq, or the seq of the redirect in its place. @param ret_gone  True:
 * the record was merged away. @return DRG_OK, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_dict_version(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret_gone, int64_t *ret,
                     struct drg_err *reterr);
