/* src/decide/decision.h
 * What a person decides (decisions C3, C4, M16, M28): one struct, one table of verbs, one path, for a
 * request, a command and a row of a list alike. What a decision changes is in a ledger (store/ledger.h), of a
 * merge or split the one record by which it is known (decide/batch_merges.c), so that its batch takes all of
 * it back; that a mapping is right is an event alone. A new verb is a row of decide/verbs.h and a function. */
#pragma once
#include "decide/verbs.h"
#include "store/ledger.h"
#include "store/txn_run.h"

#define DRG_VERB_ID(id, word, about, says, locks, how, run) DRG_VERB_##id,
enum drg_decide_verb { DRG_VERB_TABLE(DRG_VERB_ID) DRG_VERBS };
#undef DRG_VERB_ID

/** What a merge or a split has moved. */
struct drg_merge_sums {
	int64_t into; /**< where the record went; of a split: where it was */
	uint64_t sources;
	uint64_t others; /**< dict records, directions, hotel contents */
	uint64_t redirects; /**< of older merges that now lead elsewhere */
	uint64_t apart; /**< of a merge: sources now mapped to what they were said not to be */
};

struct drg_decision {
	enum drg_decide_verb verb;
	enum drg_kind kind;
	int64_t adapter;
	struct drg_str id; /**< of a source: adapter, kind, id; of a place: adapter, external_id */
	/** what a source is, or is not; of the reference: the record that is merged, comes back or is named */
	int64_t dict_id;
	/** of MAP, NOT_SAME: dict_id is not said, and found: it is what the matcher suggests */
	bool suggested;
	/** of MAP: refused where the source is mapped to something else by now; else that gives way */
	bool keeps;
	/** of NEW: a record that was made for this source before is this one: a list is read again */
	bool repeats;
	bool has_into; /**< of WRONG: it is known what the source is */
	int64_t into; /**< of MERGE; of WRONG: what the source is */
	struct drg_str lang; /**< of NAME, UNDO_NAME; in any letter case (decision L1) */
	struct drg_str name; /**< of NAME; empty: it has none in this language */
	struct drg_str why; /**< empty: that of the ledger */
	bool has_version; /**< refused where the record has another version by now */
	/** of the source (drg_source_version()); of SPLIT the seq of the redirect, else of `dict_id` */
	int64_t version;
	bool has_into_version;
	int64_t into_version; /**< of MERGE: the seq of `into` */
	bool has_seen; /**< of PLACE, NO_PLACE: refused where it does not mean what was seen: */
	bool seen_mapped; /**< whether it was mapped then, */
	int64_t seen; /**< and where to */
	int64_t *largest; /**< of NEW, by kind: remembered ids (decide/new_record.h); may be NULL */
	struct drg_arena *texts; /**< of NAME, UNDO_NAME: of name_was and name_is; NULL: not wanted */

	/* The result; drg_decisions_run() begins with clearing it. */
	struct drg_decision_result {
		/** DRG_OK; DRG_EEXIST: somebody decided meanwhile; else why the verb refused: nothing of it is
		 * stored */
		int rc;
		struct drg_err err;
		bool changed; /**< else it was so already */
		bool was_mapped, is_mapped; /**< of a source or an identifier, before and after */
		int64_t was, is; /**< dict ids, or places, where mapped */
		bool redirected; /**< `asked` was wanted, and had been merged into `is` */
		int64_t asked;
		bool was_apart; /**< that they are not the same was said before, and is forgotten */
		/** of a source: that which it has now, if has_version, also where it was refused for that; of
		 * a name likewise */
		int64_t version;
		/** of a source that is not mapped, if has_version: candidates that are left */
		unsigned n_ranked;
		int64_t best; /**< the best of them */
		struct drg_str name_was, name_is; /**< empty: none in this language */
		struct drg_merge_sums sums; /**< of MERGE, SPLIT */
		/** of PLACE: those of avia/compared that are dealt with by this, and forgotten */
		int64_t reports;
	} is;
};

/** The history says of what a verb changes the same as of the rest of its batch. */
enum { DRG_HOW_BATCH = -1 };

struct drg_verb_run;
struct drg_verb_def {
	const char *word; /**< of curate/decide; NULL: that has it not */
	enum drg_about about; /**< who may write that may decide */
	unsigned needs; /**< DRG_SAYS_… */
	bool locks; /**< keeps imports out until the transaction ends */
	int how; /**< enum drg_how of its mapping events, or DRG_HOW_BATCH */
	int (*run)(struct drg_verb_run *x, struct drg_decision *d, struct drg_err *reterr);
};
extern const struct drg_verb_def drg_verbs[DRG_VERBS];

/** Is it about the reference? */
bool drg_decision_is_shared(const struct drg_decision *d);

/**
 * All that can be decided is decided, in order; each sees those before it. Whatever refuses has written
 * nothing.
 * @param j  Whose `by`, `why` and batch they have.
 * @return DRG_OK, be some refused or all (`is.rc`); DRG_EINVAL: by or why of the ledger is no text that can
 *         be kept; errors of the store: then the ledger's state is to be set back with the transaction.
 */
DRG_MUSTCHECK
int drg_decisions_run(struct drg_txn *t, struct drg_ledger *j, struct drg_decision *v, size_t n,
                      struct drg_err *reterr);

/** Decisions that are a batch of their own. */
struct drg_decisions {
	struct drg_decision *v;
	size_t n;
	struct drg_str by, why; /**< empty: not said */
	int64_t after; /**< in and out: the number of a batch that is known to be there; 0: not known */
	int64_t batch; /**< result: 0: nothing was changed */
};
/** Of a transaction (struct drg_decisions). @return as drg_decisions_run() */
DRG_MUSTCHECK
int drg_decide(void *decisions, struct drg_txn *t, struct drg_err *reterr);

/** The version of a source: the seq of its last change or of the last that was said that it is not. @return
 * DRG_OK, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_source_version(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                       struct drg_record *source, struct drg_arena *arena, int64_t *ret,
                       struct drg_err *reterr);
/** The seq of a dict record, or of the redirect in its place. @param ret_gone  It was merged away. @return
 * DRG_OK, DRG_ENOENT. */
DRG_MUSTCHECK
int drg_dict_version(struct drg_store *s, enum drg_kind kind, int64_t id, bool *ret_gone, int64_t *ret,
                     struct drg_err *reterr);
