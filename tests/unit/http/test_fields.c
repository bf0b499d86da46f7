#include "../unit.h"

#include "base/compiler.h"
#include "http/fields.h"

static struct drg_fields fields;

static int number_fields(void **state)
{
	(void)state;
	drg_fields_init(&fields);
	drg_fields_add(&fields, DRG_STR("X-Key"));
	drg_fields_add(&fields, DRG_STR("origin"));
	return 0;
}

static void a_name_is_found_in_any_case(void **state)
{
	(void)state;
	static const struct {
		struct drg_str name;
		unsigned number;
	} cases[] = {
		{ DRG_STR("Host"), DRG_FIELD_HOST },
		{ DRG_STR("host"), DRG_FIELD_HOST },
		{ DRG_STR("HOST"), DRG_FIELD_HOST },
		{ DRG_STR("transfer-ENCODING"), DRG_FIELD_CODING },
		{ DRG_STR("Proxy-Connection"), DRG_FIELD_PROXY_CONNECTION },
		{ DRG_STR("x-key"), DRG_FIELD_OURS },
		{ DRG_STR(""), DRG_FIELD_NONE },
		{ DRG_STR("Hos"), DRG_FIELD_NONE },
		{ DRG_STR("Hosts"), DRG_FIELD_NONE },
		{ DRG_STR("Accept-Language"), DRG_FIELD_NONE },
		/* bytes that differ from a letter or another character only in the case bit */
		{ DRG_STR("x\rkey"), DRG_FIELD_NONE },
		{ DRG_STR("\x48\x4f\x53\xf4"), DRG_FIELD_NONE },
		{ DRG_STR("Content\rLength"), DRG_FIELD_NONE },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_int_equal(drg_fields_find(&fields, cases[i].name), cases[i].number);
	char longest[DRG_FIELD_LONGEST + 2];
	memset(longest, 'h', sizeof longest);
	assert_int_equal(drg_fields_find(&fields, drg_str(longest, DRG_FIELD_LONGEST)), DRG_FIELD_NONE);
	assert_int_equal(drg_fields_find(&fields, drg_str(longest, DRG_FIELD_LONGEST + 1)), DRG_FIELD_NONE);
}

static void a_field_of_the_server_can_be_the_applications_too(void **state)
{
	(void)state;
	unsigned first = drg_fields_find(&fields, DRG_STR("Origin"));
	assert_int_equal(first, DRG_FIELD_ORIGIN);
	assert_int_equal(drg_fields_other(&fields, first), DRG_FIELD_OURS + 1);
	assert_int_equal(drg_fields_other(&fields, DRG_FIELD_OURS + 1), DRG_FIELD_NONE);
	assert_int_equal(drg_fields_other(&fields, DRG_FIELD_HOST), DRG_FIELD_NONE);
}

GROUP(fields)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_name_is_found_in_any_case),
		cmocka_unit_test(a_field_of_the_server_can_be_the_applications_too),
	};
	return cmocka_run_group_tests(tests, number_fields, NULL);
}
