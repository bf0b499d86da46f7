/* POST curate/airMap: which place an air supplier's identifier means (decision C9). */
#include "api/body.h"
#include "api/curate_words.h"
#include "api/reading.h"
#include "api/tables.h"
#include "api/write.h"
#include "decide/history.h"
#include "text/json_scan.h"
#include "workbench/deciding.h"

/* A request while it waits; in the arena of its exchange. */
struct air_map_request {
	struct drg_exchange *x;
	struct drg_decision d;
	struct drg_decisions all;
	bool has_adapter, has_place; /* said */
	struct drg_decided known;
	struct drg_write write;
};

/* ---- on the writer's thread ---------------------------------------------------------------------------- */

/* A drg_txn_fn; @p request is a struct air_map_request. */
static int air_map_run(void *request, struct drg_txn *t, struct drg_err *reterr)
{
	struct air_map_request *q = request;
	return drg_deciding_run(drg_app_of(q->x)->deciding, &q->known, &q->all, t, reterr);
}

static void air_map_stored(void *request)
{
	struct air_map_request *q = request;
	drg_deciding_keep(drg_app_of(q->x)->deciding, &q->known);
}

/* ---- the answer ---------------------------------------------------------------------------------------- */

static int air_map_fail(struct drg_exchange *x, int rc, const struct drg_err *e)
{
	*drg_exchange_err(x) = *e;
	return rc == DRG_ENOENT ? drg_exchange_fail_status(x, 404, DRG_R(not_found), e->field, "%s: %s",
	                                                   e->field, e->message)
	                        : rc;
}

static int air_map_answer(struct drg_exchange *x)
{
	struct air_map_request *q = drg_exchange_data(x);
	const struct drg_decision_result *c = &q->d.is;
	struct drg_jw w = { .b = drg_exchange_out(x) };
	int rc = drg_api_write_finish(&q->write);
	if (rc != DRG_OK || c->rc != DRG_OK)
		return air_map_fail(x, rc != DRG_OK ? rc : c->rc, rc != DRG_OK ? &q->write.job.err : &c->err);
	drg_data_begin(&w);
	drg_jw_object(&w);
	drg_jw_member_str(&w, "result", drg_str_c(c->changed ? "done" : "same"));
	drg_jw_member_i64_or_null(&w, "was", c->was_mapped, c->was);
	drg_jw_member_i64_or_null(&w, "is", c->is_mapped, c->is);
	drg_jw_member_i64(&w, "reports", c->reports);
	drg_jw_member_i64_or_null(&w, "batch", q->all.batch > 0, q->all.batch);
	drg_jw_object_end(&w);
	drg_data_end(&w);
	return DRG_OK;
}

/* ---- the request --------------------------------------------------------------------------------------- */

static int air_map_number(struct air_map_request *q, struct drg_str name, const struct drg_json_item *v)
{
	const bool null = v->type == DRG_JSON_NULL, seen = drg_str_eq(name, DRG_STR("was"));
	int64_t i = 0;
	if (!null && !drg_body_int(v, &i))
		return drg_body_bad_value(drg_exchange_err(q->x), DRG_R(bad_integer),
		                          seen ? "was" : "source_id", "a source_id, or null", v);
	if (seen) {
		q->d.has_seen = true;
		q->d.seen_mapped = !null;
		q->d.seen = i;
	} else {
		q->has_place = true;
		q->d.verb = null ? DRG_VERB_NO_PLACE : DRG_VERB_PLACE;
		q->d.dict_id = i;
	}
	return DRG_OK;
}

static int air_map_member(struct air_map_request *q, struct drg_str name, const struct drg_json_item *v)
{
	if (drg_str_eq(name, DRG_STR("source_id")) || drg_str_eq(name, DRG_STR("was")))
		return air_map_number(q, name, v);
	struct drg_err *err = drg_exchange_err(q->x);
	if (v->type == DRG_JSON_NULL)
		return DRG_OK;
	if (drg_str_eq(name, DRG_STR("external_id")))
		return drg_body_text(err, "external_id", DRG_CHARS_ID, v, &q->d.id);
	if (drg_str_eq(name, DRG_STR("why")))
		return drg_body_text(err, "why", DRG_CHARS_WHY, v, &q->all.why);
	if (drg_str_eq(name, DRG_STR("by")) && !drg_api_is_person(q->x))
		return drg_body_text(err, "by", DRG_CURATE_BY_MAX, v, &q->all.by);
	if (!drg_str_eq(name, DRG_STR("adapter_id"))) {
		drg_exchange_ignored(q->x, name);
		return DRG_OK;
	}
	if (!drg_body_int(v, &q->d.adapter))
		return drg_body_bad_value(drg_exchange_err(q->x), DRG_R(bad_integer), "adapter_id",
		                          "an integer", v);
	q->has_adapter = true;
	return DRG_OK;
}

static int air_map_missing(struct air_map_request *q)
{
	const char *name = !q->has_adapter  ? "adapter_id"
	                   : q->d.id.n == 0 ? "external_id"
	                   : !q->has_place  ? "source_id"
	                                    : NULL;
	return name == NULL ? DRG_OK
	                    : drg_fail(drg_exchange_err(q->x), DRG_EINVAL, DRG_R(missing_field), name,
	                               "%s is required", name);
}

static int air_map_read(struct air_map_request *q)
{
	struct drg_err *err = drg_exchange_err(q->x);
	struct drg_json_item v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_body_object(q->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		rc = air_map_member(q, name, &v);
		if (rc != DRG_OK)
			return rc;
	}
	rc = rc == DRG_ENOENT ? air_map_missing(q) : rc;
	return rc == DRG_OK
	               ? drg_audit_check(&(const struct drg_audit){ .by = q->all.by, .why = q->all.why }, err)
	               : rc;
}

static int air_map_allowed(struct air_map_request *q)
{
	int rc = drg_api_check_adapter(q->x, q->d.adapter);
	return rc == DRG_OK ? drg_api_check_write(q->x, q->d.adapter) : rc;
}

static int curate_air_map(struct drg_exchange *x)
{
	struct air_map_request *q = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *q);
	if (q == NULL)
		return DRG_ENOMEM;
	q->x = x;
	q->all = (struct drg_decisions){ .v = &q->d, .n = 1, .by = drg_exchange_caller(x)->name };
	int rc = air_map_read(q);
	if (rc == DRG_OK)
		rc = air_map_allowed(q);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, q);
	q->write =
	        (struct drg_write){ .run = air_map_run, .ctx = q, .job.rows = 8, .stored = air_map_stored };
	return drg_api_write(x, &q->write, air_map_answer);
}

const struct drg_endpoint drg_curate_air_map[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/airMap",
	  .name = "curateAirMap",
	  .handler = curate_air_map,
	  .auth = DRG_AUTH_CURATOR,
	  .body = DRG_BODY_JSON,
	  .summary = "Say which place an air supplier's identifier means",
	  .app = DRG_COLUMNS(.adapter = drg_air_adapter) },
	{ 0 },
};
