/* Values that are numbered as they come (src/base/numbers.h). */
#include "../unit.h"

#include "base/numbers.h"

static void each_value_has_a_number_of_its_own(void **state)
{
	enum { VALUES = 5000 };
	struct drg_numbers s = { .n = 0 };
	(void)state;
	assert_int_equal(drg_numbers_find(&s, 0), 0);
	for (int round = 0; round < 2; round++)
		for (int64_t i = 0; i < VALUES; i++)
			assert_int_equal(drg_numbers_add(&s, INT64_MIN + i * 65536), i + 1);
	for (int64_t i = 0; i < VALUES; i++)
		assert_int_equal(drg_numbers_find(&s, INT64_MIN + i * 65536), i + 1);
	assert_int_equal(drg_numbers_find(&s, 1), 0);
	assert_int_equal(s.n, VALUES);
	drg_numbers_done(&s);
}

GROUP(numbers)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(each_value_has_a_number_of_its_own) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
