/* GET curate/batches: imports, loads, runs and decisions (decisions C7, M28). */

#include "api/curate_words.h"
#include "api/gather.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "decide/ledger.h"
#include "workbench/record_json.h"

/* LOOKED_MAX: one answer reads no more. */
enum { BATCHES = 50, BATCHES_MAX = 500, LOOKED_MAX = 50000 };

struct batches_work {
	int64_t before, adapter; /* only those with a lower number; only those of this supplier; 0: all */
	size_t limit;
	struct drg_copied found;
	int64_t last; /* what was looked at last */
	bool more;
};

/* The highest number comes first. */
static int batches_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_rows rows;
	struct batches_work *b = work;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_BATCH],
		                      .highest_first = true,
		                      .below = b->before };
	size_t looked = 0;
	int rc = drg_copied_init(&b->found, arena, b->limit);
	b->more = false;
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &f, reterr); drg_rows_next(&rows); looked++) {
		const struct drg_record *r = &rows.row.r;
		const bool wanted = b->adapter == 0 || drg_ledger_of_adapter(r, b->adapter);
		b->more = looked == LOOKED_MAX || (wanted && b->found.n == b->limit);
		if (b->more)
			break;
		b->last = r->v[DRG_F_ID].i;
		if (wanted)
			rows.rc = drg_copied_take(&b->found, r, &rows.row.m);
	}
	return drg_rows_end(&rows);
}

/* null: it is not kept. */
static void batches_write_adapters(struct drg_jw *w, const struct drg_record *b)
{
	struct drg_str rest = drg_record_s(b, DRG_F_OF_ADAPTERS), one;
	drg_jw_key(w, "adapters");
	if (!drg_record_has(b, DRG_F_OF_ADAPTERS)) {
		drg_jw_null(w);
		return;
	}
	drg_jw_array(w);
	while (rest.n > 0 && drg_str_split(&rest, ',', &one))
		drg_jw_raw(w, one);
	drg_jw_array_end(w);
}

static void batches_write_one(struct drg_jw *w, const struct drg_record *b)
{
	const struct drg_field_def *what = drg_field_of(b->type, DRG_F_WHAT);
	drg_jw_object(w);
	drg_curate_int_or_null(w, "id", b, DRG_F_ID);
	drg_text_or_null(w, "at", drg_record_s(b, DRG_F_AT));
	drg_jw_member_str(w, "what", drg_str_c(what->words[drg_record_i(b, DRG_F_WHAT, 0)]));
	drg_text_or_null(w, "by", drg_record_s(b, DRG_F_BY));
	drg_text_or_null(w, "why", drg_record_s(b, DRG_F_WHY));
	drg_text_or_null(w, "files", drg_record_s(b, DRG_F_FILES));
	drg_curate_int_or_null(w, "created", b, DRG_F_N_CREATED);
	drg_curate_int_or_null(w, "changed", b, DRG_F_N_CHANGED);
	drg_curate_int_or_null(w, "removed", b, DRG_F_N_DELETED);
	drg_text_or_null(w, "undone", drg_record_s(b, DRG_F_UNDONE));
	batches_write_adapters(w, b);
	drg_jw_object_end(w);
}

static int batches_write(struct drg_reading *r, void *work)
{
	struct batches_work *b = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < b->found.n; i++)
		batches_write_one(&r->w, &b->found.v[i].r);
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more", b->more);
	drg_jw_member_i64_or_null(&r->w, "before", b->more, b->last);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* A batch is of any supplier: not for keys that may read some only. */
static int batches_allowed(struct drg_exchange *x)
{
	return drg_exchange_caller(x)->reads == NULL
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), NULL,
	                          "this key is for some suppliers only: it may not see batches");
}

static int curate_batches(struct drg_exchange *x)
{
	int rc = batches_allowed(x);
	if (rc != DRG_OK)
		return rc;
	struct batches_work *b = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *b);
	if (b == NULL)
		return DRG_ENOMEM;
	b->before = drg_exchange_int(x, "before", 0);
	b->adapter = drg_exchange_int(x, "adapter_id", 0);
	b->limit = (size_t)drg_exchange_int(x, "limit", BATCHES);
	return drg_store_work_run(x, batches_run, batches_write, b);
}

static const struct drg_param batches_params[] = {
	{ .name = "adapter_id",
	  .type = DRG_P_INT,
	  .doc = "only batches that have written records of this supplier" },
	{ .name = "before",
	  .type = DRG_P_INT,
	  .doc = "only batches with a lower number; from the newest when absent" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = BATCHES_MAX,
	  .doc = "batches at most; 50 when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_batches[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/batches",
	  .name = "curateBatches",
	  .handler = curate_batches,
	  .auth = DRG_AUTH_VIEWER,
	  .params = batches_params,
	  .summary = "Imports, loads, runs of the matcher and decisions, the newest first" },
	{ 0 },
};
