/* src/api/selection.h
 * What a reference list shows: decisions R1 to R3. Knows the catalog, nothing of JSON. */
#pragma once
#include "catalog/catalog.h"

/** Everything is the caller's arena's; handles are distinct and in no particular order. */
struct drg_selection {
	const struct drg_adapter **operators;
	size_t n_operators;
	drg_handle *countries; /**< main lists only */
	size_t n_countries;
	drg_handle *dep_cities; /**< main lists only */
	size_t n_dep_cities;
	drg_handle *hotels; /**< hotel lists only */
	size_t n_hotels;
	drg_handle *cities; /**< hotel lists only: the cities of those hotels */
	size_t n_cities;
};

/**
 * The main lists: the listed operators (R1); every departure city but those from which only other operators
 * fly; the countries that a listed operator flies to, and those that nobody flies to and that have hotels
 * (R3).
 * @param cat           Inside a read section, as long as @p ret is used.
 * @param country_code  Departure cities only of this country; "" for all.
 * @return DRG_OK, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_select_main(const struct drg_catalog *cat, bool demo, const char *country_code,
                    struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr);

/** The hotel lists (R2): hotels of the country that a listed operator of the direction is linked to; every
 * hotel of the country, and no operator, where no operator at all flies the direction; nothing where only
 * others than the listed do.
 * @param dep_city, country  Dict ids. An id that has no record selects nothing. */
DRG_MUSTCHECK
int drg_select_hotels(const struct drg_catalog *cat, bool demo, int64_t dep_city, int64_t country,
                      struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr);
