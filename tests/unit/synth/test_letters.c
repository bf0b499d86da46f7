#include "synth/letters.h"

#include "../unit.h"

static uint32_t code_point(const char *text)
{
	uint32_t cp;
	assert_int_equal(drg_letter_next(drg_str_c(text), &cp), strlen(text));
	return cp;
}

static void test_next_and_put_are_inverse(void **state)
{
	(void)state;
	static const char *const letters[] = { "a", "~", "é", "ÿ",  "Ж",
		                               "ʼ", "ệ", "’", "中", "\xf0\x9f\x8f\xa8" };
	struct drg_buf b;
	drg_buf_init(&b, 64);
	for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++) {
		drg_buf_clear(&b);
		drg_letter_put(&b, code_point(letters[i]));
		assert_true(drg_str_eq(drg_buf_view(&b), drg_str_c(letters[i])));
	}
	drg_buf_done(&b);
}

static void test_capitals(void **state)
{
	(void)state;
	static const struct {
		const char *small, *capital;
	} cases[] = {
		{ "a", "A" },
		{ "z", "Z" },
		{ "é", "É" },
		{ "ø", "Ø" },
		{ "þ", "Þ" },
		{ "ş", "Ş" },
		{ "ł", "Ł" },
		{ "ń", "Ń" },
		{ "ž", "Ž" },
		{ "ı", "I" },
		{ "а", "А" },
		{ "я", "Я" },
		{ "ё", "Ё" },
		{ "є", "Є" },
		{ "ї", "Ї" },
		{ "ґ", "Ґ" },
		{ "ș", "Ș" },
		{ "ư", "Ư" },
		{ "ệ", "Ệ" },
		/* what has no capital of its own stays */
		{ "A", "A" },
		{ "5", "5" },
		{ "&", "&" },
		{ "ß", "ß" },
		{ "÷", "÷" },
		{ "Ж", "Ж" },
		{ "中", "中" },
		{ "’", "’" },
		{ "Ł", "Ł" },
		{ "Ń", "Ń" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
		assert_int_equal(drg_letter_upper(code_point(cases[i].small)), code_point(cases[i].capital));
}

static void test_plain_forms(void **state)
{
	(void)state;
	static const struct {
		const char *letter, *plain;
	} cases[] = {
		{ "é", "e" }, { "Ş", "S" }, { "ş", "s" },  { "İ", "I" },  { "ı", "i" },  { "ł", "l" },
		{ "Ž", "Z" }, { "ž", "z" }, { "ß", "ss" }, { "æ", "ae" }, { "Œ", "OE" }, { "Þ", "TH" },
		{ "ő", "o" }, { "ř", "r" }, { "ů", "u" },  { "ș", "s" },  { "ơ", "o" },  { "Ư", "U" },
		{ "ư", "u" }, { "ệ", "e" }, { "Ạ", "A" },  { "’", "'" },  { "–", "-" },  { "a", "" },
		{ "Ж", "" },  { "×", "" },  { "中", "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		char plain[2];
		size_t n = drg_letter_plain(code_point(cases[i].letter), plain);
		assert_true(drg_str_eq(drg_str(plain, n), drg_str_c(cases[i].plain)));
	}
}

GROUP(letters)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_next_and_put_are_inverse),
		cmocka_unit_test(test_capitals),
		cmocka_unit_test(test_plain_forms),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
