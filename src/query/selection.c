#include "query/selection.h"

#include <stdlib.h>

static int out_of_memory(struct drg_err *err)
{
	return drg_fail(err, DRG_ENOMEM, NULL, NULL, "out of memory while a list is being selected");
}

/* R1: adapters of domain tour that are live, or with demo being mapped. */
static bool is_listed(const struct drg_adapter *a, bool demo)
{
	return a->domain == DRG_DOMAIN_TOUR && (a->stage == DRG_STAGE_LIVE || demo);
}

static int select_operators(const struct drg_catalog *cat, bool demo, struct drg_arena *arena,
                            struct drg_selection *sel)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(cat, &all);
	sel->operators = drg_arena_calloc(arena, n, sizeof(struct drg_adapter *));
	if (sel->operators == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < n; i++)
		if (is_listed(&all[i], demo))
			sel->operators[sel->n_operators++] = &all[i];
	return DRG_OK;
}

static int by_number(const void *a, const void *b)
{
	drg_handle x = *(const drg_handle *)a, y = *(const drg_handle *)b;
	return x < y ? -1 : x > y;
}

/* Sort and keep one of each, without "no handle". */
static size_t distinct(drg_handle *h, size_t n)
{
	if (n > 0)
		qsort(h, n, sizeof *h, by_number);
	size_t kept = 0;
	for (size_t i = 0; i < n; i++)
		if (h[i] != DRG_NO_HANDLE && (kept == 0 || h[kept - 1] != h[i]))
			h[kept++] = h[i];
	return kept;
}

/* The live records of a kind. */
static int every_one(const struct drg_catalog *cat, enum drg_kind kind, struct drg_arena *arena,
                     drg_handle **ret, size_t *ret_n)
{
	const drg_handle *all;
	size_t n = drg_catalog_kind_handles(cat, kind, &all);
	*ret = drg_arena_calloc(arena, n, sizeof **ret);
	if (*ret == NULL)
		return DRG_ENOMEM;
	struct drg_dict d;
	*ret_n = 0;
	for (size_t i = 0; i < n; i++)
		if (drg_catalog_dict_at(cat, all[i], &d))
			(*ret)[(*ret_n)++] = all[i];
	return DRG_OK;
}

static drg_handle handle_of(const struct drg_catalog *cat, enum drg_kind kind, int64_t id)
{
	struct drg_dict d;
	return drg_catalog_dict(cat, kind, id, &d) ? d.handle : DRG_NO_HANDLE;
}

/* Countries and departure cities of the directions of the listed operators. */
static int named_by_directions(const struct drg_catalog *cat, bool demo, const struct drg_direction *dirs,
                               size_t n, struct drg_arena *arena, struct drg_selection *sel)
{
	sel->countries = drg_arena_calloc(arena, n, sizeof(drg_handle));
	sel->dep_cities = drg_arena_calloc(arena, n, sizeof(drg_handle));
	if (sel->countries == NULL || sel->dep_cities == NULL)
		return DRG_ENOMEM;
	const struct drg_adapter *a = NULL;
	size_t used = 0;
	for (size_t i = 0; i < n; i++) {
		/* Directions come sorted by adapter: one look-up for each run. */
		if (i == 0 || dirs[i].adapter != dirs[i - 1].adapter)
			a = drg_catalog_adapter(cat, dirs[i].adapter);
		if (a == NULL || !is_listed(a, demo))
			continue;
		sel->countries[used] = handle_of(cat, DRG_KIND_COUNTRY, dirs[i].country);
		sel->dep_cities[used++] = handle_of(cat, DRG_KIND_DEP_CITY, dirs[i].dep_city);
	}
	sel->n_countries = distinct(sel->countries, used);
	sel->n_dep_cities = distinct(sel->dep_cities, used);
	return DRG_OK;
}

static void keep_dep_cities_of(const struct drg_catalog *cat, const char *country_code,
                               struct drg_selection *sel)
{
	struct drg_str code = drg_str_c(country_code);
	size_t kept = 0;
	for (size_t i = 0; i < sel->n_dep_cities; i++) {
		struct drg_dict city, country;
		if (drg_catalog_dict_at(cat, sel->dep_cities[i], &city) &&
		    drg_catalog_dict_at(cat, city.country, &country) && drg_str_eq(country.code, code))
			sel->dep_cities[kept++] = sel->dep_cities[i];
	}
	sel->n_dep_cities = kept;
}

int drg_select_main(const struct drg_catalog *cat, bool demo, const char *country_code,
                    struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr)
{
	struct drg_selection sel = { 0 };
	const struct drg_direction *dirs;
	size_t n = drg_catalog_directions(cat, &dirs);
	int rc = select_operators(cat, demo, arena, &sel);
	if (rc == DRG_OK && n > 0)
		rc = named_by_directions(cat, demo, dirs, n, arena, &sel);
	if (rc == DRG_OK && n == 0)
		rc = every_one(cat, DRG_KIND_COUNTRY, arena, &sel.countries, &sel.n_countries);
	if (rc == DRG_OK && n == 0)
		rc = every_one(cat, DRG_KIND_DEP_CITY, arena, &sel.dep_cities, &sel.n_dep_cities);
	if (rc != DRG_OK)
		return out_of_memory(reterr);
	if (country_code[0] != '\0')
		keep_dep_cities_of(cat, country_code, &sel);
	*ret = sel;
	return DRG_OK;
}

static bool serves(const struct drg_direction *dirs, size_t n, int64_t adapter, int64_t dep_city,
                   int64_t country)
{
	size_t lo = 0, hi = n;
	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;
		const struct drg_direction *d = &dirs[mid];
		if (d->adapter < adapter ||
		    (d->adapter == adapter &&
		     (d->dep_city < dep_city || (d->dep_city == dep_city && d->country < country))))
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < n && dirs[lo].adapter == adapter && dirs[lo].dep_city == dep_city &&
	       dirs[lo].country == country;
}

static bool linked(const struct drg_catalog *cat, const struct drg_selection *sel, drg_handle hotel)
{
	struct drg_source s;
	for (size_t i = 0; i < sel->n_operators; i++)
		if (drg_catalog_first_source(cat, sel->operators[i], DRG_KIND_HOTEL, hotel, &s))
			return true;
	return false;
}

int drg_select_hotels(const struct drg_catalog *cat, bool demo, int64_t dep_city, int64_t country,
                      struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr)
{
	struct drg_selection sel = { 0 };
	const struct drg_direction *dirs;
	size_t n_dirs = drg_catalog_directions(cat, &dirs);
	if (select_operators(cat, demo, arena, &sel) != DRG_OK)
		return out_of_memory(reterr);
	size_t kept = 0;
	for (size_t i = 0; i < sel.n_operators; i++)
		if (serves(dirs, n_dirs, sel.operators[i]->id, dep_city, country))
			sel.operators[kept++] = sel.operators[i];
	sel.n_operators = kept;

	drg_handle where = handle_of(cat, DRG_KIND_COUNTRY, country);
	const drg_handle *all;
	size_t n = where != DRG_NO_HANDLE ? drg_catalog_country_hotels(cat, where, &all) : 0;
	sel.hotels = drg_arena_calloc(arena, n, sizeof(drg_handle));
	sel.cities = drg_arena_calloc(arena, n, sizeof(drg_handle));
	if (sel.hotels == NULL || sel.cities == NULL)
		return out_of_memory(reterr);
	for (size_t i = 0; i < n; i++) {
		struct drg_dict d;
		if (!drg_catalog_dict_at(cat, all[i], &d) || d.country != where)
			continue;
		if (sel.n_operators > 0 && !linked(cat, &sel, all[i]))
			continue;
		sel.cities[sel.n_hotels] = d.city;
		sel.hotels[sel.n_hotels++] = all[i];
	}
	sel.n_cities = distinct(sel.cities, sel.n_hotels);
	*ret = sel;
	return DRG_OK;
}
