#include "api/air_json.h"

/* {"code":…,"title":…}: the code is letters and digits, the title has its escapes. */
static void code_and_title(struct drg_jw *w, const char *name, struct drg_str code, struct drg_str title)
{
	drg_jw_member_object(w, name);
	drg_jw_member_escaped(w, "code", code);
	drg_jw_member_escaped(w, "title", title);
	drg_jw_object_end(w);
}

static void city(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                 const struct drg_lang_pref *pref)
{
	struct drg_air_place city;
	struct drg_str title = p->city_code, tag;
	if (title.n == 0) {
		drg_jw_member_null(w, "city");
		return;
	}
	if (drg_air_city(cat, p->city_code, &city))
		title = drg_air_title_esc(cat, &city, pref, &tag);
	code_and_title(w, "city", p->city_code, title);
}

static void country(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                    const struct drg_lang_pref *pref)
{
	struct drg_dict d;
	struct drg_str title = p->country_code;
	if (drg_catalog_country(cat, p->country_code, &d))
		title = drg_dict_name_esc(&d, pref);
	code_and_title(w, "country", p->country_code, title);
}

static void coordinates(struct drg_jw *w, const struct drg_air_place *p)
{
	drg_jw_key(w, "coordinates");
	if (!p->located) {
		drg_jw_null(w);
		return;
	}
	drg_jw_object(w);
	drg_jw_member_real(w, "lat", p->lat);
	drg_jw_member_real(w, "lng", p->lng);
	drg_jw_object_end(w);
}

void drg_air_members(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                     const struct drg_lang_pref *pref)
{
	struct drg_str tag, title = drg_air_title_esc(cat, p, pref, &tag);
	drg_jw_member_i64(w, "source_id", p->id);
	drg_jw_member_escaped(w, "language", tag);
	drg_jw_member_escaped(w, "type",
	                      p->is_country                ? DRG_STR("country")
	                      : p->place == DRG_PLACE_CITY ? DRG_STR("city")
	                                                   : DRG_STR("apt"));
	drg_jw_member_escaped(w, "code", p->code);
	drg_jw_member_escaped(w, "title", title);
	city(w, cat, p, pref);
	country(w, cat, p, pref);
	coordinates(w, p);
}

void drg_air_item(struct drg_jw *w, const struct drg_catalog *cat, const struct drg_air_place *p,
                  const struct drg_lang_pref *pref)
{
	drg_jw_object(w);
	drg_air_members(w, cat, p, pref);
	drg_jw_object_end(w);
}
