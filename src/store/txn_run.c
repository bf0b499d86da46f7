#include "store/txn_run.h"

int drg_txn_run(struct drg_store *s, drg_txn_fn *run, void *decision, struct drg_err *reterr)
{
	struct drg_txn *t;
	int rc = drg_store_begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = run(decision, t, reterr);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, reterr);
	drg_txn_rollback(t);
	return rc;
}

int drg_batch_run(void *batch, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_batch *b = batch;
	int rc = DRG_OK;
	for (b->done = 0; b->done < b->n && rc == DRG_OK; b->done += rc == DRG_OK)
		rc = b->steps[b->done].run(b->steps[b->done].decision, t, reterr);
	return rc;
}
