/* dragoman match audit, match precision: a sample of what the matcher did, and what the judgements tell
 * (decision M39). */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "console/progress.h"
#include "cli/store.h"
#include "matching/learn/audit.h"
#include "matching/learn/weights.h"
#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"

/* ---- audit --------------------------------------------------------------------------------------------- */

/* `match load` reads the file back by these names. */
static const struct drg_listing_column audit_columns[] = {
	{ "adapter_id", 10 },   { "kind", 8 },        { "id", 16 },      { "name", 32 },
	{ "address", 24 },      { "city", 16 },       { "dict_id", 10 }, { "dict_name", 32 },
	{ "dict_address", 24 }, { "dict_city", 16 },  { "metres", -8 },  { "decision", 8 },
	{ "drawn", 5 },         { "explanation", 0 },
};

struct auditing {
	struct drg_cli *cli;
	struct drg_store *s;
	struct drg_listing listing;
	uint64_t drawn;
};

static int audit_city(struct auditing *x, const struct drg_record *dict, struct drg_arena *arena,
                      struct drg_str *ret)
{
	struct drg_record key, city;
	*ret = drg_str("", 0);
	if (!drg_record_has(dict, DRG_F_CITY_ID))
		return DRG_OK;
	drg_key_dict(&key, drg_kind_named_by(DRG_F_CITY_ID), dict->v[DRG_F_CITY_ID].i);
	int rc = drg_fetch(x->s, &key, arena, &city, &x->cli->err);
	if (rc == DRG_OK)
		rc = drg_main_name(&city, arena, ret);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static void audit_metres(struct drg_listing *l, const struct drg_record *a, const struct drg_record *b)
{
	bool known = drg_record_has(a, DRG_F_LAT) && drg_record_has(a, DRG_F_LNG) &&
	             drg_record_has(b, DRG_F_LAT) && drg_record_has(b, DRG_F_LNG);
	if (!known) {
		drg_listing_none(l);
		return;
	}
	const struct drg_place_record pa = { .lat = a->v[DRG_F_LAT].d, .lng = a->v[DRG_F_LNG].d };
	const struct drg_place_record pb = { .lat = b->v[DRG_F_LAT].d, .lng = b->v[DRG_F_LNG].d };
	drg_listing_int(l, (int64_t)drg_metres(&pa, &pb));
}

static struct drg_str audit_text(const struct drg_record *r, enum drg_field f)
{
	return drg_kind_compared(drg_record_kind(r)) == DRG_COMPARED_HOTELS ? drg_record_s(r, f)
	                                                                    : drg_str("", 0);
}

static int audit_print(void *ctx, const struct drg_audit_item *item)
{
	struct auditing *x = ctx;
	struct drg_listing *l = &x->listing;
	struct drg_arena arena;
	struct drg_str city, name = { 0 };
	drg_arena_init(&arena, 1 << 20);
	x->drawn++;
	int rc = audit_city(x, &item->dict, &arena, &city);
	if (rc == DRG_OK)
		rc = drg_main_name(&item->dict, &arena, &name);
	drg_listing_int(l, item->source.v[DRG_F_ADAPTER_ID].i);
	drg_listing_text(l, drg_str_c(drg_kind_name(drg_record_kind(&item->source))));
	drg_listing_text(l, item->source.v[DRG_F_SOURCE_ID].s);
	drg_listing_text(l, drg_record_s(&item->source, DRG_F_NAME));
	drg_listing_text(l, audit_text(&item->source, DRG_F_ADDRESS));
	drg_listing_text(l, audit_text(&item->source, DRG_F_CITY_NAME));
	drg_listing_int(l, item->dict.v[DRG_F_ID].i);
	drg_listing_text(l, name);
	drg_listing_text(l, audit_text(&item->dict, DRG_F_ADDRESS));
	drg_listing_text(l, city);
	audit_metres(l, &item->source, &item->dict);
	drg_listing_text(l, drg_str("", 0));
	drg_listing_text(l, DRG_STR("audit"));
	drg_listing_text(l, item->explanation);
	rc = rc == DRG_OK ? drg_listing_row(l) : rc;
	drg_arena_done(&arena);
	return rc;
}

int drg_cmd_match_audit(struct drg_cli *cli)
{
	static const char *const answers[] = { "accept", "reject", NULL };
	struct auditing x = { .cli = cli };
	struct drg_audit_draw d = { .size = (size_t)drg_opt_int(cli->options, "size"),
		                    .seed = (uint64_t)drg_opt_int(cli->options, "seed") };
	if (!drg_opt_given(cli->options, "seed"))
		d.seed = (uint64_t)drg_wall_us();
	int rc = drg_cli_which(cli, &d.adapter, &d.kind);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_listing_open(cli, audit_columns, DRG_ARRAY_LEN(audit_columns), &x.listing);
	if (rc == DRG_OK) {
		drg_listing_offer(&x.listing, "decision", answers);
		rc = drg_listing_close(&x.listing, cli, drg_audit_draw(x.s, &d, audit_print, &x, &cli->err));
	}
	drg_store_close(x.s);
	if (rc == DRG_OK && drg_listing_choose(cli).is_file)
		printf("%" PRIu64 " of %" PRIu64
		       " automatic mappings that nobody has judged; fill in the column \"decision\" "
		       "(accept, reject, or the right id), and 'dragoman match load' reads it back\n",
		       x.drawn, d.among);
	return rc;
}

/* ---- precision ----------------------------------------------------------------------------------------- */

static void bound_print(const struct drg_bound *b)
{
	double low, high;
	drg_wilson(b->right, b->above, &low, &high);
	printf("%" PRIu64 " judged hotels count; of %" PRIu64 " with %.2f bits and more %" PRIu64
	       " are right: %.4f (95 %%: %.4f to %.4f)\n",
	       b->counted, b->above, b->automatic, b->right, (double)b->right / (double)b->above, low, high);
}

static int bound_apply(struct drg_cli *cli, struct drg_store *s, const struct drg_bound *b)
{
	char why[128];
	struct drg_buf text;
	struct drg_scorecard card = b->card;
	card.automatic = b->automatic;
	drg_buf_init(&text, DRG_WEIGHTS_TEXT_MAX);
	drg_scorecard_write(&card, &text);
	struct drg_weights_set x = { .text = drg_buf_view(&text),
		                     .by = drg_person(cli),
		                     .why = drg_reason(cli) };
	if (x.why.n == 0)
		x.why = drg_str(why,
		                (size_t)snprintf(why, sizeof why, "bound for %g of %" PRIu64 " judged hotels",
		                                 b->wanted, b->counted));
	int rc = text.rc == DRG_OK ? drg_txn_run(s, drg_weights_activate, &x, &cli->err)
	                           : drg_fail_memory(&cli->err);
	drg_buf_done(&text);
	if (rc == DRG_OK)
		printf("scorecard %" PRId64 " is in use\n", x.id);
	return rc;
}

static int precision_bound(struct drg_cli *cli, struct drg_store *s, const struct drg_precision *p,
                           double wanted)
{
	struct drg_progress progress;
	struct drg_bound b = { .wanted = wanted, .progress = drg_progress_records, .ctx = &progress };
	drg_progress_init(&progress);
	int rc = drg_weights_card(s, &b.card, &cli->err);
	if (rc == DRG_OK)
		rc = drg_audit_bound(s, p, &b, &cli->err);
	drg_progress_clear(&progress);
	if (rc != DRG_OK)
		return rc;
	bound_print(&b);
	if (b.automatic <= b.card.automatic)
		printf("the bound in use is enough for %g\n", wanted);
	else if (!drg_opt_flag(cli->options, "apply"))
		printf("for %g the bound for automatic is to be %.2f bits, it is %.2f; --apply changes it\n",
		       wanted, b.automatic, b.card.automatic);
	else
		rc = bound_apply(cli, s, &b);
	return rc;
}

static int precision_wanted(struct drg_cli *cli, double *ret)
{
	int rc = drg_match_share(cli, "wanted", 0.5, 0.9999, ret);
	if (rc == DRG_OK && drg_opt_text(cli->options, "wanted") == NULL &&
	    drg_opt_flag(cli->options, "apply"))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "apply",
		                "--apply: say with --wanted which precision is wanted");
	return rc;
}

int drg_cmd_match_precision(struct drg_cli *cli)
{
	struct drg_precision p = { .since_us = INT64_MIN };
	struct drg_store *s;
	double wanted;
	int rc = precision_wanted(cli, &wanted);
	if (rc == DRG_OK)
		rc = drg_cli_since(cli, &p.since_us);
	if (rc == DRG_OK)
		rc = drg_cli_which(cli, &p.adapter, &p.kind);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(
		        cli, drg_opt_flag(cli->options, "apply") ? DRG_STORE_WRITE : DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_report_of(cli, s, &drg_precision_report, drg_precision_query, &p, 0);
	if (rc == DRG_OK && wanted > 0)
		rc = precision_bound(cli, s, &p, wanted);
	drg_store_close(s);
	return rc;
}
