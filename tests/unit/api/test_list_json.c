#include "../catalog/records.h"

#include "api/list_json.h"

static struct drg_catalog *cat;

static void add_meal(int64_t id, const char *name)
{
	char names[128];
	snprintf(names, sizeof names, "{\"en\":\"%s\"}", name);
	const struct drg_record r = dict(DRG_KIND_MEAL, id, names);
	apply(cat, &r);
}

static struct drg_list_work begin(void)
{
	struct drg_list_work k;
	const struct drg_list_key key = { .lang = "en" };
	assert_int_equal(drg_list_work_init(&k, cat, &key, NULL), DRG_OK);
	return k;
}

/* Decision R5. */
static void keys_by_name_are_distinct(void **state)
{
	enum { N = 5 };
	static const struct {
		struct {
			int64_t id;
			const char *name, *key; /* no name: no such row */
		} row[N];
	} cases[] = {
		{ { { 1, "AI", "AI" }, { 2, "BB", "BB" } } },
		{ { { 2, "AI", "AI" }, { 7, "AI", "AI #7" }, { 9, "AI", "AI #9" } } },
		{ { { 7, "AI", "AI #7" }, { -2, "AI", "AI" } } },
		/* One that is really named as another would be keyed keeps its name. */
		{ { { 1, "AI", "AI" }, { 5, "AI", "AI #5 #5" }, { 9, "AI #5", "AI #5" } } },
		{ { { 1, "AI", "AI" },
		    { 5, "AI", "AI #5 #5 #5" },
		    { 9, "AI #5", "AI #5" },
		    { 8, "AI #5 #5", "AI #5 #5" },
		    { 10, "AI #5", "AI #5 #10" } } },
		{ { { 1, "a\\\"", "a\\\"" }, { 2, "a\\\"", "a\\\" #2" } } },
		{ { { 1, "ai", "ai" }, { 2, "AI", "AI" } } },
	};
	(void)state;
	for (size_t c = 0; c < DRG_ARRAY_LEN(cases); c++) {
		cat = new_catalog(1 << 24);
		for (size_t i = 0; i < N && cases[c].row[i].name != NULL; i++)
			add_meal(cases[c].row[i].id, cases[c].row[i].name);
		struct drg_list_work k = begin();
		drg_list_rows_set_kind(&k.rows, DRG_KIND_MEAL);
		const struct drg_str *keys = drg_list_name_keys(&k.rows, &k.arena);
		assert_non_null(keys);
		for (size_t r = 0; r < k.rows.n; r++)
			for (size_t i = 0; i < N; i++)
				if (cases[c].row[i].name != NULL && k.rows.row[r].id == cases[c].row[i].id)
					assert_text(keys[r], cases[c].row[i].key);
		assert_int_equal(drg_list_work_done(&k, DRG_OK, NULL), DRG_OK);
		drg_catalog_free(cat);
	}
}

static void no_rows_have_no_keys_and_no_error(void **state)
{
	(void)state;
	cat = new_catalog(1 << 24);
	struct drg_list_work k = begin();
	drg_list_rows_set_kind(&k.rows, DRG_KIND_MEAL);
	assert_non_null(drg_list_name_keys(&k.rows, &k.arena));
	assert_int_equal(drg_list_work_done(&k, DRG_OK, NULL), DRG_OK);
	drg_catalog_free(cat);
}

static void a_record_that_is_gone_is_null(void **state)
{
	(void)state;
	struct drg_dict d;
	struct drg_buf out;
	cat = new_catalog(1 << 24);
	add_meal(-5, "All \\\"in\\\"");
	assert_true(drg_catalog_dict(cat, DRG_KIND_MEAL, -5, &d));
	struct drg_list_work k = begin();
	drg_buf_init(&out, 1000);
	struct drg_jw w = { .b = &out };
	drg_jw_array(&w);
	drg_list_reference(&w, &k.rows, d.handle, false);
	drg_list_reference(&w, &k.rows, DRG_NO_HANDLE, false);
	assert_int_equal(drg_list_dict_id(&k.rows, d.handle), -5);
	const struct drg_record r = gone(dict(DRG_KIND_MEAL, -5, "{}"));
	apply(cat, &r);
	drg_list_reference(&w, &k.rows, d.handle, false);
	drg_jw_array_end(&w);
	assert_text(drg_buf_view(&out), "[{\"id\":-5,\"name\":\"All \\\"in\\\"\"},null,null]");
	assert_int_equal(drg_list_dict_id(&k.rows, d.handle), 0);
	assert_int_equal(drg_list_dict_id(&k.rows, DRG_NO_HANDLE), 0);
	drg_buf_done(&out);
	assert_int_equal(drg_list_work_done(&k, DRG_OK, NULL), DRG_OK);
	drg_catalog_free(cat);
}

static void the_end_tells_what_went_wrong(void **state)
{
	(void)state;
	struct drg_err err = { 0 };
	cat = new_catalog(1 << 24);
	struct drg_list_work k = begin();
	k.rows.rc = DRG_ENOMEM;
	assert_int_equal(drg_list_work_done(&k, DRG_OK, &err), DRG_ENOMEM);
	assert_string_not_equal(err.message, "");
	k = begin();
	k.rows.rc = DRG_ENOMEM;
	assert_int_equal(drg_list_work_done(&k, DRG_ELIMIT, NULL), DRG_ELIMIT); /* the first one counts */
	drg_catalog_free(cat);
}

GROUP(list_json)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_by_name_are_distinct),
		cmocka_unit_test(no_rows_have_no_keys_and_no_error),
		cmocka_unit_test(a_record_that_is_gone_is_null),
		cmocka_unit_test(the_end_tells_what_went_wrong),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
