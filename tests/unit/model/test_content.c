#include "../unit.h"

#include <jansson.h>

#include "model/content.h"

struct fixture {
	struct drg_arena arena;
	struct drg_err err;
};

static int set_up(void **state)
{
	static struct fixture f;
	drg_arena_init(&f.arena, 1 << 20);
	*state = &f;
	return 0;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	drg_arena_done(&f->arena);
	return 0;
}

static int read_content(struct fixture *f, enum drg_field field, const char *text, struct drg_str *ret)
{
	struct drg_json_item v;
	assert_int_equal(drg_json_scan(drg_str_c(text), &f->arena, &v, &f->err), DRG_OK);
	return drg_content_read(drg_field_of(&drg_types[DRG_TYPE_HOTEL_CONTENT], field), &v, &f->arena, ret,
	                        &f->err);
}

static const struct {
	enum drg_field field;
	const char *text, *canonical;
} good[] = {
	{ DRG_F_DESCRIPTIONS, "[]", "[]" },
	{ DRG_F_DESCRIPTIONS, "[{\"text\":\"On the beach\"}]",
	  "[{\"type_id\":null,\"orig_type\":null,\"text\":{\"en\":\"On the beach\"}}]" },
	{ DRG_F_DESCRIPTIONS,
	  "[{\"text\":{\"uk\":\"Б\",\"EN\":\"A\"},\"orig_type\":{\"en\":\"T\"},\"type_id\":-1}]",
	  "[{\"type_id\":-1,\"orig_type\":{\"en\":\"T\"},\"text\":{\"en\":\"A\",\"uk\":\"Б\"}}]" },
	{ DRG_F_FACILITIES, "[{\"items\":[]}]", "[{\"group_id\":null,\"orig_group\":null,\"items\":[]}]" },
	{ DRG_F_FACILITIES,
	  "[{\"items\":[{\"value\":\"1\",\"value_type\":\"boolean\"},{\"type_id\":3}],\"group_id\":2,\"orig_"
	  "group\":\"BEACH\"}]",
	  "[{\"group_id\":2,\"orig_group\":{\"en\":\"BEACH\"},\"items\":["
	  "{\"type_id\":null,\"orig_type\":null,\"value_type\":\"boolean\",\"value\":\"1\"},"
	  "{\"type_id\":3,\"orig_type\":null,\"value_type\":null,\"value\":null}]}]" },
	{ DRG_F_PHOTOS, "[ { \"is_main\" : true , \"url\" : \"http://a/\\u0416\" } , {\"url\":\"b\"} ]",
	  "[{\"url\":\"http://a/Ж\",\"is_main\":true},{\"url\":\"b\",\"is_main\":false}]" },
};

static void lists_are_kept_canonical(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		struct drg_str text;
		if (read_content(f, good[i].field, good[i].text, &text) != DRG_OK)
			fail_msg("%s: %s: %s", good[i].text, f->err.field, f->err.message);
		assert_string_equal(text.p, good[i].canonical);
		/* And reading it again changes nothing. */
		struct drg_str again;
		assert_int_equal(read_content(f, good[i].field, text.p, &again), DRG_OK);
		assert_true(drg_str_eq(text, again));
	}
}

static const struct {
	enum drg_field field;
	const char *text, *reason, *path;
} bad[] = {
	{ DRG_F_PHOTOS, "{}", "wrong_type", "photos" },
	{ DRG_F_PHOTOS, "[{\"url\":\"a\"},7]", "wrong_type", "photos[1]" },
	{ DRG_F_PHOTOS, "[{}]", "missing_field", "photos[0].url" },
	{ DRG_F_PHOTOS, "[{\"url\":null}]", "missing_field", "photos[0].url" },
	{ DRG_F_PHOTOS, "[{\"url\":\"a\",\"main\":true}]", "unknown_field", "photos[0].main" },
	{ DRG_F_PHOTOS, "[{\"url\":\"a\",\"url\":\"a\"}]", "duplicate_member", "photos[0].url" },
	{ DRG_F_PHOTOS, "[{\"url\":\"a\",\"is_main\":1}]", "wrong_type", "photos[0].is_main" },
	{ DRG_F_DESCRIPTIONS, "[{\"type_id\":1}]", "missing_field", "descriptions[0].text" },
	{ DRG_F_DESCRIPTIONS, "[{\"text\":{\"uk\":\"\"}}]", "empty_text", "descriptions[0].text.uk" },
	{ DRG_F_DESCRIPTIONS, "[{\"text\":\"A\",\"type_id\":\"1\"}]", "wrong_type",
	  "descriptions[0].type_id" },
	{ DRG_F_FACILITIES, "[{\"group_id\":1}]", "missing_field", "facilities[0].items" },
	{ DRG_F_FACILITIES, "[{\"items\":{}}]", "wrong_type", "facilities[0].items" },
	{ DRG_F_FACILITIES, "[{\"items\":[]},{\"items\":[{},{\"value\":1}]}]", "wrong_type",
	  "facilities[1].items[1].value" },
};

static void faults_are_named_by_their_path(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct drg_str text = { 0 };
		if (read_content(f, bad[i].field, bad[i].text, &text) != DRG_EINVAL)
			fail_msg("accepted: %s", bad[i].text);
		assert_null(text.p);
		assert_string_equal(f->err.reason, bad[i].reason);
		assert_string_equal(f->err.field, bad[i].path);
	}
}

static void note_ref(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	(void)text;
	drg_buf_printf(ctx, "%s %d %lld;", field, ref, (long long)id);
}

static void references_inside_are_reported(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	const struct drg_field_def *f = drg_field_of(&drg_types[DRG_TYPE_HOTEL_CONTENT], DRG_F_FACILITIES);
	assert_int_equal(drg_content_refs(f, drg_str_c(good[4].canonical), note_ref, &b), DRG_OK);
	drg_buf_char(&b, '\0');
	assert_string_equal(b.p, "facilities[0].group_id 9 2;facilities[0].items[1].type_id 10 3;");
	drg_buf_done(&b);
}

static void kinds_inside_are_told(void **state)
{
	(void)state;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		assert_int_equal(drg_content_names((enum drg_kind)k), k == DRG_KIND_DESCRIPTION_TYPE ||
		                                                              k == DRG_KIND_FACILITY_GROUP ||
		                                                              k == DRG_KIND_FACILITY_TYPE);
}

static void *no_memory(size_t n)
{
	(void)n;
	return NULL;
}

/* Else what a hotel content names would pass unchecked. */
static void references_that_cannot_be_read_are_an_error(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	const struct drg_field_def *f = drg_field_of(&drg_types[DRG_TYPE_HOTEL_CONTENT], DRG_F_FACILITIES);
	json_malloc_t malloc_fn;
	json_free_t free_fn;
	json_get_alloc_funcs(&malloc_fn, &free_fn);
	json_set_alloc_funcs(no_memory, free_fn);
	int rc = drg_content_refs(f, drg_str_c(good[4].canonical), note_ref, &b);
	json_set_alloc_funcs(malloc_fn, free_fn);
	assert_int_equal(rc, DRG_ENOMEM);
	assert_int_equal(b.n, 0);
	drg_buf_done(&b);
}

GROUP(content)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(lists_are_kept_canonical, set_up, tear_down),
		cmocka_unit_test_setup_teardown(faults_are_named_by_their_path, set_up, tear_down),
		cmocka_unit_test(kinds_inside_are_told),
		cmocka_unit_test(references_that_cannot_be_read_are_an_error),
		cmocka_unit_test(references_inside_are_reported),
	};
	return cmocka_run_group_tests_name("model/content", tests, NULL, NULL);
}
