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
	{ "iw", true, "iw", "iw he en" },
	{ "in-ID", true, "in-id", "in-id id-id id en" },
	{ "no", true, "no", "no nb en" },
	{ "tl-PH", true, "tl-ph", "tl-ph fil-ph fil en" },
	{ "sh", true, "sh", "sh sr-latn sr en" },
	{ "sh-Cyrl", true, "sh-cyrl", "sh-cyrl sr-cyrl sr en" },
	{ "deu", true, "deu", "deu de en" },
	{ "en-UK", true, "en-uk", "en-uk en-gb en" },
	{ "zh-TW", true, "zh-tw", "zh-tw zh-hant-tw zh-hant zh en" },
	{ "zh_HK", true, "zh-hk", "zh-hk zh-hant-hk zh-hant zh en" },
	{ "zh-CN", true, "zh-cn", "zh-cn zh en" },
	{ "zh-min-nan", true, "zh-min-nan", "zh-min-nan nan en" },
	{ "sr-ME", true, "sr-me", "sr-me sr-latn-me sr-latn sr en" },
	{ "uz-AF", true, "uz-af", "uz-af uz-arab-af uz-arab uz en" },
	{ "zh-x-1", true, "zh-x-1", "zh-x-1 zh-x zh en" },
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
		char buf[DRG_LANG_MAX + 1], room[DRG_LANG_FULL + 1];
		if (drg_lang_valid(tag) != cases[i].valid)
			fail_msg("%s", cases[i].tag);
		if (!cases[i].valid)
			continue;
		tag = drg_lang_normal(tag, buf);
		assert_string_equal(tag.p, cases[i].normal);
		unsigned n = drg_lang_chain(tag, room, chain), k = 0;
		for (struct drg_str rest = drg_str_c(cases[i].chain); drg_str_split(&rest, ' ', &part); k++)
			assert_true(k < n && drg_str_eq(chain[k], part));
		assert_int_equal(k, n);
	}
}

static void tags_that_mean_the_same_are_the_same_in_full(void **state)
{
	(void)state;
	static const char *const same[] = {
		"he iw iw-hebr",
		"id in ind",
		"zh zh-hans cmn",
		"zh-cn zh-hans-cn",
		"zh-tw zh-hant zh-hant-tw",
		"sr-latn sh",
		"sr sr-cyrl srp",
		"nb no nor nb-latn",
		"uk ukr",
		"en-gb en-uk",
		"de-1996 de-latn-1996",
	};
	for (size_t i = 0; i < sizeof same / sizeof same[0]; i++) {
		struct drg_str rest = drg_str_c(same[i]), tag;
		char first[DRG_LANG_FULL + 1] = "", full[DRG_LANG_FULL + 1];
		while (drg_str_split(&rest, ' ', &tag)) {
			drg_lang_full(tag, full);
			if (first[0] == '\0')
				strcpy(first, full);
			assert_string_equal(full, first);
		}
	}
	char a[DRG_LANG_FULL + 1], b[DRG_LANG_FULL + 1];
	static const char *const other[][2] = {
		{ "zh-hk", "zh-tw" }, { "zh", "zh-hant" }, { "pt-br", "pt" },
		{ "uk-ua", "uk" },    { "zh-x-1", "zh" },  { "nn", "nb" },
	};
	for (size_t i = 0; i < sizeof other / sizeof other[0]; i++)
		assert_string_not_equal(drg_lang_full(drg_str_c(other[i][0]), a).p,
		                        drg_lang_full(drg_str_c(other[i][1]), b).p);
}

GROUP(lang)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(tags_are_checked_lowered_and_shortened),
		cmocka_unit_test(tags_that_mean_the_same_are_the_same_in_full),
	};
	return cmocka_run_group_tests_name("text/lang", tests, NULL, NULL);
}
