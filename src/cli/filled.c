#include "cli/filled.h"

#include <inttypes.h>
#include <stdio.h>

#include "admin/check.h"
#include "console/say.h"

void drg_cli_show_move(void *ctx, enum drg_move_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "copying", "indexing", "comparing" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
}

static void filled_show_check(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking the store", "loading", "comparing with the catalog",
		                             "looking up what differs" };
	drg_progress_show(ctx, words[step], done, total, DRG_PROGRESS_RECORDS);
}

static void filled_show_finding(void *ctx, const char *text)
{
	drg_progress_clear(ctx);
	drg_print(stdout, "%s\n", text);
}

int drg_cli_check_filled(const char *store, struct drg_progress *progress, struct drg_err *reterr)
{
	const struct drg_check_options o = { filled_show_finding, filled_show_check, progress };
	struct drg_store *s;
	uint64_t findings = 0;
	int rc = drg_store_open(store, DRG_STORE_READ, &s, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_check(s, &o, &findings, reterr);
	drg_store_close(s);
	drg_progress_clear(progress);
	if (rc == DRG_OK && findings > 0)
		rc = drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		              "%" PRIu64
		              " findings: the new store has all that the old one had, and these with it; "
		              "'dragoman check' tells them of the old one",
		              findings);
	return rc;
}
