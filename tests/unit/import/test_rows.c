#include "../folder.h"

#include "import/rows.h"

/* Rows as "FILE:LINE=TEXT|", their first 40 bytes; those that are too long as "FILE:LINE=!|". */
static const char *rows_of(const char *const *files, size_t n, const struct drg_csv_options *csv, int *ret_rc)
{
	static char said[4096];
	struct drg_import_rows *r;
	struct drg_import_row row;
	struct drg_err e;
	size_t at = 0;
	said[0] = '\0';
	int rc = drg_import_rows_open(files, n, csv, &r, &e);
	if (rc != DRG_OK) {
		*ret_rc = rc;
		return said;
	}
	while ((rc = drg_import_rows_next(r, &row, &e)) == DRG_OK)
		at += (size_t)snprintf(said + at, sizeof said - at, "%u:%d=%.*s|", row.file, (int)row.line,
		                       row.too_long      ? 1
		                       : row.text.n < 40 ? (int)row.text.n
		                                         : 40,
		                       row.too_long ? "!" : row.text.p);
	if (rc == DRG_ENOENT)
		assert_int_equal(drg_import_rows_bytes_read(r), drg_import_rows_bytes_total(r));
	else
		snprintf(said, sizeof said, "%s", e.message);
	drg_import_rows_close(r);
	*ret_rc = rc;
	return said;
}

static void lines_of_several_files(void **state)
{
	struct folder *f = *state;
	char a[128], b[128], c[128];
	int rc;
	folder_write(f, "a", "one\n\n  \t\r\ntwo\r\n", 15);
	folder_write(f, "b", "", 0);
	folder_write(f, "c", "three", 5);
	const char *files[] = { folder_file(f, "a", a, sizeof a), folder_file(f, "b", b, sizeof b),
		                folder_file(f, "c", c, sizeof c) };
	assert_string_equal(rows_of(files, 3, NULL, &rc), "0:1=one|0:4=two|2:1=three|");
	assert_int_equal(rc, DRG_ENOENT);
}

static const struct {
	const char *name, *text, *rows;
	int rc;
} csv_cases[] = {
	{ "plain", "id,name\n1,a\n\n2,b\n", "0:2=1,a|0:4=2,b|", DRG_ENOENT },
	{ "newline in quotes", "id,name\n1,\"a\nb\"\n2,c\n", "0:2=1,\"a\nb\"|0:4=2,c|", DRG_ENOENT },
	{ "many lines in quotes", "id,name\n1,\"a\n\nb\n\"\"c\n\"\n2,c\n",
	  "0:2=1,\"a\n\nb\n\"\"c\n\"|0:7=2,c|", DRG_ENOENT },
	{ "quote never closed", "id,name\n1,\"a\n2,c\n", "0:2=1,\"a\n2,c|", DRG_ENOENT },
	{ "header only", "id,name\n", "", DRG_ENOENT },
	{ "nothing", "", "expected a header row, found an empty file", DRG_EINVAL },
	{ "header without the wanted columns", "a,b\n1,2\n", ":1: ", DRG_EINVAL },
};

static void rows_of_csv(void **state)
{
	struct folder *f = *state;
	char path[128];
	const char *const map[] = { "id=id", NULL };
	const struct drg_csv_options csv = { .target = "source:meal", .adapter = 7, .map = map };
	for (size_t i = 0; i < sizeof csv_cases / sizeof csv_cases[0]; i++) {
		int rc;
		folder_write(f, "csv", csv_cases[i].text, strlen(csv_cases[i].text));
		const char *files[] = { folder_file(f, "csv", path, sizeof path) };
		const char *found = rows_of(files, 1, &csv, &rc);
		bool same = csv_cases[i].rc == DRG_ENOENT ? strcmp(found, csv_cases[i].rows) == 0
		                                          : strstr(found, csv_cases[i].rows) != NULL;
		if (rc != csv_cases[i].rc || !same)
			fail_msg("%s: %d %s", csv_cases[i].name, rc, found);
	}
}

static void a_row_may_have_eight_mebibytes_and_no_more(void **state)
{
	struct folder *f = *state;
	char path[128];
	int rc;
	for (size_t over = 0; over <= 1; over++) {
		size_t n = DRG_ROW_MAX + over;
		char *text = malloc(n + 6);
		memset(text, 'x', n);
		memcpy(text + n, "\nnext\n", 6);
		folder_write(f, "long", text, n + 6);
		free(text);
		const char *files[] = { folder_file(f, "long", path, sizeof path) };
		const char *found = rows_of(files, 1, NULL, &rc);
		assert_int_equal(rc, DRG_ENOENT);
		if (over == 1)
			assert_string_equal(found, "0:1=!|0:2=next|");
		else
			assert_memory_equal(found, "0:1=xxxx", 8);
	}
}

static void a_header_is_kept_for_other_threads(void **state)
{
	struct folder *f = *state;
	char path[128];
	struct drg_import_rows *r;
	struct drg_import_row row;
	const struct drg_csv_options csv = { .target = "source:meal", .adapter = 7 };
	folder_write(f, "csv", "id,name\r\n1,a\n", 13);
	const char *files[] = { folder_file(f, "csv", path, sizeof path) };
	assert_int_equal(drg_import_rows_open(files, 1, &csv, &r, NULL), DRG_OK);
	assert_int_equal(drg_import_rows_next(r, &row, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_import_rows_header(r, 0), DRG_STR("id,name")));
	drg_import_rows_close(r);
	drg_import_rows_close(NULL);
}

GROUP(rows)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_several_files),
		cmocka_unit_test(rows_of_csv),
		cmocka_unit_test(a_row_may_have_eight_mebibytes_and_no_more),
		cmocka_unit_test(a_header_is_kept_for_other_threads),
	};
	return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
