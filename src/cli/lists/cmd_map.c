#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/country.h"
#include "cli/person.h"
#include "cli/read_back.h"
#include "console/say.h"
#include "cli/store.h"
#include "load/map_load.h"

/* ---- set, clear, undo ---------------------------------------------------------------------------------- */

static void print_mapping(bool mapped, int64_t id)
{
	if (mapped)
		printf("%" PRId64, id);
	else
		fputs("not mapped", stdout);
}

static int map_decide(struct drg_cli *cli, struct drg_decision *d)
{
	const struct drg_decision_result *c = &d->is;
	int rc = drg_cli_source(cli, &d->adapter, &d->kind, &d->id);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, d);
	if (rc != DRG_OK)
		return rc;
	if (c->redirected)
		printf("%s %" PRId64 " was merged into %" PRId64 "\n", drg_kind_name(d->kind), c->asked,
		       c->is);
	if (c->was_apart)
		printf("warning: somebody had said that they are not the same; that is forgotten now\n");
	drg_print(stdout, "adapter %" PRId64 " %s %.*s: ", d->adapter, drg_kind_name(d->kind),
	          DRG_STR_ARG(d->id));
	print_mapping(c->was_mapped, c->was);
	if (c->changed) {
		fputs(" -> ", stdout);
		print_mapping(c->is_mapped, c->is);
	} else {
		fputs(" already, nothing changed", stdout);
	}
	putchar('\n');
	return DRG_OK;
}

int drg_cmd_map_set(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_MAP };
	int rc = drg_cli_parse_number(cli, "DICT_ID", drg_opt_args(cli->options, NULL)[3], &d.dict_id);
	return rc == DRG_OK ? map_decide(cli, &d) : rc;
}

int drg_cmd_map_clear(struct drg_cli *cli)
{
	return map_decide(cli, &(struct drg_decision){ .verb = DRG_VERB_CLEAR });
}

int drg_cmd_map_undo(struct drg_cli *cli)
{
	return map_decide(cli, &(struct drg_decision){ .verb = DRG_VERB_UNDO });
}

/* Map the country of a hotel or city: for all that name the country as it does (decision M44). */
int drg_cmd_map_country(struct drg_cli *cli)
{
	struct drg_decision d = { .verb = DRG_VERB_COUNTRY, .texts = cli->arena };
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_country(cli, s, drg_opt_args(cli->options, NULL)[3], &d.dict_id);
	drg_store_close(s);
	if (rc == DRG_OK)
		rc = drg_cli_source(cli, &d.adapter, &d.kind, &d.id);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, &d);
	if (rc == DRG_OK)
		drg_print(stdout,
		          "adapter %" PRId64 " %s %.*s: the country that it names, %.*s, is %" PRId64 "%s\n",
		          d.adapter, drg_kind_name(d.kind), DRG_STR_ARG(d.id), DRG_STR_ARG(d.is.country),
		          d.dict_id, d.is.changed ? "" : " already, nothing changed");
	return rc;
}

/* ---- load ---------------------------------------------------------------------------------------------- */

int drg_cmd_map_load(struct drg_cli *cli)
{
	struct drg_map_load m = { .list = drg_cli_read_back(cli) };
	struct drg_store *s;
	int rc = drg_cli_open_store(cli, m.list.dry_run ? DRG_STORE_READ : DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_map_load(s, &m, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("%" PRIu64 " rows: %" PRIu64 " mapped, %" PRIu64 " cleared, %" PRIu64 " as before, %" PRIu64
	       " refused%s\n",
	       m.list.rows, m.mapped, m.cleared, m.list.same, m.list.n_refused,
	       m.list.dry_run ? "; nothing applied" : "");
	return drg_cli_read_back_end(cli, &m.list);
}
