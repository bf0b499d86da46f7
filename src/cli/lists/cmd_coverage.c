#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
#include "cli/store.h"
#include "store/coverage.h"
#include "store/uses.h"

static const struct drg_listing_column coverage_columns[] = {
	{ "supplier", 20 },       { "kind", 16 },
	{ "records", -10 },       { "mapped", -10 },
	{ "unmapped", -10 },      { "percent", -7 },
	{ "requests", -10 },      { "percent_of_requests", -19 },
	{ "records_since", -13 }, { "mapped_since", -12 },
};
enum { SINCE_COLUMNS = 2 };

struct coverage {
	struct drg_store *s;
	struct drg_cli_codes codes;
	struct drg_listing listing;
	int64_t adapter; /* 0: all */
	enum drg_kind kind; /* DRG_KIND_NONE: all */
	int64_t min; /* per cent; 0: none is asked for */
	int64_t since_day; /* requests of that day and later */
	unsigned below;
	bool since; /* a day was given */
	struct drg_buf counts; /* struct drg_coverage */
	struct drg_buf uses; /* struct drg_use: of each supplier and kind the sum of the days */
};

static int coverage_gather_use(void *ctx, const struct drg_use *u)
{
	struct coverage *x = ctx;
	struct drg_use *last = x->uses.n > 0 ? (struct drg_use *)(void *)(x->uses.p + x->uses.n) - 1 : NULL;
	if (last != NULL && last->number == u->number && last->kind == u->kind) {
		last->count += u->count;
		last->mapped += u->mapped;
		return DRG_OK;
	}
	drg_buf_add(&x->uses, u, sizeof *u);
	return x->uses.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

/* What was asked for of a supplier's kind; zeros where nothing was. */
static struct drg_use coverage_use(const struct coverage *x, const struct drg_coverage *c)
{
	const struct drg_use *u = (const struct drg_use *)(const void *)x->uses.p;
	for (size_t i = 0; i < x->uses.n / sizeof *u; i++)
		if (u[i].number == c->adapter && u[i].kind == c->kind)
			return u[i];
	return (struct drg_use){ .count = 0 };
}

static int coverage_gather(void *ctx, const struct drg_coverage *c)
{
	struct coverage *x = ctx;
	if ((c->records == 0 && c->records_since == 0) || (x->adapter != 0 && c->adapter != x->adapter) ||
	    (x->kind != DRG_KIND_NONE && c->kind != x->kind))
		return DRG_OK;
	drg_buf_add(&x->counts, c, sizeof *c);
	return x->counts.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

/* In per cent with one decimal, down, so that 100 means all of them. */
static void coverage_share(struct coverage *x, int64_t part, int64_t all)
{
	char text[32];
	if (all == 0) {
		drg_listing_none(&x->listing);
		return;
	}
	int64_t tenths = part * 1000 / all;
	int n = snprintf(text, sizeof text, "%" PRId64 ".%" PRId64, tenths / 10, tenths % 10);
	drg_listing_number(&x->listing, drg_str(text, (size_t)n));
}

static int coverage_line(struct coverage *x, const struct drg_coverage *c)
{
	x->below += c->mapped * 100 < x->min * c->records;
	drg_listing_text(&x->listing, drg_cli_code(&x->codes, c->adapter));
	drg_listing_text(&x->listing, drg_str_c(drg_kind_name(c->kind)));
	drg_listing_int(&x->listing, c->records);
	drg_listing_int(&x->listing, c->mapped);
	drg_listing_int(&x->listing, c->records - c->mapped);
	coverage_share(x, c->mapped, c->records);
	const struct drg_use u = coverage_use(x, c);
	drg_listing_int(&x->listing, u.count);
	coverage_share(x, u.mapped < u.count ? u.mapped : u.count, u.count);
	if (x->since) {
		drg_listing_int(&x->listing, c->records_since);
		drg_listing_int(&x->listing, c->mapped_since);
	}
	return drg_listing_row(&x->listing);
}

static int coverage_print(struct coverage *x, struct drg_cli *cli)
{
	size_t columns = DRG_ARRAY_LEN(coverage_columns) - (x->since ? 0 : SINCE_COLUMNS);
	int rc = drg_store_coverage(x->s, x->since ? x->since_day : INT64_MAX, coverage_gather, x, &cli->err);
	if (rc == DRG_OK)
		rc = drg_store_uses(x->s, DRG_USE_KIND, x->since_day, coverage_gather_use, x, &cli->err);
	if (rc == DRG_OK)
		rc = drg_listing_open(cli, coverage_columns, columns, &x->listing);
	if (rc != DRG_OK)
		return rc;
	const struct drg_coverage *list = (const struct drg_coverage *)(const void *)x->counts.p;
	for (size_t i = 0; i < x->counts.n / sizeof *list && rc == DRG_OK; i++)
		rc = coverage_line(x, &list[i]);
	return drg_listing_close(&x->listing, cli, rc);
}

int drg_cmd_coverage(struct drg_cli *cli)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	struct coverage x = { .kind = DRG_KIND_NONE, .min = drg_opt_int(cli->options, "min-coverage") };
	int64_t since_us = 0;
	int rc = drg_cli_since(cli, &since_us);
	if (rc == DRG_OK)
		rc = drg_cli_adapter_option(cli, &x.adapter);
	if (rc == DRG_OK && kind != NULL)
		rc = drg_cli_parse_kind(cli, kind, DRG_KINDS_SOURCE, &x.kind);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	x.since = drg_opt_text(cli->options, "since") != NULL;
	x.since_day = since_us / (86400 * INT64_C(1000000));
	drg_buf_init(&x.counts, SIZE_MAX);
	drg_buf_init(&x.uses, SIZE_MAX);
	rc = drg_cli_codes_load(cli, x.s, &x.codes);
	if (rc == DRG_OK)
		rc = coverage_print(&x, cli);
	drg_cli_codes_done(&x.codes);
	drg_buf_done(&x.counts);
	drg_buf_done(&x.uses);
	drg_store_close(x.s);
	if (rc == DRG_OK && x.below > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%u of these are below %" PRId64 " %%",
		              x.below, x.min);
	return rc;
}
