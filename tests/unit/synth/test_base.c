#include "synth/base.h"

#include <stdio.h>
#include <unistd.h>

#include "../unit.h"
#include "text/utf8.h"

#define COUNTRY                                                                                              \
	"{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"Utopia\",\"iso_alpha_2\":\"UT\"}\n"

static struct drg_synth_base base;
static struct drg_err err;

static int tear_down(void **state)
{
	(void)state;
	drg_synth_base_done(&base);
	return 0;
}

/** Load a base with this text, from a file. */
static int load(const char *text)
{
	char path[128];
	int fd = mkstemp(temp_path("dragoman-test-XXXXXX", path, sizeof path));
	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	int rc = drg_synth_base_load(path, &base, &err);
	unlink(path);
	return rc;
}

static void test_the_base_inside(void **state)
{
	(void)state;
	static const struct {
		enum drg_kind kind;
		unsigned least;
	} lists[] = {
		{ DRG_KIND_COUNTRY, 25 },       { DRG_KIND_CITY, 70 },
		{ DRG_KIND_DEP_CITY, 20 },      { DRG_KIND_CURRENCY, 20 },
		{ DRG_KIND_MEAL, 12 },          { DRG_KIND_HOTEL_CATEGORY, 12 },
		{ DRG_KIND_HOTEL_TYPE, 12 },    { DRG_KIND_DESCRIPTION_TYPE, 5 },
		{ DRG_KIND_FACILITY_GROUP, 4 }, { DRG_KIND_FACILITY_TYPE, 15 },
	};
	assert_int_equal(drg_synth_base_load(NULL, &base, &err), DRG_OK);
	uint64_t lines = base.n_places;
	for (size_t i = 0; i < DRG_ARRAY_LEN(lists); i++) {
		assert_true(base.list[lists[i].kind].n >= lists[i].least);
		lines += base.list[lists[i].kind].n;
	}
	assert_int_equal(lines, base.n_lines);
	assert_true(base.n_places >= 20);
}

static void test_what_is_read_of_a_record(void **state)
{
	(void)state;
	assert_int_equal(load(COUNTRY
	                      "\n"
	                      "{\"type\":\"dict\",\"kind\":\"city\",\"id\":-4,\"name\":{\"de\":\"Sankt "
	                      "\\\"P\\\"\",\"uk\":\"П\"},"
	                      "\"country_id\":1,\"is_resort\":true,\"lat\":-0.0000014,\"lng\":179.9999999}\n"
	                      "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":2,\"name\":\"AI\",\"description\":"
	                      "{\"en\":\"All\"}}\n"
	                      "{\"type\":\"air_place\",\"source_id\":7,\"place\":\"apt\",\"code\":\"abc\","
	                      "\"name\":\"A\","
	                      "\"city_code\":\"UTO\",\"country_code\":\"UT\"}"),
	                 DRG_OK);
	const struct drg_synth_element *city = base.list[DRG_KIND_CITY].e;
	assert_int_equal(base.n_lines, 4); /* the empty line is none */
	assert_int_equal(base.text.p[base.text.n - 1], '\n');
	assert_int_equal(city->id, -4);
	assert_int_equal(city->parent, 0);
	assert_true(city->is_resort && city->located);
	assert_int_equal(city->lat, -1);
	assert_int_equal(city->lng, 180000000);
	assert_true(drg_str_eq(city->name[DRG_LANG_DE], DRG_STR("Sankt \"P\"")));
	assert_true(drg_str_eq(city->name[DRG_LANG_UK], DRG_STR("П")));
	assert_true(drg_str_eq(city->name[DRG_LANG_EN], DRG_STR("Sankt \"P\"")));
	assert_true(drg_str_eq(base.list[DRG_KIND_MEAL].e->description[DRG_LANG_TR], DRG_STR("All")));
	assert_string_equal(base.places[0].code, "ABC");
	assert_string_equal(base.places[0].city_code, "UTO");
	assert_false(base.places[0].located);
}

static void test_long_names_are_cut_between_letters(void **state)
{
	(void)state;
	char line[2048] = "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"x";
	for (int i = 0; i < 300; i++)
		strcat(line, "é");
	strcat(line, "\"}\n");
	assert_int_equal(load(line), DRG_OK);
	struct drg_str name = base.list[DRG_KIND_MEAL].e->name[DRG_LANG_EN];
	assert_int_equal(name.n, 199);
	assert_true(drg_utf8_valid(name, NULL));
	assert_int_equal(base.text.n, strlen(line)); /* the line itself is passed through whole */
}

static void test_bad_bases(void **state)
{
	(void)state;
	static const struct {
		const char *text, *says;
	} cases[] = {
		{ "{\"type\":\"dict\"", ":1: " },
		{ COUNTRY "\n\n{\"type\":\"dict\",\"kind\":\"country\",\"id\":\"x\"}\n", ":4: " },
		{ COUNTRY
		  "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}\n",
		  "found adapter" },
		{ COUNTRY "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":1,\"name\":\"H\",\"country_id\":1,"
		          "\"city_id\":1,"
		          "\"hotel_category_id\":1}\n",
		  "found dict hotel" },
		{ "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"deleted\":true}\n",
		  "found a deleted dict country" },
		{ "{\"type\":\"dict\",\"kind\":\"city\",\"id\":5,\"name\":\"C\",\"country_id\":9}\n",
		  "city 5 names country 9" },
		{ "{\"type\":\"dict\",\"kind\":\"dep_city\",\"id\":5,\"name\":\"C\",\"country_id\":9}\n",
		  "dep_city 5 names country 9" },
		{ "{\"type\":\"dict\",\"kind\":\"facility_type\",\"id\":5,\"name\":\"C\",\"facility_group_"
		  "id\":9}\n",
		  "facility_type 5 names facility_group 9" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		assert_int_equal(load(cases[i].text), DRG_EINVAL);
		assert_non_null(strstr(err.message, cases[i].says));
		if (i + 1 < DRG_ARRAY_LEN(cases))
			drg_synth_base_done(&base);
	}
}

static void test_a_missing_file(void **state)
{
	(void)state;
	assert_int_equal(drg_synth_base_load("/nowhere/base.ndjson", &base, &err), DRG_ENOENT);
	assert_non_null(strstr(err.message, "/nowhere/base.ndjson"));
}

static void test_find_and_index(void **state)
{
	(void)state;
	assert_int_equal(drg_synth_base_load(NULL, &base, &err), DRG_OK);
	uint32_t i = drg_synth_base_find(&base, DRG_KIND_HOTEL_TYPE, "beach HOTEL");
	assert_true(i != DRG_SYNTH_NONE);
	assert_true(
	        drg_str_eq(base.list[DRG_KIND_HOTEL_TYPE].e[i].name[DRG_LANG_EN], DRG_STR("Beach hotel")));
	assert_int_equal(drg_synth_base_find(&base, DRG_KIND_HOTEL_TYPE, "Igloo"), DRG_SYNTH_NONE);
	assert_int_equal(
	        drg_synth_base_index(&base, DRG_KIND_HOTEL_TYPE, base.list[DRG_KIND_HOTEL_TYPE].e[i].id), i);
	assert_int_equal(drg_synth_base_index(&base, DRG_KIND_HOTEL_TYPE, 99999), DRG_SYNTH_NONE);
}

GROUP(base)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_teardown(test_the_base_inside, tear_down),
		cmocka_unit_test_teardown(test_what_is_read_of_a_record, tear_down),
		cmocka_unit_test_teardown(test_long_names_are_cut_between_letters, tear_down),
		cmocka_unit_test_teardown(test_bad_bases, tear_down),
		cmocka_unit_test_teardown(test_a_missing_file, tear_down),
		cmocka_unit_test_teardown(test_find_and_index, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
