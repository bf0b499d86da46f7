#include "api/selection.h"

#include <stdlib.h>

#include "base/bound.h"

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

static int selection_by_number(const void *a, const void *b)
{
	drg_handle x = *(const drg_handle *)a, y = *(const drg_handle *)b;
	return x < y ? -1 : x > y;
}

/* Sort and keep one of each, without "no handle". */
static size_t distinct(drg_handle *h, size_t n)
{
	if (n > 0)
		qsort(h, n, sizeof *h, selection_by_number);
	size_t left = 0;
	for (size_t i = 0; i < n; i++)
		if (h[i] != DRG_NO_HANDLE && (left == 0 || h[left - 1] != h[i]))
			h[left++] = h[i];
	return left;
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

/* Handles that directions name; ascending, distinct. */
struct named {
	drg_handle *h;
	size_t n;
};

static bool names(const struct named *named, drg_handle h)
{
	return named->n > 0 && bsearch(&h, named->h, named->n, sizeof h, selection_by_number) != NULL;
}

/* The records that operators' directions name: by listed operators, and by the others. */
struct directions {
	struct named countries[2], dep_cities[2]; /* by "is listed" */
};

static int read_directions(const struct drg_catalog *cat, bool demo, struct drg_arena *arena,
                           struct directions *ret)
{
	const struct drg_direction *dirs;
	size_t n = drg_catalog_directions(cat, &dirs);
	for (unsigned i = 0; i < 2; i++) {
		ret->countries[i] = (struct named){ drg_arena_calloc(arena, n, sizeof(drg_handle)), 0 };
		ret->dep_cities[i] = (struct named){ drg_arena_calloc(arena, n, sizeof(drg_handle)), 0 };
		if (ret->countries[i].h == NULL || ret->dep_cities[i].h == NULL)
			return DRG_ENOMEM;
	}
	const struct drg_adapter *a = NULL;
	for (size_t i = 0; i < n; i++) {
		/* Directions come sorted by adapter: one look-up for each run. */
		if (i == 0 || dirs[i].adapter != dirs[i - 1].adapter)
			a = drg_catalog_adapter(cat, dirs[i].adapter);
		if (a == NULL || a->domain != DRG_DOMAIN_TOUR)
			continue;
		struct named *c = &ret->countries[is_listed(a, demo)],
		             *d = &ret->dep_cities[is_listed(a, demo)];
		c->h[c->n++] = handle_of(cat, DRG_KIND_COUNTRY, dirs[i].country);
		d->h[d->n++] = handle_of(cat, DRG_KIND_DEP_CITY, dirs[i].dep_city);
	}
	for (unsigned i = 0; i < 2; i++) {
		ret->countries[i].n = distinct(ret->countries[i].h, ret->countries[i].n);
		ret->dep_cities[i].n = distinct(ret->dep_cities[i].h, ret->dep_cities[i].n);
	}
	return DRG_OK;
}

static bool has_hotels(const struct drg_catalog *cat, drg_handle country)
{
	const drg_handle *all;
	struct drg_dict d;
	size_t n = drg_catalog_country_hotels(cat, country, &all), i = 0;
	while (i < n && !(drg_catalog_dict_at(cat, all[i], &d) && d.country == country))
		i++;
	return i < n;
}

/* R3: flown to by a listed operator; or by none at all, and there are hotels. */
static void keep_countries(const struct drg_catalog *cat, const struct directions *dirs,
                           struct drg_selection *sel)
{
	size_t left = 0;
	for (size_t i = 0; i < sel->n_countries; i++) {
		drg_handle h = sel->countries[i];
		if (names(&dirs->countries[true], h) ||
		    (!names(&dirs->countries[false], h) && has_hotels(cat, h)))
			sel->countries[left++] = h;
	}
	sel->n_countries = left;
}

/* R3: all but those from which only operators fly that are not listed. */
static void keep_dep_cities(const struct directions *dirs, struct drg_selection *sel)
{
	size_t left = 0;
	for (size_t i = 0; i < sel->n_dep_cities; i++) {
		drg_handle h = sel->dep_cities[i];
		if (names(&dirs->dep_cities[true], h) || !names(&dirs->dep_cities[false], h))
			sel->dep_cities[left++] = h;
	}
	sel->n_dep_cities = left;
}

static void keep_dep_cities_of(const struct drg_catalog *cat, const char *country_code,
                               struct drg_selection *sel)
{
	struct drg_str code = drg_str_c(country_code);
	size_t left = 0;
	for (size_t i = 0; i < sel->n_dep_cities; i++) {
		struct drg_dict city, country;
		if (drg_catalog_dict_at(cat, sel->dep_cities[i], &city) &&
		    drg_catalog_dict_at(cat, city.country, &country) && drg_str_eq(country.code, code))
			sel->dep_cities[left++] = sel->dep_cities[i];
	}
	sel->n_dep_cities = left;
}

int drg_select_main(const struct drg_catalog *cat, bool demo, const char *country_code,
                    struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr)
{
	struct drg_selection sel = { 0 };
	struct directions dirs;
	int rc = select_operators(cat, demo, arena, &sel);
	if (rc == DRG_OK)
		rc = read_directions(cat, demo, arena, &dirs);
	if (rc == DRG_OK)
		rc = every_one(cat, DRG_KIND_COUNTRY, arena, &sel.countries, &sel.n_countries);
	if (rc == DRG_OK)
		rc = every_one(cat, DRG_KIND_DEP_CITY, arena, &sel.dep_cities, &sel.n_dep_cities);
	if (rc != DRG_OK)
		return drg_fail_memory(reterr);
	keep_countries(cat, &dirs, &sel);
	keep_dep_cities(&dirs, &sel);
	if (country_code[0] != '\0')
		keep_dep_cities_of(cat, country_code, &sel);
	*ret = sel;
	return DRG_OK;
}

static bool serves(const struct drg_direction *dirs, size_t n, int64_t adapter, int64_t dep_city,
                   int64_t country)
{
	size_t at;
	DRG_BOUND(at, n, i,
	          dirs[i].adapter != adapter     ? dirs[i].adapter < adapter
	          : dirs[i].dep_city != dep_city ? dirs[i].dep_city < dep_city
	                                         : dirs[i].country < country);
	return at < n && dirs[at].adapter == adapter && dirs[at].dep_city == dep_city &&
	       dirs[at].country == country;
}

static bool linked(const struct drg_catalog *cat, const struct drg_selection *sel, drg_handle hotel)
{
	struct drg_source s;
	for (size_t i = 0; i < sel->n_operators; i++)
		if (drg_catalog_first_source(cat, sel->operators[i], DRG_KIND_HOTEL, hotel, &s))
			return true;
	return false;
}

/* Does any operator fly it, whatever its stage? */
static bool is_flown(const struct drg_catalog *cat, const struct drg_direction *dirs, size_t n_dirs,
                     int64_t dep_city, int64_t country)
{
	const struct drg_adapter *all;
	size_t n = drg_catalog_adapters(cat, &all), i = 0;
	while (i < n &&
	       !(all[i].domain == DRG_DOMAIN_TOUR && serves(dirs, n_dirs, all[i].id, dep_city, country)))
		i++;
	return i < n;
}

static int select_hotels(const struct drg_catalog *cat, drg_handle country, struct drg_arena *arena,
                         struct drg_selection *sel)
{
	const drg_handle *all;
	size_t n = country != DRG_NO_HANDLE ? drg_catalog_country_hotels(cat, country, &all) : 0;
	sel->hotels = drg_arena_calloc(arena, n, sizeof(drg_handle));
	sel->cities = drg_arena_calloc(arena, n, sizeof(drg_handle));
	if (sel->hotels == NULL || sel->cities == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < n; i++) {
		struct drg_dict d;
		if (!drg_catalog_dict_at(cat, all[i], &d) || d.country != country)
			continue;
		if (sel->n_operators > 0 && !linked(cat, sel, all[i]))
			continue;
		sel->cities[sel->n_hotels] = d.city;
		sel->hotels[sel->n_hotels++] = all[i];
	}
	sel->n_cities = distinct(sel->cities, sel->n_hotels);
	return DRG_OK;
}

int drg_select_hotels(const struct drg_catalog *cat, bool demo, int64_t dep_city, int64_t country,
                      struct drg_arena *arena, struct drg_selection *ret, struct drg_err *reterr)
{
	struct drg_selection sel = { 0 };
	const struct drg_direction *dirs;
	size_t n_dirs = drg_catalog_directions(cat, &dirs);
	if (select_operators(cat, demo, arena, &sel) != DRG_OK)
		return drg_fail_memory(reterr);
	size_t left = 0;
	for (size_t i = 0; i < sel.n_operators; i++)
		if (serves(dirs, n_dirs, sel.operators[i]->id, dep_city, country))
			sel.operators[left++] = sel.operators[i];
	sel.n_operators = left;
	bool hidden = left == 0 && is_flown(cat, dirs, n_dirs, dep_city, country);
	drg_handle where = hidden ? DRG_NO_HANDLE : handle_of(cat, DRG_KIND_COUNTRY, country);
	if (select_hotels(cat, where, arena, &sel) != DRG_OK)
		return drg_fail_memory(reterr);
	*ret = sel;
	return DRG_OK;
}
