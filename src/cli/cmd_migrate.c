#include <inttypes.h>
#include <stdio.h>

#include "admin/check.h"
#include "admin/migrate.h"
#include "cli/cli.h"
#include "cli/progress.h"
#include "cli/say.h"

static void migrate_show_step(void *ctx, enum drg_migrate_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "copying", "indexing", "comparing" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
}

static void migrate_show_check(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking the store", "loading", "comparing with the catalog" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
}

static void migrate_show_finding(void *ctx, const char *text)
{
	drg_progress_clear(ctx);
	drg_say(stdout, "%s\n", text);
}

static int migrate_check(struct drg_cli *cli, const char *store, struct drg_progress *progress)
{
	const struct drg_check_options o = { migrate_show_finding, migrate_show_check, progress };
	struct drg_store *s;
	uint64_t findings = 0;
	int rc = drg_store_open(store, DRG_STORE_READ, &s, &cli->err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_check(s, &o, &findings, &cli->err);
	drg_store_close(s);
	drg_progress_clear(progress);
	if (rc == DRG_OK && findings > 0)
		rc = drg_fail(&cli->err, DRG_ECORRUPT, NULL, NULL,
		              "%" PRIu64
		              " findings: the new store has all that the old one has, and these with it; "
		              "'dragoman check' tells them of the old one",
		              findings);
	return rc;
}

int drg_cmd_migrate(struct drg_cli *cli)
{
	struct drg_progress progress;
	struct drg_migrated done;
	const struct drg_migrate_options o = { .from = drg_opt_text(cli->options, "from"),
		                               .to = drg_opt_text(cli->options, "to"),
		                               .progress = migrate_show_step,
		                               .ctx = &progress };
	if (o.from == NULL || o.to == NULL)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, o.from == NULL ? "from" : "to",
		                "give the store to move with --from URL and the new one with --to URL");
	drg_store_set_lock_timeout((unsigned)drg_opt_int(cli->options, "lock-timeout") * 1000);
	drg_progress_init(&progress);
	int rc = drg_migrate(&o, &done, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK)
		rc = migrate_check(cli, o.to, &progress);
	if (rc != DRG_OK)
		return rc;
	printf("moved %" PRIu64 " rows up to commit %" PRId64
	       "; the new store is the same, row by row, and sound\n"
	       "the old store is as it was: what is written to it from now on is not in the new one\n",
	       done.rows, done.clock.seq);
	return DRG_OK;
}
