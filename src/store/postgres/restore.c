/* Fills a store from another one in one transaction: rows go by COPY into tables without indexes, and the
 * indexes are made when all rows are there. The table `incomplete` marks the store meanwhile. */
#include <stdio.h>

#include "store/postgres/postgres_priv.h"
#include "store/restore.h"

static bool pg_restore_incomplete(const struct drg_store *s)
{
	return s->incomplete;
}

static int pg_restore_clear(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_buf sql;
	drg_sql_init(&sql);
	for (unsigned i = 0; i < DRG_SIDE_TABLES; i++)
		drg_buf_printf(&sql, "%s dragoman.%s", i == 0 ? "TRUNCATE" : ",", drg_sides[i].name);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		drg_buf_printf(&sql, ", dragoman.%s", drg_types[i].name);
	drg_buf_char(&sql, '\0');
	int rc = sql.rc == DRG_OK ? drg_pg_script(t->head.store, sql.p, NULL, reterr)
	                          : drg_fail_memory(reterr);
	drg_buf_done(&sql);
	return rc;
}

static int pg_restore_mark(struct drg_txn *t, struct drg_err *reterr)
{
	return drg_pg_script(t->head.store,
	                     "DELETE FROM dragoman.moment; DELETE FROM dragoman.repair;"
	                     " CREATE TABLE dragoman.incomplete (since timestamptz NOT NULL DEFAULT now())",
	                     NULL, reterr);
}

/* Lift the timeouts that PG_SETTINGS sets for short transactions. */
static int pg_restore_unhurried(struct drg_txn *t, struct drg_err *reterr)
{
	t->head.store->patience = PG_FOR_LONG;
	return drg_pg_script(
	        t->head.store,
	        "SET LOCAL statement_timeout = 0;"
	        " SET LOCAL idle_in_transaction_session_timeout = 0; SET LOCAL enable_seqscan = on",
	        NULL, reterr);
}

/* ---- indexes -------------------------------------------------------------------------------------------- */

/* All indexes except those of constraints: their names, and the statements that make them. */
static const char pg_index_list[] =
        "SELECT i.indexrelid::regclass::text, pg_get_indexdef(i.indexrelid) FROM pg_index AS i"
        " JOIN pg_class AS c ON c.oid = i.indrelid WHERE c.relnamespace = 'dragoman'::regnamespace"
        " AND NOT EXISTS (SELECT FROM pg_constraint AS k WHERE k.conindid = i.indexrelid)";

static int pg_restore_drop_indexes(struct drg_store *s, struct drg_err *reterr)
{
	char sql[256];
	int rc = drg_pg_script(s, pg_index_list, &s->dropped_indexes, reterr);
	for (int i = 0; rc == DRG_OK && i < PQntuples(s->dropped_indexes); i++) {
		snprintf(sql, sizeof sql, "DROP INDEX %s", PQgetvalue(s->dropped_indexes, i, 0));
		rc = drg_pg_script(s, sql, NULL, reterr);
	}
	return rc;
}

static int pg_restore_make_indexes(struct drg_store *s, struct drg_err *reterr)
{
	int rc = drg_pg_script(s, "SET LOCAL maintenance_work_mem = '256MB'", NULL, reterr);
	for (int i = 0; rc == DRG_OK && i < PQntuples(s->dropped_indexes); i++)
		rc = drg_pg_script(s, PQgetvalue(s->dropped_indexes, i, 1), NULL, reterr);
	PQclear(s->dropped_indexes);
	s->dropped_indexes = NULL;
	return rc;
}

/* ---- rows ----------------------------------------------------------------------------------------------- */

/* Do the numbers of words fit? Each is stored in two bytes. */
static bool pg_restore_fits(const struct drg_record *r)
{
	for (unsigned i = 0; i < r->type->n_fields; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		int64_t v = f->vtype == DRG_V_ENUM ? drg_record_i(r, f->field, 0) : 0;
		if (v < INT16_MIN || v > INT16_MAX)
			return false;
	}
	return true;
}

static int pg_restore_row(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                          struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	char label[120];
	if (!pg_restore_fits(r))
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		                "%s of the source has a value that dragoman did not write: run 'dragoman "
		                "check' on it",
		                drg_record_label(r, label, sizeof label));
	int rc = s->dropped_indexes == NULL ? pg_restore_drop_indexes(s, reterr) : DRG_OK;
	return rc == DRG_OK ? drg_pg_copy_restored(s, r, m, reterr) : rc;
}

/* Let the numbers of new rows continue after the highest one. */
static int pg_restore_numbers(struct drg_store *s, const char *table, struct drg_err *reterr)
{
	char sql[256];
	snprintf(sql, sizeof sql,
	         "SELECT setval(pg_get_serial_sequence('dragoman.%s', 'row'), COALESCE(max(\"row\"), 0) + 1, "
	         "false)"
	         " FROM dragoman.%s",
	         table, table);
	return drg_pg_script(s, sql, NULL, reterr);
}

static int pg_restore_rows_end(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	int rc = drg_pg_copy_flush(s, reterr);
	if (rc == DRG_OK && s->dropped_indexes != NULL)
		rc = pg_restore_make_indexes(s, reterr);
	for (unsigned i = 0; i < DRG_TYPE_COUNT && rc == DRG_OK; i++)
		rc = pg_restore_numbers(s, drg_types[i].name, reterr);
	return rc == DRG_OK ? drg_pg_script(s, "ANALYZE", NULL, reterr) : rc;
}

static int pg_restore_whole(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr)
{
	static char sql[] = "UPDATE dragoman.clock SET seq = $1, epoch = $2";
	struct drg_store *s = t->head.store;
	struct pg_statement st = { .text = sql };
	struct pg_params p = { 0 };
	drg_pg_param_i(&p, clock->seq);
	drg_pg_param_s(&p, drg_str_c(clock->epoch));
	int rc = drg_pg_exec(s, &st, &p, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	s->txn.clock = *clock;
	return drg_pg_script(s, "DROP TABLE dragoman.incomplete; NOTIFY dragoman", NULL, reterr);
}

const struct drg_restore_ops drg_pg_restore_ops = {
	.incomplete = pg_restore_incomplete,
	.clear = pg_restore_clear,
	.mark = pg_restore_mark,
	.unhurried = pg_restore_unhurried,
	.row = pg_restore_row,
	.rows_end = pg_restore_rows_end,
	.whole = pg_restore_whole,
};
