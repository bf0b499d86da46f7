/* The flags in the program; a build without the demo data has only "xx". */
#include "../unit.h"

#include <zlib.h>

#include "api/flags.h"
#include "api/flags_table.h"
#include "base/compiler.h"

static bool has_flag(const char *code)
{
	for (size_t i = 0; i < drg_flag_count; i++)
		if (strcmp(drg_flag_rows[i].code, code) == 0)
			return true;
	return false;
}

static void a_code_has_its_flag_or_that_of_no_country(void **state)
{
	static const struct {
		const char *code, *want;
	} cases[] = { { "TR", "tr" }, { "tr", "tr" }, { "Ua", "ua" }, { "ZZ", "xx" },  { "", "xx" },
		      { "T", "xx" },  { "1x", "xx" }, { "xx", "xx" }, { "TUR", "xx" }, { "t\"", "xx" } };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const char *want = has_flag(cases[i].want) ? cases[i].want : "xx";
		assert_string_equal(drg_flag_name(drg_str_c(cases[i].code)), want);
	}
}

static void rows_are_sorted_and_in_both_ratios(void **state)
{
	(void)state;
	size_t per_ratio = drg_flag_count / 2;
	assert_true(per_ratio >= 1);
	for (size_t i = 0; i < drg_flag_count; i++) {
		const struct drg_flag_row *row = &drg_flag_rows[i];
		assert_string_equal(row->ratio, i < per_ratio ? "1x1" : "4x3");
		assert_string_equal(row->code, drg_flag_rows[i % per_ratio].code);
		if (i % per_ratio > 0)
			assert_true(strcmp(row[-1].code, row->code) < 0);
		assert_int_equal(strlen(row->etag), 32);
	}
}

static void the_gzip_form_is_the_same_picture(void **state)
{
	(void)state;
	for (size_t i = 0; i < drg_flag_count; i++) {
		const struct drg_flag_row *row = &drg_flag_rows[i];
		const char *svg = drg_flags_blob + row->at;
		Bytef *plain = malloc(row->n + 1);
		z_stream z = { .next_in = (Bytef *)(uintptr_t)(svg + row->n),
			       .avail_in = (uInt)row->n_gzip,
			       .next_out = plain,
			       .avail_out = (uInt)row->n + 1 };
		assert_non_null(memmem(svg, row->n, "<svg", 4));
		assert_int_equal(inflateInit2(&z, 15 + 16), Z_OK);
		assert_int_equal(inflate(&z, Z_FINISH), Z_STREAM_END);
		assert_int_equal(z.total_out, row->n);
		assert_memory_equal(plain, svg, row->n);
		inflateEnd(&z);
		free(plain);
	}
}

GROUP(flags)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_code_has_its_flag_or_that_of_no_country),
		cmocka_unit_test(rows_are_sorted_and_in_both_ratios),
		cmocka_unit_test(the_gzip_form_is_the_same_picture),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
