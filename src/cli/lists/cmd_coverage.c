#include <inttypes.h>

#include "base/clock.h"
#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
#include "matching/survey/reports.h"

int drg_cmd_coverage(struct drg_cli *cli)
{
	struct drg_coverage_wanted w = { .min = drg_opt_int(cli->options, "min-coverage"),
		                         .since = drg_opt_text(cli->options, "since") != NULL };
	int64_t since_us = 0;
	int rc = drg_cli_since(cli, &since_us);
	w.since_day = since_us / DRG_DAY_US;
	if (rc == DRG_OK)
		rc = drg_cli_which(cli, &w.adapter, &w.kind);
	if (rc == DRG_OK)
		rc = drg_cli_report(cli, &drg_coverage_report, drg_coverage_query, &w,
		                    w.since ? 0 : DRG_REPORT_OPTIONAL);
	if (rc == DRG_OK && w.below > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%u of these are below %" PRId64 " %%",
		              w.below, w.min);
	return rc;
}
