#include "store/txn_run.h"

#include <assert.h>

int drg_txn_run(struct drg_store *s, drg_txn_fn *run, void *ctx, struct drg_err *reterr)
{
	assert(run != NULL);
	struct drg_txn *t;
	int rc = drg_store_begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = run(ctx, t, reterr);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, reterr);
	drg_txn_rollback(t);
	return rc;
}
