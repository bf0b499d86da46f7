#include "synth/spelling.h"

#include "../unit.h"
#include "text/utf8.h"

static struct drg_buf out, scratch;

static int set_up(void **state)
{
	(void)state;
	drg_buf_init(&out, 4096);
	drg_buf_init(&scratch, 4096);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_buf_done(&out);
	drg_buf_done(&scratch);
	return 0;
}

static void expect(const char *text)
{
	drg_buf_char(&out, '\0');
	assert_string_equal(out.p, text);
}

/* "Corallia Blue Bay Resort & Spa" in Antalya, once "Golden Sultan". */
static struct drg_synth_name resort(void)
{
	struct drg_synth_name n = { .n = 4, .type = 2, .was = { "Golden", "Sultan" } };
	n.w[0] = (struct drg_synth_word){ DRG_ROLE_CHAIN, DRG_STR("Corallia") };
	n.w[1] = (struct drg_synth_word){ DRG_ROLE_WORD, DRG_STR("Blue") };
	n.w[2] = (struct drg_synth_word){ DRG_ROLE_WORD, DRG_STR("Bay") };
	n.w[3] = (struct drg_synth_word){ DRG_ROLE_TYPE, drg_synth_type_word(2, DRG_LANG_EN) };
	return n;
}

static void spell(const struct drg_synth_style *style)
{
	struct drg_rng r = drg_rng(1, DRG_RNG_SOURCE, 1, 1);
	struct drg_synth_name name = resort();
	drg_buf_clear(&out);
	drg_synth_spell_name(style, &r, &name, 5, DRG_STR("Antalya"), &scratch, &out);
}

static void test_each_habit_alone(void **state)
{
	(void)state;
	static const struct {
		struct drg_synth_style style;
		const char *expected;
	} cases[] = {
		{ { .ampersand = "&" }, "Corallia Blue Bay Resort & Spa" },
		{ { .ampersand = "and" }, "Corallia Blue Bay Resort and Spa" },
		{ { .ampersand = "&", .letters = DRG_CASE_UPPER }, "CORALLIA BLUE BAY RESORT & SPA" },
		{ { .ampersand = "&", .abbreviate = 1000 }, "Corallia Blue Bay RST & Spa" },
		{ { .ampersand = "&", .drop_type = 1000 }, "Corallia Blue Bay" },
		{ { .ampersand = "&", .type_first = 1000 }, "Resort & Spa Corallia Blue Bay" },
		{ { .ampersand = "&", .drop_type = 1000, .swap_words = 1000 }, "Blue Corallia Bay" },
		{ { .ampersand = "&", .by_chain = 1000 }, "Blue Bay Resort & Spa by Corallia" },
		{ { .ampersand = "+", .add_stars = 1000 }, "Corallia Blue Bay Resort + Spa 5*" },
		{ { .ampersand = "&", .add_was = 1000 },
		  "Corallia Blue Bay Resort & Spa (ex. Golden Sultan)" },
		{ { .ampersand = "&", .add_city = 1000 }, "Corallia Blue Bay Resort & Spa Antalya" },
		{ { .ampersand = "&", .quotes = 1000 }, "\"Corallia Blue Bay Resort & Spa\"" },
		{ { .ampersand = "та", .lang = DRG_LANG_UK, .cyrillic = true, .local_type = true },
		  "Кораллія Блю Бей Резорт і Спа" },
		{ { .ampersand = "&", .lang = DRG_LANG_TR, .local_type = true },
		  "Corallia Blue Bay Resort & Spa" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		spell(&cases[i].style);
		expect(cases[i].expected);
	}
}

static void test_typing_errors_stay_valid_and_short(void **state)
{
	(void)state;
	static const char *const names[] = {
		"Blue Bay Palace", "Отель Мираж", "Şelale Çamlık", "Ab", "", "Ağa1"
	};
	struct drg_rng r = drg_rng(3, DRG_RNG_SOURCE, 0, 0);
	unsigned changed = 0;
	for (int round = 0; round < 600; round++) {
		struct drg_str name = drg_str_c(names[round % 6]);
		drg_buf_clear(&out);
		drg_buf_lit(&out, "kept ");
		drg_buf_str(&out, name);
		drg_synth_typo(&r, &out, 5);
		struct drg_str wrong = drg_str(out.p + 5, out.n - 5);
		assert_memory_equal(out.p, "kept ", 5);
		assert_true(drg_utf8_valid(wrong, NULL));
		size_t before = drg_utf8_count(name), after = drg_utf8_count(wrong);
		assert_in_range(after + 1, before, before + 2);
		if (before < 4)
			assert_true(drg_str_eq(name, wrong));
		changed += !drg_str_eq(name, wrong);
	}
	assert_in_range(changed, 250, 400); /* of the 400 that are long enough */
}

static void test_text_in_letters_and_case(void **state)
{
	(void)state;
	static const struct {
		struct drg_synth_style style;
		const char *text, *expected;
	} cases[] = {
		{ { .ampersand = "&" }, "Kuşadası", "Kuşadası" },
		{ { .ascii = true }, "Kuşadası", "Kusadasi" },
		{ { .letters = DRG_CASE_UPPER }, "Kuşadası", "KUŞADASI" },
		{ { .letters = DRG_CASE_UPPER, .ascii = true }, "Weißes Rössl", "WEISSES ROSSL" },
		{ { .letters = DRG_CASE_UPPER, .ascii = true }, "Київ, Ґданськ", "КИЇВ, ҐДАНСЬК" },
		{ { .letters = DRG_CASE_UPPER }, "", "" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		drg_buf_clear(&out);
		drg_synth_spell_text(&cases[i].style, drg_str_c(cases[i].text), &out);
		expect(cases[i].expected);
	}
}

static void test_cyrillic(void **state)
{
	(void)state;
	static const struct {
		bool ukrainian;
		const char *text, *expected;
	} cases[] = {
		{ false, "Sherwood", "Шервуд" },
		{ false, "Hilal Beach 21", "Хилал Бич 21" },
		{ true, "Hilal Beach 21", "Гілал Біч 21" },
		{ false, "Şelale & Çamlık", "Шелале & Чамлик" },
		{ true, "Yeni Yıldız", "Єні Іілдіз" },
		{ false, "Отель Quartz", "Отель Квартз" },
		{ false, "ß", "сс" },
		{ false, "Žabljak, Čatež", "Жаблджак, Чатеж" },
		{ false, "Schlössl", "Шлоссл" },
		{ false, "X", "Кс" },
		{ false, "Lakeside Lake Resort & Spa", "Лейксайд Лейк Резорт & Спа" },
		{ true, "Blue Palace Beach", "Блю Палас Біч" },
		{ false, "Lakes, Palacé", "Лакес, Палаке" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		drg_buf_clear(&out);
		drg_synth_cyrillic(cases[i].ukrainian, drg_str_c(cases[i].text), &out);
		expect(cases[i].expected);
	}
}

GROUP(spelling)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_each_habit_alone),
		cmocka_unit_test(test_typing_errors_stay_valid_and_short),
		cmocka_unit_test(test_text_in_letters_and_case),
		cmocka_unit_test(test_cyrillic),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
