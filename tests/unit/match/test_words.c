/* The words that mean more than others are found, and no others. */
#include "../unit.h"

#include "base/compiler.h"
#include "match/words.h"

static void words_are_found(void **state)
{
	(void)state;
	assert_true((drg_word_find(DRG_STR("hotel"))->classes & DRG_WORD_TYPE) != 0);
	assert_true((drg_word_find(DRG_STR("residence"))->classes & DRG_WORD_RESIDENCE) != 0);
	assert_true((drg_word_find(DRG_STR("international"))->classes & DRG_WORD_AIRPORT) != 0);
	assert_string_equal(drg_word_find(DRG_STR("second"))->number, "2nd");
}

static void all_words_are_found_and_what_begins_them_is_not_taken_for_them(void **state)
{
	(void)state;
	unsigned n = 0;
	for (size_t i = 0; i < (size_t)1 << drg_word_bits; i++) {
		if (drg_word_slots[i] == 0)
			continue;
		const struct drg_word *w = &drg_words[drg_word_slots[i] - 1];
		struct drg_str text = drg_str_c(w->text);
		assert_ptr_equal(drg_word_find(text), w);
		assert_ptr_not_equal(drg_word_find(drg_str(text.p, text.n - 1)), w);
		n++;
	}
	assert_true(n > 300);
}

static void other_words_are_not_found(void **state)
{
	(void)state;
	static const char *const words[] = { "", "orkide", "hote", "hotelx", "hotel ", "0", "zzzzzzzz" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		assert_null(drg_word_find(drg_str_c(words[i])));
}

GROUP(words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_are_found),
		cmocka_unit_test(all_words_are_found_and_what_begins_them_is_not_taken_for_them),
		cmocka_unit_test(other_words_are_not_found),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
