/* Text files as they come: what they are taken for, and the cells that come of them. */
#include "../folder.h"

#include "base/buf.h"
#include "sheet/budget.h"
#include "sheet/encoding.h"
#include "sheet/sheet.h"

#define BYTES(text) text, sizeof(text) - 1

static const struct {
	const char *name, *text;
	size_t n;
	uint32_t separator;
	const char *encoding;
	const char *rows; /* cells with bars between them and behind them, rows with a line end */
	enum drg_quote quote; /* 0: double */
} files[] = {
	{ "commas", BYTES("id,name\n1,A\n"), ',', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "semicolons, CRLF", BYTES("id;name\r\n1;A,B\r\n"), ';', "UTF-8", "id|name|\n1|A,B|\n", 0 },
	{ "tabs", BYTES("id\tname\n1\tA\n"), '\t', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "bars", BYTES("id|name\n1|A\n"), '|', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "bars within the cells", BYTES("id,name,tags\n1,A,x|y|z|v\n2,B,x|y|z|v\n3,C,x|y|z|v\n"), ',',
	  "UTF-8", "id|name|tags|\n1|A|x|y|z|v|\n2|B|x|y|z|v|\n3|C|x|y|z|v|\n", 0 },
	{ "commas within the cells, and in a title",
	  BYTES("Hotels, Turkey, 2026\nid;name;place\n1;A;a, b, c\n2;B;a, b, c\n"), ';', "UTF-8",
	  "Hotels, Turkey, 2026|\nid|name|place|\n1|A|a, b, c|\n2|B|a, b, c|\n", 0 },
	{ "carets", BYTES("id^name\n1^A, B\n2^C: D\n"), '^', "UTF-8", "id|name|\n1|A, B|\n2|C: D|\n", 0 },
	{ "a control character",
	  BYTES("id\x1fname\n1\x1f"
	        "A\n"),
	  '\x1f', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "colons of one column", BYTES("id\nA:1\nA:2\nA:3\n"), ',', "UTF-8", "id|\nA:1|\nA:2|\nA:3|\n", 0 },
	{ "a sep= line", BYTES("sep=;\nid;name\n1;A\n"), ';', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "a byte order mark", BYTES("\xef\xbb\xbfid,name\n1,A\n"), ',', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "blanks and quotes", BYTES("id, name\n \"1\" ,\" A \"\n"), ',', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "a line end in quotes", BYTES("id,name\n1,\"A\nB \"\"C\"\"\"\n2,D\n"), ',', "UTF-8",
	  "id|name|\n1|A\nB \"C\"|\n2|D|\n", 0 },
	{ "empty rows", BYTES("id;name\n;;;;\n\n1;A\n"), ';', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "UTF-16", BYTES("\xff\xfei\0d\0;\0n\0\n\0001\0;\0\x10\x04\n\0"), ';', "UTF-16LE",
	  "id|n|\n1|\xd0\x90|\n", 0 },
	{ "no line end", BYTES("id,name\n1,A"), ',', "UTF-8", "id|name|\n1|A|\n", 0 },
	{ "no quotes, and one unpaired",
	  BYTES("Code|Hotel|City\nh1|Ada|Side\nh2|\"Bora|Side\nh3|Can|Side\nh4|Hotel \"Ege\"|Side\n"), '|',
	  "UTF-8", "Code|Hotel|City|\nh1|Ada|Side|\nh2|\"Bora|Side|\nh3|Can|Side|\nh4|Hotel \"Ege\"|Side|\n",
	  DRG_QUOTE_NONE },
	{ "no quotes, and two that pair by accident",
	  BYTES("id\tname\tcity\n1\t\"Ada\tSide\n2\tBora\"\tSide\n3\tCan\tSide\n"), '\t', "UTF-8",
	  "id|name|city|\n1|\"Ada|Side|\n2|Bora\"|Side|\n3|Can|Side|\n", DRG_QUOTE_NONE },
	{ "no quotes, and one at the end", BYTES("id,name,city\n1,Ada,Side\n2,Bora,\"Side\n3,Can,Side\n"),
	  ',', "UTF-8", "id|name|city|\n1|Ada|Side|\n2|Bora|\"Side|\n3|Can|Side|\n", DRG_QUOTE_NONE },
	{ "no quotes, titles and a total",
	  BYTES("Prices\nof today\nid;name;city\n1;\"Ada;Side\n2;Bora;Side\n3;Can;Side\n4;D;Side\nTotal 4\n"),
	  ';', "UTF-8",
	  "Prices|\nof today|\nid|name|city|\n1|\"Ada|Side|\n2|Bora|Side|\n3|Can|Side|\n4|D|Side|\nTotal "
	  "4|\n",
	  DRG_QUOTE_NONE },
	{ "lines in quotes", BYTES("\"id,name,city\"\n\"1,\"\"A, B\"\",Side\"\n\"2,C,Side\"\n"), ',', "UTF-8",
	  "id|name|city|\n1|A, B|Side|\n2|C|Side|\n", 0 },
	{ "some lines in quotes",
	  BYTES("id,name,city\n\"1,\"\"A, \"\"\"\"B\"\"\"\"\"\",Side\"\n2,C,Side\n\"D, E\"\n"), ',', "UTF-8",
	  "id|name|city|\n1|A, \"B\"|Side|\n2|C|Side|\nD, E|\n", 0 },
	{ "all lines but the header in quotes",
	  BYTES("id,name,city\n\"1,\"\"A, B\"\",Side\"\n\"2,\"\"C, D\"\",Side\"\n"), ',', "UTF-8",
	  "id|name|city|\n1|A, B|Side|\n2|C, D|Side|\n", 0 },
	{ "one column, with commas", BYTES("\"name\"\n\"Side\"\n\"Sun, Sea\"\n"), ',', "UTF-8",
	  "name|\nSide|\nSun, Sea|\n", 0 },
	{ "one column, with commas but in the header", BYTES("\"name\"\n\"A, B\"\n\"C, D\"\n"), ',', "UTF-8",
	  "name|\nA, B|\nC, D|\n", 0 },
	{ "inches", BYTES("id;name\n1;TV 42\"\n2;TV 50\"\n3;A\n"), ';', "UTF-8",
	  "id|name|\n1|TV 42\"|\n2|TV 50\"|\n3|A|\n", 0 },
	{ "quotes within quotes as they are", BYTES("\"id\",\"name\"\n\"1\",\"Hotel \"Ege\" Palace\"\n"), ',',
	  "UTF-8", "id|name|\n1|Hotel \"Ege\" Palace|\n", 0 },
	{ "prose in quotes", BYTES("id,name\n1,\"Sun, sea\nand more, too\"\n2,B\n"), ',', "UTF-8",
	  "id|name|\n1|Sun, sea\nand more, too|\n2|B|\n", 0 },
	{ "backslashes before quotes",
	  BYTES("\"id\",\"name\"\n\"1\",\"Hotel \\\"Sun, Sea\\\"\"\n\"2\",\"C\"\n"), ',', "UTF-8",
	  "id|name|\n1|Hotel \"Sun, Sea\"|\n2|C|\n", DRG_QUOTE_BACKSLASH },
	{ "backslashes and doubled quotes", BYTES("\"id\",\"path\"\n\"1\",\"C:\\\"\n\"2\",\"a \"\"b\"\"\"\n"),
	  ',', "UTF-8", "id|path|\n1|C:\\|\n2|a \"b\"|\n", 0 },
	{ "nulls of a database", BYTES("id\tname\tphone\tcity\n1\tAda\t\\N\tSide\n\\N\tB\t1\tSide\n"), '\t',
	  "UTF-8", "id|name|phone|city|\n1|Ada||Side|\n|B|1|Side|\n", DRG_QUOTE_DUMP },
	{ "tabs and line ends of a database", BYTES("id\tname\n1\tAda\\tBeach\n2\tBora\\nPalas\n3\tD\\\\E\n"),
	  '\t', "UTF-8", "id|name|\n1|Ada\tBeach|\n2|Bora\nPalas|\n3|D\\E|\n", DRG_QUOTE_DUMP },
	{ "separators of a database", BYTES("id,name\n1,Sun\\, Sea\n2,B\n3,C\n"), ',', "UTF-8",
	  "id|name|\n1|Sun, Sea|\n2|B|\n3|C|\n", DRG_QUOTE_DUMP },
	{ "nulls beside quotes",
	  BYTES("\"id\",\"name\",\"phone\"\n\"1\",\"A \\\"b\\\"\",\\N\n\"2\",\"C\",\\N\n"), ',', "UTF-8",
	  "id|name|phone|\n1|A \"b\"|\n2|C|\n", DRG_QUOTE_BACKSLASH },
	{ "two surrogates in UTF-8", BYTES("id;name\n1;A \xed\xa0\xbd\xed\xb8\x80 \xc3\xbc\n"), ';', "CESU-8",
	  "id|name|\n1|A \xf0\x9f\x98\x80 \xc3\xbc|\n", 0 },
	{ "control characters",
	  BYTES("id;name\n\x1f"
	        "001;A\n\x1a"),
	  ';', "UTF-8", "id|name|\n001|A|\n", 0 },
	{ "what shows nothing",
	  BYTES("\xe2\x80\x8eid;\xef\xbb\xbfname\n\xe2\x80\x8b"
	        "1\xe3\x80\x80;\xc2\xa0"
	        "A\xe2\x81\xa0\n"),
	  ';', "UTF-8", "id|name|\n1|A|\n", 0 },
	/* What others were asked about: PapaParse 112, 299, 658, 681; smarter_csv 283; simplecsv 4;
	 * fast-csv 112;
	 * csv-parse 102; DBeaver 20644; cpython 119123. */
	{ "feet and inches", BYTES("colour; size; price\nblue; 6'5\"; $5\nred; 2'8\"; $2\npink; 4'7\"; $4\n"),
	  ';', "UTF-8", "colour|size|price|\nblue|6'5\"|$5|\nred|2'8\"|$2|\npink|4'7\"|$4|\n", 0 },
	{ "lists within the cells", BYTES("id;sort;group\n1;True;['3']\n2;True;['1', '1']\n3;True;['2']\n"),
	  ';', "UTF-8", "id|sort|group|\n1|True|['3']|\n2|True|['1', '1']|\n3|True|['2']|\n", 0 },
	{ "a quote in the middle", BYTES("a|b|c\nx|a name for this\" record|y\nz|w|v\n"), '|', "UTF-8",
	  "a|b|c|\nx|a name for this\" record|y|\nz|w|v|\n", 0 },
	{ "commas in quotes, semicolons", BYTES("Field1;Field2;\"Field,3,3,3\"\n1;2;3\n"), ';', "UTF-8",
	  "Field1|Field2|Field,3,3,3|\n1|2|3|\n", 0 },
	{ "line ends and commas in quotes", BYTES("Field1;Field2;\"F\ni,e,l,d\n,3\"\n1;2;3\n"), ';', "UTF-8",
	  "Field1|Field2|F\ni,e,l,d\n,3|\n1|2|3|\n", 0 },
	{ "a backslash before the last quote", BYTES("\"1\",\"TV 50\\\"\",\"1234\"\n\"2\",\"B\",\"5\"\n"),
	  ',', "UTF-8", "1|TV 50\"|1234|\n2|B|5|\n", DRG_QUOTE_BACKSLASH },
	{ "blanks before quotes with backslashes", BYTES("\"id\", \"name\"\n\"Foo \\\"Bar\\\"\", \"Baz\"\n"),
	  ',', "UTF-8", "id|name|\nFoo \"Bar\"|Baz|\n", DRG_QUOTE_BACKSLASH },
	{ "backslashes alone", BYTES("a,b,c\na,\\,b\\,,c\nd,e,f\n"), ',', "UTF-8",
	  "a|b|c|\na|,b,|c|\nd|e|f|\n", DRG_QUOTE_DUMP },
	{ "backslashes that are text",
	  BYTES("name,color\nApple\\,red\n\"Pe\\\"\"ar\",green\n\"Pea \nch\",orange\n"), ',', "UTF-8",
	  "name|color|\nApple\\|red|\nPe\\\"ar|green|\nPea \nch|orange|\n", 0 },
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
		    strcasecmp(about->encoding, files[i].encoding) != 0 ||
		    about->quote != (files[i].quote != 0 ? files[i].quote : DRG_QUOTE_DOUBLE))
			fail_msg("%s: \"%s\", separator %c, encoding %s, quotes %s", files[i].name, out.p,
			         (int)about->separator, about->encoding, drg_quote_names[about->quote]);
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

/* It is at the end that nothing closes the quote, and where it began that the user has to look. */
static void an_unpaired_quote_is_told_with_its_line_and_column(void **state)
{
	static const char text[] = "\"id\",\"name\",\"city\"\n\"1\",\"A\",\"B, "
	                           "C\"\n\"2\",\"D,\"E\"\n\"3\",\"F\",\"G\"\n\"4\",\"H, I\",\"J\n";
	const struct drg_sheet_options plain = { .encoding = NULL }, none = { .quote = DRG_QUOTE_NONE };
	struct drg_sheet_row row;
	struct drg_sheet *s;
	struct drg_err e;
	unsigned rows = 0;
	int rc;
	(void)state;
	assert_int_equal(sheet_open(BYTES(text), &plain, &s, &e), DRG_OK);
	while ((rc = drg_sheet_next(s, &row, &e)) == DRG_OK)
		rows++;
	assert_int_equal(rc, DRG_EINVAL);
	assert_string_equal(e.field, "quote");
	assert_non_null(strstr(e.message, "list.csv:5: "));
	assert_non_null(strstr(e.message, "column 3"));
	drg_sheet_close(s);
	assert_int_equal(sheet_open(BYTES(text), &none, &s, &e), DRG_OK);
	for (rows = 0; drg_sheet_next(s, &row, &e) == DRG_OK;)
		rows++;
	assert_int_equal(rows, 5);
	drg_sheet_close(s);
}

static void utf8_encoded_twice_is_known_and_other_text_is_not(void **state)
{
	static const struct {
		const char *text, *meant; /* NULL: it is meant as it is */
	} texts_twice[] = {
		{ "HÃ´tel d\xe2\x80\x99Orly", NULL },
		{ "HÃ´tel", "Hôtel" },
		{ "MÃ¼nchen", "München" },
		{ "GÃ¼neÅŸ", "Güneş" },
		{ "РЎРѕС‡Рё", "Сочи" },
		{ "ÐŸÐ°Ñ€Ð¸Ð¶", "Париж" },
		{ "LuĹˇtÄ›nice", "Luštěnice" },
		{ "H├┤tel", "Hôtel" },
		{ "H√¥tel", "Hôtel" },
		{ "L├╝beck", "Lübeck" },
		{ "â€œAdaâ€\xc2\x9d", "“Ada”" },
		{ "Hôtel", NULL },
		{ "Güneş", NULL },
		{ "Сочи", NULL },
		{ "Київ, Її, Сі", NULL },
		{ "São Paulo", NULL },
		{ "東京", NULL },
		{ "Ξενοδοχείο", NULL },
		{ "ÄÖÜ", NULL },
		{ "SÃO", NULL },
		{ "Hotel", NULL },
		{ "Ὁ 2° «à»", NULL },
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts_twice); i++) {
		char meant[64] = "";
		const bool twice = drg_encoded_twice(drg_str_c(texts_twice[i].text), meant, sizeof meant);
		if (twice != (texts_twice[i].meant != NULL) ||
		    (twice && strcmp(meant, texts_twice[i].meant) != 0))
			fail_msg("%s: %s", texts_twice[i].text, meant);
	}
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
		cmocka_unit_test(an_unpaired_quote_is_told_with_its_line_and_column),
		cmocka_unit_test(utf8_encoded_twice_is_known_and_other_text_is_not),
		cmocka_unit_test(a_list_costs_so_much_and_no_more),
		cmocka_unit_test(reading_ends_when_it_is_stopped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
