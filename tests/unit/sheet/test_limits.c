/* Every ceiling of the lists that are read: one below it, at it, and one beyond. */
#include "book.h"

#include "sheet/sheet.h"
#include "sheet/workbook.h"

/* A list of the size @p n, in @p part; of a text file the first part is all of it. */
typedef void fill(struct drg_buf *part, size_t n);

static void repeat(struct drg_buf *b, const char *text, size_t n)
{
	for (size_t i = 0; i < n; i++)
		drg_buf_str(b, drg_str_c(text));
}

/* ---- of a cell ----------------------------------------------------------------------------------------- */

static void value(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_CELLS], "<row><c><v>");
	repeat(&part[PART_CELLS], "7", n);
	drg_buf_lit(&part[PART_CELLS], "</v></c></row>");
}

static void inline_text(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_CELLS], "<row><c t='inlineStr'><is><t>");
	repeat(&part[PART_CELLS], "x", n);
	drg_buf_lit(&part[PART_CELLS], "</t></is></c></row>");
}

/* The number of a text, with so many digits. */
static void number_of_text(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_STRINGS], "<si><t>a</t></si><si><t>b</t></si>");
	drg_buf_lit(&part[PART_CELLS], "<row><c t='s'><v>");
	repeat(&part[PART_CELLS], "0", n - 1);
	drg_buf_lit(&part[PART_CELLS], "1</v></c></row>");
}

static void shared_text(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_STRINGS], "<si><t>");
	repeat(&part[PART_STRINGS], "x", n);
	drg_buf_lit(&part[PART_STRINGS], "</t></si>");
	drg_buf_lit(&part[PART_CELLS], "<row><c t='s'><v>0</v></c></row>");
}

static void plain_text(struct drg_buf *part, size_t n)
{
	repeat(part, "x", n);
	drg_buf_lit(part, "\n");
}

static void quoted_text(struct drg_buf *part, size_t n)
{
	drg_buf_lit(part, "\"");
	repeat(part, "x", n);
	drg_buf_lit(part, "\"\n");
}

/* ---- of a row, and of a workbook ----------------------------------------------------------------------- */

static void columns(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_CELLS], "<row>");
	repeat(&part[PART_CELLS], "<c><v>1</v></c>", n);
	drg_buf_lit(&part[PART_CELLS], "</row>");
}

static void text_columns(struct drg_buf *part, size_t n)
{
	repeat(part, "1;", n - 1);
	drg_buf_lit(part, "1\n");
}

static void depth(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_CELLS], "<row><c><v>1</v></c></row>");
	repeat(&part[PART_CELLS], "<a>", n - 2);
	repeat(&part[PART_CELLS], "</a>", n - 2);
}

static void sheets(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_BOOK], "<sheet name='List' id='rId1'/>");
	book_many(&part[PART_BOOK], (unsigned)n - 1, "<sheet name='S#' id='r#' state='hidden'/>");
	drg_buf_lit(&part[PART_RELS], "<Relationship Id='rId1' Target='worksheets/sheet1.xml'/>");
	book_many(&part[PART_RELS], (unsigned)n - 1, "<Relationship Id='r#' Target='s#.xml'/>");
}

static void styles(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_STYLES], "<cellXfs>");
	repeat(&part[PART_STYLES], "<xf/>", n);
	drg_buf_lit(&part[PART_STYLES], "</cellXfs>");
}

/* The id of a relation, with so many bytes. */
static void relation_id(struct drg_buf *part, size_t n)
{
	drg_buf_lit(&part[PART_BOOK], "<sheet name='List' id='");
	repeat(&part[PART_BOOK], "r", n);
	drg_buf_lit(&part[PART_BOOK], "'/>");
	drg_buf_lit(&part[PART_RELS], "<Relationship Id='");
	repeat(&part[PART_RELS], "r", n);
	drg_buf_lit(&part[PART_RELS], "' Target='worksheets/sheet1.xml'/>");
}

static const struct {
	const char *name;
	fill *fill;
	bool text; /* the file is one */
	size_t limit;
	size_t cell; /* bytes of the first cell, beside those over the limit; 0: as many as the list has */
} ceilings[] = {
	{ "a value", value, false, DRG_SHEET_CELL_MAX, 0 },
	{ "a text in its cell", inline_text, false, DRG_SHEET_CELL_MAX, 0 },
	{ "the number of a shared text", number_of_text, false, DRG_SHEET_CELL_MAX, 1 },
	{ "a shared text", shared_text, false, DRG_SHEET_CELL_MAX, 0 },
	{ "a cell of a text file", plain_text, true, DRG_SHEET_CELL_MAX, 0 },
	{ "a quoted cell", quoted_text, true, DRG_SHEET_CELL_MAX, 0 },
	{ "columns", columns, false, DRG_SHEET_COLUMNS_MAX, 1 },
	{ "columns of a text file", text_columns, true, DRG_SHEET_COLUMNS_MAX, 1 },
	{ "depth", depth, false, XML_PART_DEPTH, 1 },
	{ "sheets", sheets, false, WORKBOOK_SHEETS_MAX, 1 },
	{ "styles", styles, false, WORKBOOK_STYLES_MAX, 1 },
	{ "the id of a relation", relation_id, false, sizeof((struct workbook_sheet *)0)->rel - 1, 1 },
};

/* @param ret_cell  Bytes of the first cell. */
static int read_all(const char *path, size_t *ret_cell)
{
	static const struct drg_sheet_options plain = { .separator = ';' };
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	int rc = drg_sheet_open(path, &plain, &s, &e);
	*ret_cell = 0;
	while (rc == DRG_OK && (rc = drg_sheet_next(s, &row, &e)) == DRG_OK)
		*ret_cell = *ret_cell > 0 ? *ret_cell : row.cells[0].text.n;
	drg_sheet_close(s);
	return rc;
}

static void a_ceiling_is_where_it_is_said_to_be(void **state)
{
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	folder_file(&f, "list", path, sizeof path);
	for (size_t i = 0; i < DRG_ARRAY_LEN(ceilings); i++)
		for (size_t n = ceilings[i].limit - 1; n <= ceilings[i].limit + 1; n++) {
			struct drg_buf part[PARTS];
			size_t cell;
			book_begin(part);
			ceilings[i].fill(part, n);
			if (ceilings[i].text) {
				folder_write(&f, "list", part->p, part->n);
				drg_buf_done(part);
			} else {
				book_write(path, part);
			}
			int rc = read_all(path, &cell);
			size_t wanted = ceilings[i].cell > 0 ? ceilings[i].cell : n;
			if (rc != (n <= ceilings[i].limit ? DRG_ENOENT : DRG_EINVAL))
				fail_msg("%s, %zu of %zu: code %d", ceilings[i].name, n, ceilings[i].limit,
				         rc);
			if (rc == DRG_ENOENT && cell != wanted)
				fail_msg("%s, %zu of %zu: a cell of %zu bytes", ceilings[i].name, n,
				         ceilings[i].limit, cell);
		}
	folder_remove(&f);
}

/* So many sheets, with 60 MiB of blanks in front of the first row of each. */
static void write_late_sheets(const char *path, unsigned n)
{
	enum { BLANKS = 60 << 20 };
	struct drg_buf part[PARTS], blanks;
	zip_t *zip;
	drg_buf_init(&blanks, SIZE_MAX);
	drg_buf_lit(&blanks, "<worksheet>");
	for (size_t k = 0; k < BLANKS / 16; k++)
		drg_buf_lit(&blanks, "                ");
	drg_buf_lit(&blanks, "<sheetData><row><c><v>1</v></c></row></sheetData></worksheet>");
	assert_int_equal(blanks.rc, DRG_OK);
	book_begin(part);
	book_many(&part[PART_BOOK], n, "<sheet name='S#' id='r#'/>");
	book_many(&part[PART_RELS], n, "<Relationship Id='r#' Target='s#.xml'/>");
	book_write(path, part);
	zip = zip_open(path, 0, NULL);
	assert_non_null(zip);
	for (unsigned i = 0; i < n; i++) {
		char name[32];
		snprintf(name, sizeof name, "xl/s%u.xml", i);
		zip_source_t *source = zip_source_buffer(zip, blanks.p, blanks.n, 0);
		assert_true(source != NULL && zip_file_add(zip, name, source, 0) >= 0);
	}
	assert_int_equal(zip_close(zip), 0);
	drg_buf_done(&blanks);
}

/* Which sheets have cells is looked for within 128 MiB, once: however often another one is chosen. */
static void sheets_are_searched_within_a_ceiling(void **state)
{
	const struct drg_sheet_options third = { .nth = 3 }, first = { .nth = 1 }, named = { .sheet = "S2" };
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	folder_file(&f, "list", path, sizeof path);
	write_late_sheets(path, 3);
	assert_int_equal(drg_sheet_open(path, &third, &s, &e), DRG_EINVAL);
	if (strcmp(e.reason, "list_too_large") != 0)
		fail_msg("%s", e.message);
	assert_int_equal(drg_sheet_open(path, &named, &s, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	drg_sheet_close(s);
	assert_int_equal(drg_sheet_open(path, &first, &s, &e), DRG_OK);
	for (unsigned nth = 1; nth <= 4; nth++) {
		const struct drg_sheet_options o = { .nth = nth % 2 + 1 };
		assert_int_equal(drg_sheet_choose(s, &o, &e), DRG_OK);
		assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	}
	drg_sheet_close(s);
	folder_remove(&f);
}

/* The first is damaged inside of how a text is pronounced, which is no part of any value. */
static void a_damaged_sheet_leaves_nothing_to_the_next(void **state)
{
	static const char bad[] = "<worksheet><sheetData><row><c t='inlineStr'><is><rPh><t>x</b>";
	struct drg_sheet_options o = { .sheet = "Bad" };
	struct drg_buf part[PARTS];
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	book_begin(part);
	drg_buf_lit(&part[PART_BOOK], "<sheet name='Good' id='rId1'/><sheet name='Bad' id='rId2'/>");
	drg_buf_lit(&part[PART_RELS], "<Relationship Id='rId1' Target='worksheets/sheet1.xml'/>"
	                              "<Relationship Id='rId2' Target='worksheets/sheet2.xml'/>");
	book_write(folder_file(&f, "list", path, sizeof path), part);
	zip_t *zip = zip_open(path, 0, NULL);
	zip_source_t *more = zip_source_buffer(zip, bad, sizeof bad - 1, 0);
	assert_true(zip_file_add(zip, "xl/worksheets/sheet2.xml", more, 0) >= 0);
	assert_int_equal(zip_close(zip), 0);
	assert_int_equal(drg_sheet_open(path, &o, &s, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_EINVAL);
	o.sheet = "Good";
	assert_int_equal(drg_sheet_choose(s, &o, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	assert_true(row.n == 1 && drg_str_eq(row.cells[0].text, DRG_STR("1")));
	drg_sheet_close(s);
	folder_remove(&f);
}

GROUP(limits)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_ceiling_is_where_it_is_said_to_be),
		cmocka_unit_test(sheets_are_searched_within_a_ceiling),
		cmocka_unit_test(a_damaged_sheet_leaves_nothing_to_the_next),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
