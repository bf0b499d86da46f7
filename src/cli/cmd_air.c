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

#define ROW(field, wire, type)                                                                               \
	{                                                                                                    \
		field, wire, type, 0, 0, 0, 0, NULL, DRG_REF_NONE, 0, NULL                                   \
	}

/* A report in the clothes of a record, so that it is shown like one. It is none: no such type can be
 * imported. */
static const struct drg_field_def report_fields[] = {
	ROW(DRG_F_ADAPTER_ID, "adapter_id", DRG_V_INT), ROW(DRG_F_EXTERNAL_ID, "external_id", DRG_V_SRCID),
	ROW(DRG_F_CODE, "iata_code", DRG_V_TEXT),       ROW(DRG_F_NAME, "title", DRG_V_TEXT),
	ROW(DRG_F_LANG, "lang_code", DRG_V_TEXT),       ROW(DRG_F_WEIGHT, "count", DRG_V_INT),
	ROW(DRG_F_CREATED, "first_seen", DRG_V_STAMP),  ROW(DRG_F_AT, "last_seen", DRG_V_STAMP),
};
static const struct drg_type report_type = { .name = "air_report",
	                                     .fields = report_fields,
	                                     .n_fields = DRG_ARRAY_LEN(report_fields) };
static const struct drg_show_column report_columns[] = {
	{ DRG_F_WEIGHT, 8 },       { DRG_F_CREATED, 24 }, { DRG_F_AT, 24 },  { DRG_F_ADAPTER_ID, 10 },
	{ DRG_F_EXTERNAL_ID, 20 }, { DRG_F_CODE, 9 },     { DRG_F_LANG, 9 }, { DRG_F_NAME, 0 },
};

static int print_report(void *ctx, const struct drg_air_report *r)
{
	const struct {
		enum drg_field field;
		struct drg_str text;
	} texts[] = {
		{ DRG_F_EXTERNAL_ID, r->external_id },
		{ DRG_F_CODE, r->iata_code },
		{ DRG_F_NAME, r->title },
		{ DRG_F_LANG, r->lang },
	};
	struct drg_record shown;
	char first[DRG_WALL_TEXT], last[DRG_WALL_TEXT];
	drg_wall_text(r->first_us, first);
	drg_wall_text(r->last_us, last);
	drg_record_init(&shown, &report_type);
	drg_record_set_i(&shown, DRG_F_ADAPTER_ID, r->adapter);
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++)
		if (texts[i].text.n > 0)
			drg_record_set_s(&shown, texts[i].field, texts[i].text);
	drg_record_set_i(&shown, DRG_F_WEIGHT, r->count);
	drg_record_set_s(&shown, DRG_F_CREATED, drg_str_c(first));
	drg_record_set_s(&shown, DRG_F_AT, drg_str_c(last));
	return drg_show_record_with(ctx, &shown, NULL);
}

int drg_cmd_air_unmatched(struct drg_cli *cli)
{
	struct drg_show_view view = { .type = &report_type,
		                      .kind = DRG_KIND_NONE,
		                      .columns = report_columns,
		                      .n_columns = DRG_ARRAY_LEN(report_columns) };
	struct drg_store *s;
	int64_t adapter;
	int rc = drg_cli_adapter_option(cli, &adapter);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_show_open(cli, &view);
	if (rc == DRG_OK)
		rc = drg_listing_close(&view.listing, cli,
		                       drg_store_air_reports(s, adapter, print_report, &view, &cli->err));
	drg_store_close(s);
	return rc;
}
