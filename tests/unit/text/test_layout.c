#include "../unit.h"
#include "text/layout.h"

static const struct {
	const char *name, *typed, *want[DRG_LAYOUTS_MAX];
} cases[] = {
	{ "Moscow on QWERTY", "vjcrdf", { "москва" } },
	{ "London on ЙЦУКЕН", "дщтвщт", { "london" } },
	{ "Kyiv on QWERTY: a key of the Ukrainian layout", "rb]d", { "киъв", "київ" } },
	{ "keys that are no letters in Latin", "[fh'rjd", { "харэков", "харєков" } },
	{ "a comma is a letter", ",fre", { "баку" } },
	{ "capitals become small", "VJCRDF", { "москва" } },
	{ "shifted keys", "{FHBRDS", { "харикв\xd1\x8b", "харикв\xd1\x96" } },
	{ "Ukrainian letters on ЙЦУКЕН", "тіці", { "nsws" } },
	{ "Russian letters on ЙЦУКЕН", "ыщашф", { "sofia" } },
	{ "words and digits", "yjdsq 7", { "новый 7", "новій 7" } },
	{ "both scripts", "moсква", { NULL } },
	{ "digits only", "123", { NULL } },
	{ "nothing", "", { NULL } },
	{ "a letter of another script", "vj巴", { NULL } },
	{ "Greek", "αθήνα", { NULL } },
	{ "an accented Latin letter", "málaga", { NULL } },
	{ "emoji are no letters", "vjcrdf😀", { "москва😀" } },
};

static void the_other_layout_is_guessed(void **state)
{
	(void)state;
	struct drg_arena a;
	drg_arena_init(&a, 1 << 16);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_str got[DRG_LAYOUTS_MAX];
		unsigned n = drg_layout_guesses(drg_str_c(cases[i].typed), &a, got), want = 0;
		while (want < DRG_LAYOUTS_MAX && cases[i].want[want] != NULL)
			want++;
		if (n != want)
			fail_msg("%s: %u guesses, expected %u", cases[i].name, n, want);
		for (unsigned k = 0; k < n; k++)
			if (!drg_str_eq(got[k], drg_str_c(cases[i].want[k])))
				fail_msg("%s: \"%.*s\", expected \"%s\"", cases[i].name, DRG_STR_ARG(got[k]),
				         cases[i].want[k]);
	}
	drg_arena_done(&a);
}

static void without_memory_nothing_is_guessed(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_str got[DRG_LAYOUTS_MAX];
	drg_arena_init(&a, 8);
	assert_int_equal(drg_layout_guesses(DRG_STR("vjcrdf"), &a, got), 0);
	drg_arena_done(&a);
}

GROUP(layout)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_other_layout_is_guessed),
		cmocka_unit_test(without_memory_nothing_is_guessed),
	};
	return cmocka_run_group_tests_name("layout", tests, NULL, NULL);
}
