#include "../unit.h"

#include "text/cells.h"

enum { MAX = 5 };

static const struct {
	const char *name, *row;
	char separator;
	const char *cells; /* joined by '|'; NULL: not a whole row */
} rows[] = {
	{ "plain", "a,b,c", ',', "a|b|c" },
	{ "one cell", "abc", ',', "abc" },
	{ "nothing", "", ',', "" },
	{ "empty cells", ",,", ',', "||" },
	{ "semicolons", "a;b,c;d", ';', "a|b,c|d" },
	{ "tabs", "a\tb", '\t', "a|b" },
	{ "quotes", "\"a,b\",\"c\"", ',', "a,b|c" },
	{ "doubled quotes", "\"5\"\" screen\",\"\"\"\"", ',', "5\" screen|\"" },
	{ "newline in quotes", "\"a\nb\",c", ',', "a\nb|c" },
	{ "empty quotes", "\"\",a", ',', "|a" },
	{ "spaces stay", " a , b", ',', " a | b" },
	{ "a quote inside is a character", "5\" screen,b", ',', "5\" screen|b" },
	{ "text behind quotes", "\"a\"b,c", ',', "ab|c" },
	{ "separator at the end", "a,", ',', "a|" },
	{ "as many as fit", "1,2,3,4,5", ',', "1|2|3|4|5" },
	{ "open quotes", "a,\"b", ',', NULL },
	{ "open quotes with a newline", "a,\"b\nc,d", ',', NULL },
	{ "open after a doubled quote", "\"a\"\"", ',', NULL },
};

static void rows_are_cut_into_cells(void **state)
{
	(void)state;
	struct drg_arena a;
	drg_arena_init(&a, 1 << 16);
	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct drg_str cells[MAX], row = drg_str_c(rows[i].row), want;
		struct drg_err err;
		unsigned n = 0, k = 0;
		bool whole = rows[i].cells != NULL;
		if (drg_cells_complete(row, rows[i].separator) != whole)
			fail_msg("%s", rows[i].name);
		int rc = drg_cells_split(row, rows[i].separator, &a, cells, MAX, &n, &err);
		assert_int_equal(rc, whole ? DRG_OK : DRG_EINVAL);
		if (!whole) {
			assert_string_equal(err.reason, "invalid_csv");
			continue;
		}
		for (struct drg_str rest = drg_str_c(rows[i].cells); drg_str_split(&rest, '|', &want); k++)
			if (k >= n || !drg_str_eq(cells[k], want))
				fail_msg("%s: cell %u", rows[i].name, k);
		assert_int_equal(k, n);
	}
	drg_arena_done(&a);
}

static void too_many_cells_are_told(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_str cells[MAX];
	struct drg_err err;
	unsigned n = 42;
	drg_arena_init(&a, 1 << 16);
	assert_int_equal(drg_cells_split(DRG_STR("1,2,3,4,5,"), ',', &a, cells, MAX, &n, &err), DRG_EINVAL);
	assert_string_equal(err.reason, "too_many_columns");
	assert_int_equal(n, 42);
	drg_arena_done(&a);
	drg_arena_init(&a, 1);
	assert_int_equal(drg_cells_split(DRG_STR("1"), ',', &a, cells, MAX, &n, &err), DRG_ENOMEM);
	drg_arena_done(&a);
}

GROUP(cells)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_cut_into_cells),
		cmocka_unit_test(too_many_cells_are_told),
	};
	return cmocka_run_group_tests_name("text/cells", tests, NULL, NULL);
}
