/* Names and codes by which the matcher and the air search recognise countries. */
#include "../unit.h"

#include "base/err.h"
#include "text/countries.h"

static int is_named(void *ctx, struct drg_str name)
{
	struct drg_str *wanted = ctx;
	if (drg_str_eq_nocase(name, *wanted))
		wanted->n = 0; /* found */
	return DRG_OK;
}

/* Common names in lists that differ from CLDR's name of the country. */
static void usual_names_are_known(void **state)
{
	static const struct {
		const char *alpha_2, *name;
	} names[] = {
		{ "CZ", "Czech Republic" }, { "CI", "Ivory Coast" }, { "RU", "Russian Federation" },
		{ "GB", "Great Britain" },  { "SZ", "Swaziland" },   { "BY", "Белоруссия" },
		{ "TR", "Turkey" },
	};
	static const struct drg_str langs[] = { { "en", 2 }, { "ru", 2 } };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++) {
		struct drg_str wanted = drg_str_c(names[i].name);
		assert_int_equal(drg_country_names(drg_str_c(names[i].alpha_2), langs, DRG_ARRAY_LEN(langs),
		                                   is_named, &wanted),
		                 DRG_OK);
		if (wanted.n > 0)
			fail_msg("%s is not called %s", names[i].alpha_2, names[i].name);
	}
}

static void codes_are_known_in_every_form(void **state)
{
	static const char *const codes[] = { "tr", "TR", "TUR", "tur", "792" };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(codes); i++)
		assert_true(drg_str_eq(drg_country_code(drg_str_c(codes[i])), DRG_STR("TR")));
	assert_int_equal(drg_country_code(DRG_STR("XX")).n, 0);
	assert_true(drg_country_capitals(DRG_STR("RU")) && drg_country_capitals(DRG_STR("RUS")));
	assert_false(drg_country_capitals(DRG_STR("Ru")) || drg_country_capitals(DRG_STR("RUSS")));
}

GROUP(countries)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(usual_names_are_known),
		cmocka_unit_test(codes_are_known_in_every_form),
	};
	return cmocka_run_group_tests_name("text/countries", tests, NULL, NULL);
}
