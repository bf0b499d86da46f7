/* dragoman match accept, match reject, match load: people's answers to the queue. */
#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/refused.h"
#include "cli/say.h"
#include "cli/store.h"
#include "curate/answer.h"
#include "curate/apart.h"
#include "load/answers_load.h"

/* SUPPLIER KIND ID [DICT_ID] */
static int answer_read(struct drg_cli *cli, struct drg_answer *a)
{
	const char *const *args = drg_opt_args(cli->options, NULL);
	a->by = drg_person(cli);
	a->why = drg_reason(cli);
	a->has_dict = args[3] != NULL;
	int rc = drg_cli_source(cli, &a->adapter, &a->kind, &a->id);
	return rc == DRG_OK && a->has_dict ? drg_read_number(cli, "DICT_ID", args[3], &a->dict_id) : rc;
}

static int answer_give(struct drg_cli *cli, enum drg_answer_sort sort, struct drg_answer *a)
{
	a->sort = sort;
	int rc = answer_read(cli, a);
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_answer_give, a);
	if (rc == DRG_OK)
		drg_say(stdout, "adapter %" PRId64 " %s %.*s: ", a->adapter, drg_kind_name(a->kind),
		        DRG_STR_ARG(a->id));
	return rc;
}

int drg_cmd_match_accept(struct drg_cli *cli)
{
	struct drg_answer a = { .adapter = 0 };
	int rc = answer_give(cli, DRG_ANSWER_ACCEPT, &a);
	if (rc != DRG_OK)
		return rc;
	printf(a.changed ? "mapped to %" PRId64 "\n" : "mapped to %" PRId64 " already, nothing changed\n",
	       a.dict_id);
	if (a.was_apart)
		printf("warning: somebody had said that they are not the same; that is forgotten now\n");
	return DRG_OK;
}

static int reject_undo(struct drg_cli *cli)
{
	struct drg_answer a = { .adapter = 0 };
	int rc = answer_read(cli, &a);
	if (rc == DRG_OK && !a.has_dict)
		return drg_fail(&cli->err, DRG_EINVAL, NULL, NULL,
		                "--undo: name the DICT_ID that it may be after all");
	struct drg_apart said = { .adapter = a.adapter,
		                  .kind = a.kind,
		                  .id = a.id,
		                  .dict_id = a.dict_id,
		                  .by = a.by,
		                  .why = a.why };
	if (rc == DRG_OK)
		rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_apart_unsay, &said);
	if (rc == DRG_OK)
		drg_say(stdout, "adapter %" PRId64 " %s %.*s: %s\n", a.adapter, drg_kind_name(a.kind),
		        DRG_STR_ARG(a.id),
		        said.changed ? "that it is not this one is taken back"
		                     : "nobody had said that it is not this one, nothing changed");
	return rc;
}

int drg_cmd_match_reject(struct drg_cli *cli)
{
	struct drg_answer a = { .adapter = 0 };
	if (drg_opt_flag(cli->options, "undo"))
		return reject_undo(cli);
	int rc = answer_give(cli, DRG_ANSWER_REJECT, &a);
	if (rc != DRG_OK)
		return rc;
	printf("it is not %" PRId64 "%s%s\n", a.dict_id, a.changed ? "" : ", as was said before",
	       a.was_mapped ? "; that mapping is taken away" : "");
	return DRG_OK;
}

/* ---- load ------------------------------------------------------------------------------------------------- */

int drg_cmd_match_load(struct drg_cli *cli)
{
	struct drg_answers_load m = { .by = drg_person(cli),
		                      .why = drg_reason(cli),
		                      .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                      .refused = drg_say_refused };
	struct drg_store *s;
	m.files = drg_opt_args(cli->options, &m.n_files);
	int rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_answers_load(s, &m, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("%" PRIu64 " rows: %" PRIu64 " accepted, %" PRIu64 " rejected, %" PRIu64 " made new, %" PRIu64
	       " as before or not answered, %" PRIu64 " refused%s\n",
	       m.rows, m.n[DRG_ANSWER_ACCEPT], m.n[DRG_ANSWER_REJECT], m.n[DRG_ANSWER_NEW], m.same,
	       m.n_refused, m.dry_run ? "; nothing applied" : "");
	if (m.batch > 0 && !m.dry_run)
		printf("batch %" PRId64 "; 'dragoman batch undo %" PRId64
		       "' takes it back, but not what was rejected\n",
		       m.batch, m.batch);
	return drg_end_refused(cli, m.n_refused);
}
