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

GROUP(steps)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(twice_the_workbook_takes_twice_the_steps) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
