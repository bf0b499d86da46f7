/* Workbooks as programs other than Excel write them: parts under other names, odd archives, escapes, formats,
 * dates and rows; and archives that are no workbooks. */
#include "../folder.h"

#include <zip.h>

#include "base/buf.h"
#include "base/err.h"
#include "sheet/sheet.h"

#define TYPES "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
#define STRICT "http://purl.oclc.org/ooxml/officeDocument/relationships/"
#define CONTENT "application/vnd.openxmlformats-officedocument.spreadsheetml."
#define ROOT(target)                                                                                         \
	"<Relationships><Relationship Id='a' Type='" TYPES "officeDocument' Target='" target                 \
	"'/></Relationships>"
#define BOOK "<workbook><sheets><sheet name='List' id='r1'/></sheets></workbook>"
#define RELS(sheet, strings, styles)                                                                         \
	"<Relationships><Relationship Id='r1' Type='" TYPES "worksheet' Target='" sheet                      \
	"'/><Relationship Id='r2' Type='" TYPES "sharedStrings' Target='" strings                            \
	"'/><Relationship Id='r3' Type='" TYPES "styles' Target='" styles "'/></Relationships>"
#define STRINGS "<sst><si><t>Ada</t></si></sst>"
#define STYLES                                                                                               \
	"<styleSheet><numFmts><numFmt numFmtId='164' formatCode='00000'/></numFmts><cellXfs><xf "            \
	"numFmtId='0'/><xf numFmtId='164'/><xf numFmtId='14'/></cellXfs></styleSheet>"
#define CELLS(cells) "<worksheet><sheetData>" cells "</sheetData></worksheet>"
#define ROW CELLS("<row><c s='1'><v>17</v></c><c t='s'><v>0</v></c><c s='2'><v>45000</v></c></row>")
#define ROW_READ "00017|Ada|2023-03-15|\n"
/* The usual parts around cells, or around styles. */
#define AROUND(strings, styles)                                                                              \
	{ "_rels/.rels", ROOT("xl/workbook.xml") }, { "xl/workbook.xml", BOOK },                             \
	        { "xl/_rels/workbook.xml.rels",                                                              \
		  RELS("worksheets/sheet1.xml", "sharedStrings.xml", "styles.xml") },                        \
	        { "xl/sharedStrings.xml", strings },                                                         \
	{                                                                                                    \
		"xl/styles.xml", styles                                                                      \
	}
#define FORMAT(code)                                                                                         \
	"<styleSheet><numFmts><numFmt numFmtId='170' formatCode='" code                                      \
	"'/></numFmts><cellXfs><xf/><xf numFmtId='170'/></cellXfs></styleSheet>"
#define SHEET1 "xl/worksheets/sheet1.xml"

static const struct {
	const char *name;
	const char *parts[8][2]; /* name and text */
	const char *rows; /* with bars and line ends; NULL: refused */
	const char *says; /* what the refusal says */
} books[] = {
	{ "usual names", { AROUND(STRINGS, STYLES), { SHEET1, ROW } }, ROW_READ, NULL },
	{ "other names",
	  { { "_rels/.rels", ROOT("book/main.xml") },
	    { "book/main.xml", BOOK },
	    { "book/_rels/main.xml.rels", RELS("a/one.xml", "texts.xml", "styles2.xml") },
	    { "book/texts.xml", STRINGS },
	    { "book/styles2.xml", STYLES },
	    { "book/a/one.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "a folder beside, one above, whole paths and escapes",
	  { { "_rels/.rels", ROOT("/xl/./workbook.xml") },
	    { "xl/workbook.xml", BOOK },
	    { "xl/_rels/workbook.xml.rels",
	      RELS("../she%65ts/my%20sheet.xml", "/t/texts.xml", "./s/../st.xml") },
	    { "t/texts.xml", STRINGS },
	    { "xl/st.xml", STYLES },
	    { "sheets/my sheet.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "the workbook is at the top",
	  { { "_rels/.rels", ROOT("workbook.xml") },
	    { "workbook.xml", BOOK },
	    { "_rels/workbook.xml.rels", RELS("sheet.xml", "strings.xml", "/styles.xml") },
	    { "strings.xml", STRINGS },
	    { "styles.xml", STYLES },
	    { "sheet.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "letters of another case",
	  { { "_RELS/.rels", ROOT("XL/Workbook.xml") },
	    { "xl/workbook.XML", BOOK },
	    { "xl/_rels/WORKBOOK.xml.rels",
	      RELS("Worksheets/Sheet1.xml", "SharedStrings.xml", "Styles.xml") },
	    { "xl/sharedstrings.xml", STRINGS },
	    { "xl/styles.xml", STYLES },
	    { "xl/worksheets/sheet1.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "backslashes in the archive and in relations",
	  { { "_rels\\.rels", ROOT("xl\\workbook.xml") },
	    { "xl\\workbook.xml", BOOK },
	    { "xl\\_rels\\workbook.xml.rels",
	      RELS("worksheets\\sheet1.xml", "\\xl\\sharedStrings.xml", "styles.xml") },
	    { "xl\\sharedStrings.xml", STRINGS },
	    { "xl\\styles.xml", STYLES },
	    { "xl\\worksheets\\sheet1.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "names that begin with a slash or a dot",
	  { { "/_rels/.rels", ROOT("xl/workbook.xml") },
	    { "./xl/workbook.xml", BOOK },
	    { "/xl/_rels/workbook.xml.rels", RELS("sheet1.xml", "s.xml", "t.xml") },
	    { "/xl/s.xml", STRINGS },
	    { "./xl/t.xml", STYLES },
	    { "/xl/sheet1.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "only the list of contents says which",
	  { { "[Content_Types].xml",
	      "<Types><Override PartName='/b/main.xml' ContentType='" CONTENT "sheet.main+xml'/>"
	      "<Override PartName='/b/st.xml' ContentType='" CONTENT "styles+xml'/>"
	      "<Override PartName='/b/ss.xml' ContentType='" CONTENT "sharedStrings+xml'/></Types>" },
	    { "b/main.xml", BOOK },
	    { "b/_rels/main.xml.rels",
	      "<Relationships><Relationship Id='r1' Target='one.xml'/></Relationships>" },
	    { "b/ss.xml", STRINGS },
	    { "b/st.xml", STYLES },
	    { "b/one.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "the strict form",
	  { { "_rels/.rels", "<Relationships><Relationship Id='a' Type='" STRICT
	                     "officeDocument' Target='xl/workbook.xml'/></Relationships>" },
	    { "xl/workbook.xml", BOOK },
	    { "xl/_rels/workbook.xml.rels",
	      "<Relationships><Relationship Id='r1' Type='" STRICT "worksheet' Target='s.xml'/><Relationship "
	      "Id='r2' Type='" STRICT "styles' Target='f.xml'/><Relationship Id='r3' Type='" STRICT
	      "sharedStrings' Target='t.xml'/></Relationships>" },
	    { "xl/t.xml", STRINGS },
	    { "xl/f.xml", STYLES },
	    { "xl/s.xml", ROW } },
	  ROW_READ,
	  NULL },
	{ "styles that are named and missing",
	  { { "_rels/.rels", ROOT("xl/workbook.xml") },
	    { "xl/workbook.xml", BOOK },
	    { "xl/_rels/workbook.xml.rels", RELS("worksheets/sheet1.xml", "sharedStrings.xml", "st.xml") },
	    { "xl/sharedStrings.xml", STRINGS },
	    { "xl/styles.xml", STYLES },
	    { SHEET1, ROW } },
	  NULL,
	  "the cell A1 has a style that does not exist" },
	{ "a cell with a style that is not there",
	  { AROUND(STRINGS, STYLES), { SHEET1, CELLS("<row r='3'><c r='AB3' s='9'><v>17</v></c></row>") } },
	  NULL,
	  "the cell AB3 has a style that does not exist" },

	{ "escapes",
	  { AROUND("<sst><si><t>a_x000D_b</t></si><si><r><t>_x005F_</t></r><r><t>x000D_</t></r></si>"
	           "<si><t>_xD83D__xDE00_ _xD83D_ _x0000_ _x00e9_ _x12_ _xZZZZ_ _x</t></si></sst>",
	           STYLES),
	    { SHEET1,
	      CELLS("<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c><c t='s'><v>2</v></c>"
	            "<c t='inlineStr'><is><t>c_x000a_d</t></is></c><c t='str'><v>_x0041_</v></c></row>") } },
	  "a\nb|_x000D_|\xf0\x9f\x98\x80 \xef\xbf\xbd \xef\xbf\xbd \xc3\xa9 _x12_ _xZZZZ_ _x|c\nd|A|\n",
	  NULL },
	{ "line ends, escaped in each way",
	  { AROUND("<sst><si><t>a_x000D_\nb</t></si><si><t>a&#13;&#10;b</t></si><si><t>a&#13;b_x000d_</t></"
	           "si></sst>",
	           STYLES),
	    { SHEET1, CELLS("<row><c t='s'><v>0</v></c><c t='s'><v>1</v></c><c t='s'><v>2</v></c></row>") } },
	  "a\nb|a\nb|a\nb|\n",
	  NULL },
	{ "a format with text",
	  { AROUND(STRINGS, FORMAT("&quot;TR-&quot;0000")),
	    { SHEET1, CELLS("<row><c s='1'><v>17</v></c></row>") } },
	  "TR-0017|\n",
	  NULL },
	{ "a format for texts",
	  { AROUND(STRINGS, FORMAT("&quot;TR-&quot;@")),
	    { SHEET1, CELLS("<row><c s='1' t='s'><v>0</v></c><c s='1'><v>17</v></c></row>") } },
	  "TR-Ada|17|\n",
	  NULL },
	{ "a format that is not understood",
	  { AROUND(STRINGS, FORMAT("# ?/?")),
	    { SHEET1, CELLS("<row r='7'><c r='B7' s='1'><v>17</v></c></row>") } },
	  "|(B7: 17 in the format # ?/?)|\n",
	  NULL },
	{ "times",
	  { AROUND(STRINGS, FORMAT("h:mm")),
	    { SHEET1, CELLS("<row><c s='1'><v>0.5</v></c><c s='1'><v>1.00001157407407</v></c></row>") } },
	  "12:00|00:00:01|\n",
	  NULL },
	{ "hours",
	  { AROUND(STRINGS, FORMAT("[h]:mm")), { SHEET1, CELLS("<row><c s='1'><v>1.5</v></c></row>") } },
	  "36:00|\n",
	  NULL },
	{ "ISO dates",
	  { AROUND(STRINGS, STYLES),
	    { SHEET1, CELLS("<row><c t='d'><v>2021-03-05</v></c><c t='d'><v>2021-03-05T00:00:00.000Z</v></c>"
	                    "<c t='d'><v>2021-03-05T10:30:00</v></c></row>") } },
	  "2021-03-05|2021-03-05|2021-03-05T10:30:00|\n",
	  NULL },
	{ "a row for each cell",
	  { AROUND(STRINGS, STYLES),
	    { SHEET1,
	      CELLS("<row r='1'><c r='A1'><v>1</v></c></row><row r='1'><c r='C1'><v>2</v></c></row>"
	            "<row r='2'/><row r='2'><c r='A2'><v>3</v></c></row><row r='2'><c "
	            "r='B2'><v>4</v></c></row>"
	            "<row r='4'><c "
	            "r='A4'><v>5</v></c></row><row><c><v>6</v></c></row><row><c><v>7</v></c></row>") } },
	  "1||2|\n3|4|\n5|\n6|\n7|\n",
	  NULL },

	/* Reports about other readers: exceljs 560 and 1437, js-xlsx 40, calamine 261 and 285, simplexlsx 36,
	 * python-calamine 112, umya-spreadsheet 342. */
	{ "parts are named that were not written",
	  { { "[Content_Types].xml", "<Types><Override PartName='/xl/sharedStrings.xml' ContentType='" CONTENT
	                             "sharedStrings+xml'/></Types>" },
	    { "_rels/.rels", ROOT("xl/workbook.xml") },
	    { "xl/workbook.xml", BOOK },
	    { "xl/_rels/workbook.xml.rels", RELS("s.xml", "sharedStrings.xml", "styles.xml") },
	    { "xl/s.xml", CELLS("<row><c t='inlineStr'><is><t>0050</t></is></c><c><v>7</v></c></row>") } },
	  "0050|7|\n",
	  NULL },
	{ "all names have prefixes",
	  { { "_rels/.rels", ROOT("xl/workbook.xml") },
	    { "xl/workbook.xml",
	      "<x:workbook xmlns:x='http://x' xmlns:r='http://r'><x:sheets><x:sheet r:id='r1' sheetId='1' "
	      "name='S'/></x:sheets></x:workbook>" },
	    { "xl/_rels/workbook.xml.rels", RELS("s.xml", "t.xml", "f.xml") },
	    { "xl/t.xml", "<x:sst xmlns:x='http://x'><x:si><x:t>Ada</x:t></x:si></x:sst>" },
	    { "xl/s.xml",
	      "<x:worksheet xmlns:x='http://x'><x:sheetData><x:row><x:c t='s'><x:v>0</x:v></x:c></x:row>"
	      "</x:sheetData></x:worksheet>" } },
	  "Ada|\n",
	  NULL },
	{ "cells without values, references and a true size",
	  { AROUND(STRINGS, STYLES),
	    { SHEET1, "<worksheet><dimension ref='A0:AZ9'/><sheetData><row r='1'><c r='A1' t='s'/><c "
	              "t='s'><v>0</v></c>"
	              "<c r='D1'><v>4</v></c><c><v>5</v></c></row></sheetData></worksheet>" } },
	  "|Ada||4|5|\n",
	  NULL },
	/* Reports about other readers: xlrd 346, EPPlus of rimland 1, ExcelDataReader 97, readxl 648. */
	{ "odd references, values and styles",
	  { AROUND(STRINGS, STYLES),
	    { SHEET1,
	      CELLS("<row r='2'><c r='0' s=''><v>1</v></c><c r='1' s='1'><v> 17\n</v></c></row>"
	            "<row><c r='a3' t='s'><v></v></c><c r='$C$3' t='s'><v> 0 </v></c><c t='s'><v/></c><c "
	            "t='s'><v> </v></c><c><v>-0</v></c></row><row><c s='1'><v>0x11</v></c></row>") } },
	  "1|00017|\n||Ada|||0|\n0x11|\n",
	  NULL },
	{ "a text by a number that is none",
	  { AROUND(STRINGS, STYLES), { SHEET1, CELLS("<row><c t='s'><v>Ada</v></c></row>") } },
	  NULL,
	  "names a text that is not there" },
	{ "formats behind the styles",
	  { AROUND(STRINGS, "<styleSheet><cellXfs><xf/><xf numFmtId='164'/></cellXfs><numFmts><numFmt "
	                    "numFmtId='164' formatCode='00000'/></numFmts></styleSheet>"),
	    { SHEET1, CELLS("<row><c s='1'><v>17</v></c></row>") } },
	  "00017|\n",
	  NULL },
	{ "texts in cells of dates, and of formulas",
	  { AROUND(STRINGS, STYLES),
	    { SHEET1,
	      CELLS("<row><c s='2' t='s'><v>0</v></c><c s='2' t='str'><f>B1</f><v>0100</v></c></row>") } },
	  "Ada|0100|\n",
	  NULL },

	/* hucre 499, NanoXLSX 44, sheetjs 1465 */
	{ "a chart and a macro in front of the sheet",
	  { { "_rels/.rels", ROOT("xl/workbook.xml") },
	    { "xl/workbook.xml", "<workbook><sheets><sheet name='C' id='c'/><sheet name='M' id='m' "
	                         "state='veryHidden'/><sheet name='S' id='s'/></sheets></workbook>" },
	    { "xl/_rels/workbook.xml.rels",
	      "<Relationships><Relationship Id='c' Type='" TYPES
	      "chartsheet' Target='chartsheets/sheet1.xml'/>"
	      "<Relationship Id='m' "
	      "Type='http://schemas.microsoft.com/office/2006/relationships/xlMacrosheet' "
	      "Target='macrosheets/sheet1.xml'/><Relationship Id='s' Type='" TYPES
	      "worksheet' Target='s.xml'/></Relationships>" },
	    { "xl/chartsheets/sheet1.xml", "<chartsheet><drawing/></chartsheet>" },
	    { "xl/macrosheets/sheet1.xml", "<macrosheet><sheetData><row><c><v>1</v></c></row></sheetData>"
	                                   "</macrosheet>" },
	    { "xl/s.xml", CELLS("<row><c><v>7</v></c></row>") } },
	  "7|\n",
	  NULL },
	/* PhpSpreadsheet 1636, xlsx_reader 14 */
	{ "parts with a byte order mark",
	  { { "_rels/.rels", "\xef\xbb\xbf<?xml version='1.0' encoding='utf-8'?>" ROOT("xl/workbook.xml") },
	    { "xl/workbook.xml", "\xef\xbb\xbf" BOOK },
	    { "xl/_rels/workbook.xml.rels", "\xef\xbb\xbf" RELS("s.xml", "t.xml", "f.xml") },
	    { "xl/t.xml", "\xef\xbb\xbf" STRINGS },
	    { "xl/f.xml", "\xef\xbb\xbf" STYLES },
	    { "xl/s.xml", "\xef\xbb\xbf" ROW } },
	  ROW_READ,
	  NULL },

	{ "a binary workbook",
	  { { "_rels/.rels", ROOT("xl/workbook.bin") }, { "xl/workbook.bin", "x" } },
	  NULL,
	  "binary workbook (.xlsb)" },
	{ "an OpenDocument file",
	  { { "mimetype", "application/vnd.oasis.opendocument.spreadsheet" }, { "content.xml", "<x/>" } },
	  NULL,
	  "OpenDocument file (.ods)" },
	{ "a file of Numbers", { { "Index/Document.iwa", "x" }, { "preview.jpg", "x" } }, NULL, "Numbers" },
	{ "a document of Word",
	  { { "_rels/.rels", ROOT("word/document.xml") }, { "word/document.xml", "<x/>" } },
	  NULL,
	  "Word" },
	{ "a list that is packed",
	  { { "list.csv", "id,name" } },
	  NULL,
	  "the file list.csv in it: unpack it" },
	{ "anything else", { { "a.txt", "x" }, { "b.txt", "x" } }, NULL, "zip archive without a workbook" },
};

static void write_book(const char *path, const char *const (*parts)[2])
{
	zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
	assert_non_null(zip);
	for (unsigned i = 0; i < 8 && parts[i][0] != NULL; i++) {
		zip_source_t *s = zip_source_buffer(zip, parts[i][1], strlen(parts[i][1]), 0);
		assert_true(s != NULL && zip_file_add(zip, parts[i][0], s, 0) >= 0);
	}
	assert_int_equal(zip_close(zip), 0);
}

static int read_book(const char *path, struct drg_buf *out, struct drg_sheet_about *ret,
                     struct drg_err *reterr)
{
	static const struct drg_sheet_options plain = { .encoding = NULL };
	struct drg_sheet *s = NULL;
	struct drg_sheet_row row;
	int rc = drg_sheet_open(path, &plain, &s, reterr);
	while (rc == DRG_OK && (rc = drg_sheet_next(s, &row, reterr)) == DRG_OK) {
		for (unsigned i = 0; i < row.n; i++) {
			drg_buf_str(out, row.cells[i].text);
			drg_buf_char(out, '|');
		}
		drg_buf_char(out, '\n');
	}
	if (s != NULL)
		*ret = *drg_sheet_about(s);
	drg_sheet_close(s);
	return rc;
}

static void workbooks_of_all_programs_are_read_or_named(void **state)
{
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	folder_file(&f, "list.xlsx", path, sizeof path);
	for (size_t i = 0; i < DRG_ARRAY_LEN(books); i++) {
		struct drg_sheet_about about;
		struct drg_buf out;
		struct drg_err e = { .message = "" };
		drg_buf_init(&out, SIZE_MAX);
		write_book(path, books[i].parts);
		int rc = read_book(path, &out, &about, &e);
		drg_buf_char(&out, '\0');
		if (books[i].rows != NULL && (rc != DRG_ENOENT || strcmp(out.p, books[i].rows) != 0))
			fail_msg("%s: expected %s, got %d %s%s", books[i].name, books[i].rows, rc, out.p,
			         rc == DRG_ENOENT ? "" : e.message);
		if (books[i].rows == NULL && (rc != DRG_EINVAL || strstr(e.message, books[i].says) == NULL))
			fail_msg("%s: %d %s%s", books[i].name, rc, out.p, e.message);
		drg_buf_done(&out);
	}
	folder_remove(&f);
}

static void hidden_rows_are_read_and_counted(void **state)
{
	static const char *const parts[8][2] = {
		AROUND(STRINGS, STYLES),
		{ SHEET1, CELLS("<row><c><v>1</v></c></row><row hidden='1'><c><v>2</v></c></row>"
		                "<row hidden='true'><c><v>3</v></c></row><row hidden='1'/>"
		                "<row hidden='0'><c><v>4</v></c></row>") },
	};
	struct drg_sheet_about about = { .hidden = 0 };
	struct drg_buf out;
	struct drg_err e;
	struct folder f;
	char path[128];
	(void)state;
	folder_make(&f);
	write_book(folder_file(&f, "list.xlsx", path, sizeof path), parts);
	drg_buf_init(&out, SIZE_MAX);
	assert_int_equal(read_book(path, &out, &about, &e), DRG_ENOENT);
	assert_true(drg_str_eq(drg_buf_view(&out), DRG_STR("1|\n2|\n3|\n4|\n")));
	assert_int_equal(about.hidden, 2);
	drg_buf_done(&out);
	folder_remove(&f);
}

GROUP(books)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(workbooks_of_all_programs_are_read_or_named),
		cmocka_unit_test(hidden_rows_are_read_and_counted),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
