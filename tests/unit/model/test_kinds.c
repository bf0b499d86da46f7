#include "../unit.h"

#include "model/model.h"

/* The table of kinds is data that everything trusts; what it must keep is checked here. */

static void each_kind_has_one_place(void **state)
{
	(void)state;
	unsigned in_order = 0, offered = 0;
	for (unsigned i = 0; i < DRG_KIND_COUNT; i++) {
		const unsigned kind = drg_kinds_in_order[i];
		assert_int_equal(in_order >> kind & 1, 0);
		in_order |= 1U << kind;
		if (drg_kinds[i].offered > 0)
			assert_int_equal(offered >> drg_kinds[i].offered & 1, 0);
		offered |= 1U << drg_kinds[i].offered;
	}
	assert_int_equal(in_order, DRG_KINDS_ALL);
	assert_int_equal(offered & (offered + 1), 0); /* 1, 2, 3 ... without a gap */
}

static void names_are_unique_and_titles_there(void **state)
{
	(void)state;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		const struct drg_kind_row *row = &drg_kinds[k];
		assert_int_equal(drg_kind_by_name(drg_str_c(row->name)), k);
		assert_string_not_equal(row->name, row->plural);
		assert_true(row->title[0] != '\0' && row->label[0] != '\0');
		for (unsigned other = 0; other < k; other++)
			assert_string_not_equal(row->plural, drg_kinds[other].plural);
	}
}

/* Requests give suppliers' records, and the matcher reads the fields that its comparison needs. */
static void what_is_compared_can_be(void **state)
{
	(void)state;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		const enum drg_kind kind = (enum drg_kind)k;
		const bool codes = drg_kind_compared(k) == DRG_COMPARED_CODES;
		assert_int_equal(drg_kind_is_source(k), drg_kind_compared(k) != DRG_COMPARED_NOT);
		assert_true(drg_kind_is_source(k) || !drg_kinds[k].asked);
		assert_int_equal(codes, drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_ISO_CODE) ||
		                                drg_kind_has(DRG_TYPE_DICT, kind, DRG_F_ISO_ALPHA_2));
		assert_true(codes || drg_kinds[k].keyed != DRG_KEYED_CODE);
		if (drg_kind_compared(k) == DRG_COMPARED_HOTELS)
			assert_true(drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_SRC_CITY_ID));
	}
	assert_false(drg_kind_is_source(DRG_KIND_NONE));
	assert_int_equal(drg_kind_compared(DRG_KIND_NONE), DRG_COMPARED_NOT);
}

static void parents_are_what_their_fields_name(void **state)
{
	(void)state;
	for (unsigned i = 0; i < DRG_KIND_PARENTS; i++) {
		const struct drg_kind_parent *of = &drg_kind_parents[i];
		assert_int_equal(drg_kind_named_by(of->dict), of->kind);
		assert_ptr_equal(drg_kind_parent(of->kind), of);
	}
	assert_null(drg_kind_parent(DRG_KIND_MEAL));
	assert_int_equal(drg_kind_named_by(DRG_F_NAMES), DRG_KIND_NONE);
	assert_int_equal(drg_kind_named_by(DRG_F_LOGO), DRG_KIND_NONE);
}

static void names_of_a_set_are_listed(void **state)
{
	(void)state;
	char text[300];
	assert_string_equal(drg_kind_names(1U << DRG_KIND_MEAL | 1U << DRG_KIND_COUNTRY, text, sizeof text),
	                    "country, meal");
	assert_string_equal(drg_kind_names(0, text, sizeof text), "");
	assert_string_equal(drg_kind_names(DRG_KINDS_ALL, text, 10), "country, ");
}

/* A kind that suppliers have no records of is no word of theirs: nor is the empty text in its place. */
static void other_kinds_are_no_words_of_sources(void **state)
{
	(void)state;
	const struct drg_field_def *kind = drg_field_of(&drg_types[DRG_TYPE_SOURCE], DRG_F_KIND);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		assert_string_equal(kind->words[k], drg_kind_is_source(k) ? drg_kinds[k].name : "");
	assert_null(kind->words[DRG_KIND_COUNT]);
}

GROUP(kinds)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_has_one_place),
		cmocka_unit_test(names_are_unique_and_titles_there),
		cmocka_unit_test(what_is_compared_can_be),
		cmocka_unit_test(parents_are_what_their_fields_name),
		cmocka_unit_test(names_of_a_set_are_listed),
		cmocka_unit_test(other_kinds_are_no_words_of_sources),
	};
	return cmocka_run_group_tests_name("model/kinds", tests, NULL, NULL);
}
