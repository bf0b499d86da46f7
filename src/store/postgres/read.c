/* Reading many rows. */
#include <assert.h>
#include <stdio.h>

#include "store/postgres/ops_priv.h"

/* Run a statement that is built for one use, and free its text. */
static int pg_exec_buf(struct drg_store *s, struct drg_buf *sql, const struct pg_params *p, PGresult **ret,
                       struct drg_err *reterr)
{
	drg_buf_char(sql, '\0');
	struct pg_statement st = { .text = sql->rc == DRG_OK ? sql->p : NULL };
	int rc = drg_pg_queue(s, &st, p, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_collect_for(s, PG_FOR_LONG, ret, reterr);
	drg_buf_done(sql);
	return rc;
}

/* Send the rows that the transaction has gathered before its tables are read. */
static int pg_before_reading(struct drg_store *s, struct drg_err *reterr)
{
	return s->head.txn != NULL ? drg_pg_rows_flush(s, reterr) : DRG_OK;
}

/* ---- snapshots ------------------------------------------------------------------------------------------ */

/* Read the clock first: the first read makes the snapshot. */
int drg_pg_snapshot(struct drg_store *s, struct drg_err *reterr)
{
	PGresult *res = NULL;
	int rc = drg_pg_queue(s, drg_pg_once(s, PG_BEGIN_READ), NULL, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_run(s, PG_CLOCK, NULL, &res, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_take_clock(s, res, &s->snapshot, reterr);
	s->in_snapshot = rc == DRG_OK;
	PQclear(res);
	for (unsigned i = 0; i < DRG_TYPE_COUNT; i++)
		s->newest[i] = -1;
	if (rc != DRG_OK)
		drg_pg_snapshot_end(s);
	return rc;
}

void drg_pg_snapshot_end(struct drg_store *s)
{
	s->in_snapshot = false;
	drg_pg_roll_back(s);
}

/* ---- readings ------------------------------------------------------------------------------------------- */

int drg_pg_page(const PGresult *last)
{
	enum { BYTES = 4 << 20, MAX_ROWS = 2000 };
	size_t n = (size_t)PQntuples(last), bytes = n > 0 ? PQresultMemorySize(last) / n : 0;
	return bytes * MAX_ROWS > BYTES ? (int)(BYTES / bytes) + 1 : MAX_ROWS;
}

/* Begin to give rows that have come. @param asked  How many a scan has requested; 0: these are all. */
static int pg_give(struct drg_rows *q, PGresult *rows, int asked)
{
	q->page = rows;
	q->ahead = NULL;
	q->rc_ahead = DRG_OK;
	q->at = 0;
	q->n = PQntuples(rows);
	q->asked = asked;
	return DRG_OK;
}

static int pg_send_fetch(struct drg_store *s, int rows, struct drg_err *reterr)
{
	assert(rows > 0);
	char text[64];
	struct pg_statement st = { .text = text };
	snprintf(text, sizeof text, "FETCH FORWARD %d FROM drg_scan", rows);
	return drg_pg_queue(s, &st, NULL, reterr);
}

/* Let the server fetch the next rows while the caller uses the present ones, if there may be more. */
static int pg_fetch_ahead(struct drg_rows *q, struct drg_err *reterr)
{
	if (q->asked == 0 || q->n < q->asked)
		return DRG_OK;
	q->asked = drg_pg_page(q->page);
	int rc = pg_send_fetch(q->store, q->asked, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_sync(q->store, reterr);
	if (rc == DRG_OK)
		q->store->ahead = q;
	return rc;
}

int drg_pg_take_ahead(struct drg_store *s, struct drg_err *reterr)
{
	struct drg_rows *q = s->ahead;
	PGresult *rows = NULL;
	s->ahead = NULL;
	q->rc_ahead = drg_pg_answers(s, &rows, reterr);
	q->ahead = rows;
	return q->rc_ahead;
}

int drg_pg_scan(struct drg_rows *q, const struct drg_type *t, struct drg_err *reterr)
{
	enum { FIRST_ROWS = 200 };
	struct drg_store *s = q->store;
	PGresult *rows = NULL;
	struct drg_buf sql;
	int rc = pg_before_reading(s, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_queue(s, drg_pg_once(s, PG_NO_TIMEOUT), NULL, reterr);
	drg_sql_init(&sql);
	drg_buf_lit(&sql, "DECLARE drg_scan NO SCROLL CURSOR FOR ");
	drg_sql_scan(&drg_pg_dialect, &sql, &q->filter, t);
	drg_buf_char(&sql, '\0');
	struct pg_statement declare = { .text = sql.rc == DRG_OK ? sql.p : NULL };
	if (rc == DRG_OK)
		rc = drg_pg_queue(s, &declare, NULL, reterr);
	drg_buf_done(&sql);
	if (rc == DRG_OK)
		rc = pg_send_fetch(s, FIRST_ROWS, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_collect_for(s, PG_FOR_LONG, &rows,
		                        reterr); /* an ordered scan may have to sort all rows first */
	if (rc != DRG_OK)
		return rc;
	pg_give(q, rows, FIRST_ROWS);
	rc = pg_fetch_ahead(q, reterr);
	if (rc != DRG_OK)
		PQclear(rows);
	return rc;
}

int drg_pg_rows_next(struct drg_rows *q, struct drg_err *reterr)
{
	while (q->at == q->n) {
		if (q->store->ahead == q && drg_pg_take_ahead(q->store, reterr) != DRG_OK)
			return q->rc_ahead;
		if (q->rc_ahead != DRG_OK)
			return drg_fail(reterr, q->rc_ahead, NULL, NULL,
			                "the rest of the rows did not arrive");
		if (q->ahead == NULL)
			return DRG_ENOENT;
		PQclear(q->page);
		pg_give(q, q->ahead, q->asked);
		int rc = pg_fetch_ahead(q, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	q->row.row = drg_pg_i(q->page, q->at, COL_ROW);
	return drg_pg_read_row(q->store, q->page, q->at++, q->type, &q->row.r, &q->row.m, reterr);
}

int drg_pg_rows_end(struct drg_rows *q, struct drg_err *reterr)
{
	int rc = DRG_OK;
	if (q->store->ahead == q)
		rc = drg_pg_take_ahead(q->store, reterr);
	PQclear(q->ahead);
	if (q->lent)
		drg_pg_range_return(q->store, q->type, q->page);
	else
		PQclear(q->page);
	if (q->asked == 0)
		return rc;
	int closed = drg_pg_run(q->store, PG_CLOSE_CURSOR, NULL, NULL, rc == DRG_OK ? reterr : NULL);
	return rc == DRG_OK ? closed : rc;
}

/* Run a statement and give its rows. */
static int pg_read(struct drg_rows *q, struct pg_statement *st, const struct pg_params *p,
                   struct drg_err *reterr)
{
	PGresult *rows;
	int rc = drg_pg_exec(q->store, st, p, &rows, reterr);
	return rc == DRG_OK ? pg_give(q, rows, 0) : rc;
}

int drg_pg_query(struct drg_rows *q, struct drg_buf *sql, const struct drg_type *t, struct drg_err *reterr)
{
	(void)t;
	PGresult *rows;
	int rc = pg_exec_buf(q->store, sql, NULL, &rows, reterr);
	return rc == DRG_OK ? pg_give(q, rows, 0) : rc;
}

int drg_pg_siblings(struct drg_rows *q, const struct drg_record *key, unsigned limit, struct drg_err *reterr)
{
	struct drg_store *s = q->store;
	const enum pg_of_type which = limit == 0 ? PG_SIBLINGS : PG_SIBLINGS_FROM;
	const unsigned n = drg_sql_n_identity(key->type) - (limit == 0);
	struct pg_params p = { 0 };
	bool known = false;
	int rc = s->head.txn != NULL && limit == 0 ? drg_pg_known_siblings(q, key, &known, reterr) : DRG_OK;
	if (rc != DRG_OK || known)
		return rc;
	rc = pg_before_reading(s, reterr);
	for (unsigned i = 0; i < n; i++)
		drg_pg_param_field(&p, &key->type->fields[i], key);
	if (limit > 0)
		drg_pg_param_i(&p, limit);
	return rc == DRG_OK ? pg_read(q, drg_pg_of_type(s, key->type, which), &p, reterr) : rc;
}

int drg_pg_among(struct drg_rows *q, const struct drg_record *key, const struct drg_str *ids, size_t n,
                 struct drg_err *reterr)
{
	const unsigned n_before = drg_sql_n_identity(key->type) - 1;
	const struct drg_field_def *last = &key->type->fields[n_before];
	struct drg_buf elements, array;
	struct pg_params p = { 0 };
	drg_buf_init(&elements, SIZE_MAX);
	drg_buf_init(&array, SIZE_MAX);
	for (size_t i = 0; i < n; i++)
		drg_pg_array_element(&elements, last, &(const union drg_value){ .s = ids[i] });
	drg_pg_array(&array, last, (uint32_t)n, &elements);
	for (unsigned i = 0; i < n_before; i++)
		drg_pg_param_field(&p, &key->type->fields[i], key);
	drg_pg_param_array(&p, last, drg_buf_view(&array));
	int rc = array.rc != DRG_OK || elements.rc != DRG_OK
	                 ? drg_fail_memory(reterr)
	                 : pg_read(q, drg_pg_of_type(q->store, key->type, PG_FIND_ALL), &p, reterr);
	drg_buf_done(&elements);
	drg_buf_done(&array);
	return rc;
}

int drg_pg_referrers(struct drg_rows *q, const struct drg_type *t, const struct drg_field_def *f,
                     struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	struct drg_buf sql;
	PGresult *rows;
	int rc = pg_before_reading(q->store, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_sql_init(&sql);
	drg_sql_referrers(&drg_pg_dialect, &sql, t, f);
	drg_pg_param_i(&p, q->id);
	drg_pg_param_i(&p, (int64_t)q->kind);
	drg_pg_param_i(&p, q->left);
	rc = pg_exec_buf(q->store, &sql, &p, &rows, reterr);
	return rc == DRG_OK ? pg_give(q, rows, 0) : rc;
}

/* ---- counts and check ----------------------------------------------------------------------------------- */

int drg_pg_counts(struct drg_store *s, const struct drg_type *t, drg_count_fn *fn, void *ctx,
                  struct drg_err *reterr)
{
	struct drg_buf sql;
	PGresult *res;
	int rc = drg_pg_run(s, PG_NO_TIMEOUT, NULL, NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_sql_init(&sql);
	drg_sql_counts(&drg_pg_dialect, &sql, t);
	rc = pg_exec_buf(s, &sql, NULL, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < PQntuples(res) && rc == DRG_OK; i++) {
		const struct drg_count c = {
			.type = t,
			.adapter = drg_pg_i(res, i, COUNT_ADAPTER),
			.kind = (enum drg_kind)drg_pg_i(res, i, COUNT_KIND),
			.live = drg_pg_i(res, i, COUNT_LIVE),
			.mapped = drg_pg_i(res, i, COUNT_MAPPED),
			.tombstones = drg_pg_i(res, i, COUNT_TOMBSTONES),
		};
		rc = fn(ctx, &c);
	}
	PQclear(res);
	return rc;
}

/* The pages are checked by PostgreSQL's own means (data checksums, pg_amcheck). */
int drg_pg_check(struct drg_store *s, const struct drg_clock *clock, drg_finding_fn *fn, void *ctx,
                 struct drg_err *reterr)
{
	int rc = drg_pg_run(s, PG_NO_TIMEOUT, NULL, NULL, reterr);
	return rc == DRG_OK ? drg_sql_check(&drg_pg_dialect, s, clock, fn, ctx, reterr) : rc;
}
