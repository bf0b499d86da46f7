/* Which sheet and which rows of a file are a list, and what it costs to look (src/load/plan.h). */
#include "../sheet/book.h"

#include "load/plan.h"

enum { SHEETS = 17 };

static struct drg_plan plan;

static int open_here(void **state, struct drg_arena *arena)
{
	static const struct drg_profiles none;
	static const struct drg_plan_wishes any = { .kind = DRG_KIND_NONE };
	char path[128];
	struct drg_err e;
	drg_arena_init(arena, SIZE_MAX);
	int rc = drg_plan_open(folder_file(*state, "list", path, sizeof path), NULL, &none, &any, arena,
	                       &plan, &e);
	drg_plan_close(&plan);
	return rc;
}

/* ---- workbooks ----------------------------------------------------------------------------------------- */

static const char LIST[] =
        "<row><c t='inlineStr'><is><t>Code</t></is></c><c t='inlineStr'><is><t>Name</t></is></c>"
        "</row><row><c><v>1</v></c><c><v>2</v></c></row>";
static const char NOTE[] = "<row><c><v>7</v></c></row>";
static const char WIDE[] = "<row><c r='AMK1'><v>7</v></c></row>";

/* A workbook of these sheets, @p n of them. */
static void write_sheets(void **state, const char *const *cells, unsigned n)
{
	char path[128], name[64];
	struct drg_buf part[PARTS], sheet[SHEETS];
	book_begin(part);
	book_many(&part[PART_BOOK], n, "<sheet name='S#' id='r#'/>");
	book_many(&part[PART_RELS], n, "<Relationship Id='r#' Target='worksheets/more#.xml'/>");
	book_write(folder_file(*state, "list", path, sizeof path), part);
	zip_t *zip = zip_open(path, 0, NULL);
	assert_non_null(zip);
	for (unsigned i = 0; i < n; i++) {
		drg_buf_init(&sheet[i], SIZE_MAX);
		drg_buf_printf(&sheet[i], "<worksheet><sheetData>%s</sheetData></worksheet>", cells[i]);
		snprintf(name, sizeof name, "xl/worksheets/more%u.xml", i);
		assert_true(zip_file_add(zip, name, zip_source_buffer(zip, sheet[i].p, sheet[i].n, 0), 0) >=
		            0);
	}
	assert_int_equal(zip_close(zip), 0);
	for (unsigned i = 0; i < n; i++)
		drg_buf_done(&sheet[i]);
}

/* Each of the sheets behind it would be refused in the same way, without an end. */
static void a_sheet_that_cannot_be_read_ends_the_search(void **state)
{
	static const char *const cells[] = { LIST, NOTE, WIDE };
	struct drg_arena arena;
	write_sheets(state, cells, DRG_ARRAY_LEN(cells));
	assert_int_equal(open_here(state, &arena), DRG_EINVAL);
	drg_arena_done(&arena);
}

static void a_list_is_sought_among_sixteen_sheets(void **state)
{
	const char *cells[SHEETS] = { LIST };
	struct drg_arena arena;
	for (unsigned i = 1; i < SHEETS; i++)
		cells[i] = NOTE;
	for (unsigned n = SHEETS - 2; n <= SHEETS; n++) {
		write_sheets(state, cells, n);
		assert_int_equal(open_here(state, &arena), n < SHEETS ? DRG_OK : DRG_EINVAL);
		drg_arena_done(&arena);
	}
}

static void sheets_that_are_no_list_leave_nothing_behind(void **state)
{
	struct drg_buf note;
	struct drg_arena arena;
	drg_buf_init(&note, SIZE_MAX);
	drg_buf_lit(&note, "<row><c t='inlineStr'><is><t>");
	book_many(&note, 1 << 18, "x");
	drg_buf_lit(&note, "</t></is></c></row>");
	drg_buf_char(&note, '\0');
	const char *const cells[] = { note.p, LIST, note.p, note.p };
	write_sheets(state, cells, DRG_ARRAY_LEN(cells));
	assert_int_equal(open_here(state, &arena), DRG_OK);
	assert_true(arena.used < 1 << 18);
	drg_arena_done(&arena);
	drg_buf_done(&note);
}

static struct drg_profile profile_of(enum drg_kind kind, const char *id, struct drg_str sheet)
{
	struct drg_profile f = { .kind = kind, .sheet = sheet };
	assert_true(drg_profile_bind(&f, drg_profile_field(kind, DRG_STR("id")), drg_str_c(id)));
	return f;
}

static void tries_of_profiles_leave_nothing_behind(void **state)
{
	static struct drg_profiles stored;
	static const struct drg_plan_wishes any = { .kind = DRG_KIND_NONE };
	struct drg_buf note;
	struct drg_arena arena;
	struct drg_err e;
	char path[128];
	drg_buf_init(&note, SIZE_MAX);
	drg_buf_lit(&note, "<row><c t='inlineStr'><is><t>");
	book_many(&note, 1 << 18, "x");
	drg_buf_lit(&note, "</t></is></c></row>");
	drg_buf_char(&note, '\0');
	const char *const cells[] = { note.p, LIST };
	write_sheets(state, cells, DRG_ARRAY_LEN(cells));
	stored.n = 3;
	stored.list[0] = profile_of(DRG_KIND_HOTEL, "Code", DRG_STR("S1"));
	stored.list[1] = profile_of(DRG_KIND_CITY, "Kk", DRG_STR("S0"));
	stored.list[2] = profile_of(DRG_KIND_MEAL, "Mm", DRG_STR("S0"));
	drg_arena_init(&arena, SIZE_MAX);
	int rc = drg_plan_open(folder_file(*state, "list", path, sizeof path), NULL, &stored, &any, &arena,
	                       &plan, &e);
	assert_int_equal(rc, DRG_OK);
	assert_int_equal(plan.profile.kind, DRG_KIND_HOTEL);
	assert_true(arena.used < 1 << 18);
	drg_plan_close(&plan);
	drg_arena_done(&arena);
	drg_buf_done(&note);
}

/* ---- headers ------------------------------------------------------------------------------------------- */

static void a_long_title_is_not_copied_for_each_column(void **state)
{
	enum { TITLE = 100000, COLUMNS = 1000 };
	struct drg_buf list;
	struct drg_arena arena;
	drg_buf_init(&list, SIZE_MAX);
	book_many(&list, TITLE, "x");
	book_many(&list, COLUMNS, ";");
	drg_buf_lit(&list, "Country;\n");
	book_many(&list, COLUMNS - 2, "c#;");
	drg_buf_lit(&list, "Code;Name;Code;Name\n");
	book_many(&list, COLUMNS + 1, "1;");
	drg_buf_lit(&list, "1\n");
	folder_write(*state, "list", list.p, list.n);
	drg_buf_done(&list);
	assert_int_equal(open_here(state, &arena), DRG_OK);
	assert_int_equal(plan.header_line, 2);
	assert_true(drg_str_eq(plan.header[COLUMNS].name, DRG_STR("Country Code")));
	assert_true(arena.used < 10 * TITLE);
	drg_arena_done(&arena);
}

#define IN_FOLDER(f) cmocka_unit_test_setup_teardown(f, folder_set_up, folder_tear_down)

GROUP(plan)
{
	const struct CMUnitTest tests[] = {
		IN_FOLDER(a_sheet_that_cannot_be_read_ends_the_search),
		IN_FOLDER(a_list_is_sought_among_sixteen_sheets),
		IN_FOLDER(sheets_that_are_no_list_leave_nothing_behind),
		IN_FOLDER(tries_of_profiles_leave_nothing_behind),
		IN_FOLDER(a_long_title_is_not_copied_for_each_column),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
