#include <inttypes.h>
#include <stdio.h>

#include "admin/migrate.h"
#include "base/lockfile.h"
#include "cli/cli.h"
#include "cli/filled.h"

int drg_cmd_migrate(struct drg_cli *cli)
{
	struct drg_progress progress;
	struct drg_migrated done;
	const struct drg_migrate_options o = { .from = drg_opt_text(cli->options, "from"),
		                               .to = drg_opt_text(cli->options, "to"),
		                               .progress = drg_cli_show_move,
		                               .ctx = &progress };
	if (o.from == NULL || o.to == NULL)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, o.from == NULL ? "from" : "to",
		                "give the store to move with --from URL and the new one with --to URL");
	drg_lockfile_set_timeout((unsigned)drg_opt_int(cli->options, "lock-timeout") * 1000);
	drg_progress_init(&progress);
	int rc = drg_migrate(&o, &done, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK)
		rc = drg_cli_check_filled(o.to, &progress, &cli->err);
	if (rc != DRG_OK)
		return rc;
	printf("moved %" PRIu64 " rows up to commit %" PRId64
	       "; the new store is the same, row by row, and sound\n"
	       "the old store is as it was: what is written to it from now on is not in the new one\n",
	       done.rows, done.clock.seq);
	return DRG_OK;
}
