/* POST curate/open: tell others that you look at a case (decision C5). */
#include "api/body.h"
#include "api/curate_words.h"
#include "api/tables.h"
#include "text/json_scan.h"
#include "workbench/presence.h"

struct open_request {
	struct drg_presence_entry open;
	bool has_adapter, has_kind, close;
	struct drg_err *err;
	struct drg_exchange *x;
};

static int open_bad(struct open_request *q, const struct drg_reason *reason, const char *name,
                    const char *expected, const struct drg_json_item *v)
{
	return drg_body_bad_value(q->err, reason, name, expected, v);
}

static int open_kind(struct open_request *q, const struct drg_json_item *v)
{
	q->open.kind = v->type == DRG_JSON_STRING ? drg_kind_by_name(v->s) : DRG_KIND_NONE;
	q->has_kind = drg_kind_is_source(q->open.kind);
	return q->has_kind ? DRG_OK
	                   : open_bad(q, DRG_R(unknown_kind), "kind", "a kind of suppliers' records", v);
}

static int open_member(struct open_request *q, struct drg_str name, const struct drg_json_item *v)
{
	bool by = drg_str_eq(name, DRG_STR("by")), key = !drg_api_is_person(q->x);
	if (drg_str_eq(name, DRG_STR("kind")))
		return open_kind(q, v);
	if (drg_str_eq(name, DRG_STR("id")))
		return drg_body_text(q->err, "id", DRG_CHARS_ID, v, &q->open.id);
	if (by && key) {
		int rc = drg_body_text(q->err, "by", DRG_CURATE_BY_MAX, v, &q->open.who);
		return rc == DRG_OK ? drg_curate_by(q->x, q->open.who, &q->open.who) : rc;
	}
	if (drg_str_eq(name, DRG_STR("adapter_id"))) {
		q->has_adapter = drg_body_int(v, &q->open.adapter);
		return q->has_adapter ? DRG_OK
		                      : open_bad(q, DRG_R(bad_integer), "adapter_id", "an integer", v);
	}
	if (drg_str_eq(name, DRG_STR("close"))) {
		q->close = v->type == DRG_JSON_BOOL && v->b;
		return v->type == DRG_JSON_BOOL ? DRG_OK
		                                : open_bad(q, DRG_R(bad_flag), "close", "true or false", v);
	}
	drg_exchange_ignored(q->x, name);
	return DRG_OK;
}

static int open_read(struct open_request *q)
{
	struct drg_json_item v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_body_object(q->x, &w);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK) {
		rc = v.type != DRG_JSON_NULL ? open_member(q, name, &v) : DRG_OK;
		if (rc != DRG_OK)
			return rc;
	}
	const char *missing = !q->has_adapter     ? "adapter_id"
	                      : !q->has_kind      ? "kind"
	                      : q->open.id.n == 0 ? "id"
	                                          : NULL;
	if (rc == DRG_ENOENT && missing != NULL)
		return drg_fail(q->err, DRG_EINVAL, DRG_R(missing_field), missing, "%s is required", missing);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int open_write(struct drg_reading *r, void *request)
{
	struct open_request *q = request;
	struct drg_presence *p = drg_app_of(r->x)->presence;
	drg_presence_set(p, &q->open, !q->close);
	drg_data_begin(&r->w);
	drg_jw_object(&r->w);
	drg_presence_json(p, q->open.adapter, q->open.kind, q->open.id, q->open.who, &r->w);
	drg_jw_member_i64(&r->w, "seconds", q->close ? 0 : DRG_PRESENCE_SECONDS);
	drg_jw_object_end(&r->w);
	drg_data_end(&r->w);
	return DRG_OK;
}

static int curate_open(struct drg_exchange *x)
{
	struct open_request q = { .x = x,
		                  .err = drg_exchange_err(x),
		                  .open.who = drg_exchange_caller(x)->name };
	int rc = open_read(&q);
	return rc == DRG_OK ? drg_reading_run_adapter(x, q.open.adapter, open_write, &q) : rc;
}

const struct drg_endpoint drg_curate_open[] = {
	{ .method = DRG_POST,
	  .path = "/v1/curate/open",
	  .name = "curateOpen",
	  .handler = curate_open,
	  .auth = DRG_AUTH_VIEWER,
	  .body = DRG_BODY_JSON,
	  .summary = "Say that a case is being looked at",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
