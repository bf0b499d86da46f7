/* What the matcher last said. To be kept it is gathered, and goes to the server some hundred in a statement. */
#include "store/postgres/postgres_priv.h"
#include "store/store_priv.h"
#include "store/suggestions.h"
#include "store/uses.h"

/* ---- those that wait -------------------------------------------------------------------------------------- */

enum { SUGGESTION_NUMBERS = 6, SUGGESTION_ROWS = 500, SUGGESTION_BYTES = 512 << 10 };

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

/* Any field that is a text: they all travel alike. */
static const struct drg_field_def *suggestion_text(void)
{
	return drg_field_of(&drg_types[DRG_TYPE_SOURCE], DRG_F_SOURCE_ID);
}

int drg_pg_suggested_flush(struct drg_store *s, struct drg_err *reterr)
{
	struct pg_suggested *g = &s->suggested;
	const struct drg_field_def *fields[PG_SUGGESTION_COLUMNS] = { NULL };
	if (g->n == 0)
		return DRG_OK;
	for (unsigned i = SUGGESTION_NUMBERS; i < PG_SUGGESTION_COLUMNS; i++)
		fields[i] = suggestion_text();
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
	for (unsigned i = SUGGESTION_NUMBERS; i < PG_SUGGESTION_COLUMNS; i++)
		n += g->columns[i].n;
	return n;
}

static int pg_suggestion_keep(struct drg_txn *t, const struct drg_suggestion *s, bool replace,
                              struct drg_err *reterr)
{
	struct pg_suggested *g = &t->head.store->suggested;
	const int64_t numbers[] = { s->adapter, s->kind, s->outcome, s->country, s->city, s->category };
	const struct drg_str texts[] = { s->id, s->reason, s->ranked, s->explanation };
	int rc = g->replace != replace ? drg_pg_suggested_flush(t->head.store, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	g->replace = replace;
	unsigned at = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(numbers); i++)
		drg_pg_array_element(&g->columns[at++], NULL, &(const union drg_value){ .i = numbers[i] });
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++)
		drg_pg_array_element(&g->columns[at++], suggestion_text(),
		                     &(const union drg_value){ .s = texts[i] });
	return ++g->n >= SUGGESTION_ROWS || suggested_bytes(g) >= SUGGESTION_BYTES
	               ? drg_pg_suggested_flush(t->head.store, reterr)
	               : DRG_OK;
}

/* ---- statements of their own ------------------------------------------------------------------------------ */

/* Those of a kind are forgotten by what their sources are now. */
static int pg_suggestion_forget(struct drg_txn *t, int64_t adapter, enum drg_kind kind, struct drg_str id,
                                struct drg_err *reterr)
{
	struct drg_store *s = t->head.store;
	struct pg_params p = { 0 };
	int rc = id.n > 0 ? DRG_OK : drg_pg_rows_flush(s, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_suggested_flush(s, reterr);
	if (rc != DRG_OK)
		return rc;
	drg_pg_param_i(&p, adapter);
	drg_pg_param_i(&p, kind);
	if (id.n > 0)
		drg_pg_param_s(&p, id);
	return drg_pg_queue(s, drg_pg_once(s, id.n > 0 ? PG_UNSUGGEST : PG_UNSUGGEST_ALL), &p, reterr);
}

/* What a transaction holds back is sent before it reads. */
static int suggestion_before_reading(struct drg_store *s, struct drg_err *reterr)
{
	int rc = s->head.txn != NULL ? drg_pg_rows_flush(s, reterr) : DRG_OK;
	return rc == DRG_OK ? drg_pg_suggested_flush(s, reterr) : rc;
}

static int pg_suggestion_rows(PGresult *res, drg_suggestion_fn *fn, void *ctx)
{
	int rc = DRG_OK;
	for (int i = 0; i < PQntuples(res) && rc == DRG_OK; i++) {
		const struct drg_suggestion x = {
			.adapter = drg_pg_i(res, i, 0),
			.kind = (enum drg_kind)drg_pg_i(res, i, 1),
			.outcome = drg_pg_i(res, i, 2),
			.country = drg_pg_i(res, i, 3),
			.city = drg_pg_i(res, i, 4),
			.category = drg_pg_i(res, i, 5),
			.id = drg_pg_s(res, i, 6),
			.reason = drg_pg_s(res, i, 7),
			.ranked = drg_pg_s(res, i, 8),
			.explanation = drg_pg_s(res, i, 9),
			.version = PQnfields(res) > 10 ? drg_pg_i(res, i, 10) : 0,
		};
		rc = fn(ctx, &x);
	}
	PQclear(res);
	return rc;
}

static int pg_suggestion_one(struct drg_store *s, int64_t adapter, enum drg_kind kind, struct drg_str id,
                             drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, adapter);
	drg_pg_param_i(&p, kind);
	drg_pg_param_s(&p, id);
	int rc = suggestion_before_reading(s, reterr);
	if (rc == DRG_OK)
		rc = drg_pg_run(s, PG_SUGGESTION, &p, &res, reterr);
	return rc == DRG_OK ? pg_suggestion_rows(res, fn, ctx) : rc;
}

/* Pages of a statement: those behind the last one, up to the last adapter. */
struct pg_suggestion_pages {
	enum pg_once statement;
	int64_t adapter, kind; /* of the last one */
	struct drg_str id;
	int64_t to;
	struct drg_arena arena; /* `id` */
};

/* @return DRG_ENOENT: it was the last one */
static int pg_suggestion_page(struct drg_store *s, struct pg_suggestion_pages *x, drg_suggestion_fn *fn,
                              void *ctx, struct drg_err *reterr)
{
	enum { PAGE_ROWS = 20000 };
	struct pg_params p = { 0 };
	PGresult *res;
	drg_pg_param_i(&p, x->adapter);
	drg_pg_param_i(&p, x->kind);
	drg_pg_param_s(&p, x->id);
	drg_pg_param_i(&p, x->to);
	drg_pg_param_i(&p, PAGE_ROWS);
	int rc = drg_pg_run(s, x->statement, &p, &res, reterr);
	if (rc != DRG_OK)
		return rc;
	int n = PQntuples(res);
	drg_arena_reset(&x->arena);
	if (n > 0) {
		x->adapter = drg_pg_i(res, n - 1, 0);
		x->kind = drg_pg_i(res, n - 1, 1);
		x->id = drg_arena_str(&x->arena, drg_pg_s(res, n - 1, 6));
	}
	rc = pg_suggestion_rows(res, fn, ctx);
	if (rc == DRG_OK && x->id.p == NULL)
		rc = drg_fail_memory(reterr);
	return rc == DRG_OK && n < PAGE_ROWS ? DRG_ENOENT : rc;
}

/* @param adapter  0: of all */
static int pg_suggestion_all(struct drg_store *s, enum pg_once statement, int64_t adapter,
                             drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct pg_suggestion_pages x = { .statement = statement,
		                         .adapter = adapter != 0 ? adapter : INT64_MIN,
		                         .kind = -1,
		                         .id = drg_str("", 0),
		                         .to = adapter != 0 ? adapter : INT64_MAX };
	int rc = suggestion_before_reading(s, reterr);
	drg_arena_init(&x.arena, SIZE_MAX);
	while (rc == DRG_OK)
		rc = pg_suggestion_page(s, &x, fn, ctx, reterr);
	drg_arena_done(&x.arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int pg_suggestion_each(struct drg_store *s, int64_t adapter, drg_suggestion_fn *fn, void *ctx,
                              struct drg_err *reterr)
{
	return pg_suggestion_all(s, PG_SUGGESTIONS, adapter, fn, ctx, reterr);
}

static int pg_suggestion_open(struct drg_store *s, drg_suggestion_fn *fn, void *ctx, struct drg_err *reterr)
{
	return pg_suggestion_all(s, PG_OPEN_CASES, 0, fn, ctx, reterr);
}

const struct drg_suggestion_ops drg_pg_suggestion_ops = { pg_suggestion_keep, pg_suggestion_forget,
	                                                  pg_suggestion_each, pg_suggestion_one,
	                                                  pg_suggestion_open };
