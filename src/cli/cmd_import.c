#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/adapter.h"
#include "cli/cli.h"
#include "cli/data_dir.h"
#include "cli/looks.h"
#include "cli/person.h"
#include "console/progress.h"
#include "console/say.h"
#include "import/import.h"

static int read_csv(struct drg_cli *cli, struct drg_csv_options *csv)
{
	static const char *const only_csv[] = { "adapter", "map", "separator", "lang" };
	const struct drg_options *o = cli->options;
	csv->target = drg_opt_text(o, "csv");
	for (size_t i = 0; csv->target == NULL && i < DRG_ARRAY_LEN(only_csv); i++)
		if (drg_opt_given(o, only_csv[i]))
			return drg_fail(&cli->err, DRG_EUSAGE, NULL, only_csv[i],
			                "--%s is for CSV: give --csv too", only_csv[i]);
	csv->lang = drg_opt_text(o, "lang");
	uint32_t separator = 0;
	int rc = drg_cli_adapter_option(cli, &csv->adapter);
	if (rc == DRG_OK)
		rc = drg_cli_parse_separator(cli, &separator);
	if (rc == DRG_OK && separator >= 0x80)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "separator",
		              "--separator: expected an ASCII character, found \"%s\"; 'dragoman load' "
		              "accepts others",
		              drg_opt_text(o, "separator"));
	csv->separator = (char)separator;
	return rc == DRG_OK ? drg_cli_parse_map(cli, &csv->map) : rc;
}

static void show_bad_row(void *ctx, const char *file, uint64_t line, const struct drg_err *e)
{
	drg_progress_clear(ctx);
	drg_print(stderr, "%s:%" PRIu64 ": %s%s%s\n", file, line, e->field, e->field[0] != '\0' ? ": " : "",
	          e->message);
}

static void import_show_progress(void *ctx, enum drg_import_step step, uint64_t done, uint64_t total)
{
	static const char *const words[] = { "checking", "comparing", "applying" };
	drg_progress_show(ctx, words[step], done, total,
	                  step == DRG_IMPORT_CHECKING ? DRG_PROGRESS_BYTES : DRG_PROGRESS_RECORDS);
}

static void import_print_sums(const struct drg_import_sums *s, bool dry_run)
{
	uint64_t good = s->rows - s->bad;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		if (s->by_type[t] > 0)
			printf("%-14s %12" PRIu64 "\n", drg_types[t].name, s->by_type[t]);
	printf("%-14s %12" PRIu64 "\n", "records", good);
	if (!dry_run)
		printf("%-14s %12" PRIu64 "\n%-14s %12" PRIu64 "\n%-14s %12" PRIu64 "\n%-14s %12" PRIu64 "\n",
		       "created", s->created, "changed", s->changed, "same", s->same, "deleted", s->deleted);
	if (s->bad > 0)
		printf("%-14s %12" PRIu64 "\n", "rejected", s->bad);
	if (s->batch > 0)
		printf("%-14s %12" PRId64 "\n", "batch", s->batch);
	printf("%s in %.1f s, %.0f records/s\n", dry_run ? "checked, nothing applied," : "imported",
	       s->seconds, s->seconds > 0 ? (double)good / s->seconds : 0);
}

/* A folder is made only where --create asks for it: a mistyped one must not become an empty store. A dry run
 * makes none; where there is none yet its temporary files go elsewhere. */
static int find_data(struct drg_cli *cli, struct drg_import_options *io, struct drg_data_dir *dir)
{
	bool create = drg_opt_flag(cli->options, "create");
	int rc = drg_data_dir_open(cli, create && !io->dry_run, dir, &cli->err);
	if (rc == DRG_ENOENT && create && io->dry_run) {
		const char *tmp = getenv("TMPDIR");
		io->dir = tmp != NULL && tmp[0] != '\0' ? tmp : "/tmp";
		io->store_url = NULL;
		return DRG_OK;
	}
	io->dir = dir->path;
	io->store_url = dir->store_url;
	return rc;
}

int drg_cmd_import(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	struct drg_data_dir dir;
	struct drg_csv_options csv = { .target = NULL };
	struct drg_import_options io = {
		.keep_going = drg_opt_flag(o, "keep-going"),
		.dry_run = drg_opt_flag(o, "dry-run"),
		.rejects = drg_opt_text(o, "rejects"),
		.by = drg_person(cli),
		.why = drg_reason(cli),
		.threads = (unsigned)drg_opt_int(o, "threads"),
	};
	io.files = drg_opt_args(o, &io.n_files);
	if (io.rejects != NULL && !io.keep_going)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "rejects", "--rejects needs --keep-going");
	int rc = read_csv(cli, &csv);
	if (rc == DRG_OK)
		rc = find_data(cli, &io, &dir);
	if (rc != DRG_OK)
		return rc;
	io.csv = csv.target != NULL ? &csv : NULL;

	struct drg_progress progress;
	struct drg_import_sums sums;
	drg_progress_init(&progress);
	io.bad_row = show_bad_row;
	io.progress = import_show_progress;
	io.ctx = &progress;
	rc = drg_import(&io, &sums, &cli->err);
	drg_progress_clear(&progress);
	if (sums.bad > DRG_IMPORT_SHOWN)
		fprintf(stderr, "... and %" PRIu64 " more\n", sums.bad - DRG_IMPORT_SHOWN);
	if (rc == DRG_OK)
		import_print_sums(&sums, io.dry_run);
	return rc;
}
