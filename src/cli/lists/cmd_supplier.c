#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/data_dir.h"
#include "cli/looks.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/show.h"
#include "cli/store.h"
#include "decide/supplier.h"
#include "text/utf8.h"

/* ---- add ----------------------------------------------------------------------------------------------- */

int drg_cmd_supplier_add(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	const char *name = drg_opt_text(o, "name");
	bool create = drg_opt_flag(o, "create");
	struct drg_supplier_new d = {
		.id = drg_opt_int(o, "id"),
		.code = drg_str_c(drg_opt_args(o, NULL)[0]),
		.domain = (enum drg_domain)drg_opt_word(o, "domain"),
		.stage = (enum drg_stage)drg_opt_word(o, "stage"),
	};
	struct drg_data_dir dir;
	d.name = name != NULL ? drg_str_c(name) : d.code;
	int rc = create ? drg_data_dir_open(cli, true, &dir, &cli->err) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, create ? DRG_STORE_CREATE : DRG_STORE_WRITE, drg_supplier_add, &d);
	if (rc == DRG_OK)
		drg_print(stdout, "supplier %" PRId64 " %.*s\n", d.id, DRG_STR_ARG(d.code));
	return rc;
}

/* ---- set ----------------------------------------------------------------------------------------------- */

static int set_columns(struct drg_cli *cli, const struct drg_plan_wishes *w, struct drg_profile *p)
{
	for (const char *const *m = w->map; *m != NULL; m++) {
		struct drg_str column = drg_str_c(*m), wire;
		drg_str_split(&column, '=', &wire);
		const struct drg_field_def *f = drg_profile_field(p->kind, wire);
		if (f == NULL)
			return drg_fail(&cli->err, DRG_EUSAGE, NULL, "map", "--map: a %s has no field %.*s",
			                drg_kind_name(p->kind), DRG_STR_ARG(wire));
		if (!drg_profile_bind(p, f, column))
			return drg_fail_memory(&cli->err);
	}
	return *w->map != NULL ? drg_profile_check_shared(p, &cli->err) : DRG_OK;
}

static int set_also(struct drg_cli *cli, struct drg_profile *p)
{
	size_t n;
	const char *const *list = drg_opt_texts(cli->options, "also", &n);
	if (n > 0)
		p->also = 0;
	for (size_t i = 0; i < n; i++) {
		struct drg_str rest = drg_str_c(list[i]), word;
		while (drg_str_split(&rest, ',', &word)) {
			enum drg_kind kind = drg_kind_by_name(word);
			if (drg_str_eq(word, DRG_STR("none")))
				continue;
			if (drg_kind_parent(kind) == NULL)
				return drg_fail(&cli->err, DRG_EUSAGE, NULL, "also",
				                "--also: expected country, city, hotel_category or none, "
				                "found %.*s",
				                DRG_STR_ARG(word));
			p->also |= 1U << kind;
		}
	}
	return DRG_OK;
}

static int change_profile(struct drg_cli *cli, const struct drg_plan_wishes *w, struct drg_profile *p)
{
	int complete = drg_opt_word(cli->options, "complete");
	int rc = set_columns(cli, w, p);
	if (rc == DRG_OK)
		rc = set_also(cli, p);
	if (w->encoding != NULL)
		p->encoding = drg_str_c(w->encoding);
	if (w->sheet != NULL)
		p->sheet = drg_str_c(w->sheet);
	if (w->lang != NULL)
		p->lang = drg_str_c(w->lang);
	if (w->country != NULL)
		p->country = drg_str_c(w->country);
	if (w->category != NULL)
		p->category = drg_str_c(w->category);
	if (w->separator != 0)
		p->separator = w->separator;
	if (w->quote != DRG_QUOTE_UNKNOWN)
		p->quote = w->quote;
	if (w->decimal != '\0')
		p->decimal = w->decimal;
	if (complete >= 0)
		p->complete = complete == 1;
	if (rc == DRG_OK)
		rc = drg_profile_check_values(p, &cli->err);
	if (rc == DRG_OK && drg_profile_column_of(p, DRG_F_SOURCE_ID) == NULL)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "map",
		              "the column of the id is missing: --map id=COLUMN; 'dragoman load' proposes "
		              "the rest");
	return rc;
}

static void print_profile(const struct drg_profile *p)
{
	struct drg_buf also;
	drg_buf_init(&also, 256);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if ((p->also >> k & 1) != 0)
			drg_buf_printf(&also, " %s", drg_kind_name((enum drg_kind)k));
	char separator[4];
	const size_t n = p->separator != 0 ? drg_utf8_put(p->separator, separator) : 0;
	const struct {
		const char *title;
		struct drg_str value;
	} lines[] = { { "encoding", p->encoding },
		      { "separator", drg_str(separator, n) },
		      { "quotes", drg_str_c(p->quote != DRG_QUOTE_UNKNOWN ? drg_quote_names[p->quote] : "") },
		      { "sheet", p->sheet },
		      { "decimal", drg_str(&p->decimal, p->decimal != 0) },
		      { "language", p->lang },
		      { "country", p->country },
		      { "category", p->category },
		      { "brings along", drg_buf_view(&also) },
		      { "complete", drg_str_c(p->complete ? "yes: what a file lacks is removed" : "no") } };
	printf("\n%s files\n", drg_kind_name(p->kind));
	for (size_t i = 0; i < DRG_ARRAY_LEN(lines); i++)
		if (lines[i].value.n > 0)
			drg_print(stdout, "  %-14s %.*s\n", lines[i].title, DRG_STR_ARG(lines[i].value));
	for (unsigned i = 0; i < p->n_columns; i++)
		drg_print(stdout, "  %-14s from the column \"%.*s\"\n", p->columns[i].field->wire,
		          DRG_STR_ARG(p->columns[i].column));
	for (unsigned i = 0; i < p->n_ignored; i++)
		drg_print(stdout, "  %-14s the column \"%.*s\"\n", "ignored", DRG_STR_ARG(p->ignored[i]));
	drg_buf_done(&also);
}

static int set_in_store(struct drg_cli *cli, struct drg_store *s, const struct drg_plan_wishes *w)
{
	struct drg_profile_decision d = { .kind = w->kind };
	struct drg_profiles *all = drg_arena_calloc(cli->arena, 1, sizeof *all);
	struct drg_profile p = { .kind = w->kind };
	struct drg_buf data;
	int rc = all != NULL ? drg_cli_adapter(cli, s, drg_opt_args(cli->options, NULL)[0], &d.adapter)
	                     : drg_fail_memory(&cli->err);
	if (rc == DRG_OK)
		rc = drg_profiles_load(s, d.adapter, cli->arena, all, &cli->err);
	for (unsigned i = 0; rc == DRG_OK && i < all->n; i++)
		if (all->list[i].kind == p.kind)
			p = all->list[i];
	bool forget = drg_opt_flag(cli->options, "forget");
	if (rc == DRG_OK && !forget)
		rc = change_profile(cli, w, &p);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&data, 1 << 20);
	if (!forget)
		drg_profile_write(&p, &data);
	d.data = drg_buf_view(&data);
	rc = drg_txn_run(s, drg_supplier_profile, &d, &cli->err);
	if (rc == DRG_OK && forget)
		puts(d.changed ? "forgotten" : "there was none");
	else if (rc == DRG_OK)
		print_profile(&p);
	drg_buf_done(&data);
	return rc;
}

int drg_cmd_supplier_set(struct drg_cli *cli)
{
	struct drg_plan_wishes w;
	struct drg_store *s;
	int rc = drg_cli_parse_format(cli, &w);
	if (w.kind == DRG_KIND_NONE)
		w.kind = DRG_KIND_HOTEL;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = set_in_store(cli, s, &w);
	drg_store_close(s);
	return rc;
}

/* ---- show and list ------------------------------------------------------------------------------------- */

static const struct drg_show_column adapter_columns[] = {
	{ DRG_F_ID, 8 }, { DRG_F_CODE, 20 }, { DRG_F_DOMAIN, 6 }, { DRG_F_STAGE, 8 }, { DRG_F_NAME, 0 },
};

/* @param only  0: all. */
static int print_suppliers(struct drg_cli *cli, struct drg_store *s, int64_t only)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct drg_show_view view = { .type = f.type,
		                      .kind = DRG_KIND_NONE,
		                      .columns = adapter_columns,
		                      .n_columns = DRG_ARRAY_LEN(adapter_columns) };
	int rc = drg_show_open(cli, &view);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &f, &cli->err); drg_rows_next(&rows);)
		if (only == 0 || rows.row.r.v[DRG_F_ID].i == only)
			rows.rc = drg_show_record_with(&view, &rows.row.r, NULL);
	return drg_listing_close(&view.listing, cli, drg_rows_end(&rows));
}

int drg_cmd_supplier_list(struct drg_cli *cli)
{
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = print_suppliers(cli, s, 0);
	drg_store_close(s);
	return rc;
}

static const struct drg_show_column profile_columns[] = { { DRG_F_KIND, 0 } };

/* How its files look, for people's programs: a line for each kind. */
static int list_profiles(struct drg_cli *cli, struct drg_store *s)
{
	struct drg_rows rows;
	struct drg_filter f = { .type = &drg_types[DRG_TYPE_PROFILE] };
	struct drg_show_view view = { .type = f.type,
		                      .kind = DRG_KIND_NONE,
		                      .columns = profile_columns,
		                      .n_columns = DRG_ARRAY_LEN(profile_columns) };
	int rc = drg_cli_adapter(cli, s, drg_opt_args(cli->options, NULL)[0], &f.adapter);
	if (rc == DRG_OK)
		rc = drg_show_open(cli, &view);
	if (rc != DRG_OK)
		return rc;
	for (drg_rows_scan(&rows, s, &f, &cli->err); drg_rows_next(&rows);)
		rows.rc = drg_show_record_with(&view, &rows.row.r, NULL);
	return drg_listing_close(&view.listing, cli, drg_rows_end(&rows));
}

static int show_supplier(struct drg_cli *cli, struct drg_store *s)
{
	if (drg_listing_choose(cli).format != DRG_LISTING_TABLE)
		return list_profiles(cli, s);
	struct drg_profiles *all = drg_arena_calloc(cli->arena, 1, sizeof *all);
	int64_t id;
	if (all == NULL)
		return drg_fail_memory(&cli->err);
	int rc = drg_cli_adapter(cli, s, drg_opt_args(cli->options, NULL)[0], &id);
	if (rc == DRG_OK)
		rc = print_suppliers(cli, s, id);
	if (rc == DRG_OK)
		rc = drg_profiles_load(s, id, cli->arena, all, &cli->err);
	for (unsigned i = 0; rc == DRG_OK && i < all->n; i++)
		print_profile(&all->list[i]);
	if (rc == DRG_OK && all->n == 0)
		puts("\nnothing is known of its files yet; 'dragoman load' proposes it");
	return rc;
}

int drg_cmd_supplier_show(struct drg_cli *cli)
{
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = show_supplier(cli, s);
	drg_store_close(s);
	return rc;
}
