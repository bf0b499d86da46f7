/* Data extension: properties of records that were found; and which properties a type has. */
#include <math.h>

#include "api/reconcile/answering.h"
#include "api/tables.h"
#include "text/lang.h"

enum { IDS_MAX = 1000, ASKED_MAX = 32 };
enum { SLICE = 50 }; /* ids of a read section */

struct extend_work {
	struct drg_str text; /* JSON */
	size_t n_ids, n_asked, done;
	struct drg_str *ids;
	struct extend_asked {
		struct drg_str id;
		unsigned property; /* DRG_RECON_PROPERTIES: there is none of this id */
		struct drg_str lang;
	} * asked;
};

/* ---- reading ------------------------------------------------------------------------------------------- */

static int extend_bad(struct drg_exchange *x, const struct drg_reason *reason, const char *expected)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, reason, "extend", "extend: %s", expected);
}

static int extend_ids(struct drg_exchange *x, struct extend_work *k, const struct drg_json_item *ids)
{
	const struct drg_json_item *id;
	size_t n;
	if (ids->type != DRG_JSON_ARRAY)
		return extend_bad(x, DRG_R(wrong_type), "expected the array \"ids\"");
	int rc = drg_json_items(ids, drg_exchange_arena(x), &id, &n);
	if (rc == DRG_OK && n > IDS_MAX)
		return extend_bad(x, DRG_R(too_many_ids), "1,000 ids at most");
	k->ids = rc == DRG_OK ? drg_arena_calloc(drg_exchange_arena(x), n, sizeof *k->ids) : NULL;
	for (size_t i = 0; k->ids != NULL && i < n; i++) {
		if (id[i].type != DRG_JSON_STRING)
			return extend_bad(x, DRG_R(wrong_type), "an id is not a text");
		bool seen = false;
		for (size_t j = 0; j < k->n_ids && !seen; j++)
			seen = drg_str_eq(k->ids[j], id[i].s);
		if (!seen)
			k->ids[k->n_ids++] = id[i].s;
	}
	return k->ids != NULL ? DRG_OK : DRG_ENOMEM;
}

static int extend_ask(struct drg_exchange *x, struct extend_work *k, const struct drg_json_item *property)
{
	enum { ID, SETTINGS, N };
	static const char *const names[] = { "id", "settings" }, *const in_settings[] = { "lang" };
	struct extend_asked *a = &k->asked[k->n_asked];
	struct drg_json_item v[N], lang;
	int rc = drg_json_find_members(property, drg_exchange_arena(x), names, N, v);
	if (rc == DRG_OK)
		rc = drg_json_find_members(&v[SETTINGS], drg_exchange_arena(x), in_settings, 1, &lang);
	if (rc != DRG_OK)
		return rc;
	if (v[ID].type != DRG_JSON_STRING)
		return extend_bad(x, DRG_R(wrong_type), "a property has no id");
	for (size_t i = 0; i < k->n_asked; i++)
		if (drg_str_eq(k->asked[i].id, v[ID].s))
			return DRG_OK;
	a->property = drg_recon_property_by_id(v[ID].s);
	a->id = v[ID].s;
	char *normal = drg_arena_alloc(drg_exchange_arena(x), DRG_LANG_MAX + 1);
	if (normal == NULL)
		return DRG_ENOMEM;
	if (drg_lang_valid(drg_recon_text(&lang)))
		a->lang = drg_lang_normal(lang.s, normal);
	k->n_asked++;
	return DRG_OK;
}

static int extend_properties(struct drg_exchange *x, struct extend_work *k,
                             const struct drg_json_item *properties)
{
	const struct drg_json_item *property;
	size_t n;
	if (properties->type != DRG_JSON_ARRAY)
		return extend_bad(x, DRG_R(wrong_type), "expected the array \"properties\"");
	int rc = drg_json_items(properties, drg_exchange_arena(x), &property, &n);
	if (rc == DRG_OK && n > ASKED_MAX)
		return extend_bad(x, DRG_R(too_many_elements), "32 properties at most");
	k->asked = rc == DRG_OK ? drg_arena_calloc(drg_exchange_arena(x), ASKED_MAX, sizeof *k->asked) : NULL;
	if (k->asked == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = extend_ask(x, k, &property[i]);
	return rc;
}

static int extend_read(struct drg_exchange *x, void *work)
{
	static const char *const names[] = { "ids", "properties" };
	struct extend_work *k = work;
	struct drg_json_item all, v[DRG_ARRAY_LEN(names)];
	int rc = drg_recon_json(x, "extend", k->text, &all);
	if (rc == DRG_OK)
		rc = drg_json_find_members(&all, drg_exchange_arena(x), names, DRG_ARRAY_LEN(names), v);
	if (rc == DRG_OK)
		rc = extend_ids(x, k, &v[0]);
	return rc == DRG_OK ? extend_properties(x, k, &v[1]) : rc;
}

/* ---- answering ----------------------------------------------------------------------------------------- */

static void extend_value(struct drg_jw *w, unsigned property, const struct drg_recon_value *v)
{
	char id[DRG_RECON_ID_TEXT];
	drg_jw_object(w);
	switch (v->is) {
	case DRG_RECON_IS_TEXT: drg_jw_member_escaped(w, "str", v->text); break;
	case DRG_RECON_IS_INT: drg_jw_member_i64(w, "int", v->i); break;
	case DRG_RECON_IS_REAL: drg_jw_member_real(w, "float", v->d); break;
	case DRG_RECON_IS_ENTITY:
		drg_jw_member_str(
		        w, "id",
		        drg_str(id, drg_recon_id_text(drg_recon_properties[property].value, v->i, id)));
		drg_jw_member_escaped(w, "name", v->text);
		break;
	}
	drg_jw_object_end(w);
}

static void extend_row(struct drg_recon_reading *g, const struct extend_work *k, struct drg_str id)
{
	struct drg_jw *w = &g->r->w;
	struct drg_recon_entity e;
	struct drg_recon_value v;
	unsigned type;
	int64_t number;
	bool there = drg_recon_id_read(id, &type, &number) && drg_recon_entity_find(g, type, number, &e);
	drg_jw_key_str(w, id);
	drg_jw_object(w);
	for (size_t i = 0; i < k->n_asked; i++) {
		const struct extend_asked *a = &k->asked[i];
		struct drg_lang_pref pref = a->lang.n > 0 ? drg_catalog_langs(g->r->cat, a->lang) : g->pref;
		drg_jw_key_str(w, a->id);
		drg_jw_array(w);
		if (there && a->property < DRG_RECON_PROPERTIES &&
		    drg_recon_entity_value(g, &e, (enum drg_recon_property)a->property, &pref, &v))
			extend_value(w, a->property, &v);
		drg_jw_array_end(w);
	}
	drg_jw_object_end(w);
}

static void extend_meta(struct drg_jw *w, const struct extend_asked *a)
{
	bool known = a->property < DRG_RECON_PROPERTIES;
	const struct drg_recon_property_row *row = known ? &drg_recon_properties[a->property] : NULL;
	drg_jw_object(w);
	drg_jw_member_str(w, "id", a->id);
	drg_jw_member_str(w, "name", known ? drg_str_c(row->name) : a->id);
	if (known && row->value < DRG_RECON_TYPES) {
		drg_jw_key(w, "type");
		drg_recon_named_json(w, drg_recon_types[row->value].id, drg_recon_types[row->value].name);
	}
	drg_jw_object_end(w);
}

static void extend_begin(struct drg_jw *w, const struct extend_work *k)
{
	drg_jw_object(w);
	drg_jw_member_array(w, "meta");
	for (size_t i = 0; i < k->n_asked; i++)
		extend_meta(w, &k->asked[i]);
	drg_jw_array_end(w);
	drg_jw_member_object(w, "rows");
}

static int extend_write(struct drg_recon_reading *g, void *work)
{
	struct extend_work *k = work;
	struct drg_jw *w = &g->r->w;
	if (k->done == 0)
		extend_begin(w, k);
	for (unsigned i = 0; i < SLICE && k->done < k->n_ids; i++)
		extend_row(g, k, k->ids[k->done++]);
	if (k->done < k->n_ids)
		return DRG_RECON_MORE;
	drg_jw_object_end(w);
	drg_jw_object_end(w);
	return DRG_OK;
}

int drg_recon_answer_extend(struct drg_exchange *x, struct drg_str extend)
{
	struct extend_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
	if (k == NULL)
		return DRG_ENOMEM;
	k->text = extend;
	return drg_recon_work(x, extend_read, extend_write, k);
}

/* ---- which properties there are ------------------------------------------------------------------------ */

static int propose(struct drg_exchange *x)
{
	struct drg_jw w = { .b = drg_exchange_out(x) };
	struct drg_str type = drg_exchange_text(x, "type");
	unsigned types = drg_recon_types_wanted(x);
	int64_t limit = drg_exchange_int(x, "limit", DRG_RECON_PROPERTIES), n = 0;
	drg_jw_object(&w);
	if (drg_exchange_has(x, "type"))
		drg_jw_member_str(&w, "type", type);
	drg_jw_member_array(&w, "properties");
	for (unsigned p = 0; p < DRG_RECON_PROPERTIES && n < limit; p++) {
		const struct drg_recon_property_row *row = &drg_recon_properties[p];
		if ((row->types & types) == 0)
			continue;
		drg_recon_named_json(&w, row->id, row->name);
		n++;
	}
	drg_jw_array_end(&w);
	drg_jw_object_end(&w);
	return DRG_OK;
}

static const struct drg_param extend_params[] = {
	DRG_PARAM_RECON_KEY,
	{ .name = "type", .type = DRG_P_TEXT, .max = 64, .doc = "id of a type; of all when absent" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = 1000,
	  .doc = "properties at most; all when absent" },
	{ 0 },
};

const struct drg_endpoint drg_reconcile_propose[] = {
	{ .method = DRG_GET,
	  .path = "/v1/reconcile/:key/properties",
	  .name = "reconcileProperties",
	  .handler = propose,
	  .auth = DRG_AUTH_PATH_KEY_B,
	  .params = extend_params,
	  .cors = true,
	  .summary = "Which properties records of a type have" },
	{ 0 },
};
