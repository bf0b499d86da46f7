/* The address of the reconciliation service: its manifest, queries, data extension (docs/openrefine.md;
 * protocol 0.2). */
#include <stdio.h>

#include "api/reconcile/answering.h"
#include "base/version.h"
#include "api/tables.h"

enum { BATCH = 50, PREVIEW_WIDTH = 430, PREVIEW_HEIGHT = 300 };
/* Bytes of a query or two: each may take a millisecond. */
enum { WORK_FROM = 512 };

/* ---- manifest ------------------------------------------------------------------------------------------ */

/* An address below that of the service. */
static void manifest_url(struct drg_exchange *x, struct drg_jw *w, const char *name, const char *rest)
{
	drg_jw_key(w, name);
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	drg_json_escape(w->b, drg_app_of(x)->public_url);
	drg_buf_lit(w->b, "/v1/reconcile/");
	drg_json_escape(w->b, drg_exchange_text(x, "key"));
	drg_buf_str(w->b, drg_str_c(rest));
	drg_buf_char(w->b, '"');
}

/* Write a name space: a URL of this server, without the key. */
static void manifest_space(struct drg_exchange *x, struct drg_jw *w, const char *name, const char *rest)
{
	drg_jw_key(w, name);
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	drg_json_escape(w->b, drg_app_of(x)->public_url);
	drg_buf_str(w->b, drg_str_c(rest));
	drg_buf_char(w->b, '"');
}

static void manifest_service(struct drg_exchange *x, struct drg_jw *w, const char *name, const char *path)
{
	drg_jw_member_object(w, name);
	manifest_url(x, w, "service_url", "");
	drg_jw_member_str(w, "service_path", drg_str_c(path));
	drg_jw_object_end(w);
}

static void manifest_suggest(struct drg_exchange *x, struct drg_jw *w)
{
	drg_jw_member_object(w, "suggest");
	manifest_service(x, w, "entity", "/suggest/entity");
	manifest_service(x, w, "type", "/suggest/type");
	manifest_service(x, w, "property", "/suggest/property");
	drg_jw_object_end(w);
}

static void manifest_view(struct drg_exchange *x, struct drg_jw *w)
{
	drg_jw_member_object(w, "view");
	manifest_url(x, w, "url", "/view/{{id}}");
	drg_jw_object_end(w);
	drg_jw_member_object(w, "preview");
	manifest_url(x, w, "url", "/view/{{id}}");
	drg_jw_member_i64(w, "width", PREVIEW_WIDTH);
	drg_jw_member_i64(w, "height", PREVIEW_HEIGHT);
	drg_jw_object_end(w);
}

static void manifest_extend(struct drg_exchange *x, struct drg_jw *w)
{
	drg_jw_member_object(w, "extend");
	manifest_service(x, w, "propose_properties", "/properties");
	drg_jw_member_array(w, "property_settings");
	drg_jw_object(w);
	drg_jw_member_str(w, "type", drg_str_c("text"));
	drg_jw_member_str(w, "name", drg_str_c("lang"));
	drg_jw_member_str(w, "label", drg_str_c("Language"));
	drg_jw_member_str(w, "default", drg_str_c("en"));
	drg_jw_member_str(w, "help_text", drg_str_c("language of names: uk, en, de, ..."));
	drg_jw_object_end(w);
	drg_jw_array_end(w);
	drg_jw_object_end(w);
}

static void manifest_types(struct drg_jw *w)
{
	drg_jw_member_array(w, "defaultTypes");
	for (unsigned i = 1; i <= DRG_KIND_COUNT; i++)
		for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
			if (drg_kinds[k].offered == i)
				drg_recon_named_json(w, drg_recon_types[k].id, drg_recon_types[k].name);
	for (unsigned t = DRG_KIND_COUNT; t < DRG_RECON_TYPES; t++)
		drg_recon_named_json(w, drg_recon_types[t].id, drg_recon_types[t].name);
	drg_jw_array_end(w);
}

/* With its version of the data: the public URL is known only once it has been loaded. */
static int manifest(struct drg_reading *r, void *ctx)
{
	struct drg_jw *w = &r->w;
	(void)ctx;
	drg_jw_object(w);
	drg_jw_member_array(w, "versions");
	drg_jw_str(w, DRG_STR("0.2"));
	drg_jw_array_end(w);
	drg_jw_member_str(w, "name", drg_str_c("dragoman travel reference"));
	manifest_space(r->x, w, "identifierSpace", "/v1/reconcile#records");
	manifest_space(r->x, w, "schemaSpace", "/v1/reconcile#types");
	manifest_space(r->x, w, "documentation", "/docs");
	drg_jw_member_str(w, "serviceVersion", drg_str_c(drg_version_text));
	drg_jw_member_i64(w, "batchSize", BATCH);
	manifest_types(w);
	manifest_view(r->x, w);
	manifest_suggest(r->x, w);
	manifest_extend(r->x, w);
	drg_jw_object_end(w);
	return DRG_OK;
}

/* ---- requests ------------------------------------------------------------------------------------------ */

struct service_asked {
	struct drg_str queries, extend;
	bool twice;
};

static int service_pair(void *ctx, struct drg_str name, struct drg_str value)
{
	struct service_asked *a = ctx;
	struct drg_str *to = drg_str_eq(name, DRG_STR("queries"))  ? &a->queries
	                     : drg_str_eq(name, DRG_STR("extend")) ? &a->extend
	                                                           : NULL;
	if (to == NULL)
		return DRG_OK;
	a->twice |= to->p != NULL;
	*to = value;
	return DRG_OK;
}

static int service_answer(struct drg_exchange *x, const struct service_asked *a)
{
	if (a->twice || (a->queries.n > 0 && a->extend.n > 0))
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(repeated_parameter), "queries",
		                "queries or extend: send one of them, once");
	return a->queries.n > 0  ? drg_recon_answer_queries(x, a->queries)
	       : a->extend.n > 0 ? drg_recon_answer_extend(x, a->extend)
	                         : drg_reading_run(x, manifest, NULL);
}

static int service_get(struct drg_exchange *x)
{
	const struct service_asked a = { .queries = drg_exchange_text(x, "queries"),
		                         .extend = drg_exchange_text(x, "extend") };
	return service_answer(x, &a);
}

/* Programs other than forms send {"queries": {...}}. */
static int service_read_json(struct drg_exchange *x, struct service_asked *a)
{
	struct drg_json_item all, v;
	struct drg_json_walk w;
	struct drg_str name;
	int rc = drg_recon_json(x, "body", drg_exchange_body(x), &all);
	if (rc != DRG_OK)
		return rc;
	drg_json_walk_init(&w, &all, drg_exchange_arena(x));
	while ((rc = drg_json_walk_next(&w, &name, &v)) == DRG_OK)
		(void)service_pair(a, name, w.raw);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int service_post(struct drg_exchange *x)
{
	struct service_asked a = { .twice = false };
	int rc = drg_exchange_body_is_form(x) ? drg_exchange_form_each(x, service_pair, &a)
	                                      : service_read_json(x, &a);
	if (rc == DRG_OK && a.queries.n == 0 && a.extend.n == 0)
		rc = drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(missing_field), "queries",
		              "queries or extend is required");
	return rc == DRG_OK ? service_answer(x, &a) : rc;
}

static const struct drg_param get_params[] = {
	DRG_PARAM_RECON_KEY,
	{ .name = "queries",
	  .type = DRG_P_TEXT,
	  .json = "ReconQueries",
	  .doc = "queries by a name of the client's; not with extend" },
	{ .name = "extend",
	  .type = DRG_P_TEXT,
	  .json = "ReconExtending",
	  .doc = "ids of records, and properties" },
	DRG_PARAM_LANG,
	{ 0 },
};

static const struct drg_param post_params[] = {
	DRG_PARAM_RECON_KEY,
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_reconcile[] = {
	{ .method = DRG_GET,
	  .path = "/v1/reconcile/:key",
	  .name = "reconcileService",
	  .handler = service_get,
	  .auth = DRG_AUTH_PATH_KEY_B,
	  .params = get_params,
	  .work_from = WORK_FROM,
	  .cors = true,
	  .slash = true,
	  .summary = "The reconciliation service for OpenRefine: what it can, or answers to queries" },
	{ .method = DRG_POST,
	  .path = "/v1/reconcile/:key",
	  .name = "reconcile",
	  .handler = service_post,
	  .auth = DRG_AUTH_PATH_KEY_B,
	  .params = post_params,
	  .body = DRG_BODY_JSON_OR_FORM,
	  .work_from = WORK_FROM,
	  .cors = true,
	  .slash = true,
	  .reads = true,
	  .summary = "Records of the reference for names, in a batch" },
	{ 0 },
};
