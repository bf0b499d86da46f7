/* Places and the names of their cities. */
#include "../unit.h"
#include "../prepared.h"

#include <stdio.h>

#include "base/compiler.h"
#include "match/place.h"

static struct drg_normal *normal;
static struct drg_vocab vocab;
static struct drg_places list;

static int set_up(void **state)
{
	(void)state;
	struct drg_err err;
	drg_vocab_init(&vocab);
	drg_places_init(&list, &vocab);
	return drg_normal_new(&normal, &err);
}

static int tear_down(void **state)
{
	(void)state;
	drg_normal_free(normal);
	drg_places_done(&list);
	drg_vocab_done(&vocab);
	return 0;
}

/* @param own  As the record writes its city. @return the record */
static const struct drg_place_record *add(const char *name, const char *own, struct drg_place_city *cities,
                                          unsigned n_cities)
{
	static struct drg_place_input in;
	in = (struct drg_place_input){ .names = { drg_str_c(name) }, .n_names = 1, .lat = NAN, .lng = NAN };
	in.country = in.city = in.category = DRG_PLACE_UNKNOWN;
	in.city_name = drg_str_c(own);
	in.cities = cities;
	in.n_cities = n_cities;
	assert_int_equal(drg_places_add(&list, normal, &in), DRG_OK);
	return drg_place(&list, drg_places_size(&list) - 1);
}

/* Its forms, "|" between them, "~" before one that is without its city. */
static const char *forms(const struct drg_place_record *r)
{
	static char text[500];
	size_t n = 0;
	text[0] = '\0';
	for (unsigned i = 0; i < r->n_forms; i++) {
		const struct drg_form *f = drg_place_form(&list, r, i);
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%s", i > 0 ? "|" : "",
		                      f->local ? "~" : "");
		for (unsigned k = 0; k < f->n; k++) {
			struct drg_str t = drg_token_text(&vocab, drg_place_tokens(&list, f->tokens)[k]);
			n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s", k > 0 ? " " : "",
			                      DRG_STR_ARG(t));
		}
	}
	return text;
}

static void a_form_leaves_out_the_name_of_its_city(void **state)
{
	(void)state;
	struct drg_place_city cities[] = { { .name = DRG_STR("Side") },
		                           { .name = DRG_STR("***") },
		                           { .name = DRG_STR("Сіде") },
		                           { .name = DRG_STR("Eski Antalya") } };
	unsigned n = DRG_ARRAY_LEN(cities);
	assert_string_equal(forms(add("Orkide Side Belmondo", "", cities, n)),
	                    "orkide side belmondo|~orkide belmondo");
	uint32_t words = drg_vocab_size(&vocab);
	for (unsigned i = 0; i < 3; i++) /* the names are known by now */
		assert_string_equal(forms(add("Orkide Side Belmondo", "", cities, n)),
		                    "orkide side belmondo|~orkide belmondo");
	assert_int_equal(drg_vocab_size(&vocab), words);
	assert_string_equal(forms(add("Belmondo Eski Antalya Orkide", "", cities, n)),
	                    "belmondo eski antalya orkide|~belmondo orkide");
	assert_string_equal(forms(add("Orkide Side Belmondo", "", NULL, 0)), "orkide side belmondo");
	assert_string_equal(forms(add("Side", "", cities, n)), "side");
}

static void its_own_name_for_the_city_comes_first(void **state)
{
	(void)state;
	struct drg_place_city cities[] = { { .name = DRG_STR("Side") } };
	assert_string_equal(forms(add("Orkide Manavgat Side", "Manavgat", cities, 1)),
	                    "orkide manavgat side|~orkide side|~orkide manavgat|~orkide");
}

/* The names of the city that are looked at are DRG_PLACE_CITIES at most, its own one among them. */
static void names_beyond_the_ceiling_are_not_looked_at(void **state)
{
	(void)state;
	static struct drg_place_city cities[DRG_PLACE_CITIES];
	for (unsigned i = 0; i < DRG_PLACE_CITIES; i++)
		cities[i].name = DRG_STR("Nirgendwo");
	cities[DRG_PLACE_CITIES - 1].name = DRG_STR("Side");
	assert_string_equal(forms(add("Orkide Side", "", cities, DRG_PLACE_CITIES)), "orkide side|~orkide");
	assert_string_equal(forms(add("Orkide Side", "Manavgat", cities, DRG_PLACE_CITIES)), "orkide side");
}

/* Whoever registers hotels chooses their words, and the tokens of all suppliers are in one table. */
static void prepared_words_cost_what_others_cost(void **state)
{
	(void)state;
	enum { WORDS = 8192 };
	char word[PREPARED_WORD];
	uint64_t number = 0;
	for (unsigned i = 0; i < WORDS; i++) {
		number = prepared_word(number, 0, (size_t)2 * WORDS, word);
		add(word, "", NULL, 0);
	}
	assert_true(vocab.table.n >= WORDS);
	assert_true(slots_passed(&vocab.table) < (uint64_t)2 * WORDS);
}

static void forms_tell_whether_they_have_numbers_and_residence_words(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		bool number, residence;
	} cases[] = {
		{ "Orkide Belmondo", false, false }, { "Orkide 2", true, false },
		{ "Orkide Residence", false, true }, { "Orkide Suites 7a", true, true },
		{ "Orkide Second", true, false },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_form *f = drg_place_form(&list, add(cases[i].name, "", NULL, 0), 0);
		assert_int_equal(f->has_number, cases[i].number);
		assert_int_equal(f->has_residence, cases[i].residence);
	}
}

/* How often a name is there tells how little it says: a place that has it in several languages has it once. */
static void a_place_counts_once_for_each_of_its_names(void **state)
{
	(void)state;
	struct drg_place_input in = { .names = { DRG_STR("Orkide"), DRG_STR("Hotel Orkide"),
		                                 DRG_STR("Orkide") },
		                      .n_names = 3,
		                      .lat = NAN,
		                      .lng = NAN,
		                      .country = 1,
		                      .city = 2,
		                      .category = DRG_PLACE_UNKNOWN };
	for (uint32_t n = 1; n <= 2; n++) {
		assert_int_equal(drg_places_add(&list, normal, &in), DRG_OK);
		const struct drg_form *f = drg_place_form(&list, drg_place(&list, n - 1), 0);
		uint64_t core = drg_core_key(f->core);
		assert_int_equal(drg_tally_get(&list.often, f->joined), n);
		assert_int_equal(drg_tally_get(&list.often, drg_area_key(f->joined, DRG_AREA_COUNTRY, 1)), n);
		assert_int_equal(drg_tally_get(&list.often, core), n);
		assert_int_equal(drg_tally_get(&list.often, drg_area_key(core, DRG_AREA_COUNTRY, 1)), n);
		assert_int_equal(drg_tally_get(&list.often, drg_area_key(core, DRG_AREA_CITY, 2)), n);
	}
}

/* "Baku, Azerbaijan": at the end only, and where something is left that tells houses apart. */
static void a_form_leaves_out_the_name_of_its_country(void **state)
{
	(void)state;
	static const struct {
		const char *name, *forms;
	} cases[] = {
		{ "Orkide Baku, Azerbaijan",
		  "orkide baku azerbaijan|orkide baku|~orkide azerbaijan|~orkide" },
		{ "Azerbaijan Orkide", "azerbaijan orkide" },
		{ "Hotel Azerbaijan", "hotel azerbaijan" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_place_city city = { .name = DRG_STR("Baku") },
		                      country = { .name = DRG_STR("Azerbaijan") };
		struct drg_place_input in = { .names = { drg_str_c(cases[i].name) }, .n_names = 1 };
		in.cities = &city;
		in.countries = &country;
		in.n_cities = in.n_countries = 1;
		assert_int_equal(drg_places_add(&list, normal, &in), DRG_OK);
		assert_string_equal(forms(drg_place(&list, (uint32_t)i)), cases[i].forms);
	}
}

GROUP(place)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_form_leaves_out_the_name_of_its_city, set_up, tear_down),
		cmocka_unit_test_setup_teardown(its_own_name_for_the_city_comes_first, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_form_leaves_out_the_name_of_its_country, set_up, tear_down),
		cmocka_unit_test_setup_teardown(names_beyond_the_ceiling_are_not_looked_at, set_up,
		                                tear_down),
		cmocka_unit_test_setup_teardown(prepared_words_cost_what_others_cost, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_place_counts_once_for_each_of_its_names, set_up, tear_down),
		cmocka_unit_test_setup_teardown(forms_tell_whether_they_have_numbers_and_residence_words,
		                                set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
