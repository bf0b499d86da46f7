#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/data_dir.h"
#include "console/progress.h"
#include "console/say.h"
#include "cli/store.h"
#include "cli/store_looks.h"
#include "store/coverage.h"
#include "store/reports.h"
#include "admin/check.h"

static void show_finding(void *ctx, const char *text)
{
	drg_progress_clear(ctx);
	drg_print(stdout, "%s\n", text);
}

static void check_show_progress(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking the store", "loading", "comparing",
		                             "looking up what differs" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
}

/* ---- coverage ------------------------------------------------------------------------------------------ */

struct check_coverage {
	struct drg_suppliers suppliers;
	int64_t min; /* per cent; 0: none is asked for */
	unsigned below;
};

static int check_count(void *ctx, const struct drg_coverage *c)
{
	char number[DRG_I64_TEXT];
	struct check_coverage *x = ctx;
	if (c->records == 0 || c->mapped * 100 >= x->min * c->records)
		return DRG_OK;
	struct drg_str code = drg_suppliers_find(&x->suppliers, c->adapter, number).code;
	int64_t tenths = c->mapped * 1000 / c->records;
	drg_print(stdout, "%.*s %s: %" PRId64 ".%" PRId64 " %% mapped, %" PRId64 " %% are wanted\n",
	          DRG_STR_ARG(code), drg_kind_name(c->kind), tenths / 10, tenths % 10, x->min);
	x->below++;
	return DRG_OK;
}

static int check_coverage_of(struct drg_cli *cli, struct drg_store *s)
{
	struct check_coverage x = { .min = drg_opt_int(cli->options, "min-coverage") };
	int rc = drg_suppliers_load(s, cli->arena, &x.suppliers, &cli->err);
	if (rc == DRG_OK)
		rc = drg_store_coverage(s, INT64_MAX, check_count, &x, &cli->err);
	if (rc == DRG_OK && x.below > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL,
		              "too little is mapped of %u of the suppliers' kinds; 'dragoman map list "
		              "--unmapped' has "
		              "what to do",
		              x.below);
	return rc;
}

static void check_warn(const char *text)
{
	drg_print(stdout, "warning: %s\n", text);
}

/* Print warnings, which are not faults of the store. */
static int check_looks(struct drg_cli *cli, struct drg_store *s)
{
	struct drg_data_dir dir;
	struct drg_clock clock;
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc == DRG_OK)
		rc = drg_store_clock(s, &clock, &cli->err);
	if (rc == DRG_OK)
		drg_store_warn(dir.store_url, NULL, &clock, check_warn);
	return rc;
}

int drg_cmd_check(struct drg_cli *cli)
{
	struct drg_store *s = NULL;
	struct drg_progress progress;
	uint64_t findings;
	drg_progress_init(&progress);
	const struct drg_check_options o = { show_finding, check_show_progress, &progress };
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc == DRG_OK)
		rc = check_looks(cli, s);
	if (rc == DRG_OK)
		rc = drg_check(s, &o, &findings, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK && findings == 0)
		puts("the store is sound, and the catalog agrees with it");
	if (rc == DRG_OK && findings == 0 && drg_opt_given(cli->options, "min-coverage"))
		rc = check_coverage_of(cli, s);
	drg_store_close(s);
	if (rc == DRG_OK && findings > 0)
		rc = drg_fail(&cli->err, DRG_ECORRUPT, NULL, NULL,
		              "%" PRIu64
		              " findings: restore a backup, or export and import into a new data folder",
		              findings);
	return rc;
}
