/* GET curate/precision: what the judgements of audits tell (decision M39). */
#include "api/curate_words.h"
#include "api/item.h"
#include "api/report.h"
#include "api/tables.h"
#include "matching/learn/audit.h"

static int curate_precision(struct drg_exchange *x)
{
	struct drg_precision *p = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *p);
	if (p == NULL)
		return DRG_ENOMEM;
	p->adapter = drg_exchange_int(x, "adapter_id", 0);
	p->kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	p->since_us = INT64_MIN;
	int rc = drg_curate_since(x, &p->since_us);
	if (rc == DRG_OK)
		rc = drg_curate_check_adapter(x);
	const struct drg_report_response a = { .report = &drg_precision_report,
		                               .query = drg_precision_query,
		                               .asked = p };
	return rc == DRG_OK ? drg_report_respond(x, &a) : rc;
}

static const struct drg_param precision_params[] = {
	DRG_PARAM_ITEM_FILTER,
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .schema = DRG_SCHEMA_PAST,
	  .doc = "only mappings judged then or later: a date, or a time with its zone" },
	{ 0 },
};

const struct drg_endpoint drg_curate_precision[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/precision",
	  .name = "curatePrecision",
	  .handler = curate_precision,
	  .auth = DRG_AUTH_VIEWER,
	  .params = precision_params,
	  .summary = "How much of what the matcher mapped is right, as far as it was judged",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .report = &drg_precision_report) },
	{ 0 },
};
