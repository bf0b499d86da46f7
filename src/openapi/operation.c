/* An endpoint as an operation. */
#include <stdio.h>

#include "api/tables.h"
#include "openapi/document_priv.h"

/* The row of answers.json. */
static const json_t *told(const struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	return json_object_get(json_object_get(w->shapes, "operations"), e->name);
}

static bool is_tagged(const struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	return json_is_true(json_object_get(told(w, e), "etag"));
}

/* ---- what is sent ---------------------------------------------------------------------------------------- */

static json_t *parameter(struct drg_openapi_work *w, const struct drg_param *p)
{
	json_t *j = json_pack("{s:s, s:s, s:b, s:s}", "name", p->name, "in", p->in_path ? "path" : "query",
	                      "required", p->required || p->in_path, "description", p->doc);
	if (p->json != NULL)
		drg_openapi_put(w, j, "content",
		                json_pack("{s:{s:o}}", "application/json", "schema",
		                          drg_openapi_ref("schemas", p->json)));
	else
		drg_openapi_put(w, j, "schema", drg_openapi_param_schema(w, p));
	if (p->repeated)
		drg_openapi_put(w, j, "explode", json_true());
	return j;
}

/* True if the operation checks the caller. */
static bool operation_has_key(const struct drg_endpoint *e)
{
	return e->auth != DRG_AUTH_PUBLIC && e->auth != DRG_AUTH_SIGN_IN;
}

/* It may be a key, which may have limits (E30). */
static bool operation_has_limits(const struct drg_endpoint *e)
{
	return operation_has_key(e) && e->auth != DRG_AUTH_PERSON && e->auth != DRG_AUTH_ANYBODY &&
	       e->auth != DRG_AUTH_ADMIN;
}

static json_t *parameters(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	json_t *all = json_array();
	for (const struct drg_param *p = e->params; p != NULL && p->name != NULL; p++)
		drg_openapi_add(w, all, parameter(w, p));
	drg_openapi_add(w, all, drg_openapi_ref("parameters", "X-Request-Id"));
	if (operation_has_key(e))
		drg_openapi_add(w, all, drg_openapi_ref("parameters", "X-Min-Data-Version"));
	if (is_tagged(w, e))
		drg_openapi_add(w, all, drg_openapi_ref("parameters", "If-None-Match"));
	size_t i;
	json_t *name;
	json_array_foreach(json_object_get(told(w, e), "request_headers"), i, name)
	        drg_openapi_add(w, all, drg_openapi_ref("parameters", json_string_value(name)));
	return all;
}

/* OpenAPI 3.1: binary content has no schema. */
static json_t *file_body(const struct drg_endpoint *e)
{
	char text[100];
	snprintf(text, sizeof text, "The file itself, at most %zu bytes", e->max_body);
	return json_pack("{s:s, s:b, s:{s:{}}}", "description", text, "required", true, "content",
	                 "application/octet-stream");
}

static json_t *request_body(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	char name[DRG_OPENAPI_NAME], text[100];
	json_t *encoding = json_object_get(told(w, e), "encoding"); /* of a form's fields */
	if (e->body == DRG_BODY_FILE)
		return file_body(e);
	snprintf(name, sizeof name, "%s_body", e->name);
	snprintf(text, sizeof text, "At most %zu bytes", drg_endpoint_max_body(e, w->o->max_body));
	drg_openapi_put(w, json_object_get(w->all, "schemas"), name, drg_openapi_body_schema(w, e));
	json_t *content = json_object();
	static const char *const types[] = { "application/json", "application/x-www-form-urlencoded" };
	for (size_t i = 0; i < (e->body == DRG_BODY_JSON ? 1 : DRG_ARRAY_LEN(types)); i++)
		drg_openapi_put(w, content, types[i],
		                json_pack("{s:o, s:O*}", "schema", drg_openapi_ref("schemas", name),
		                          "encoding", i > 0 ? encoding : NULL));
	return json_pack("{s:s, s:b, s:o}", "description", text, "required", true, "content", content);
}

static json_t *security(const struct drg_endpoint *e)
{
	switch (e->auth) {
	case DRG_AUTH_SIGN_IN:
	case DRG_AUTH_PATH_KEY_B: /* a parameter of the path */
	case DRG_AUTH_PUBLIC: return json_array();
	case DRG_AUTH_KEY_A: return json_pack("[{s:[]}]", "keyA");
	case DRG_AUTH_KEY_B: return json_pack("[{s:[]}, {s:[]}]", "keyB", "clientKeyB");
	case DRG_AUTH_VIEWER:
	case DRG_AUTH_CURATOR:
		return e->method == DRG_GET
		               ? json_pack("[{s:[], s:[]}, {s:[], s:[]}, {s:[]}]", "keyB", "secretB",
		                           "clientKeyB", "clientSecretB", "session")
		               : json_pack("[{s:[], s:[]}, {s:[], s:[]}, {s:[], s:[]}]", "keyB", "secretB",
		                           "clientKeyB", "clientSecretB", "session", "csrf");
	case DRG_AUTH_ANYBODY: return json_pack("[{}, {s:[]}]", "session");
	case DRG_AUTH_PERSON:
	case DRG_AUTH_ADMIN:
		return e->method == DRG_GET ? json_pack("[{s:[]}]", "session")
		                            : json_pack("[{s:[], s:[]}]", "session", "csrf");
	default:
		return json_pack("[{s:[], s:[]}, {s:[], s:[]}]", "keyB", "secretB", "clientKeyB",
		                 "clientSecretB");
	}
}

/* ---- what is answered ------------------------------------------------------------------------------------ */

static void put_header(struct drg_openapi_work *w, json_t *headers, const char *name)
{
	drg_openapi_put(w, headers, name, drg_openapi_ref("headers", name));
}

/* The headers of a 200 and a 304. */
static json_t *headers(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	const struct {
		bool there;
		const char *names[6]; /* NULL ends them */
	} sorts[] = {
		{ true, { "X-Request-Id", "X-Data-Version", "X-Ignored-Fields", "Cache-Control", "Vary" } },
		{ is_tagged(w, e), { "ETag" } },
		{ e->cors, { "Access-Control-Allow-Origin", "Access-Control-Expose-Headers" } },
		{ e->deprecated != NULL, { "Deprecation", "Sunset", "Link" } },
		{ operation_has_limits(e), { "RateLimit", "RateLimit-Policy" } },
	};
	json_t *all = json_object(), *name;
	size_t k;
	for (size_t s = 0; s < DRG_ARRAY_LEN(sorts); s++)
		for (const char *const *n = sorts[s].names; sorts[s].there && *n != NULL; n++)
			put_header(w, all, *n);
	json_array_foreach(json_object_get(told(w, e), "headers"), k, name)
	        put_header(w, all, json_string_value(name));
	return all;
}

static json_t *answer(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	const char *media = json_string_value(json_object_get(told(w, e), "media"));
	json_t *schema = json_incref(json_object_get(told(w, e), "answer"));
	if (media != NULL && strcmp(media, "application/x-ndjson") == 0)
		schema = json_pack("{s:s, s:s, s:o}", "type", "string", "contentMediaType", media,
		                   "contentSchema", schema);
	return json_pack("{s:s, s:o, s:{s:{s:o}}}", "description", e->summary, "headers", headers(w, e),
	                 "content", media != NULL ? media : "application/json", "schema", schema);
}

static void put_status(struct drg_openapi_work *w, json_t *responses, int status)
{
	char name[DRG_OPENAPI_NAME], code[8];
	drg_openapi_error_name(status, name);
	snprintf(code, sizeof code, "%d", status % 1000);
	drg_openapi_put(w, responses, code, drg_openapi_ref("responses", name));
}

static json_t *responses(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	const bool key = operation_has_key(e), tagged = is_tagged(w, e), body = e->body != DRG_BODY_NONE;
	const struct {
		int status;
		bool there;
	} errors[] = { { 400, true }, { 403, key },  { 406, true }, { 412, key || tagged },
		       { 413, body }, { 414, true }, { 415, body }, { 429, operation_has_limits(e) },
		       { 431, true }, { 500, true }, { 501, body }, { 503, true } };
	json_t *all = json_object(), *more;
	size_t k;
	drg_openapi_put(w, all, "200", answer(w, e));
	if (tagged)
		drg_openapi_put(w, all, "304",
		                json_pack("{s:s, s:o}", "description", "Nothing has changed", "headers",
		                          headers(w, e)));
	for (size_t i = 0; i < DRG_ARRAY_LEN(errors); i++)
		if (errors[i].there)
			put_status(w, all, errors[i].status);
	json_array_foreach(json_object_get(told(w, e), "statuses"), k, more)
	        put_status(w, all, (int)json_integer_value(more));
	return all;
}

json_t *drg_openapi_operation(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	json_t *o = json_pack("{s:s, s:s, s:O*, s:[O*], s:o, s:o}", "operationId", e->name, "summary",
	                      e->summary, "description", json_object_get(told(w, e), "about"), "tags",
	                      json_object_get(told(w, e), "tag"), "security", security(e), "parameters",
	                      parameters(w, e));
	if (e->deprecated != NULL)
		drg_openapi_put(w, o, "deprecated", json_true());
	if (e->reads)
		drg_openapi_put(w, o, "x-safe", json_true()); /* safe as RFC 9110 means it */
	if (e->body != DRG_BODY_NONE)
		drg_openapi_put(w, o, "requestBody", request_body(w, e));
	drg_openapi_put(w, o, "responses", responses(w, e));
	drg_openapi_examples_of(w, e, o);
	return o;
}
