/* Suggestions while somebody types: records, types, properties. */
#include <math.h>
#include <stdlib.h>

#include "api/reconcile/answering.h"
#include "api/tables.h"

enum { SUGGESTED = 10, WHAT_MAX = 8 };

struct suggest_work {
	struct drg_recon_query q;
};

static int suggest_read(struct drg_exchange *x, void *work)
{
	struct suggest_work *k = work;
	k->q.lat = k->q.lng = NAN;
	k->q.beginning = true;
	k->q.limit = (unsigned)drg_exchange_int(x, "limit", SUGGESTED);
	k->q.types = drg_recon_types_wanted(x);
	return drg_recon_fold(x, drg_exchange_text(x, "prefix"), &k->q.text);
}

/* An id that was typed or pasted is the record's. */
static bool suggest_by_id(struct drg_recon_reading *g, unsigned types, struct drg_recon_entity *ret)
{
	unsigned type;
	int64_t id;
	return drg_recon_id_read(drg_str_trim(drg_exchange_text(g->r->x, "prefix")), &type, &id) &&
	       (types >> type & 1) != 0 && drg_recon_entity_find(g, type, id, ret);
}

static void suggest_entity(struct drg_recon_reading *g, const struct drg_recon_entity *e)
{
	struct drg_jw *w = &g->r->w;
	drg_jw_object(w);
	drg_recon_entity_members(g, e);
	drg_jw_member_array(w, "notable");
	drg_recon_named_json(w, drg_recon_types[e->type].id, drg_recon_types[e->type].name);
	drg_jw_array_end(w);
	drg_jw_object_end(w);
}

static void suggest_begin(struct drg_jw *w)
{
	drg_jw_object(w);
	drg_jw_member_array(w, "result");
}

static void suggest_end(struct drg_jw *w)
{
	drg_jw_array_end(w);
	drg_jw_object_end(w);
}

static int suggest_write(struct drg_recon_reading *g, void *work)
{
	struct suggest_work *k = work;
	struct drg_recon_found found[DRG_RECON_LIMIT_MAX];
	struct drg_recon_entity e;
	bool sure;
	suggest_begin(&g->r->w);
	if (suggest_by_id(g, k->q.types, &e)) {
		suggest_entity(g, &e);
		suggest_end(&g->r->w);
		return DRG_OK;
	}
	struct drg_recon_scratch *scratch = drg_recon_scratch_new();
	if (scratch == NULL)
		return DRG_ENOMEM;
	unsigned n = drg_recon_find(g->index, &k->q, scratch, found, &sure);
	free(scratch);
	for (unsigned i = 0; i < n; i++)
		if (drg_recon_entity_find(g, found[i].record->kind, found[i].record->id, &e) &&
		    e.id == found[i].record->id)
			suggest_entity(g, &e);
	suggest_end(&g->r->w);
	return DRG_OK;
}

/* ---- types and properties: a dozen of each ------------------------------------------------------------- */

static bool suggest_begins(const char *text, struct drg_str beginning)
{
	struct drg_str t = drg_str_c(text);
	return t.n >= beginning.n && drg_str_eq_nocase(drg_str(t.p, beginning.n), beginning);
}

static void suggest_row(struct drg_jw *w, const char *id, const char *name, struct drg_str beginning)
{
	if (suggest_begins(id, beginning) || suggest_begins(name, beginning))
		drg_recon_named_json(w, id, name);
}

static int suggest(struct drg_exchange *x)
{
	struct drg_str what = drg_exchange_text(x, "what"), beginning = drg_exchange_text(x, "prefix");
	if (drg_str_eq(what, DRG_STR("entity"))) {
		struct suggest_work *k = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *k);
		return k != NULL ? drg_recon_work(x, suggest_read, suggest_write, k) : DRG_ENOMEM;
	}
	struct drg_jw w = { .b = drg_exchange_out(x) };
	bool types = drg_str_eq(what, DRG_STR("type"));
	suggest_begin(&w);
	for (unsigned i = 0; i < DRG_RECON_TYPES && types; i++)
		suggest_row(&w, drg_recon_types[i].id, drg_recon_types[i].name, beginning);
	for (unsigned i = 0; i < DRG_RECON_PROPERTIES && !types; i++)
		suggest_row(&w, drg_recon_properties[i].id, drg_recon_properties[i].name, beginning);
	suggest_end(&w);
	return DRG_OK;
}

static int check_what(struct drg_str value, const char *name, struct drg_err *reterr)
{
	static const char *const words[] = { "entity", "type", "property" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		if (drg_str_eq(value, drg_str_c(words[i])))
			return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                "%s: expected entity, type or property", name);
}

static const struct drg_param suggest_params[] = {
	DRG_PARAM_RECON_KEY,
	{ .name = "what",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = WHAT_MAX,
	  .check = check_what,
	  .doc = "entity, type or property",
	  .schema = "{\"enum\":[\"entity\",\"type\",\"property\"]}" },
	{ .name = "prefix", .type = DRG_P_TEXT, .max = 1000, .doc = "the text typed so far" },
	{ .name = "type", .type = DRG_P_TEXT, .max = 64, .doc = "for entities: only entities of this type" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = DRG_RECON_LIMIT_MAX,
	  .doc = "of entities: so many at most; 10 when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_reconcile_suggest[] = {
	{ .method = DRG_GET,
	  .path = "/v1/reconcile/:key/suggest/:what",
	  .name = "reconcileSuggest",
	  .handler = suggest,
	  .auth = DRG_AUTH_PATH_KEY_B,
	  .params = suggest_params,
	  .cors = true,
	  .summary = "Records, types or properties for what somebody types" },
	{ 0 },
};
