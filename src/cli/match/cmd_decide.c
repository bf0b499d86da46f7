/* dragoman match accept, match reject, match load: people's answers to the queue. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/lists/names.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "cli/read_back.h"
#include "console/say.h"
#include "cli/store.h"
#include "load/answers_load.h"

/* SUPPLIER KIND ID [DICT_ID] */
static int answer_give(struct drg_cli *cli, struct drg_decision *d)
{
	const char *dict = drg_opt_args(cli->options, NULL)[3];
	d->suggested = dict == NULL;
	int rc = drg_cli_source(cli, &d->adapter, &d->kind, &d->id);
	if (rc == DRG_OK && dict != NULL)
		rc = drg_cli_parse_number(cli, "DICT_ID", dict, &d->dict_id);
	if (rc == DRG_OK && dict == NULL && d->verb == DRG_VERB_UNDO_NOT_SAME)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL,
		              "--undo: name the DICT_ID that it may be after all");
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, d);
	if (rc == DRG_OK)
		drg_print(stdout, "adapter %" PRId64 " %s %.*s: ", d->adapter, drg_kind_name(d->kind),
		          DRG_STR_ARG(d->id));
	return rc;
}

/* Reject options that select among many: they would have no effect on one record. */
static int accept_one_alone(struct drg_cli *cli)
{
	static const char *const of_many[] = { "dry-run", "adapter", "kind", "country", "reason" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(of_many); i++)
		if (drg_opt_given(cli->options, of_many[i]))
			return drg_fail(&cli->err, DRG_EUSAGE, NULL, of_many[i],
			                "--%s goes with --above, and not with one record", of_many[i]);
	return DRG_OK;
}

int drg_cmd_match_accept(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_MAP };
	const bool all = drg_opt_text(cli->options, "above") != NULL;
	const char *const *args = drg_opt_args(cli->options, NULL);
	if (all && args[0] == NULL)
		return drg_match_accept_all(cli);
	if (all)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "above",
		                "--above is for all that the options show; leave SUPPLIER KIND ID out");
	if (args[0] == NULL || args[1] == NULL || args[2] == NULL)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		                "name one record, or say with --above how likely all are to be right");
	int rc = accept_one_alone(cli);
	if (rc == DRG_OK)
		rc = answer_give(cli, &d);
	if (rc != DRG_OK)
		return rc;
	printf(d.is.changed ? "mapped to %" PRId64 "\n" : "mapped to %" PRId64 " already, nothing changed\n",
	       d.is.is);
	if (d.is.was_apart)
		printf("warning: somebody had said that they are not the same; that is forgotten now\n");
	return DRG_OK;
}

int drg_cmd_match_reject(struct drg_cli *cli)
{
	bool undo = drg_opt_flag(cli->options, "undo");
	struct drg_decision d = { .verb = undo ? DRG_VERB_UNDO_NOT_SAME : DRG_VERB_NOT_SAME };
	int rc = answer_give(cli, &d);
	if (rc != DRG_OK)
		return rc;
	if (undo)
		puts(d.is.changed ? "undone: it can be mapped to this one again"
		                  : "nobody had said that it is not this one, nothing changed");
	else
		printf("it is not %" PRId64 "%s%s\n", d.dict_id, d.is.changed ? "" : ", as was said before",
		       d.is.was_mapped && !d.is.is_mapped ? "; that mapping is taken away" : "");
	return DRG_OK;
}

/* ---- load ---------------------------------------------------------------------------------------------- */

int drg_cmd_match_load(struct drg_cli *cli)
{
	struct drg_answers_load m = { .list = drg_cli_read_back(cli) };
	struct drg_name_index *names = NULL;
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	if (!drg_opt_flag(cli->options, "anyway"))
		rc = drg_cli_names(cli, s, DRG_TYPE_DICT, &names);
	m.names = names;
	if (rc == DRG_OK)
		rc = drg_answers_load(s, &m, &cli->err);
	drg_name_index_close(names);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("%" PRIu64 " rows: %" PRIu64 " accepted, %" PRIu64 " rejected, %" PRIu64 " made new, %" PRIu64
	       " as before or not answered, %" PRIu64 " refused%s\n",
	       m.list.rows, m.accepted, m.rejected, m.made, m.list.same, m.list.n_refused,
	       m.list.dry_run ? "; nothing applied" : "");
	if (m.beside > 0)
		printf("%" PRIu64
		       " of these are called like a record of the reference nearby: write its id into the "
		       "column \"decision\", or take --anyway\n",
		       m.beside);
	return drg_cli_read_back_end(cli, &m.list);
}
