/* A document: its head, the paths, and those components that they refer to. */
#include <stdio.h>

#include "api/app.h"
#include "openapi/document_priv.h"

void drg_openapi_put(struct drg_openapi_work *w, json_t *object, const char *name, json_t *value)
{
	w->failed |= json_object_set_new(object, name, value) != 0;
}

void drg_openapi_add(struct drg_openapi_work *w, json_t *array, json_t *value)
{
	w->failed |= json_array_append_new(array, value) != 0;
}

json_t *drg_openapi_ref(const char *kind, const char *name)
{
	return json_pack("{s:s++++}", "$ref", "#/components/", kind, "/", name, "");
}

static bool document_has(const struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	bool a = e->auth == DRG_AUTH_KEY_A,
	     b = !a && e->auth != DRG_AUTH_PUBLIC && e->auth != DRG_AUTH_SIGN_IN;
	return e->name != NULL && !(a && w->api == DRG_OPENAPI_B) && !(b && w->api == DRG_OPENAPI_A);
}

/* ---- paths ----------------------------------------------------------------------------------------------- */

/* "/flags/:ratio/:file" as "/flags/{ratio}/{file}". */
static void path_text(const char *path, char *to, size_t room)
{
	struct drg_str rest = drg_str_c(path + 1), part;
	size_t n = 0;
	while (drg_str_split(&rest, '/', &part) && n < room) {
		bool any = part.n > 0 && part.p[0] == ':';
		int more = any ? snprintf(to + n, room - n, "/{%.*s}", (int)part.n - 1, part.p + 1)
		               : snprintf(to + n, room - n, "/%.*s", DRG_STR_ARG(part));
		n += (size_t)more;
	}
}

static void put_operation(struct drg_openapi_work *w, json_t *paths, const struct drg_endpoint *e)
{
	char path[300];
	path_text(e->path, path, sizeof path);
	if (json_object_get(paths, path) == NULL)
		drg_openapi_put(w, paths, path, json_object());
	static const char *const methods[] = { "get", "post", "delete" };
	_Static_assert(DRG_ARRAY_LEN(methods) == DRG_METHOD_COUNT, "each method has its word");
	drg_openapi_put(w, json_object_get(paths, path), methods[e->method], drg_openapi_operation(w, e));
}

static json_t *paths(struct drg_openapi_work *w)
{
	json_t *all = json_object();
	for (const struct drg_endpoint *const *t = w->o->tables; *t != NULL; t++)
		for (const struct drg_endpoint *e = *t; e->path != NULL; e++)
			if (document_has(w, e))
				put_operation(w, all, e);
	return all;
}

/* ---- components ------------------------------------------------------------------------------------------ */

static void bring_referred(struct drg_openapi_work *w, json_t *components, const json_t *value);

/* "#/components/schemas/IdName" */
static void bring(struct drg_openapi_work *w, json_t *components, const char *ref)
{
	char kind[DRG_OPENAPI_NAME], name[DRG_OPENAPI_NAME];
	if (sscanf(ref, "#/components/%63[^/]/%63s", kind, name) != 2)
		return;
	json_t *there = json_object_get(components, kind);
	if (there == NULL) {
		there = json_object();
		drg_openapi_put(w, components, kind, there);
	}
	if (json_object_get(there, name) != NULL)
		return;
	json_t *value = json_object_get(json_object_get(w->all, kind), name);
	drg_openapi_put(w, there, name, json_incref(value));
	bring_referred(w, components, value);
}

/* As deep as a document nests. */
static void bring_referred(struct drg_openapi_work *w, json_t *components, const json_t *value)
{
	const char *name;
	json_t *member;
	size_t i;
	json_array_foreach((json_t *)(uintptr_t)value, i, member) bring_referred(w, components, member);
	json_object_foreach((json_t *)(uintptr_t)value, name, member)
	{
		if (strcmp(name, "$ref") == 0 && json_is_string(member))
			bring(w, components, json_string_value(member));
		else
			bring_referred(w, components, member);
	}
}

static json_t *components(struct drg_openapi_work *w, const json_t *of)
{
	json_t *all = json_object();
	static const char *const keys[] = { "keyA",          "keyB",    "secretB", "clientKeyB",
		                            "clientSecretB", "session", "csrf" };
	bring_referred(w, all, of);
	for (size_t i = 0; i < DRG_ARRAY_LEN(keys); i++) {
		char ref[DRG_OPENAPI_NAME];
		snprintf(ref, sizeof ref, "#/components/securitySchemes/%s", keys[i]);
		if (w->api == DRG_OPENAPI_BOTH || (i == 0) == (w->api == DRG_OPENAPI_A))
			bring(w, all, ref);
	}
	return all;
}

/* ---- the whole ------------------------------------------------------------------------------------------- */

static json_t *info(const struct drg_openapi_work *w)
{
	static const char *const titles[] = {
		[DRG_OPENAPI_BOTH] = "dragoman",
		[DRG_OPENAPI_A] = "dragoman, API A",
		[DRG_OPENAPI_B] = "dragoman, API B",
	};
	char text[700];
	snprintf(text, sizeof text,
	         "Travel reference lists, and the mapping between the ids of suppliers (adapters) and those "
	         "of the common "
	         "reference (dict).\n\nA body has at most %zu bytes, path and query %zu, the headers "
	         "together %zu. A request "
	         "asks for at most %lld ids.",
	         w->o->max_body, w->o->max_url, w->o->max_headers, (long long)w->o->max_batch);
	return json_pack("{s:s, s:s, s:s, s:{s:s, s:s%}, s:{s:s, s:s}}", "title", titles[w->api], "version",
	                 w->o->version, "description", text, "contact", "name", "The server's operator",
	                 "url", w->public_url.p, w->public_url.n, "license", "name", "MIT", "identifier",
	                 "MIT");
}

/* The tags of the document's operations. */
static json_t *tags(struct drg_openapi_work *w)
{
	json_t *all = json_array(), *used = json_object(), *tag;
	size_t i;
	for (const struct drg_endpoint *const *t = w->o->tables; *t != NULL; t++)
		for (const struct drg_endpoint *e = *t; e->path != NULL; e++)
			if (document_has(w, e)) {
				const json_t *row =
				        json_object_get(json_object_get(w->shapes, "operations"), e->name);
				drg_openapi_put(w, used, json_string_value(json_object_get(row, "tag")),
				                json_true());
			}
	json_array_foreach(json_object_get(w->shapes, "tags"), i,
	                   tag) if (json_object_get(used, json_string_value(json_object_get(tag, "name"))) !=
	                            NULL) drg_openapi_add(w, all, json_incref(tag));
	json_decref(used);
	return all;
}

/* The shapes of kinds, which the table of kinds has. */
static void put_kinds_of_shapes(struct drg_openapi_work *w)
{
	json_t *schemas = json_object_get(w->shapes, "schemas"), *listed = json_array();
	json_t *members = json_object_get(json_object_get(schemas, "ListItem"), "properties");
	drg_openapi_put(w, json_object_get(schemas, "Kind"), "enum", drg_openapi_kinds(DRG_KINDS_SOURCE));
	drg_openapi_put(w, json_object_get(schemas, "DictKind"), "enum", drg_openapi_kinds(DRG_KINDS_ALL));
	drg_openapi_add(w, listed, json_string("operator"));
	for (unsigned i = 0; i < DRG_KIND_COUNT; i++)
		if (drg_kinds[drg_kinds_in_order[i]].keyed != DRG_KEYED_NOT)
			drg_openapi_add(w, listed, json_string(drg_kinds[drg_kinds_in_order[i]].name));
	drg_openapi_put(w, json_object_get(members, "kind"), "enum", listed);
}

json_t *drg_openapi_document(struct drg_openapi_work *w)
{
	w->shapes = json_loads(drg_openapi_shapes, 0, NULL);
	put_kinds_of_shapes(w);
	w->all = json_pack("{s:O*}", "schemas", json_object_get(w->shapes, "schemas"));
	w->failed |= w->all == NULL;
	drg_openapi_common(w);
	drg_openapi_reports(w);
	json_t *all_paths = paths(w), *used = components(w, all_paths);
	json_t *document = json_pack("{s:s, s:o, s:[{s:s%}], s:o, s:o, s:o}", "openapi", "3.1.0", "info",
	                             info(w), "servers", "url", w->public_url.p, w->public_url.n, "tags",
	                             tags(w), "paths", all_paths, "components", used);
	json_decref(w->all);
	json_decref(w->shapes);
	if (w->failed)
		json_decref(document);
	return w->failed ? NULL : document;
}
