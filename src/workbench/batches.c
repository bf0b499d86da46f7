/* GET curate/batches: imports, loads, runs and decisions (decisions C7, M28). */
#include "api/report.h"
#include "api/tables.h"
#include "decide/reports.h"

/* LOOKED_MAX: one answer reads no more. */
enum { BATCHES = 50, BATCHES_MAX = 500, LOOKED_MAX = 50000 };

static int batches_write_rest(struct drg_reading *r, void *answer)
{
	const struct drg_report_response *a = answer;
	const struct drg_batches_wanted *b = a->asked;
	const bool more = a->more || b->stopped;
	drg_jw_member_bool(&r->w, "more", more);
	drg_jw_member_i64_or_null(&r->w, "before", more, b->last);
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
	struct drg_batches_wanted *b = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *b);
	if (b == NULL)
		return DRG_ENOMEM;
	b->below = drg_exchange_int(x, "before", 0);
	b->adapter = drg_exchange_int(x, "adapter_id", 0);
	b->most = LOOKED_MAX;
	const struct drg_report_response a = { .report = &drg_batches_report,
		                               .query = drg_batches_query,
		                               .asked = b,
		                               .limit = (size_t)drg_exchange_int(x, "limit", BATCHES),
		                               .tail = batches_write_rest };
	return drg_report_respond(x, &a);
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
	  .summary = "Imports, loads, runs of the matcher and decisions, the newest first",
	  .app = DRG_COLUMNS(.report = &drg_batches_report) },
	{ 0 },
};
