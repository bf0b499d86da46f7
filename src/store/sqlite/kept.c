/* Answers kept for retries. */
#include "store/sqlite/sqlite_priv.h"

int drg_sqlite_kept(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                    struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_KEPT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_bind_int64(st, 1, key_id);
	if (step == SQLITE_OK)
		step = drg_sqlite_bind_text(st, 2, name);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_ROW) {
		const struct drg_kept_answer k = { key_id, name, sqlite3_column_int64(st, 0),
			                           drg_sqlite_column_text(st, 1),
			                           drg_sqlite_column_text(st, 2) };
		rc = fn(ctx, &k);
	} else if (step == SQLITE_DONE) {
		rc = drg_fail(reterr, DRG_ENOENT, NULL, NULL, "no answer is kept under this name");
	} else {
		rc = drg_sqlite_fail(t->head.store, step, reterr);
	}
	sqlite3_reset(st);
	return rc;
}

int drg_sqlite_keep(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_KEEP, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, k->key_id);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, 2, k->name);
	if (bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, 3, k->at_us);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, 4, k->body_hash);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, 5, k->answer);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

int drg_sqlite_forget(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_FORGET, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, before_us);
	if (bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, 2, limit);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}
