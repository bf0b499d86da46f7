/* dragoman match accept --above: the first suggestion of all that the options show (decision C12). */
#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>

#include "cli/country.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"
#include "decide/decision.h"
#include "matching/desk/queue.h"

enum { SAMPLE = 10 };

struct accepting {
	struct drg_buf decisions; /* struct drg_decision */
	struct drg_arena texts;
	struct accepted_line {
		struct drg_str name, dict_name;
	} sample[SAMPLE];
	size_t picked[SAMPLE], n;
	float above;
	size_t vetoed; /* left out */
};

/* Each of those that have come so far is as likely as any other to be among the ten. */
static size_t accepting_place(struct accepting *x)
{
	size_t at = x->n++;
	return at < SAMPLE ? at : randombytes_uniform((uint32_t)(at + 1));
}

static int accepting_take(void *ctx, const struct drg_queue_item *q)
{
	struct accepting *x = ctx;
	const struct drg_decision d = { .verb = DRG_VERB_MAP,
		                        .kind = q->kind,
		                        .adapter = q->adapter,
		                        .id = drg_arena_str(&x->texts, q->id),
		                        .dict_id = q->ranked[0].dict_id,
		                        .unseen = true,
		                        .likely = (float)q->likely,
		                        .above = x->above,
		                        .has_version = true,
		                        .version = q->version };
	if (drg_reason_is_veto(drg_reason_by_name(q->reason))) {
		x->vetoed++;
		return DRG_OK;
	}
	size_t number = x->n, place = accepting_place(x);
	drg_buf_add(&x->decisions, &d, sizeof d);
	if (place < SAMPLE) {
		x->picked[place] = number;
		x->sample[place] = (struct accepted_line){ drg_arena_str(&x->texts, drg_record_s(&q->source,
			                                                                         DRG_F_NAME)),
			                                   drg_arena_str(&x->texts, q->dict_name) };
	}
	return d.id.p != NULL && x->decisions.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

static void accepting_show(const struct accepting *x)
{
	const struct drg_decision *v = (const struct drg_decision *)(const void *)x->decisions.p;
	printf("%zu would be accepted; nothing applied%s\n", x->n,
	       x->n > 0 ? ". Some of them at random:" : "");
	for (size_t i = 0; i < x->n && i < SAMPLE; i++) {
		const struct drg_decision *d = &v[x->picked[i]];
		drg_print(stdout, "adapter %" PRId64 " %s %.*s \"%.*s\" -> %" PRId64 " \"%.*s\"\n",
		          d->adapter, drg_kind_name(d->kind), DRG_STR_ARG(d->id),
		          DRG_STR_ARG(x->sample[i].name), d->dict_id, DRG_STR_ARG(x->sample[i].dict_name));
	}
}

static void accepting_show_left_out(const struct accepting *x)
{
	if (x->vetoed > 0)
		printf("%zu left out: something contradicts the first suggestion; look at each ('dragoman "
		       "match "
		       "queue')\n",
		       x->vetoed);
}

static int accepting_run(struct drg_cli *cli, struct accepting *x)
{
	struct drg_decisions all = { .v = (struct drg_decision *)(void *)x->decisions.p,
		                     .n = x->n,
		                     .by = drg_person(cli),
		                     .why = drg_reason(cli) };
	int rc = drg_cli_txn(cli, DRG_STORE_WRITE, drg_decisions_run_batch, &all);
	size_t accepted = 0, refused = 0;
	for (size_t i = 0; i < all.n && rc == DRG_OK; i++) {
		accepted += all.v[i].is.rc == DRG_OK && all.v[i].is.changed;
		refused += all.v[i].is.rc != DRG_OK;
	}
	if (rc == DRG_OK)
		printf("%zu accepted, %zu refused\n", accepted, refused);
	if (rc == DRG_OK && all.batch > 0)
		printf("batch %" PRId64 "; undo it with 'dragoman batch undo %" PRId64 "'\n", all.batch,
		       all.batch);
	return rc;
}

int drg_match_accept_all(struct drg_cli *cli)
{
	struct accepting x = { .n = 0 };
	struct drg_queue_options o = { .limit = 0 };
	struct drg_store *s;
	int rc = drg_match_queue_filter(cli, &o.filter);
	o.filter.suggested = 1;
	x.above = o.filter.above;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.decisions, SIZE_MAX);
	drg_arena_init(&x.texts, SIZE_MAX);
	rc = drg_cli_country_option(cli, s, INT64_MIN, &o.filter.country);
	if (rc == DRG_OK)
		rc = drg_queue_each(s, &o, accepting_take, &x, &cli->err);
	drg_store_close(s);
	if (rc == DRG_ENOMEM)
		rc = drg_fail_memory(&cli->err);
	if (rc == DRG_OK && drg_opt_flag(cli->options, "dry-run"))
		accepting_show(&x);
	else if (rc == DRG_OK)
		rc = accepting_run(cli, &x);
	if (rc == DRG_OK)
		accepting_show_left_out(&x);
	drg_arena_done(&x.texts);
	drg_buf_done(&x.decisions);
	return rc;
}
