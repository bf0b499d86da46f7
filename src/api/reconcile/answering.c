#include "api/reconcile/answering.h"

#include <math.h>

#include "text/fold.h"
#include "text/utf8.h"

/* ---- waiting for the names ----------------------------------------------------------------------------- */

struct recon_task {
	struct drg_keeper_wait wait;
	drg_recon_read_fn *read;
	drg_recon_write_fn *write;
	void *work;
	bool comma; /* of the writer, from slice to slice */
};

static int recon_run(struct drg_reading *r, void *task)
{
	struct recon_task *t = task;
	struct drg_recon_reading g = { .r = r, .index = drg_recon_index(drg_app_of(r->x)->recon) };
	if (g.index == NULL)
		return drg_fail(drg_exchange_err(r->x), DRG_EBUSY, DRG_R(loading), NULL,
		                "the names are being read; try again soon");
	g.pref = drg_reading_langs(r);
	r->mixed = true; /* the names may be of before, and slices of several catalogs (O2) */
	r->w.comma = t->comma;
	int rc = t->write(&g, t->work);
	t->comma = r->w.comma;
	return rc;
}

static int recon_go_on(struct drg_exchange *x)
{
	struct recon_task *t = drg_exchange_data(x);
	if (t->wait.rc != DRG_OK) {
		*drg_exchange_err(x) = t->wait.err;
		return t->wait.rc;
	}
	int rc = t->read != NULL ? t->read(x, t->work) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_reading_run(x, recon_run, t)) == DRG_RECON_MORE)
		;
	return rc;
}

int drg_recon_work(struct drg_exchange *x, drg_recon_read_fn *read, drg_recon_write_fn *write, void *work)
{
	struct drg_keeper *keeper = drg_recon_keeper(drg_app_of(x)->recon);
	struct recon_task *t = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *t);
	if (t == NULL)
		return DRG_ENOMEM;
	*t = (struct recon_task){ .read = read, .write = write, .work = work };
	t->wait.done = drg_exchange_wake;
	t->wait.ctx = x;
	drg_exchange_set_data(x, t);
	if (drg_keeper_request(keeper))
		return recon_go_on(x);
	/* Suspended before the thread can know of it. */
	drg_exchange_suspend(x, recon_go_on);
	drg_keeper_await(keeper, &t->wait);
	return DRG_HTTP_SUSPENDED;
}

/* ---- what requests bring ------------------------------------------------------------------------------- */

int drg_recon_fold(struct drg_exchange *x, struct drg_str text, struct drg_str *ret)
{
	enum { READ_MAX = 1024 }; /* of a text; what is behind it does not count */
	struct drg_buf folded;
	drg_buf_init(&folded, SIZE_MAX);
	drg_fold(drg_utf8_cut(text, READ_MAX), DRG_FOLD_PLAIN, &folded);
	if (folded.n > DRG_SPELLED_MAX)
		folded.n = DRG_SPELLED_MAX;
	while (folded.n > 0 && folded.p[folded.n - 1] == ' ')
		folded.n--;
	*ret = drg_arena_str(drg_exchange_arena(x), drg_buf_view(&folded));
	int rc = folded.rc == DRG_OK && ret->p != NULL ? DRG_OK : DRG_ENOMEM;
	drg_buf_done(&folded);
	return rc;
}

unsigned drg_recon_types_wanted(const struct drg_exchange *x)
{
	unsigned type = drg_recon_type_by_id(drg_exchange_text(x, "type"));
	if (!drg_exchange_has(x, "type"))
		return DRG_RECON_ALL;
	return type < DRG_RECON_TYPES ? 1U << type : 0;
}

int drg_recon_json(struct drg_exchange *x, const char *name, struct drg_str text, struct drg_json_item *ret)
{
	struct drg_err why = { .code = DRG_OK };
	int rc = drg_json_scan_small_numbers(text, drg_exchange_arena(x), ret, &why);
	if (rc == DRG_OK && ret->type == DRG_JSON_OBJECT)
		return DRG_OK;
	if (rc == DRG_OK)
		return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(wrong_type), name,
		                "%s: expected a JSON object", name);
	return rc != DRG_EINVAL ? rc
	                        : drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(invalid_json), name,
	                                   "%s: %.200s", name, why.message);
}

/* ---- records ------------------------------------------------------------------------------------------- */

bool drg_recon_entity_find(const struct drg_recon_reading *g, unsigned type, int64_t id,
                           struct drg_recon_entity *ret)
{
	*ret = (struct drg_recon_entity){ .type = type, .id = id };
	if (!drg_recon_is_air(type)) {
		bool there = drg_catalog_dict(g->r->cat, (enum drg_kind)type, id, &ret->dict);
		ret->id = there ? ret->dict.id : id;
		return there;
	}
	bool there = drg_air_find(g->r->cat, id, &ret->place);
	unsigned now = ret->place.place == DRG_PLACE_CITY ? DRG_RECON_AIR_CITY : DRG_RECON_AIRPORT;
	return there && now == type;
}

struct drg_str drg_recon_entity_name(const struct drg_recon_reading *g, const struct drg_recon_entity *e,
                                     const struct drg_lang_pref *pref)
{
	struct drg_str tag;
	return drg_recon_is_air(e->type) ? drg_air_title_esc(g->r->cat, &e->place, pref, &tag)
	                                 : drg_dict_name_esc(&e->dict, pref);
}

static bool entity_other(const struct drg_recon_reading *g, drg_handle h, const struct drg_lang_pref *pref,
                         struct drg_recon_value *ret)
{
	struct drg_dict d;
	if (h == DRG_NO_HANDLE || !drg_catalog_dict_at(g->r->cat, h, &d))
		return false;
	*ret = (struct drg_recon_value){ .is = DRG_RECON_IS_ENTITY,
		                         .i = d.id,
		                         .text = drg_dict_name_esc(&d, pref) };
	return true;
}

static bool entity_country(const struct drg_recon_reading *g, const struct drg_recon_entity *e,
                           const struct drg_lang_pref *pref, struct drg_recon_value *ret)
{
	struct drg_dict d;
	if (!drg_recon_is_air(e->type))
		return entity_other(g, e->dict.country, pref, ret);
	return drg_catalog_country(g->r->cat, e->place.country_code, &d) &&
	       entity_other(g, d.handle, pref, ret);
}

static bool entity_degrees(const struct drg_recon_reading *g, const struct drg_recon_entity *e, bool lat,
                           struct drg_recon_value *ret)
{
	const struct drg_named *r = drg_recon_record_of(g->index, e->type, e->id);
	ret->is = DRG_RECON_IS_REAL;
	if (drg_recon_is_air(e->type)) {
		ret->d = lat ? e->place.lat : e->place.lng;
		return e->place.located;
	}
	/* A float has the degrees to a metre: shown as such. */
	ret->d = r != NULL ? round((double)(lat ? r->lat : r->lng) * 1e5) / 1e5 : NAN;
	return !isnan(ret->d);
}

static bool entity_text(struct drg_recon_value *ret, struct drg_str text)
{
	ret->is = DRG_RECON_IS_TEXT;
	ret->text = text;
	return text.n > 0;
}

bool drg_recon_entity_value(const struct drg_recon_reading *g, const struct drg_recon_entity *e,
                            enum drg_recon_property p, const struct drg_lang_pref *pref,
                            struct drg_recon_value *ret)
{
	if ((drg_recon_properties[p].types >> e->type & 1) == 0)
		return false;
	switch (p) {
	case DRG_RECON_ID: *ret = (struct drg_recon_value){ .is = DRG_RECON_IS_INT, .i = e->id }; return true;
	case DRG_RECON_NAME: return entity_text(ret, drg_recon_entity_name(g, e, pref));
	case DRG_RECON_COUNTRY: return entity_country(g, e, pref, ret);
	case DRG_RECON_CITY: return entity_other(g, e->dict.city, pref, ret);
	case DRG_RECON_CATEGORY: return entity_other(g, e->dict.category, pref, ret);
	case DRG_RECON_HOTEL_TYPE: return entity_other(g, e->dict.hotel_type, pref, ret);
	case DRG_RECON_LAT: return entity_degrees(g, e, true, ret);
	case DRG_RECON_LNG: return entity_degrees(g, e, false, ret);
	case DRG_RECON_CODE:
		return entity_text(ret, drg_recon_is_air(e->type) ? e->place.code : e->dict.code);
	case DRG_RECON_PROPERTIES: break;
	}
	return false;
}

/* ---- JSON ---------------------------------------------------------------------------------------------- */

void drg_recon_entity_members(const struct drg_recon_reading *g, const struct drg_recon_entity *e)
{
	static const enum drg_recon_property said[] = { DRG_RECON_CODE, DRG_RECON_CITY, DRG_RECON_COUNTRY };
	char id[DRG_RECON_ID_TEXT];
	struct drg_jw *w = &g->r->w;
	struct drg_recon_value value;
	drg_jw_member_str(w, "id", drg_str(id, drg_recon_id_text(e->type, e->id, id)));
	drg_jw_member_escaped(w, "name", drg_recon_entity_name(g, e, &g->pref));
	drg_jw_key(w, "description");
	drg_jw_sep(w);
	drg_buf_char(w->b, '"');
	bool any = false;
	for (size_t i = 0; i < DRG_ARRAY_LEN(said); i++)
		if (drg_recon_entity_value(g, e, said[i], &g->pref, &value)) {
			if (any)
				drg_buf_lit(w->b, ", ");
			drg_buf_str(w->b, value.text);
			any = true;
		}
	drg_buf_char(w->b, '"');
}

void drg_recon_named_json(struct drg_jw *w, const char *id, const char *name)
{
	drg_jw_object(w);
	drg_jw_member_str(w, "id", drg_str_c(id));
	drg_jw_member_str(w, "name", drg_str_c(name));
	drg_jw_object_end(w);
}
