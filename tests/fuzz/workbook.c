/* The parts of a workbook, in a zip archive whose checksums are right: the input is its cells, shared
 * strings, styles, sheets, relations, the cells of a second sheet, the archive's relations and its list of
 * contents, with a NUL between them. A part that is missing is a usual one. */
#include "list.h"

#include <zip.h>

#define NS "http://schemas.openxmlformats.org/spreadsheetml/2006/main"

static const struct {
	const char *name, *usual; /* NULL: it may be missing */
} parts[] = {
	{ "xl/worksheets/sheet1.xml", "<worksheet xmlns=\"" NS "\"><sheetData/></worksheet>" },
	{ "xl/sharedStrings.xml", NULL },
	{ "xl/styles.xml", NULL },
	{ "xl/workbook.xml", "<workbook xmlns=\"" NS "\" xmlns:r=\"http://r\"><sheets><sheet name=\"List\" "
	                     "sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>" },
	{ "xl/_rels/workbook.xml.rels", "<Relationships xmlns=\"http://r\"><Relationship Id=\"rId1\" "
	                                "Target=\"worksheets/sheet1.xml\"/></Relationships>" },
	{ "xl/worksheets/sheet2.xml", NULL },
	{ "_rels\\.rels", NULL },
	{ "[Content_Types].xml", NULL },
};

/* Not compressed: that is libzip's, and the fuzzer would only wait for it. */
static void add_part(zip_t *zip, const char *name, struct drg_str text)
{
	zip_source_t *s = zip_source_buffer(zip, text.p, text.n, 0);
	zip_int64_t i = s != NULL ? zip_file_add(zip, name, s, 0) : -1;
	REQUIRE(i >= 0 && zip_set_file_compression(zip, (zip_uint64_t)i, ZIP_CM_STORE, 0) == 0);
}

static void add_parts(zip_t *zip, struct drg_str rest)
{
	for (unsigned i = 0; i < DRG_ARRAY_LEN(parts); i++) {
		struct drg_str text = input_part(&rest);
		if (text.n > 0)
			add_part(zip, parts[i].name, text);
		else if (parts[i].usual != NULL)
			add_part(zip, parts[i].name, drg_str_c(parts[i].usual));
	}
}

/* The archive as bytes, to be freed. */
static void *archive_of(struct drg_str input, size_t *ret_n)
{
	zip_error_t e;
	zip_stat_t st;
	zip_source_t *bytes = zip_source_buffer_create(NULL, 0, 0, &e);
	zip_t *zip = bytes != NULL ? zip_open_from_source(bytes, ZIP_TRUNCATE, &e) : NULL;
	REQUIRE(zip != NULL);
	zip_source_keep(bytes);
	add_parts(zip, input);
	REQUIRE(zip_close(zip) == 0 && zip_source_stat(bytes, &st) == 0 && zip_source_open(bytes) == 0);
	void *all = malloc(st.size + 1);
	REQUIRE(all != NULL && zip_source_read(bytes, all, st.size) == (zip_int64_t)st.size);
	zip_source_close(bytes);
	zip_source_free(bytes);
	*ret_n = st.size;
	return all;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64];
	size_t size;
	void *archive = archive_of(input_text(data, n), &size);
	int fd = file_of(archive, size, path);
	free(archive);
	read_list(path, DRG_QUOTE_UNKNOWN, NULL);
	read_list(path, DRG_QUOTE_UNKNOWN, "all");
	close(fd);
	return 0;
}
