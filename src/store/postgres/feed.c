/* The feed of one type, read in pages. Types without changes cost nothing: the newest rows of all types are
 * read once in a snapshot. */
#include <assert.h>

#include "store/postgres/ops_priv.h"

/* The first page is small, since most looks find few rows. */
enum { FIRST_PAGE = 64 };

static int ask_newest(struct drg_store *s, struct drg_err *reterr)
{
	PGresult *res;
	int rc = drg_pg_run(s, PG_NEWEST, NULL, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	for (int i = 0; i < DRG_TYPE_COUNT; i++)
		s->newest[i] = drg_pg_i(res, 0, i);
	PQclear(res);
	return DRG_OK;
}

int drg_pg_feed_begin(struct drg_store *s, const struct drg_type *t, int64_t seq, int64_t row,
                      struct drg_err *reterr)
{
	struct pg_feed *f = &s->feed[t->id];
	int rc = s->newest[t->id] < 0 ? ask_newest(s, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	assert(f->rows == NULL);
	int64_t newest = s->newest[t->id];
	*f = (struct pg_feed){ .seq = seq, .row = row, .page = FIRST_PAGE, .at = -1 };
	f->last = newest < seq || (newest == seq && row == INT64_MAX);
	return DRG_OK;
}

static int next_page(struct drg_store *s, const struct drg_type *t, struct drg_err *reterr)
{
	struct pg_feed *f = &s->feed[t->id];
	struct pg_params p = { 0 };
	PGresult *rows;
	drg_pg_param_i(&p, f->seq);
	drg_pg_param_i(&p, f->row);
	drg_pg_param_i(&p, f->page);
	int rc = drg_pg_exec(s, drg_pg_of_type(s, t, PG_FEED), &p, &rows, reterr);
	if (rc != DRG_OK)
		return rc;
	int n = PQntuples(rows);
	PQclear(f->rows);
	f->rows = rows;
	f->at = 0;
	f->last = n < f->page;
	f->page = drg_pg_page(rows);
	if (n > 0) {
		f->seq = drg_pg_i(rows, n - 1, COL_SEQ);
		f->row = drg_pg_i(rows, n - 1, COL_ROW);
	}
	return DRG_OK;
}

int drg_pg_feed_next(struct drg_store *s, const struct drg_type *t, int64_t *ret_seq, struct drg_err *reterr)
{
	struct pg_feed *f = &s->feed[t->id];
	int rc = DRG_OK;
	f->at++;
	if (!f->last && (f->rows == NULL || f->at >= PQntuples(f->rows)))
		rc = next_page(s, t, reterr);
	if (rc == DRG_OK)
		*ret_seq = f->rows != NULL && f->at < PQntuples(f->rows) ? drg_pg_i(f->rows, f->at, COL_SEQ)
		                                                         : INT64_MAX;
	return rc;
}

int drg_pg_feed_row(struct drg_store *s, const struct drg_type *t, struct drg_stored *ret,
                    struct drg_err *reterr)
{
	const struct pg_feed *f = &s->feed[t->id];
	ret->row = drg_pg_i(f->rows, f->at, COL_ROW);
	return drg_pg_read_row(s, f->rows, f->at, t, &ret->r, &ret->m, reterr);
}

void drg_pg_feed_end(struct drg_store *s, const struct drg_type *t)
{
	PQclear(s->feed[t->id].rows);
	s->feed[t->id].rows = NULL;
}
