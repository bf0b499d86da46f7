/* What a workbook costs grows as it does, whatever is in it: the basic blocks of src/sheet/ that run are
 * counted (its library is built for this test with -fsanitize-coverage=trace-pc), not the time. */
#include "book.h"

#include "sheet/sheet.h"
#include "sheet/workbook.h"

static uint64_t steps;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	steps++;
}

/* ---- workbooks ----------------------------------------------------------------------------------------- */

/* Each writes parts that are twice as long for twice the @p n, which is 256 at most. */
typedef void fill(struct drg_buf *part, unsigned n);

static void nameless_relations(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_BOOK], n, "<sheet name='S#'/>");
	book_many(&part[PART_RELS], n * 64, "<Relationship/>");
}

static void relations_of_one(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_BOOK], n, "<sheet name='S#' id='rId1'/>");
	book_many(&part[PART_RELS], n * 64, "<Relationship Id='rId1'/>");
}

static void relations(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_BOOK], n, "<sheet name='S#' id='r#'/>");
	book_many(&part[PART_RELS], n * 64, "<Relationship Id='r#' Target='s#.xml'/>");
}

static void sheets_in_one_place(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_BOOK], n, "<sheet name='S#' id='r#'/>");
	book_many(&part[PART_RELS], n, "<Relationship Id='r#' Target='worksheets/sheet1.xml'/>");
	book_many(&part[PART_CELLS], n * 16, "<row/>");
}

static void formats(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_STYLES], n * 16, "<numFmt numFmtId='#' formatCode='yyyy'/>");
	drg_buf_lit(&part[PART_STYLES], "<cellXfs>");
	book_many(&part[PART_STYLES], n * 16, "<xf numFmtId='70000'/>");
	drg_buf_lit(&part[PART_STYLES], "</cellXfs>");
}

static void strings(struct drg_buf *part, unsigned n)
{
	book_many(&part[PART_STRINGS], n * 64, "<si><t>a #</t><rPh><t>b</t></rPh></si>");
	book_many(&part[PART_CELLS], n * 64, "<row><c t='s'><v>#</v></c></row>");
}

static void long_strings(struct drg_buf *part, unsigned n)
{
	drg_buf_lit(&part[PART_STRINGS], "<si><t>");
	book_many(&part[PART_STRINGS], n * 256, "&amp;#\n");
	drg_buf_lit(&part[PART_STRINGS], "</t></si>");
}

static void attributes(struct drg_buf *part, unsigned n)
{
	drg_buf_lit(&part[PART_CELLS], "<row><c ");
	book_many(&part[PART_CELLS], n * 64, "a#='1' ");
	drg_buf_lit(&part[PART_CELLS], "><v>1</v></c></row>");
}

static void wide_rows(struct drg_buf *part, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		drg_buf_lit(&part[PART_CELLS], "<row><c r='AAA1'><v>1</v></c></row>");
}

static const struct {
	const char *name;
	fill *fill;
} books[] = {
	{ "sheets and relations without ids", nameless_relations },
	{ "sheets and relations of one id", relations_of_one },
	{ "relations", relations },
	{ "sheets in one place", sheets_in_one_place },
	{ "formats and styles", formats },
	{ "shared strings", strings },
	{ "a long string in pieces", long_strings },
	{ "attributes", attributes },
	{ "wide rows", wide_rows },
};

/* ---- what they cost ------------------------------------------------------------------------------------ */

/* It may be refused: that is cheap. */
static uint64_t steps_of(const char *path)
{
	static const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	steps = 0;
	int rc = drg_sheet_open(path, &plain, &s, &e);
	while (rc == DRG_OK)
		rc = drg_sheet_next(s, &row, &e);
	drg_sheet_close(s);
	if (rc != DRG_ENOENT && rc != DRG_EINVAL)
		fail_msg("%s", e.message);
	return steps;
}

static void twice_the_workbook_takes_twice_the_steps(void **state)
{
	enum { SMALLEST = WORKBOOK_SHEETS_MAX / 8 };
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	folder_file(&f, "list.xlsx", path, sizeof path);
	for (size_t i = 0; i < DRG_ARRAY_LEN(books); i++) {
		uint64_t before = 0;
		for (unsigned n = SMALLEST; n <= WORKBOOK_SHEETS_MAX; n *= 2) {
			struct drg_buf parts[PARTS];
			book_begin(parts);
			books[i].fill(parts, n);
			book_write(path, parts);
			uint64_t now = steps_of(path);
			assert_true(now > 0);
			if (before > 0 && now > before * 5 / 2)
				fail_msg("%s: %llu steps, and %llu of one that is twice as large",
				         books[i].name, (unsigned long long)before, (unsigned long long)now);
			before = now;
		}
	}
	folder_remove(&f);
}

/* What its sheets share is read once. */
static void another_sheet_of_a_workbook_costs_no_more_than_its_rows(void **state)
{
	enum { TEXTS = 5000, TRIES = 20 };
	struct drg_sheet_options o = { .nth = 1 };
	struct drg_buf parts[PARTS];
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	struct drg_err e;
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	book_begin(parts);
	book_many(&parts[PART_STRINGS], TEXTS, "<si><t>a #</t></si>");
	drg_buf_lit(&parts[PART_CELLS], "<row><c t='s'><v>7</v></c></row>");
	book_write(folder_file(&f, "list.xlsx", path, sizeof path), parts);
	steps = 0;
	assert_int_equal(drg_sheet_open(path, &o, &s, &e), DRG_OK);
	const uint64_t first = steps;
	for (unsigned i = 0; i < TRIES; i++) {
		o.sheet = i % 2 == 0 ? "none" : "List";
		assert_int_equal(drg_sheet_choose(s, &o, &e), i % 2 == 0 ? DRG_EINVAL : DRG_OK);
		assert_int_equal(drg_sheet_next(s, &row, &e), i % 2 == 0 ? DRG_ENOENT : DRG_OK);
		if (i % 2 == 1)
			assert_true(drg_str_eq(row.cells[0].text, DRG_STR("a 7")));
	}
	drg_sheet_close(s);
	folder_remove(&f);
	if (steps > first * 2)
		fail_msg("%llu steps to open it, %llu with %d sheets more", (unsigned long long)first,
		         (unsigned long long)steps, TRIES);
}

GROUP(steps)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(twice_the_workbook_takes_twice_the_steps),
		cmocka_unit_test(another_sheet_of_a_workbook_costs_no_more_than_its_rows),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
