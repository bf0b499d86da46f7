#include "synth/hotel.h"

#include <string.h>

#include "base/compiler.h"

enum { DEGREE = 1000000 };

/* ---- the world ---- */

static uint32_t find_or_first(const struct drg_synth_base *b, enum drg_kind kind, const char *word)
{
	uint32_t i = drg_synth_base_find(b, kind, word);
	return i == DRG_SYNTH_NONE && b->list[kind].n > 0 ? 0 : i;
}

static void find_terms(struct drg_synth_world *w)
{
	const struct drg_synth_base *b = w->base;
	for (unsigned s = 1; s <= 5; s++) {
		char text[] = { (char)('0' + s), '*', '\0' };
		w->stars[s] = find_or_first(b, DRG_KIND_HOTEL_CATEGORY, text);
	}
	for (unsigned t = 0; t < drg_synth_n_types; t++) {
		const struct drg_synth_type *type = &drg_synth_types[t];
		w->type_type[t] = find_or_first(b, DRG_KIND_HOTEL_TYPE, type->hotel_type);
		w->type_category[t] = type->category == NULL ? DRG_SYNTH_NONE
		                                             : drg_synth_base_find(b, DRG_KIND_HOTEL_CATEGORY,
		                                                                   type->category);
	}
	w->beach_type = find_or_first(b, DRG_KIND_HOTEL_TYPE, "Beach hotel");
	w->city_type = find_or_first(b, DRG_KIND_HOTEL_TYPE, "City hotel");
}

/** Weight of a city among those of its country: resorts have most, and some of all have much more than
 * others. */
static uint32_t city_size(const struct drg_synth_world *w, const struct drg_synth_element *city)
{
	struct drg_rng r = drg_rng(w->seed, DRG_RNG_CITY, (uint64_t)city->id, 0);
	uint32_t u = drg_rng_below(&r, 1000);
	return (city->is_resort ? 6 : 1) * (100 + 900 * (u * u / 1000) / 1000);
}

/** Share of the country, divided among its cities. The total stays far below 2^63. */
static void weigh_cities(struct drg_synth_world *w, uint64_t *weight, uint64_t *country_size)
{
	const struct drg_synth_list *cities = &w->base->list[DRG_KIND_CITY];
	for (uint32_t c = 0; c < cities->n; c++)
		country_size[cities->e[c].parent] += city_size(w, &cities->e[c]);
	for (uint32_t c = 0; c < cities->n; c++) {
		uint32_t country = cities->e[c].parent;
		uint64_t share = (uint64_t)w->country[country]->visited << 32;
		weight[c] = share / country_size[country] * city_size(w, &cities->e[c]) + 1;
		w->country_weight[country] += weight[c];
		w->weight_total += weight[c];
	}
}

/** Vose's alias table: column c keeps its own city below the threshold and lends the rest to another. */
static void fill_alias_table(struct drg_synth_world *w, uint64_t *weight, uint32_t *small, uint32_t *large)
{
	uint32_t n = w->base->list[DRG_KIND_CITY].n, n_small = 0, n_large = 0;
	uint64_t mean = w->weight_total / n;
	for (uint32_t c = 0; c < n; c++)
		*(weight[c] < mean ? &small[n_small++] : &large[n_large++]) = c;
	while (n_small > 0 && n_large > 0) {
		uint32_t s = small[--n_small], l = large[n_large - 1];
		w->city[s].threshold = (uint32_t)(((weight[s] << 20) / mean) << 12);
		w->city[s].other = l;
		weight[l] -= mean - weight[s];
		if (weight[l] < mean) {
			n_large--;
			small[n_small++] = l;
		}
	}
	while (n_large + n_small > 0) {
		uint32_t c = n_large > 0 ? large[--n_large] : small[--n_small];
		w->city[c].threshold = UINT32_MAX;
		w->city[c].other = c;
	}
}

int drg_synth_world_make(uint64_t seed, bool hard, struct drg_synth_base *b, struct drg_synth_world *ret,
                         struct drg_err *reterr)
{
	uint32_t n = b->list[DRG_KIND_CITY].n, n_countries = b->list[DRG_KIND_COUNTRY].n;
	struct drg_arena *a = &b->arena;
	struct drg_synth_world w = { .seed = seed, .hard = hard, .base = b };
	w.country = drg_arena_calloc(a, n_countries + 1, sizeof *w.country);
	w.country_weight = drg_arena_calloc(a, n_countries + 1, sizeof *w.country_weight);
	w.city = drg_arena_calloc(a, n + 1, sizeof *w.city);
	w.type_category = drg_arena_calloc(a, drg_synth_n_types, sizeof *w.type_category);
	w.type_type = drg_arena_calloc(a, drg_synth_n_types, sizeof *w.type_type);
	uint64_t *weight = drg_arena_calloc(a, n + 1, sizeof *weight);
	uint64_t *country_size = drg_arena_calloc(a, n_countries + 1, sizeof *country_size);
	uint32_t *small = drg_arena_calloc(a, n + 1, sizeof *small),
	         *large = drg_arena_calloc(a, n + 1, sizeof *large);
	if (w.country == NULL || w.country_weight == NULL || w.city == NULL || w.type_category == NULL ||
	    w.type_type == NULL || weight == NULL || country_size == NULL || small == NULL || large == NULL)
		return drg_fail_memory(reterr);
	for (uint32_t c = 0; c < n_countries; c++)
		w.country[c] = drg_synth_country(b->list[DRG_KIND_COUNTRY].e[c].code);
	find_terms(&w);
	if (n > 0) {
		weigh_cities(&w, weight, country_size);
		fill_alias_table(&w, weight, small, large);
	}
	*ret = w;
	return DRG_OK;
}

/* ---- a hotel ---- */

enum { SISTER_EACH = 6 };

void drg_synth_hotel_begin(const struct drg_synth_world *w, uint64_t k, struct drg_rng *ret_rng,
                           struct drg_synth_hotel *ret)
{
	const struct drg_synth_list *cities = &w->base->list[DRG_KIND_CITY];
	ret->sister = w->hard && k % SISTER_EACH == SISTER_EACH - 1 ? k + 1 : 0;
	*ret_rng = drg_rng(w->seed, DRG_RNG_HOTEL, ret->sister > 0 ? k - 1 : k, 0);
	uint64_t u = drg_rng_next(ret_rng);
	uint32_t c = (uint32_t)((u >> 32) * cities->n >> 32);
	ret->city = (uint32_t)u < w->city[c].threshold ? c : w->city[c].other;
	ret->country = cities->e[ret->city].parent;
	ret->popularity = 400 + drg_rng_below(ret_rng, 1201);
}

static unsigned draw_stars(struct drg_rng *r)
{
	static const uint32_t weight[] = { 15, 85, 370, 350, 180 };
	return 1 + drg_rng_pick(r, weight, sizeof weight[0], DRG_ARRAY_LEN(weight));
}

/** cos(degrees) in thousandths, by Bhaskara's formula: exact enough for metres, and all in integers. */
static int64_t cos_per_mille(int32_t lat)
{
	int64_t d2 = (int64_t)(lat / 10000) * (lat / 10000); /* hundredths of a degree, squared */
	return (324000000 - 4 * d2) * 1000 / (324000000 + d2);
}

void drg_synth_move(int32_t *lat, int32_t *lng, int32_t north_m, int32_t east_m)
{
	int64_t c = cos_per_mille(*lat);
	int64_t la = *lat + (int64_t)north_m * 8983 / 1000; /* a metre is 8.983 millionths of a degree */
	int64_t ln = *lng + (int64_t)east_m * 8983 / (c > 50 ? c : 50);
	*lat = (int32_t)(la > 90 * DEGREE ? 90 * DEGREE : la < -90 * DEGREE ? -90 * DEGREE : la);
	if (ln > 180 * DEGREE)
		ln -= 360 * DEGREE;
	if (ln < -180 * DEGREE)
		ln += 360 * DEGREE;
	*lng = (int32_t)ln;
}

/** Around the middle of the city: the sum of two draws is denser in the middle. */
static void place_hotel(struct drg_rng *r, const struct drg_synth_element *city, struct drg_synth_hotel *h)
{
	h->located = city->located;
	h->lat = city->lat;
	h->lng = city->lng;
	int32_t reach = city->is_resort ? 2500 : 3500;
	int32_t north = drg_rng_between(r, -reach, reach) + drg_rng_between(r, -reach, reach);
	int32_t east = drg_rng_between(r, -reach, reach) + drg_rng_between(r, -reach, reach);
	drg_synth_move(&h->lat, &h->lng, north, east);
}

static uint32_t draw_type(const struct drg_synth_world *w, struct drg_rng *r,
                          const struct drg_synth_name *name, bool is_resort)
{
	bool plain = name->type == 0 && drg_rng_chance(r, 700);
	if (!plain)
		return w->type_type[name->type];
	return is_resort ? w->beach_type : w->city_type;
}

/* The sorts of house that stand beside another of the same name. */
static unsigned draw_sister_type(struct drg_rng *r, const struct drg_synth_name *name)
{
	static const char *const sorts[] = { "Suites",      "Apartments",     "Villas",
		                             "Villa",       "Hostel",         "Residence",
		                             "Beach Hotel", "Boutique Hotel", "Club Hotel" };
	const char *wanted = sorts[drg_rng_below(r, sizeof sorts / sizeof sorts[0])];
	for (unsigned i = 0; i < drg_synth_n_types; i++)
		if (strcmp(drg_synth_types[i].word[DRG_LANG_EN], wanted) == 0 && i != name->type)
			return i;
	return 0;
}

void drg_synth_make_sister(struct drg_rng *r, struct drg_synth_hotel *h)
{
	struct drg_synth_name *name = &h->name;
	unsigned at = 0, type = draw_sister_type(r, name);
	while (at < name->n && name->w[at].role != DRG_ROLE_TYPE)
		at++;
	if (at == name->n)
		at = name->n < DRG_SYNTH_WORDS ? name->n++ : name->n - 1;
	name->type = type;
	/* A word of the name: an owner of two houses never leaves out what tells them apart. */
	name->w[at] = (struct drg_synth_word){ DRG_ROLE_WORD, drg_synth_type_word(type, DRG_LANG_EN) };
	if (h->address.number > 0 && drg_rng_chance(r, 600))
		h->address.number += 2 * drg_rng_below(r, 4);
	drg_synth_move(&h->lat, &h->lng, drg_rng_between(r, -150, 150), drg_rng_between(r, -150, 150));
	h->phone += drg_rng_below(r, 10);
}

void drg_synth_hotel_fill(const struct drg_synth_world *w, struct drg_rng *r, struct drg_synth_hotel *h)
{
	const struct drg_synth_element *city = &w->base->list[DRG_KIND_CITY].e[h->city];
	const struct drg_synth_country *country = w->country[h->country];
	drg_synth_name_make(r, country->flavour, city->name[DRG_LANG_EN], &h->name);
	h->stars = draw_stars(r);
	h->category = w->type_category[h->name.type];
	if (h->category == DRG_SYNTH_NONE || drg_rng_chance(r, 300))
		h->category = w->stars[h->stars];
	h->type = draw_type(w, r, &h->name, city->is_resort);
	drg_synth_address_make(r, country->flavour, &h->address);
	h->zip = drg_rng_below(r, 100000000);
	h->phone = 2000000 + drg_rng_below(r, 7999999);
	place_hotel(r, city, h);
	if (h->sister > 0) {
		struct drg_rng own = drg_rng(w->seed, DRG_RNG_HOTEL, h->sister - 1, 1);
		drg_synth_make_sister(&own, h);
	}
}
