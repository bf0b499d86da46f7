#include "../unit.h"

#include "text/icu.h"
#include "text/utf8.h"

static const struct {
	const char *name, *text;
	size_t bad_at; /* OK: valid */
	size_t count;
} cases[] = {
#define OK SIZE_MAX
	{ "empty", "", OK, 0 },
	{ "ASCII", "Antalya", OK, 7 },
	{ "two bytes", "Київ", OK, 4 },
	{ "three bytes", "パリ", OK, 2 },
	{ "four bytes", "\xf0\x9f\x8f\x96", OK, 1 },
	{ "last code point", "\xf4\x8f\xbf\xbf", OK, 1 },
	{ "beyond the last", "a\xf4\x90\x80\x80", 1, 0 },
	{ "overlong slash", "ab\xc0\xaf", 2, 0 },
	{ "overlong in three bytes", "\xe0\x80\xaf", 0, 0 },
	{ "surrogate", "abc\xed\xa0\x80", 3, 0 },
	{ "lone trail byte", "abcdefgh\x80", 8, 0 },
	{ "cut at the end", "abcdefghi\xd0", 9, 0 },
	{ "cut by ASCII", "\xd0z", 0, 0 },
	{ "0xFF", "\xff", 0, 0 },
};

static void validity_and_count(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		size_t at = OK;
		struct drg_str s = drg_str_c(cases[i].text);
		bool valid = drg_utf8_valid(s, &at);
		if (valid != (cases[i].bad_at == OK) || at != cases[i].bad_at)
			fail_msg("%s: %zu", cases[i].name, at);
		assert_int_equal(drg_utf8_valid(s, NULL), valid);
		if (valid)
			assert_int_equal(drg_utf8_count(s), cases[i].count);
	}
}

static void a_text_is_cut_between_characters(void **state)
{
	static const struct {
		const char *text;
		size_t max, n;
	} cut[] = { { "abc", 3, 3 },
		    { "abc", 2, 2 },
		    { "abc", 0, 0 },
		    { "", 0, 0 },
		    { "aж", 3, 3 },
		    { "aж", 2, 1 },
		    { "\xf0\x9f\x8f\x96", 3, 0 },
		    { "パリ", 5, 3 },
		    { "パリ", 6, 6 },
		    { "パリ", 2, 0 } };
	(void)state;
	for (size_t i = 0; i < sizeof cut / sizeof cut[0]; i++)
		assert_int_equal(drg_utf8_cut(drg_str_c(cut[i].text), cut[i].max).n, cut[i].n);
}

static void every_bad_byte_is_found_at_every_offset(void **state)
{
	(void)state;
	char text[40];
	for (size_t at = 0; at < sizeof text; at++) {
		size_t found = 0;
		memset(text, 'a', sizeof text);
		text[at] = '\xff';
		assert_false(drg_utf8_valid(drg_str(text, sizeof text), &found));
		assert_int_equal(found, at);
	}
}

static const struct {
	const char *text;
	bool control, blank;
} kinds[] = {
	{ "", false, true },
	{ "a", false, false },
	{ " \t\n", false, true },
	{ "\xc2\xa0\xe2\x80\x83\xe3\x80\x80", false, true }, /* no-break, em, ideographic space */
	{ "\xe2\x80\x8b", false, false }, /* zero width space is no White_Space */
	{ "  a  ", false, false },
	{ "\r", true, true },
	{ "a\x1b[2J", true, false },
	{ "\x7f", true, false },
	{ "a\xc2\x80", true, false },
	{ "a\xc2\x9f", true, false },
	{ "a\xc2\xa1", false, false },
	{ "\xd0\x80\xd0\x9f", false, false }, /* trail bytes of C1 look, but no C2 before */
};

static void controls_and_blanks(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++) {
		assert_int_equal(drg_utf8_has_control(drg_str_c(kinds[i].text)), kinds[i].control);
		assert_int_equal(drg_utf8_is_blank(drg_str_c(kinds[i].text)), kinds[i].blank);
	}
}

/* One pass finds the same properties as the single checks, at every position in a word. */
static void one_look_tells_all(void **state)
{
	(void)state;
	char text[64];
	for (size_t before = 0; before <= 17; before++)
		for (size_t i = 0; i < sizeof kinds / sizeof kinds[0] + sizeof cases / sizeof cases[0]; i++) {
			const size_t n_kinds = sizeof kinds / sizeof kinds[0];
			const char *part = i < n_kinds ? kinds[i].text : cases[i - n_kinds].text;
			memset(text, before % 2 == 0 ? ' ' : 'x', before);
			size_t n = before + strlen(part);
			memcpy(text + before, part, n - before);
			const struct drg_str s = drg_str(text, n);
			const struct drg_utf8_look look = drg_utf8_look(s);
			assert_int_equal(look.valid, drg_utf8_valid(s, NULL));
			if (!look.valid)
				continue;
			assert_int_equal(look.control, drg_utf8_has_control(s));
			assert_int_equal(look.blank, drg_utf8_is_blank(s));
			assert_int_equal(look.count, drg_utf8_count(s));
		}
	for (int c = 1; c < 0x80; c++) {
		memset(text, c, sizeof text);
		const struct drg_utf8_look look = drg_utf8_look(drg_str(text, sizeof text));
		assert_int_equal(look.control, drg_utf8_has_control(drg_str(text, 1)));
		assert_int_equal(look.blank, drg_utf8_is_blank(drg_str(text, 1)));
		assert_int_equal(look.count, sizeof text);
	}
}

static void the_first_characters_are_cut(void **state)
{
	(void)state;
	assert_int_equal(drg_utf8_first(DRG_STR("a\xd0\xb6z"), 2).n, 3);
	assert_int_equal(drg_utf8_first(DRG_STR("a\xd0\xb6z"), 9).n, 4);
	assert_int_equal(drg_utf8_first(DRG_STR("a"), 0).n, 0);
}

static void white_is_what_icu_says(void **state)
{
	(void)state;
	for (UChar32 c = 1; c <= 0x10ffff; c++) {
		uint8_t text[4];
		size_t n = 0;
		U8_APPEND_UNSAFE(text, n, (uint32_t)c);
		bool blank = drg_utf8_is_blank(drg_str((char *)text, n));
		if (!U_IS_SURROGATE((uint32_t)c) && blank != (DRG_ICU(u_isUWhiteSpace)(c) != 0))
			fail_msg("U+%04X", (unsigned)c);
	}
}

static void what_shows_nothing_is_what_icu_says_and_is_taken_off(void **state)
{
	(void)state;
	for (UChar32 c = 1; c <= 0x10ffff; c++) {
		char text[16];
		size_t n = 0, one;
		if (U_IS_SURROGATE((uint32_t)c))
			continue;
		U8_APPEND_UNSAFE((uint8_t *)text, n, (uint32_t)c);
		one = n;
		const bool unseen = c < 0x20 || DRG_ICU(u_isUWhiteSpace)(c) != 0 ||
		                    DRG_ICU(u_hasBinaryProperty)(c, UCHAR_DEFAULT_IGNORABLE_CODE_POINT) != 0;
		if (drg_utf8_unseen(drg_str(text, n)) != (unseen ? n : 0))
			fail_msg("U+%04X", (unsigned)c);
		text[n++] = '1';
		U8_APPEND_UNSAFE((uint8_t *)text, n, (uint32_t)c);
		const struct drg_str s = drg_utf8_trim(drg_str(text, n));
		if (s.n != (unseen ? 1 : n) || s.p != text + (unseen ? one : 0))
			fail_msg("U+%04X", (unsigned)c);
	}
	assert_int_equal(drg_utf8_trim(DRG_STR(" \xe2\x80\x8e\xef\xbb\xbf \n")).n, 0);
	assert_int_equal(drg_utf8_trim(DRG_STR("\xe2\x80")).n, 2);
}

static void ascii(void **state)
{
	(void)state;
	char text[] = "0123456789abcdefghij";
	for (size_t n = 0; n < sizeof text; n++) {
		assert_true(drg_utf8_is_ascii(drg_str(text, n)));
		for (size_t at = 0; at < n; at++) {
			char was = text[at];
			text[at] = (char)0x80;
			assert_false(drg_utf8_is_ascii(drg_str(text, n)));
			text[at] = was;
		}
	}
}

GROUP(utf8)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(validity_and_count),
		cmocka_unit_test(ascii),
		cmocka_unit_test(a_text_is_cut_between_characters),
		cmocka_unit_test(every_bad_byte_is_found_at_every_offset),
		cmocka_unit_test(controls_and_blanks),
		cmocka_unit_test(one_look_tells_all),
		cmocka_unit_test(the_first_characters_are_cut),
		cmocka_unit_test(white_is_what_icu_says),
		cmocka_unit_test(what_shows_nothing_is_what_icu_says_and_is_taken_off),
	};
	return cmocka_run_group_tests_name("text/utf8", tests, NULL, NULL);
}
