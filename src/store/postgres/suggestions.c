/* Suggestions of the matcher. New ones are gathered and sent some hundred in a statement. */
#include <assert.h>

#include "store/postgres/postgres_priv.h"
#include "store/store_priv.h"
#include "store/uses.h"

enum { SUGGESTION_ROWS = 500, SUGGESTION_BYTES = 512 << 10 };

void drg_pg_suggested_init(struct pg_suggested *g)
{
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		drg_buf_init(&g->columns[i], SIZE_MAX);
	g->n = 0;
}

void drg_pg_suggested_clear(struct pg_suggested *g)
{
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		drg_buf_clear(&g->columns[i]);
	g->n = 0;
}

void drg_pg_suggested_done(struct pg_suggested *g)
{
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		drg_buf_done(&g->columns[i]);
}

/* Any text field: all text columns are sent in the same way. */
static const struct drg_field_def *suggested_text(void)
{
	return drg_field_of(&drg_types[DRG_TYPE_SOURCE], DRG_F_SOURCE_ID);
}

int drg_pg_suggested_flush(struct drg_store *s, struct drg_err *reterr)
{
	struct pg_suggested *g = &s->suggested;
	const struct drg_side_column *columns = drg_sides[DRG_SIDE_SUGGESTION].columns;
	assert(drg_sides[DRG_SIDE_SUGGESTION].n_columns == PG_SUGGESTION_COLUMNS);
	const struct drg_field_def *fields[PG_SUGGESTION_COLUMNS];
	if (g->n == 0)
		return DRG_OK;
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		fields[i] = columns[i].type == DRG_SIDE_TEXT ? suggested_text() : NULL;
	const int64_t counted[] = { DRG_USE_ASKED, drg_txn_day(s->head.txn) };
	const struct pg_arrays a = { .fields = fields,
		                     .columns = g->columns,
		                     .n_columns = PG_SUGGESTION_COLUMNS,
		                     .n = g->n,
		                     .numbers = counted,
		                     .n_numbers = g->replace ? DRG_ARRAY_LEN(counted) : 0 };
	int rc = drg_pg_queue_arrays(s, drg_pg_once(s, g->replace ? PG_SUGGEST : PG_SUGGEST_NEW), &a, reterr);
	drg_pg_suggested_clear(g);
	return rc;
}

static size_t suggested_bytes(const struct pg_suggested *g)
{
	size_t n = 0;
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		n += g->columns[i].n;
	return n;
}

int drg_pg_suggested_add(struct drg_store *s, const struct drg_side_values *row, bool replace,
                         struct drg_err *reterr)
{
	struct pg_suggested *g = &s->suggested;
	const struct drg_field_def *text = suggested_text();
	int rc = g->replace != replace ? drg_pg_suggested_flush(s, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	g->replace = replace;
	for (unsigned i = 0; i < PG_SUGGESTION_COLUMNS; i++)
		drg_pg_array_element(&g->columns[i], row->v[i].is_text ? text : NULL, &row->v[i].v);
	return ++g->n >= SUGGESTION_ROWS || suggested_bytes(g) >= SUGGESTION_BYTES
	               ? drg_pg_suggested_flush(s, reterr)
	               : DRG_OK;
}
