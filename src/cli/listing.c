#include "cli/listing.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "cli/store.h"
#include "text/input.h"
#include "text/json.h"
#include "text/utf8.h"

const char *const drg_listing_formats[] = { "table", "ndjson", "csv", NULL };

static bool listing_ends_in(const char *path, const char *end)
{
	size_t n = strlen(path), m = strlen(end);
	return n > m && strcmp(path + n - m, end) == 0;
}

struct drg_listing_choice drg_listing_choose(const struct drg_cli *cli)
{
	if (!drg_opt_known(cli->options, "output"))
		return (struct drg_listing_choice){ DRG_LISTING_TABLE, false };
	const char *path = drg_opt_text(cli->options, "output");
	struct drg_listing_choice c = { (enum drg_listing_format)drg_opt_word(cli->options, "format"),
		                        path != NULL || drg_opt_flag(cli->options, "excel") };
	bool said = drg_opt_given(cli->options, "format");
	if (path != NULL && listing_ends_in(path, ".ndjson") && !said)
		c.format = DRG_LISTING_NDJSON;
	else if (c.is_file && (!said || drg_opt_flag(cli->options, "excel")))
		c.format = DRG_LISTING_CSV;
	return c;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static struct drg_str listing_cell(const struct drg_listing *l, unsigned i)
{
	size_t begin = i > 0 ? l->ends[i - 1] : 0;
	assert(begin <= l->ends[i]);
	return drg_str(l->text.p != NULL ? l->text.p + begin : "", l->ends[i] - begin);
}

/* A cell as a terminal may have it: one row is one line (decision P8). */
static struct drg_str listing_tamed(struct drg_listing *l, unsigned i)
{
	assert(i < l->n);
	struct drg_str cell = listing_cell(l, i);
	if (cell.n > 0)
		cell.n = drg_str_sanitize(l->text.p + l->ends[i] - cell.n, cell.n);
	return cell;
}

static void listing_pad(FILE *f, int width, size_t n)
{
	if (width > 0 && n < (size_t)width)
		fprintf(f, "%*s", (int)((size_t)width - n), "");
}

static void listing_table_cell(const struct drg_listing *l, unsigned i, struct drg_str text)
{
	assert(i < l->n);
	bool last = i + 1 == l->n;
	size_t n = drg_utf8_count(text);
	listing_pad(l->lines, -l->columns[i].width, n);
	fwrite(text.p, 1, text.n, l->lines);
	listing_pad(l->lines, last ? 0 : l->columns[i].width, n);
	fputs(last ? "\n" : "  ", l->lines);
}

static void listing_table_row(struct drg_listing *l)
{
	assert(l->lines != NULL);
	for (unsigned i = 0; i < l->n; i++)
		listing_table_cell(l, i, l->sorts[i] == DRG_LISTED_NONE ? DRG_STR("-") : listing_tamed(l, i));
}

static void listing_json_row(struct drg_listing *l)
{
	assert(l->lines != NULL);
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	for (unsigned i = 0; i < l->n; i++) {
		drg_jw_key(&w, l->columns[i].name);
		if (l->sorts[i] == DRG_LISTED_NONE)
			drg_jw_null(&w);
		else if (l->sorts[i] == DRG_LISTED_TEXT)
			drg_jw_str(&w, listing_cell(l, i));
		else
			drg_jw_raw(&w, listing_cell(l, i));
	}
	drg_jw_object_end(&w);
	drg_buf_char(&b, '\n');
	if (b.rc == DRG_OK)
		fwrite(b.p, 1, b.n, l->lines);
	else
		l->text.rc = b.rc;
	drg_buf_done(&b);
}

static void listing_out_row(struct drg_listing *l)
{
	assert(l->out != NULL && l->n <= DRG_LISTING_COLUMNS_MAX);
	struct drg_str cells[DRG_LISTING_COLUMNS_MAX];
	for (unsigned i = 0; i < l->n; i++)
		cells[i] = listing_cell(l, i);
	drg_table_out_row(l->out, cells, l->n);
}

static int listing_reader(const struct drg_listing *l)
{
	return l->lines != NULL && ferror(l->lines) ? DRG_EIO : DRG_OK;
}

/* A row that lacks memory for a cell is left out. Its error stays in the text, and drg_listing_close() gives
 * it words. */
int drg_listing_row(struct drg_listing *l)
{
	assert(l->at == l->n);
	l->at = 0;
	if (l->text.rc != DRG_OK)
		return l->text.rc;
	if (l->out != NULL)
		listing_out_row(l);
	else if (l->format == DRG_LISTING_NDJSON)
		listing_json_row(l);
	else
		listing_table_row(l);
	if (l->text.rc != DRG_OK)
		return l->text.rc;
	drg_buf_clear(&l->text);
	return listing_reader(l);
}

int drg_listing_line(struct drg_listing *l, struct drg_str line)
{
	assert(l->format == DRG_LISTING_NDJSON && l->at == 0);
	fwrite(line.p, 1, line.n, l->lines);
	return listing_reader(l);
}

/* ---- cells --------------------------------------------------------------------------------------------- */

static void listing_end_cell(struct drg_listing *l, enum drg_listed sort)
{
	assert(l->at < l->n);
	l->sorts[l->at] = sort;
	l->ends[l->at++] = l->text.n;
}

void drg_listing_text(struct drg_listing *l, struct drg_str text)
{
	drg_buf_str(&l->text, text);
	listing_end_cell(l, DRG_LISTED_TEXT);
}

void drg_listing_int(struct drg_listing *l, int64_t number)
{
	drg_buf_i64(&l->text, number);
	listing_end_cell(l, DRG_LISTED_NUMBER);
}

void drg_listing_number(struct drg_listing *l, struct drg_str number)
{
	drg_buf_str(&l->text, number);
	listing_end_cell(l, DRG_LISTED_NUMBER);
}

void drg_listing_none(struct drg_listing *l)
{
	listing_end_cell(l, DRG_LISTED_NONE);
}

/* ---- beginning and end --------------------------------------------------------------------------------- */

static int listing_open_file(struct drg_cli *cli, struct drg_listing *l, bool is_file)
{
	bool known = drg_opt_known(cli->options, "output");
	const char *path = known ? drg_opt_text(cli->options, "output") : NULL;
	bool excel = known && drg_opt_flag(cli->options, "excel");
	int rc = path == NULL && drg_opt_known(cli->options, "data") ? drg_cli_open_aside(cli, &l->aside)
	                                                             : DRG_OK;
	if (rc == DRG_OK && l->aside != NULL) {
		rc = drg_tempfile_path(l->aside, l->aside_path, &cli->err);
		path = l->aside_path;
	}
	if (rc != DRG_OK)
		return rc;
	if (l->format == DRG_LISTING_CSV)
		return drg_table_out_open(path != NULL ? path : "-", is_file, excel ? ';' : '\0', &l->out,
		                          &cli->err);
	l->lines = path != NULL ? fopen(path, "we") : stdout;
	return l->lines != NULL ? DRG_OK
	                        : drg_fail(&cli->err, drg_rc_from_errno(errno), NULL, NULL,
	                                   "cannot write %s: %s", path, strerror(errno));
}

/* Right-aligned columns are amounts; ids are not. */
static uint64_t listing_amounts(const struct drg_listing *l)
{
	uint64_t amounts = 0;
	for (unsigned i = 0; i < l->n; i++)
		if (l->columns[i].width < 0)
			amounts |= UINT64_C(1) << i;
	return amounts;
}

int drg_listing_open(struct drg_cli *cli, const struct drg_listing_column *columns, size_t n,
                     struct drg_listing *ret)
{
	const struct drg_listing_choice c = drg_listing_choose(cli);
	assert(n <= DRG_LISTING_COLUMNS_MAX);
	*ret = (struct drg_listing){ .format = c.format, .columns = columns, .n = (unsigned)n };
	int rc = listing_open_file(cli, ret, c.is_file);
	if (rc != DRG_OK) {
		drg_tempfile_close(ret->aside);
		return rc;
	}
	drg_buf_init(&ret->text, SIZE_MAX);
	if (c.format == DRG_LISTING_NDJSON)
		return DRG_OK;
	for (size_t i = 0; i < n; i++)
		drg_listing_text(ret, drg_str_c(columns[i].name));
	rc = drg_listing_row(ret);
	if (ret->out != NULL)
		drg_table_out_amounts(ret->out, listing_amounts(ret));
	return rc == DRG_OK ? rc : drg_listing_close(ret, cli, rc);
}

void drg_listing_offer(struct drg_listing *l, const char *column, const char *const *words)
{
	for (unsigned i = 0; i < l->n && l->out != NULL; i++)
		if (strcmp(l->columns[i].name, column) == 0)
			drg_table_out_offer(l->out, i, words);
}

int drg_listing_close(struct drg_listing *l, struct drg_cli *cli, int rc)
{
	struct drg_err e;
	int closed = DRG_OK;
	bool lacked_memory = l->text.rc != DRG_OK;
	drg_buf_done(&l->text);
	if (l->out != NULL)
		closed = drg_table_out_close(l->out, &e);
	else if (l->lines != stdout && fclose(l->lines) != 0)
		closed = drg_fail(&e, drg_rc_from_errno(errno), NULL, NULL, "cannot write the list: %s",
		                  strerror(errno));
	if (rc == DRG_OK && closed != DRG_OK) {
		cli->err = e;
		rc = closed;
	}
	if (l->aside != NULL && closed == DRG_OK) {
		(void)fflush(stdout);
		closed = drg_input_copy(l->aside_path, STDOUT_FILENO, &e);
	}
	drg_tempfile_close(l->aside);
	if (rc == DRG_OK && closed != DRG_OK) {
		drg_exit_if_pipe_closed();
		cli->err = e;
		rc = closed;
	}
	return lacked_memory ? drg_fail_memory(&cli->err) : rc;
}

/* ---- reports --------------------------------------------------------------------------------------------- */

struct listing_report {
	struct drg_cli *cli;
	const struct drg_report *report;
	unsigned skip;
	struct drg_listing l;
	bool is_open;
	struct drg_listing_column titles[DRG_LISTING_COLUMNS_MAX]; /* of tables */
	const struct drg_report_column *columns[DRG_LISTING_COLUMNS_MAX];
};

static int report_open(struct listing_report *x)
{
	size_t n = 0;
	if (x->is_open)
		return DRG_OK;
	for (const struct drg_report_column *c = x->report->columns; c->name != NULL; c++) {
		if ((c->flags & (x->skip | DRG_REPORT_JSON)) != 0)
			continue;
		assert(n < DRG_LISTING_COLUMNS_MAX);
		x->titles[n] = (struct drg_listing_column){ c->name, c->width };
		x->columns[n++] = c;
	}
	int rc = drg_listing_open(x->cli, x->titles, n, &x->l);
	x->is_open = rc == DRG_OK;
	return rc;
}

static int report_print(void *ctx, const void *row)
{
	struct listing_report *x = ctx;
	struct drg_listing *l = &x->l;
	int rc = report_open(x);
	if (rc != DRG_OK)
		return rc;
	if (l->format == DRG_LISTING_NDJSON) {
		struct drg_jw w = { .b = &l->text };
		drg_report_json(&w, x->report, row, x->skip);
		drg_buf_char(&l->text, '\n');
		rc = l->text.rc == DRG_OK ? drg_listing_line(l, drg_buf_view(&l->text)) : l->text.rc;
		drg_buf_clear(&l->text);
		return rc;
	}
	for (unsigned i = 0; i < l->n; i++)
		listing_end_cell(l, drg_report_cell(&l->text, x->columns[i], row) ? DRG_LISTED_TEXT
		                                                                  : DRG_LISTED_NONE);
	return drg_listing_row(l);
}

int drg_cli_report_of(struct drg_cli *cli, struct drg_store *s, const struct drg_report *report,
                      drg_report_query *query, void *asked, unsigned skip)
{
	struct listing_report x = { .cli = cli, .report = report, .skip = skip | DRG_REPORT_ENDPOINT };
	int rc = query(s, asked, cli->arena, report_print, &x, &cli->err);
	if (rc == DRG_OK)
		rc = report_open(&x);
	return x.is_open ? drg_listing_close(&x.l, cli, rc) : rc;
}

int drg_cli_report(struct drg_cli *cli, const struct drg_report *report, drg_report_query *query, void *asked,
                   unsigned skip)
{
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_report_of(cli, s, report, query, asked, skip);
	drg_store_close(s);
	return rc;
}
