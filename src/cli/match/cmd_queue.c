/* dragoman match queue, match explain. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/adapter.h"
#include "cli/country.h"
#include "cli/listing.h"
#include "cli/match/match.h"
#include "cli/person.h"
#include "console/say.h"
#include "cli/store.h"
#include "load/queue_out.h"
#include "matching/automap.h"
#include "matching/desk/queue.h"
#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"

/* ---- queue --------------------------------------------------------------------------------------------- */

#define QUEUE_COLUMN(name, width, number) { name, width },
static const struct drg_listing_column queue_columns[] = { DRG_QUEUE_COLUMNS(QUEUE_COLUMN) };
#undef QUEUE_COLUMN

struct queue_listing {
	struct drg_listing l;
	struct drg_arena arena; /* of a row */
};

static int queue_print(void *ctx, const struct drg_queue_item *q)
{
	struct queue_listing *x = ctx;
	struct drg_str cells[DRG_QUEUE_CELLS];
	drg_arena_reset(&x->arena);
	int rc = drg_queue_cells(q, &x->arena, cells);
	for (unsigned i = 0; i < DRG_QUEUE_CELLS && rc == DRG_OK; i++)
		if (cells[i].p == NULL)
			drg_listing_none(&x->l);
		else if (drg_queue_column_numbers[i])
			drg_listing_number(&x->l, cells[i]);
		else
			drg_listing_text(&x->l, cells[i]);
	return rc == DRG_OK ? drg_listing_row(&x->l) : rc;
}

/* As the words of the options "suggested" and "later". */
static const int queue_flags[] = { -1, 1, 0 };

static int queue_reason(struct drg_cli *cli, int *ret)
{
	const char *word = drg_opt_text(cli->options, "reason");
	char known[DRG_WHY_COUNT * 20] = "";
	for (unsigned r = DRG_WHY_SURE + 1; r < DRG_WHY_COUNT && word != NULL; r++) {
		const char *name = drg_reason_name((enum drg_match_reason)r);
		*ret = (int)r;
		if (strcmp(word, name) == 0)
			return DRG_OK;
		strncat(known, known[0] != '\0' ? ", " : "", sizeof known - strlen(known) - 1);
		strncat(known, name, sizeof known - strlen(known) - 1);
	}
	return word == NULL ? DRG_OK
	                    : drg_fail(&cli->err, DRG_EUSAGE, NULL, "reason",
	                               "--reason: expected one of %s, found \"%.60s\"", known, word);
}

static int queue_city(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_text(cli->options, "city");
	if (text == NULL || drg_str_to_i64(drg_str_c(text), ret))
		return DRG_OK;
	return drg_fail(
	        &cli->err, DRG_EUSAGE, NULL, "city",
	        "--city: expected an id of the reference, found \"%.60s\"; 'dragoman dict find NAME --kind "
	        "city' finds it",
	        text);
}

int drg_match_queue_filter(struct drg_cli *cli, struct drg_queue_filter *ret)
{
	double above;
	*ret = (struct drg_queue_filter)DRG_QUEUE_FILTER_ALL;
	ret->assigned = drg_str_c(drg_opt_text(cli->options, "assigned"));
	ret->who = drg_person(cli);
	ret->later = queue_flags[drg_opt_word(cli->options, "later")];
	int rc = queue_reason(cli, &ret->reason);
	if (rc == DRG_OK)
		rc = queue_city(cli, &ret->city);
	if (rc == DRG_OK)
		rc = drg_cli_since(cli, &ret->since_us);
	if (rc == DRG_OK)
		rc = drg_match_share(cli, "above", 0, 1, &above);
	if (rc != DRG_OK)
		return rc;
	ret->above = (float)above;
	return drg_cli_which(cli, &ret->adapter, &ret->kind);
}

int drg_cmd_match_queue(struct drg_cli *cli)
{
	struct drg_queue_options o;
	struct queue_listing x;
	struct drg_store *s;
	int rc = drg_match_queue_filter(cli, &o.filter);
	o.limit = (size_t)drg_opt_int(cli->options, "limit");
	o.filter.suggested = queue_flags[drg_opt_word(cli->options, "suggested")];
	o.sort = (enum drg_queue_sort)drg_opt_word(cli->options, "sort");
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_country_option(cli, s, INT64_MIN, &o.filter.country);
	if (rc == DRG_OK)
		rc = drg_listing_open(cli, queue_columns, DRG_ARRAY_LEN(queue_columns), &x.l);
	if (rc == DRG_OK) {
		drg_arena_init(&x.arena, 1 << 16);
		drg_listing_offer(&x.l, "decision", drg_queue_answers);
		rc = drg_listing_close(&x.l, cli, drg_queue_each(s, &o, queue_print, &x, &cli->err));
		drg_arena_done(&x.arena);
	}
	drg_store_close(s);
	return rc;
}

/* ---- explain ------------------------------------------------------------------------------------------- */

struct explaining {
	struct drg_cli *cli;
	struct drg_store *s;
	bool found;
};

static void explain_text(const char *what, struct drg_str text)
{
	if (text.n > 0)
		drg_print(stdout, ", %s%.*s", what, DRG_STR_ARG(text));
}

static void explain_place(const struct drg_record *r)
{
	if (drg_kind_has(r->type->id, drg_record_kind(r), DRG_F_ADDRESS)) {
		explain_text("", drg_record_s(r, DRG_F_ADDRESS));
		explain_text("", drg_record_s(r, DRG_F_ZIP));
	}
	if (drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG))
		printf(", %.5f %.5f", r->v[DRG_F_LAT].d, r->v[DRG_F_LNG].d);
	putchar('\n');
}

static void explain_source(const struct drg_record *r)
{
	enum drg_kind kind = drg_record_kind(r);
	struct drg_str name = drg_record_s(r, DRG_F_NAME);
	drg_print(stdout, "supplier:  \"%.*s\"", (int)name.n, name.n > 0 ? name.p : "");
	if (drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_CITY_NAME))
		explain_text("", drg_record_s(r, DRG_F_CITY_NAME));
	if (drg_kind_has(DRG_TYPE_SOURCE, kind, DRG_F_COUNTRY_NAME))
		explain_text("", drg_record_s(r, DRG_F_COUNTRY_NAME));
	explain_place(r);
}

/* The name of what a dict record refers to. */
static int explain_parent(struct explaining *x, const struct drg_record *r, enum drg_field f)
{
	struct drg_record key, parent;
	if (!drg_record_has(r, f))
		return DRG_OK;
	drg_key_dict(&key, drg_kind_named_by(f), drg_record_i(r, f, 0));
	int rc = drg_fetch(x->s, &key, x->cli->arena, &parent, &x->cli->err);
	struct drg_str name;
	if (rc == DRG_OK)
		rc = drg_main_name(&parent, x->cli->arena, &name);
	if (rc == DRG_OK)
		explain_text("", name);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

static int explain_dict(struct explaining *x, enum drg_kind kind, int64_t id, const char *what)
{
	struct drg_record key, dict;
	drg_key_dict(&key, kind, id);
	int rc = drg_fetch(x->s, &key, x->cli->arena, &dict, &x->cli->err);
	if (rc != DRG_OK)
		return rc == DRG_ENOENT ? DRG_OK : rc;
	struct drg_str name;
	rc = drg_main_name(&dict, x->cli->arena, &name);
	if (rc != DRG_OK)
		return rc;
	drg_print(stdout, "%s %" PRId64 " \"%.*s\"", what, id, DRG_STR_ARG(name));
	rc = explain_parent(x, &dict, DRG_F_CITY_ID);
	if (rc == DRG_OK)
		rc = explain_parent(x, &dict, DRG_F_COUNTRY_ID);
	explain_place(&dict);
	return rc;
}

static int explain_print(void *ctx, const struct drg_automap_result *r)
{
	struct explaining *x = ctx;
	struct drg_record key, source;
	x->found = true;
	drg_print(stdout, "%.*s\n", DRG_STR_ARG(r->explanation));
	drg_key_source(&key, r->adapter, r->kind, r->id);
	int rc = drg_fetch(x->s, &key, x->cli->arena, &source, &x->cli->err);
	if (rc != DRG_OK)
		return rc;
	explain_source(&source);
	if (r->n_ranked == 0)
		return r->has_dict ? explain_dict(x, r->kind, r->dict_id, "reference:") : DRG_OK;
	for (unsigned i = 0; i < r->n_ranked && i < DRG_HOTEL_SHOWN && rc == DRG_OK; i++) {
		char what[64];
		snprintf(what, sizeof what,
		         i == 0 ? "reference:" : "also like it, %.1f bits:", r->ranked[i].bits);
		rc = explain_dict(x, r->kind, r->ranked[i].dict_id, what);
	}
	if (rc == DRG_OK && drg_record_has(&source, DRG_F_DICT_ID))
		printf("it is mapped to %" PRId64 "; 'dragoman map history' tells by whom\n",
		       source.v[DRG_F_DICT_ID].i);
	return rc;
}

static int explain_run(struct drg_cli *cli, struct drg_automap_options *o)
{
	struct explaining x = { .cli = cli };
	struct drg_automap_totals totals;
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	o->result = explain_print;
	o->ctx = &x;
	rc = drg_match_card(cli, x.s, &o->card);
	if (rc == DRG_OK)
		rc = drg_automap_run(x.s, o, &totals, &cli->err);
	drg_store_close(x.s);
	if (rc == DRG_OK && !x.found)
		rc = drg_fail(&cli->err, DRG_ENOENT, NULL, "id",
		              "adapter %" PRId64 " has no such record: \"%.*s\"", o->adapters[0],
		              DRG_STR_ARG(o->only));
	return rc;
}

int drg_cmd_match_explain(struct drg_cli *cli)
{
	struct drg_automap_options o = { .n_adapters = 1, .dry_run = true, .threads = 1 };
	const char *const *args = drg_opt_args(cli->options, NULL);
	int64_t adapter, against;
	enum drg_kind kind;
	int rc = drg_cli_source(cli, &adapter, &kind, &o.only);
	if (rc == DRG_OK && args[3] != NULL)
		rc = drg_cli_parse_number(cli, "DICT_ID", args[3], &against);
	if (rc != DRG_OK)
		return rc;
	if (args[3] != NULL && drg_kind_compared(kind) != DRG_COMPARED_HOTELS)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "DICT_ID",
		                "DICT_ID: only hotels are compared one by one; leave it out");
	o.adapters = &adapter;
	o.kinds = 1U << kind;
	o.against = args[3] != NULL ? &against : NULL;
	return explain_run(cli, &o);
}
