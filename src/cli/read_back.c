#include "cli/read_back.h"

#include <stdio.h>

#include "cli/person.h"
#include "console/say.h"

static void print_refused(void *ctx, const char *file, uint64_t line, const char *why)
{
	(void)ctx;
	drg_print(stdout, "refused %s:%" PRIu64 ": %s\n", file, line, why);
}

struct drg_read_back drg_cli_read_back(struct drg_cli *cli)
{
	struct drg_read_back b = { .encoding = drg_opt_text(cli->options, "encoding"),
		                   .by = drg_person(cli),
		                   .why = drg_reason(cli),
		                   .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                   .refused = print_refused };
	b.files = drg_opt_args(cli->options, &b.n_files);
	return b;
}

void drg_cli_read_back_more(const struct drg_read_back *b)
{
	if (b->n_refused > DRG_READ_BACK_TOLD)
		printf("... and %" PRIu64 " more are refused\n", b->n_refused - DRG_READ_BACK_TOLD);
}

int drg_cli_read_back_end(struct drg_cli *cli, const struct drg_read_back *b)
{
	if (b->batch > 0 && !b->dry_run)
		printf("batch %" PRId64 "; undo it with 'dragoman batch undo %" PRId64 "'\n", b->batch,
		       b->batch);
	drg_cli_read_back_more(b);
	if (b->n_refused == 0)
		return DRG_OK;
	return drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%" PRIu64 " rows were refused", b->n_refused);
}
