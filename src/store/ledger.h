/* src/store/ledger.h
 * Batches: what one import or load writes, in however many transactions, has a number and can be taken back
 * (curate/batch.h). A ledger keeps each record that a batch changes or removes as it was, and which commits are its own;
 * what it creates is found by these commits. It writes the mapping events of the batch too. */
#pragma once
#include "store/store.h"

struct drg_ledger {
	/* Said by whoever begins it. */
	enum drg_batch_what what;
	struct drg_str by, why, files; /**< empty: not said; borrowed until it ends */
	bool first_mappings; /**< a new source that comes with a mapping is an event too */
	bool remember; /**< removing a mapped source is an event; one that is there again has the mapping that it had */

	/* Its own. */
	int64_t batch; /**< its number; 0: nothing was written yet */
	int64_t at_us, number, seq;
	int64_t created, changed, removed;
	bool watched, was_alive, was_mapped, is_mapped, is_source, is_deleted;
	int64_t was_dict, is_dict;
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

/** In the last transaction: note in the batch what it has done. Nothing where nothing was written. */
DRG_MUSTCHECK
int drg_ledger_end(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr);
