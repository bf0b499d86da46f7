/* dragoman-synth: made-up hotels and suppliers as NDJSON, for the demo, the tests and the benches. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "console/options.h"
#include "console/progress.h"
#include "synth/synth.h"

/* clang-format off */
static const struct drg_option synth_options[] = {
	{ "hotels",   DRG_OPT_INT,  "N",       "20000", 0, DRG_SYNTH_MAX_HOTELS,   NULL, false,
		"hotels of the common reference" },
	{ "adapters", DRG_OPT_INT,  "N",       "12",    0, DRG_SYNTH_MAX_ADAPTERS, NULL, false,
		"tour suppliers" },
	{ "seed",     DRG_OPT_INT,  "N",       "1",     0, INT64_MAX,              NULL, false,
		"another seed gives other data" },
	{ "blind",    DRG_OPT_FLAG, NULL,      NULL,    0, 0,                      NULL, false,
		"leave out the true mapping" },
	{ "hard",     DRG_OPT_FLAG, NULL,      NULL,    0, 0,                      NULL, false,
		"harder to match: sister houses, positions far off, no city, swapped fields" },
	{ "base",     DRG_OPT_TEXT, "FILE",    NULL,    0, 0,                      NULL, false,
		"countries, cities ... to build on, as NDJSON (default: a small set inside the program)" },
	{ "content",  DRG_OPT_INT,  "PERCENT", "5",     0, 100,                    NULL, false,
		"share of the supplier hotels that get descriptions and photos" },
	{ "help",     DRG_OPT_FLAG, NULL,      NULL,    0, 0,                      NULL, false, "print this" },
	{ NULL, DRG_OPT_FLAG, NULL, NULL, 0, 0, NULL, false, NULL }
};
/* clang-format on */

static void synth_show(void *ctx, uint64_t done, uint64_t total)
{
	drg_progress_show(ctx, "writing", done, total, DRG_PROGRESS_STEPS);
}

static void synth_help(void)
{
	puts("usage: dragoman-synth [OPTIONS]\n\nwrite made-up hotels and suppliers as NDJSON to standard "
	     "output\n\noptions:");
	drg_options_help(stdout, synth_options);
}

static int synth_write(const struct drg_options *o, struct drg_err *reterr)
{
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
	int rc = drg_synth_run(&options, &sink, &totals, reterr);
	drg_progress_clear(&progress);
	if (rc == DRG_OK)
		fprintf(stderr,
		        "synthetic data: %" PRIu64 " hotels, %" PRIu64 " supplier hotels, %" PRIu64
		        " lines\n",
		        totals.hotels, totals.sources, totals.lines);
	return rc;
}

static int synth_main(char *const *argv, struct drg_arena *arena, struct drg_err *reterr)
{
	struct drg_options *o;
	int rc = drg_options_parse(synth_options, argv, arena, &o, reterr);
	if (rc == DRG_OK)
		rc = drg_options_fill(o, "", NULL, reterr);
	if (rc != DRG_OK)
		return rc;
	if (drg_opt_flag(o, "help")) {
		synth_help();
		return DRG_OK;
	}
	const char *const *args = drg_opt_args(o, NULL);
	if (args[0] != NULL)
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
		                "unexpected argument \"%s\"; see 'dragoman-synth --help'", args[0]);
	return synth_write(o, reterr);
}

int main(int argc, char **argv)
{
	signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is a failed write */
	struct drg_arena arena;
	struct drg_err err = { 0 };
	drg_arena_init(&arena, 1 << 20);
	int rc = argc > 0 ? synth_main(argv + 1, &arena, &err) : DRG_EUSAGE;
	if (rc != DRG_OK)
		fprintf(stderr, "dragoman-synth: %s\n", err.message);
	drg_arena_done(&arena);
	return rc == DRG_OK ? 0 : rc == DRG_EUSAGE ? 2 : 1;
}
