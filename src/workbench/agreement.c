/* GET curate/agreement: how people and the matcher agree, month by month (decision C7). */
#include "api/curate_words.h"
#include "api/item.h"
#include "api/report.h"
#include "api/tables.h"
#include "base/clock.h"
#include "matching/survey/reports.h"
#include "workbench/agreed.h"

enum { MONTHS_DEFAULT = 1000, MONTHS_MAX = 5000 };

static int agreement_days(void *ctx, struct drg_store *s, struct drg_survey_days *ret, struct drg_err *reterr)
{
	return drg_agreed_read(ctx, s, ret, reterr);
}

static int curate_agreement(struct drg_exchange *x)
{
	struct drg_agreement_wanted *w = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *w);
	if (w == NULL)
		return DRG_ENOMEM;
	int64_t since_us = INT64_MIN;
	*w = (struct drg_agreement_wanted){ .which = { .adapter = drg_exchange_int(x, "adapter_id", 0),
		                                       .kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		                                       .split = true,
		                                       .since_day = INT64_MIN },
		                            .days = agreement_days,
		                            .ctx = drg_app_of(x)->agreed };
	int rc = drg_curate_since(x, &since_us);
	if (rc == DRG_OK && since_us != INT64_MIN)
		w->which.since_day = since_us / DRG_DAY_US - (since_us % DRG_DAY_US < 0);
	if (rc == DRG_OK) /* the limit counts suppliers that a key may not read */
		rc = drg_curate_check_adapter(x);
	const struct drg_report_response a = { .report = &drg_agreement_report,
		                               .query = drg_agreement_query,
		                               .asked = w,
		                               .limit = (size_t)drg_exchange_int(x, "limit", MONTHS_DEFAULT),
		                               .tail = drg_report_more };
	return rc == DRG_OK ? drg_report_respond(x, &a) : rc;
}

static const struct drg_param agreement_params[] = {
	DRG_PARAM_ITEM_FILTER,
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .schema = DRG_SCHEMA_PAST,
	  .doc = "only of that day (UTC) or later: a date, or a time with its zone" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = MONTHS_MAX,
	  .doc = "items at most; 1,000 when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_agreement[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/agreement",
	  .name = "curateAgreement",
	  .handler = curate_agreement,
	  .auth = DRG_AUTH_VIEWER,
	  .params = agreement_params,
	  .summary = "How people and the matcher agree, by month",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .report = &drg_agreement_report) },
	{ 0 },
};
