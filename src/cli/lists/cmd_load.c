#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/adapter.h"
#include "cli/lists/load_place.h"
#include "cli/looks.h"
#include "cli/person.h"
#include "console/progress.h"
#include "console/say.h"
#include "load/load.h"
#include "sheet/table_out.h"
#include "text/utf8.h"

/* So many of each sort of news are shown; a report has all. */
enum { SHOWN = 5, SHOWN_MORE = 20, EXAMPLES = 5 };

struct load_show {
	struct drg_progress progress;
	struct drg_table_out *report;
	uint64_t shown[DRG_LOAD_WHATS];
	struct drg_buf news; /* lines that wait for their place */
	bool preview; /* of the columns too */
	struct drg_load_place place;
};

/* ---- columns ------------------------------------------------------------------------------------------- */

static void print_cut(struct drg_str s, size_t width)
{
	size_t n = 0, bytes = 0;
	while (bytes < s.n && n < width) {
		do
			bytes++;
		while (bytes < s.n && ((unsigned char)s.p[bytes] & 0xc0) == 0x80);
		n++;
	}
	drg_print(stdout, "%.*s%s", (int)bytes, s.p, bytes < s.n ? "..." : "");
}

static void print_column(const struct drg_plan *p, unsigned i)
{
	const char *feeds[2] = { p->bound[i] == DRG_COLUMN_IGNORED ? "(ignored)" : "(not read)", "" };
	struct drg_str name = p->header[i].name;
	size_t n = drg_utf8_count(name);
	bool two = drg_plan_feeds(p, i, feeds) > 1;
	drg_print(stdout, "  %.*s%*s -> %s%s%-*s", DRG_STR_ARG(name), n < 22 ? (int)(22 - n) : 0, "",
	          feeds[0], two ? ", " : "", (int)(strlen(feeds[0]) < 14 ? 14 - strlen(feeds[0]) : 0),
	          two ? feeds[1] : "");
	for (unsigned k = 0; k < EXAMPLES && p->next_kept + k < p->n_kept; k++) {
		const struct drg_sheet_row *row = &p->kept[p->next_kept + k];
		fputs(k > 0 ? " | " : " ", stdout);
		if (i < row->n)
			print_cut(row->cells[i].text, 24);
	}
	putchar('\n');
}

static void print_about(const struct drg_plan *p)
{
	const struct drg_sheet_about *a = drg_sheet_about(p->sheet);
	char separator[DRG_SEPARATOR_NAME];
	drg_print(stdout, "%s: ", p->path);
	if (a->workbook)
		drg_print(stdout, "sheet \"%s\"", a->sheet);
	else
		drg_print(stdout, "%s%s, %s%s%s", a->encoding, a->encoding_told ? "" : " (recognised)",
		          drg_separator_name(a->separator, separator),
		          a->quote != DRG_QUOTE_DOUBLE || a->marks[0] != '\0' ? ", quotes: " : "",
		          a->marks[0] != '\0'            ? a->marks
		          : a->quote != DRG_QUOTE_DOUBLE ? drg_quote_names[a->quote]
		                                         : "");
	printf(", header in row %" PRIu64 ", %s records", p->header_line, drg_kind_name(p->profile.kind));
	if (p->proposed)
		fputs("; a new sort of file, this is proposed:", stdout);
	putchar('\n');
}

/* Columns that a list of a known sort has not had before, and what they could feed. */
static void print_new_columns(const struct drg_plan *p)
{
	const struct drg_field_def *both[2];
	for (unsigned i = 0; i < p->n_columns && !p->proposed; i++) {
		if (p->bound[i] != DRG_COLUMN_UNREAD)
			continue;
		const unsigned n = drg_column_fields(p->profile.kind, &p->header[i], both);
		drg_print(stdout, "%s: warning: the column \"%.*s\" is new; nothing reads it%s%s%s%.*s%s\n",
		          p->path, DRG_STR_ARG(p->header[i].name), n > 0 ? "; --map " : "",
		          n > 0 ? both[0]->wire : "", n > 0 ? "=\"" : "",
		          n > 0 ? (int)p->header[i].name.n : 0, p->header[i].name.p,
		          n > 0 ? "\" --accept does" : "");
	}
}

static void show_plan(void *ctx, const struct drg_plan *p)
{
	struct load_show *s = ctx;
	drg_progress_clear(&s->progress);
	print_new_columns(p);
	print_about(p);
	for (unsigned i = 0; i < p->n_columns; i++)
		if (p->header[i].name.n > 0 && (p->proposed || s->preview))
			print_column(p, i);
	if (p->proposed && !drg_profile_of_codes(p->profile.kind) &&
	    drg_profile_column_of(&p->profile, DRG_F_NAME) == NULL)
		puts("  no column is the name; --map name=COLUMN says which one is");
	if (p->looks_like != DRG_KIND_NONE)
		printf("  warning: the columns look like a list of %s records; if it is one, add --kind %s\n",
		       drg_kind_name(p->looks_like), drg_kind_name(p->looks_like));
	if (p->minutes)
		puts("  warning: coordinates in columns for degrees, minutes and seconds are not read; ask "
		     "for one column with the latitude and one with the longitude");
	if (p->coordinates != NULL)
		printf("  %scoordinates are read as %s%s\n", p->coordinates_sure ? "" : "warning: ",
		       strcmp(p->coordinates, "lat,lng") == 0 ? "latitude, longitude" : "longitude, latitude",
		       p->coordinates_sure ? ""
		                           : "; their values do not show that this is the order: check some");
	if (p->profile.country.n > 0)
		drg_print(stdout, "  rows that name no country are of %.*s\n",
		          DRG_STR_ARG(p->profile.country));
	if (p->profile.category.n > 0)
		drg_print(stdout, "  rows that name no category have %.*s\n",
		          DRG_STR_ARG(p->profile.category));
	for (unsigned k = 0; k < DRG_KIND_COUNT && p->proposed; k++)
		if ((p->profile.also >> k & 1) != 0)
			printf("  each row brings its %s along\n", drg_kind_name((enum drg_kind)k));
	fflush(stdout);
}

static void show_sheet(void *ctx, const char *file, const char *name, uint64_t rows, bool read, bool hidden)
{
	struct load_show *s = ctx;
	drg_progress_clear(&s->progress);
	drg_print(stdout, "%s: sheet \"%s\": ", file, name);
	if (read)
		printf("%" PRIu64 " row%s read%s\n", rows, rows == 1 ? "" : "s", hidden ? ", hidden" : "");
	else
		printf("%" PRIu64 " row%s, %snot read; select sheets with --sheet\n", rows,
		       rows == 1 ? "" : "s", hidden ? "hidden, " : "");
	fflush(stdout);
}

/* ---- news ---------------------------------------------------------------------------------------------- */

static void load_report_row(struct load_show *s, const struct drg_load_note *n)
{
	char line[24];
	snprintf(line, sizeof line, "%" PRIu64, n->line);
	const struct drg_str cells[] = {
		drg_str_c(drg_load_words[n->what]),
		drg_str_c(drg_kind_name(n->kind)),
		n->id,
		n->name,
		drg_str_c(n->field),
		n->from,
		n->to,
		drg_str_c(n->line > 0 ? n->file : ""),
		drg_str_c(n->line > 0 ? line : ""),
	};
	drg_table_out_row(s->report, cells, DRG_ARRAY_LEN(cells));
}

static unsigned shown_of(enum drg_load_what what)
{
	return what == DRG_LOAD_REJECTED || what == DRG_LOAD_OTHER ? SHOWN_MORE : SHOWN;
}

static void take_note(void *ctx, const struct drg_load_note *n)
{
	struct load_show *s = ctx;
	struct drg_buf *b = &s->news;
	if (s->report != NULL)
		load_report_row(s, n);
	if (s->shown[n->what]++ >= shown_of(n->what))
		return;
	size_t from = b->n;
	drg_buf_printf(b, "  %-9s ", drg_load_words[n->what]);
	if (n->line > 0)
		drg_buf_printf(b, "%s:%" PRIu64 ": ", n->file, n->line);
	drg_buf_printf(b, "%s %.*s", drg_kind_name(n->kind), DRG_STR_ARG(n->id));
	if (n->what == DRG_LOAD_REJECTED || n->what == DRG_LOAD_WARNED || n->what == DRG_LOAD_SKIPPED)
		drg_buf_printf(b, ": %.*s", DRG_STR_ARG(n->to));
	else if (n->field[0] != '\0')
		drg_buf_printf(b, ": %s \"%.*s\" -> \"%.*s\"", n->field, DRG_STR_ARG(n->from),
		               DRG_STR_ARG(n->to));
	else
		drg_buf_printf(b, " %.*s", DRG_STR_ARG(n->name));
	drg_print_sanitize(b, from);
	drg_buf_char(b, '\n');
}

static void print_news(struct load_show *s)
{
	fwrite(s->news.p, 1, s->news.n, stdout);
	for (unsigned w = 0; w < DRG_LOAD_WHATS; w++) {
		unsigned shown = shown_of((enum drg_load_what)w);
		if (s->shown[w] > shown)
			printf("  ... and %" PRIu64 " more %s; --report FILE has all\n", s->shown[w] - shown,
			       drg_load_words[w]);
	}
}

/* "2 rows skipped" */
static void print_count(uint64_t n, const char *what, const char *of)
{
	if (n > 0)
		printf("%" PRIu64 " %s%s%s", n, what, n == 1 ? "" : "s", of);
}

static void print_load_sums(const struct drg_load_sums *s, bool applied)
{
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		const struct drg_load_kind_sums *n = &s->kinds[k];
		if (n->added + n->changed + n->same + n->gone > 0)
			printf("%-14s %8" PRIu64 " new %8" PRIu64 " changed %8" PRIu64 " same %8" PRIu64
			       " gone\n",
			       drg_kind_name((enum drg_kind)k), n->added, n->changed, n->same, n->gone);
	}
	const struct drg_type *t = &drg_types[DRG_TYPE_SOURCE];
	for (unsigned i = 0; i < t->n_fields; i++)
		if (s->fields[drg_field_index(t->fields[i].field)] > 0)
			printf("%-14s %8" PRIu64 " changed\n", t->fields[i].wire,
			       s->fields[drg_field_index(t->fields[i].field)]);
	if (s->cleared + s->unmapped + s->twice + s->rejected > 0)
		printf("%" PRIu64 " values cleared, %" PRIu64 " mappings taken away, %" PRIu64
		       " ids twice, %" PRIu64 " of %" PRIu64 " rows rejected\n",
		       s->cleared, s->unmapped, s->twice, s->rejected, s->rows);
	if (s->other > 0)
		printf("warning: %" PRIu64 " id%s to mean another house now (\"other\"); %" PRIu64
		       " of them mapped: such a mapping is taken away, and the record waits in the queue\n",
		       s->other, s->other == 1 ? " seems" : "s seem", s->asked);
	if (s->merged > 0)
		printf("warning: ");
	print_count(s->merged, "range",
	            " of merged cells: only the first cell of each has a value; unmerge them in Excel where "
	            "rows lack it\n");
	print_count(s->formulas, "formula", ": what Excel saved as the value was read\n");
	print_count(s->hidden, "row",
	            " that the workbook hides, by a filter or by hand: read like the others\n");
	print_count(s->skipped, "row", " skipped: titles, totals, rows without an id\n");
	print_count(s->warned, "record", " without coordinates: those of the list cannot be\n");
	print_count(s->doubtful, "row", " with a warning: look at what the list has there\n");
	if (s->gone_left > 0)
		printf("%" PRIu64 " that the list lacks %s not removed, because rows were rejected, have "
		       "no id or may be several, and any of these may be one of them; --accept-rejected "
		       "removes them\n",
		       s->gone_left, s->gone_left == 1 ? "is" : "are");
	if (s->gone_refused > 0)
		printf("%" PRIu64 " that the list lacks would be removed\n", s->gone_refused);
	printf("%s, %" PRIu64 " row%s in %.1f s\n", applied ? "loaded" : "checked, nothing applied", s->rows,
	       s->rows == 1 ? "" : "s", s->import.seconds);
	if (s->import.batch > 0)
		printf("batch %" PRId64 "; undo it with 'dragoman batch undo %" PRId64 "'\n", s->import.batch,
		       s->import.batch);
}

static void load_show_progress(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking", "comparing", "applying" };
	struct load_show *s = ctx;
	/* The number of rows is not known while they are read. */
	if (step != DRG_IMPORT_CHECKING)
		drg_progress_show(&s->progress, words[step], done, total, DRG_PROGRESS_RECORDS);
}

/* ---- the command --------------------------------------------------------------------------------------- */

static int open_report(struct drg_cli *cli, struct load_show *s)
{
	static const char *const titles[] = { "what", "kind", "id",   "name", "field",
		                              "from", "to",   "file", "line" };
	const char *path = drg_opt_text(cli->options, "report");
	struct drg_str cells[DRG_ARRAY_LEN(titles)];
	if (path == NULL)
		return DRG_OK;
	int rc = drg_table_out_open(path, true, '\0', &s->report, &cli->err);
	for (size_t i = 0; i < DRG_ARRAY_LEN(titles); i++)
		cells[i] = drg_str_c(titles[i]);
	if (rc == DRG_OK)
		drg_table_out_row(s->report, cells, DRG_ARRAY_LEN(cells));
	return rc;
}

static void load_into(struct drg_load_options *o, const struct drg_load_place *p)
{
	o->store_url = p->dir.store_url;
	o->dir = p->dir.path;
	o->adapter = p->adapter;
}

/* The files are good: now into a data folder of their own. All was told. */
static int load_for_good(struct drg_cli *cli, struct drg_load_options *o, struct load_show *show,
                         struct drg_load_sums *sums)
{
	int rc = drg_load_place_make(cli, &show->place);
	if (rc != DRG_OK)
		return rc;
	load_into(o, &show->place);
	o->planned = NULL;
	o->sheet = NULL;
	o->note = NULL;
	return drg_load(o, sums, &cli->err);
}

static int load_run(struct drg_cli *cli, struct drg_load_options *o, struct load_show *show)
{
	struct drg_load_sums sums;
	struct drg_err e;
	int rc = open_report(cli, show);
	if (rc != DRG_OK)
		return rc;
	rc = drg_load(o, &sums, &cli->err);
	if (rc == DRG_OK && show->place.passing && !o->dry_run)
		rc = load_for_good(cli, o, show, &sums);
	drg_progress_clear(&show->progress);
	print_news(show);
	if (rc == DRG_OK || sums.rows > 0)
		print_load_sums(&sums, rc == DRG_OK && !o->dry_run);
	if (drg_table_out_close(show->report, &e) != DRG_OK && rc == DRG_OK) {
		cli->err = e;
		rc = e.code;
	}
	return rc;
}

int drg_cmd_load(struct drg_cli *cli)
{
	const struct drg_options *opt = cli->options;
	struct load_show show = { .preview = drg_opt_flag(opt, "dry-run") };
	struct drg_load_options o = {
		.accept = drg_opt_flag(opt, "accept"),
		.dry_run = drg_opt_flag(opt, "dry-run"),
		.keep_going = drg_opt_flag(opt, "keep-going"),
		.complete = drg_opt_flag(opt, "complete"),
		.accept_rejected = drg_opt_flag(opt, "accept-rejected"),
		.max_gone = (double)drg_opt_int(opt, "max-gone"),
		.rejects = drg_opt_text(opt, "rejects"),
		.by = drg_person(cli),
		.why = drg_reason(cli),
		.planned = show_plan,
		.sheet = show_sheet,
		.note = take_note,
		.progress = load_show_progress,
		.ctx = &show,
	};
	o.files = drg_opt_args(opt, &o.n_files) + 1;
	o.n_files--;
	int rc = drg_cli_parse_format(cli, &o.wishes);
	if (rc == DRG_OK)
		rc = drg_load_place_find(cli, &show.place);
	if (rc != DRG_OK) {
		drg_load_place_leave(&show.place);
		return rc;
	}
	load_into(&o, &show.place);
	o.wishes.anew = o.wishes.map != NULL && o.wishes.map[0] != NULL;
	drg_buf_init(&show.news, 1 << 20);
	drg_progress_init(&show.progress);
	rc = load_run(cli, &o, &show);
	drg_buf_done(&show.news);
	drg_load_place_leave(&show.place);
	return rc;
}
