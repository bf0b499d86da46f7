/* src/workbench/deciding.h
 * What decisions of a server remember from one to the next, so that not all is read. Less than there is does
 * no harm: it is what a decision begins to look from. So what is not committed is not remembered. */
#pragma once
#include "decide/decision.h"

/** The copy that a decision works with. */
struct drg_decided {
	int64_t batch; /**< the number of one that is known to be there; 0: not known */
	/** by kind: the largest id of the reference (decide/new_record.h); 0: not known */
	int64_t largest[DRG_KIND_COUNT];
};

/** Zero-initialise. */
struct drg_deciding {
	_Atomic int64_t batch, largest[DRG_KIND_COUNT];
};

/** Decide in @p t, from the numbers that are known. @p made gets those that it gave.
 * @return as drg_decisions_run_batch(). */
DRG_MUSTCHECK
int drg_deciding_run(struct drg_deciding *d, struct drg_decided *made, struct drg_decisions *all,
                     struct drg_txn *t, struct drg_err *reterr);
/** From any thread, once it is committed. */
void drg_deciding_keep(struct drg_deciding *d, const struct drg_decided *made);
