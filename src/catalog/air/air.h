/* src/catalog/air/air.h
 * Air places: airports and cities with their names, what air suppliers call them, and the search over them
 * (decisions A1 to A7, A10, A11; docs/search.md is the search for its users).
 *
 * Places, names and the index of their words are one immutable object; a publication with a changed place
 * replaces it. Everything here is called inside a read section, and what it returns stays valid until that
 * ends. */
#pragma once
#include "base/arena.h"
#include "catalog/catalog.h"

struct drg_air_rec;

/** One place. Codes are upper case; city_code and icao_code are empty where there is none (a city has
 * neither). */
struct drg_air_place {
	const struct drg_air_rec *rec; /**< for drg_air_title_esc() */
	int64_t id; /**< source_id; of a country its dict id */
	bool is_country; /**< only from a search that asks for countries; code is ISO alpha-2 */
	enum drg_place place;
	struct drg_str code, city_code, country_code, icao_code;
	bool located; /**< lat and lng are known */
	double lat, lng;
	int64_t weight; /**< 0: none */
};

/** How many places there are. */
size_t drg_air_count(const struct drg_catalog *c);
/** The place at 0..drg_air_count() - 1, ascending by id. */
void drg_air_at(const struct drg_catalog *c, size_t i, struct drg_air_place *ret);

/** Find a place by source_id. @return false: no such place. */
bool drg_air_find(const struct drg_catalog *c, int64_t id, struct drg_air_place *ret);
/** Find a place by IATA code in any letter case: an airport before a city, then the heavier one. */
bool drg_air_by_code(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret);
/** Find the city with this code (decision A6). */
bool drg_air_city(const struct drg_catalog *c, struct drg_str code, struct drg_air_place *ret);
/** A title, and what narrows it. */
struct drg_air_title {
	struct drg_str title; /**< as the supplier writes it */
	struct drg_str country_code; /**< upper case; empty: any */
	struct drg_str city_name; /**< of an airport's city or of the city itself; empty: any */
};
/** Find the place that has the title as one of its names (decision A5): the only one, or one that is much
 * heavier than the next. @return false: no place is. */
bool drg_air_by_title(const struct drg_catalog *c, const struct drg_air_title *t, struct drg_air_place *ret);
/** Find the place that an adapter's identifier means: by its air_map, else by the external_id of its data (the
 * lowest source_id that has it). */
bool drg_air_by_external(const struct drg_catalog *c, int64_t adapter, struct drg_str external_id,
                         struct drg_air_place *ret);

/**
 * The title in the first language of @p pref that the place has, else in any language; with JSON's escapes.
 * @param ret_tag  The language of that title.
 */
struct drg_str drg_air_title_esc(const struct drg_catalog *c, const struct drg_air_place *p,
                                 const struct drg_lang_pref *pref, struct drg_str *ret_tag);

/** The data of an adapter about a place. */
struct drg_air_data {
	int64_t place, adapter;
	struct drg_str external_id; /**< p is NULL: none */
	struct drg_str json; /**< an object, byte for byte as given */
};
/** The data of all adapters about a place, ascending by adapter. */
size_t drg_air_data(const struct drg_catalog *c, int64_t place, const struct drg_air_data **ret);

/* ---- search --------------------------------------------------------------------------------------------- */

enum { DRG_AIR_LIMIT_MAX = 500, DRG_AIR_QUERY_MAX = 200 };

struct drg_air_query {
	struct drg_str
	        text; /**< as typed, valid UTF-8 of at most DRG_AIR_QUERY_MAX characters; blank: every place */
	/** valid and lower case; beginnings of titles in it come first, and places of one weight are sorted by
	 * them */
	struct drg_str lang;
	bool city, apt, nation; /**< which places are wanted; none of these: cities and airports */
	char country[2]; /**< upper case; zero: any */
	bool near; /**< only places within radius_km of here, the nearest of a group first */
	double lat, lng, radius_km;
	size_t limit; /**< 1..DRG_AIR_LIMIT_MAX; without a text 0 is all */
};

/**
 * Places that match, in the order of decision A1; without a text by distance or weight.
 * @param arena  For the answer and for work.
 * @param ret_n  How many are in @p ret: limit at most.
 * @param ret_total  How many match.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_air_search(const struct drg_catalog *c, const struct drg_air_query *q, struct drg_arena *arena,
                   const struct drg_air_place **ret, size_t *ret_n, size_t *ret_total);
