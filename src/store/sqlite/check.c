#include "store/sqlite/sqlite_priv.h"

#include <stdio.h>

/* ---- counts ---------------------------------------------------------------------------------------------- */

int drg_sqlite_counts(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
                      struct drg_err *reterr)
{
	struct drg_buf sql;
	sqlite3_stmt *st;
	drg_sql_init(&sql);
	drg_sql_counts(&drg_sqlite_dialect, &sql, t);
	int rc = drg_sqlite_prepare_buf(s, &sql, 0, &st, reterr);
	int step = SQLITE_DONE;
	if (rc != DRG_OK)
		return rc;
	while (rc == DRG_OK && (step = sqlite3_step(st)) == SQLITE_ROW) {
		struct drg_count c = {
			.type = t,
			.adapter = sqlite3_column_int64(st, COUNT_ADAPTER),
			.kind = (enum drg_kind)sqlite3_column_int(st, COUNT_KIND),
			.live = sqlite3_column_int64(st, COUNT_LIVE),
			.mapped = sqlite3_column_int64(st, COUNT_MAPPED),
			.tombstones = sqlite3_column_int64(st, COUNT_TOMBSTONES),
		};
		rc = fn(ctx, &c);
	}
	if (rc == DRG_OK && step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	sqlite3_finalize(st);
	return rc;
}

/* ---- check ----------------------------------------------------------------------------------------------- */

static int check_pages(struct drg_store *s, drg_finding_fn *fn, void *ctx, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA integrity_check(%d)", DRG_SQL_MAX_FINDINGS);
	int rc = drg_sqlite_prepare(s, sql, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int step;
	while ((step = sqlite3_step(st)) == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(st, 0);
		if (text != NULL && strcmp(text, "ok") != 0)
			fn(ctx, text);
	}
	sqlite3_finalize(st);
	/* A file too damaged to be checked is a finding too. */
	if ((step & 0xff) == SQLITE_CORRUPT)
		fn(ctx, "the file is damaged: restore it from a backup");
	else if (step != SQLITE_DONE)
		return drg_sqlite_fail(s, step, reterr);
	return DRG_OK;
}

int drg_sqlite_check(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
                     struct drg_err *reterr)
{
	int rc = check_pages(s, fn, ctx, reterr);
	return rc == DRG_OK ? drg_sql_check(&drg_sqlite_dialect, s, clock, fn, ctx, reterr) : rc;
}
