#include "../unit.h"

#include "base/compiler.h"
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

static void times_in_the_past_are_told_by_their_distance(void **state)
{
	static const struct {
		const char *text, *is; /* NULL: no time */
	} cases[] = {
		{ "today", "2026-11-24T00:00:00.000Z" },
		{ "Yesterday", "2026-11-23T00:00:00.000Z" },
		{ "monday", "2026-11-23T00:00:00.000Z" },
		{ "tuesday", "2026-11-24T00:00:00.000Z" },
		{ "WED", "2026-11-18T00:00:00.000Z" },
		{ "sun", "2026-11-22T00:00:00.000Z" },
		{ "7d", "2026-11-17T06:30:00.000Z" },
		{ "12h", "2026-11-23T18:30:00.000Z" },
		{ "2w", "2026-11-10T06:30:00.000Z" },
		{ "0d", "2026-11-24T06:30:00.000Z" },
		{ "100000h", "2015-06-28T14:30:00.000Z" },
		{ "100001h", NULL },
		{ "2026-11-20", "2026-11-20T00:00:00.000Z" },
		{ "7", NULL },
		{ "d", NULL },
		{ "-1d", NULL },
		{ "7m", NULL },
		{ "mo", NULL },
		{ "", NULL },
	};
	int64_t now, us;
	(void)state;
	assert_true(drg_stamp_parse(DRG_STR("2026-11-24T06:30:00Z"), &now)); /* a Tuesday */
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char text[DRG_STAMP_TEXT] = "";
		if (drg_stamp_read_past(drg_str_c(cases[i].text), now, &us) == NULL)
			drg_stamp_text(us, text);
		if (strcmp(text, cases[i].is != NULL ? cases[i].is : "") != 0)
			fail_msg("%s: %s", cases[i].text, text);
	}
}

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
		cmocka_unit_test(times_in_the_past_are_told_by_their_distance),
		cmocka_unit_test(the_count_begins_in_1970),
		cmocka_unit_test(times_of_the_day),
	};
	return cmocka_run_group_tests_name("text/stamp", tests, NULL, NULL);
}
