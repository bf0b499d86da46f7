/* The check of a whole record: each field of each type at its limits and beyond them, in canonical form
 * and otherwise. */
#include "../sample.h"
#include "texts.h"

#include <math.h>

#include "model/check.h"
#include "model/ndjson.h"
#include "model/value.h"

static char room[64][SAMPLE_ROOM];

/* Set a value for every field of the kind. */
static struct drg_record full(const struct drg_type *t, unsigned kind)
{
	struct drg_record r;
	drg_record_init(&r, t);
	if (t->kinds != 0)
		drg_record_set_i(&r, DRG_F_KIND, kind);
	for (unsigned i = 0; i < t->n_fields; i++)
		if (t->fields[i].field != DRG_F_KIND && drg_field_applies(&t->fields[i], (enum drg_kind)kind))
			sample_field(&r, &t->fields[i], 1, room[i]);
	return r;
}

static void assert_fits(struct fixture *f, const struct drg_record *r)
{
	if (drg_record_check(r, &f->err) != DRG_OK)
		fail_msg("%s", f->err.message);
}

static void assert_breaks(struct fixture *f, const struct drg_record *r, const char *field,
                          const char *reason)
{
	char label[200];
	drg_record_label(r, label, sizeof label);
	f->err.field[0] = f->err.reason[0] = '\0';
	if (drg_record_check(r, &f->err) != DRG_EINVAL || strcmp(f->err.reason, reason) != 0)
		fail_msg("%s: %s should be %s: %s", label, field, reason, f->err.reason);
	assert_string_equal(f->err.field, field);
	assert_non_null(strstr(f->err.message, field));
}

/* Accept values within the limits, and nothing beyond them. */
static void assert_limits(struct fixture *f, struct drg_record r, const struct drg_field_def *d)
{
	static char text[DRG_CHARS_LIST * 2 + 2];
	if (d->vtype == DRG_V_INT && d->min > -0x1p63) {
		for (int64_t i = (int64_t)d->min; i <= (int64_t)d->max; i += (int64_t)(d->max - d->min)) {
			drg_record_set_i(&r, d->field, i);
			assert_fits(f, &r);
		}
		drg_record_set_i(&r, d->field, (int64_t)d->min - 1);
		assert_breaks(f, &r, d->wire, "out_of_range");
		drg_record_set_i(&r, d->field, (int64_t)d->max + 1);
		assert_breaks(f, &r, d->wire, "out_of_range");
	} else if (d->vtype == DRG_V_BOOL || (d->vtype == DRG_V_ENUM && d->field != DRG_F_KIND)) {
		drg_record_set_i(&r, d->field, 99);
		assert_breaks(f, &r, d->wire, "out_of_range");
	} else if (d->vtype == DRG_V_REAL) {
		const double good[] = { d->min, 0, d->max },
		             bad[] = { d->min - 1e-9, d->max + 1e-9, -0.0, NAN };
		for (size_t i = 0; i < 3; i++) {
			drg_record_set_d(&r, d->field, good[i]);
			assert_fits(f, &r);
		}
		for (size_t i = 0; i < 4; i++) {
			drg_record_set_d(&r, d->field, bad[i]);
			assert_breaks(f, &r, d->wire, "out_of_range");
		}
	} else if (d->vtype == DRG_V_TEXT || d->vtype == DRG_V_SRCID) {
		/* Two bytes, one character. */
		const size_t max = (size_t)d->max;
		assert_true(2 * (max + 1) <= sizeof text);
		for (size_t i = 0; i <= max; i++)
			memcpy(text + 2 * i, "\xd0\x90", 2);
		drg_record_set_s(&r, d->field, drg_str(text, 2 * max));
		assert_fits(f, &r);
		drg_record_set_s(&r, d->field, drg_str(text, 2 * max + 2));
		assert_breaks(f, &r, d->wire, "too_long");
		drg_record_set_s(&r, d->field, drg_str(text, 2 * (size_t)d->min));
		assert_fits(f, &r);
		if (d->min > 1) {
			drg_record_set_s(&r, d->field, drg_str(text, 2 * (size_t)d->min - 2));
			assert_breaks(f, &r, d->wire, "too_short");
		}
		drg_record_set_s(&r, d->field, drg_str(text, 2 * max - 1));
		assert_breaks(f, &r, d->wire, "invalid_text");
	}
}

static void every_field_has_its_limits(void **state)
{
	struct fixture *f = *state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		unsigned kinds = drg_types[t].kinds != 0 ? drg_types[t].kinds : 1;
		for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
			if (!drg_kind_in(kinds, k))
				continue;
			const struct drg_record r = full(&drg_types[t], k);
			assert_fits(f, &r);
			for (unsigned i = 0; i < drg_types[t].n_fields; i++)
				if (drg_record_has_value(&r, &drg_types[t].fields[i]))
					assert_limits(f, r, &drg_types[t].fields[i]);
		}
	}
}

static void what_is_required_is_missed(void **state)
{
	struct fixture *f = *state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		struct drg_record r = full(&drg_types[t], 0), less;
		for (unsigned i = 0; i < r.type->n_fields; i++) {
			const struct drg_field_def *d = &r.type->fields[i];
			const bool id = (d->flags & DRG_FF_ID) != 0;
			if (d->field == DRG_F_KIND || !drg_record_has_value(&r, d))
				continue;
			less = r;
			less.has &= ~drg_field_bit(d->field);
			if (id || (d->flags & DRG_FF_REQUIRED) != 0)
				assert_breaks(f, &less, d->wire, "missing_field");
			else
				assert_fits(f, &less);
			less.deleted = true; /* only its identity counts */
			if (id)
				assert_breaks(f, &less, d->wire, "missing_field");
			else
				assert_fits(f, &less);
		}
	}
}

static struct drg_record source(void)
{
	return full(&drg_types[DRG_TYPE_SOURCE], DRG_KIND_HOTEL);
}

static void a_row_that_breaks_the_model_can_be_removed(void **state)
{
	struct fixture *f = *state;
	struct drg_record r = source();
	static char text[65];
	memset(text, 'x', sizeof text);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str(text, sizeof text));
	assert_breaks(f, &r, "id", "too_long");
	assert_non_null(strstr(f->err.message,
	                       "id: expected a text of 1 to 64 characters, or an integer, found 65 "
	                       "characters"));
	r.deleted = true;
	assert_fits(f, &r);
}

static void fields_of_other_types_and_kinds_are_foreign(void **state)
{
	struct fixture *f = *state;
	struct drg_record r = full(&drg_types[DRG_TYPE_DICT], DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_ISO_CODE, DRG_STR("EUR"));
	assert_int_equal(drg_record_check(&r, &f->err), DRG_EINVAL);
	r = source();
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL_TYPE);
	assert_int_equal(drg_record_check(&r, &f->err), DRG_EINVAL);
	assert_string_equal(f->err.field, "kind");
}

/* Canonical forms of texts, and other forms. */
static void values_are_in_their_form(void **state)
{
	struct fixture *f = *state;
	const struct {
		enum drg_type_id type;
		enum drg_field field;
		const char *name, *text, *reason; /* reason: NULL: fits */
	} cases[] = {
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", " a\tb\n\xc2\xa0\xf0\x9f\x8f\xa8", NULL },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "", "empty_text" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "          ", "empty_text" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", " \xc2\xa0\n", "empty_text" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "a\rb", "control_character" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "0123456\x7f", "control_character" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "0123456\x1f", "control_character" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "01234567\xc2\x85", "control_character" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "01234567\xed\xa0\x80", "invalid_text" },
		{ DRG_TYPE_SOURCE, DRG_F_NAME, "name", "\xc0\x80", "invalid_text" },
		{ DRG_TYPE_SOURCE, DRG_F_LANG, "lang", "pt-br", NULL },
		{ DRG_TYPE_SOURCE, DRG_F_LANG, "lang", "pt_br", "invalid_format" },
		{ DRG_TYPE_SOURCE, DRG_F_LANG, "lang", "PT", "invalid_format" },
		{ DRG_TYPE_SOURCE, DRG_F_LANG, "lang", "e1", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_CODE, "code", "A1B", NULL },
		{ DRG_TYPE_AIR_PLACE, DRG_F_CODE, "code", "a1B", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_CODE, "code", "AB", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\"}", NULL },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name",
		  "{\"en\":\"a \\\"b\\\" \\\\ \\t\",\"uk\":\"\xd0\x90\"}", NULL },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name.en", "{\"en\":\"a\\u0041\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name.en", "{\"en\":\"a\\/\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\": \"a\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"uk\":\"a\",\"en\":\"b\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\",\"en\":\"b\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"EN\":\"a\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\"", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\"}}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\",}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":\"a\\\"}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{\"en\":1}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "{}", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name", "", "invalid_format" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name.en", "{\"en\":\"\"}", "empty_text" },
		{ DRG_TYPE_AIR_PLACE, DRG_F_NAMES, "name.en", "{\"en\":\"a\\u0001\"}", "control_character" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_CHECK_IN, "check_in", "14:00:00", NULL },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_CHECK_IN, "check_in", "24:00:00", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos", "[{\"url\":\"u\",\"is_main\":false}]",
		  NULL },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos", "[{\"url\":\"u\"}]", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos[0].url", "[{\"url\":\"\",\"is_main\":false}]",
		  "empty_text" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos", "{}", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos", "[] ", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos", "[{\"url\":\"u\",\"is_main\":false},]",
		  "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_PHOTOS, "photos[1].is_main",
		  "[{\"url\":\"u\",\"is_main\":true},{\"url\":\"u\",\"is_main\":null}]", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_DESCRIPTIONS, "descriptions",
		  "[{\"type_id\":null,\"orig_type\":null,\"text\":{\"en\":\"a \\\"b\\\" "
		  "\\\\\",\"uk\":\"c\"}}]",
		  NULL },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_DESCRIPTIONS, "descriptions",
		  "[{\"type_id\":-12,\"orig_type\":{\"en\":\"a\"},\"text\":{\"en\":\"a\"}}]", NULL },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_DESCRIPTIONS, "descriptions[0].text",
		  "[{\"type_id\":null,\"orig_type\":null,\"text\":null}]", "invalid_format" },
		{ DRG_TYPE_HOTEL_CONTENT, DRG_F_DESCRIPTIONS, "descriptions[0].type_id",
		  "[{\"type_id\":01,\"orig_type\":null,\"text\":{\"en\":\"a\"}}]", "invalid_format" },
		{ DRG_TYPE_AIR_SOURCE, DRG_F_DATA, "data", " {\"a\" : 1e999}", NULL },
		{ DRG_TYPE_AIR_SOURCE, DRG_F_DATA, "data", "[]", "wrong_type" },
		{ DRG_TYPE_MAPPING_EVENT, DRG_F_AT, "at", "2026-01-01T00:00:00.000001Z", NULL },
		{ DRG_TYPE_MAPPING_EVENT, DRG_F_AT, "at", "2026-01-01T00:00:00Z", "invalid_format" },
		{ DRG_TYPE_MAPPING_EVENT, DRG_F_AT, "at", "yesterday", "invalid_format" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_record r = full(&drg_types[cases[i].type],
		                           cases[i].type == DRG_TYPE_SOURCE ? DRG_KIND_HOTEL : 0);
		drg_record_set_s(&r, cases[i].field, drg_str_c(cases[i].text));
		if (cases[i].reason == NULL)
			assert_fits(f, &r);
		else
			assert_breaks(f, &r, cases[i].name, cases[i].reason);
	}
}

/* A valid record is exported as a line that is read as the same record. */
static void what_fits_can_be_written_and_read(void **state)
{
	struct fixture *f = *state;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		unsigned kinds = drg_types[t].kinds != 0 ? drg_types[t].kinds : 1;
		for (unsigned k = 0; k < DRG_KIND_COUNT && !drg_types[t].internal; k++) {
			if (!drg_kind_in(kinds, k))
				continue;
			const struct drg_record r = full(&drg_types[t], k);
			struct drg_record again;
			drg_buf_clear(&f->out);
			drg_ndjson_write(&r, &f->out);
			assert_int_equal(
			        drg_ndjson_read(drg_str(f->out.p, f->out.n - 1), &f->arena, &again, &f->err),
			        DRG_OK);
			assert_true(drg_record_eq(&r, &again));
		}
	}
}

static void a_text_that_a_person_gives_is_refused_with_its_field(void **state)
{
	struct fixture *f = *state;
	static char text[300];
	memset(text, 'x', sizeof text);
	assert_int_equal(drg_field_check_text(DRG_TYPE_API_KEY, DRG_F_NAME, drg_str(text, 255), &f->err),
	                 DRG_OK);
	assert_int_equal(drg_field_check_text(DRG_TYPE_API_KEY, DRG_F_NAME, drg_str(text, 256), &f->err),
	                 DRG_EINVAL);
	assert_string_equal(f->err.reason, "too_long");
	assert_string_equal(f->err.field, "name");
	assert_string_equal(f->err.message,
	                    "name: expected a text of 1 to 255 characters, found 256 characters");
}

GROUP(check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(every_field_has_its_limits, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_is_required_is_missed, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_row_that_breaks_the_model_can_be_removed, set_up,
		                                tear_down),
		cmocka_unit_test_setup_teardown(fields_of_other_types_and_kinds_are_foreign, set_up,
		                                tear_down),
		cmocka_unit_test_setup_teardown(values_are_in_their_form, set_up, tear_down),
		cmocka_unit_test_setup_teardown(what_fits_can_be_written_and_read, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_text_that_a_person_gives_is_refused_with_its_field, set_up,
		                                tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
