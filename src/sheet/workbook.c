#include "sheet/workbook.h"

#include <stdio.h>
#include <stdlib.h>

#include "text/utf8.h"

/* Memory that shared strings may take: so many bytes, and four for each of so many. */
enum { STRINGS_BYTES = 256 << 20, STRINGS_MAX = 16 << 20 };
/* Files of an archive: libzip looks for a name among all of them. */
enum { WORKBOOK_PARTS_MAX = 1 << 14 };
/* Numbers of formats: Excel's have 16 bits. */
enum { FORMATS_END = 1 << 16 };

static int read_part(struct workbook *w, const char *name, const struct xml_part_calls *calls, void *ctx,
                     struct drg_err *reterr)
{
	struct xml_part *x;
	int rc = drg_xml_part_open(w->zip, name, calls, ctx, w->budget, &x, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_xml_part_read(x, reterr);
	drg_xml_part_close(x);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int ignore_end(void *ctx, struct drg_str name, struct drg_err *reterr)
{
	(void)ctx, (void)name, (void)reterr;
	return DRG_OK;
}

/* ---- sheets -------------------------------------------------------------------------------------------- */

static int fail_sheet(const struct workbook_sheet *s, const char *what, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "the workbook is damaged: its sheet %s %s", s->name,
	                what);
}

static int book_sheet(struct workbook *w, const char **a, struct drg_err *reterr)
{
	if (w->n_sheets == WORKBOOK_SHEETS_MAX)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "expected at most %d sheets, found more",
		                WORKBOOK_SHEETS_MAX);
	struct workbook_sheet *s = &w->sheets[w->n_sheets];
	/* The relation's id is "r:id", and drg_xml_attribute() has its local name. */
	struct drg_str state = drg_xml_attribute(a, "state"), rel = drg_xml_attribute(a, "id"),
	               label = drg_utf8_cut(drg_xml_attribute(a, "name"), sizeof s->name - 1);
	snprintf(s->name, sizeof s->name, "%.*s", DRG_STR_ARG(label));
	if (rel.n == 0 || rel.n >= sizeof s->rel)
		return fail_sheet(s, "does not say where it is", reterr);
	memcpy(s->rel, rel.p, rel.n + 1);
	s->hidden = state.n > 0 && !drg_str_eq(state, DRG_STR("visible"));
	w->by_rel[w->n_sheets++] = s;
	return DRG_OK;
}

static int book_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct workbook *w = ctx;
	if (drg_str_eq(name, DRG_STR("workbookPr"))) {
		struct drg_str v = drg_xml_attribute(a, "date1904");
		w->date1904 = drg_str_eq(v, DRG_STR("1")) || drg_str_eq(v, DRG_STR("true"));
	}
	return drg_str_eq(name, DRG_STR("sheet")) ? book_sheet(w, a, reterr) : DRG_OK;
}

static int compare_rels(const void *a, const void *b)
{
	const struct workbook_sheet *const *x = a, *const *y = b;
	return strcmp((*x)->rel, (*y)->rel);
}

static int compare_parts(const void *a, const void *b)
{
	const struct workbook_sheet *const *x = a, *const *y = b;
	return strcasecmp((*x)->part, (*y)->part);
}

/* Put the sheets in order by what only one of them may have: a part that many sheets name would be read once
 * for each. */
static int order_sheets(struct workbook *w, int (*compare)(const void *a, const void *b),
                        struct drg_err *reterr)
{
	qsort(w->by_rel, w->n_sheets, sizeof(struct workbook_sheet *), compare);
	for (unsigned i = 1; i < w->n_sheets; i++)
		if (compare(&w->by_rel[i - 1], &w->by_rel[i]) == 0)
			return fail_sheet(w->by_rel[i], "is where another one is, or nowhere", reterr);
	return DRG_OK;
}

static int rel_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct workbook *w = ctx;
	(void)reterr;
	if (!drg_str_eq(name, DRG_STR("Relationship")))
		return DRG_OK;
	struct drg_str id = drg_xml_attribute(a, "Id"), target = drg_xml_attribute(a, "Target");
	struct workbook_sheet like;
	const struct workbook_sheet *key = &like;
	if (id.n >= sizeof like.rel)
		return DRG_OK;
	memcpy(like.rel, id.p, id.n + 1);
	struct workbook_sheet **s = bsearch(&key, w->by_rel, w->n_sheets, sizeof *s, compare_rels);
	if (s != NULL)
		snprintf((*s)->part, sizeof(*s)->part, "%s%s", target.p[0] == '/' ? "" : "xl/",
		         target.p + (target.p[0] == '/'));
	return DRG_OK;
}

/* ---- shared strings ------------------------------------------------------------------------------------ */

struct strings_reading {
	struct workbook *w;
	unsigned in_text, in_phonetic;
};

static int strings_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct strings_reading *r = ctx;
	(void)a, (void)reterr;
	r->in_text += drg_str_eq(name, DRG_STR("t"));
	r->in_phonetic += drg_str_eq(name, DRG_STR("rPh"));
	return DRG_OK;
}

static int strings_text(void *ctx, struct drg_str text, struct drg_err *reterr)
{
	struct strings_reading *r = ctx;
	(void)reterr;
	if (r->in_text > 0 && r->in_phonetic == 0)
		drg_buf_str(&r->w->strings, text);
	return DRG_OK;
}

static int strings_end(void *ctx, struct drg_str name, struct drg_err *reterr)
{
	struct strings_reading *r = ctx;
	r->in_text -= drg_str_eq(name, DRG_STR("t"));
	r->in_phonetic -= drg_str_eq(name, DRG_STR("rPh"));
	if (!drg_str_eq(name, DRG_STR("si")))
		return DRG_OK;
	const uint32_t end = (uint32_t)r->w->strings.n;
	drg_buf_add(&r->w->ends, &end, sizeof end);
	if (r->w->strings.rc == DRG_ENOMEM || r->w->ends.rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	if (r->w->strings.rc == DRG_OK && r->w->ends.rc == DRG_OK)
		return DRG_OK;
	return drg_fail(reterr, DRG_EINVAL, DRG_R(list_too_large), NULL,
	                "expected a workbook of at most %d MiB of different texts, %d at most, found more: "
	                "save it as CSV",
	                STRINGS_BYTES >> 20, STRINGS_MAX);
}

bool drg_workbook_string(const struct workbook *w, uint64_t number, struct drg_str *ret)
{
	const uint32_t *ends = (const uint32_t *)(const void *)w->ends.p;
	if (number >= w->ends.n / sizeof *ends)
		return false;
	uint32_t begin = number > 0 ? ends[number - 1] : 0;
	*ret = drg_str(w->strings.p + begin, ends[number] - begin);
	return true;
}

/* ---- styles -------------------------------------------------------------------------------------------- */

struct styles_reading {
	struct workbook *w;
	struct {
		struct style style;
		bool said;
	} formats[FORMATS_END]; /* by number */
	bool in_cells;
};

/* "dd.mm.yyyy" is a date, "00000" pads with zeros; what stands in quotes or brackets does not count. */
static struct style style_of_code(struct drg_str code)
{
	struct style s = { STYLE_PLAIN, 0 };
	bool quoted = false, bracket = false, zeros = code.n > 1 && code.n < 40;
	for (size_t i = 0; i < code.n; i++) {
		char c = code.p[i];
		zeros = zeros && c == '0';
		quoted ^= c == '"';
		bracket = (bracket || c == '[') && c != ']';
		if (c == '\\')
			i++;
		else if (!quoted && !bracket && strchr("yYdDhH", c) != NULL)
			s.class = STYLE_DATE;
	}
	if (drg_str_eq_nocase(code, DRG_STR("general")) || zeros)
		s.class = zeros ? STYLE_ZEROS : STYLE_PLAIN;
	s.zeros = zeros ? (uint8_t)code.n : 0;
	return s;
}

static struct style style_of_number(const struct styles_reading *r, unsigned long id)
{
	if (id < FORMATS_END && r->formats[id].said)
		return r->formats[id].style;
	bool date = (id >= 14 && id <= 22) || (id >= 27 && id <= 36) || (id >= 45 && id <= 47) ||
	            (id >= 50 && id <= 58);
	return (struct style){ date ? STYLE_DATE : STYLE_PLAIN, 0 };
}

static int styles_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct styles_reading *r = ctx;
	unsigned long id = strtoul(drg_xml_attribute(a, "numFmtId").p, NULL, 10);
	r->in_cells = r->in_cells || drg_str_eq(name, DRG_STR("cellXfs"));
	if (drg_str_eq(name, DRG_STR("numFmt")) && id < FORMATS_END && !r->formats[id].said) {
		r->formats[id].style = style_of_code(drg_xml_attribute(a, "formatCode"));
		r->formats[id].said = true;
	}
	if (r->in_cells && drg_str_eq(name, DRG_STR("xf"))) {
		struct style s = style_of_number(r, id);
		drg_buf_add(&r->w->styles, &s, sizeof s);
		if (r->w->styles.rc != DRG_OK)
			return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
			                "expected at most %d styles, found more", WORKBOOK_STYLES_MAX);
	}
	return DRG_OK;
}

static int styles_end(void *ctx, struct drg_str name, struct drg_err *reterr)
{
	struct styles_reading *r = ctx;
	(void)reterr;
	if (drg_str_eq(name, DRG_STR("cellXfs")))
		r->in_cells = false;
	return DRG_OK;
}

struct style drg_workbook_style(const struct workbook *w, uint64_t number)
{
	const struct style *list = (const struct style *)(const void *)w->styles.p;
	return number < w->styles.n / sizeof *list ? list[number] : (struct style){ STYLE_PLAIN, 0 };
}

static int read_styles(struct workbook *w, struct drg_err *reterr)
{
	static const struct xml_part_calls calls = { styles_start, styles_end, NULL };
	struct styles_reading *r = calloc(1, sizeof *r);
	if (r == NULL)
		return drg_fail_memory(reterr);
	r->w = w;
	int rc = read_part(w, "xl/styles.xml", &calls, r, reterr);
	free(r);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- all ----------------------------------------------------------------------------------------------- */

static int read_book(struct workbook *w, struct drg_err *reterr)
{
	static const struct xml_part_calls book_calls = { book_start, ignore_end, NULL };
	static const struct xml_part_calls rel_calls = { rel_start, ignore_end, NULL };
	static const struct xml_part_calls string_calls = { strings_start, strings_end, strings_text };
	struct strings_reading strings = { .w = w };
	int rc = read_part(w, "xl/workbook.xml", &book_calls, w, reterr);
	if (rc == DRG_OK)
		rc = order_sheets(w, compare_rels, reterr);
	if (rc == DRG_OK)
		rc = read_part(w, "xl/_rels/workbook.xml.rels", &rel_calls, w, reterr);
	if (rc == DRG_OK)
		rc = order_sheets(w, compare_parts, reterr);
	if (rc == DRG_ENOENT)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "it is a zip archive without a workbook in it: expected .xlsx");
	if (rc == DRG_OK)
		rc = read_part(w, "xl/sharedStrings.xml", &string_calls, &strings, reterr);
	if (rc == DRG_OK || rc == DRG_ENOENT)
		rc = read_styles(w, reterr);
	return rc;
}

int drg_workbook_open(const char *path, struct sheet_budget *budget, struct workbook *w,
                      struct drg_err *reterr)
{
	int code;
	w->n_sheets = 0;
	w->budget = budget;
	drg_buf_init(&w->strings, STRINGS_BYTES);
	drg_buf_init(&w->ends, STRINGS_MAX * sizeof(uint32_t));
	drg_buf_init(&w->styles, WORKBOOK_STYLES_MAX * sizeof(struct style));
	w->zip = NULL;
	int rc = drg_library_load(DRG_LIBRARY_ZIP, reterr);
	if (rc != DRG_OK)
		return rc;
	w->zip = zip_open(path, ZIP_RDONLY, &code);
	if (w->zip != NULL && zip_get_num_entries(w->zip, 0) > WORKBOOK_PARTS_MAX)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "expected at most %d files in the workbook's archive, found more",
		                WORKBOOK_PARTS_MAX);
	if (w->zip != NULL)
		return read_book(w, reterr);
	zip_error_t e;
	zip_error_init_with_code(&e, code);
	rc = drg_fail(reterr, DRG_EINVAL, NULL, NULL, "the workbook is damaged or cut: %s",
	              zip_error_strerror(&e));
	zip_error_fini(&e);
	return rc;
}

void drg_workbook_close(struct workbook *w)
{
	if (w->zip != NULL)
		zip_discard(w->zip);
	w->zip = NULL;
	drg_buf_done(&w->strings);
	drg_buf_done(&w->ends);
	drg_buf_done(&w->styles);
}
