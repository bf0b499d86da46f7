#include "../unit.h"

#include "api/element.h"

static const struct {
	const char *name;
	const struct drg_element_table *table;
	enum drg_kind kind;
	const char *json, *key;
	const char *reason; /* NULL: it is taken */
	const char *result; /* the echo, or the message's beginning */
	const char *ignored;
} cases[] = {
	{ "plain", &drg_source_add_elements, DRG_KIND_MEAL, "{\"id\":\"AI\",\"name\":\"x\"}", "AI", NULL,
	  "{\"id\":\"AI\",\"name\":\"x\"}", "" },
	{ "id as integer", &drg_source_add_elements, DRG_KIND_MEAL, "{\"id\":-0,\"name\":\"x\"}", "0", NULL,
	  "{\"id\":\"0\",\"name\":\"x\"}", "" },
	{ "members in another order", &drg_source_add_elements, DRG_KIND_CITY,
	  "{\"country_name\":\"P\",\"is_resort\":true,\"name\":\"x\",\"country_id\":5,\"id\":1}", "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\",\"is_resort\":true,\"country_id\":\"5\",\"country_name\":\"P\"}",
	  "" },
	{ "escapes", &drg_source_add_elements, DRG_KIND_MEAL,
	  "{\"i\\u0064\":\"a\\\"b\",\"name\":\"\\u0436\"}", "a\"b", NULL,
	  "{\"id\":\"a\\\"b\",\"name\":\"\xd0\xb6\"}", "" },
	{ "nulls are absent", &drg_source_add_elements, DRG_KIND_HOTEL,
	  "{\"id\":\"1\",\"name\":\"x\",\"category_id\":null,\"category_name\":\"c\",\"country_id\":\"\","
	  "\"country_name\":\"d\",\"city_name\":\"e\"}",
	  "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\",\"category_id\":null,\"category_name\":\"c\",\"country_id\":null,"
	  "\"country_name\":\"d\",\"city_id\":null,\"city_name\":\"e\"}",
	  "" },
	{ "null code", &drg_source_add_elements, DRG_KIND_CURRENCY,
	  "{\"id\":1,\"name\":\"x\",\"iso_code\":null}", "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\",\"iso_code\":null}", "" },
	{ "no code", &drg_source_add_elements, DRG_KIND_CURRENCY, "{\"id\":1,\"name\":\"x\"}", "1",
	  "missing_field", "iso_code: expected", "" },
	{ "an empty code", &drg_source_add_elements, DRG_KIND_CURRENCY,
	  "{\"id\":1,\"name\":\"x\",\"iso_code\":\"\"}", "1", "empty_text",
	  "iso_code: expected a text of 3 characters, or null where there is none, found an empty text", "" },
	{ "no id", &drg_source_add_elements, DRG_KIND_MEAL, "{\"name\":\"x\"}", "", "missing_field",
	  "id: expected", "" },
	{ "the first fault is told", &drg_source_add_elements, DRG_KIND_MEAL, "{\"name\":5,\"id\":true}", "",
	  "wrong_type", "name: expected", "" },
	{ "a wrong id is a key", &drg_source_add_elements, DRG_KIND_MEAL, "{\"id\":\" \",\"name\":\"x\"}",
	  " ", "empty_text", "id: expected", "" },
	{ "no object", &drg_source_add_elements, DRG_KIND_MEAL, "[1]", "", "wrong_type", "element: expected",
	  "" },
	{ "unknown members", &drg_source_add_elements, DRG_KIND_MEAL,
	  "{\"id\":1,\"stars\":{\"a\":1},\"name\":\"x\",\"iso_code\":\"EUR\"}", "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\"}", "meal.stars meal.iso_code " },
	{ "a container where a text belongs", &drg_source_add_elements, DRG_KIND_MEAL,
	  "{\"id\":1,\"name\":{}}", "1", "wrong_type", "name: expected", "" },
	{ "ids of a hotel are no numbers with a fraction", &drg_source_add_elements, DRG_KIND_HOTEL,
	  "{\"id\":1,\"name\":\"x\",\"city_id\":5.5,\"category_name\":\"c\",\"country_name\":\"d\",\"city_"
	  "name\":\"e\"}",
	  "1", "wrong_type", "city_id: expected", "" },
	{ "but integers or texts", &drg_compared_elements, DRG_KIND_HOTEL,
	  "{\"id\":1,\"name\":\"x\",\"city_id\":5}", "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\",\"category_id\":null,\"category_name\":null,\"country_id\":null,"
	  "\"country_name\":null,\"city_id\":\"5\",\"city_name\":null}",
	  "" },
	{ "cities of compared have no country", &drg_compared_elements, DRG_KIND_CITY,
	  "{\"id\":1,\"name\":\"x\",\"country_id\":5}", "1", NULL,
	  "{\"id\":\"1\",\"name\":\"x\",\"is_resort\":false}", "city.country_id " },
};

static void note(void *ctx, enum drg_kind kind, struct drg_str name)
{
	drg_buf_printf(ctx, "%s.%.*s ", drg_kind_name(kind), DRG_STR_ARG(name));
}

static void test_each_case(void **state)
{
	(void)state;
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_arena arena;
		struct drg_buf echo, ignored;
		struct drg_json_item item;
		struct drg_element e;
		drg_arena_init(&arena, 65536);
		drg_buf_init(&echo, 4096);
		drg_buf_init(&ignored, 4096);
		const struct drg_element_ignored members = { .note = note, .ctx = &ignored };
		assert_int_equal(drg_json_scan(drg_str_c(cases[i].json), &arena, &item, NULL), DRG_OK);
		assert_int_equal(drg_element_read(cases[i].table, cases[i].kind, &item, &arena, &members, &e),
		                 DRG_OK);
		bool refused = e.state == DRG_ELEMENT_REFUSED;
		struct drg_jw w = { .b = &echo };
		drg_element_json(&e, &w);
		drg_buf_char(&echo, '\0');
		drg_buf_char(&ignored, '\0');
		if (refused != (cases[i].reason != NULL) || !drg_str_eq(e.key, drg_str_c(cases[i].key)) ||
		    strcmp(ignored.p, cases[i].ignored) != 0)
			fail_msg("%s: state %d, key %.*s, ignored %s, message %s", cases[i].name, e.state,
			         DRG_STR_ARG(e.key), ignored.p, refused ? e.message : "none");
		if (refused) {
			assert_string_equal(e.reason->word, cases[i].reason);
			assert_int_equal(strncmp(e.message, cases[i].result, strlen(cases[i].result)), 0);
		} else {
			assert_string_equal(echo.p, cases[i].result);
		}
		drg_buf_done(&echo);
		drg_buf_done(&ignored);
		drg_arena_done(&arena);
	}
}

static void test_without_memory_it_says_so(void **state)
{
	(void)state;
	for (size_t max = 0; max < 64; max += 8) {
		struct drg_arena arena;
		struct drg_json_item item;
		struct drg_element e;
		const struct drg_element_ignored members = { .note = note };
		drg_arena_init(&arena, max);
		assert_int_equal(drg_json_scan(DRG_STR("{\"id\":5}"), &arena, &item, NULL), DRG_OK);
		assert_int_equal(drg_element_read(&drg_source_add_elements, DRG_KIND_MEAL, &item, &arena,
		                                  &members, &e),
		                 DRG_ENOMEM);
		drg_arena_done(&arena);
	}
}

static void test_texts_of_fields(void **state)
{
	(void)state;
	struct drg_arena arena;
	struct drg_json_item item;
	struct drg_element e;
	const struct drg_element_ignored members = { .note = note };
	drg_arena_init(&arena, 65536);
	assert_int_equal(drg_json_scan(DRG_STR("{\"id\":5,\"name\":\"x\"}"), &arena, &item, NULL), DRG_OK);
	assert_int_equal(
	        drg_element_read(&drg_compared_elements, DRG_KIND_HOTEL, &item, &arena, &members, &e),
	        DRG_OK);
	assert_true(drg_str_eq(drg_element_text(&e, DRG_F_SOURCE_ID), DRG_STR("5")));
	assert_true(drg_str_eq(drg_element_text(&e, DRG_F_NAME), DRG_STR("x")));
	assert_null(drg_element_text(&e, DRG_F_CITY_NAME).p);
	assert_null(drg_element_text(&e, DRG_F_ADDRESS).p);
	drg_arena_done(&arena);
}

GROUP(element)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_case),
		cmocka_unit_test(test_without_memory_it_says_so),
		cmocka_unit_test(test_texts_of_fields),
	};
	return cmocka_run_group_tests_name("api/element", tests, NULL, NULL);
}
