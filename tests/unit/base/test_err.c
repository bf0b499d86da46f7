#include "../unit.h"

#include "base/err.h"

static const struct {
	const char *text, *kept;
} cuts[] = {
	{ "", "" },
	{ "Lviv", "Lviv" },
	{ "\xD0\x9B\xD1\x8C\xD0", "\xD0\x9B\xD1\x8C" }, /* two bytes, three, four */
	{ "\xE8\x95\x8F \xE8\x95", "\xE8\x95\x8F " },
	{ "\xF0\x9F\x8E\xB5 \xF0\x9F\x8E", "\xF0\x9F\x8E\xB5 " },
	{ "found \"\xF0\x9F\"", "found \"\"" },
	{ "\x80 \xC1\xBF \xF5\x80\x80\x80 \xFF", "   " },
};

static void half_a_character_is_dropped(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cuts / sizeof cuts[0]; i++) {
		struct drg_err err;
		assert_int_equal(drg_fail(&err, DRG_EINVAL, &(const struct drg_reason){ "bad", 0, 0 },
		                          cuts[i].text, "%s", cuts[i].text),
		                 DRG_EINVAL);
		assert_string_equal(err.message, cuts[i].kept);
		assert_string_equal(err.field, cuts[i].kept);
	}
}

static void long_texts_are_cut_between_characters(void **state)
{
	(void)state;
	struct drg_err err;
	char text[2 * sizeof err.message + 1];
	for (size_t i = 0; i < sizeof text - 1; i++)
		text[i] = i % 2 == 0 ? '\xD0' : '\x9B';
	text[sizeof text - 1] = '\0';
	drg_fail(&err, DRG_EINVAL, NULL, text, "%s", text);
	assert_int_equal(strlen(err.message), sizeof err.message - 2);
	assert_int_equal(strlen(err.field), sizeof err.field - 2);
	assert_string_equal(err.reason, "");
}

static void an_argument_may_point_into_the_error(void **state)
{
	(void)state;
	struct drg_err err;
	drg_fail(&err, DRG_EINVAL, DRG_R(bad_value), "name", "too long");
	assert_int_equal(
	        drg_fail(&err, err.code, drg_reason_find(err.reason), err.field, "line 3: %s", err.message),
	        DRG_EINVAL);
	assert_string_equal(err.message, "line 3: too long");
	assert_string_equal(err.reason, "bad_value");
	assert_string_equal(err.field, "name");
	assert_int_equal(drg_fail(NULL, DRG_EIO, NULL, NULL, "nobody asks"), DRG_EIO);
}

GROUP(err)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(half_a_character_is_dropped),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(an_argument_may_point_into_the_error),
	};
	return cmocka_run_group_tests_name("base/err", tests, NULL, NULL);
}
