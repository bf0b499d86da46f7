#include <inttypes.h>
#include <stdio.h>

#include "cli/progress.h"
#include "cli/store.h"
#include "admin/check.h"

static void show_finding(void *ctx, const char *text)
{
	drg_progress_clear(ctx);
	puts(text);
}

static void check_show_progress(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking the store", "loading", "comparing" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
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
		rc = drg_check(s, &o, &findings, &cli->err);
	drg_progress_clear(&progress);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	if (findings > 0)
		return drg_fail(&cli->err, DRG_ECORRUPT, NULL, NULL,
		                "%" PRIu64
		                " findings: restore a backup, or export and import into a new data folder",
		                findings);
	puts("the store is sound, and the catalog agrees with it");
	return DRG_OK;
}
