/* The examples of docs/contract.md and examples.md in their operations: a parameter, a body and an answer of
 * one example have one name. */
#include <stdio.h>
#include <stdlib.h>

#include "openapi/document_priv.h"

/* One example of the endpoint. */
struct shown {
	struct drg_openapi_work *w;
	const struct drg_openapi_example *example;
	char name[DRG_OPENAPI_NAME], title[300];
};

/* Does "/v1/avia/compared/uk" meet "/v1/avia/compared/:lang"? */
static bool meets(struct drg_str path, struct drg_str pattern)
{
	struct drg_str a, b;
	for (;;) {
		bool more = drg_str_split(&path, '/', &a);
		if (more != drg_str_split(&pattern, '/', &b))
			return false;
		if (!more)
			return true;
		if (!drg_str_eq(a, b) && (b.n == 0 || b.p[0] != ':'))
			return false;
	}
}

static struct drg_str path_of(const struct drg_openapi_example *x, struct drg_str *ret_query)
{
	struct drg_str rest = drg_str_c(x->target), path;
	drg_str_split(&rest, '?', &path);
	*ret_query = rest.p != NULL ? rest : DRG_STR("");
	return path;
}

static void put_example(const struct shown *s, json_t *at, json_t *value)
{
	json_t *all = json_object_get(at, "examples");
	if (all == NULL) {
		all = json_object();
		drg_openapi_put(s->w, at, "examples", all);
	}
	drg_openapi_put(s->w, all, s->name, json_pack("{s:s, s:o}", "summary", s->title, "value", value));
}

/* A text of the address as the value that its parameter has. */
static json_t *typed(struct drg_openapi_work *w, const json_t *schema, struct drg_str text)
{
	const char *type = json_string_value(json_object_get(schema, "type"));
	int64_t number = 0;
	if (strcmp(type, "integer") == 0 && drg_str_to_i64(text, &number))
		return json_integer(number);
	if (strcmp(type, "boolean") == 0)
		return json_true();
	if (strcmp(type, "array") != 0)
		return json_stringn(text.p, text.n);
	json_t *all = json_array();
	struct drg_str one;
	while (drg_str_split(&text, ',', &one))
		drg_openapi_add(w, all, typed(w, json_object_get(schema, "items"), one));
	return all;
}

static void put_value(const struct shown *s, json_t *operation, struct drg_str name, struct drg_str value)
{
	size_t i;
	json_t *p;
	json_array_foreach(json_object_get(operation, "parameters"), i, p)
	{
		const char *its = json_string_value(json_object_get(p, "name"));
		if (its != NULL && drg_str_eq(drg_str_c(its), name))
			put_example(s, p, typed(s->w, json_object_get(p, "schema"), value));
	}
}

static void put_parameters(const struct shown *s, const struct drg_endpoint *e, json_t *operation)
{
	struct drg_str query, path = path_of(s->example, &query), pattern = drg_str_c(e->path), pair, a, b;
	while (drg_str_split(&pattern, '/', &b) && drg_str_split(&path, '/', &a))
		if (b.n > 0 && b.p[0] == ':')
			put_value(s, operation, drg_str(b.p + 1, b.n - 1), a);
	while (query.n > 0 && drg_str_split(&query, '&', &pair)) {
		drg_str_split(&pair, '=', &a);
		put_value(s, operation, a, pair);
	}
}

static json_t *content_of(json_t *at)
{
	return json_object_get(json_object_get(at, "content"), "application/json");
}

static void put_parsed(const struct shown *s, json_t *at, const char *text)
{
	if (at == NULL || text == NULL)
		return;
	json_t *value = json_loads(text, 0, NULL);
	s->w->failed |= value == NULL;
	put_example(s, at, value);
}

void drg_openapi_examples_of(struct drg_openapi_work *w, const struct drg_endpoint *e, json_t *operation)
{
	struct shown s = { .w = w };
	unsigned n = 0;
	for (const struct drg_openapi_example *x = drg_openapi_examples; x->target != NULL; x++) {
		struct drg_str query, path = path_of(x, &query);
		if (x->method != e->method || !meets(path, drg_str_c(e->path)))
			continue;
		s.example = x;
		snprintf(s.name, sizeof s.name, "example%u", ++n);
		snprintf(s.title, sizeof s.title, "%s %s", e->method == DRG_GET ? "GET" : "POST", x->target);
		put_parameters(&s, e, operation);
		put_parsed(&s, content_of(json_object_get(operation, "requestBody")), x->body);
		json_t *ok = json_object_get(json_object_get(operation, "responses"), "200");
		put_parsed(&s, content_of(ok), x->answer);
	}
}
