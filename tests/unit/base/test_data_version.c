#include "../unit.h"

#include <limits.h>

#include "base/data_version.h"

static void what_is_written_is_read(void **state)
{
	(void)state;
	static const struct {
		struct drg_data_version v;
		const char *text;
	} cases[] = {
		{ { 0, 0, false }, "0000000000000000-0" },
		{ { 0x6f0c31d2a95b7e48, 1234, false }, "6f0c31d2a95b7e48-1234" },
		{ { 0x6f0c31d2a95b7e48, 1234, true }, "6f0c31d2a95b7e48-1234+" },
		{ { UINT64_MAX, INT64_MAX, true }, "ffffffffffffffff-9223372036854775807+" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char text[DRG_DATA_VERSION_TEXT];
		struct drg_data_version v;
		assert_int_equal(drg_data_version_write(&cases[i].v, text), strlen(cases[i].text));
		assert_string_equal(text, cases[i].text);
		assert_true(drg_data_version_read(drg_str_c(text), &v));
		assert_true(drg_data_version_eq(&v, &cases[i].v));
	}
}

static void what_is_none_is_refused(void **state)
{
	(void)state;
	static const char *const cases[] = {
		"",
		"+",
		"1234",
		"6f0c31d2a95b7e48",
		"6f0c31d2a95b7e48-",
		"6f0c31d2a95b7e48-+",
		"6f0c31d2a95b7e48-++",
		"6f0c31d2a95b7e48--1",
		"6f0c31d2a95b7e48-+1",
		"6f0c31d2a95b7e48- 1",
		"6f0c31d2a95b7e48-1x",
		"6f0c31d2a95b7e48-9223372036854775808",
		"6F0C31D2A95B7E48-1",
		"6f0c31d2a95b7e4-12",
		"6f0c31d2a95b7e480-1",
		"6f0c31d2a95b7e4g-1",
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_data_version v;
		if (drg_data_version_read(drg_str_c(cases[i]), &v))
			fail_msg("taken: \"%s\"", cases[i]);
	}
}

GROUP(data_version)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_read),
		cmocka_unit_test(what_is_none_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
