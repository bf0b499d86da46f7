/* dragoman match weights: the scorecard in use, and which one is (decision M37). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "cli/listing.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"
#include "matching/learn/weights.h"
#include "text/lines.h"

/* ---- files --------------------------------------------------------------------------------------------- */

static int weights_file(const char *path, struct drg_buf *out, struct drg_err *reterr)
{
	struct drg_lines *lines;
	struct drg_str line;
	int rc = drg_lines_open(path, DRG_WEIGHTS_TEXT_MAX, &lines, reterr);
	if (rc != DRG_OK)
		return rc;
	while ((rc = drg_lines_next(lines, &line, reterr)) == DRG_OK) {
		drg_buf_str(out, line);
		drg_buf_char(out, '\n');
	}
	drg_lines_close(lines);
	if (out->rc == DRG_ELIMIT)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "it is too long for a scorecard");
	return rc == DRG_ENOENT ? out->rc : rc;
}

int drg_match_share(struct drg_cli *cli, const char *name, double least, double most, double *ret)
{
	const char *text = drg_opt_text(cli->options, name);
	char *end = NULL;
	double share = text != NULL ? strtod(text, &end) : 0;
	if (text != NULL && (*text == '\0' || *end != '\0' || !(share >= least && share <= most)))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, name,
		                "--%s: expected a number from %g to %g, found \"%s\"", name, least, most,
		                text);
	*ret = share;
	return DRG_OK;
}

int drg_match_card(struct drg_cli *cli, struct drg_store *s, struct drg_scorecard *ret)
{
	const char *path = drg_opt_text(cli->options, "weights");
	struct drg_buf text;
	struct drg_err e = { .code = DRG_OK };
	if (path == NULL)
		return drg_weights_card(s, ret, &cli->err);
	drg_buf_init(&text, DRG_WEIGHTS_TEXT_MAX);
	int rc = weights_file(path, &text, &e);
	if (rc == DRG_OK)
		rc = drg_scorecard_read(drg_buf_view(&text), &drg_scorecard_hotels, ret, &e);
	drg_buf_done(&text);
	return rc == DRG_OK ? rc
	                    : drg_fail(&cli->err, rc, NULL, "weights", "--weights %s: %s", path, e.message);
}

/* ---- show ---------------------------------------------------------------------------------------------- */

static int weights_write(struct drg_cli *cli, const struct drg_scorecard *card)
{
	struct drg_buf text;
	drg_buf_init(&text, DRG_WEIGHTS_TEXT_MAX);
	drg_scorecard_write(card, &text);
	fwrite(text.p, 1, text.n, stdout);
	int rc = text.rc == DRG_OK ? DRG_OK : drg_fail_memory(&cli->err);
	drg_buf_done(&text);
	return rc;
}

static void weights_print(const struct drg_weights *w)
{
	printf("# scorecard %" PRId64 ": %s, in use since %.*s", w->id,
	       w->own ? "the operator's" : "the program's own", DRG_STR_ARG(w->at));
	if (w->by.n > 0)
		drg_print(stdout, " by %.*s", DRG_STR_ARG(w->by));
	if (w->why.n > 0)
		drg_print(stdout, " (%.*s)", DRG_STR_ARG(w->why));
	putchar('\n');
}

static int weights_in_store(struct drg_cli *cli, struct drg_scorecard *card)
{
	struct drg_weights w;
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_weights_in_use(s, cli->arena, &w, &cli->err);
	if (rc == DRG_OK)
		rc = drg_weights_card(s, card, &cli->err);
	drg_store_close(s);
	if (rc == DRG_OK && w.id > 0)
		weights_print(&w);
	else if (rc == DRG_OK)
		printf("# the program's own scorecard, in use since no other one was taken\n");
	return rc;
}

static int weights_show(struct drg_cli *cli, const char *arg)
{
	struct drg_scorecard card = drg_scorecard_hotels;
	int rc = DRG_OK;
	(void)arg;
	if (drg_opt_given(cli->options, "weights"))
		rc = drg_match_card(cli, NULL, &card);
	else if (drg_opt_given(cli->options, "data") || drg_opt_given(cli->options, "store"))
		rc = weights_in_store(cli, &card);
	else
		printf("# the program's own scorecard; with --data that of the store\n");
	return rc == DRG_OK ? weights_write(cli, &card) : rc;
}

/* ---- set, use, reset ----------------------------------------------------------------------------------- */

static int weights_decide(struct drg_cli *cli, struct drg_weights_set *x)
{
	x->by = drg_person(cli);
	x->why = drg_reason(cli);
	int rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_weights_activate, x);
	if (rc != DRG_OK)
		return rc;
	if (!x->changed)
		printf("it is in use already, nothing changed\n");
	else
		printf("scorecard %" PRId64 " is in use; 'dragoman match --dry-run' shows what it decides\n",
		       x->id);
	return DRG_OK;
}

static int weights_set(struct drg_cli *cli, const char *path)
{
	struct drg_buf text;
	struct drg_err e = { .code = DRG_OK };
	drg_buf_init(&text, DRG_WEIGHTS_TEXT_MAX);
	int rc = weights_file(path, &text, &e);
	struct drg_weights_set x = { .text = drg_buf_view(&text) };
	if (rc == DRG_OK && text.n == 0)
		rc = drg_fail(&e, DRG_EINVAL, NULL, NULL,
		              "it is empty; 'match weights reset' takes the program's own");
	if (rc == DRG_OK) {
		rc = weights_decide(cli, &x);
		e = cli->err;
	}
	drg_buf_done(&text);
	return rc == DRG_OK ? rc : drg_fail(&cli->err, rc, NULL, "weights", "%s: %s", path, e.message);
}

static int weights_use(struct drg_cli *cli, const char *number)
{
	struct drg_weights_set x = { .again = 0 };
	int rc = drg_cli_parse_number(cli, "N", number, &x.again);
	if (rc == DRG_OK && x.again <= 0)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "N",
		              "N: expected the number of a scorecard; 'match weights list' has them");
	return rc == DRG_OK ? weights_decide(cli, &x) : rc;
}

static int weights_reset(struct drg_cli *cli, const char *arg)
{
	struct drg_weights_set x = { .again = 0 };
	(void)arg;
	return weights_decide(cli, &x);
}

/* ---- list ---------------------------------------------------------------------------------------------- */

static const struct drg_listing_column weights_columns[] = {
	{ "id", -6 }, { "at", 27 }, { "what", 10 }, { "by", 16 }, { "why", 0 },
};

static int weights_line(void *ctx, const struct drg_weights *w)
{
	struct drg_listing *l = ctx;
	drg_listing_int(l, w->id);
	drg_listing_text(l, w->at);
	drg_listing_text(l, w->own ? DRG_STR("operator") : DRG_STR("program"));
	drg_listing_text(l, w->by);
	drg_listing_text(l, w->why);
	return drg_listing_row(l);
}

static int weights_list(struct drg_cli *cli, const char *arg)
{
	struct drg_listing l;
	struct drg_store *s;
	(void)arg;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_listing_open(cli, weights_columns, DRG_ARRAY_LEN(weights_columns), &l);
	if (rc == DRG_OK)
		rc = drg_listing_close(&l, cli, drg_weights_each(s, weights_line, &l, &cli->err));
	drg_store_close(s);
	return rc;
}

/* ---- the command --------------------------------------------------------------------------------------- */

int drg_cmd_match_weights(struct drg_cli *cli)
{
	static const struct {
		const char *word;
		size_t args;
		int (*run)(struct drg_cli *cli, const char *arg);
	} words[] = { { "show", 1, weights_show },
		      { "set", 2, weights_set },
		      { "use", 2, weights_use },
		      { "reset", 1, weights_reset },
		      { "list", 1, weights_list } };
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	if (n == 0)
		return weights_show(cli, NULL);
	for (size_t i = 0; i < DRG_ARRAY_LEN(words); i++)
		if (strcmp(args[0], words[i].word) == 0 && n == words[i].args)
			return words[i].run(cli, args[1]);
	return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
	                "match weights: expected show, set FILE, use N, reset or list");
}
