/* Decisions R1 to R3, on a small world: operators 1 (live), 2 (mapping), 3 (air); countries 10 TR, 20 UA, 30
 * PT; departure cities 101 of UA, 102 of PT, 103 of no country; hotels 1001 (city 501) and 1002 (city 502) in
 * TR, 1003 in PT, none in UA. */
#include "../catalog/records.h"

#include "api/selection.h"

static struct drg_catalog *cat;
static struct drg_arena arena;

static void add_adapter(int64_t id, const char *code, enum drg_domain domain, enum drg_stage stage)
{
	struct drg_record r = adapter(id, code);
	drg_record_set_i(&r, DRG_F_DOMAIN, domain);
	drg_record_set_i(&r, DRG_F_STAGE, stage);
	apply(cat, &r);
}

static void add_country(int64_t id, const char *code)
{
	struct drg_record r = dict(DRG_KIND_COUNTRY, id, "{\"en\":\"c\"}");
	drg_record_set_s(&r, DRG_F_ISO_ALPHA_2, drg_str_c(code));
	apply(cat, &r);
}

static void add_dep_city(int64_t id, int64_t country)
{
	struct drg_record r = dict(DRG_KIND_DEP_CITY, id, "{\"en\":\"d\"}");
	if (country != 0)
		drg_record_set_i(&r, DRG_F_COUNTRY_ID, country);
	apply(cat, &r);
}

static void add(struct drg_record r)
{
	apply(cat, &r);
}

static void add_world(void)
{
	add_adapter(1, "live", DRG_DOMAIN_TOUR, DRG_STAGE_LIVE);
	add_adapter(2, "soon", DRG_DOMAIN_TOUR, DRG_STAGE_MAPPING);
	add_adapter(3, "air", DRG_DOMAIN_AIR, DRG_STAGE_LIVE);
	add_country(10, "TR");
	add_country(20, "UA");
	add_country(30, "PT");
	add_dep_city(101, 20);
	add_dep_city(102, 30);
	add_dep_city(103, 0);
	add(dict(DRG_KIND_CITY, 501, "{\"en\":\"A\"}"));
	add(dict(DRG_KIND_CITY, 502, "{\"en\":\"B\"}"));
	add(dict_hotel(1001, "{\"en\":\"H1\"}", 10, 501, 1));
	add(dict_hotel(1002, "{\"en\":\"H2\"}", 10, 502, 1));
	add(dict_hotel(1003, "{\"en\":\"H3\"}", 30, 502, 1));
	add(mapped(1, DRG_KIND_HOTEL, "x", 1001));
	add(mapped(2, DRG_KIND_HOTEL, "y", 1002));
	publish(cat, 1);
}

/* Operator 1 flies 101 -> 10, operator 2 flies 102 -> 30, 3 has no say. */
static void add_directions(void)
{
	add(direction(1, 101, 10));
	add(direction(2, 102, 30));
	add(direction(3, 103, 30));
	publish(cat, 2);
}

/* "1,2": ids of handles in ascending order. */
static const char *ids(const drg_handle *h, size_t n)
{
	static char text[256];
	int64_t id[16];
	assert_true(n <= DRG_ARRAY_LEN(id));
	for (size_t i = 0; i < n; i++) {
		struct drg_dict d;
		assert_true(drg_catalog_dict_at(cat, h[i], &d));
		size_t at = i;
		for (; at > 0 && id[at - 1] > d.id; at--)
			id[at] = id[at - 1];
		id[at] = d.id;
	}
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < n; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? ",%d" : "%d", (int)id[i]);
	return text;
}

static const char *operators(const struct drg_selection *s)
{
	static char text[64];
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < s->n_operators; i++)
		used += (size_t)snprintf(text + used, sizeof text - used, i > 0 ? ",%d" : "%d",
		                         (int)s->operators[i]->id);
	return text;
}

static void main_lists_follow_the_directions(void **state)
{
	static const struct {
		bool demo, directions;
		const char *code, *operators, *countries, *dep_cities;
	} cases[] = {
		{ false, true, "", "1", "10", "101,103" },
		{ true, true, "", "1,2", "10,30", "101,102,103" },
		{ false, false, "", "1", "10,30", "101,102,103" }, /* nobody flies: where hotels are */
		{ true, true, "UA", "1,2", "10,30", "101" },
		{ true, true, "PT", "1,2", "10,30", "102" },
		{ true, true, "--", "1,2", "10,30", "" },
		{ false, false, "UA", "1", "10,30", "101" },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_selection s;
		cat = new_catalog(1 << 24);
		add_world();
		if (cases[i].directions)
			add_directions();
		assert_int_equal(drg_select_main(cat, cases[i].demo, cases[i].code, &arena, &s, NULL),
		                 DRG_OK);
		assert_string_equal(operators(&s), cases[i].operators);
		assert_string_equal(ids(s.countries, s.n_countries), cases[i].countries);
		assert_string_equal(ids(s.dep_cities, s.n_dep_cities), cases[i].dep_cities);
		drg_catalog_free(cat);
	}
}

static void hotels_are_those_of_who_flies_there(void **state)
{
	static const struct {
		bool demo;
		int64_t dep_city, country;
		const char *operators, *hotels, *cities;
	} cases[] = {
		{ false, 101, 10, "1", "1001", "501" },
		{ true, 101, 10, "1", "1001", "501" },
		{ false, 102, 10, "", "1001,1002",
		  "501,502" }, /* nobody flies it: every hotel of the country */
		{ false, 102, 30, "", "", "" }, /* only operator 2 flies it, which is not listed */
		{ true, 102, 30, "2", "", "" }, /* operator 2 flies it and is linked to nothing there */
		{ false, 103, 30, "", "1003", "502" }, /* a supplier of flights is no operator */
		{ false, 101, 20, "", "", "" },
		{ false, 101, 999, "", "", "" },
		{ false, 999, 10, "", "1001,1002", "501,502" },
	};
	(void)state;
	cat = new_catalog(1 << 24);
	add_world();
	add_directions();
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_selection s;
		assert_int_equal(drg_select_hotels(cat, cases[i].demo, cases[i].dep_city, cases[i].country,
		                                   &arena, &s, NULL),
		                 DRG_OK);
		assert_string_equal(operators(&s), cases[i].operators);
		assert_string_equal(ids(s.hotels, s.n_hotels), cases[i].hotels);
		assert_string_equal(ids(s.cities, s.n_cities), cases[i].cities);
	}
	drg_catalog_free(cat);
}

static void what_is_gone_is_left_out(void **state)
{
	(void)state;
	struct drg_selection s;
	cat = new_catalog(1 << 24);
	add_world();
	add_directions();
	add(gone(dict(DRG_KIND_COUNTRY, 10, "")));
	add(gone(dict(DRG_KIND_HOTEL, 1003, "")));
	add(dict_hotel(1001, "{\"en\":\"H1\"}", 30, 501, 1)); /* moved to another country */
	publish(cat, 3);
	assert_int_equal(drg_select_main(cat, true, "", &arena, &s, NULL), DRG_OK);
	assert_string_equal(ids(s.countries, s.n_countries), "30");
	assert_int_equal(drg_select_hotels(cat, false, 101, 10, &arena, &s, NULL), DRG_OK);
	assert_int_equal(s.n_hotels, 0);
	assert_int_equal(drg_select_hotels(cat, false, 101, 30, &arena, &s, NULL), DRG_OK);
	assert_string_equal(ids(s.hotels, s.n_hotels), "1001");
	drg_catalog_free(cat);
}

static void an_empty_catalog_selects_nothing(void **state)
{
	(void)state;
	struct drg_selection s;
	cat = new_catalog(1 << 24);
	assert_int_equal(drg_select_main(cat, true, "", &arena, &s, NULL), DRG_OK);
	assert_int_equal(s.n_operators + s.n_countries + s.n_dep_cities, 0);
	assert_int_equal(drg_select_hotels(cat, true, 1, 1, &arena, &s, NULL), DRG_OK);
	assert_int_equal(s.n_operators + s.n_hotels + s.n_cities, 0);
	drg_catalog_free(cat);
}

static void a_full_arena_is_an_error(void **state)
{
	(void)state;
	struct drg_arena tiny;
	struct drg_err err = { 0 };
	struct drg_selection s = { .n_hotels = 77 };
	cat = new_catalog(1 << 24);
	add_world();
	add_directions();
	drg_arena_init(&tiny, 8);
	assert_int_equal(drg_select_main(cat, true, "", &tiny, &s, &err), DRG_ENOMEM);
	assert_int_equal(drg_select_hotels(cat, true, 101, 10, &tiny, &s, &err), DRG_ENOMEM);
	assert_int_equal(s.n_hotels, 77);
	drg_arena_done(&tiny);
	drg_catalog_free(cat);
}

static int set_up(void **state)
{
	(void)state;
	drg_arena_init(&arena, SIZE_MAX);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_arena_done(&arena);
	return 0;
}

GROUP(selection)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(main_lists_follow_the_directions),
		cmocka_unit_test(hotels_are_those_of_who_flies_there),
		cmocka_unit_test(what_is_gone_is_left_out),
		cmocka_unit_test(an_empty_catalog_selects_nothing),
		cmocka_unit_test(a_full_arena_is_an_error),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
