/* Parameters and bodies as JSON Schema, by their tables. */

#include <stdio.h>
#include <string.h>

#include "api/element.h"
#include "api/tables.h"
#include "base/buf.h"
#include "openapi/document_priv.h"
#include "text/lang.h"

/* The characters that drg_utf8_has_control() accepts, and among them the ones that drg_utf8_is_blank() does
 * not call white (M11). */
#define CHARACTERS "[^\\x00-\\x08\\x0B-\\x1F\\x7F-\\x9F]*"
#define VISIBLE "[^\\x00-\\x20\\x7F-\\xA0\\u1680\\u2000-\\u200A\\u2028\\u2029\\u202F\\u205F\\u3000]"

static json_t *integer_schema(void)
{
	return json_pack("{s:s, s:s}", "type", "integer", "format", "int64");
}

static json_t *text_schema(struct drg_openapi_work *w, int64_t min, int64_t max)
{
	json_t *s = json_pack("{s:s}", "type", "string");
	if (min > 0)
		drg_openapi_put(w, s, "minLength", json_integer(min));
	if (max > 0)
		drg_openapi_put(w, s, "maxLength", json_integer(max));
	return s;
}

/* drg_lang_valid() */
static json_t *lang_schema(void)
{
	return json_pack("{s:s, s:i, s:s}", "type", "string", "maxLength", DRG_LANG_MAX, "pattern",
	                 "^[A-Za-z]{2,8}([-_][A-Za-z0-9]{1,8})*$");
}

static json_t *or_null(struct drg_openapi_work *w, json_t *schema)
{
	json_t *type = json_object_get(schema, "type");
	if (json_is_string(type)) {
		drg_openapi_put(w, schema, "type", json_pack("[O, s]", type, "null"));
		return schema;
	}
	drg_openapi_add(w, json_object_get(schema, "anyOf"), json_pack("{s:s}", "type", "null"));
	return schema;
}

/* ---- parameters ------------------------------------------------------------------------------------------ */

static json_t *bounded_integer(struct drg_openapi_work *w, const struct drg_param *p)
{
	json_t *s = integer_schema();
	if (p->min != 0 || p->max != 0) {
		drg_openapi_put(w, s, "minimum", json_integer(p->min));
		drg_openapi_put(w, s, "maximum", json_integer(p->max));
	}
	return s;
}

static json_t *schema_by_type(struct drg_openapi_work *w, const struct drg_param *p)
{
	switch (p->type) {
	case DRG_P_INT: return bounded_integer(w, p);
	case DRG_P_FLAG: return json_pack("{s:s, s:b}", "type", "boolean", "default", false);
	case DRG_P_LANG: return lang_schema();
	case DRG_P_TEXT: break;
	}
	/* An empty one counts as not sent (L6). */
	return text_schema(w, p->required && p->min == 0 ? 1 : p->min, p->max);
}

json_t *drg_openapi_kinds(unsigned kinds)
{
	json_t *all = json_array();
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if (drg_kind_in(kinds, k))
			json_array_append_new(all, json_string(drg_kinds[k].name));
	return all;
}

/* Replace the placeholders of kinds (DRG_SCHEMA_SOURCE_KIND) with their names. */
static void put_kinds(struct drg_openapi_work *w, json_t *schema)
{
	static const char mark[] = "{kind}";
	const char *of = json_string_value(json_object_get(schema, "enum"));
	const char *pattern = json_string_value(json_object_get(schema, "pattern"));
	const char *at = pattern != NULL ? strstr(pattern, mark) : NULL;
	if (of != NULL)
		drg_openapi_put(
		        w, schema, "enum",
		        drg_openapi_kinds(strcmp(of, "source") == 0 ? DRG_KINDS_SOURCE : DRG_KINDS_ALL));
	if (at == NULL)
		return;
	struct drg_buf text;
	drg_buf_init(&text, 4096);
	drg_buf_str(&text, drg_str(pattern, (size_t)(at - pattern)));
	for (unsigned k = 0, n = 0; k < DRG_KIND_COUNT; k++)
		if (drg_kind_is_source(k))
			drg_buf_printf(&text, "%s%s", n++ > 0 ? "|" : "", drg_kinds[k].name);
	drg_buf_str(&text, drg_str_c(at + strlen(mark)));
	drg_openapi_put(w, schema, "pattern", json_stringn(text.p, text.n));
	drg_buf_done(&text);
}

json_t *drg_openapi_param_schema(struct drg_openapi_work *w, const struct drg_param *p)
{
	json_t *s = schema_by_type(w, p);
	json_t *more = p->schema != NULL ? json_loads(p->schema, 0, NULL) : NULL;
	put_kinds(w, more);
	if (p->schema != NULL && json_object_update(s, more) != 0)
		w->failed = true;
	json_decref(more);
	if (p->type == DRG_P_LANG && !p->in_path)
		drg_openapi_put(w, s, "default", json_string("en"));
	return s;
}

/* ---- bodies of attributes -------------------------------------------------------------------------------- */

static json_t *list_of(struct drg_openapi_work *w, json_t *items)
{
	return json_pack("{s:s, s:o, s:I}", "type", "array", "items", items, "maxItems",
	                 (json_int_t)w->o->max_batch);
}

/* An id that is looked up may be any text; one that is stored has a bound, and the form of other texts. */
static json_t *id_schema(struct drg_openapi_work *w, int64_t max)
{
	json_t *text = text_schema(w, max > 0, max);
	if (max > 0)
		drg_openapi_put(w, text, "pattern", json_string("^" CHARACTERS VISIBLE CHARACTERS "$"));
	return json_pack("{s:[o, o]}", "anyOf", integer_schema(), text);
}

static json_t *ids_schema(struct drg_openapi_work *w)
{
	json_t *text =
	        json_pack("{s:s, s:s}", "type", "string", "description", "ids, with commas between them");
	return json_pack("{s:[o, o]}", "anyOf", text, list_of(w, id_schema(w, 0)));
}

/* The bounds of a text, which of a number may be beyond any integer. */
static json_t *field_text_schema(struct drg_openapi_work *w, const struct drg_field_def *f)
{
	/* An optional field can be empty, too (L6). */
	const bool empty = (f->flags & DRG_FF_REQUIRED) == 0 || (f->flags & DRG_ELEMENT_EMPTY) != 0;
	const int64_t min = (int64_t)f->min, max = (int64_t)f->max;
	if (f->vtype == DRG_V_SRCID)
		return id_schema(w, max);
	if (f->field == DRG_F_COUNTRY_CODE)
		return json_pack("{s:s, s:s}", "type", "string", "pattern", "^([A-Za-z]{2})?$");
	json_t *s = text_schema(w, empty && min <= 1 ? 0 : min, max);
	drg_openapi_put(w, s, "pattern",
	                json_string(empty && min <= 1 ? "^(" CHARACTERS VISIBLE CHARACTERS ")?$"
	                                              : "^" CHARACTERS VISIBLE CHARACTERS "$"));
	/* So many characters, or none. */
	return empty && min > 1
	               ? json_pack("{s:[o, {s:s, s:i}]}", "anyOf", s, "type", "string", "maxLength", 0)
	               : s;
}

static json_t *field_schema(struct drg_openapi_work *w, const struct drg_field_def *f)
{
	json_t *s = f->vtype == DRG_V_BOOL   ? json_pack("{s:s}", "type", "boolean")
	            : f->vtype == DRG_V_INT  ? integer_schema()
	            : f->vtype == DRG_V_LANG ? lang_schema()
	                                     : field_text_schema(w, f);
	bool nullable = (f->flags & DRG_FF_REQUIRED) == 0 || (f->flags & DRG_FF_NULL) != 0;
	return nullable ? or_null(w, s) : s;
}

/* The object of a table's fields; of those of one kind, or of all of them. */
static json_t *table_schema(struct drg_openapi_work *w, const struct drg_element_table *t, enum drg_kind kind)
{
	json_t *required = json_array(), *members = json_object();
	for (unsigned i = 0; i < t->n; i++) {
		const struct drg_field_def *f = &t->fields[i];
		if (!drg_field_applies(f, kind))
			continue;
		drg_openapi_put(w, members, f->wire, field_schema(w, f));
		if ((f->flags & DRG_FF_REQUIRED) != 0)
			drg_openapi_add(w, required, json_string(f->wire));
	}
	return json_pack("{s:s, s:o, s:o}", "type", "object", "required", required, "properties", members);
}

static json_t *elements_schema(struct drg_openapi_work *w, const struct drg_endpoint *e,
                               const char *attribute)
{
	const struct drg_columns *columns = e->app;
	char name[DRG_OPENAPI_NAME];
	int n = snprintf(name, sizeof name, "%s_%s", e->name, attribute);
	json_t *schemas = json_object_get(w->all, "schemas");
	w->failed |= n < 0 || (size_t)n >= sizeof name;
	drg_openapi_put(w, schemas, name,
	                table_schema(w, columns->elements, drg_kind_by_name(drg_str_c(attribute))));
	return list_of(w, drg_openapi_ref("schemas", name));
}

static json_t *attribute_schema(struct drg_openapi_work *w, const struct drg_endpoint *e,
                                const struct drg_body_field *f)
{
	switch (f->type) {
	case DRG_B_INT: return integer_schema();
	case DRG_B_INTS: return list_of(w, integer_schema());
	case DRG_B_TEXT: return text_schema(w, 0, 0);
	case DRG_B_IDS: return ids_schema(w);
	case DRG_B_ELEMENTS: return elements_schema(w, e, f->name);
	case DRG_B_LANG:
	case DRG_B_LANG_OR_NOT: break;
	}
	return lang_schema();
}

static json_t *attributes_schema(struct drg_openapi_work *w, const struct drg_endpoint *e,
                                 const struct drg_body_field *fields)
{
	json_t *required = json_array(), *members = json_object();
	for (const struct drg_body_field *f = fields; f->name != NULL; f++) {
		json_t *s = attribute_schema(w, e, f);
		drg_openapi_put(w, members, f->name, f->required ? s : or_null(w, s));
		if (f->required)
			drg_openapi_add(w, required, json_string(f->name));
	}
	json_t *s = json_pack("{s:s, s:o}", "type", "object", "properties", members);
	if (json_array_size(required) > 0)
		drg_openapi_put(w, s, "required", required);
	else
		json_decref(required);
	return s;
}

json_t *drg_openapi_body_schema(struct drg_openapi_work *w, const struct drg_endpoint *e)
{
	const struct drg_columns *columns = e->app;
	json_t *told =
	        json_object_get(json_object_get(json_object_get(w->shapes, "operations"), e->name), "body");
	if (told != NULL) /* one that no table reads */
		return json_incref(told);
	return columns->values != NULL ? table_schema(w, columns->values, DRG_KIND_NONE)
	                               : attributes_schema(w, e, columns->fields);
}

/* ---- rows of reports ------------------------------------------------------------------------------------- */

static json_t *column_schema(struct drg_openapi_work *w, const struct drg_report_column *c)
{
	const bool null = (c->flags & DRG_REPORT_NULL) != 0;
	json_t *s, *words;
	switch (c->type) {
	case DRG_REPORT_INT: s = integer_schema(); break;
	case DRG_REPORT_REAL:
	case DRG_REPORT_TENTHS: s = json_pack("{s:s}", "type", "number"); break;
	case DRG_REPORT_BOOL: s = json_pack("{s:s}", "type", "boolean"); break;
	case DRG_REPORT_SUPPLIERS:
		s = json_pack("{s:s, s:o}", "type", "array", "items", integer_schema());
		break;
	case DRG_REPORT_KIND: s = drg_openapi_ref("schemas", "Kind"); break;
	case DRG_REPORT_WORD:
		words = c->words != NULL ? json_array() : NULL;
		for (size_t i = 0; words != NULL && c->words[i] != NULL; i++)
			drg_openapi_add(w, words, json_string(c->words[i]));
		if (words != NULL && null)
			drg_openapi_add(w, words, json_null());
		s = json_pack("{s:s, s:o*}", "type", "string", "enum", words);
		break;
	default: s = json_pack("{s:s}", "type", "string"); break;
	}
	s = null ? or_null(w, s) : s;
	drg_openapi_put(w, s, "description", json_string(c->doc));
	return s;
}

static json_t *report_schema(struct drg_openapi_work *w, const struct drg_report *report)
{
	json_t *required = json_array(), *members = json_object();
	for (const struct drg_report_column *c = report->columns; c->name != NULL; c++) {
		const bool supplier = c->type == DRG_REPORT_SUPPLIER;
		const char *name = supplier ? "adapter" : c->name;
		if ((c->flags & DRG_REPORT_COMMAND) != 0)
			continue;
		if (supplier) {
			drg_openapi_put(w, members, "adapter_id", integer_schema());
			drg_openapi_add(w, required, json_string("adapter_id"));
		}
		drg_openapi_put(w, members, name, column_schema(w, c));
		if ((c->flags & DRG_REPORT_OPTIONAL) == 0)
			drg_openapi_add(w, required, json_string(name));
	}
	return json_pack("{s:s, s:o, s:o}", "type", "object", "required", required, "properties", members);
}

void drg_openapi_reports(struct drg_openapi_work *w)
{
	json_t *schemas = json_object_get(w->all, "schemas");
	for (const struct drg_endpoint *const *t = w->o->tables; *t != NULL; t++)
		for (const struct drg_endpoint *e = *t; e->path != NULL; e++) {
			const struct drg_columns *columns = e->app;
			if (columns != NULL && columns->report != NULL)
				drg_openapi_put(w, schemas, columns->report->name,
				                report_schema(w, columns->report));
		}
}
