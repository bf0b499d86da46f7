/* Text files as they come: what they are taken for, and the cells that come of them. */
#include "../folder.h"

#include "base/buf.h"
#include "sheet/budget.h"
#include "sheet/sheet.h"

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *name, *text;
	size_t n;
	char separator;
	const char *encoding;
	const char *rows; /* cells with bars between them and behind them, rows with a line end */
} files[] = {
	{ "commas", BYTES("id,name\n1,A\n"), ',', "UTF-8", "id|name|\n1|A|\n" },
	{ "semicolons, CRLF", BYTES("id;name\r\n1;A,B\r\n"), ';', "UTF-8", "id|name|\n1|A,B|\n" },
	{ "tabs", BYTES("id\tname\n1\tA\n"), '\t', "UTF-8", "id|name|\n1|A|\n" },
	{ "bars", BYTES("id|name\n1|A\n"), '|', "UTF-8", "id|name|\n1|A|\n" },
	{ "a sep= line", BYTES("sep=;\nid;name\n1;A\n"), ';', "UTF-8", "id|name|\n1|A|\n" },
	{ "a byte order mark", BYTES("\xef\xbb\xbfid,name\n1,A\n"), ',', "UTF-8", "id|name|\n1|A|\n" },
	{ "blanks and quotes", BYTES("id, name\n \"1\" ,\" A \"\n"), ',', "UTF-8", "id|name|\n1|A|\n" },
	{ "a line end in quotes", BYTES("id,name\n1,\"A\nB \"\"C\"\"\"\n2,D\n"), ',', "UTF-8",
	  "id|name|\n1|A\nB \"C\"|\n2|D|\n" },
	{ "empty rows", BYTES("id;name\n;;;;\n\n1;A\n"), ';', "UTF-8", "id|name|\n1|A|\n" },
	{ "UTF-16", BYTES("\xff\xfei\0d\0;\0n\0\n\0001\0;\0\x10\x04\n\0"), ';', "UTF-16LE",
	  "id|n|\n1|\xd0\x90|\n" },
	{ "no line end", BYTES("id,name\n1,A"), ',', "UTF-8", "id|name|\n1|A|\n" },
};

static int sheet_open(const char *text, size_t n, const struct drg_sheet_options *o, struct drg_sheet **ret,
                      struct drg_err *reterr)
{
	struct folder f;
	char path[128];
	folder_make(&f);
	folder_write(&f, "list.csv", text, n);
	int rc = drg_sheet_open(folder_file(&f, "list.csv", path, sizeof path), o, ret, reterr);
	folder_remove(&f); /* an open file stays */
	return rc;
}

static void rows_of(struct drg_sheet *s, struct drg_buf *out)
{
	struct drg_sheet_row row;
	struct drg_err e;
	int rc;
	while ((rc = drg_sheet_next(s, &row, &e)) == DRG_OK) {
		for (unsigned i = 0; i < row.n; i++) {
			drg_buf_str(out, row.cells[i].text);
			drg_buf_char(out, '|');
		}
		drg_buf_char(out, '\n');
	}
	assert_int_equal(rc, DRG_ENOENT);
	drg_buf_char(out, '\0');
}

static void files_are_read_as_they_come(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(files); i++) {
		const struct drg_sheet_options plain = { .encoding = NULL };
		struct drg_sheet *s;
		struct drg_buf out;
		struct drg_err e;
		if (sheet_open(files[i].text, files[i].n, &plain, &s, &e) != DRG_OK)
			fail_msg("%s: %s", files[i].name, e.message);
		drg_buf_init(&out, 1 << 16);
		rows_of(s, &out);
		const struct drg_sheet_about *about = drg_sheet_about(s);
		if (strcmp(out.p, files[i].rows) != 0 || about->separator != files[i].separator ||
		    strcasecmp(about->encoding, files[i].encoding) != 0)
			fail_msg("%s: \"%s\", separator %c, encoding %s", files[i].name, out.p,
			         about->separator, about->encoding);
		drg_buf_done(&out);
		drg_sheet_close(s);
	}
}

static void an_encoding_that_cannot_be_told_is_refused_and_can_be_said(void **state)
{
	static const char turkish[] = "id;name\n1;G\xfcne\xfe Otel\n";
	const struct drg_sheet_options plain = { .encoding = NULL }, said = { .encoding = "windows-1254" };
	struct drg_sheet *s;
	struct drg_buf out;
	struct drg_err e;
	(void)state;
	assert_int_equal(sheet_open(BYTES(turkish), &plain, &s, &e), DRG_EINVAL);
	assert_non_null(strstr(e.message, "cannot be told safely"));
	assert_int_equal(sheet_open(BYTES(turkish), &said, &s, &e), DRG_OK);
	drg_buf_init(&out, 1 << 16);
	rows_of(s, &out);
	assert_string_equal(out.p, "id|name|\n1|G\xc3\xbcne\xc5\x9f Otel|\n");
	drg_buf_done(&out);
	drg_sheet_close(s);
}

static void a_list_costs_so_much_and_no_more(void **state)
{
	struct sheet_budget b = { .rows = DRG_SHEET_ROWS_MAX - 1,
		                  .tags = DRG_SHEET_TAGS_MAX - 1,
		                  .bytes = DRG_SHEET_BYTES_MAX - 10 };
	struct drg_err e;
	(void)state;
	assert_int_equal(drg_sheet_spend(&b, 10, &e), DRG_OK);
	assert_int_equal(drg_sheet_spend(&b, 1, &e), DRG_EINVAL);
	assert_string_equal(e.reason, "list_too_large");
	assert_int_equal(drg_sheet_spend_row(&b, &e), DRG_OK);
	assert_int_equal(drg_sheet_spend_row(&b, &e), DRG_EINVAL);
	assert_string_equal(e.reason, "list_too_large");
	assert_int_equal(drg_sheet_spend_tag(&b, &e), DRG_OK);
	assert_int_equal(drg_sheet_spend_tag(&b, &e), DRG_EINVAL);
	assert_string_equal(e.reason, "list_too_large");
}

/* Two rows, and behind them more than is read at once. */
static void reading_ends_when_it_is_stopped(void **state)
{
	enum { BLANKS = 3 << 20 };
	atomic_bool stop = false;
	const struct drg_sheet_options o = { .stop = &stop };
	struct drg_sheet_row row;
	struct drg_sheet *s;
	struct drg_err e;
	char *text = malloc(BLANKS);
	(void)state;
	assert_non_null(text);
	memset(text, '\n', BLANKS);
	memcpy(text, "id,name\n1,A\n", 12);
	assert_int_equal(sheet_open(text, BLANKS, &o, &s, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	atomic_store(&stop, true);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_OK);
	assert_int_equal(drg_sheet_next(s, &row, &e), DRG_ESTOPPED);
	drg_sheet_close(s);
	assert_int_equal(sheet_open(text, BLANKS, &o, &s, &e), DRG_ESTOPPED);
	free(text);
}

GROUP(sheet)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(files_are_read_as_they_come),
		cmocka_unit_test(an_encoding_that_cannot_be_told_is_refused_and_can_be_said),
		cmocka_unit_test(a_list_costs_so_much_and_no_more),
		cmocka_unit_test(reading_ends_when_it_is_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
