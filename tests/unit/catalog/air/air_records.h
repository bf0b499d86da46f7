/* tests/unit/catalog/air/air_records.h
 * Air records by hand. */
#pragma once
#include "../records.h"
#include "catalog/air/air.h"

/** @param city_code  NULL: this is a city. @param names  As the model keeps them. */
static inline struct drg_record air_place(int64_t id, const char *code, const char *city_code,
                                          const char *names, int64_t weight)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_AIR_PLACE]);
	drg_record_set_i(&r, DRG_F_PLACE_ID, id);
	drg_record_set_i(&r, DRG_F_PLACE, city_code == NULL ? DRG_PLACE_CITY : DRG_PLACE_APT);
	drg_record_set_s(&r, DRG_F_CODE, drg_str_c(code));
	drg_record_set_s(&r, DRG_F_NAMES, drg_str_c(names));
	drg_record_set_s(&r, DRG_F_COUNTRY_CODE, DRG_STR("XX"));
	drg_record_set_i(&r, DRG_F_WEIGHT, weight);
	if (city_code != NULL && city_code[0] != '\0')
		drg_record_set_s(&r, DRG_F_CITY_CODE, drg_str_c(city_code));
	return r;
}

static inline void put_at(struct drg_record *r, double lat, double lng)
{
	r->v[DRG_F_LAT].d = lat;
	r->v[DRG_F_LNG].d = lng;
	r->has |= UINT64_C(1) << DRG_F_LAT | UINT64_C(1) << DRG_F_LNG;
}

/** @param external_id  NULL: none. */
static inline struct drg_record air_source(int64_t adapter_id, int64_t place, const char *external_id,
                                           const char *json)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_AIR_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter_id);
	drg_record_set_i(&r, DRG_F_PLACE_ID, place);
	if (external_id != NULL)
		drg_record_set_s(&r, DRG_F_EXTERNAL_ID, drg_str_c(external_id));
	drg_record_set_s(&r, DRG_F_DATA, drg_str_c(json));
	return r;
}

static inline struct drg_record air_map(int64_t adapter_id, const char *external_id, int64_t place)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_AIR_MAP]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter_id);
	drg_record_set_s(&r, DRG_F_EXTERNAL_ID, drg_str_c(external_id));
	drg_record_set_i(&r, DRG_F_PLACE_ID, place);
	return r;
}
