#include "import/rows.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "text/cells.h"
#include "text/lines.h"

struct drg_import_rows {
	const char *const *files;
	size_t n_files;
	const struct drg_csv_options *csv_options;
	struct drg_str *headers; /* CSV: header of each file that was begun */
	size_t next_file;
	struct drg_lines *lines; /* of file next_file - 1; NULL between files */
	struct drg_buf joined; /* a CSV row of several lines */
	uint64_t done, total; /* bytes of the files before this one; bytes of all files */
};

/* Check the files. @param ret_total  0 if one of them is not a plain file. */
static int look_at_files(const struct drg_import_rows *r, uint64_t *ret_total, struct drg_err *reterr)
{
	bool known = true, standard_input = false;
	uint64_t total = 0;
	for (size_t i = 0; i < r->n_files; i++) {
		struct stat st;
		if (strcmp(r->files[i], "-") == 0) {
			if (standard_input)
				return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
				                "- (standard input) is given twice");
			standard_input = true;
			known = false;
		} else if (stat(r->files[i], &st) != 0) {
			return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot read %s: %s",
			                r->files[i], strerror(errno));
		} else if (S_ISDIR(st.st_mode)) {
			return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read %s: it is a folder",
			                r->files[i]);
		} else {
			known = known && S_ISREG(st.st_mode);
			total += (uint64_t)st.st_size;
		}
	}
	*ret_total = known ? total : 0;
	return DRG_OK;
}

int drg_import_rows_open(const char *const *files, size_t n_files, const struct drg_csv_options *csv,
                         struct drg_import_rows **ret, struct drg_err *reterr)
{
	assert(n_files == 0 || files != NULL);
	struct drg_import_rows *r = calloc(1, sizeof *r);
	if (r == NULL)
		return drg_fail_memory(reterr);
	r->files = files;
	r->n_files = n_files;
	r->csv_options = csv;
	drg_buf_init(&r->joined, DRG_ROW_MAX);
	r->headers = calloc(n_files + 1, sizeof *r->headers);
	int rc = r->headers != NULL ? look_at_files(r, &r->total, reterr) : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = r;
	else
		drg_import_rows_close(r);
	return rc;
}

void drg_import_rows_close(struct drg_import_rows *r)
{
	if (r == NULL)
		return;
	drg_lines_close(r->lines);
	for (size_t i = 0; r->headers != NULL && i < r->n_files; i++)
		free((char *)r->headers[i].p);
	free(r->headers);
	drg_buf_done(&r->joined);
	free(r);
}

static const char *file_name(const struct drg_import_rows *r)
{
	const char *path = r->files[r->next_file - 1];
	return strcmp(path, "-") == 0 ? "standard input" : path;
}

/* Get the next line of the file. An error's message has the name of the file and the line. */
static int next_line(struct drg_import_rows *r, struct drg_str *ret, struct drg_err *reterr)
{
	struct drg_err e;
	int rc = drg_lines_next(r->lines, ret, &e);
	if (rc == DRG_OK || rc == DRG_ENOENT || rc == DRG_ELIMIT)
		return rc;
	return drg_fail(reterr, rc, NULL, NULL, "%s: %.400s, after line %llu", file_name(r), e.message,
	                (unsigned long long)drg_lines_number(r->lines));
}

/* Read the header of a CSV file: its first line. A header that is wrong is reported before the rows. */
static int begin_csv(struct drg_import_rows *r, struct drg_err *reterr)
{
	struct drg_str line;
	int rc = next_line(r, &line, reterr);
	if (rc == DRG_ENOENT || rc == DRG_ELIMIT)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s: expected a header row, found %s",
		                file_name(r), rc == DRG_ENOENT ? "an empty file" : "a line that is too long");
	if (rc != DRG_OK)
		return rc;
	char *copy = malloc(line.n + 1);
	if (copy == NULL)
		return drg_fail_memory(reterr);
	memcpy(copy, line.p, line.n);
	struct drg_str *header = &r->headers[r->next_file - 1];
	*header = drg_str(copy, line.n);
	struct drg_err e;
	struct drg_csv *csv = NULL;
	rc = drg_csv_open(r->csv_options, *header, &csv, &e);
	drg_csv_close(csv);
	return rc == DRG_OK ? rc
	                    : drg_fail(reterr, rc, drg_reason_find(e.reason), e.field, "%s:1: %.500s",
	                               file_name(r), e.message);
}

static int begin_file(struct drg_import_rows *r, struct drg_err *reterr)
{
	if (r->next_file == r->n_files)
		return DRG_ENOENT;
	const char *path = r->files[r->next_file++];
	int rc = drg_lines_open(path, DRG_ROW_MAX, &r->lines, reterr);
	/* For our caller DRG_ENOENT means the end of all files. */
	if (rc == DRG_ENOENT)
		return DRG_EIO;
	return rc == DRG_OK && r->csv_options != NULL ? begin_csv(r, reterr) : rc;
}

static void end_file(struct drg_import_rows *r)
{
	assert(r->lines != NULL);
	r->done += drg_lines_bytes(r->lines);
	drg_lines_close(r->lines);
	r->lines = NULL;
}

static bool is_blank(struct drg_str s)
{
	return drg_str_trim(s).n == 0;
}

/* A CSV row whose first line is @p row->text: join lines while quotes are open. */
static int join_lines(struct drg_import_rows *r, struct drg_import_row *row, struct drg_err *reterr)
{
	struct drg_cells cells = { .separator = drg_csv_separator(r->csv_options) };
	if (!drg_cells_pass(&cells, row->text))
		return DRG_OK;
	drg_buf_clear(&r->joined);
	drg_buf_str(&r->joined, row->text);
	bool open = true;
	while (open) {
		struct drg_str line;
		int rc = next_line(r, &line, reterr);
		if (rc == DRG_ENOENT)
			break; /* the reader of the row reports the open quote */
		if (rc != DRG_OK && rc != DRG_ELIMIT)
			return rc;
		drg_buf_char(&r->joined, '\n');
		if (rc == DRG_ELIMIT)
			r->joined.rc = DRG_ELIMIT;
		else
			drg_buf_str(&r->joined, line);
		open = r->joined.rc == DRG_OK && drg_cells_pass(&cells, line);
	}
	if (r->joined.rc == DRG_ENOMEM)
		return drg_fail_memory(reterr);
	row->too_long = r->joined.rc != DRG_OK;
	row->text = row->too_long ? drg_str(NULL, 0) : drg_buf_view(&r->joined);
	return DRG_OK;
}

static int next_in_file(struct drg_import_rows *r, struct drg_import_row *row, struct drg_err *reterr)
{
	int rc;
	do {
		rc = next_line(r, &row->text, reterr);
	} while (rc == DRG_OK && is_blank(row->text));
	if (rc != DRG_OK && rc != DRG_ELIMIT)
		return rc;
	row->file = (uint32_t)(r->next_file - 1);
	row->line = drg_lines_number(r->lines);
	row->too_long = rc == DRG_ELIMIT;
	if (row->too_long)
		row->text = drg_str(NULL, 0);
	else if (r->csv_options != NULL && memchr(row->text.p, '"', row->text.n) != NULL)
		return join_lines(r, row, reterr);
	return DRG_OK;
}

int drg_import_rows_next(struct drg_import_rows *r, struct drg_import_row *ret, struct drg_err *reterr)
{
	struct drg_import_row row = { .line = 0 };
	for (;;) {
		int rc = r->lines == NULL ? begin_file(r, reterr) : DRG_OK;
		if (rc == DRG_OK)
			rc = next_in_file(r, &row, reterr);
		else
			return rc;
		if (rc == DRG_OK)
			*ret = row;
		if (rc != DRG_ENOENT)
			return rc;
		end_file(r);
	}
}

struct drg_str drg_import_rows_header(const struct drg_import_rows *r, uint32_t file)
{
	return r->headers[file];
}

uint64_t drg_import_rows_bytes_read(const struct drg_import_rows *r)
{
	return r->done + (r->lines != NULL ? drg_lines_bytes(r->lines) : 0);
}

uint64_t drg_import_rows_bytes_total(const struct drg_import_rows *r)
{
	return r->total;
}
