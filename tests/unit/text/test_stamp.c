#include "../unit.h"

#include "text/stamp.h"

static const struct {
	const char *text, *canonical; /* canonical NULL: not a time */
} stamps[] = {
	{ "2026-11-20T22:30:00.123Z", "2026-11-20T22:30:00.123Z" },
	{ "2026-11-20T22:30:00Z", "2026-11-20T22:30:00.000Z" },
	{ "2026-11-20t22:30:00z", "2026-11-20T22:30:00.000Z" },
	{ "2026-11-20T22:30:00.5Z", "2026-11-20T22:30:00.500Z" },
	{ "2026-11-20T22:30:00.123456Z", "2026-11-20T22:30:00.123456Z" },
	{ "2026-11-20T22:30:00.123000Z", "2026-11-20T22:30:00.123Z" },
	{ "2026-11-20T22:30:00.123456789123456789Z", "2026-11-20T22:30:00.123456Z" },
	{ "2026-11-20T22:30:00+02:00", "2026-11-20T20:30:00.000Z" },
	{ "2026-11-20T22:30:00-05:30", "2026-11-21T04:00:00.000Z" },
	{ "2026-01-01T00:30:00+01:00", "2025-12-31T23:30:00.000Z" },
	{ "1969-12-31T23:59:59.999Z", "1969-12-31T23:59:59.999Z" },
	{ "0000-01-01T00:00:00Z", "0000-01-01T00:00:00.000Z" },
	{ "9999-12-31T23:59:59.999999Z", "9999-12-31T23:59:59.999999Z" },
	{ "2024-02-29T00:00:00Z", "2024-02-29T00:00:00.000Z" },
	{ "2016-12-31T23:59:60Z", "2017-01-01T00:00:00.000Z" }, /* a leap second */
	{ "2023-02-29T00:00:00Z", NULL },
	{ "2026-04-31T00:00:00Z", NULL },
	{ "2026-13-01T00:00:00Z", NULL },
	{ "2026-00-01T00:00:00Z", NULL },
	{ "2026-11-20T24:00:00Z", NULL },
	{ "2026-11-20T22:60:00Z", NULL },
	{ "2026-11-20T22:30:61Z", NULL },
	{ "2026-11-20T22:30:00", NULL },
	{ "2026-11-20 22:30:00Z", NULL },
	{ "2026-11-20T22:30Z", NULL },
	{ "2026-11-20T22:30:00.Z", NULL },
	{ "2026-11-20T22:30:00+0200", NULL },
	{ "2026-11-20T22:30:00+24:00", NULL },
	{ "2026-11-20T22:30:00Z ", NULL },
	{ "2026-11-20", NULL },
	{ "9999-12-31T23:59:59-01:00", NULL },
	{ "0000-01-01T00:00:00+01:00", NULL },
	{ "", NULL },
	{ "now", NULL },
};

static void stamps_have_one_canonical_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof stamps / sizeof stamps[0]; i++) {
		char text[DRG_STAMP_TEXT];
		int64_t us = 42, again;
		bool valid = drg_stamp_parse(drg_str_c(stamps[i].text), &us);
		if (valid != (stamps[i].canonical != NULL))
			fail_msg("%s", stamps[i].text);
		if (!valid) {
			assert_int_equal(us, 42);
			continue;
		}
		assert_int_equal(drg_stamp_text(us, text), strlen(stamps[i].canonical));
		assert_string_equal(text, stamps[i].canonical);
		assert_true(drg_stamp_parse(drg_str_c(text), &again) && again == us);
	}
}

static void the_count_begins_in_1970(void **state)
{
	(void)state;
	int64_t us;
	assert_true(drg_stamp_parse(DRG_STR("1970-01-01T00:00:01.000002Z"), &us));
	assert_int_equal(us, 1000002);
}

static const struct {
	const char *text;
	bool valid;
} times[] = {
	{ "00:00:00", true },   { "14:00:00", true },  { "23:59:59", true }, { "24:00:00", false },
	{ "12:60:00", false },  { "12:00:60", false }, { "12:00", false },   { "1:00:00", false },
	{ "12:00:00 ", false }, { "12-00-00", false }, { "", false },
};

static void times_of_the_day(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof times / sizeof times[0]; i++)
		assert_int_equal(drg_time_valid(drg_str_c(times[i].text)), times[i].valid);
}

GROUP(stamp)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stamps_have_one_canonical_text),
		cmocka_unit_test(the_count_begins_in_1970),
		cmocka_unit_test(times_of_the_day),
	};
	return cmocka_run_group_tests_name("text/stamp", tests, NULL, NULL);
}
