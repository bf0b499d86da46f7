/* GET curate/precision: what the judgements of audits tell (decision M39). */
#include "api/curate_words.h"
#include "api/item.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "matching/learn/audit.h"
#include "model/names.h"

static int precision_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	(void)arena;
	return drg_audit_precision(s, work, reterr);
}

static void precision_write_kind(struct drg_jw *w, const char *kind, const struct drg_judged *j)
{
	double low, high;
	if (j->judged == 0)
		return;
	drg_wilson(j->right, j->judged, &low, &high);
	const struct {
		const char *name;
		double share;
	} shares[] = { { "precision", (double)j->right / (double)j->judged },
		       { "from", low },
		       { "to", high } };
	drg_jw_object(w);
	drg_jw_member_str(w, "kind", drg_str_c(kind));
	drg_jw_member_i64(w, "judged", (int64_t)j->judged);
	drg_jw_member_i64(w, "right", (int64_t)j->right);
	for (size_t i = 0; i < DRG_ARRAY_LEN(shares); i++)
		drg_jw_member_real(w, shares[i].name, shares[i].share);
	drg_jw_object_end(w);
}

static int precision_write(struct drg_reading *r, void *work)
{
	const struct drg_precision *p = work;
	struct drg_judged all = { 0, 0 };
	drg_items_begin(&r->w);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		all.judged += p->kinds[k].judged;
		all.right += p->kinds[k].right;
		precision_write_kind(&r->w, drg_kind_name((enum drg_kind)k), &p->kinds[k]);
	}
	precision_write_kind(&r->w, "all", &all);
	drg_items_end(&r->w);
	return DRG_OK;
}

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
	return rc == DRG_OK ? drg_store_work_run(x, precision_run, precision_write, p) : rc;
}

static const struct drg_param precision_params[] = {
	DRG_PARAM_ITEM_FILTER,
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .schema = DRG_SCHEMA_PAST,
	  .doc = "only what was judged then or later: a date, or a time with its zone" },
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
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
