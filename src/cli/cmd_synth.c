#include <inttypes.h>
#include <stdio.h>
#include <unistd.h>

#include "cli/cli.h"
#include "cli/progress.h"
#include "synth/synth.h"

static void synth_show(void *ctx, uint64_t done, uint64_t total)
{
	drg_progress_show(ctx, "writing", done, total, DRG_PROGRESS_STEPS);
}

int drg_cmd_synth(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	const struct drg_synth_options options = {
		.hotels = (uint64_t)drg_opt_int(o, "hotels"),
		.adapters = (unsigned)drg_opt_int(o, "adapters"),
		.seed = (uint64_t)drg_opt_int(o, "seed"),
		.hard = drg_opt_flag(o, "hard"),
		.blind = drg_opt_flag(o, "blind"),
		.base = drg_opt_text(o, "base"),
		.content_percent = (unsigned)drg_opt_int(o, "content"),
	};
	struct drg_progress progress;
	drg_progress_init(&progress);
	int out = STDOUT_FILENO;
	const struct drg_synth_sink sink = {
		.write = drg_synth_write_fd,
		.write_ctx = &out,
		.progress = synth_show,
		.progress_ctx = &progress,
	};
	struct drg_synth_totals totals;
	int rc = drg_synth_run(&options, &sink, &totals, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK)
		fprintf(stderr,
		        "synthetic data: %" PRIu64 " hotels, %" PRIu64 " supplier hotels, %" PRIu64
		        " lines\n",
		        totals.hotels, totals.sources, totals.lines);
	return rc;
}
