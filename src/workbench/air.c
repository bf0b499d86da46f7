/* GET curate/air: what avia/compared could not answer, with what the matcher of airports makes of it
 * (decision C9). */
#include "api/air_json.h"
#include "api/curate_words.h"
#include "api/store_work.h"
#include "api/tables.h"
#include "matching/airmatch.h"
#include "store/air_reports.h"

enum { AIR_ITEMS = 50, AIR_ITEMS_MAX = 500, AIR_REPORTS = 10 };

/* All reports with one external id; those without one are each for itself. */
struct air_case {
	int64_t adapter;
	struct drg_str external_id; /* empty: none */
	struct drg_air_report reports[AIR_REPORTS]; /* the most frequent first */
	size_t n_reports;
	int64_t count, first_us, last_us; /* of all of them */
	bool matched;
	struct drg_airmatch_result match; /* texts in the arena */
};

struct air_work {
	int64_t adapter; /* 0: all */
	size_t limit;
	struct drg_arena *arena;
	struct air_case *v;
	size_t n;
	int64_t total; /* reports */
	bool more;
};

/* ---- from the store ------------------------------------------------------------------------------------ */

static struct air_case *air_find(const struct air_work *k, int64_t adapter, struct drg_str id)
{
	for (size_t i = 0; id.n > 0 && i < k->n; i++)
		if (k->v[i].adapter == adapter && drg_str_eq(k->v[i].external_id, id))
			return &k->v[i];
	return NULL;
}

static int air_copy(const struct air_work *k, const struct drg_air_report *from, struct drg_air_report *to)
{
	struct drg_str *texts[] = { &to->external_id, &to->iata_code, &to->title, &to->lang };
	*to = *from;
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		*texts[i] = drg_arena_str(k->arena, *texts[i]);
		if (texts[i]->p == NULL)
			return DRG_ENOMEM;
	}
	return DRG_OK;
}

static int air_take(void *ctx, const struct drg_air_report *r)
{
	struct air_work *k = ctx;
	struct air_case *c = air_find(k, r->adapter, r->external_id);
	int rc = DRG_OK;
	k->total++;
	if (c == NULL && k->n == k->limit) {
		k->more = true;
		return DRG_OK;
	}
	if (c == NULL) {
		c = &k->v[k->n++];
		*c = (struct air_case){ .adapter = r->adapter, .first_us = r->first_us };
	}
	if (c->n_reports < AIR_REPORTS)
		rc = air_copy(k, r, &c->reports[c->n_reports++]);
	c->external_id = c->reports[0].external_id;
	c->count += r->count;
	c->first_us = r->first_us < c->first_us ? r->first_us : c->first_us;
	c->last_us = r->last_us > c->last_us ? r->last_us : c->last_us;
	return rc;
}

static int air_result(void *ctx, const struct drg_airmatch_result *r)
{
	const struct air_work *k = ctx;
	struct air_case *c = air_find(k, r->adapter, r->id);
	if (c == NULL)
		return DRG_OK;
	c->matched = true;
	c->match = *r;
	c->match.explanation = drg_arena_str(k->arena, r->explanation);
	return c->match.explanation.p != NULL ? DRG_OK : DRG_ENOMEM;
}

static int air_run(void *work, struct drg_store *s, struct drg_arena *arena, struct drg_err *reterr)
{
	struct air_work *k = work;
	struct drg_airmatch_totals totals;
	const struct drg_airmatch_options o = { .adapters = &k->adapter,
		                                .n_adapters = k->adapter != 0,
		                                .dry_run = true,
		                                .decided_too = true,
		                                .result = air_result,
		                                .ctx = k };
	k->arena = arena;
	k->n = 0;
	k->total = 0;
	k->more = false;
	k->v = drg_arena_alloc(arena, k->limit * sizeof *k->v);
	if (k->v == NULL)
		return drg_fail_memory(reterr);
	int rc = drg_store_air_reports(s, k->adapter, air_take, k, reterr);
	if (rc == DRG_OK && k->n > 0)
		rc = drg_airmatch_run(s, &o, &totals, reterr);
	return rc;
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static void air_seen(struct drg_jw *w, int64_t count, int64_t first_us, int64_t last_us)
{
	drg_jw_member_i64(w, "count", count);
	drg_jw_key(w, "first_seen");
	drg_curate_time(w, first_us);
	drg_jw_key(w, "last_seen");
	drg_curate_time(w, last_us);
}

static void air_write_reports(struct drg_jw *w, const struct air_case *c)
{
	drg_jw_member_array(w, "reports");
	for (size_t i = 0; i < c->n_reports; i++) {
		const struct drg_air_report *r = &c->reports[i];
		drg_jw_object(w);
		drg_jw_member_str_or_null(w, "title", r->title);
		drg_jw_member_str_or_null(w, "lang_code", r->lang);
		drg_jw_member_str_or_null(w, "iata_code", r->iata_code);
		air_seen(w, r->count, r->first_us, r->last_us);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static void air_write_candidates(struct drg_reading *r, const struct air_case *c)
{
	const struct drg_lang_pref pref = drg_reading_langs(r);
	drg_jw_member_array(&r->w, "candidates");
	for (unsigned i = 0; c->matched && i < c->match.n_ranked; i++) {
		struct drg_air_place place;
		if (!drg_air_find(r->cat, c->match.ranked[i].place, &place))
			continue;
		drg_jw_object(&r->w);
		drg_air_members(&r->w, r->cat, &place, &pref);
		drg_jw_member_real(&r->w, "points", c->match.ranked[i].points);
		drg_jw_object_end(&r->w);
	}
	drg_jw_array_end(&r->w);
}

static void air_write_case(struct drg_reading *r, const struct air_case *c)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, c->adapter);
	struct drg_jw *w = &r->w;
	drg_jw_object(w);
	drg_jw_member_i64(w, "adapter_id", c->adapter);
	drg_escaped_or_null(w, "adapter", a != NULL ? a->name_esc : drg_str(NULL, 0));
	drg_jw_member_str_or_null(w, "external_id", c->external_id);
	air_seen(w, c->count, c->first_us, c->last_us);
	air_write_reports(w, c);
	drg_text_or_null(w, "outcome",
	                 c->matched ? drg_str_c(drg_outcome_name(c->match.outcome)) : drg_str(NULL, 0));
	drg_text_or_null(w, "reason",
	                 c->matched ? drg_str_c(drg_curate_reason(c->match.reason)) : drg_str(NULL, 0));
	drg_jw_member_str_or_null(w, "explanation", c->matched ? c->match.explanation : drg_str(NULL, 0));
	air_write_candidates(r, c);
	drg_jw_object_end(w);
}

static int air_write(struct drg_reading *r, void *work)
{
	const struct air_work *k = work;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < k->n; i++)
		air_write_case(r, &k->v[i]);
	drg_jw_array_end(&r->w);
	drg_jw_member_bool(&r->w, "more", k->more);
	drg_jw_member_i64(&r->w, "total", k->total);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int air_allowed(struct drg_exchange *x, int64_t adapter)
{
	if (drg_exchange_has(x, "adapter_id"))
		return drg_api_check_adapter(x, adapter);
	return drg_exchange_caller(x)->reads == NULL
	               ? DRG_OK
	               : drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(adapter_not_allowed), "adapter_id",
	                          "adapter_id: this key is for some suppliers only, and has to name one");
}

static int curate_air(struct drg_exchange *x)
{
	struct air_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->adapter = drg_exchange_int(x, "adapter_id", 0);
	k->limit = (size_t)drg_exchange_int(x, "limit", AIR_ITEMS);
	int rc = air_allowed(x, k->adapter);
	return rc == DRG_OK ? drg_slow_work_run(x, air_run, air_write, k) : rc;
}

static const struct drg_param air_params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .doc = "only this air supplier's identifiers" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = AIR_ITEMS_MAX,
	  .doc = "items at most; 50 when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_air[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/air",
	  .name = "curateAir",
	  .handler = curate_air,
	  .auth = DRG_AUTH_VIEWER,
	  .params = air_params,
	  .summary = "List air suppliers' identifiers without a match",
	  .app = DRG_COLUMNS(.adapter = drg_air_adapter) },
	{ 0 },
};
