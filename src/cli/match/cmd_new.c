/* dragoman match new: what suppliers have and the reference has not (decision M40). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "cli/listing.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "cli/read_back.h"
#include "console/progress.h"
#include "console/say.h"
#include "cli/store.h"
#include "matching/propose/accept.h"
#include "load/new_load.h"

/* A row for each member; `match new FILE --accept` reads it back by these names. */
static const struct drg_listing_column new_columns[] = {
	{ "cluster", -7 }, { "adapter_id", 10 }, { "kind", 6 },       { "id", 16 },
	{ "name", 32 },    { "city", 16 },       { "suppliers", -9 }, { "new_name", 32 },
	{ "lat", -9 },     { "lng", -9 },        { "country", 7 },    { "city_id", 8 },
	{ "category", 8 }, { "bits", -6 },       { "lacks", 8 },      { "decision", 0 },
};

struct new_listing {
	struct drg_listing l;
	int64_t cluster;
};

static void new_real(struct drg_listing *l, int decimals, double value)
{
	char text[32];
	if (isnan(value))
		drg_listing_none(l);
	else
		drg_listing_number(
		        l, drg_str(text, (size_t)snprintf(text, sizeof text, "%.*f", decimals, value)));
}

static void cmd_new_id(struct drg_listing *l, int64_t id)
{
	if (id == INT64_MIN)
		drg_listing_none(l);
	else
		drg_listing_int(l, id);
}

static const char *new_lacks(const struct drg_proposal *p)
{
	return p->country == INT64_MIN    ? "country"
	       : p->city == INT64_MIN     ? "city"
	       : p->category == INT64_MIN ? "category"
	                                  : "";
}

static int new_member(struct new_listing *x, const struct drg_proposal *p,
                      const struct drg_proposal_member *m)
{
	struct drg_listing *l = &x->l;
	drg_listing_int(l, x->cluster);
	drg_listing_int(l, m->adapter);
	drg_listing_text(l, DRG_STR("hotel"));
	drg_listing_text(l, m->id);
	drg_listing_text(l, m->name);
	drg_listing_text(l, m->city);
	drg_listing_int(l, (int64_t)p->n);
	drg_listing_text(l, p->name);
	new_real(l, 6, p->lat);
	new_real(l, 6, p->lng);
	cmd_new_id(l, p->country);
	cmd_new_id(l, p->city);
	cmd_new_id(l, p->category);
	new_real(l, 1, p->bits);
	drg_listing_text(l, drg_str_c(new_lacks(p)));
	drg_listing_text(l, drg_str("", 0));
	return drg_listing_row(l);
}

static int new_print(void *ctx, const struct drg_proposal *p)
{
	struct new_listing *x = ctx;
	int rc = DRG_OK;
	x->cluster++;
	for (size_t i = 0; i < p->n && rc == DRG_OK; i++)
		rc = new_member(x, p, &p->members[i]);
	return rc;
}

/* Beside the list. */
static void new_print_left_out(const struct drg_proposing *p)
{
	if (p->in_reference > 0)
		fprintf(stderr,
		        "%" PRIu64
		        " hotels that the last match found nothing for are left out: compared again, "
		        "they may be something in the reference; 'dragoman match' looks at them again\n",
		        p->in_reference);
}

static int new_list(struct drg_cli *cli, struct drg_store *s, struct drg_proposing *p)
{
	struct new_listing x = { .cluster = 0 };
	static const char *const answers[] = { "new", NULL };
	int rc = drg_listing_open(cli, new_columns, DRG_ARRAY_LEN(new_columns), &x.l);
	if (rc == DRG_OK) {
		drg_listing_offer(&x.l, "decision", answers);
		rc = drg_listing_close(&x.l, cli, drg_propose(s, p, new_print, &x, &cli->err));
	}
	drg_progress_clear(p->ctx);
	if (rc == DRG_OK && drg_listing_choose(cli).is_file)
		printf("%" PRIu64 " new records are proposed, of %" PRIu64 " of %" PRIu64
		       " hotels that the last match found nothing for; write \"new\" into the column "
		       "\"decision\" of what belongs "
		       "together, and 'dragoman match new FILE --accept' makes them\n",
		       p->proposals, p->members, p->records);
	if (rc == DRG_OK)
		new_print_left_out(p);
	return rc;
}

/* ---- making -------------------------------------------------------------------------------------------- */

static void new_refused(void *ctx, const char *where, const char *why)
{
	(void)ctx;
	drg_print(stdout, "refused %s: %s\n", where, why);
}

static void new_made(void *ctx, const struct drg_new_made *m)
{
	(void)ctx;
	drg_print(stdout, "would make of cluster %" PRId64 ", %zu suppliers' records: %.*s", m->number, m->n,
	          DRG_STR_ARG(m->name));
	drg_print(stdout, "%s%.*s%s%.*s\n", m->city.n > 0 ? ", " : "", DRG_STR_ARG(m->city),
	          m->country.n > 0 ? ", " : "", DRG_STR_ARG(m->country));
}

static void new_print_counts(const struct drg_new_accept *a)
{
	printf("%s%" PRIu64 " new records of %" PRIu64 " suppliers' records, %" PRIu64 " refused\n",
	       a->dry_run ? "dry run, nothing is changed: " : "", a->made, a->mapped, a->n_refused);
	if (a->same > 0)
		printf("%" PRIu64 " were made before: nothing is to do for them\n", a->same);
	if (a->ledger.state.batch > 0)
		printf("batch %" PRId64 "; undo it with 'dragoman batch undo %" PRId64 "'\n",
		       a->ledger.state.batch, a->ledger.state.batch);
}

static int new_accept(struct drg_cli *cli, struct drg_store *s, struct drg_proposing *p)
{
	bool dry_run = drg_opt_flag(cli->options, "dry-run");
	struct drg_new_accept a = { .by = drg_person(cli),
		                    .why = drg_reason(cli),
		                    .dry_run = dry_run,
		                    .makes = dry_run ? new_made : NULL,
		                    .refused = new_refused };
	struct drg_new_load load = { .list = drg_cli_read_back(cli), .accept = &a };
	int rc = load.list.n_files > 0 ? drg_new_load(s, &load, &cli->err)
	                               : drg_new_accept_all(s, p, &a, &cli->err);
	drg_progress_clear(p->ctx);
	if (rc == DRG_OK || a.made > 0)
		new_print_counts(&a);
	drg_cli_read_back_more(&load.list);
	new_print_left_out(p);
	if (rc == DRG_OK && load.list.n_refused > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL,
		              "%" PRIu64 " rows were refused, and nothing was made of their file",
		              load.list.n_refused);
	else if (rc == DRG_OK && a.n_refused > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%" PRIu64 " new records were refused",
		              a.n_refused);
	return rc;
}

int drg_cmd_match_new(struct drg_cli *cli)
{
	struct drg_progress progress;
	struct drg_proposing p = { .threads = (unsigned)drg_opt_int(cli->options, "threads"),
		                   .progress = drg_progress_records,
		                   .ctx = &progress };
	bool accept = drg_opt_flag(cli->options, "accept");
	struct drg_store *s;
	size_t n;
	(void)drg_opt_args(cli->options, &n);
	if (drg_opt_flag(cli->options, "dry-run") && !accept)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL, "match new: --dry-run goes with --accept");
	if (n > 0 && !accept)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL, "match new: a FILE is read with --accept");
	int rc = drg_cli_open_store(cli, accept ? DRG_STORE_WRITE : DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_progress_init(&progress);
	rc = drg_match_card(cli, s, &p.card);
	if (rc == DRG_OK)
		rc = accept ? new_accept(cli, s, &p) : new_list(cli, s, &p);
	drg_store_close(s);
	return rc;
}
