/* dragoman match --kind airport: reports of avia/compared, or a list of a supplier's. */
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/adapter.h"
#include "cli/match/match.h"
#include "cli/match/outcomes.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"
#include "matching/airmatch.h"
#include "load/columns.h"
#include "model/value.h"
#include "sheet/sheet.h"
#include "text/json.h"

/* ---- the list ------------------------------------------------------------------------------------------ */

enum list_column { COL_ID, COL_NAME, COL_IATA, COL_ICAO, COL_CITY, COL_COUNTRY, COL_LAT, COL_LNG, N_COLUMNS };
static const char *const list_columns[N_COLUMNS] = { "external_id", "name",    "iata", "icao",
	                                             "city",        "country", "lat",  "lng" };

static struct drg_str list_cell(const struct drg_sheet_row *row, const int *columns, enum list_column c)
{
	return columns[c] >= 0 && (unsigned)columns[c] < row->n ? row->cells[columns[c]].text
	                                                        : drg_str(NULL, 0);
}

static double list_degrees(struct drg_str text, double most)
{
	char copy[64], *end;
	if (text.n == 0 || text.n >= sizeof copy)
		return NAN;
	memcpy(copy, text.p, text.n);
	copy[text.n] = '\0';
	double v = strtod(copy, &end);
	return *end == '\0' && fabs(v) <= most ? v : NAN;
}

static int list_take(struct drg_cli *cli, const struct drg_sheet_row *row, const int *columns,
                     struct drg_buf *ret)
{
	struct drg_airmatch_row r = { .lat = list_degrees(list_cell(row, columns, COL_LAT), 90),
		                      .lng = list_degrees(list_cell(row, columns, COL_LNG), 180) };
	struct drg_str *texts[] = { &r.external_id, &r.name, &r.iata, &r.icao, &r.city, &r.country };
	for (unsigned i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		*texts[i] = drg_arena_str(cli->arena, list_cell(row, columns, (enum list_column)i));
		if (texts[i]->p == NULL)
			return drg_fail_memory(&cli->err);
	}
	struct drg_err e;
	if (r.external_id.n > 0 &&
	    drg_field_check_text(DRG_TYPE_AIR_MAP, DRG_F_EXTERNAL_ID, r.external_id, &e) != DRG_OK)
		return drg_fail(&cli->err, DRG_EINVAL, drg_reason_find(e.reason), "list",
		                "line %" PRIu64 ": %s", row->line, e.message);
	if (isnan(r.lat) || isnan(r.lng))
		r.lat = r.lng = NAN;
	drg_buf_add(ret, &r, sizeof r);
	return ret->rc == DRG_OK ? DRG_OK : drg_fail_memory(&cli->err);
}

static int list_header(struct drg_cli *cli, struct drg_sheet *sheet, int *ret_columns)
{
	struct drg_sheet_row row;
	int rc = drg_sheet_next(sheet, &row, &cli->err);
	if (rc == DRG_OK)
		rc = drg_columns_find(&row, list_columns, N_COLUMNS, ret_columns, &cli->err);
	if (rc == DRG_ENOENT || (rc == DRG_OK && (ret_columns[COL_ID] < 0 || ret_columns[COL_NAME] < 0)))
		rc = drg_fail(
		        &cli->err, DRG_EINVAL, NULL, "list",
		        "the first line must name the columns: external_id and name, and any of iata, icao, "
		        "city, country, lat, lng");
	return rc;
}

static int airports_read_list(struct drg_cli *cli, const char *path, struct drg_buf *ret)
{
	const struct drg_sheet_options o = { .encoding = NULL };
	struct drg_sheet *sheet;
	struct drg_sheet_row row;
	int columns[N_COLUMNS];
	int rc = drg_columns_open(&cli->err);
	if (rc == DRG_OK)
		rc = drg_sheet_open(path, &o, &sheet, &cli->err);
	if (rc != DRG_OK)
		return rc;
	rc = list_header(cli, sheet, columns);
	while (rc == DRG_OK && (rc = drg_sheet_next(sheet, &row, &cli->err)) == DRG_OK)
		rc = list_take(cli, &row, columns, ret);
	drg_sheet_close(sheet);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- what a run says ----------------------------------------------------------------------------------- */

struct air_telling {
	struct drg_cli *cli;
	FILE *report; /* NULL: none */
	struct drg_buf line;
	uint64_t shown[DRG_MATCH_OUTCOMES], wanted;
};

static void air_ranked(struct drg_jw *w, const struct drg_airmatch_result *r)
{
	drg_jw_member_array(w, "candidates");
	for (unsigned i = 0; i < r->n_ranked; i++) {
		drg_jw_object(w);
		drg_jw_member_i64(w, "source_id", r->ranked[i].place);
		drg_jw_member_real(w, "points", (double)(int64_t)(r->ranked[i].points * 100) / 100);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

static int air_report(struct air_telling *t, const struct drg_airmatch_result *r)
{
	struct drg_jw w = { .b = &t->line };
	drg_buf_clear(&t->line);
	drg_jw_object(&w);
	drg_jw_member_i64(&w, "adapter_id", r->adapter);
	drg_jw_member_str(&w, "kind", DRG_STR("airport"));
	drg_jw_member_str(&w, "id", r->id);
	drg_jw_member_str(&w, "name", r->name);
	drg_jw_member_str(&w, "outcome", drg_str_c(drg_outcome_name(r->outcome)));
	drg_jw_member_str(&w, "reason", drg_str_c(drg_reason_name(r->reason)));
	drg_jw_member_i64_or_null(&w, "source_id", r->has_place, r->place);
	air_ranked(&w, r);
	drg_jw_member_str(&w, "explanation", r->explanation);
	drg_jw_object_end(&w);
	drg_buf_char(&t->line, '\n');
	if (t->line.rc != DRG_OK)
		return drg_fail_memory(&t->cli->err);
	if (fwrite(t->line.p, 1, t->line.n, t->report) == t->line.n)
		return DRG_OK;
	return drg_fail(&t->cli->err, drg_rc_from_errno(errno), NULL, "report",
	                "the report cannot be written: %s", strerror(errno));
}

static int airports_result(void *ctx, const struct drg_airmatch_result *r)
{
	struct air_telling *t = ctx;
	char place[DRG_I64_TEXT + 4] = "";
	if (r->has_place)
		snprintf(place, sizeof place, " -> %" PRId64, r->place);
	if (t->shown[r->outcome]++ < t->wanted)
		drg_print(stdout, "  %" PRId64 " %.*s \"%.*s\"%s: %.*s\n", r->adapter, DRG_STR_ARG(r->id),
		          DRG_STR_ARG(r->name), place, DRG_STR_ARG(r->explanation));
	return t->report != NULL ? air_report(t, r) : DRG_OK;
}

static void print_air_totals(const struct drg_airmatch_totals *c, bool dry_run)
{
	drg_outcomes_print("airport", c->outcomes, c->mapped, c->decided);
	if (c->without_id > 0)
		printf(", %" PRIu64 " without an id", c->without_id);
	putchar('\n');
	drg_outcomes_print_reasons(c->reasons);
	drg_outcomes_print_end(c->written, c->batch, dry_run);
}

/* ---- the command --------------------------------------------------------------------------------------- */

static int air_adapters(struct drg_cli *cli, struct drg_store *s, struct drg_airmatch_options *o)
{
	const char *const *args = drg_opt_args(cli->options, &o->n_adapters);
	int64_t *ids = drg_arena_calloc(cli->arena, o->n_adapters + 1, sizeof *ids);
	int rc = ids != NULL ? DRG_OK : drg_fail_memory(&cli->err);
	for (size_t i = 0; i < o->n_adapters && rc == DRG_OK; i++)
		rc = drg_cli_adapter(cli, s, args[i], &ids[i]);
	o->adapters = ids;
	if (rc == DRG_OK && o->rows != NULL && o->n_adapters != 1)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "list",
		              "--list: name the one supplier whose list it is");
	return rc;
}

static int air_store(struct drg_cli *cli, struct drg_store *s, struct drg_airmatch_options *o)
{
	struct air_telling t = { .cli = cli, .wanted = (uint64_t)drg_opt_int(cli->options, "samples") };
	struct drg_airmatch_totals totals;
	const char *path = drg_opt_text(cli->options, "report");
	int rc = air_adapters(cli, s, o);
	if (rc == DRG_OK && path != NULL && (t.report = fopen(path, "we")) == NULL)
		rc = drg_fail(&cli->err, drg_rc_from_errno(errno), NULL, "report", "--report %s: %s", path,
		              strerror(errno));
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&t.line, 1 << 20);
	o->result = airports_result;
	o->ctx = &t;
	rc = drg_airmatch_run(s, o, &totals, &cli->err);
	drg_buf_done(&t.line);
	if (t.report != NULL && fclose(t.report) != 0 && rc == DRG_OK)
		rc = drg_fail(&cli->err, drg_rc_from_errno(errno), NULL, "report",
		              "the report cannot be written: %s", strerror(errno));
	if (rc == DRG_OK)
		print_air_totals(&totals, o->dry_run);
	return rc;
}

int drg_match_airports(struct drg_cli *cli)
{
	struct drg_airmatch_options o = { .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                          .by = drg_person(cli),
		                          .why = drg_reason(cli) };
	const char *list = drg_opt_text(cli->options, "list");
	struct drg_buf rows;
	struct drg_store *s;
	drg_buf_init(&rows, SIZE_MAX);
	int rc = list != NULL ? airports_read_list(cli, list, &rows) : DRG_OK;
	static const struct drg_airmatch_row none;
	o.n_rows = rows.n / sizeof *o.rows;
	if (list != NULL)
		o.rows = o.n_rows > 0 ? (const struct drg_airmatch_row *)(const void *)rows.p : &none;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, o.dry_run ? DRG_STORE_READ : DRG_STORE_WRITE, &s);
	if (rc == DRG_OK) {
		rc = air_store(cli, s, &o);
		drg_store_close(s);
	}
	drg_buf_done(&rows);
	return rc;
}
