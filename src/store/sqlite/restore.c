/* Fills a store from another one. While it is incomplete its header has another application id, so that older
 * versions of the program, which do not know the mark, refuse it too. */
#include <stdio.h>

#include "store/restore.h"
#include "store/sqlite/sqlite_priv.h"

/* ---- indexes: they are made when all rows are there, which is far less work than row by row ------------ */

/* Run the statements that a query gives. */
static int sqlite_restore_each(struct drg_store *s, const char *query, struct drg_err *reterr)
{
	sqlite3_stmt *st;
	struct drg_buf all;
	int step;
	int rc = drg_sqlite_prepare(s, query, &st, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&all, SIZE_MAX);
	while ((step = sqlite3_step(st)) == SQLITE_ROW)
		drg_buf_printf(&all, "%s;\n", (const char *)sqlite3_column_text(st, 0));
	drg_buf_char(&all, '\0');
	sqlite3_finalize(st);
	if (step != SQLITE_DONE)
		rc = drg_sqlite_fail(s, step, reterr);
	else
		rc = all.rc == DRG_OK ? drg_sqlite_exec(s, all.p, reterr) : drg_fail_memory(reterr);
	drg_buf_done(&all);
	return rc;
}

/* Drop the indexes of records; those of side tables are needed to find rows that are put twice. The
 * statements that make them are kept in a table, for a filling that has to begin again. */
static int sqlite_restore_drop_indexes(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_sqlite_exec(s, "CREATE TABLE IF NOT EXISTS dropped_index (sql TEXT NOT NULL)", reterr);
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++) {
		char sql[256];
		snprintf(sql, sizeof sql,
		         "INSERT INTO dropped_index SELECT sql FROM sqlite_schema"
		         " WHERE type = 'index' AND sql IS NOT NULL AND tbl_name = '%s'",
		         drg_types[i].name);
		rc = drg_sqlite_exec(s, sql, reterr);
	}
	return rc == DRG_OK ? sqlite_restore_each(
	                              s,
	                              "SELECT 'DROP INDEX ' || name FROM sqlite_schema"
	                              " WHERE type = 'index' AND sql IN (SELECT sql FROM dropped_index)",
	                              reterr)
	                    : rc;
}

static int sqlite_restore_rows_end(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	int rc = sqlite_restore_each(s, "SELECT sql FROM dropped_index", reterr);
	if (rc != DRG_OK && sqlite3_errcode(s->db) == SQLITE_CONSTRAINT_UNIQUE)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "two records of the source have one identity: run 'dragoman check' on it");
	return rc == DRG_OK ? drg_sqlite_exec(s, "DROP TABLE dropped_index", reterr) : rc;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static bool sqlite_restore_incomplete(const struct drg_store *s)
{
	return s->incomplete;
}

/* The tables are those of this program: an older store is refused as a target. */
static int sqlite_restore_clear(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	char sql[64];
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_TYPE_COUNT + DRG_SIDE_TABLES && rc == DRG_OK; i++) {
		snprintf(sql, sizeof sql, "DELETE FROM %s",
		         i < DRG_TYPE_COUNT ? drg_types[i].name : drg_sides[i - DRG_TYPE_COUNT].name);
		rc = drg_sqlite_exec(s, sql, reterr);
	}
	return rc == DRG_OK ? sqlite_restore_drop_indexes(s, reterr) : rc;
}

static int sqlite_restore_set_id(struct drg_store *s, int id, struct drg_err *reterr)
{
	char sql[64];
	snprintf(sql, sizeof sql, "PRAGMA application_id = %d", id);
	return drg_sqlite_exec(s, sql, reterr);
}

static int sqlite_restore_mark(struct drg_txn *t, struct drg_err *reterr)
{
	int rc = drg_sqlite_exec(t->head.store, "DELETE FROM moment; DELETE FROM repair", reterr);
	if (rc == DRG_OK)
		rc = sqlite_restore_drop_indexes(t->head.store, reterr);
	return rc == DRG_OK ? sqlite_restore_set_id(t->head.store, DRG_SQLITE_INCOMPLETE_ID, reterr) : rc;
}

static int sqlite_restore_row(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                              struct drg_err *reterr)
{
	bool inserted = false;
	int rc = drg_sqlite_insert(t, r, m, &inserted, reterr);
	if (rc == DRG_OK && !inserted)
		rc = drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		              "two records of the source have one identity: run 'dragoman check' on it");
	return rc;
}

static int sqlite_restore_whole(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	sqlite3_stmt *st;
	int rc = drg_sqlite_prepare(s, "UPDATE clock SET seq = ?1, epoch = ?2", &st, reterr);
	if (rc != DRG_OK)
		return rc;
	int bound = sqlite3_bind_int64(st, 1, clock->seq);
	if (bound == SQLITE_OK)
		bound = drg_sqlite_bind_text(st, 2, drg_str_c(clock->epoch));
	rc = drg_sqlite_run_bound(s, st, bound, reterr);
	sqlite3_finalize(st);
	return rc == DRG_OK ? sqlite_restore_set_id(s, DRG_SQLITE_ID, reterr) : rc;
}

/* The filling commits in parts: in a log as long as the store, finding pages would be slow. */
const struct drg_restore_ops drg_sqlite_restore_ops = {
	.in_parts = true,
	.incomplete = sqlite_restore_incomplete,
	.clear = sqlite_restore_clear,
	.mark = sqlite_restore_mark,
	.row = sqlite_restore_row,
	.rows_end = sqlite_restore_rows_end,
	.whole = sqlite_restore_whole,
};
