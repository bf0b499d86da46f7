#include "../unit.h"

#include "model/key.h"
#include "text/utf8.h"

static void assert_id(const char *name, const char *want)
{
	char room[DRG_NAME_ID];
	struct drg_str id = drg_key_name_id(drg_str_c(name), room);
	if (!drg_str_eq(id, drg_str_c(want)))
		fail_msg("%s: %.*s", name, DRG_STR_ARG(id));
}

#define TEN "0123456789"
#define A10 "\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90"

/* Stores contain these ids, so they must never change. */
static void an_id_is_made_of_a_name(void **state)
{
	(void)state;
	assert_id("Xanadu", "Xanadu");
	assert_id(TEN TEN TEN TEN TEN TEN "0123", TEN TEN TEN TEN TEN TEN "0123");
	assert_id(A10 A10 A10 A10 A10 A10 "0123", A10 A10 A10 A10 A10 A10 "0123");
	assert_id(TEN TEN TEN TEN TEN TEN "01234", TEN TEN TEN TEN TEN "01234-6e5e18f9");
	assert_id(TEN TEN TEN TEN TEN TEN "01235", TEN TEN TEN TEN TEN "01234-4f0f1ca1");
	assert_id(A10 A10 A10 A10 A10 A10 "01234",
	          A10 A10 A10 A10 A10 "\xd0\x90\xd0\x90\xd0\x90\xd0\x90\xd0\x90-8553e26f");
}

static void an_id_has_at_most_64_characters(void **state)
{
	(void)state;
	static char name[4 * 300];
	char room[DRG_NAME_ID];
	for (size_t i = 0; i < 300; i++)
		memcpy(name + 4 * i, "\xf0\x9f\x8f\x96", 4);
	for (size_t n = 1; n <= 300; n++) {
		struct drg_str id = drg_key_name_id(drg_str(name, 4 * n), room);
		assert_int_equal(drg_utf8_count(id), n < 64 ? n : 64);
		assert_true(drg_utf8_valid(id, NULL));
	}
}

GROUP(key)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_id_is_made_of_a_name),
		cmocka_unit_test(an_id_has_at_most_64_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
