#include "../unit.h"

#include "base/compiler.h"
#include "reconcile/types.h"

static void an_id_is_read_as_it_was_written(void **state)
{
	(void)state;
	static const int64_t numbers[] = { 0, 1, 55, -44, INT64_MAX, INT64_MIN + 1 };
	for (unsigned type = 0; type < DRG_RECON_TYPES; type++)
		for (size_t i = 0; i < DRG_ARRAY_LEN(numbers); i++) {
			char text[DRG_RECON_ID_TEXT];
			unsigned its;
			int64_t number;
			size_t n = drg_recon_id_text(type, numbers[i], text);
			assert_true(n < sizeof text);
			assert_true(drg_recon_id_read(drg_str(text, n), &its, &number));
			assert_int_equal(its, type);
			assert_true(number == numbers[i]);
		}
}

static void what_is_no_id(void **state)
{
	(void)state;
	static const char *const texts[] = {
		"",          "-",         "hotel",    "hotel-",   "hotel-055", "hotel-+5",
		"hotel-1e3", "hotel- 5",  "hotel--0", "planet-1", "Hotel-5",   "hotel_5",
		"hotel-5x",  "hotel-5-5", "-5",       "5",        "hotel–5",   "hotel-9223372036854775808"
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		unsigned type;
		int64_t number;
		if (drg_recon_id_read(drg_str_c(texts[i]), &type, &number))
			fail_msg("an id: %s", texts[i]);
	}
}

static void each_type_and_property_has_an_id_of_its_own(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_RECON_TYPES; t++)
		assert_int_equal(drg_recon_type_by_id(drg_str_c(drg_recon_types[t].id)), t);
	for (unsigned p = 0; p < DRG_RECON_PROPERTIES; p++)
		assert_int_equal(drg_recon_property_by_id(drg_str_c(drg_recon_properties[p].id)), p);
	assert_int_equal(drg_recon_type_by_id(DRG_STR("hote")), DRG_RECON_TYPES);
	assert_int_equal(drg_recon_type_by_id(DRG_STR("")), DRG_RECON_TYPES);
	assert_int_equal(drg_recon_property_by_id(DRG_STR("Country")), DRG_RECON_PROPERTIES);
}

/* What OpenRefine is told: an id in a value names a type that there is. */
static void properties_name_types_that_there_are(void **state)
{
	(void)state;
	for (unsigned p = 0; p < DRG_RECON_PROPERTIES; p++) {
		assert_true(drg_recon_properties[p].value <= DRG_RECON_TYPES);
		assert_true(drg_recon_properties[p].types != 0);
		assert_int_equal(drg_recon_properties[p].types & ~(unsigned)DRG_RECON_ALL, 0);
	}
	for (unsigned t = 0; t < DRG_RECON_TYPES; t++)
		assert_true(drg_recon_types[t].id != NULL && drg_recon_types[t].name != NULL);
}

GROUP(types)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(an_id_is_read_as_it_was_written),
		cmocka_unit_test(what_is_no_id),
		cmocka_unit_test(each_type_and_property_has_an_id_of_its_own),
		cmocka_unit_test(properties_name_types_that_there_are),
	};
	return cmocka_run_group_tests_name("reconcile/types", tests, NULL, NULL);
}
