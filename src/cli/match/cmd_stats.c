/* dragoman match stats, match doubles: figures of the mapping work. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
#include "cli/store.h"
#include "matching/survey/reports.h"
#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"

struct stats {
	struct drg_cli *cli;
	struct drg_store *s;
	struct drg_listing listing;
	struct drg_suppliers suppliers;
	int64_t adapter; /* 0: all */
	enum drg_kind kind; /* DRG_KIND_NONE: all */
	int64_t limit, given;
};

static int stats_name(struct stats *x, enum drg_kind kind, int64_t id, struct drg_arena *arena,
                      struct drg_str *ret)
{
	struct drg_record key, dict;
	*ret = drg_str("", 0);
	drg_key_dict(&key, kind, id);
	int rc = id != INT64_MIN ? drg_fetch(x->s, &key, arena, &dict, &x->cli->err) : DRG_ENOENT;
	if (rc == DRG_OK)
		rc = drg_main_name(&dict, arena, ret);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- by country ---------------------------------------------------------------------------------------- */

static const struct drg_listing_column country_columns[] = {
	{ "supplier", 20 }, { "kind", 8 },    { "country_id", 10 }, { "country", 24 },
	{ "records", -9 },  { "mapped", -9 }, { "percent", -7 },
};

static int stats_country(void *ctx, const struct drg_survey_country *c)
{
	char number[DRG_I64_TEXT];
	struct stats *x = ctx;
	struct drg_listing *l = &x->listing;
	struct drg_arena arena;
	struct drg_str name;
	char percent[32];
	if ((x->adapter != 0 && x->adapter != c->adapter) || (x->kind != DRG_KIND_NONE && x->kind != c->kind))
		return DRG_OK;
	drg_arena_init(&arena, 1 << 20);
	int rc = stats_name(x, DRG_KIND_COUNTRY, c->country, &arena, &name);
	drg_listing_text(l, drg_suppliers_find(&x->suppliers, c->adapter, number).code);
	drg_listing_text(l, drg_str_c(drg_kind_name(c->kind)));
	if (c->country != INT64_MIN)
		drg_listing_int(l, c->country);
	else
		drg_listing_none(l);
	drg_listing_text(l, name);
	drg_listing_int(l, (int64_t)c->records);
	drg_listing_int(l, (int64_t)c->mapped);
	uint64_t tenths = c->mapped * 1000 / c->records;
	drg_listing_number(l,
	                   drg_str(percent, (size_t)snprintf(percent, sizeof percent, "%" PRIu64 ".%" PRIu64,
	                                                     tenths / 10, tenths % 10)));
	if (rc == DRG_OK)
		rc = drg_listing_row(l);
	drg_arena_done(&arena);
	return rc;
}

/* ---- doubles ------------------------------------------------------------------------------------------- */

static const struct drg_listing_column double_columns[] = {
	{ "what", 11 },   { "supplier", 20 }, { "dict_id", 10 }, { "dict_name", 32 },
	{ "metres", -8 }, { "records", -7 },  { "ids", 32 },     { "categories", 0 },
};

static void stats_texts(struct drg_listing *l, const struct drg_str *v, size_t n)
{
	struct drg_buf text;
	drg_buf_init(&text, 1 << 20);
	for (size_t i = 0; i < n; i++) {
		drg_buf_str(&text, i > 0 ? DRG_STR(", ") : drg_str("", 0));
		drg_buf_str(&text, v[i]);
	}
	drg_listing_text(l, drg_buf_view(&text));
	drg_buf_done(&text);
}

static int stats_double(void *ctx, const struct drg_survey_double *d)
{
	char number[DRG_I64_TEXT];
	struct stats *x = ctx;
	struct drg_listing *l = &x->listing;
	struct drg_arena arena;
	struct drg_str name;
	if (x->limit > 0 && x->given++ >= x->limit)
		return DRG_OK;
	drg_arena_init(&arena, 1 << 20);
	int rc = stats_name(x, DRG_KIND_HOTEL, d->dict_id, &arena, &name);
	drg_listing_text(l, drg_str_c(drg_double_name(d->what)));
	drg_listing_text(l, drg_suppliers_find(&x->suppliers, d->adapter, number).code);
	drg_listing_int(l, d->dict_id);
	drg_listing_text(l, name);
	if (isnan(d->metres))
		drg_listing_none(l);
	else
		drg_listing_int(l, (int64_t)d->metres);
	drg_listing_int(l, (int64_t)d->n);
	stats_texts(l, d->ids, d->n);
	stats_texts(l, d->categories, d->n);
	if (rc == DRG_OK)
		rc = drg_listing_row(l);
	drg_arena_done(&arena);
	return rc;
}

/* ---- commands ------------------------------------------------------------------------------------------ */

typedef int stats_fn(struct stats *x);

static int stats_by_country(struct stats *x)
{
	return drg_survey_countries(x->s, stats_country, x, &x->cli->err);
}

static int stats_doubles(struct stats *x)
{
	return drg_survey_doubles(x->s, x->adapter, stats_double, x, &x->cli->err);
}

static int stats_run(struct drg_cli *cli, const struct drg_listing_column *columns, size_t n, stats_fn *fn)
{
	struct stats x = { .cli = cli };
	x.limit = drg_opt_known(cli->options, "limit") ? drg_opt_int(cli->options, "limit") : 0;
	int rc = drg_cli_which(cli, &x.adapter, &x.kind);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_suppliers_load(x.s, cli->arena, &x.suppliers, &cli->err);
	if (rc == DRG_OK)
		rc = drg_listing_open(cli, columns, n, &x.listing);
	if (rc == DRG_OK)
		rc = drg_listing_close(&x.listing, cli, fn(&x));
	drg_store_close(x.s);
	return rc;
}

static int stats_by_month(struct drg_cli *cli)
{
	struct drg_agreement_wanted w = { .which = { .since_day = INT64_MIN } };
	int rc = drg_cli_which(cli, &w.which.adapter, &w.which.kind);
	return rc == DRG_OK ? drg_cli_report(cli, &drg_agreement_report, drg_agreement_query, &w, 0) : rc;
}

int drg_cmd_match_stats(struct drg_cli *cli)
{
	enum { BY_MONTH, BY_COUNTRY };
	return drg_opt_word(cli->options, "by") == BY_COUNTRY
	               ? stats_run(cli, country_columns, DRG_ARRAY_LEN(country_columns), stats_by_country)
	               : stats_by_month(cli);
}

int drg_cmd_match_doubles(struct drg_cli *cli)
{
	return stats_run(cli, double_columns, DRG_ARRAY_LEN(double_columns), stats_doubles);
}
