#include "synth/hotel.h"

#include <stdlib.h>

#include "../unit.h"
#include "text/utf8.h"

static struct drg_synth_base base;
static struct drg_synth_world world;

static int set_up(void **state)
{
	(void)state;
	assert_int_equal(drg_synth_base_load(NULL, &base, NULL), DRG_OK);
	return drg_synth_world_make(7, false, &base, &world, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	drg_synth_base_done(&base);
	return 0;
}

static void make(uint64_t k, struct drg_synth_hotel *h)
{
	struct drg_rng r;
	drg_synth_hotel_begin(&world, k, &r, h);
	drg_synth_hotel_fill(&world, &r, h);
}

static void test_hotels_are_sound(void **state)
{
	(void)state;
	for (uint64_t k = 0; k < 5000; k++) {
		struct drg_synth_hotel h;
		make(k, &h);
		const struct drg_synth_element *city = &base.list[DRG_KIND_CITY].e[h.city];
		assert_true(h.city < base.list[DRG_KIND_CITY].n);
		assert_int_equal(h.country, city->parent);
		assert_true(h.category < base.list[DRG_KIND_HOTEL_CATEGORY].n);
		assert_true(h.type < base.list[DRG_KIND_HOTEL_TYPE].n);
		assert_in_range(h.stars, 1, 5);
		assert_in_range(h.name.n, 1, DRG_SYNTH_WORDS);
		assert_in_range(h.phone, 1000000, 9999999);
		assert_in_range(h.popularity, 400, 1600);
		assert_true(h.located);
		assert_true(labs((long)h.lat - city->lat) <= 7000 * 9);
	}
}

static void test_every_city_gets_its_share(void **state)
{
	(void)state;
	enum { HOTELS = 200000 };
	const struct drg_synth_list *cities = &base.list[DRG_KIND_CITY],
	                            *countries = &base.list[DRG_KIND_COUNTRY];
	unsigned *in_city = calloc(cities->n, sizeof *in_city),
	         *in_country = calloc(countries->n, sizeof *in_country);
	for (uint64_t k = 0; k < HOTELS; k++) {
		struct drg_rng r;
		struct drg_synth_hotel h;
		drg_synth_hotel_begin(&world, k, &r, &h);
		in_city[h.city]++;
		in_country[h.country]++;
	}
	for (uint32_t c = 0; c < cities->n; c++)
		assert_true(in_city[c] > 0);
	for (uint32_t c = 0; c < countries->n; c++) {
		uint64_t due = HOTELS * (world.country_weight[c] >> 12) / (world.weight_total >> 12);
		assert_in_range(in_country[c] + 100, due - due / 10, due + due / 10 + 200);
	}
	free(in_city);
	free(in_country);
}

static void test_moving_by_metres(void **state)
{
	(void)state;
	static const struct {
		int32_t lat, lng, north, east, to_lat, to_lng;
	} cases[] = {
		{ 0, 0, 1000, 1000, 8983, 8983 },          { 0, 0, -1000, -1000, -8983, -8983 },
		{ 60000000, 0, 0, 1000, 60000000, 17966 }, /* half a circle: twice the degrees */
		{ 89999999, 0, 1000, 0, 90000000, 0 },     { -89999999, 0, -1000, 0, -90000000, 0 },
		{ 0, 179999999, 0, 1000, 0, -179991018 },  { 0, -179999999, 0, -1000, 0, 179991018 },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		int32_t lat = cases[i].lat, lng = cases[i].lng;
		drg_synth_move(&lat, &lng, cases[i].north, cases[i].east);
		assert_int_equal(lat, cases[i].to_lat);
		assert_true(labs((long)lng - cases[i].to_lng) <= 60);
	}
}

static void test_names_of_every_flavour(void **state)
{
	(void)state;
	for (int f = 0; f < DRG_FLAVOUR_COUNT; f++) {
		struct drg_rng r = drg_rng(1, DRG_RNG_HOTEL, (uint64_t)f, 0);
		for (int i = 0; i < 300; i++) {
			struct drg_synth_name n;
			drg_synth_name_make(&r, (enum drg_synth_flavour)f, DRG_STR("Rome"), &n);
			assert_in_range(n.n, 1, DRG_SYNTH_WORDS);
			assert_true(n.type < drg_synth_n_types);
			for (unsigned w = 0; w < n.n; w++) {
				assert_true(n.w[w].text.n > 0 && drg_utf8_valid(n.w[w].text, NULL));
				assert_true(w == 0 || !drg_str_eq(n.w[w].text, n.w[w - 1].text));
			}
		}
	}
}

static void test_type_words_fall_back_to_english(void **state)
{
	(void)state;
	assert_true(drg_str_eq(drg_synth_type_word(0, DRG_LANG_TR), DRG_STR("Otel")));
	assert_true(drg_str_eq(drg_synth_type_word(0, DRG_LANG_DE), DRG_STR("Hotel")));
	assert_true(drg_str_eq(drg_synth_type_word(0, DRG_LANG_EN), DRG_STR("Hotel")));
}

static void test_addresses(void **state)
{
	(void)state;
	static const struct {
		struct drg_synth_address address;
		enum drg_synth_address_form form;
		const char *expected;
	} cases[] = {
		{ { DRG_FLAVOUR_TURKISH, 0, "Lara", 12 }, DRG_ADDRESS_FULL, "Lara Caddesi 12" },
		{ { DRG_FLAVOUR_TURKISH, 0, "Lara", 12 }, DRG_ADDRESS_SHORT, "Lara Cad. 12" },
		{ { DRG_FLAVOUR_TURKISH, 0, "Lara", 12 }, DRG_ADDRESS_NO_NUMBER, "Lara Caddesi" },
		{ { DRG_FLAVOUR_TURKISH, 0, "Lara", 12 }, DRG_ADDRESS_WITH_CITY, "Lara Cad. 12, Antalya" },
		{ { DRG_FLAVOUR_TURKISH, 1, "Lara", 0 }, DRG_ADDRESS_FULL, "Lara Sokak" },
		{ { DRG_FLAVOUR_FRENCH, 0, "du Port", 7 }, DRG_ADDRESS_FULL, "7 Rue du Port" },
		{ { DRG_FLAVOUR_SPANISH, 1, "del Mar", 7 }, DRG_ADDRESS_FULL, "Avenida del Mar 7" },
		{ { DRG_FLAVOUR_ENGLISH, 0, "High", 1 }, DRG_ADDRESS_FULL, "1 High Street" },
	};
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		drg_buf_clear(&b);
		drg_synth_address_write(&cases[i].address, cases[i].form, DRG_STR("Antalya"), &b);
		assert_true(drg_str_eq(drg_buf_view(&b), drg_str_c(cases[i].expected)));
	}
	struct drg_rng r = drg_rng(1, DRG_RNG_HOTEL, 0, 0);
	for (int i = 0; i < DRG_FLAVOUR_COUNT * 100; i++) {
		struct drg_synth_address a;
		drg_synth_address_make(&r, (enum drg_synth_flavour)(i % DRG_FLAVOUR_COUNT), &a);
		drg_buf_clear(&b);
		drg_synth_address_write(&a, DRG_ADDRESS_FULL, drg_str(NULL, 0), &b);
		assert_true(b.n > 4 && drg_utf8_valid(drg_buf_view(&b), NULL));
	}
	drg_buf_done(&b);
}

static void test_countries_without_a_row_are_small(void **state)
{
	(void)state;
	assert_int_equal(drg_synth_country("TR")->flavour, DRG_FLAVOUR_TURKISH);
	assert_int_equal(drg_synth_country("TR")->phone, 90);
	assert_int_equal(drg_synth_country("QQ")->phone, 800);
	assert_int_equal(drg_synth_country("")->lang, DRG_LANG_EN);
}

static bool says(const struct drg_synth_hotel *h, const char *word)
{
	for (unsigned i = 0; i < h->name.n; i++)
		if (drg_str_eq(h->name.w[i].text, drg_str_c(word)))
			return true;
	return false;
}

static void test_where_life_is_hard_every_sixth_is_a_sister_of_the_one_before(void **state)
{
	(void)state;
	struct drg_synth_hotel plain, before, sister;
	for (uint64_t k = 0; k < 3000; k++) {
		world.hard = false;
		make(k, &plain);
		world.hard = true;
		make(k, &sister);
		if (k % 6 == 5) {
			make(k - 1, &before);
			assert_int_equal(sister.city, before.city);
			assert_string_equal(sister.address.street, before.address.street);
			assert_in_range(abs(sister.lat - before.lat), 0, 3000);
			assert_true(says(&sister, drg_synth_type_word(sister.name.type, DRG_LANG_EN).p));
			assert_int_not_equal(sister.name.type, before.name.type);
		} else {
			assert_int_equal(sister.lat, plain.lat);
			assert_int_equal(sister.sister, 0);
		}
	}
	world.hard = false;
}

GROUP(hotel)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_hotels_are_sound),
		cmocka_unit_test(test_every_city_gets_its_share),
		cmocka_unit_test(test_where_life_is_hard_every_sixth_is_a_sister_of_the_one_before),
		cmocka_unit_test(test_moving_by_metres),
		cmocka_unit_test(test_names_of_every_flavour),
		cmocka_unit_test(test_type_words_fall_back_to_english),
		cmocka_unit_test(test_addresses),
		cmocka_unit_test(test_countries_without_a_row_are_small),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
