/* Texts in small Latin letters: words that are remembered mean what ICU makes of the whole text. */
#include "../unit.h"

#include <stdio.h>

#include "base/buf.h"
#include "match/latin.h"

static const char *const words[] = { "Hotel",      "Отель",    "ОТЕЛЬ", "Готель",  "Солнечный", "Щёлково",
	                             "Ёлка",       "Їжак",     "Σπίτι", "Côté",    "İstanbul",  "Iğdır",
	                             "ISPARTA",    "Straße",   "Ærø",   "Łódź",    "Ђурђевдан", "Љубљана",
	                             "Ǆ",          "съезд",    "Ъ",     "ь",       "№5",        "5*",
	                             "Отель-люкс", "Mix-Микс", "ŉ",     "М’якота", "ғаңқ",      "a.б.c",
	                             "(Кемер)",    "фонд," };

static UChar got[DRG_LATIN_ROOM], wanted[DRG_LATIN_ROOM];

static struct drg_latin *latin_new(void)
{
	struct drg_latin *l;
	struct drg_err err;
	assert_int_equal(drg_latin_new(&l, &err), DRG_OK);
	return l;
}

/* A letter that ICU drops nothing of and that is not among those whose words stand alone makes it read the
 * whole text. */
static void words_alone_are_as_in_their_text(void **state)
{
	(void)state;
	struct drg_latin *l = latin_new();
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		for (size_t k = 0; k < DRG_ARRAY_LEN(words); k++) {
			char text[128], whole[128];
			snprintf(text, sizeof text, "%s %s  ", words[i], words[k]);
			snprintf(whole, sizeof whole, "%s %s  ☆", words[i], words[k]);
			for (int again = 0; again < 2; again++) {
				int32_t n = drg_latin_transliterate(l, drg_str_c(text), got);
				int32_t n_whole = drg_latin_transliterate(l, drg_str_c(whole), wanted);
				assert_int_equal(wanted[n_whole - 1], 0x2606);
				assert_int_equal(n, n_whole - 1);
				assert_memory_equal(got, wanted, (size_t)n * sizeof *got);
			}
		}
	drg_latin_free(l);
}

static void many_words_are_not_mixed_up(void **state)
{
	(void)state;
	struct drg_latin *l = latin_new();
	for (int round = 0; round < 2; round++)
		for (unsigned i = 0; i < 100000; i++) {
			char text[64], plain[64];
			snprintf(text, sizeof text, "Ж%u", i);
			snprintf(plain, sizeof plain, "z%u", i);
			int32_t n = drg_latin_transliterate(l, drg_str_c(text), got);
			assert_int_equal(n, strlen(plain));
			for (int32_t k = 0; k < n; k++)
				assert_int_equal(got[k], plain[k]);
		}
	drg_latin_free(l);
}

static void long_texts_have_room(void **state)
{
	(void)state;
	static const char *const letters[] = { "щ",  "щ ",  "щx", "Ǆ ", "ŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉŉ ",
		                               "  ", "ab ", "ﷺ" };
	struct drg_latin *l = latin_new();
	for (size_t i = 0; i < DRG_ARRAY_LEN(letters); i++) {
		struct drg_buf text;
		drg_buf_init(&text, 1 << 16);
		while (text.n < 10000)
			drg_buf_str(&text, drg_str_c(letters[i]));
		for (int again = 0; again < 2; again++)
			assert_in_range(drg_latin_transliterate(l, drg_str(text.p, text.n), got), 0,
			                DRG_LATIN_ROOM);
		drg_buf_done(&text);
	}
	drg_latin_free(l);
}

/* Lists in capitals: of a capital soft or hard sign ICU leaves a mark that would cut the word in two. */
static void capitals_are_as_small_letters(void **state)
{
	(void)state;
	static const char *const pairs[][2] = {
		{ "ЛЬВОВ", "львов" },   { "УЛЬТРА ВСЁ ВКЛЮЧЕНО", "ультра всё включено" },
		{ "ОБЪЕКТ", "объект" }, { "ПАЛЬМА", "Пальма" },
		{ "ΑΘΉΝΑΣ", "Αθήνας" }, { "ŁÓDŹ", "Łódź" },
	};
	struct drg_latin *l = latin_new();
	for (size_t i = 0; i < DRG_ARRAY_LEN(pairs); i++) {
		int32_t n = drg_latin_transliterate(l, drg_str_c(pairs[i][0]), got);
		assert_int_equal(drg_latin_transliterate(l, drg_str_c(pairs[i][1]), wanted), n);
		assert_memory_equal(got, wanted, (size_t)n * sizeof *got);
	}
	drg_latin_free(l);
}

GROUP(latin)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_alone_are_as_in_their_text),
		cmocka_unit_test(many_words_are_not_mixed_up),
		cmocka_unit_test(capitals_are_as_small_letters),
		cmocka_unit_test(long_texts_have_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
