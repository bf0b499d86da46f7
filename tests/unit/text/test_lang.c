#include "../unit.h"

#include "text/lang.h"

static const struct {
	const char *tag;
	bool valid;
	const char *normal, *chain; /* joined by spaces */
} cases[] = {
	{ "en", true, "en", "en" },
	{ "uk", true, "uk", "uk en" },
	{ "uk-UA", true, "uk-ua", "uk-ua uk en" },
	{ "EN-gb", true, "en-gb", "en-gb en" },
	{ "zh-Hant-TW", true, "zh-hant-tw", "zh-hant-tw zh-hant zh en" },
	{ "de-1996", true, "de-1996", "de-1996 de en" },
	{ "qaa", true, "qaa", "qaa en" },
	{ "x", false, NULL, NULL },
	{ "q-1", false, NULL, NULL },
	{ "x-klingon", false, NULL, NULL },
	{ "abcdefgh", true, "abcdefgh", "abcdefgh en" },
	{ "aa-b-c-d-e-f-g-h-i-j", true, "aa-b-c-d-e-f-g-h-i-j",
	  "aa-b-c-d-e-f-g-h-i-j aa-b-c-d-e-f-g-h-i aa-b-c-d-e-f-g-h aa-b-c-d-e-f-g aa-b-c-d-e-f aa-b-c-d-e "
	  "aa-b-c-d en" },
	{ "abcdefgh-abcdefgh-abcdefgh-abcdefgh", true, "abcdefgh-abcdefgh-abcdefgh-abcdefgh",
	  "abcdefgh-abcdefgh-abcdefgh-abcdefgh abcdefgh-abcdefgh-abcdefgh abcdefgh-abcdefgh abcdefgh en" },
	{ "abcdefg-abcdefgh-abcdefgh-abcdefgh", true,
	  "abcdefg-abcdefgh-abcdefgh-abcdefgh", /* 34 characters */
	  "abcdefg-abcdefgh-abcdefgh-abcdefgh abcdefg-abcdefgh-abcdefgh abcdefg-abcdefgh abcdefg en" },
	{ "abcdefgh-abcdefgh-abcdefgh-abcdefgh-", false, NULL, NULL },
	{ "abcdefg-abcdefgh-abcdefgh-abcdefgh-a", false, NULL, NULL }, /* 36 characters */
	{ "abcdefghi", false, NULL, NULL },
	{ "", false, NULL, NULL },
	{ "-", false, NULL, NULL },
	{ "en-", false, NULL, NULL },
	{ "-en", false, NULL, NULL },
	{ "en--gb", false, NULL, NULL },
	{ "e1", false, NULL, NULL },
	{ "1", false, NULL, NULL },
	{ "en_GB", true, "en-gb", "en-gb en" },
	{ "zh_Hant-TW", true, "zh-hant-tw", "zh-hant-tw zh-hant zh en" },
	{ "en_", false, NULL, NULL },
	{ "_en", false, NULL, NULL },
	{ "en_-gb", false, NULL, NULL },
	{ "en gb", false, NULL, NULL },
	{ "укр", false, NULL, NULL },
};

static void tags_are_checked_lowered_and_shortened(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_str tag = drg_str_c(cases[i].tag), chain[DRG_LANG_CHAIN], part;
		char buf[DRG_LANG_MAX + 1];
		if (drg_lang_valid(tag) != cases[i].valid)
			fail_msg("%s", cases[i].tag);
		if (!cases[i].valid)
			continue;
		tag = drg_lang_normal(tag, buf);
		assert_string_equal(tag.p, cases[i].normal);
		unsigned n = drg_lang_chain(tag, chain), k = 0;
		for (struct drg_str rest = drg_str_c(cases[i].chain); drg_str_split(&rest, ' ', &part); k++)
			assert_true(k < n && drg_str_eq(chain[k], part));
		assert_int_equal(k, n);
	}
}

GROUP(lang)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_checked_lowered_and_shortened),
	};
	return cmocka_run_group_tests_name("text/lang", tests, NULL, NULL);
}
