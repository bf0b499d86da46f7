/* GET curate/audit: a sample of what the matcher did, to be judged by curate/decide (decision M39). */
#include <assert.h>

#include "api/curate_words.h"
#include "api/item.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "base/clock.h"
#include "decide/decision.h"
#include "matching/learn/audit.h"
#include "workbench/record_json.h"

enum { AUDIT_SIZE = 20, AUDIT_MAX = 200 };

struct audit_work {
	struct drg_audit_draw d;
	struct drg_store *s;
	struct drg_arena *arena;
	struct drg_err *err;
	struct audit_drawn {
		struct drg_record source, dict;
		int64_t version;
		struct drg_str explanation;
	} * v;
	size_t n;
};

static int audit_take(void *ctx, const struct drg_audit_item *item)
{
	struct audit_work *k = ctx;
	assert(k->n < k->d.size);
	struct audit_drawn *one = &k->v[k->n];
	struct drg_record source;
	int rc = drg_record_copy(k->arena, &item->source, &one->source);
	if (rc == DRG_OK)
		rc = drg_record_copy(k->arena, &item->dict, &one->dict);
	one->explanation = drg_arena_str(k->arena, item->explanation);
	if (rc == DRG_OK)
		rc = drg_source_version(k->s, one->source.v[DRG_F_ADAPTER_ID].i,
		                        drg_record_kind(&one->source), one->source.v[DRG_F_SOURCE_ID].s,
		                        &source, k->arena, &one->version, k->err);
	k->n += rc == DRG_OK;
	return rc;
}

static int audit_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct audit_work *k = work;
	k->s = s;
	k->arena = arena;
	k->err = reterr;
	k->n = 0;
	k->d.among = 0;
	k->v = drg_arena_calloc(arena, k->d.size, sizeof *k->v);
	return k->v != NULL ? drg_audit_draw(s, &k->d, audit_take, k, reterr) : drg_fail_memory(reterr);
}

static void audit_write_dict(struct drg_reading *r, const struct drg_record *dict)
{
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_jw_member_object(&r->w, "dict");
	drg_curate_dict_words(r, dict, &pref);
	drg_curate_record(&r->w, "record", dict);
	drg_jw_object_end(&r->w);
}

static void audit_write_one(struct drg_reading *r, const struct audit_drawn *one)
{
	double metres = drg_curate_metres(&one->source, &one->dict);
	drg_jw_object(&r->w);
	drg_curate_source_members(r, &one->source);
	drg_jw_member_i64(&r->w, "version", one->version);
	drg_jw_member_i64_or_null(&r->w, "metres", metres >= 0, (int64_t)metres);
	drg_text_or_null(&r->w, "explanation", one->explanation);
	drg_curate_record(&r->w, "record", &one->source);
	audit_write_dict(r, &one->dict);
	drg_jw_object_end(&r->w);
}

static int audit_write(struct drg_reading *r, void *work)
{
	struct audit_work *k = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->n; i++)
		audit_write_one(r, &k->v[i]);
	drg_jw_array_end(&r->w);
	drg_jw_member_i64(&r->w, "among", (int64_t)k->d.among);
	drg_jw_member_i64(&r->w, "seed", (int64_t)k->d.seed);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_audit(struct drg_exchange *x)
{
	struct audit_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->d = (struct drg_audit_draw){
		.adapter = drg_exchange_int(x, "adapter_id", 0),
		.kind = drg_kind_by_name(drg_exchange_text(x, "kind")),
		.size = (size_t)drg_exchange_int(x, "size", AUDIT_SIZE),
		.seed = (uint64_t)drg_exchange_int(x, "seed", drg_wall_us() & INT64_C(0x1fffffffffffff)),
	};
	int rc = drg_curate_check_adapter(x);
	return rc == DRG_OK ? drg_store_work_run(x, audit_run, audit_write, k) : rc;
}

static const struct drg_param audit_params[] = {
	DRG_PARAM_ITEM_FILTER,
	{ .name = "size", .type = DRG_P_INT, .min = 1, .max = AUDIT_MAX, .doc = "how many; 20 when absent" },
	{ .name = "seed",
	  .type = DRG_P_INT,
	  .min = 0,
	  .max = INT64_C(0x1fffffffffffff),
	  .doc = "another one draws others; by the clock when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_audit[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/audit",
	  .name = "curateAudit",
	  .handler = curate_audit,
	  .auth = DRG_AUTH_VIEWER,
	  .params = audit_params,
	  .summary = "A sample of what the matcher mapped, to be judged",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
