#include "workbench/record_json.h"

#include <math.h>

#include "api/curate_words.h"
#include "model/ndjson.h"

void drg_curate_record(struct drg_jw *w, const char *name, const struct drg_record *r)
{
	drg_jw_key(w, name);
	if (r == NULL || r->type == NULL) {
		drg_jw_null(w);
		return;
	}
	drg_jw_sep(w);
	drg_ndjson_write(r, w->b);
	if (w->b->rc == DRG_OK)
		w->b->n--; /* its newline */
}

void drg_curate_int_or_null(struct drg_jw *w, const char *name, const struct drg_record *r, enum drg_field f)
{
	drg_jw_member_i64_or_null(w, name, drg_record_has(r, f), drg_record_i(r, f, 0));
}

void drg_curate_source_members(struct drg_reading *r, const struct drg_record *source)
{
	const struct drg_adapter *a = drg_catalog_adapter(r->cat, source->v[DRG_F_ADAPTER_ID].i);
	drg_jw_member_i64(&r->w, "adapter_id", source->v[DRG_F_ADAPTER_ID].i);
	drg_escaped_or_null(&r->w, "adapter", a != NULL ? a->name_esc : drg_str(NULL, 0));
	drg_jw_member_str(&r->w, "kind", drg_str_c(drg_kind_name(drg_record_kind(source))));
	drg_jw_member_str(&r->w, "id", source->v[DRG_F_SOURCE_ID].s);
}

static void record_parent(struct drg_reading *r, const struct drg_record *dict, enum drg_field f,
                          enum drg_kind kind, const struct drg_lang_pref *pref)
{
	drg_jw_key(&r->w, drg_kind_name(kind));
	if (!drg_record_has(dict, f)) {
		drg_jw_null(&r->w);
		return;
	}
	drg_jw_object(&r->w);
	drg_curate_dict_members(r, kind, drg_record_i(dict, f, 0), pref);
	drg_jw_object_end(&r->w);
}

void drg_curate_dict_words(struct drg_reading *r, const struct drg_record *dict,
                           const struct drg_lang_pref *pref)
{
	drg_curate_dict_members(r, drg_record_kind(dict), dict->v[DRG_F_ID].i, pref);
	for (unsigned i = 0; i < DRG_KIND_PARENTS; i++)
		record_parent(r, dict, drg_kind_parents[i].dict, drg_kind_parents[i].kind, pref);
}

void drg_curate_event(struct drg_jw *w, const struct drg_record *e)
{
	const struct drg_field_def *how = drg_field_of(e->type, DRG_F_HOW);
	drg_text_or_null(w, "at", drg_record_s(e, DRG_F_AT));
	drg_jw_member_str(w, "how", drg_str_c(how->words[drg_record_i(e, DRG_F_HOW, DRG_HOW_SET)]));
	drg_curate_int_or_null(w, "from", e, DRG_F_FROM);
	drg_curate_int_or_null(w, "to", e, DRG_F_TO);
	drg_text_or_null(w, "by", drg_record_s(e, DRG_F_BY));
	drg_text_or_null(w, "why", drg_record_s(e, DRG_F_WHY));
	drg_curate_int_or_null(w, "batch", e, DRG_F_OF_BATCH);
}

void drg_curate_note_members(struct drg_jw *w, const struct drg_case_note *n)
{
	drg_jw_key(w, "at");
	drg_curate_time(w, n->at_us);
	drg_text_or_null(w, "by", n->who);
	drg_text_or_null(w, "what", n->what);
	drg_jw_member_str_or_null(w, "text", n->detail);
}

double drg_curate_metres(const struct drg_record *a, const struct drg_record *b)
{
	const double radian = 3.14159265358979323846 / 180, earth = 6371000;
	if (!drg_record_has(a, DRG_F_LAT) || !drg_record_has(a, DRG_F_LNG) || !drg_record_has(b, DRG_F_LAT) ||
	    !drg_record_has(b, DRG_F_LNG))
		return -1;
	double lat_a = a->v[DRG_F_LAT].d * radian, lat_b = b->v[DRG_F_LAT].d * radian;
	double up = sin((lat_b - lat_a) / 2),
	       aside = sin((b->v[DRG_F_LNG].d - a->v[DRG_F_LNG].d) * radian / 2);
	double h = up * up + cos(lat_a) * cos(lat_b) * aside * aside;
	return 2 * earth * asin(sqrt(h < 1 ? h : 1));
}
