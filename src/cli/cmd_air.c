/* dragoman air: the mapping of what air suppliers send. */
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "cli/adapter.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/show.h"
#include "cli/store.h"
#include "store/air_reports.h"
#include "text/json.h"

/* ---- map, unmap ---------------------------------------------------------------------------------------- */

/* SUPPLIER EXTERNAL_ID, the first two arguments. */
static int air_decide(struct drg_cli *cli, struct drg_decision *d)
{
	const char *const *args = drg_opt_args(cli->options, NULL);
	d->id = drg_str_c(args[1]);
	int rc = drg_cli_adapter_named(cli, args[0], &d->adapter);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, d);
	if (rc != DRG_OK)
		return rc;
	drg_print(stdout, "adapter %" PRId64 " %.*s: ", d->adapter, DRG_STR_ARG(d->id));
	if (d->is.was_mapped)
		printf("%" PRId64, d->is.was);
	else
		fputs("not mapped", stdout);
	return DRG_OK;
}

int drg_cmd_air_map(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_PLACE };
	int rc = drg_cli_parse_number(cli, "SOURCE_ID", drg_opt_args(cli->options, NULL)[2], &d.dict_id);
	if (rc == DRG_OK)
		rc = air_decide(cli, &d);
	if (rc != DRG_OK)
		return rc;
	if (d.is.changed)
		printf(" -> %" PRId64, d.is.is);
	else
		fputs(" already, nothing changed", stdout);
	if (d.is.reports > 0)
		printf("; reports dealt with: %" PRId64, d.is.reports);
	putchar('\n');
	return DRG_OK;
}

int drg_cmd_air_unmap(struct drg_cli *cli)
{
	int rc = air_decide(cli, &(struct drg_decision){ .verb = DRG_VERB_NO_PLACE });
	if (rc == DRG_OK)
		puts(" -> not mapped");
	return rc;
}

/* ---- list ---------------------------------------------------------------------------------------------- */

static const struct drg_show_column map_columns[] = {
	{ DRG_F_ADAPTER_ID, 10 },
	{ DRG_F_EXTERNAL_ID, 20 },
	{ DRG_F_PLACE_ID, 0 },
};

int drg_cmd_air_list(struct drg_cli *cli)
{
	struct drg_rows rows;
	struct drg_show_view view = { .type = &drg_types[DRG_TYPE_AIR_MAP],
		                      .kind = DRG_KIND_NONE,
		                      .columns = map_columns,
		                      .n_columns = DRG_ARRAY_LEN(map_columns) };
	struct drg_filter f = { .type = view.type };
	struct drg_store *s;
	int rc = drg_cli_adapter_option(cli, &f.adapter);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_show_open(cli, &view);
	if (rc == DRG_OK) {
		for (drg_rows_scan(&rows, s, &f, &cli->err); drg_rows_next(&rows);)
			rows.rc = drg_show_record_with(&view, &rows.row.r, NULL);
		rc = drg_listing_close(&view.listing, cli, drg_rows_end(&rows));
	}
	drg_store_close(s);
	return rc;
}

/* ---- unmatched ----------------------------------------------------------------------------------------- */

/* The columns of a report, in the order of files. */
enum report_column {
	REPORT_ADAPTER,
	REPORT_EXTERNAL_ID,
	REPORT_CODE,
	REPORT_TITLE,
	REPORT_LANG,
	REPORT_COUNT,
	REPORT_FIRST,
	REPORT_LAST,
	REPORT_COLUMNS
};
static const struct drg_listing_column report_columns[REPORT_COLUMNS] = {
	[REPORT_ADAPTER] = { "adapter_id", 10 }, [REPORT_EXTERNAL_ID] = { "external_id", 20 },
	[REPORT_CODE] = { "iata_code", 9 },      [REPORT_TITLE] = { "title", 0 },
	[REPORT_LANG] = { "lang_code", 9 },      [REPORT_COUNT] = { "count", 8 },
	[REPORT_FIRST] = { "first_seen", 24 },   [REPORT_LAST] = { "last_seen", 24 },
};
/* The table begins with how often, and ends with the longest text. */
static const enum report_column table_order[REPORT_COLUMNS] = {
	REPORT_COUNT,       REPORT_FIRST, REPORT_LAST, REPORT_ADAPTER,
	REPORT_EXTERNAL_ID, REPORT_CODE,  REPORT_LANG, REPORT_TITLE,
};

struct report_list {
	struct drg_listing listing;
	struct drg_listing_column columns[REPORT_COLUMNS];
	enum report_column order[REPORT_COLUMNS];
};

/* The value of a column: a number, or a text; empty: none. */
struct report_cell {
	bool is_number;
	int64_t number;
	struct drg_str text;
};

static int report_write_line(struct drg_listing *l, const struct report_cell *cells)
{
	struct drg_buf line;
	drg_buf_init(&line, SIZE_MAX);
	struct drg_jw w = { .b = &line };
	drg_jw_object(&w);
	drg_jw_member_str(&w, "type", DRG_STR("air_report"));
	for (unsigned i = 0; i < REPORT_COLUMNS; i++) {
		if (cells[i].is_number)
			drg_jw_member_i64(&w, report_columns[i].name, cells[i].number);
		else if (cells[i].text.n > 0)
			drg_jw_member_str(&w, report_columns[i].name, cells[i].text);
	}
	drg_jw_object_end(&w);
	drg_buf_char(&line, '\n');
	int rc = line.rc == DRG_OK ? drg_listing_line(l, drg_buf_view(&line)) : DRG_ENOMEM;
	drg_buf_done(&line);
	return rc;
}

static int report_print(void *ctx, const struct drg_air_report *r)
{
	struct report_list *x = ctx;
	char first[DRG_WALL_TEXT], last[DRG_WALL_TEXT];
	drg_wall_text(r->first_us, first);
	drg_wall_text(r->last_us, last);
	const struct report_cell cells[REPORT_COLUMNS] = {
		[REPORT_ADAPTER] = { .is_number = true, .number = r->adapter },
		[REPORT_EXTERNAL_ID] = { .text = r->external_id },
		[REPORT_CODE] = { .text = r->iata_code },
		[REPORT_TITLE] = { .text = r->title },
		[REPORT_LANG] = { .text = r->lang },
		[REPORT_COUNT] = { .is_number = true, .number = r->count },
		[REPORT_FIRST] = { .text = drg_str_c(first) },
		[REPORT_LAST] = { .text = drg_str_c(last) },
	};
	if (x->listing.format == DRG_LISTING_NDJSON)
		return report_write_line(&x->listing, cells);
	for (unsigned i = 0; i < REPORT_COLUMNS; i++) {
		const struct report_cell *cell = &cells[x->order[i]];
		if (cell->is_number)
			drg_listing_int(&x->listing, cell->number);
		else if (cell->text.n > 0)
			drg_listing_text(&x->listing, cell->text);
		else
			drg_listing_none(&x->listing);
	}
	return drg_listing_row(&x->listing);
}

static int report_open(struct drg_cli *cli, struct report_list *x)
{
	const bool table = drg_listing_choose(cli).format == DRG_LISTING_TABLE;
	for (unsigned i = 0; i < REPORT_COLUMNS; i++) {
		x->order[i] = table ? table_order[i] : (enum report_column)i;
		x->columns[i] = report_columns[x->order[i]];
	}
	return drg_listing_open(cli, x->columns, REPORT_COLUMNS, &x->listing);
}

int drg_cmd_air_unmatched(struct drg_cli *cli)
{
	struct report_list list;
	struct drg_store *s;
	int64_t adapter;
	int rc = drg_cli_adapter_option(cli, &adapter);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = report_open(cli, &list);
	if (rc == DRG_OK)
		rc = drg_listing_close(&list.listing, cli,
		                       drg_store_air_reports(s, adapter, report_print, &list, &cli->err));
	drg_store_close(s);
	return rc;
}
