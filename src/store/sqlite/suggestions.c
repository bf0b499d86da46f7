/* What the matcher last said. */
#include "store/sqlite/sqlite_priv.h"
#include "store/store_priv.h"
#include "store/suggestions.h"

static int suggestion_write(struct drg_txn *t, enum once_stmt which, const struct drg_suggestion *s,
                            struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, which, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	const struct drg_str texts[] = { s->id, s->reason, s->ranked, s->explanation };
	const int64_t numbers[] = { s->adapter, s->kind, s->outcome, s->country, s->city, s->category };
	int at = 0, bound = SQLITE_OK;
	for (size_t i = 0; i < DRG_ARRAY_LEN(numbers) && bound == SQLITE_OK; i++)
		bound = sqlite3_bind_int64(st, ++at, numbers[i]);
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts) && bound == SQLITE_OK; i++)
		bound = drg_sqlite_bind_text(st, ++at, texts[i]);
	return drg_sqlite_run_bound(t->head.store, st, bound, reterr);
}

static int sqlite_suggestion_keep(struct drg_txn *t, const struct drg_suggestion *s, bool replace,
                                  struct drg_err *reterr)
{
	int rc = suggestion_write(t, ONCE_SUGGEST_NEW, s, reterr);
	if (rc != DRG_OK || !replace)
		return rc;
	return sqlite3_changes(t->head.store->db) > 0 ? drg_txn_count_asked(t, s->adapter, s->kind, reterr)
	                                              : suggestion_write(t, ONCE_SUGGEST, s, reterr);
}

static int sqlite_suggestion_forget(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                                    struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(t->head.store, id.n > 0 ? ONCE_UNSUGGEST : ONCE_UNSUGGEST_ALL, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, adapter);
	sqlite3_bind_int64(st, 2, kind);
	return drg_sqlite_run_bound(t->head.store, st, id.n > 0 ? drg_sqlite_bind_text(st, 3, id) : SQLITE_OK,
	                            reterr);
}

static int sqlite_suggestion_rows(struct drg_store *s, sqlite3_stmt *st, drg_suggestion_fn *fn, void *ctx,
                                  struct drg_err *reterr)
{
	int rc = DRG_OK, step;
	while ((step = sqlite3_step(st)) == SQLITE_ROW && rc == DRG_OK) {
		const struct drg_suggestion x = {
			.adapter = sqlite3_column_int64(st, 0),
			.kind = (enum drg_kind)sqlite3_column_int64(st, 1),
			.outcome = sqlite3_column_int64(st, 2),
			.country = sqlite3_column_int64(st, 3),
			.city = sqlite3_column_int64(st, 4),
			.category = sqlite3_column_int64(st, 5),
			.id = drg_sqlite_column_text(st, 6),
			.reason = drg_sqlite_column_text(st, 7),
			.ranked = drg_sqlite_column_text(st, 8),
			.explanation = drg_sqlite_column_text(st, 9),
			.version = sqlite3_column_count(st) > 10 ? sqlite3_column_int64(st, 10) : 0,
		};
		rc = fn(ctx, &x);
	}
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_reset(st);
	return rc;
}

static int sqlite_suggestion_each(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                                  struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_SUGGESTIONS, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, adapter);
	return sqlite_suggestion_rows(s, st, fn, ctx, reterr);
}

static int sqlite_suggestion_one(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                                 drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_SUGGESTION, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	sqlite3_bind_int64(st, 1, adapter);
	sqlite3_bind_int64(st, 2, kind);
	rc = drg_sqlite_bind_text(st, 3, id);
	return rc == SQLITE_OK ? sqlite_suggestion_rows(s, st, fn, ctx, reterr)
	                       : drg_sqlite_fail(s, rc, reterr);
}

static int sqlite_suggestion_open(struct drg_store *s, drg_suggestion_fn *fn, void *ctx,
                                  struct drg_err *reterr)
{
	sqlite3_stmt *st;
	int rc = drg_sqlite_once(s, ONCE_OPEN_CASES, &st, reterr);
	return rc == DRG_OK ? sqlite_suggestion_rows(s, st, fn, ctx, reterr) : rc;
}

const struct drg_suggestion_ops drg_sqlite_suggestion_ops = { sqlite_suggestion_keep,
	                                                      sqlite_suggestion_forget,
	                                                      sqlite_suggestion_each, sqlite_suggestion_one,
	                                                      sqlite_suggestion_open };
