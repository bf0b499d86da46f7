#include "../unit.h"

#include "base/compiler.h"
#include "model/record.h"

/* The table is data that everything trusts; what it must keep is checked here. */

static void names_find_their_rows(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		assert_int_equal(drg_types[t].id, t);
		assert_ptr_equal(drg_type_by_name(drg_str_c(drg_types[t].name)), &drg_types[t]);
	}
	assert_null(drg_type_by_name(DRG_STR("")));
	assert_null(drg_type_by_name(DRG_STR("dic")));
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		assert_int_equal(drg_kind_by_name(drg_str_c(drg_kind_name(k))), k);
	assert_int_equal(drg_kind_by_name(DRG_STR("planet")), DRG_KIND_NONE);
	assert_string_equal(drg_kind_name(DRG_KIND_NONE), "");
	assert_string_equal(drg_kind_name(DRG_KIND_COUNT), "");
}

static void wire_names_are_unique_in_a_type(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		const struct drg_type *type = &drg_types[t];
		for (unsigned i = 0; i < type->n_fields; i++) {
			assert_ptr_equal(drg_field_of(type, type->fields[i].field), &type->fields[i]);
			for (unsigned k = 0; k < i; k++)
				assert_string_not_equal(type->fields[i].wire, type->fields[k].wire);
		}
		assert_null(drg_field_of(type, DRG_F_NONE));
	}
}

static void the_identity_comes_first(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		const struct drg_type *type = &drg_types[t];
		assert_true((type->fields[0].flags & DRG_FF_ID) != 0);
		for (unsigned i = 1; i < type->n_fields; i++)
			if ((type->fields[i].flags & DRG_FF_ID) != 0)
				assert_true((type->fields[i - 1].flags & DRG_FF_ID) != 0);
		assert_int_equal(drg_field_of(type, DRG_F_KIND) != NULL, type->kinds != 0);
	}
}

/* Does the row make sense by itself? */
static void check_row(const struct drg_field_def *f)
{
	bool bounded = f->vtype == DRG_V_INT || f->vtype == DRG_V_REAL || f->vtype == DRG_V_SRCID ||
	               f->vtype == DRG_V_TEXT || f->vtype == DRG_V_NAMES || f->vtype == DRG_V_UPPER;
	if (bounded)
		assert_true(f->min <= f->max && f->max > 0);
	assert_int_equal(f->words != NULL, f->vtype == DRG_V_ENUM);
	if ((f->flags & DRG_FF_DEFAULT) != 0)
		assert_true(f->vtype == DRG_V_INT || f->vtype == DRG_V_ENUM || f->vtype == DRG_V_BOOL ||
		            f->vtype == DRG_V_LANG);
	assert_false((f->flags & DRG_FF_DEFAULT) != 0 && (f->flags & (DRG_FF_ID | DRG_FF_REQUIRED)) != 0);
	assert_true(f->doc[0] != '\0');
}

static void rows_make_sense(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		for (unsigned i = 0; i < drg_types[t].n_fields; i++)
			check_row(&drg_types[t].fields[i]);
}

static void indexes_of_a_type_are_distinct_and_have_room(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		uint64_t taken = 0;
		for (unsigned i = 0; i < drg_types[t].n_fields; i++) {
			const enum drg_field f = drg_types[t].fields[i].field;
			assert_true(drg_field_index(f) < DRG_F_COUNT);
			assert_int_equal(taken & drg_field_bit(f), 0);
			taken |= drg_field_bit(f);
		}
	}
}

static void a_number_belongs_to_one_type_or_to_all(void **state)
{
	(void)state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		struct drg_record r;
		drg_record_init(&r, &drg_types[t]);
		for (unsigned other = 0; other < DRG_TYPE_COUNT; other++) {
			for (unsigned i = 0; i < drg_types[other].n_fields; i++) {
				const enum drg_field f = drg_types[other].fields[i].field;
				const bool shared = (unsigned)f < DRG_F_OWN;
				assert_int_equal(drg_record_allows(&r, f), shared || t == other);
				if (!shared && t != other)
					assert_null(drg_field_of(&drg_types[t], f));
			}
		}
		assert_false(drg_record_allows(&r, DRG_F_OWN));
		assert_false(drg_record_allows(&r, DRG_F_NONE));
	}
}

/* Snapshots on disk have them (catalog/image.h), so a new program reads the snapshot of an old one. */
static void indexes_stay_as_they_are(void **state)
{
	(void)state;
	static const struct {
		enum drg_field field;
		unsigned index;
	} all[] = {
		{ DRG_F_WHY, 27 },        { DRG_F_STAGE, 30 },    { DRG_F_ISO_ALPHA_2, 28 },
		{ DRG_F_PHONE, 35 },      { DRG_F_PHOTOS, 34 },   { DRG_F_ICAO_CODE, 32 },
		{ DRG_F_GENERATION, 30 }, { DRG_F_ADDED, 32 },    { DRG_F_SESSION_GENERATION, 30 },
		{ DRG_F_PERSON_ID, 33 },  { DRG_F_BY_PROXY, 38 }, { DRG_F_KEY_HASH, 28 },
		{ DRG_F_TEXT_IDS, 43 },   { DRG_F_OF_BATCH, 30 }, { DRG_F_OF_ADAPTERS, 34 },
	};
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		assert_int_equal(drg_field_index(all[i].field), all[i].index);
}

static void shared_numbers_mean_the_same_in_every_type(void **state)
{
	(void)state;
	/* A value lives in one member of the union, whatever the type. */
	int texts[DRG_F_OWN];
	memset(texts, -1, sizeof texts);
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		for (unsigned i = 0; i < drg_types[t].n_fields; i++) {
			const struct drg_field_def *f = &drg_types[t].fields[i];
			if (f->field >= DRG_F_OWN)
				continue;
			int text = drg_value_is_text(f->vtype);
			assert_true(texts[f->field] == -1 || texts[f->field] == text);
			texts[f->field] = text;
		}
	}
	for (unsigned i = 0; i < DRG_F_OWN; i++)
		assert_int_not_equal(texts[i], -1); /* every shared number is used */
}

static void kinds_choose_fields(void **state)
{
	(void)state;
	const struct drg_type *dict = &drg_types[DRG_TYPE_DICT];
	const struct drg_field_def *iso = drg_field_of(dict, DRG_F_ISO_ALPHA_2);
	assert_true(drg_field_applies(iso, DRG_KIND_COUNTRY));
	assert_false(drg_field_applies(iso, DRG_KIND_CITY));
	assert_true(drg_field_applies(drg_field_of(dict, DRG_F_NAMES), DRG_KIND_CITY));
}

GROUP(model)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_find_their_rows),
		cmocka_unit_test(wire_names_are_unique_in_a_type),
		cmocka_unit_test(the_identity_comes_first),
		cmocka_unit_test(rows_make_sense),
		cmocka_unit_test(indexes_of_a_type_are_distinct_and_have_room),
		cmocka_unit_test(a_number_belongs_to_one_type_or_to_all),
		cmocka_unit_test(indexes_stay_as_they_are),
		cmocka_unit_test(shared_numbers_mean_the_same_in_every_type),
		cmocka_unit_test(kinds_choose_fields),
	};
	return cmocka_run_group_tests_name("model/model", tests, NULL, NULL);
}
