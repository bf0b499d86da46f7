/* Times of commits. */
#include "store/moments_priv.h"
#include "store/sqlite/sqlite_priv.h"

static int sqlite_moments_thin(struct drg_store *s, int64_t before, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_MOMENTS_THIN, &st, reterr);
	return rc == DRG_OK ? drg_sqlite_run_bound(s, st, sqlite3_bind_int64(st, 1, before), reterr) : rc;
}

int drg_sqlite_moment_put(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_MOMENT, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, at);
	return drg_sqlite_run_bound(s, st, sqlite3_bind_int64(st, 2, seq), reterr);
}

int drg_sqlite_each_moment(struct drg_store *s, int (*fn)(void *ctx, int64_t at, int64_t seq), void *ctx,
                           struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_prepare(s, "SELECT at, seq FROM moment ORDER BY at", &st, reterr), step;
	if (rc != DRG_OK)
		return rc;
	while ((step = sqlite3_step(st)) == SQLITE_ROW && rc == DRG_OK)
		rc = fn(ctx, sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1));
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_finalize(st);
	return rc;
}

int drg_sqlite_moment(struct drg_txn *t, int64_t at, int64_t seq, struct drg_err *reterr)
{
	const int64_t before = drg_moments_thin_before(at);
	struct drg_store *s = t->head.store;
	int rc = drg_sqlite_moment_put(t, at, seq, reterr);
	return rc == DRG_OK && before > 0 ? sqlite_moments_thin(s, before, reterr) : rc;
}

int drg_sqlite_moments(struct drg_store *s, int64_t at, struct drg_moments *ret, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_MOMENTS, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, at);
	int step = sqlite3_step(st);
	if (step == SQLITE_ROW)
		*ret = (struct drg_moments){ sqlite3_column_int64(st, 0), sqlite3_column_int64(st, 1),
			                     sqlite3_column_int64(st, 2) };
	else
		/* Its first row is made with the table and never removed. */
		rc = drg_sqlite_fail(s, step == SQLITE_DONE ? SQLITE_CORRUPT : step, reterr);
	sqlite3_reset(st);
	return rc;
}
