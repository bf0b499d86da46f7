/* Text files that separate and quote their cells, and end their lines, in other ways than CSV. */
#include "../folder.h"

#include "base/buf.h"
#include "sheet/dialect.h"
#include "sheet/sheet.h"

#define BYTES(text) text, sizeof(text) - 1
/* Three rows of three cells, and how they are read. */
#define SEPARATED(s) "id" s "name" s "city\n1" s "Ada" s "Side\n2" s "Bora" s "Kemer\n"
#define ENDED(e) "id,name,city" e "1,Ada,Side" e "2,Bora,Kemer" e
#define QUOTED(o, c) o "id" c ";" o "name" c "\n" o "1" c ";" o "Sun; Sea" c "\n" o "2" c ";" o "Bora" c "\n"
#define ROWS "id|name|city|\n1|Ada|Side|\n2|Bora|Kemer|\n"
#define TWO "id|name|\n1|Sun; Sea|\n2|Bora|\n"

static const struct {
	const char *name, *text;
	size_t n;
	uint32_t separator;
	const char *marks, *rows; /* cells with bars behind them, rows with a line end */
} files[] = {
	{ "full-width commas", BYTES(SEPARATED("，")), 0xff0c, "", ROWS },
	{ "ideographic commas", BYTES(SEPARATED("、")), 0x3001, "", ROWS },
	{ "full-width semicolons", BYTES(SEPARATED("；")), 0xff1b, "", ROWS },
	{ "Arabic semicolons", BYTES(SEPARATED("؛")), 0x61b, "", ROWS },
	{ "broken bars", BYTES(SEPARATED("¦")), 0xa6, "", ROWS },
	{ "section signs", BYTES(SEPARATED("§")), 0xa7, "", ROWS },
	{ "drawn bars", BYTES(SEPARATED("│")), 0x2502, "", ROWS },
	{ "pictures of separators", BYTES(SEPARATED("␟")), 0x241f, "", ROWS },
	{ "unit separators", BYTES(SEPARATED("\x1f")), 0x1f, "", ROWS },
	{ "another control character", BYTES(SEPARATED("\x02")), 0x02, "", ROWS },
	{ "full-width commas beside others in the cells", BYTES("id，name\n1，Ada, Beach\n2，Bora, Sea\n"),
	  0xff0c, "", "id|name|\n1|Ada, Beach|\n2|Bora, Sea|\n" },
	{ "in quotes they are text", BYTES("id，name\n1，\"Ada，Beach\"\n2，B\n"), 0xff0c, "",
	  "id|name|\n1|Ada，Beach|\n2|B|\n" },
	{ "within the cells of commas", BYTES("id,name，\n1,A，\n2,B，C，\n"), ',', "",
	  "id|name，|\n1|A，|\n2|B，C，|\n" },
	{ "measures of a single column", BYTES("name 20°\nA 20°\nB 21°\n"), ',', "",
	  "name 20°|\nA 20°|\nB 21°|\n" },
	{ "a sep= line beyond ASCII", BYTES("sep=¦\nid¦name\n1¦A\n"), 0xa6, "", "id|name|\n1|A|\n" },
	{ "a sep= line that is wrong", BYTES("sep=,\nid;name\n1;A, B\n2;C\n"), ';', "",
	  "id|name|\n1|A, B|\n2|C|\n" },
	{ "a sep= line, returns", BYTES("sep=;\rid;name\r1;A\r"), ';', "", "id|name|\n1|A|\n" },

	{ "two bars", BYTES("id||name||city\n1||Ada||Side\n2||Bo|ra||Kemer\n"), '|', "",
	  "id|name|city|\n1|Ada|Side|\n2|Bo|ra|Kemer|\n" },
	{ "two colons", BYTES("id::name\n1::Ada: Side\n2::B\n"), ':', "", "id|name|\n1|Ada: Side|\n2|B|\n" },
	{ "three signs", BYTES(SEPARATED("~|~")), '|', "", ROWS },
	{ "two bars, and quotes", BYTES("id||name\n\"1\"||\"Ada||Sea\"\n2||B\n"), '|', "",
	  "id|name|\n1|Ada||Sea|\n2|B|\n" },
	{ "two bars, and one at the end", BYTES("id||name\n1||A\n2||B|"), '|', "",
	  "id|name|\n1|A|\n2|B||\n" },
	{ "a column without a name", BYTES("id;;name\n1;x;Ada\n2;;Bora\n"), ';', "",
	  "id||name|\n1|x|Ada|\n2||Bora|\n" },
	{ "columns without names and values", BYTES("id;name;;lat\n1;Ada;;36\n2;B;;37\n"), ';', "",
	  "id|name||lat|\n1|Ada||36|\n2|B||37|\n" },
	{ "signs in the header alone", BYTES("id,#name\n1,#5\n2,Ada\n"), ',', "",
	  "id|#name|\n1|#5|\n2|Ada|\n" },

	{ "U+0085", BYTES(ENDED("\xc2\x85")), ',', "", ROWS },
	{ "U+2028", BYTES(ENDED("\xe2\x80\xa8")), ',', "", ROWS },
	{ "U+2029", BYTES(ENDED("\xe2\x80\xa9")), ',', "", ROWS },
	{ "returns alone", BYTES(ENDED("\r")), ',', "", ROWS },
	{ "unit and record separators",
	  BYTES("id\x1fname\x1e"
	        "1\x1f"
	        "A\x1e"),
	  0x1f, "", "id|name|\n1|A|\n" },
	{ "returns alone behind a header with newlines",
	  BYTES("id,name,city\r\n1,Ada,Side\r2,Bora,Kemer\r\n"), ',', "", ROWS },
	{ "U+2028 behind a header with a newline",
	  BYTES("id,name,city\n1,Ada,Side\xe2\x80\xa8"
	        "2,Bora,Kemer\n"),
	  ',', "", ROWS },
	{ "U+0085, and a newline at the end",
	  BYTES("id,name\xc2\x85"
	        "1,A\xc2\x85"
	        "2,B\n"),
	  ',', "", "id|name|\n1|A|\n2|B|\n" },
	{ "U+2028 within a cell",
	  BYTES("id,name\n1,A\xe2\x80\xa8"
	        "B\n2,C\n"),
	  ',', "",
	  "id|name|\n1|A\xe2\x80\xa8"
	  "B|\n2|C|\n" },
	{ "U+2028 within the header", BYTES("id,hotel\xe2\x80\xa8name\n1,A\n2,C\n"), ',', "",
	  "id|hotel\xe2\x80\xa8name|\n1|A|\n2|C|\n" },

	{ "apostrophes", BYTES(QUOTED("'", "'")), ';', "''", TWO },
	{ "English quotes", BYTES(QUOTED("“", "”")), ';', "“”", TWO },
	{ "German quotes", BYTES(QUOTED("„", "“")), ';', "„“", TWO },
	{ "Polish quotes", BYTES(QUOTED("„", "”")), ';', "„”", TWO },
	{ "Swedish quotes", BYTES(QUOTED("”", "”")), ';', "””", TWO },
	{ "French quotes", BYTES(QUOTED("«", "»")), ';', "«»", TWO },
	{ "Japanese quotes", BYTES(QUOTED("「", "」")), ';', "「」", TWO },
	{ "graves", BYTES(QUOTED("`", "`")), ';', "``", TWO },
	{ "full-width quotes", BYTES(QUOTED("＂", "＂")), ';', "＂＂", TWO },
	{ "thorns and full-width commas", BYTES("þidþ，þnameþ\nþ1þ，þA，Bþ\nþ2þ，þCþ\n"), 0xff0c, "þþ",
	  "id|name|\n1|A，B|\n2|C|\n" },
	{ "one column of several", BYTES("id;name\n1;«Ada»\n2;«Bora; Sea»\n"), ';', "«»",
	  "id|name|\n1|Ada|\n2|Bora; Sea|\n" },
	{ "within quotes of CSV", BYTES("id,name\n1,\"'Ada, Sea'\"\n2,\"'Bora'\"\n"), ',', "''",
	  "id|name|\n1|Ada, Sea|\n2|Bora|\n" },
	{ "within and without", BYTES("id,name\n1,\"'Ada, Sea'\"\n2,'Bora'\n"), ',', "''",
	  "id|name|\n1|Ada, Sea|\n2|Bora|\n" },
	{ "twice for a quote", BYTES("'id','name'\n'1','L''Ada'\n'2','''t Hof'\n"), ',', "''",
	  "id|name|\n1|L'Ada|\n2|'t Hof|\n" },
	{ "a backslash before one", BYTES("'id','name'\n'1','L\\'Ada, Sea'\n'2','B'\n"), ',', "''",
	  "id|name|\n1|L'Ada, Sea|\n2|B|\n" },
	{ "line ends in them", BYTES("'id','name','city'\n'1','A','S'\n'2','B','S'\n'3','C\nD','S'\n"), ',',
	  "''", "id|name|city|\n1|A|S|\n2|B|S|\n3|C\nD|S|\n" },
	{ "names in quotes, of which one has none", BYTES("id;name\n1;«Ada»\n2;Bora\n3;'t Hof'\n"), ';', "",
	  "id|name|\n1|«Ada»|\n2|Bora|\n3|'t Hof'|\n" },
	{ "a part of a name in quotes", BYTES("id;name\n1;«Ada» Hotel\n2;«Bora» Hotel\n"), ';', "",
	  "id|name|\n1|«Ada» Hotel|\n2|«Bora» Hotel|\n" },
	{ "a single cell", BYTES("id;name\n1;'Ada'\n"), ';', "", "id|name|\n1|'Ada'|\n" },
	{ "a title above", BYTES("List of today\n'id';'name'\n'1';'A; B'\n'2';'C'\n"), ';', "''",
	  "List of today|\nid|name|\n1|A; B|\n2|C|\n" },
};

static const struct {
	const char *name, *text;
	size_t n;
	const char *encoding, *rows;
} encoded[] = {
	{ "UTF-7", BYTES("id,name\n1,Caf+AOk,G+APw-ne+AV8\n"), "UTF-7", "id|name|\n1|Café|Güneş|\n" },
	{ "UTF-7, whole words", BYTES("id;name\n1;+BB4EQgQ1BDsETA-\n"), "UTF-7", "id|name|\n1|Отель|\n" },
	{ "UTF-7, Japanese, and a plus sign", BYTES("id;name\n1;+MNswxjDr- A+-B\n"), "UTF-7",
	  "id|name|\n1|ホテル A+B|\n" },
	{ "names with plus signs", BYTES("id;name\n1;Spa+Wellness-Hotel\n2;POOL+BBQ\n"), "UTF-8",
	  "id|name|\n1|Spa+Wellness-Hotel|\n2|POOL+BBQ|\n" },
	{ "telephones", BYTES("id;name\n1;+79161234564\n2;+90 242 1\n"), "UTF-8",
	  "id|name|\n1|+79161234564|\n2|+90 242 1|\n" },
	{ "UTF-32 with its mark", BYTES("\xff\xfe\0\0i\0\0\0d\0\0\0\n\0\0\0\x10\x04\0\0"), "UTF-32LE",
	  "id|\nА|\n" },
	{ "UTF-32 without", BYTES("i\0\0\0d\0\0\0\n\0\0\0\x10\x04\0\0"), "UTF-32LE", "id|\nА|\n" },
	{ "UTF-32, big end first", BYTES("\0\0\0i\0\0\0d\0\0\0\n\0\0\x04\x10"), "UTF-32BE", "id|\nА|\n" },
	{ "UTF-16 without its mark", BYTES("i\0d\0\n\0A\0\n\0"), "UTF-16LE", "id|\nA|\n" },
	{ "SCSU",
	  BYTES("\x0e\xfe\xff"
	        "id;n\n1;A\n"),
	  "SCSU", "id|n|\n1|A|\n" },
};

/* "id,name" and "1,cafe" as a mainframe writes them, lines ended by 0x15 or 0x25. */
#define EBCDIC(e) "\x89\x84\x6b\x95\x81\x94\x85" e "\xf1\x6b\x83\x81\x86\x85" e

static int form_open_file(const char *text, size_t n, const struct drg_sheet_options *o,
                          struct drg_sheet **ret, struct drg_err *reterr)
{
	struct folder f;
	char path[128];
	folder_make(&f);
	folder_write(&f, "list.csv", text, n);
	int rc = drg_sheet_open(folder_file(&f, "list.csv", path, sizeof path), o, ret, reterr);
	folder_remove(&f); /* an open file stays */
	return rc;
}

/* Read a file, and compare its rows. */
static void form_reads(const char *name, const char *text, size_t n, const struct drg_sheet_options *o,
                       const char *rows, struct drg_sheet_about *ret)
{
	struct drg_sheet *s;
	struct drg_sheet_row row;
	struct drg_buf out;
	struct drg_err e;
	int rc = form_open_file(text, n, o, &s, &e);
	if (rc != DRG_OK)
		fail_msg("%s: %s", name, e.message);
	drg_buf_init(&out, 1 << 16);
	while ((rc = drg_sheet_next(s, &row, &e)) == DRG_OK) {
		for (unsigned i = 0; i < row.n; i++)
			drg_buf_printf(&out, "%.*s|", DRG_STR_ARG(row.cells[i].text));
		drg_buf_char(&out, '\n');
	}
	drg_buf_char(&out, '\0');
	if (rc != DRG_ENOENT || strcmp(out.p, rows) != 0)
		fail_msg("%s: %d \"%s\"", name, rc, out.p);
	*ret = *drg_sheet_about(s);
	drg_buf_done(&out);
	drg_sheet_close(s);
}

static void the_form_of_a_file_is_recognised(void **state)
{
	const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet_about a;
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(files); i++) {
		form_reads(files[i].name, files[i].text, files[i].n, &plain, files[i].rows, &a);
		if (a.separator != files[i].separator || strcmp(a.marks, files[i].marks) != 0)
			fail_msg("%s: separator U+%04X, quotes %s", files[i].name, (unsigned)a.separator,
			         a.marks);
	}
}

static void encodings_that_look_like_ascii_or_have_zeros_are_recognised(void **state)
{
	const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet_about a;
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(encoded); i++) {
		form_reads(encoded[i].name, encoded[i].text, encoded[i].n, &plain, encoded[i].rows, &a);
		if (strcmp(a.encoding, encoded[i].encoding) != 0)
			fail_msg("%s: %s", encoded[i].name, a.encoding);
	}
}

static void a_file_of_a_mainframe_is_named_and_read_by_its_code_page(void **state)
{
	static const char *const files_of[] = { EBCDIC("\x15"), EBCDIC("\x25"), EBCDIC("\x0d\x25") };
	const struct drg_sheet_options plain = { .encoding = NULL }, said = { .encoding = "ibm-1047" };
	struct drg_sheet_about a;
	struct drg_sheet *s;
	struct drg_err e;
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(files_of); i++) {
		const size_t n = strlen(files_of[i]);
		assert_int_equal(form_open_file(files_of[i], n, &plain, &s, &e), DRG_EINVAL);
		assert_non_null(strstr(e.message, "EBCDIC"));
		assert_non_null(strstr(e.message, "--encoding ibm-1047"));
		form_reads("EBCDIC", files_of[i], n, &said, "id|name|\n1|cafe|\n", &a);
	}
}

static void a_separator_of_any_script_can_be_said(void **state)
{
	const struct drg_sheet_options letter = { .separator = 0x416 },
	                               none = { .separator = 0xa6, .quote = DRG_QUOTE_NONE };
	struct drg_sheet_about a;
	(void)state;
	form_reads("a letter", BYTES("idЖname\n1ЖA, B\n"), &letter, "id|name|\n1|A, B|\n", &a);
	form_reads("nothing quotes", BYTES("id¦name\n1¦'A'\n2¦'B'\n"), &none, "id|name|\n1|'A'|\n2|'B'|\n",
	           &a);
	assert_string_equal(a.marks, "");
}

/* Longer than the sample, so that what was recognised has to hold for what follows, wherever it is cut. */
static void the_form_holds_for_all_of_a_file(void **state)
{
	static const struct {
		const char *separator, *end;
	} forms[] = { { "，", "\r" }, { ",", "\xe2\x80\xa8" }, { "¦", "\r\n" }, { ",", "\r" } };
	enum { ROWS_WRITTEN = 60000 };
	const struct drg_sheet_options plain = { .encoding = NULL };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(forms); i++) {
		struct drg_buf text;
		struct drg_sheet *s;
		struct drg_sheet_row row;
		struct drg_err e;
		uint64_t rows = 0;
		int rc;
		drg_buf_init(&text, SIZE_MAX);
		for (unsigned k = 0; k < ROWS_WRITTEN; k++)
			drg_buf_printf(&text, "%u%s'Otel, Ağva %u'%sSide%s", k, forms[i].separator, k,
			               forms[i].separator, forms[i].end);
		assert_int_equal(text.rc, DRG_OK);
		assert_int_equal(form_open_file(text.p, text.n, &plain, &s, &e), DRG_OK);
		while ((rc = drg_sheet_next(s, &row, &e)) == DRG_OK) {
			char name[32];
			snprintf(name, sizeof name, "Otel, Ağva %d", (int)rows);
			if (row.n != 3 || row.line != rows + 1 ||
			    !drg_str_eq(row.cells[1].text, drg_str_c(name)))
				fail_msg("dialect %zu: line %d, %u cells, %.*s", i, (int)row.line, row.n,
				         DRG_STR_ARG(row.cells[1].text));
			rows++;
		}
		assert_int_equal(rc, DRG_ENOENT);
		assert_int_equal(rows, ROWS_WRITTEN);
		drg_sheet_close(s);
		drg_buf_done(&text);
	}
}

/* A file is read in pieces of 64 KiB, the first of 1 MiB. In turn they end at each byte of a row's signs. */
static const struct cut_form {
	const char *separator, *open, *close, *header_end, *end;
} cut_forms[] = {
	{ "||", "", "", "\n", "\n" },
	{ "~|~", "", "", "\r\n", "\r\n" },
	{ "|~~|", "", "", "\n", "\n" },
	{ "||", "''", "''", "\n", "\n" },
	{ "，", "«", "»", "\r", "\r" },
	{ ";", "“", "”", "\r", "\r\n" },
	{ ";", "", "", "\xc2\x85", "\xc2\x85" },
	{ "||", "", "", "\xe2\x80\xa8", "\xe2\x80\xa8" },
};

enum { CUT_ROW = 1024, CUT_ROWS = 1100, CUT_BEFORE = 4 };

/* What quotes are for is within them: a separator. */
static struct drg_str cut_name(const struct cut_form *f, char ret[16])
{
	snprintf(ret, 16, "A%sB", f->open[0] != '\0' ? f->separator : " ");
	return drg_str_c(ret);
}

static struct drg_str cut_id(unsigned row, char ret[16])
{
	snprintf(ret, 16, "%u", 1000 + row);
	return row > 0 ? drg_str_c(ret) : DRG_STR("id");
}

/* Rows that begin with their signs and have as many bytes each. One begins @p shift - CUT_BEFORE bytes before
 * each piece ends. @return the bytes of its signs. */
static size_t cut_file(const struct cut_form *f, size_t shift, struct drg_buf *out)
{
	size_t signs = 0;
	char id[16], name[16];
	for (unsigned i = 0; i < CUT_ROWS; i++) {
		const char *const end = i > 0 ? f->end : f->header_end;
		const size_t begin = out->n, to = (i + 1) * CUT_ROW + CUT_BEFORE - shift - strlen(end);
		for (unsigned k = 0; k < 2; k++) {
			const struct drg_str cell = k == 0 ? cut_id(i, id) : cut_name(f, name);
			drg_buf_printf(out, "%s%.*s%s%s", f->open, DRG_STR_ARG(cell), f->close, f->separator);
		}
		signs = out->n - begin;
		while (out->n < to)
			drg_buf_char(out, 'x');
		drg_buf_str(out, drg_str_c(end));
	}
	assert_int_equal(out->rc, DRG_OK);
	return signs;
}

static void cut_reads(const struct cut_form *f, size_t shift, const struct drg_buf *text)
{
	const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet *s;
	struct drg_sheet_row row;
	struct drg_err e;
	char name[16], id[16];
	const struct drg_str named = cut_name(f, name);
	unsigned rows = 0;
	int rc;
	assert_int_equal(form_open_file(text->p, text->n, &plain, &s, &e), DRG_OK);
	while ((rc = drg_sheet_next(s, &row, &e)) == DRG_OK) {
		const struct drg_str last = row.cells[2].text;
		if (row.n != 3 || row.line != rows + 1 || !drg_str_eq(row.cells[0].text, cut_id(rows, id)) ||
		    !drg_str_eq(row.cells[1].text, named) || last.n == 0 || last.p[0] != 'x' ||
		    last.p[last.n - 1] != 'x')
			fail_msg("%s and %s%s, shifted by %zu: line %d, %u cells, %.*s", f->separator,
			         f->open, f->close, shift, (int)row.line, row.n,
			         DRG_STR_ARG(row.cells[0].text));
		rows++;
	}
	assert_int_equal(rc, DRG_ENOENT);
	assert_int_equal(rows, CUT_ROWS);
	drg_sheet_close(s);
}

static void signs_are_read_wherever_a_piece_of_the_file_ends(void **state)
{
	struct drg_buf text;
	(void)state;
	drg_buf_init(&text, SIZE_MAX);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cut_forms); i++) {
		size_t signs = 1;
		for (size_t shift = 0; shift <= CUT_BEFORE + signs; shift++) {
			drg_buf_clear(&text);
			signs = cut_file(&cut_forms[i], shift, &text);
			cut_reads(&cut_forms[i], shift, &text);
		}
	}
	drg_buf_done(&text);
}

/* For UBSan: no function of the C library is given a null pointer, even with no bytes. */
static void an_empty_text_has_the_form_of_csv(void **state)
{
	struct drg_dialect f = { .separator = 0 };
	struct drg_buf text;
	(void)state;
	drg_buf_init(&text, 16);
	assert_int_equal(drg_dialect_recognise(&f, &text, 0, true), DRG_OK);
	drg_dialect_convert(&f, &text, true);
	assert_int_equal(f.separator, ',');
	assert_int_equal(f.quote, DRG_QUOTE_DOUBLE);
	assert_int_equal(text.n, 0);
	drg_buf_done(&text);
}

GROUP(dialect)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_form_of_a_file_is_recognised),
		cmocka_unit_test(encodings_that_look_like_ascii_or_have_zeros_are_recognised),
		cmocka_unit_test(a_file_of_a_mainframe_is_named_and_read_by_its_code_page),
		cmocka_unit_test(a_separator_of_any_script_can_be_said),
		cmocka_unit_test(the_form_holds_for_all_of_a_file),
		cmocka_unit_test(signs_are_read_wherever_a_piece_of_the_file_ends),
		cmocka_unit_test(an_empty_text_has_the_form_of_csv),
	};
	return cmocka_run_group_tests_name("sheet/dialect", tests, NULL, NULL);
}
