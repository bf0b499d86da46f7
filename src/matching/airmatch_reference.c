/* The reference of the matcher of airports: places, their cities and countries. */
#include "matching/airmatch_priv.h"

#include <math.h>

#include "matching/airmatch.h"
#include "match/countries/countries.h"
#include "matching/automap_priv.h"
#include "model/key.h"
#include "store/air_reports.h"
#include "store/fetch.h"

static int add_input_name(void *ctx, struct drg_str name)
{
	struct drg_airmatching *x = ctx;
	if (x->in.n_names < DRG_AIRPORT_NAMES)
		x->in.names[x->in.n_names++] = name;
	return DRG_OK;
}

static int add_city_name(void *ctx, struct drg_str name)
{
	struct drg_airmatching *x = ctx;
	const struct drg_str copy = drg_arena_str(&x->arena, name);
	const struct drg_keyed e = { x->city, (int64_t)(x->city_names.n / sizeof(struct drg_str)) };
	if (copy.p == NULL)
		return DRG_ENOMEM;
	drg_buf_add(&x->city_names, &copy, sizeof copy);
	drg_buf_add(&x->cities, &e, sizeof e);
	return x->cities.rc;
}

static int read_air_city(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_airmatching *x = ctx;
	if (drg_record_i(r, DRG_F_PLACE, DRG_PLACE_APT) != DRG_PLACE_CITY)
		return DRG_OK;
	drg_arena_reset(&x->record);
	x->city = drg_airmatch_text_key(drg_record_s(r, DRG_F_CODE));
	return drg_automap_each_text(r, DRG_F_NAMES, &x->record, add_city_name, x);
}

static int read_airport(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_airmatching *x = ctx;
	size_t n = 0;
	if (drg_record_i(r, DRG_F_PLACE, DRG_PLACE_CITY) != DRG_PLACE_APT)
		return DRG_OK;
	drg_arena_reset(&x->record);
	x->in = (struct drg_airport_input){
		.iata = drg_record_s(r, DRG_F_CODE),
		.icao = drg_record_s(r, DRG_F_ICAO_CODE),
		.country = drg_record_s(r, DRG_F_COUNTRY_CODE),
		.lat = drg_record_has(r, DRG_F_LAT) ? r->v[DRG_F_LAT].d : NAN,
		.lng = drg_record_has(r, DRG_F_LNG) ? r->v[DRG_F_LNG].d : NAN,
		.id = r->v[DRG_F_PLACE_ID].i,
		.weight = drg_record_i(r, DRG_F_WEIGHT, 0),
	};
	const struct drg_keyed *v =
	        drg_keyed_find(&x->cities, drg_airmatch_text_key(drg_record_s(r, DRG_F_CITY_CODE)), &n);
	for (size_t i = 0; i < n && x->in.n_cities < DRG_AIRPORT_NAMES; i++)
		x->in.cities[x->in.n_cities++] =
		        ((const struct drg_str *)(const void *)x->city_names.p)[v[i].value];
	int rc = drg_automap_each_text(r, DRG_F_NAMES, &x->record, add_input_name, x);
	return rc == DRG_OK ? drg_airports_add(&x->ref, x->normal, &x->in) : rc;
}

static int add_country_name(void *ctx, struct drg_str name)
{
	struct drg_airmatching *x = ctx;
	const struct drg_keyed e = { drg_label_key(x->normal, name), x->country };
	if (e.key != 0)
		drg_buf_add(&x->countries.v, &e, sizeof e);
	return x->countries.v.rc;
}

static int read_air_country(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_airmatching *x = ctx;
	struct drg_str code = drg_record_s(r, DRG_F_ISO_ALPHA_2);
	drg_arena_reset(&x->record);
	if (code.n != 2)
		return DRG_OK;
	x->country = code.p[0] << 8 | code.p[1];
	return drg_automap_each_text(r, DRG_F_NAMES, &x->record, add_country_name, x);
}

int drg_airmatch_read_reference(struct drg_airmatching *x)
{
	struct drg_rows rows;
	const struct drg_filter places = { .type = &drg_types[DRG_TYPE_AIR_PLACE], .any_order = true };
	const struct drg_filter countries = { .type = &drg_types[DRG_TYPE_DICT],
		                              .one_kind = true,
		                              .kind = DRG_KIND_COUNTRY };
	int rc = drg_rows_each(drg_rows_scan(&rows, x->s, &countries, x->err), read_air_country, x);
	drg_known_sort(&x->countries);
	if (rc == DRG_OK)
		rc = drg_rows_each(drg_rows_scan(&rows, x->s, &places, x->err), read_air_city, x);
	drg_keyed_sort(&x->cities);
	if (rc == DRG_OK)
		rc = drg_rows_each(drg_rows_scan(&rows, x->s, &places, x->err), read_airport, x);
	return rc == DRG_ENOMEM ? drg_fail_memory(x->err) : rc;
}
