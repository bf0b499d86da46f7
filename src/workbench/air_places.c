/* GET curate/airPlaces: airports and cities by name, for who maps what air suppliers sent (decision C9). */
#include "api/air_json.h"
#include "api/app.h"
#include "api/list_json.h"
#include "api/reading.h"
#include "api/tables.h"

enum { PLACES = 20, PLACES_MAX = 100 };

static int air_places_write(struct drg_reading *r, void *query)
{
	const struct drg_air_query *q = query;
	const struct drg_air_place *found;
	const struct drg_lang_pref pref = drg_reading_langs(r);
	size_t n, total;
	int rc = drg_air_search(r->cat, q, drg_exchange_arena(r->x), &found, &n, &total);
	if (rc != DRG_OK)
		return rc;
	drg_items_begin(&r->w);
	for (size_t i = 0; i < n; i++)
		drg_air_item(&r->w, r->cat, &found[i], &pref);
	drg_items_end(&r->w);
	return DRG_OK;
}

static int curate_air_places(struct drg_exchange *x)
{
	struct drg_air_query q = { .text = drg_exchange_text(x, "q"),
		                   .lang = drg_exchange_lang(x, "lang"),
		                   .limit = (size_t)drg_exchange_int(x, "limit", PLACES) };
	return drg_reading_run(x, air_places_write, &q);
}

static const struct drg_param air_places_params[] = {
	{ .name = "q",
	  .type = DRG_P_TEXT,
	  .required = true,
	  .min = 1,
	  .max = DRG_AIR_QUERY_MAX,
	  .doc = "the text that somebody typed: a name, its beginning, words of it, an IATA code" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = PLACES_MAX,
	  .doc = "places at most; 20 when absent" },
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_curate_air_places[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/airPlaces",
	  .name = "curateAirPlaces",
	  .handler = curate_air_places,
	  .auth = DRG_AUTH_VIEWER,
	  .params = air_places_params,
	  .summary = "Airports and cities by name" },
	{ 0 },
};
