/* dragoman match learn: a scorecard from people's decisions, with a report (decision M38). */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "cli/match/match.h"
#include "cli/person.h"
#include "console/progress.h"
#include "cli/store.h"
#include "matching/learn/learn.h"
#include "matching/learn/weights.h"

/* ---- the report ---------------------------------------------------------------------------------------- */

static void learn_print_outcomes(const char *when, const struct drg_learnt_outcomes *o)
{
	printf("  %s %6" PRIu64 " automatic and right %6" PRIu64 " automatic and wrong %6" PRIu64
	       " ask %6" PRIu64 " none\n",
	       when, o->right, o->wrong, o->asked, o->none);
}

static void learn_print_change(const char *name, int level, double before, double after, uint64_t pairs)
{
	if (before == after)
		return;
	if (level < 0)
		printf("  %-12s    %6.2f -> %6.2f\n", name, before, after);
	else
		printf("  %-12s %2d %6.2f -> %6.2f  (%" PRIu64 " pairs)\n", name, level, before, after,
		       pairs);
}

static void learn_print_changes(const struct drg_learning *l)
{
	learn_print_change("automatic", -1, l->card.automatic, l->learnt.automatic, 0);
	learn_print_change("bias", -1, l->card.bias, l->learnt.bias, 0);
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned k = 0; k < l->card.levels[c]; k++)
			learn_print_change(drg_comparison_name((enum drg_comparison)c), (int)k,
			                   l->card.bits[c][k], l->learnt.bits[c][k], l->seen[c][k]);
}

/* In a sentence. */
static void learn_conclude(const struct drg_learning *l)
{
	const struct drg_fit_judgement *j = &l->judgement;
	printf("each hotel foretold by weights that were learnt without it: %.3f bits of surprise before, "
	       "%.3f "
	       "after, a gain of %.3f (from %.3f to %.3f, 95 %%)\n",
	       j->before, j->after, j->gain, j->from, j->to);
	if (l->better && l->what == DRG_FIT_SCALE)
		printf("it is better: it decides as before, but how sure it says it is comes nearer to what "
		       "you "
		       "answered\n");
	else if (l->better)
		printf("it is better: these weights fit your suppliers, and from %.2f bits on it is "
		       "automatic "
		       "(before: %.2f)\n",
		       l->learnt.automatic, l->card.automatic);
	else
		printf("it is not better: %s, so keep the weights in use\n",
		       j->from <= 0 ? "the answers do not show a gain yet"
		                    : "more would be wrong, or less found");
}

static void learn_report(const struct drg_learning *l)
{
	printf("people have said of %" PRIu64 " hotels what they are, and of %" PRIu64
	       " pairs that they are not the "
	       "same\n",
	       l->records, l->apart);
	printf("%" PRIu64 " pairs were compared, %" PRIu64 " of them the same", l->pairs, l->same);
	if (l->missed > 0)
		printf("; of %" PRIu64 " hotels what they are was not among the candidates", l->missed);
	printf("\n%s\n", l->what == DRG_FIT_LEVELS ? "each level learns by itself; changes of bits:"
	                                           : "these are too few for each level: the bias and one "
	                                             "factor for all learn; changes of bits:");
	learn_print_changes(l);
	printf("on %" PRIu64 " hotels that people have decided:\n", l->judged);
	learn_print_outcomes("before", &l->before);
	learn_print_outcomes("after ", &l->after);
	learn_conclude(l);
}

/* ---- using the result -------------------------------------------------------------------------------- */

static int learn_save(struct drg_cli *cli, struct drg_str card)
{
	const char *path = drg_opt_text(cli->options, "output");
	FILE *f = path != NULL ? fopen(path, "we") : NULL;
	if (path == NULL)
		return DRG_OK;
	bool good = f != NULL && fwrite(card.p, 1, card.n, f) == card.n;
	int error = errno;
	if (f != NULL && fclose(f) != 0 && good) {
		good = false;
		error = errno;
	}
	if (!good)
		return drg_fail(&cli->err, drg_rc_from_errno(error), NULL, "output", "--output %s: %s", path,
		                strerror(error));
	printf("%s has it; 'dragoman match --weights %s --dry-run' shows what it would decide, 'dragoman "
	       "match weights set "
	       "%s' takes it into use\n",
	       path, path, path);
	return DRG_OK;
}

static int learn_apply(struct drg_cli *cli, struct drg_store *s, const struct drg_learning *l,
                       struct drg_str card)
{
	char why[128];
	struct drg_weights_set x = { .text = card, .by = drg_person(cli), .why = drg_reason(cli) };
	if (!drg_opt_flag(cli->options, "apply"))
		return DRG_OK;
	if (!l->better)
		return drg_fail(&cli->err, DRG_EINVAL, NULL, "apply",
		                "--apply: it is not better, and was not taken into use");
	if (x.why.n == 0)
		x.why = drg_str(why, (size_t)snprintf(why, sizeof why, "learnt from %" PRIu64 " decisions",
		                                      l->records + l->apart));
	int rc = drg_txn_run(s, drg_weights_activate, &x, &cli->err);
	if (rc == DRG_OK)
		printf("scorecard %" PRId64 " is in use; 'dragoman match weights list' has those of before\n",
		       x.id);
	return rc;
}

static int learn_card(struct drg_cli *cli, struct drg_store *s, const struct drg_learning *l)
{
	struct drg_buf text;
	drg_buf_init(&text, DRG_WEIGHTS_TEXT_MAX);
	drg_scorecard_write(&l->learnt, &text);
	int rc = text.rc == DRG_OK ? learn_save(cli, drg_buf_view(&text)) : drg_fail_memory(&cli->err);
	if (rc == DRG_OK)
		rc = learn_apply(cli, s, l, drg_buf_view(&text));
	drg_buf_done(&text);
	return rc;
}

int drg_cmd_match_learn(struct drg_cli *cli)
{
	struct drg_learning l = { .imported = drg_opt_flag(cli->options, "imported"),
		                  .progress = drg_progress_records };
	struct drg_progress progress;
	struct drg_store *s;
	bool apply = drg_opt_flag(cli->options, "apply");
	int rc = drg_cli_open_store(cli, apply ? DRG_STORE_WRITE : DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_progress_init(&progress);
	l.ctx = &progress;
	rc = drg_weights_card(s, &l.card, &cli->err);
	if (rc == DRG_OK)
		rc = drg_learn(s, &l, &cli->err);
	drg_progress_clear(&progress);
	if (rc == DRG_OK) {
		learn_report(&l);
		rc = learn_card(cli, s, &l);
	}
	drg_store_close(s);
	return rc;
}
