#include "../unit.h"

#include "base/str.h"

static const struct {
	const char *text;
	int64_t value;
	bool number, canonical;
} integers[] = {
	{ "0", 0, true, true },
	{ "-1", -1, true, true },
	{ "007", 7, true, false },
	{ "-0", 0, true, false },
	{ "9223372036854775807", INT64_MAX, true, true },
	{ "-9223372036854775808", INT64_MIN, true, true },
	{ "9223372036854775808", 0, false, false },
	{ "-9223372036854775809", 0, false, false },
	{ "99999999999999999999999", 0, false, false },
	{ "", 0, false, false },
	{ "-", 0, false, false },
	{ "+1", 0, false, false },
	{ " 1", 0, false, false },
	{ "1.0", 0, false, false },
};

static void integers_are_read_to_the_letter(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
		int64_t v = 42;
		assert_int_equal(drg_str_to_i64(drg_str_c(integers[i].text), &v), integers[i].number);
		assert_int_equal(v, integers[i].number ? integers[i].value : 42);
		assert_int_equal(drg_str_is_canonical_i64(drg_str_c(integers[i].text), &v),
		                 integers[i].canonical);
	}
}

static void integers_are_written_back(void **state)
{
	(void)state;
	char buf[DRG_I64_TEXT];
	for (size_t i = 0; i < sizeof integers / sizeof integers[0]; i++) {
		if (!integers[i].canonical)
			continue;
		assert_int_equal(drg_i64_text(integers[i].value, buf), strlen(integers[i].text));
		assert_string_equal(buf, integers[i].text);
	}
}

static const struct {
	const char *text, *tamed;
} lines[] = {
	{ "Hôtel Çam \xf0\x9f\x8f\xa8", "Hôtel Çam \xf0\x9f\x8f\xa8" },
	{ "a\tb\nc", "a b c" },
	{ "\x1b]0;x\x07\r\x7f", "?]0;x???" },
	{ "\xc2\x80|\xc2\x9b|\xc2\x9f|\xc2\xa0", "?|?|?|\xc2\xa0" },
	{ "\x9b|\xff|\xc2", "?|?|?" },
	{ "\xe2\x82|\xf0\x9f\x8f", "??|???" },
	{ "\xc1\x9b|\xf5\x80\x80\x80", "??|????" },
	{ "\xe0\x9f\xbf|\xed\xa0\x80|\xf0\x8f\xbf\xbf|\xf4\x90\x80\x80", "???|???|????|????" },
	{ "\xe0\xa0\x80|\xed\x9f\xbf|\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf",
	  "\xe0\xa0\x80|\xed\x9f\xbf|\xf0\x90\x80\x80|\xf4\x8f\xbf\xbf" },
	{ "a\u202eb\u2066c\u2069\u061c", "a?b?c??" },
	{ "\u200d\u200e\u200f\u2010|\u2029\u202a|\u2065\u2066|\u206a",
	  "\u200d??\u2010|\u2029?|\u2065?|\u206a" },
	{ "", "" },
};

static void a_line_is_tamed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
		char text[64];
		size_t n = strlen(lines[i].text);
		memcpy(text, lines[i].text, n);
		n = drg_str_sanitize(text, n);
		assert_int_equal(n, strlen(lines[i].tamed));
		assert_memory_equal(text, lines[i].tamed, n);
	}
}

static void split_gives_every_part(void **state)
{
	(void)state;
	struct drg_str rest = DRG_STR("a,,b,"), part;
	const char *want[] = { "a", "", "b", "" };
	for (size_t i = 0; i < 4; i++) {
		assert_true(drg_str_split(&rest, ',', &part));
		assert_true(drg_str_eq(part, drg_str_c(want[i])));
	}
	assert_false(drg_str_split(&rest, ',', &part));
}

static void order_is_by_bytes(void **state)
{
	(void)state;
	assert_true(drg_str_cmp(DRG_STR("1001"), DRG_STR("1001-B")) < 0);
	assert_true(drg_str_cmp(DRG_STR("\xc3"), DRG_STR("z")) > 0);
	assert_int_equal(drg_str_cmp(DRG_STR(""), DRG_STR("")), 0);
}

GROUP(str)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(integers_are_read_to_the_letter),
		cmocka_unit_test(integers_are_written_back),
		cmocka_unit_test(a_line_is_tamed),
		cmocka_unit_test(split_gives_every_part),
		cmocka_unit_test(order_is_by_bytes),
	};
	return cmocka_run_group_tests_name("base/str", tests, NULL, NULL);
}
