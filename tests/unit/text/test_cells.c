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
		struct drg_cells walk = { .separator = rows[i].separator };
		if (drg_cells_pass(&walk, row) == whole)
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

static const struct {
	const char *name, *text;
	bool lenient;
	/* '|' behind a cell, '/' behind the last of a row, '!' behind one that is too long, '"': quotes are
	 * open */
	const char *cells;
	uint64_t lines;
	enum drg_quote quote;
} texts[] = {
	{ "rows", "a,b\nc,d\n", false, "a|b/c|d/", 2, 0 },
	{ "no newline at the end", "a,b\nc,d", false, "a|b/c|d", 1, 0 },
	{ "newlines in quotes count", "\"a\nb\",c\nd", false, "a\nb|c/d", 2, 0 },
	{ "quotes that end with the row", "\"a\"\n\"b\"\n", false, "a/b/", 2, 0 },
	{ "quotes that stay open", "a,\"b\n", false, "a|b\n\"", 1, 0 },
	{ "a return is text", "a\r\nb", false, "a\r/b", 1, 0 },
	{ "a return before a newline is not", "a\r\n\"b\r\nc\"\r\n\rd", true, "a/b\nc/\rd", 3, 0 },
	{ "blanks before a quote are text", " \"a,b\"", false, " \"a|b\"", 0, 0 },
	{ "blanks before a quote are not", " \t\"a,b\" ,\" c\"", true, "a,b | c", 0, 0 },
	{ "blanks alone", "  , a", true, "  | a", 0, 0 },
	{ "a quote that ends no cell", "\"a \"b\" c\",d", true, "a \"b\" c|d", 0, 0 },
	{ "a quote, blanks, no end", "\"a\"  b\"\n", true, "a\"  b/", 1, 0 },
	{ "what shows nothing around quotes", "\xef\xbb\xbf\"a,b\"\xe2\x80\x8e,c", true, "a,b\xe2\x80\x8e|c",
	  0, 0 },
	{ "letters behind a quote", "\"a\"é\",b", true, "a\"é|b", 0, 0 },
	{ "letters, and a separator", "\"a\"é,b\"", true, "a\"é,b", 0, 0 },
	{ "it ends a cell elsewhere", "\"a\"b\",c", false, "ab\"|c", 0, 0 },
	{ "no quotes", "\"a\nb\",c\n", true, "\"a/b\"|c/", 2, DRG_QUOTE_NONE },
	{ "no quotes, backslashes stay", "a\\,b\\", true, "a\\|b\\", 0, DRG_QUOTE_NONE },
	{ "a backslash before a quote", "\"a\\\",b\",c", true, "a\",b|c", 0, DRG_QUOTE_BACKSLASH },
	{ "before itself", "\"a\\\\\",b", true, "a\\|b", 0, DRG_QUOTE_BACKSLASH },
	{ "doubled all the same", "\"a\"\"b\"", true, "a\"b", 0, DRG_QUOTE_BACKSLASH },
	{ "outside quotes", "a\\\"b,\\N", true, "a\"b|\\N", 0, DRG_QUOTE_BACKSLASH },
	{ "a dump", "a\\tb,\\N,\"\n", true, "a\tb|\\N|\"/", 1, DRG_QUOTE_DUMP },
	{ "a dump's separator, newline", "a\\,b\\\nc,d\n", true, "a,b\nc|d/", 2, DRG_QUOTE_DUMP },
	{ "a letter that means nothing", "a\\qb", true, "a\\qb", 0, DRG_QUOTE_DUMP },
	{ "a backslash at the end", "a\\", true, "a\"", 0, DRG_QUOTE_DUMP },
	{ "eight bytes", "12345678,b", true, "12345678|b", 0, 0 },
	{ "nine bytes", "b,123456789", true, "b|123456789!", 0, 0 },
	{ "nine bytes in quotes", "\"1234\n6789\"", true, "1234\n6789!", 1, 0 },
};

/* What is read of @p text when it comes in pieces of @p n bytes. */
static void read_pieces(struct drg_cells *c, const char *text, size_t n, struct drg_buf *out)
{
	static const char marks[] = { [DRG_CELLS_CELL] = '|', [DRG_CELLS_ROW] = '/', [DRG_CELLS_LONG] = '!' };
	enum drg_cells_stop stop = DRG_CELLS_MORE;
	drg_buf_clear(out);
	for (struct drg_str rest = drg_str_c(text); rest.n > 0 && stop != DRG_CELLS_LONG;) {
		struct drg_str piece = drg_str(rest.p, rest.n < n ? rest.n : n);
		rest = drg_str(rest.p + piece.n, rest.n - piece.n);
		while ((stop = drg_cells_read(c, &piece, out)) != DRG_CELLS_MORE && stop != DRG_CELLS_LONG)
			drg_buf_char(out, marks[stop]);
	}
	if (stop == DRG_CELLS_LONG)
		drg_buf_char(out, marks[stop]);
	else if (drg_cells_pass(c, DRG_STR("")))
		drg_buf_char(out, '"');
	drg_buf_char(out, '\0');
}

static void text_may_come_in_pieces(void **state)
{
	(void)state;
	struct drg_buf out;
	drg_buf_init(&out, 1 << 10);
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		for (size_t n = 1; n <= strlen(texts[i].text); n++) {
			struct drg_cells c = { .separator = ',',
				               .lenient = texts[i].lenient,
				               .max = 8,
				               .quote = texts[i].quote };
			read_pieces(&c, texts[i].text, n, &out);
			if (strcmp(out.p, texts[i].cells) != 0 || c.lines != texts[i].lines)
				fail_msg("%s, %zu bytes each: %s, %d lines", texts[i].name, n, out.p,
				         (int)c.lines);
		}
	}
	drg_buf_done(&out);
}

static void a_full_buffer_does_not_stop_the_walk(void **state)
{
	(void)state;
	struct drg_buf out;
	struct drg_cells c = { .separator = ',', .lenient = true };
	struct drg_str text = DRG_STR("12345\r\n  \"a\",b");
	drg_buf_init(&out, 4);
	assert_int_equal(drg_cells_read(&c, &text, &out), DRG_CELLS_ROW);
	assert_int_equal(drg_cells_read(&c, &text, &out), DRG_CELLS_CELL);
	assert_int_equal(drg_cells_read(&c, &text, &out), DRG_CELLS_MORE);
	assert_int_equal(out.rc, DRG_ELIMIT);
	assert_int_equal(out.n, 0);
	drg_buf_done(&out);
}

GROUP(cells)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_cut_into_cells),
		cmocka_unit_test(too_many_cells_are_told),
		cmocka_unit_test(text_may_come_in_pieces),
		cmocka_unit_test(a_full_buffer_does_not_stop_the_walk),
	};
	return cmocka_run_group_tests_name("text/cells", tests, NULL, NULL);
}
