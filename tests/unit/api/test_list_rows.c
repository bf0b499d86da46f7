/* Rows of lists: decision L5. */
#include "../catalog/records.h"

#include "api/list_rows.h"

static struct drg_catalog *cat;

static void add_meal(int64_t id, const char *names)
{
	const struct drg_record r = dict(DRG_KIND_MEAL, id, names);
	apply(cat, &r);
}

static struct drg_list_rows rows_in(const char *lang)
{
	struct drg_list_rows rows;
	assert_int_equal(drg_list_rows_init(&rows, cat, drg_str_c(lang), NULL), DRG_OK);
	return rows;
}

/* "Name/1 Other/2" */
static void assert_rows(const struct drg_list_rows *rows, const char *want)
{
	char text[512] = "";
	size_t n = 0;
	for (size_t i = 0; i < rows->n; i++)
		n += (size_t)snprintf(text + n, sizeof text - n, "%s%.*s/%lld", i > 0 ? " " : "",
		                      DRG_STR_ARG(rows->row[i].name), (long long)rows->row[i].id);
	assert_int_equal(rows->rc, DRG_OK);
	assert_string_equal(text, want);
}

static void names_are_in_the_order_of_the_language(void **state)
{
	static const struct {
		const char *lang, *want;
	} cases[] = {
		/* Swedish has its umlauts after z, German with their vowels; Ukrainian its own letters before
		 * Latin ones. */
		{ "uk", "ґ/5 Є/4 Ю/1 ä/2 z/3" },
		{ "sv", "z/3 ä/2 ґ/5 Є/4 Ю/1" },
		{ "de", "ä/2 z/3 ґ/5 Є/4 Ю/1" },
		{ "en", "ä/2 z/3 ґ/5 Є/4 Ю/1" },
	};
	(void)state;
	add_meal(1, "{\"en\":\"Ю\"}");
	add_meal(2, "{\"en\":\"ä\"}");
	add_meal(3, "{\"en\":\"z\"}");
	add_meal(4, "{\"en\":\"Є\"}");
	add_meal(5, "{\"en\":\"ґ\"}");
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_list_rows rows = rows_in(cases[i].lang);
		drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
		assert_rows(&rows, cases[i].want);
		drg_list_rows_done(&rows);
	}
}

static void the_name_is_that_of_the_language_or_the_next_best(void **state)
{
	(void)state;
	add_meal(1, "{\"en\":\"Breakfast\",\"uk\":\"Сніданок\"}");
	add_meal(2, "{\"en\":\"All\"}");
	add_meal(3, "{\"de\":\"Ohne\"}");
	struct drg_list_rows rows = rows_in("uk");
	drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
	assert_rows(&rows, "Сніданок/1 All/2 Ohne/3");
	drg_list_rows_done(&rows);
}

static void rows_of_one_name_are_by_id(void **state)
{
	(void)state;
	add_meal(9, "{\"en\":\"AI\"}");
	add_meal(-3, "{\"en\":\"AI\"}");
	add_meal(10, "{\"en\":\"AI\"}");
	add_meal(1, "{\"en\":\"AI\"}");
	struct drg_list_rows rows = rows_in("en");
	drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
	assert_rows(&rows, "AI/-3 AI/1 AI/9 AI/10");
	drg_list_rows_done(&rows);
}

/* A quote has an escape before it in the catalog, and its own place in the order. */
static void escapes_do_not_count_in_the_order(void **state)
{
	(void)state;
	add_meal(1, "{\"en\":\"a\\\"b\"}");
	add_meal(2, "{\"en\":\"a b\"}");
	add_meal(3, "{\"en\":\"a\\\\b\"}");
	add_meal(4, "{\"en\":\"a+b\"}");
	struct drg_list_rows rows = rows_in("en");
	drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
	assert_rows(&rows, "a b/2 a\\\"b/1 a\\\\b/3 a+b/4");
	drg_list_rows_done(&rows);
}

static void what_is_gone_is_left_out(void **state)
{
	(void)state;
	struct drg_dict d;
	int64_t id = -1;
	struct drg_str name = DRG_STR("untouched");
	add_meal(1, "{\"en\":\"A\"}");
	add_meal(2, "{\"en\":\"B\"}");
	assert_true(drg_catalog_dict(cat, DRG_KIND_MEAL, 1, &d));
	const struct drg_record r = gone(dict(DRG_KIND_MEAL, 1, "{}"));
	apply(cat, &r);
	struct drg_list_rows rows = rows_in("en");
	drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
	assert_rows(&rows, "B/2");
	assert_false(drg_list_rows_name(&rows, d.handle, &id, &name));
	assert_false(drg_list_rows_name(&rows, DRG_NO_HANDLE, &id, &name));
	assert_int_equal(id, -1);
	assert_str(name, "untouched");
	assert_true(drg_list_rows_name(&rows, rows.row[0].dict.handle, &id, &name));
	assert_int_equal(id, 2);
	assert_str(name, "B");
	drg_list_rows_done(&rows);
}

static void each_filling_replaces_the_last(void **state)
{
	(void)state;
	struct drg_record one = adapter(1, "zeta"), two = adapter(2, "Alpha");
	apply(cat, &one);
	apply(cat, &two);
	for (int64_t id = 1; id <= 600; id++)
		add_meal(id, "{\"en\":\"M\"}");
	publish(cat, 1);
	const struct drg_adapter *all, *listed[2];
	assert_int_equal(drg_catalog_adapters(cat, &all), 2);
	listed[0] = &all[0];
	listed[1] = &all[1];
	struct drg_list_rows rows = rows_in("en");
	drg_list_rows_set_kind(&rows, DRG_KIND_MEAL);
	assert_int_equal(rows.n, 600);
	drg_list_rows_set_adapters(&rows, listed, 2);
	assert_rows(&rows, "Alpha/2 zeta/1");
	assert_ptr_equal(rows.row[0].adapter, &all[1]);
	drg_list_rows_set(&rows, NULL, 0);
	assert_rows(&rows, "");
	drg_list_rows_done(&rows);
}

static int set_up(void **state)
{
	(void)state;
	cat = new_catalog(1 << 24);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	return 0;
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

GROUP(list_rows)
{
	const struct CMUnitTest tests[] = {
		TEST(names_are_in_the_order_of_the_language),
		TEST(the_name_is_that_of_the_language_or_the_next_best),
		TEST(rows_of_one_name_are_by_id),
		TEST(escapes_do_not_count_in_the_order),
		TEST(what_is_gone_is_left_out),
		TEST(each_filling_replaces_the_last),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
