#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/person.h"
#include "cli/progress.h"
#include "cli/store.h"
#include "curate/automap.h"
#include "model/key.h"
#include "text/json.h"
#include "text/lines.h"

enum { SAMPLES_MAX = 100, CARD_MAX = 1 << 16 };

/* ---- what a run says ------------------------------------------------------------------------------------ */

/* A result that is shown. Every sample of an outcome is as likely as any other result of it. */
struct sample {
	char text[512];
};

struct match_telling {
	struct drg_cli *cli;
	struct drg_progress progress;
	FILE *report; /* NULL: none */
	struct drg_buf line;
	unsigned n_samples; /* wanted of each outcome of a kind */
	struct {
		struct sample *v;
		uint64_t seen;
	} samples[DRG_KIND_SOURCE_COUNT][DRG_MATCH_OUTCOMES];
	uint64_t random;
};

static void report_ranked(struct drg_jw *w, const struct drg_automap_result *r)
{
	drg_jw_key(w, "candidates");
	drg_jw_array(w);
	for (unsigned i = 0; i < r->n_ranked; i++) {
		drg_jw_object(w);
		drg_jw_key(w, "dict_id");
		drg_jw_i64(w, r->ranked[i].dict_id);
		drg_jw_key(w, "bits");
		drg_jw_real(w, (double)(int64_t)(r->ranked[i].bits * 100) / 100);
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
	drg_jw_key(w, "compared");
	drg_jw_i64(w, r->candidates);
}

static void report_text(struct drg_jw *w, const char *name, struct drg_str s)
{
	drg_jw_key(w, name);
	drg_jw_str(w, s);
}

/* One line of --report. */
static int report_result(struct match_telling *t, const struct drg_automap_result *r)
{
	struct drg_jw w = { .b = &t->line };
	drg_buf_clear(&t->line);
	drg_jw_object(&w);
	drg_jw_key(&w, "adapter_id");
	drg_jw_i64(&w, r->adapter);
	report_text(&w, "kind", drg_str_c(drg_kind_name(r->kind)));
	report_text(&w, "id", r->id);
	report_text(&w, "name", r->name);
	report_text(&w, "outcome", drg_str_c(drg_outcome_name(r->outcome)));
	report_text(&w, "reason", drg_str_c(drg_reason_name(r->reason)));
	drg_jw_key(&w, "dict_id");
	if (r->has_dict)
		drg_jw_i64(&w, r->dict_id);
	else
		drg_jw_null(&w);
	if (r->kind == DRG_KIND_HOTEL)
		report_ranked(&w, r);
	report_text(&w, "explanation", r->explanation);
	drg_jw_object_end(&w);
	drg_buf_char(&t->line, '\n');
	if (t->line.rc != DRG_OK)
		return drg_fail_memory(&t->cli->err);
	if (fwrite(t->line.p, 1, t->line.n, t->report) == t->line.n)
		return DRG_OK;
	return drg_fail(&t->cli->err, drg_rc_from_errno(errno), NULL, "report",
	                "the report cannot be written: %s", strerror(errno));
}

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
	int rc = t->report != NULL ? report_result(t, r) : DRG_OK;
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
			printf("  %s\n", t->samples[kind][o].v[i].text);
}

static void print_kind(const struct match_telling *t, unsigned kind, const struct drg_automap_counts *c)
{
	const uint64_t *n = c->outcomes;
	if (n[0] + n[1] + n[2] + c->mapped + c->decided == 0)
		return;
	printf("%-14s %9" PRIu64 " automatic %9" PRIu64 " ask %9" PRIu64 " none %9" PRIu64 " mapped before",
	       drg_kind_name((enum drg_kind)kind), n[DRG_MATCH_AUTOMATIC], n[DRG_MATCH_ASK],
	       n[DRG_MATCH_NONE], c->mapped);
	if (c->decided > 0)
		printf(", %" PRIu64 " left as people decided", c->decided);
	if (c->overtaken > 0)
		printf(", %" PRIu64 " changed by others meanwhile", c->overtaken);
	putchar('\n');
	for (unsigned r = 1; r < DRG_WHY_COUNT; r++)
		if (c->reasons[r] > 0)
			printf("  %9" PRIu64 " %s: %s\n", c->reasons[r],
			       drg_reason_name((enum drg_match_reason)r),
			       drg_reason_words((enum drg_match_reason)r));
	print_samples(t, kind);
}

static void print_totals(const struct match_telling *t, const struct drg_automap_totals *totals, bool dry_run)
{
	uint64_t written = 0;
	for (unsigned k = 0; k < DRG_KIND_SOURCE_COUNT; k++) {
		print_kind(t, k, &totals->kinds[k]);
		written += totals->kinds[k].written;
	}
	if (dry_run)
		printf("nothing was written\n");
	else if (written == 0)
		printf("nothing new\n");
	else
		printf("%" PRIu64 " mapped as \"%s\"; dragoman match undo takes them back\n", written,
		       totals->batch);
}

/* ---- options -------------------------------------------------------------------------------------------- */

static int read_whole(const char *path, struct drg_buf *out, struct drg_err *reterr)
{
	struct drg_lines *lines;
	struct drg_str line;
	int rc = drg_lines_open(path, CARD_MAX, &lines, reterr);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_lines_next(lines, &line, reterr)) == DRG_OK) {
		drg_buf_str(out, line);
		drg_buf_char(out, '\n');
	}
	drg_lines_close(lines);
	return rc == DRG_ENOENT ? out->rc : rc;
}

static int read_card(struct drg_cli *cli, struct drg_scorecard *ret)
{
	const char *path = drg_opt_text(cli->options, "weights");
	struct drg_buf text;
	struct drg_err e = { .code = DRG_OK };
	*ret = drg_scorecard_hotels;
	if (path == NULL)
		return DRG_OK;
	drg_buf_init(&text, CARD_MAX);
	int rc = read_whole(path, &text, &e);
	if (rc == DRG_OK)
		rc = drg_scorecard_read(drg_buf_view(&text), &drg_scorecard_hotels, ret, &e);
	drg_buf_done(&text);
	return rc == DRG_OK ? rc
	                    : drg_fail(&cli->err, rc, NULL, "weights", "--weights %s: %s", path, e.message);
}

/* The bound was found for 0.995; another precision moves it by the odds. */
static int read_precision(struct drg_cli *cli, struct drg_scorecard *card)
{
	const char *text = drg_opt_text(cli->options, "precision");
	char *end;
	double p = strtod(text, &end);
	if (*text == '\0' || *end != '\0' || !(p >= 0.5 && p <= 0.9999))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "precision",
		                "--precision: expected a number from 0.5 to 0.9999, found \"%s\"", text);
	card->automatic += log2(p / (1 - p)) - log2(0.995 / 0.005);
	if (card->automatic < card->ask)
		card->automatic = card->ask;
	return DRG_OK;
}

static int read_kinds(struct drg_cli *cli, unsigned *ret)
{
	const char *text = drg_opt_text(cli->options, "kind");
	enum drg_kind kind;
	*ret = (1U << DRG_KIND_SOURCE_COUNT) - 1;
	if (text == NULL)
		return DRG_OK;
	int rc = drg_read_kind(cli, text, DRG_KIND_SOURCE_COUNT, &kind);
	if (rc == DRG_OK)
		*ret = 1U << kind;
	return rc;
}

static int match_adapters(struct drg_cli *cli, struct drg_store *s, struct drg_automap_options *o)
{
	const char *const *args = drg_opt_args(cli->options, &o->n_adapters);
	int64_t *ids = drg_arena_calloc(cli->arena, o->n_adapters + 1, sizeof *ids);
	int rc = ids != NULL ? DRG_OK : drg_fail_memory(&cli->err);
	for (size_t i = 0; i < o->n_adapters && rc == DRG_OK; i++) {
		struct drg_record key;
		rc = drg_read_number(cli, "ADAPTER", args[i], &ids[i]);
		drg_key_adapter(&key, rc == DRG_OK ? ids[i] : 0);
		if (rc == DRG_OK && (rc = drg_store_exists(s, &key, &cli->err)) == DRG_ENOENT)
			rc = drg_fail(&cli->err, rc, NULL, "ADAPTER", "there is no adapter %" PRId64, ids[i]);
	}
	o->adapters = ids;
	return rc;
}

static int open_report(struct drg_cli *cli, FILE **ret)
{
	const char *path = drg_opt_text(cli->options, "report");
	*ret = path != NULL ? fopen(path, "we") : NULL;
	if (path != NULL && *ret == NULL)
		return drg_fail(&cli->err, drg_rc_from_errno(errno), NULL, "report", "--report %s: %s", path,
		                strerror(errno));
	return DRG_OK;
}

static int close_report(struct drg_cli *cli, FILE *report, int rc)
{
	if (report == NULL || fclose(report) == 0 || rc != DRG_OK)
		return rc;
	return drg_fail(&cli->err, drg_rc_from_errno(errno), NULL, "report",
	                "the report cannot be written: %s", strerror(errno));
}

/* ---- commands ------------------------------------------------------------------------------------------- */

static int match_store(struct drg_cli *cli, struct drg_store *s, struct drg_automap_options *o)
{
	struct match_telling t = { .cli = cli, .random = 1 };
	struct drg_automap_totals totals;
	t.n_samples = (unsigned)drg_opt_int(cli->options, "samples");
	drg_progress_init(&t.progress);
	drg_buf_init(&t.line, 1 << 20);
	o->result = match_result;
	o->progress = match_progress;
	o->ctx = &t;
	int rc = match_adapters(cli, s, o);
	if (rc == DRG_OK)
		rc = open_report(cli, &t.report);
	if (rc == DRG_OK) {
		rc = close_report(cli, t.report, drg_automap_run(s, o, &totals, &cli->err));
		drg_progress_clear(&t.progress);
		print_totals(&t, &totals, o->dry_run);
	}
	drg_buf_done(&t.line);
	return rc;
}

int drg_cmd_match(struct drg_cli *cli)
{
	struct drg_automap_options o = { .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                         .threads = (unsigned)drg_opt_int(cli->options, "threads") };
	struct drg_store *s;
	int rc = read_card(cli, &o.card);
	if (rc == DRG_OK)
		rc = read_precision(cli, &o.card);
	if (rc == DRG_OK)
		rc = read_kinds(cli, &o.kinds);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, o.dry_run ? DRG_STORE_READ : DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = match_store(cli, s, &o);
	drg_store_close(s);
	return rc;
}

int drg_cmd_match_undo(struct drg_cli *cli)
{
	struct drg_automap_undo u = { .batch = "" };
	struct drg_store *s;
	const char *batch = drg_opt_args(cli->options, NULL)[0];
	if (batch != NULL)
		snprintf(u.batch, sizeof u.batch, "%s", batch);
	int rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_automap_undo(s, &u, &cli->err);
	drg_store_close(s);
	if (rc == DRG_OK)
		printf("\"%s\": %" PRIu64 " taken back, %" PRIu64 " left as they were decided since\n",
		       u.batch, u.undone, u.kept);
	return rc;
}

int drg_cmd_match_weights(struct drg_cli *cli)
{
	struct drg_scorecard card;
	struct drg_buf text;
	int rc = read_card(cli, &card);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&text, CARD_MAX);
	drg_scorecard_write(&card, &text);
	fwrite(text.p, 1, text.n, stdout);
	drg_buf_done(&text);
	return DRG_OK;
}
