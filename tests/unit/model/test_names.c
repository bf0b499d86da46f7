#include "../unit.h"

#include "model/names.h"

static const struct drg_str escaped = { "{\"de\":\"Der \\\"Hof\\\"\",\"en\":\"The \\\"Yard\\\"\"}", 40 };

static int name_of(struct drg_str names, size_t room, struct drg_str *ret)
{
	struct drg_record r;
	struct drg_arena arena;
	drg_record_init(&r, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_s(&r, DRG_F_NAMES, names);
	drg_arena_init(&arena, room);
	int rc = drg_main_name(&r, &arena, ret);
	static char kept[64];
	if (rc == DRG_OK) {
		memcpy(kept, ret->p != NULL ? ret->p : "", ret->n);
		ret->p = kept;
	}
	drg_arena_done(&arena);
	return rc;
}

static void a_name_is_that_in_english(void **state)
{
	(void)state;
	struct drg_str name;
	assert_int_equal(name_of(escaped, 1 << 16, &name), DRG_OK);
	assert_true(drg_str_eq(name, DRG_STR("The \"Yard\"")));
	assert_int_equal(name_of(DRG_STR("{\"de\":\"Hof\"}"), 1 << 16, &name), DRG_OK);
	assert_true(drg_str_eq(name, DRG_STR("Hof")));
}

static void a_name_that_lacks_memory_is_an_error_and_no_empty_name(void **state)
{
	(void)state;
	struct drg_str name = DRG_STR("as before");
	assert_int_equal(name_of(escaped, 16, &name), DRG_ENOMEM);
	assert_true(drg_str_eq(name, DRG_STR("as before")));
}

GROUP(names)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_that_in_english),
		cmocka_unit_test(a_name_that_lacks_memory_is_an_error_and_no_empty_name),
	};
	return cmocka_run_group_tests_name("model/names", tests, NULL, NULL);
}
