/* Cells that a spreadsheet would take for a formula (decision P6): written as text, read back as they were. */
#include "../folder.h"

#include <unistd.h>

#include "sheet/harmless.h"
#include "sheet/sheet.h"
#include "sheet/table_out.h"

static const struct {
	const char *cell, *written;
} cells[] = {
	{ "=1+1", "'=1+1" },
	{ "=\"00123\"", "\"'=\"\"00123\"\"\"" },
	{ "=HYPERLINK(\"http://evil.example\";\"Hotel\")",
	  "\"'=HYPERLINK(\"\"http://evil.example\"\";\"\"Hotel\"\")\"" },
	{ "+cmd|' /C calc'!A0", "'+cmd|' /C calc'!A0" },
	{ "-2+3", "'-2+3" },
	{ "@SUM(A1)", "'@SUM(A1)" },
	{ "'=1+1", "''=1+1" },
	{ "''@x", "'''@x" },
	{ "- Sea view -", "'- Sea view -" },
	{ "-5", "-5" },
	{ "-12.75", "-12.75" },
	{ "+380441234567", "+380441234567" },
	{ "-", "-" },
	{ "'t Hof", "'t Hof" },
	{ "'-5", "'-5" },
	{ "Hotel = Home", "Hotel = Home" },
	{ "Hotel;=1+1", "\"Hotel;'=1+1\"" },
	{ "Hotel,=2+2", "\"Hotel,'=2+2\"" },
	{ "Hotel\t=2+2", "\"Hotel\t'=2+2\"" },
	{ "a\n-1+1\n@b", "\"a\n'-1+1\n'@b\"" },
	{ "=a;=b,''+c", "\"'=a;'=b,'''+c\"" },
	{ "a;-5", "\"a;'-5\"" },
	{ "a;=", "\"a;'=\"" },
	{ "a; \"=1\"", "\"a; \"\"'=1\"\"\"" },
	{ "\"=1\"", "\"\"\"'=1\"\"\"" },
	{ "\uff1d1+1", "'\uff1d1+1" },
	{ "\uff0b1", "'\uff0b1" },
	{ "a,'\uff0d1", "\"a,''\uff0d1\"" },
	{ "\uff20a", "'\uff20a" },
	{ "\uff1d", "\uff1d" },
	{ "a,b;c", "\"a,b;c\"" },
	{ "Rooms, '90s style", "\"Rooms, '90s style\"" },
	{ "", "" },
	{ ";", "\";\"" },
	{ "\"", "\"\"\"\"" },
};

static void write_cells(const char *path)
{
	struct drg_table_out *t;
	struct drg_err e;
	assert_int_equal(drg_table_out_open(path, false, ';', &t, &e), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cells); i++) {
		const struct drg_str row[] = { DRG_STR("row"), drg_str_c(cells[i].cell), DRG_STR("x") };
		drg_table_out_row(t, row, DRG_ARRAY_LEN(row));
	}
	assert_int_equal(drg_table_out_close(t, &e), DRG_OK);
}

static void reading_back_gives_what_was_written(void **state)
{
	(void)state;
	const struct drg_sheet_options plain = { .separator = ';' };
	char path[128];
	struct drg_sheet *s;
	struct drg_sheet_row row;
	struct drg_err e;
	close(mkstemps(temp_path("dragoman-test-XXXXXX.csv", path, sizeof path), 4));
	write_cells(path);
	assert_int_equal(drg_sheet_open(path, &plain, &s, &e), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cells); i++) {
		assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
		assert_int_equal(row.n, 3);
		if (!drg_str_eq(row.cells[1].text, drg_str_c(cells[i].cell)))
			fail_msg("\"%s\" came back as \"%.*s\"", cells[i].cell,
			         DRG_STR_ARG(row.cells[1].text));
	}
	drg_sheet_close(s);
	unlink(path);
}

static void a_formula_of_a_text_is_that_text(void **state)
{
	static const char *const read[][2] = {
		{ "=\"00123\"", "00123" }, { "=\"\"", "" },         { "=\"a\"&\"b\"", "=\"a\"&\"b\"" },
		{ "=\"", "=\"" },          { "'=\"1\"", "=\"1\"" }, { "=\"a;'=1\"", "a;'=1" },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(read); i++) {
		char cell[32];
		size_t n = strlen(strcpy(cell, read[i][0]));
		struct drg_str got = drg_str(cell, drg_cell_unescape(cell, n));
		if (!drg_str_eq(got, drg_str_c(read[i][1])))
			fail_msg("\"%s\" is read as \"%.*s\"", read[i][0], DRG_STR_ARG(got));
	}
}

static void the_file_has_no_formula(void **state)
{
	(void)state;
	char path[128], found[4000], wanted[4000];
	size_t n = 0;
	close(mkstemps(temp_path("dragoman-test-XXXXXX.csv", path, sizeof path), 4));
	write_cells(path);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	found[fread(found, 1, sizeof found - 1, f)] = '\0';
	for (size_t i = 0; i < DRG_ARRAY_LEN(cells); i++)
		n += (size_t)snprintf(wanted + n, sizeof wanted - n, "row;%s;x\r\n", cells[i].written);
	assert_string_equal(found, wanted);
	fclose(f);
	unlink(path);
}

/* @return the bytes that a workbook's cell keeps of so many of these characters. */
static size_t bytes_kept(const char *character, size_t times)
{
	const struct drg_sheet_options any = { .encoding = NULL };
	const size_t n = strlen(character);
	char path[128], *text = malloc(n * times);
	struct drg_table_out *t;
	struct drg_sheet *s;
	struct drg_sheet_row row;
	assert_non_null(text);
	for (size_t i = 0; i < times; i++)
		memcpy(text + i * n, character, n);
	const struct drg_str cell = { text, n * times };
	close(mkstemps(temp_path("dragoman-test-XXXXXX.xlsx", path, sizeof path), 5));
	assert_int_equal(drg_table_out_open(path, true, ',', &t, NULL), DRG_OK);
	drg_table_out_row(t, &cell, 1);
	assert_int_equal(drg_table_out_close(t, NULL), DRG_OK);
	assert_int_equal(drg_sheet_open(path, &any, &s, NULL), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, NULL), DRG_OK);
	const size_t kept = row.cells[0].text.n;
	drg_sheet_close(s);
	unlink(path);
	free(text);
	return kept;
}

/* A workbook with such a character could not be read at all. */
static void what_xml_forbids_becomes_a_replacement(void **state)
{
	static const struct {
		struct drg_str written;
		const char *read;
	} cases[] = {
		{ DRG_STR("a\xef\xbf\xbe") /* U+FFFE */, "a\xef\xbf\xbd" },
		{ DRG_STR("\xef\xbf\xbf") /* U+FFFF */, "\xef\xbf\xbd" },
		{ DRG_STR("\x01z\x0b\x1f"), "\xef\xbf\xbdz\xef\xbf\xbd\xef\xbf\xbd" },
		{ DRG_STR("a\0b"), "a\xef\xbf\xbd"
		                   "b" },
		{ DRG_STR("a\xc3"), "a\xef\xbf\xbd" }, /* cut */
		{ DRG_STR("\xed\xa0\x80"), "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd" }, /* a surrogate */
		{ DRG_STR("a\tb\nc"), "a\tb\nc" },
		{ /* allowed: DEL, U+009F, U+FDD0, U+1FFFE */
		  DRG_STR("\x7f\xc2\x9f\xef\xb7\x90\xf0\x9f\xbf\xbe"),
		  "\x7f\xc2\x9f\xef\xb7\x90\xf0\x9f\xbf\xbe" },
	};
	const struct drg_sheet_options any = { .encoding = NULL };
	char path[128];
	struct drg_table_out *t;
	struct drg_sheet *s;
	struct drg_sheet_row row;
	(void)state;
	close(mkstemps(temp_path("dragoman-test-XXXXXX.xlsx", path, sizeof path), 5));
	assert_int_equal(drg_table_out_open(path, true, ',', &t, NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		drg_table_out_row(t, &cases[i].written, 1);
	assert_int_equal(drg_table_out_close(t, NULL), DRG_OK);
	assert_int_equal(drg_sheet_open(path, &any, &s, NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		assert_int_equal(drg_sheet_next(s, &row, NULL), DRG_OK);
		assert_true(drg_str_eq(row.cells[0].text, drg_str_c(cases[i].read)));
	}
	drg_sheet_close(s);
	unlink(path);
}

/* Excel has room for 32,767 characters in a cell; one beyond the first plane counts as two. */
static void a_long_text_is_cut_between_characters(void **state)
{
	static const struct {
		const char *character;
		size_t times, kept;
	} cases[] = {
		{ "a", 32767, 32767 },
		{ "a", 32768, 32767 },
		{ "\xc3\xbc", 32767, 65534 },
		{ "\xc3\xbc", 40000, 65534 },
		{ "\xe2\x82\xac", 40000, 98301 },
		{ "\xf0\x9f\x98\x80", 20000, (size_t)16383 * 4 },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_int_equal(bytes_kept(cases[i].character, cases[i].times), cases[i].kept);
}

GROUP(harmless)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reading_back_gives_what_was_written),
		cmocka_unit_test(a_formula_of_a_text_is_that_text),
		cmocka_unit_test(the_file_has_no_formula),
		cmocka_unit_test(what_xml_forbids_becomes_a_replacement),
		cmocka_unit_test(a_long_text_is_cut_between_characters),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
