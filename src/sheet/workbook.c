#include "sheet/workbook.h"

#include <stdio.h>
#include <stdlib.h>
#include <strings.h>
#include <unicode/utf16.h>
#include <unicode/utf8.h>

#include "sheet/number_format.h"
#include "text/utf8.h"

/* Memory that shared strings may take: so many bytes, and four for each of so many. */
enum { STRINGS_BYTES = 256 << 20, STRINGS_MAX = 16 << 20 };
/* Files of an archive: libzip looks for a name among all of them. */
enum { WORKBOOK_PARTS_MAX = 1 << 14 };
/* Numbers of formats: Excel's have 16 bits. */
enum { FORMATS_END = 1 << 16 };

/* ---- parts --------------------------------------------------------------------------------------------- */

struct workbook_file {
	char name[WORKBOOK_NAME];
	uint64_t number; /* in the archive */
};

static int hex(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : (c | 32) >= 'a' && (c | 32) <= 'f' ? (c | 32) - 'a' + 10 : -1;
}

/* Write the name of a part without "." and "..", as seen from the folder "xl/". Some programs write
 * backslashes, or a slash in front. @param escaped  "%20" is a blank. @return false: it is not a name. */
static bool resolve(const char *folder, struct drg_str target, bool escaped, char ret[WORKBOOK_NAME])
{
	const bool rooted = target.n > 0 && (target.p[0] == '/' || target.p[0] == '\\');
	size_t n = rooted ? 0 : strlen(folder), i = 0;
	memcpy(ret, folder, n);
	for (;;) {
		const size_t begin = n;
		for (; i < target.n && target.p[i] != '/' && target.p[i] != '\\'; i++) {
			char c = target.p[i];
			if (escaped && c == '%' && target.n - i > 2 && hex(target.p[i + 1]) >= 0 &&
			    hex(target.p[i + 2]) >= 0) {
				c = (char)(hex(target.p[i + 1]) * 16 + hex(target.p[i + 2]));
				i += 2;
			}
			if (n + 2 >= WORKBOOK_NAME || c == '\0')
				return false;
			ret[n++] = c;
		}
		struct drg_str segment = drg_str(ret + begin, n - begin);
		const bool up = drg_str_eq(segment, DRG_STR(".."));
		if (up || segment.n == 0 || drg_str_eq(segment, DRG_STR(".")))
			n = begin;
		else if (i < target.n)
			ret[n++] = '/';
		for (n -= up && n > 0; up && n > 0 && ret[n - 1] != '/'; n--)
			;
		if (i++ >= target.n)
			break;
	}
	ret[n] = '\0';
	return n > 0 && ret[n - 1] != '/';
}

static int compare_files(const void *a, const void *b)
{
	const struct workbook_file *x = a, *y = b;
	int c = strcasecmp(x->name, y->name);
	return c != 0 ? c : (x->number > y->number) - (x->number < y->number);
}

static int find_file(const void *name, const void *file)
{
	return strcasecmp(name, ((const struct workbook_file *)file)->name);
}

static const struct workbook_file *part_of(const struct workbook *w, const char *name)
{
	return bsearch(name, w->files, w->n_files, sizeof *w->files, find_file);
}

/* List the files of the archive. Of two of the same name the first counts. */
static int list_files(struct workbook *w, struct drg_err *reterr)
{
	const zip_int64_t n = zip_get_num_entries(w->zip, 0);
	if (n > WORKBOOK_PARTS_MAX)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "expected at most %d files in the workbook's archive, found more",
		                WORKBOOK_PARTS_MAX);
	w->files = calloc(n > 0 ? (size_t)n : 1, sizeof *w->files);
	if (w->files == NULL)
		return drg_fail_memory(reterr);
	for (zip_int64_t i = 0; i < n; i++) {
		const char *name = zip_get_name(w->zip, (uint64_t)i, 0);
		struct workbook_file *f = &w->files[w->n_files];
		f->number = (uint64_t)i;
		w->n_files += name != NULL && resolve("", drg_str_c(name), false, f->name);
	}
	qsort(w->files, w->n_files, sizeof *w->files, compare_files);
	unsigned kept = 0;
	for (unsigned i = 0; i < w->n_files; i++)
		if (kept == 0 || strcasecmp(w->files[kept - 1].name, w->files[i].name) != 0)
			w->files[kept++] = w->files[i];
	w->n_files = kept;
	return DRG_OK;
}

int drg_workbook_part(const struct workbook *w, const char *name, const struct xml_part_calls *calls,
                      void *ctx, struct xml_part **ret, struct drg_err *reterr)
{
	const struct workbook_file *f = part_of(w, name);
	return f == NULL ? DRG_ENOENT
	                 : drg_xml_part_open(w->zip, f->number, name, calls, ctx, w->budget, ret, reterr);
}

static int read_part(struct workbook *w, const char *name, const struct xml_part_calls *calls, void *ctx,
                     struct drg_err *reterr)
{
	struct xml_part *x;
	int rc = drg_workbook_part(w, name, calls, ctx, &x, reterr);
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
	s->name[drg_workbook_unescape(s->name, strlen(s->name))] = '\0';
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

/* Does a type of a relation, or of a part, name this? The strict form of the format has other addresses. */
static bool type_ends(struct drg_str type, const char *end)
{
	const size_t n = strlen(end);
	return type.n >= n && strncasecmp(type.p + type.n - n, end, n) == 0;
}

/* The parts that the workbook's relations name. */
static int rel_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct workbook *w = ctx;
	(void)reterr;
	if (!drg_str_eq(name, DRG_STR("Relationship")) ||
	    drg_str_eq_nocase(drg_xml_attribute(a, "TargetMode"), DRG_STR("External")))
		return DRG_OK;
	struct drg_str id = drg_xml_attribute(a, "Id"), target = drg_xml_attribute(a, "Target"),
	               type = drg_xml_attribute(a, "Type");
	struct workbook_sheet like;
	const struct workbook_sheet *key = &like;
	char *shared = type_ends(type, "/styles")          ? w->styles_part
	               : type_ends(type, "/sharedStrings") ? w->strings_part
	                                                   : NULL;
	if (shared != NULL && !resolve(w->folder, target, true, shared))
		shared[0] = '\0';
	if (shared != NULL || id.n >= sizeof like.rel)
		return DRG_OK;
	memcpy(like.rel, id.p, id.n + 1);
	struct workbook_sheet **s = bsearch(&key, w->by_rel, w->n_sheets, sizeof *s, compare_rels);
	if (s != NULL && !resolve(w->folder, target, true, (*s)->part))
		(*s)->part[0] = '\0';
	return DRG_OK;
}

/* The part that the archive's own relations call its document. */
static int root_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct workbook *w = ctx;
	(void)reterr;
	if (drg_str_eq(name, DRG_STR("Relationship")) && w->book_part[0] == '\0' &&
	    type_ends(drg_xml_attribute(a, "Type"), "/officeDocument") &&
	    !resolve("", drg_xml_attribute(a, "Target"), true, w->book_part))
		w->book_part[0] = '\0';
	return DRG_OK;
}

/* Read the parts' types, for a program that has left out their relations. */
static int content_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct workbook *w = ctx;
	(void)reterr;
	if (!drg_str_eq(name, DRG_STR("Override")))
		return DRG_OK;
	struct drg_str type = drg_xml_attribute(a, "ContentType");
	char *part = type_ends(type, ".main+xml") || type_ends(type, ".main") ? w->book_part
	             : type_ends(type, ".styles+xml")                         ? w->styles_part
	             : type_ends(type, ".sharedStrings+xml")                  ? w->strings_part
	                                                                      : NULL;
	if (part != NULL && part[0] == '\0' && !resolve("", drg_xml_attribute(a, "PartName"), true, part))
		part[0] = '\0';
	return DRG_OK;
}

/* ---- shared strings ------------------------------------------------------------------------------------ */

struct strings_reading {
	struct workbook *w;
	unsigned in_text, in_phonetic;
	size_t begin; /* of the string that is being read */
};

size_t drg_workbook_unescape(char *p, size_t n)
{
	size_t to = 0;
	for (size_t i = 0; i < n;) {
		uint32_t unit[2] = { 0, 0 };
		unsigned units = 0;
		for (size_t at = i;
		     units < 2 && n - at >= 7 && p[at] == '_' && p[at + 1] == 'x' && p[at + 6] == '_' &&
		     hex(p[at + 2]) >= 0 && hex(p[at + 3]) >= 0 && hex(p[at + 4]) >= 0 && hex(p[at + 5]) >= 0;
		     at += 7)
			unit[units++] = (uint32_t)(hex(p[at + 2]) << 12 | hex(p[at + 3]) << 8 |
			                           hex(p[at + 4]) << 4 | hex(p[at + 5]));
		if (units == 0) {
			p[to++] = p[i++];
			continue;
		}
		const bool pair = U16_IS_LEAD(unit[0]) && units == 2 && U16_IS_TRAIL(unit[1]);
		uint8_t bytes[4];
		size_t k = 0;
		uint32_t c = pair ? (uint32_t)U16_GET_SUPPLEMENTARY(unit[0], unit[1]) : unit[0];
		if (c == 0 || U_IS_SURROGATE(c))
			c = 0xfffd;
		U8_APPEND_UNSAFE(bytes, k, c);
		memcpy(p + to, bytes, k);
		to += k;
		i += pair ? 14 : 7;
	}
	return to;
}

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
	struct drg_buf *all = &r->w->strings;
	if (all->rc == DRG_OK && all->n > r->begin)
		all->n = r->begin + drg_workbook_unescape(all->p + r->begin, all->n - r->begin);
	r->begin = all->n;
	const uint32_t end = (uint32_t)all->n;
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

/* The formats that have a number only; those from 27 on are of East Asian and Thai versions, whose dates differ
 * in words. Other numbers are "General". */
static const struct {
	unsigned from, to;
	const char *code;
} built_in[] = {
	{ 1, 1, "0" },
	{ 2, 2, "0.00" },
	{ 3, 3, "#,##0" },
	{ 4, 4, "#,##0.00" },
	{ 5, 6, "\"$\"#,##0;(\"$\"#,##0)" },
	{ 7, 8, "\"$\"#,##0.00;(\"$\"#,##0.00)" },
	{ 9, 9, "0%" },
	{ 10, 10, "0.00%" },
	{ 11, 11, "0.00E+00" },
	{ 12, 12, "# ?/?" },
	{ 13, 13,
	  "# ?"
	  "?/?"
	  "?" },
	{ 14, 17, "yyyy-mm-dd" },
	{ 18, 21, "h:mm:ss" },
	{ 22, 22, "yyyy-mm-dd h:mm" },
	{ 27, 31, "yyyy-mm-dd" },
	{ 32, 35, "h:mm:ss" },
	{ 36, 36, "yyyy-mm-dd" },
	{ 37, 38, "#,##0_);(#,##0)" },
	{ 39, 40, "#,##0.00_);(#,##0.00)" },
	{ 41, 41, "_(* #,##0_);_(* (#,##0);_(* \"-\"_);_(@_)" },
	{ 42, 42, "_(\"$\"* #,##0_);_(\"$\"* (#,##0);_(\"$\"* \"-\"_);_(@_)" },
	{ 43, 43,
	  "_(* #,##0.00_);_(* (#,##0.00);_(* \"-\"?"
	  "?_);_(@_)" },
	{ 44, 44,
	  "_(\"$\"* #,##0.00_);_(\"$\"* (#,##0.00);_(\"$\"* \"-\"?"
	  "?_);_(@_)" },
	{ 45, 45, "mm:ss" },
	{ 46, 46, "[h]:mm:ss" },
	{ 47, 47, "mm:ss.0" },
	{ 48, 48, "##0.0E+0" },
	{ 49, 49, "@" },
	{ 50, 58, "yyyy-mm-dd" },
	{ 71, 74, "yyyy-mm-dd" },
	{ 75, 76, "h:mm:ss" },
	{ 77, 77, "yyyy-mm-dd h:mm" },
	{ 78, 78, "mm:ss" },
	{ 79, 79, "[h]:mm:ss" },
	{ 80, 80, "mm:ss.0" },
	{ 81, 81, "yyyy-mm-dd" },
};

/* Keep a format; no longer than to be seen as too long. */
static struct style keep_format(struct workbook *w, struct drg_str code)
{
	struct style s = { (uint32_t)w->codes.n, 0 };
	code = drg_utf8_cut(code, FORMAT_CODE_MAX + 4);
	if (drg_str_eq_nocase(code, DRG_STR("General")))
		return s;
	drg_buf_str(&w->codes, code);
	s.n = (uint32_t)code.n;
	if (w->codes.rc == DRG_OK && code.n > 0) /* an empty one can be without memory */
		s.n = (uint32_t)drg_workbook_unescape(w->codes.p + s.at, code.n);
	return s;
}

static struct style style_of_number(struct styles_reading *r, uint32_t id)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(built_in) && !r->formats[id].said; i++)
		if (id >= built_in[i].from && id <= built_in[i].to) {
			r->formats[id].style = keep_format(r->w, drg_str_c(built_in[i].code));
			r->formats[id].said = true;
		}
	return r->formats[id].style;
}

static int styles_start(void *ctx, struct drg_str name, const char **a, struct drg_err *reterr)
{
	struct styles_reading *r = ctx;
	unsigned long id = strtoul(drg_xml_attribute(a, "numFmtId").p, NULL, 10);
	r->in_cells = r->in_cells || drg_str_eq(name, DRG_STR("cellXfs"));
	if (drg_str_eq(name, DRG_STR("numFmt")) && id < FORMATS_END && !r->formats[id].said) {
		r->formats[id].style = keep_format(r->w, drg_xml_attribute(a, "formatCode"));
		r->formats[id].said = true;
	}
	if (r->in_cells && drg_str_eq(name, DRG_STR("xf"))) {
		const struct style s = { id < FORMATS_END ? (uint32_t)id : 0, 0 };
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

/* Formats may come behind the styles that name them by their numbers, which are in `at` until now. */
static int resolve_styles(struct styles_reading *r, struct drg_err *reterr)
{
	struct style *list = (struct style *)(void *)r->w->styles.p;
	for (size_t i = 0; i < r->w->styles.n / sizeof *list; i++)
		list[i] = style_of_number(r, list[i].at);
	return r->w->codes.rc == DRG_ENOMEM ? drg_fail_memory(reterr) : DRG_OK;
}

bool drg_workbook_format(const struct workbook *w, uint64_t number, struct drg_str *ret)
{
	const struct style *list = (const struct style *)(const void *)w->styles.p;
	*ret = drg_str("", 0);
	if (number >= w->styles.n / sizeof *list)
		return number == 0;
	if (list[number].n > 0)
		*ret = drg_str(w->codes.p + list[number].at, list[number].n);
	return true;
}

/* The sort of a zip archive that is not a workbook, by a file in it. */
static const struct {
	const char *file, *what;
} others[] = {
	{ "xl/workbook.bin", "a binary workbook (.xlsb): open it in Excel and save it as .xlsx" },
	{ "content.xml",
	  "an OpenDocument file (.ods): open it in LibreOffice or Excel and save it as .xlsx" },
	{ "Index/Document.iwa", "a file of Numbers: export it as an Excel workbook (.xlsx)" },
	{ "Index.zip", "a file of Numbers: export it as an Excel workbook (.xlsx)" },
	{ "word/document.xml",
	  "a document of Word: copy its table to a sheet of Excel and save that as .xlsx" },
};

static int fail_no_book(const struct workbook *w, struct drg_err *reterr)
{
	for (size_t i = 0; i < DRG_ARRAY_LEN(others); i++)
		if (part_of(w, others[i].file) != NULL)
			return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "it is %s", others[i].what);
	if (type_ends(drg_str_c(w->book_part), ".bin"))
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "it is %s", others[0].what);
	if (w->n_files == 1)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "it is a zip archive with the file %s in it: unpack it first",
		                w->files[0].name);
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "it is a zip archive without a workbook in it: expected .xlsx");
}

/* Read a part that sheets share, by its name or else the usual one. It may be missing, as some programs name
 * parts that they do not write: a cell that needs it is an error. */
static int read_shared_part(struct workbook *w, const char *named, const char *usual,
                            const struct xml_part_calls *calls, void *ctx, struct drg_err *reterr)
{
	char path[WORKBOOK_NAME];
	int rc = named[0] != '\0' ? read_part(w, named, calls, ctx, reterr) : DRG_ENOENT;
	if (rc == DRG_ENOENT && named[0] == '\0' && resolve(w->folder, drg_str_c(usual), false, path))
		rc = read_part(w, path, calls, ctx, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Parts have any name: relations say which is which. Where a program left one out, what the list of contents
 * says counts, then the usual name. */
static int read_book(struct workbook *w, struct drg_err *reterr)
{
	static const struct xml_part_calls root_calls = { root_start, ignore_end, NULL };
	static const struct xml_part_calls content_calls = { content_start, ignore_end, NULL };
	static const struct xml_part_calls book_calls = { book_start, ignore_end, NULL };
	static const struct xml_part_calls rel_calls = { rel_start, ignore_end, NULL };
	static const struct xml_part_calls string_calls = { strings_start, strings_end, strings_text };
	static const struct xml_part_calls style_calls = { styles_start, styles_end, NULL };
	struct strings_reading strings = { .w = w };
	struct styles_reading *styles;
	char rels[WORKBOOK_NAME];
	struct drg_str folder, base;

	int rc = read_part(w, "_rels/.rels", &root_calls, w, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	const bool by_relation = w->book_part[0] != '\0';
	/* Only what relations do not say is taken from the list of contents, so it is read after them. */
	if (!by_relation)
		rc = read_part(w, "[Content_Types].xml", &content_calls, w, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	if (w->book_part[0] == '\0')
		snprintf(w->book_part, sizeof w->book_part, "xl/workbook.xml");
	base = drg_str_c(w->book_part);
	folder = base;
	while (folder.n > 0 && folder.p[folder.n - 1] != '/')
		folder.n--;
	base = drg_str(base.p + folder.n, base.n - folder.n);
	snprintf(w->folder, sizeof w->folder, "%.*s", DRG_STR_ARG(folder));
	if (part_of(w, w->book_part) == NULL || type_ends(drg_str_c(w->book_part), ".bin") ||
	    snprintf(rels, sizeof rels, "%s_rels/%.*s.rels", w->folder, DRG_STR_ARG(base)) >=
	            (int)sizeof rels)
		return fail_no_book(w, reterr);

	rc = read_part(w, w->book_part, &book_calls, w, reterr);
	if (rc == DRG_OK)
		rc = order_sheets(w, compare_rels, reterr);
	w->styles_part[0] = w->strings_part[0] = '\0';
	if (rc == DRG_OK)
		rc = read_part(w, rels, &rel_calls, w, reterr);
	if (rc == DRG_OK)
		rc = order_sheets(w, compare_parts, reterr);
	if (rc == DRG_ENOENT)
		return fail_no_book(w, reterr);
	if (rc == DRG_OK && (w->styles_part[0] == '\0' || w->strings_part[0] == '\0')) {
		rc = read_part(w, "[Content_Types].xml", &content_calls, w, reterr);
		rc = rc == DRG_ENOENT ? DRG_OK : rc;
	}
	if (rc == DRG_OK)
		rc = read_shared_part(w, w->strings_part, "sharedStrings.xml", &string_calls, &strings,
		                      reterr);
	if (rc != DRG_OK)
		return rc;
	styles = calloc(1, sizeof *styles);
	if (styles == NULL)
		return drg_fail_memory(reterr);
	styles->w = w;
	rc = read_shared_part(w, w->styles_part, "styles.xml", &style_calls, styles, reterr);
	if (rc == DRG_OK)
		rc = resolve_styles(styles, reterr);
	free(styles);
	return rc;
}

int drg_workbook_open(const char *path, struct sheet_budget *budget, struct workbook *w,
                      struct drg_err *reterr)
{
	int code;
	memset(w, 0, sizeof *w);
	w->budget = budget;
	drg_buf_init(&w->strings, STRINGS_BYTES);
	drg_buf_init(&w->ends, STRINGS_MAX * sizeof(uint32_t));
	drg_buf_init(&w->styles, WORKBOOK_STYLES_MAX * sizeof(struct style));
	drg_buf_init(&w->codes, (size_t)FORMATS_END * (FORMAT_CODE_MAX + 4));
	int rc = drg_library_load(DRG_LIBRARY_ZIP, reterr);
	if (rc != DRG_OK)
		return rc;
	w->zip = zip_open(path, ZIP_RDONLY, &code);
	if (w->zip != NULL) {
		rc = list_files(w, reterr);
		return rc == DRG_OK ? read_book(w, reterr) : rc;
	}
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
	drg_buf_done(&w->codes);
	free(w->files);
	w->files = NULL;
}
