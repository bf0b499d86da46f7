/* Answers kept for retries. */
#include "store/sqlite_priv.h"

static int bind_text(sqlite3_stmt *st, int at, struct drg_str s)
{
	return sqlite3_bind_text64(st, at, s.n > 0 ? s.p : "", s.n, SQLITE_STATIC, SQLITE_UTF8);
}

static struct drg_str column_text(sqlite3_stmt *st, int at)
{
	const char *p = (const char *)sqlite3_column_text(st, at);
	return drg_str(p, (size_t)sqlite3_column_bytes(st, at));
}

/* As with records: after an error the transaction can only be undone. */
static int begin(struct drg_txn *t, enum once_stmt which, sqlite3_stmt **ret, struct drg_err *reterr)
{
	if (t->rc == DRG_OK)
		t->rc = drg_sqlite_once(t->store, which, ret, reterr);
	else
		drg_fail(reterr, t->rc, NULL, NULL, "this transaction failed before and can only be undone");
	return t->rc;
}

int drg_sqlite_kept(struct drg_txn *t, int64_t key_id, struct drg_str name, drg_kept_fn *fn, void *ctx,
                    struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = begin(t, ONCE_KEPT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step = sqlite3_bind_int64(st, 1, key_id);
	if (step == SQLITE_OK)
		step = bind_text(st, 2, name);
	if (step == SQLITE_OK)
		step = sqlite3_step(st);
	if (step == SQLITE_ROW) {
		const struct drg_kept_answer k = { key_id, name, sqlite3_column_int64(st, 0),
			                           column_text(st, 1), column_text(st, 2) };
		rc = fn(ctx, &k);
	} else if (step == SQLITE_DONE) {
		rc = drg_fail(reterr, DRG_ENOENT, NULL, NULL, "no answer is kept under this name");
	} else {
		rc = t->rc = drg_sqlite_fail(t->store, step, reterr);
	}
	sqlite3_reset(st);
	return rc;
}

int drg_sqlite_keep(struct drg_txn *t, const struct drg_kept_answer *k, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = begin(t, ONCE_KEEP, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, k->key_id);
	if (bound == SQLITE_OK)
		bound = bind_text(st, 2, k->name);
	if (bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, 3, k->at_us);
	if (bound == SQLITE_OK)
		bound = bind_text(st, 4, k->body_hash);
	if (bound == SQLITE_OK)
		bound = bind_text(st, 5, k->answer);
	return t->rc = drg_sqlite_run_change(t->store, st, bound, reterr);
}

int drg_sqlite_forget(struct drg_txn *t, int64_t before_us, unsigned limit, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = begin(t, ONCE_FORGET, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, before_us);
	if (bound == SQLITE_OK)
		bound = sqlite3_bind_int64(st, 2, limit);
	return t->rc = drg_sqlite_run_change(t->store, st, bound, reterr);
}
