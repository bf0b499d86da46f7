#include <inttypes.h>
#include <stdio.h>

#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"

/* KIND FROM [INTO] */
static int dict_decide(struct drg_cli *cli, struct drg_decision *d)
{
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	int rc = drg_cli_parse_kind(cli, args[0], DRG_KINDS_ALL, &d->kind);
	if (rc == DRG_OK)
		rc = drg_cli_parse_number(cli, "FROM", args[1], &d->dict_id);
	if (rc == DRG_OK && n > 2)
		rc = drg_cli_parse_number(cli, "INTO", args[2], &d->into);
	return rc == DRG_OK ? drg_cli_decide(cli, d) : rc;
}

static void dict_print_sums(const struct drg_merge_sums *sums)
{
	printf("moved: %" PRIu64 " sources, %" PRIu64 " other records, %" PRIu64 " redirects\n",
	       sums->sources, sums->others, sums->redirects);
}

int drg_cmd_dict_merge(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_MERGE };
	const struct drg_merge_sums *sums = &d.is.sums;
	int rc = dict_decide(cli, &d);
	if (rc != DRG_OK)
		return rc;
	if (sums->into != d.into)
		printf("%s %" PRId64 " was merged into %" PRId64 "\n", drg_kind_name(d.kind), d.into,
		       sums->into);
	printf("%s %" PRId64 " is merged into %" PRId64 "; ", drg_kind_name(d.kind), d.dict_id, sums->into);
	dict_print_sums(sums);
	if (sums->apart > 0)
		printf("warning: of %" PRIu64
		       " sources somebody had said that they are not what they are mapped to "
		       "now; undo the merge with 'dragoman dict split %s %" PRId64 "'\n",
		       sums->apart, drg_kind_name(d.kind), d.dict_id);
	return DRG_OK;
}

int drg_cmd_dict_split(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_SPLIT };
	int rc = dict_decide(cli, &d);
	if (rc != DRG_OK)
		return rc;
	printf("%s %" PRId64 " is split from %" PRId64 "; ", drg_kind_name(d.kind), d.dict_id,
	       d.is.sums.into);
	dict_print_sums(&d.is.sums);
	return DRG_OK;
}

/* ---- name ---------------------------------------------------------------------------------------------- */

static int dict_read_naming(struct drg_cli *cli, struct drg_decision *d)
{
	size_t n_args;
	const char *const *args = drg_opt_args(cli->options, &n_args);
	bool removes = drg_opt_flag(cli->options, "remove"), undoes = drg_opt_flag(cli->options, "undo");
	if ((n_args > 3) + removes + undoes != 1)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		                "dict name: expected KIND ID LANG and one of NAME, --remove, --undo");
	d->verb = undoes ? DRG_VERB_UNDO_NAME : DRG_VERB_NAME;
	d->lang = drg_str_c(args[2]);
	d->name = n_args > 3 ? drg_str_c(args[3]) : drg_str(NULL, 0);
	if (n_args > 3 && d->name.n == 0)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "name",
		                "NAME: it is empty; --remove takes the name away");
	int rc = drg_cli_parse_kind(cli, args[0], DRG_KINDS_ALL, &d->kind);
	return rc == DRG_OK ? drg_cli_parse_number(cli, "ID", args[1], &d->dict_id) : rc;
}

static void dict_print_name(struct drg_str name)
{
	if (name.n > 0)
		drg_print(stdout, "\"%.*s\"", DRG_STR_ARG(name));
	else
		fputs("no name", stdout);
}

static void dict_print_naming(const struct drg_decision *d)
{
	drg_print(stdout, "%s %" PRId64 " in %.*s: ", drg_kind_name(d->kind), d->dict_id,
	          DRG_STR_ARG(d->lang));
	dict_print_name(d->is.name_was);
	if (d->is.changed) {
		fputs(" -> ", stdout);
		dict_print_name(d->is.name_is);
	} else {
		fputs(" already, nothing changed", stdout);
	}
	putchar('\n');
}

int drg_cmd_dict_name(struct drg_cli *cli)
{
	enum { NAMING_ROOM = 1 << 20 };
	struct drg_arena arena;
	drg_arena_init(&arena, NAMING_ROOM);
	struct drg_decision d = { .texts = &arena };
	int rc = dict_read_naming(cli, &d);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, &d);
	if (rc == DRG_OK)
		dict_print_naming(&d);
	drg_arena_done(&arena);
	return rc;
}
