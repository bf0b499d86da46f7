/* src/decide/ledger.h
 * Batches: all that one import or load writes, in however many transactions, has a number and can be undone
 * (decide/batch.h). A ledger stores the earlier state of each record that a batch changes or removes, and the
 * commits of the batch; the records that the batch creates are found by these commits. The ledger also writes
 * the mapping events of the batch (decisions M27 and M29). */
#pragma once
#include "store/store.h"

/** A batch names at most this many suppliers; a batch of more does not name them. */
enum { DRG_LEDGER_ADAPTERS = 256 };

/** How far a batch has come. If a transaction is not committed, the caller sets the state back to its value
 * before that transaction. */
struct drg_ledger_state {
	int64_t batch; /**< the number of the batch; 0: nothing was written yet */
	int64_t number, seq, last_us;
	int64_t created, changed, removed;
	size_t n_adapters; /**< DRG_LEDGER_ADAPTERS + 1: too many to name */
};

struct drg_ledger {
	/* Set by the caller that begins the batch. */
	enum drg_batch_what what;
	struct drg_str by, why, files; /**< empty: not given; borrowed until the batch ends */
	bool first_mappings; /**< write an event for a new source that comes with a mapping too */
	/** write an event when a mapped source is removed, and map a source that exists again as it was
	 * mapped before */
	bool remember;
	/** the next record, if it loses its mapping, is an open question again: nobody has said that the
	 * mapping was wrong, but what it was made for is something else by now */
	bool asks;
	struct drg_str event_why; /**< `why` of the next event; empty: that of the batch, or `files` */
	const enum drg_how *event_how; /**< `how` of the next event; NULL: that of `what` */
	/** the number of a batch that is known to exist, so that not all batches are read; 0: not known */
	int64_t after;

	struct drg_ledger_state state;

	/* Private to the ledger. */
	int64_t at_us;
	bool watched, was_there, was_alive, was_mapped, is_mapped, is_source, is_deleted;
	int64_t was_dict, is_dict;
	int64_t adapter; /**< supplier of the record that was put; 0: none */
	int64_t adapters[DRG_LEDGER_ADAPTERS]; /**< state.n_adapters suppliers, each once */
	struct drg_buf was; /**< the state of the record before the put, as a line of NDJSON */
	int rc; /**< result of watching the put */
};

/** Initialise a ledger of which the caller has set the first block of members. File names that are not
 * valid text are omitted. drg_ledger_done() releases it. */
void drg_ledger_init(struct drg_ledger *j);
void drg_ledger_done(struct drg_ledger *j);

/** Put a record as drg_txn_put() does, and store its earlier state. All transactions of a batch belong to one
 * handle. */
DRG_MUSTCHECK
int drg_ledger_put(struct drg_ledger *j, struct drg_txn *t, const struct drg_record *r,
                   enum drg_put_result *ret, struct drg_err *reterr);

/** Store the sums of the batch in its record, in its last transaction or in each. Does nothing if the batch
 * wrote nothing. */
DRG_MUSTCHECK
int drg_ledger_end(struct drg_ledger *j, struct drg_txn *t, struct drg_err *reterr);

/** Has this batch written records of the supplier? The answer is also yes if that is not known: the batch is
 * of an older program, has too many suppliers, or was interrupted. */
bool drg_ledger_of_adapter(const struct drg_record *batch, int64_t adapter);
