/* src/decide/ledger.h
 * Batches: what one import or load writes, in however many transactions, has a number and can be taken back
 * (decide/batch.h). A ledger keeps each record that a batch changes or removes as it was, and which commits
 * are its own; what it creates is found by these commits. It writes the mapping events of the batch too
 * (decisions M27 and M29). */
#pragma once
#include "store/store.h"

/** So many suppliers of a batch are kept; of one that has more it is not kept which. */
enum { DRG_LEDGER_ADAPTERS = 256 };

/** How far a batch has come. After a transaction that was not committed it is to be set back to what it was
 * before. */
struct drg_ledger_state {
	int64_t batch; /**< its number; 0: nothing was written yet */
	int64_t number, seq, last_us;
	int64_t created, changed, removed;
	size_t n_adapters; /**< DRG_LEDGER_ADAPTERS + 1: too many */
};

struct drg_ledger {
	/* Said by whoever begins it. */
	enum drg_batch_what what;
	struct drg_str by, why, files; /**< empty: not said; borrowed until it ends */
	bool first_mappings; /**< a new source that comes with a mapping is an event too */
	/** removing a mapped source is an event; one that is there again has the mapping that it had */
	bool remember;
	struct drg_str event_why; /**< of the next put; empty: why, or files */
	const enum drg_how *event_how; /**< of the next put; NULL: that of `what` */
	/** the number of a batch that is known to be there, so that not all are read; 0: not known */
	int64_t after;

	struct drg_ledger_state state;

	/* Its own. */
	int64_t at_us;
	bool watched, was_there, was_alive, was_mapped, is_mapped, is_source, is_deleted;
	int64_t was_dict, is_dict;
	int64_t adapter; /**< whose record was put; 0: nobody's */
	int64_t adapters[DRG_LEDGER_ADAPTERS]; /**< state.n_adapters of them, each once */
	struct drg_buf was; /**< the record before, as a line */
	int rc; /**< of the watching */
};

/** Say what it is (the first block), then this. @return DRG_OK, DRG_ENOMEM. */
void drg_ledger_init(struct drg_ledger *j);
void drg_ledger_done(struct drg_ledger *j);

/** Put a record as drg_txn_put() does, and keep what was. All transactions of a batch are of one handle's. */
DRG_MUSTCHECK
int drg_ledger_put(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *r,
                   enum drg_put_result *ret, struct drg_err *reterr);

/** In the last transaction, or in each: note in the batch what it has done. Nothing where nothing was
 * written. */
DRG_MUSTCHECK
int drg_ledger_end(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr);

/** Has this batch written records of the supplier? Yes too where it is not kept: it is older than this, of too
 * many, or was interrupted. */
bool drg_ledger_of_adapter(const struct drg_record *batch, int64_t adapter);
