/* avia/reference: air places, searched or as a whole (spec 4.3; decisions A1 to A3, A6). */
#include "api/tables.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>

#include "api/air_json.h"
#include "api/list_answer.h"
#include "api/list_json.h"
#include "api/reading.h"
#include "text/utf8.h"

enum { RADIUS_DEFAULT_KM = 100, RADIUS_MAX_KM = 20000 };

/* ---- parameters ----------------------------------------------------------------------------------------- */

struct types {
	bool city, apt, country;
};

static bool read_types(struct drg_str value, struct types *ret)
{
	struct drg_str type;
	*ret = (struct types){ 0 };
	while (drg_str_split(&value, ',', &type)) {
		type = drg_str_trim(type);
		bool *is = drg_str_eq(type, DRG_STR("city"))      ? &ret->city
		           : drg_str_eq(type, DRG_STR("apt"))     ? &ret->apt
		           : drg_str_eq(type, DRG_STR("country")) ? &ret->country
		                                                  : NULL;
		if (is == NULL)
			return false;
		*is = true;
	}
	return true;
}

static struct types types_of(struct drg_exchange *x)
{
	struct types t = { 0 };
	if (drg_exchange_has(x, "types"))
		read_types(drg_exchange_text(x, "types"), &t);
	return t;
}

static int check_types(struct drg_str value, const char *name, struct drg_err *reterr)
{
	struct types t;
	if (read_types(value, &t))
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(invalid_types), name,
	                "%s: expected city, apt, country, or several with commas between, found \"%.*s\"",
	                name, (int)(value.n < 40 ? value.n : 40), value.p);
}

/* Degrees as people write them: digits, a point, a minus. */
static bool read_degrees(struct drg_str s, double most, double *ret)
{
	char text[32], *end;
	s = drg_str_trim(s);
	if (s.n == 0 || s.n >= sizeof text)
		return false;
	for (size_t i = 0; i < s.n; i++)
		if (!isdigit((unsigned char)s.p[i]) && s.p[i] != '.' && !(i == 0 && s.p[i] == '-'))
			return false;
	memcpy(text, s.p, s.n);
	text[s.n] = '\0';
	*ret = strtod(text, &end);
	return *end == '\0' && end != text && fabs(*ret) <= most;
}

static bool read_near(struct drg_str value, double *ret_lat, double *ret_lng)
{
	struct drg_str lat;
	return drg_str_split(&value, ',', &lat) && value.p != NULL && read_degrees(lat, 90, ret_lat) &&
	       read_degrees(value, 180, ret_lng);
}

static int check_near(struct drg_str value, const char *name, struct drg_err *reterr)
{
	double lat, lng;
	if (read_near(value, &lat, &lng))
		return DRG_OK;
	return drg_fail(
	        reterr, DRG_EINVAL, DRG_R(invalid_near), name,
	        "%s: expected a latitude and a longitude in degrees, such as 50.45,30.52, found \"%.*s\"",
	        name, (int)(value.n < 40 ? value.n : 40), value.p);
}

static void avia_reference_read_country(struct drg_exchange *x, char *ret)
{
	struct drg_str code = drg_exchange_text(x, "country");
	for (size_t i = 0; i < 2 && drg_exchange_has(x, "country"); i++)
		ret[i] = (char)toupper((unsigned char)code.p[i]);
}

/* ---- the whole list ------------------------------------------------------------------------------------- */

static int build_all(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                     struct drg_buf *out, int64_t *ret_total, struct drg_err *err)
{
	(void)ctx;
	struct drg_list_work k;
	struct drg_jw w = { .b = out };
	int rc = drg_list_work_init(&k, cat, key, err);
	if (rc == DRG_OK) {
		int place = key->city == key->apt ? -1 : key->city ? DRG_PLACE_CITY : DRG_PLACE_APT;
		drg_list_rows_set_places(&k.rows, key->country_code, place);
		drg_items_begin(&w);
		*ret_total = 0;
		for (size_t i = 0; i < k.rows.n; i++) {
			struct drg_air_place p;
			if (!drg_air_find(cat, k.rows.row[i].id, &p))
				continue;
			drg_air_item(&w, cat, &p, &k.rows.pref);
			(*ret_total)++;
		}
		drg_items_end(&w);
	}
	return drg_list_work_done(&k, rc, err);
}

static int avia_reference_read_key(struct drg_reading *r, void *ctx)
{
	struct drg_list_key *key = ctx;
	struct types t = types_of(r->x);
	key->build = build_all;
	drg_lists_lang(r->cat, drg_exchange_lang(r->x, "lang"), key->lang);
	avia_reference_read_country(r->x, key->country_code);
	key->city = t.city && !t.apt; /* both are all: one list, not two */
	key->apt = t.apt && !t.city;
	return DRG_OK;
}

static int answer_all(struct drg_exchange *x)
{
	struct drg_list_key key;
	memset(&key, 0, sizeof key); /* compared as bytes */
	int rc = drg_reading_run(x, avia_reference_read_key, &key);
	return rc == DRG_OK ? drg_list_answer(x, &key) : rc;
}

/* ---- the search ----------------------------------------------------------------------------------------- */

static void avia_reference_read_query(struct drg_exchange *x, struct drg_air_query *q)
{
	*q = (struct drg_air_query){
		.text = drg_exchange_has(x, "search") ? drg_exchange_text(x, "search") : DRG_STR(""),
		.lang = drg_exchange_lang(x, "lang"),
		.radius_km = (double)drg_exchange_int(x, "radius", RADIUS_DEFAULT_KM),
		.limit = (size_t)drg_exchange_int(x, "limit", DRG_AIR_LIMIT_MAX),
	};
	avia_reference_read_country(x, q->country);
	struct types t = types_of(x);
	q->city = t.city;
	q->apt = t.apt;
	q->nation = t.country;
	if (drg_exchange_has(x, "near"))
		q->near = read_near(drg_exchange_text(x, "near"), &q->lat, &q->lng);
}

static int avia_reference_write_found(struct drg_reading *r, void *query)
{
	const struct drg_air_query *q = query;
	const struct drg_air_place *found;
	size_t n, total;
	int rc = drg_air_search(r->cat, q, drg_exchange_arena(r->x), &found, &n, &total);
	if (rc != DRG_OK)
		return rc;
	struct drg_lang_pref pref = drg_catalog_langs(r->cat, q->lang);
	drg_items_begin(&r->w);
	for (size_t i = 0; i < n; i++)
		drg_air_item(&r->w, r->cat, &found[i], &pref);
	drg_items_end(&r->w);
	drg_total_header(r->x, total);
	return DRG_OK;
}

static int avia_reference_reference(struct drg_exchange *x)
{
	struct drg_air_query q;
	avia_reference_read_query(x, &q);
	if (!drg_utf8_is_blank(q.text))
		return drg_reading_run(x, avia_reference_write_found, &q);
	if (!q.near && !q.nation)
		return answer_all(x);
	if (!drg_exchange_has(x, "limit"))
		q.limit = 0;
	return drg_reading_run(x, avia_reference_write_found, &q);
}

/* Around a point there may be all places there are, megabytes of them, which are sorted by their distance: a
 * hundred times what a search takes. */
static bool avia_reference_is_work(const struct drg_exchange *x)
{
	return drg_exchange_has(x, "near");
}

static const struct drg_param avia_reference_params[] = {
	DRG_PARAM_LANG,
	{ .name = "search",
	  .type = DRG_P_TEXT,
	  .max = DRG_AIR_QUERY_MAX,
	  .doc = "the text that somebody typed: a name, its beginning, words of it, an IATA code; the whole "
	         "list when "
	         "absent" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = DRG_AIR_LIMIT_MAX,
	  .doc = "how many items a search gives at most; 500 when absent" },
	{ .name = "types",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .check = check_types,
	  .schema = "{\"pattern\":\"^(city|apt|country)(,(city|apt|country))*$\"}",
	  .doc = "city, apt, country, or several of them; city,apt when absent" },
	{ .name = "country",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .check = drg_check_alpha_2,
	  .schema = DRG_SCHEMA_ALPHA_2,
	  .doc = "ISO alpha-2 code; only places of this country" },
	{ .name = "near",
	  .type = DRG_P_TEXT,
	  .max = 64,
	  .check = check_near,
	  .schema = "{\"pattern\":\"^-?([0-8]?[0-9]([.][0-9]{1,20})?|90([.]0{1,20})?),"
	            "-?((1[0-7]|[0-9])?[0-9]([.][0-9]{1,20})?|180([.]0{1,20})?)$\"}",
	  .doc = "LAT,LNG in degrees: only places around it, the nearest first" },
	{ .name = "radius",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = RADIUS_MAX_KM,
	  .doc = "of near, in kilometres; 100 when absent" },
	{ 0 },
};

const struct drg_endpoint drg_avia_reference[] = {
	{ .method = DRG_GET,
	  .path = "/v1/avia/reference",
	  .name = "aviaReference",
	  .handler = avia_reference_reference,
	  .is_work = avia_reference_is_work,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = avia_reference_params,
	  .summary = "Airports and cities: a search, or all of them",
	  .app = DRG_COLUMNS(.tagged = true) },
	{ 0 },
};
