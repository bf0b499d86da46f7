/* GET curate/agreement: how people and the matcher agree, month by month (decision C7). */
#include <stdio.h>

#include "api/curate_words.h"
#include "api/item.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "matching/survey/survey.h"
#include "workbench/agreed.h"

enum { MONTHS_DEFAULT = 1000, MONTHS_MAX = 5000 };

struct agreement_work {
	struct drg_agreed *agreed;
	struct drg_survey_months which;
	struct drg_survey_month *v; /* room for `limit` */
	size_t n, limit;
	bool more;
};

static int agreement_take(void *ctx, const struct drg_survey_month *m)
{
	struct agreement_work *k = ctx;
	k->more = k->n == k->limit;
	if (k->more)
		return DRG_ELIMIT;
	k->v[k->n++] = *m;
	return DRG_OK;
}

static int agreement_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct agreement_work *k = work;
	k->n = 0;
	k->more = false;
	k->v = drg_arena_alloc(arena, k->limit * sizeof *k->v);
	if (k->v == NULL)
		return drg_fail_memory(reterr);
	struct drg_survey_days days;
	int rc = drg_agreed_read(k->agreed, s, &days, reterr);
	if (rc == DRG_OK)
		rc = drg_survey_by_month(s, &days, &k->which, agreement_take, k, reterr);
	drg_survey_days_done(&days);
	return rc == DRG_ELIMIT && k->more ? DRG_OK : rc;
}

static void agreement_write_month(struct drg_reading *r, const struct drg_survey_month *m)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, m->adapter);
	char month[32];
	int n = snprintf(month, sizeof month, "%04d-%02d", m->year, m->month);
	drg_jw_object(&r->w);
	drg_jw_member_i64(&r->w, "adapter_id", m->adapter);
	drg_escaped_or_null(&r->w, "adapter", a != NULL ? a->name_esc : drg_str(NULL, 0));
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(m->kind)));
	drg_jw_member_str(&r->w, "month", drg_str(month, (size_t)n));
	for (unsigned i = 0; i < DRG_SURVEY_COUNT; i++) {
		drg_jw_key(&r->w, drg_survey_word((enum drg_survey_what)i));
		drg_jw_i64(&r->w, m->n[i]);
	}
	drg_jw_object_end(&r->w);
}

static int agreement_write(struct drg_reading *r, void *work)
{
	struct agreement_work *k = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->n; i++)
		agreement_write_month(r, &k->v[i]);
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more", k->more);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_agreement(struct drg_exchange *x)
{
	struct agreement_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	int64_t since_us = INT64_MIN;
	k->agreed = drg_app_of(x)->agreed;
	k->limit = (size_t)drg_exchange_int(x, "limit", MONTHS_DEFAULT);
	k->which = (struct drg_survey_months){ .adapter = drg_exchange_int(x, "adapter_id", 0),
		                               .kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		                               .split = true,
		                               .since_day = INT64_MIN };
	int rc = drg_curate_since(x, &since_us);
	if (rc == DRG_OK && since_us != INT64_MIN)
		k->which.since_day = since_us / DRG_DAY_US - (since_us % DRG_DAY_US < 0);
	if (rc == DRG_OK) /* the limit counts suppliers that a key may not read */
		rc = drg_curate_check_adapter(x);
	return rc == DRG_OK ? drg_store_work_run(x, agreement_run, agreement_write, k) : rc;
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
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
