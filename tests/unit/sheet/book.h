/* tests/unit/sheet/book.h
 * Workbooks made of parts as a test writes them: what is inside the outermost element of each. A part without
 * a byte is a usual one. */
#pragma once
#include "../folder.h"

#include <zip.h>

#include "base/buf.h"
#include "base/err.h"

enum { PART_CELLS, PART_STRINGS, PART_STYLES, PART_BOOK, PART_RELS, PARTS };

static const struct {
	const char *name, *before, *usual, *after;
} book_parts[PARTS] = {
	{ "xl/worksheets/sheet1.xml", "<worksheet><sheetData>", "<row><c><v>1</v></c></row>",
	  "</sheetData></worksheet>" },
	{ "xl/sharedStrings.xml", "<sst>", "", "</sst>" },
	{ "xl/styles.xml", "<styleSheet>", "", "</styleSheet>" },
	{ "xl/workbook.xml", "<workbook>", "<sheet name='List' id='rId1'/>", "</workbook>" },
	{ "xl/_rels/workbook.xml.rels", "<Relationships>",
	  "<Relationship Id='rId1' Target='worksheets/sheet1.xml'/>", "</Relationships>" },
};

/** @p text so often, with its number for each #. */
static inline void book_many(struct drg_buf *b, unsigned n, const char *text)
{
	for (unsigned i = 0; i < n; i++)
		for (const char *c = text; *c != '\0'; c++)
			if (*c == '#')
				drg_buf_i64(b, i);
			else
				drg_buf_char(b, *c);
}

static inline void book_add_part(zip_t *zip, unsigned number, struct drg_buf *b)
{
	struct drg_buf all;
	drg_buf_init(&all, SIZE_MAX);
	drg_buf_str(&all, drg_str_c(book_parts[number].before));
	drg_buf_str(&all, b->n > 0 ? drg_buf_view(b) : drg_str_c(book_parts[number].usual));
	drg_buf_str(&all, drg_str_c(book_parts[number].after));
	assert_int_equal(all.rc, DRG_OK);
	zip_source_t *s = zip_source_buffer(zip, all.p, all.n, 1);
	assert_true(s != NULL && zip_file_add(zip, book_parts[number].name, s, 0) >= 0);
	drg_buf_done(b);
}

static inline void book_begin(struct drg_buf *part)
{
	for (unsigned i = 0; i < PARTS; i++)
		drg_buf_init(&part[i], SIZE_MAX);
}

/** Write it, and free its parts. */
static inline void book_write(const char *path, struct drg_buf *part)
{
	zip_t *zip = zip_open(path, ZIP_CREATE | ZIP_TRUNCATE, NULL);
	assert_non_null(zip);
	for (unsigned i = 0; i < PARTS; i++)
		book_add_part(zip, i, &part[i]);
	assert_int_equal(zip_close(zip), 0);
}
