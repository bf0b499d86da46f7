/* What was used, and how often. */
#include "store/sqlite/sqlite_priv.h"
#include "store/uses.h"

static int sqlite_uses_add(struct drg_txn *t, const struct drg_use *u, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_USE, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	const int64_t before[] = { u->sort, u->number, u->kind },
	              behind[] = { u->slot, u->count, u->mapped, u->day };
	int at = 0, bound = SQLITE_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(before) && bound == SQLITE_OK; i++)
		bound = sqlite3_bind_int64(st, ++at, before[i]);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, ++at, u->id);
	for (size_t i = 0; i < DRG_ARRAY_LEN(behind) && bound == SQLITE_OK; i++)
		bound = sqlite3_bind_int64(st, ++at, behind[i]);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

static int sqlite_uses_forget(struct drg_txn *t, enum drg_use_sort sort, int64_t before_day,
                              struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, ONCE_USES_FORGET, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, sort);
	return drg_sqlite_run_bound(t->head.store, st, sqlite3_bind_int64(st, 2, before_day), reterr);
}

static int sqlite_uses_each(struct drg_store *s, enum drg_use_sort sort, int64_t since_day, drg_use_fn *fn,
                            void *ctx, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_USES, &st, reterr), step;
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, sort);
	sqlite3_bind_int64(st, 2, since_day);
	while ((step = sqlite3_step(st)) == SQLITE_ROW && rc == DRG_OK) {
		const struct drg_use u = {
			.sort = sort,
			.number = sqlite3_column_int64(st, 0),
			.kind = (enum drg_kind)sqlite3_column_int64(st, 1),
			.id = drg_sqlite_column_text(st, 2),
			.slot = sqlite3_column_int64(st, 3),
			.count = sqlite3_column_int64(st, 4),
			.mapped = sqlite3_column_int64(st, 5),
			.day = sqlite3_column_int64(st, 6),
		};
		rc = fn(ctx, &u);
	}
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
	return rc;
}

const struct drg_use_ops drg_sqlite_use_ops = { sqlite_uses_add, sqlite_uses_forget, sqlite_uses_each };
