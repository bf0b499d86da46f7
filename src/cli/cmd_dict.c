#include <inttypes.h>
#include <stdio.h>

#include "cli/person.h"
#include "cli/store.h"
#include "curate/merge.h"

/* KIND FROM [INTO] */
static int read_arguments(struct drg_cli *cli, struct drg_merge *m)
{
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	m->by = drg_person(cli);
	m->why = drg_reason(cli);
	int rc = drg_read_kind(cli, args[0], DRG_KIND_COUNT, &m->kind);
	if (rc == DRG_OK)
		rc = drg_read_number(cli, "FROM", args[1], &m->from);
	if (rc == DRG_OK && n > 2)
		rc = drg_read_number(cli, "INTO", args[2], &m->into);
	return rc;
}

static void dict_print_sums(const struct drg_merge_sums *sums)
{
	printf("moved: %" PRIu64 " sources, %" PRIu64 " other records, %" PRIu64 " redirects\n",
	       sums->sources, sums->others, sums->redirects);
}

int drg_cmd_dict_merge(struct drg_cli *cli)
{
	struct drg_merge m = { .from = 0 };
	int rc = read_arguments(cli, &m);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, DRG_STORE_WRITE, drg_dict_merge, &m);
	if (rc != DRG_OK)
		return rc;
	if (m.sums.into != m.into)
		printf("%s %" PRId64 " was merged into %" PRId64 "\n", drg_kind_name(m.kind), m.into,
		       m.sums.into);
	printf("%s %" PRId64 " is merged into %" PRId64 "; ", drg_kind_name(m.kind), m.from, m.sums.into);
	dict_print_sums(&m.sums);
	return DRG_OK;
}

int drg_cmd_dict_split(struct drg_cli *cli)
{
	struct drg_merge m = { .from = 0 };
	int rc = read_arguments(cli, &m);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, DRG_STORE_WRITE, drg_dict_split, &m);
	if (rc != DRG_OK)
		return rc;
	printf("%s %" PRId64 " is split from %" PRId64 "; ", drg_kind_name(m.kind), m.from, m.sums.into);
	dict_print_sums(&m.sums);
	return DRG_OK;
}
