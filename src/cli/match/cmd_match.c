#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/adapter.h"
#include "cli/match/match.h"
#include "cli/match/outcomes.h"
#include "cli/match/report.h"
#include "cli/person.h"
#include "console/progress.h"
#include "console/say.h"
#include "cli/store.h"
#include "matching/automap.h"
#include "text/json.h"

enum { SAMPLES_MAX = 100 };

/* ---- what a run says ------------------------------------------------------------------------------------ */

/* A result that is shown. Every sample of an outcome is as likely as any other result of it. */
struct sample {
	char text[512];
};

struct match_telling {
	struct drg_cli *cli;
	struct drg_progress progress;
	struct drg_match_report report;
	unsigned n_samples; /* wanted of each outcome of a kind */
	struct {
		struct sample *v;
		uint64_t seen;
	} samples[DRG_KIND_COUNT][DRG_MATCH_OUTCOMES];
	uint64_t random;
};

static uint64_t telling_random(struct match_telling *t)
{
	t->random = t->random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return t->random >> 33;
}

static int keep_sample(struct match_telling *t, const struct drg_automap_result *r)
{
	uint64_t seen = t->samples[r->kind][r->outcome].seen++, at = seen;
	struct sample **v = &t->samples[r->kind][r->outcome].v;
	if (*v == NULL)
		*v = drg_arena_calloc(t->cli->arena, SAMPLES_MAX, sizeof **v);
	if (*v == NULL)
		return drg_fail_memory(&t->cli->err);
	if (seen >= t->n_samples)
		at = telling_random(t) % (seen + 1);
	if (at >= t->n_samples)
		return DRG_OK;
	char dict[DRG_I64_TEXT + 4] = "";
	if (r->has_dict)
		snprintf(dict, sizeof dict, " -> %" PRId64, r->dict_id);
	snprintf((*v)[at].text, sizeof(*v)[at].text, "%" PRId64 " %.*s \"%.*s\"%s: %.*s", r->adapter,
	         DRG_STR_ARG(r->id), DRG_STR_ARG(r->name), dict, DRG_STR_ARG(r->explanation));
	return DRG_OK;
}

static int match_result(void *ctx, const struct drg_automap_result *r)
{
	struct match_telling *t = ctx;
	int rc = drg_match_report_add(&t->report, r, &t->cli->err);
	return rc == DRG_OK ? keep_sample(t, r) : rc;
}

static void match_progress(void *ctx, const char *step, uint64_t done, uint64_t total)
{
	struct match_telling *t = ctx;
	drg_progress_show(&t->progress, step, done, total, DRG_PROGRESS_RECORDS);
}

static void print_samples(const struct match_telling *t, unsigned kind)
{
	for (unsigned o = 0; o < DRG_MATCH_OUTCOMES; o++)
		for (uint64_t i = 0; i < t->samples[kind][o].seen && i < t->n_samples; i++)
			drg_print(stdout, "  %s\n", t->samples[kind][o].v[i].text);
}

static void print_kind(const struct match_telling *t, unsigned kind, const struct drg_automap_counts *c)
{
	const uint64_t *n = c->outcomes;
	if (n[0] + n[1] + n[2] + c->mapped + c->decided == 0)
		return;
	drg_outcomes_print(drg_kind_name((enum drg_kind)kind), n, c->mapped, c->decided);
	if (c->overtaken > 0)
		printf(", %" PRIu64 " changed by others meanwhile", c->overtaken);
	putchar('\n');
	drg_outcomes_print_reasons(c->reasons);
	print_samples(t, kind);
}

static void print_totals(const struct match_telling *t, const struct drg_automap_totals *totals, bool dry_run)
{
	uint64_t written = 0;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		print_kind(t, k, &totals->kinds[k]);
		written += totals->kinds[k].written;
	}
	drg_outcomes_print_end(written, totals->batch, dry_run);
}

/* ---- options -------------------------------------------------------------------------------------------- */

/* The bound was found for 0.995; another precision moves it by the odds. */
static void want_precision(struct drg_scorecard *card, double p)
{
	card->automatic += log2(p / (1 - p)) - log2(0.995 / 0.005);
	if (card->automatic < card->ask)
		card->automatic = card->ask;
}

static int read_kinds(struct drg_cli *cli, unsigned *ret)
{
	const char *text = drg_opt_text(cli->options, "kind");
	enum drg_kind kind;
	*ret = DRG_KINDS_SOURCE;
	if (text == NULL)
		return DRG_OK;
	int rc = drg_cli_parse_kind(cli, text, DRG_KINDS_SOURCE, &kind);
	if (rc == DRG_OK)
		*ret = 1U << kind;
	return rc;
}

static int match_adapters(struct drg_cli *cli, struct drg_store *s, struct drg_automap_options *o)
{
	const char *const *args = drg_opt_args(cli->options, &o->n_adapters);
	int64_t *ids = drg_arena_calloc(cli->arena, o->n_adapters + 1, sizeof *ids);
	int rc = ids != NULL ? DRG_OK : drg_fail_memory(&cli->err);
	for (size_t i = 0; i < o->n_adapters && rc == DRG_OK; i++)
		rc = drg_cli_adapter(cli, s, args[i], &ids[i]);
	o->adapters = ids;
	return rc;
}

/* ---- commands ------------------------------------------------------------------------------------------- */

static int match_store(struct drg_cli *cli, struct drg_store *s, struct drg_automap_options *o)
{
	struct match_telling t = { .cli = cli, .random = 1 };
	struct drg_automap_totals totals;
	t.n_samples = (unsigned)drg_opt_int(cli->options, "samples");
	drg_progress_init(&t.progress);
	o->result = match_result;
	o->progress = match_progress;
	o->ctx = &t;
	int rc = match_adapters(cli, s, o);
	if (rc == DRG_OK)
		rc = drg_match_report_open(drg_opt_text(cli->options, "report"), &t.report, &cli->err);
	if (rc == DRG_OK) {
		rc = drg_automap_run(s, o, &totals, &cli->err);
		drg_progress_clear(&t.progress);
		print_totals(&t, &totals, o->dry_run);
	}
	rc = drg_match_report_close(&t.report, rc, &cli->err);
	return rc;
}

int drg_cmd_match(struct drg_cli *cli)
{
	struct drg_automap_options o = { .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                         .threads = (unsigned)drg_opt_int(cli->options, "threads"),
		                         .by = drg_person(cli),
		                         .why = drg_reason(cli) };
	struct drg_store *s;
	double precision = 0;
	const char *kind = drg_opt_text(cli->options, "kind");
	if (kind != NULL && strcmp(kind, "airport") == 0)
		return drg_match_airports(cli);
	if (drg_opt_text(cli->options, "list") != NULL)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "list",
		                "--list is for --kind airport; 'dragoman load' reads other lists");
	int rc = drg_match_share(cli, "precision", 0.5, 0.9999, &precision);
	if (rc == DRG_OK)
		rc = read_kinds(cli, &o.kinds);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, o.dry_run ? DRG_STORE_READ : DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_match_card(cli, s, &o.card);
	if (rc == DRG_OK) {
		want_precision(&o.card, precision);
		rc = match_store(cli, s, &o);
	}
	drg_store_close(s);
	return rc;
}
