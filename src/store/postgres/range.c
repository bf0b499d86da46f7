/* Look-ups that read ahead: all rows of a type from one identity up to another. */
#include "store/postgres/ops_priv.h"

#include <assert.h>

#include "base/bound.h"

/* ROWS_A_TRIP: a round trip costs as much as reading this many rows that are not needed. */
enum { MAX_ROWS_AHEAD = 2000, ROWS_A_TRIP = 8 };

static int compare_ints(int64_t a, int64_t b)
{
	return a < b ? -1 : a > b;
}

/* Compare an identity with that of a row, in the order of the index. */
static int compare_with_row(const struct drg_record *r, const PGresult *rows, int at)
{
	assert(rows != NULL && at >= 0 && at < PQntuples(rows));
	int c = 0;
	for (unsigned i = 0; i < drg_sql_n_identity(r->type) && c == 0; i++) {
		const struct drg_field_def *f = &r->type->fields[i];
		int col = COL_FIELDS + (int)i;
		c = drg_value_is_text(f->vtype)
		            ? drg_str_cmp(drg_record_value(r, f)->s, drg_pg_s(rows, at, col))
		            : compare_ints(drg_record_value(r, f)->i, drg_pg_i(rows, at, col));
	}
	return c;
}

static int compare_identities(const struct drg_record *a, const struct drg_record *b)
{
	assert(a->type == b->type);
	int c = 0;
	for (unsigned i = 0; i < drg_sql_n_identity(a->type) && c == 0; i++) {
		const struct drg_field_def *f = &a->type->fields[i];
		const union drg_value *va = drg_record_value(a, f), *vb = drg_record_value(b, f);
		c = drg_value_is_text(f->vtype) ? drg_str_cmp(va->s, vb->s) : compare_ints(va->i, vb->i);
	}
	return c;
}

static bool range_begins_before(const struct pg_range *g, const struct drg_record *key)
{
	struct drg_record from;
	return g->rows != NULL && drg_record_unpack(g->from.p, g->from.n, &from) > 0 &&
	       compare_identities(&from, key) <= 0;
}

bool drg_pg_range_covers(const struct pg_range *g, const struct drg_record *key)
{
	int n = g->rows != NULL ? PQntuples(g->rows) : 0;
	return range_begins_before(g, key) &&
	       (g->to_end || (n > 0 && compare_with_row(key, g->rows, n - 1) <= 0));
}

static bool is_sibling(const struct drg_record *r, const PGresult *rows, int at)
{
	struct drg_record same = *r;
	const unsigned last = drg_sql_n_identity(r->type) - 1;
	const struct drg_field_def *f = &r->type->fields[last];
	if (drg_value_is_text(f->vtype))
		drg_record_set_s(&same, f->field, drg_pg_s(rows, at, COL_FIELDS + (int)last));
	else
		drg_record_set_i(&same, f->field, drg_pg_i(rows, at, COL_FIELDS + (int)last));
	return compare_with_row(&same, rows, at) == 0;
}

bool drg_pg_range_siblings(const struct pg_range *g, const struct drg_record *first, int *ret_from,
                           int *ret_to)
{
	const int n = PQntuples(g->rows);
	size_t at;
	DRG_BOUND(at, (size_t)n, i, compare_with_row(first, g->rows, (int)i) > 0);
	*ret_from = *ret_to = (int)at;
	while (*ret_to < n && is_sibling(first, g->rows, *ret_to))
		++*ret_to;
	return *ret_to < n || g->to_end;
}

int drg_pg_range_search(const struct pg_range *g, const struct drg_record *key)
{
	int low = 0, high = PQntuples(g->rows);
	while (low < high) {
		int middle = low + (high - low) / 2;
		int c = compare_with_row(key, g->rows, middle);
		if (c == 0)
			return middle;
		if (c < 0)
			high = middle;
		else
			low = middle + 1;
	}
	return -1;
}

/* Double the number of rows, but only as far as the rows that were used pay for those that were not. After a
 * jump back ask for one row: the caller does not go upwards. */
static int range_ahead(const struct pg_range *g, const struct drg_record *key)
{
	if (!range_begins_before(g, key))
		return 1;
	const int twice = 2 * PQntuples(g->rows), of_use = ROWS_A_TRIP * g->hits;
	int more = twice < of_use ? twice : of_use, page = drg_pg_page(g->rows);
	return more < 1 ? 1 : more > page ? page : more > MAX_ROWS_AHEAD ? MAX_ROWS_AHEAD : more;
}

int drg_pg_range_read(struct drg_store *s, struct pg_range *g, const struct drg_record *key,
                      struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	struct drg_record from = *key;
	PGresult *rows;
	int asked = range_ahead(g, key);
	drg_pg_param_identity(&p, key);
	drg_pg_param_i(&p, asked);
	int rc = drg_pg_exec(s, drg_pg_of_type(s, key->type, PG_FIND_FROM), &p, &rows, reterr);
	if (rc != DRG_OK)
		return rc;
	PQclear(g->rows);
	g->rows = rows;
	g->hits = 0;
	g->to_end = PQntuples(rows) < asked;
	from.has = from.nulls = 0;
	for (unsigned i = 0; i < drg_sql_n_identity(key->type); i++)
		from.has |= drg_field_bit(key->type->fields[i].field);
	drg_buf_clear(&g->from);
	drg_record_pack(&from, &g->from);
	return g->from.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}
