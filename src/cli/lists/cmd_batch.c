#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/listing.h"
#include "cli/store.h"
#include "console/say.h"
#include "decide/batch.h"
#include "decide/reports.h"
#include "model/key.h"
#include "model/ndjson.h"

/* ---- list ---------------------------------------------------------------------------------------------- */

int drg_cmd_batch_list(struct drg_cli *cli)
{
	struct drg_batches_wanted w = { .id = 0 };
	int rc = drg_cli_adapter_option(cli, &w.adapter);
	return rc == DRG_OK ? drg_cli_report(cli, &drg_batches_report, drg_batches_query, &w, 0) : rc;
}

/* ---- show ---------------------------------------------------------------------------------------------- */

static const struct drg_listing_column item_columns[] = {
	{ "type", 14 }, { "adapter_id", 10 }, { "kind", 14 }, { "id", 20 },
	{ "name", 32 }, { "dict_id", 10 },    { "was", 0 },
};

/* The records of a batch as they were. */
struct batch_items {
	bool plain; /* for people: behind the batch itself */
	struct drg_listing listing;
	struct drg_arena arena;
	struct drg_err *err;
};

static void item_cell(struct drg_listing *l, const struct drg_record *r, enum drg_field f)
{
	const struct drg_field_def *def = drg_field_of(r->type, f);
	if (def == NULL || !drg_record_has(r, f))
		drg_listing_none(l);
	else if (f == DRG_F_KIND)
		drg_listing_text(l, drg_str_c(drg_kind_name(drg_record_kind(r))));
	else if (drg_value_is_text(def->vtype))
		drg_listing_text(l, drg_record_s(r, f));
	else
		drg_listing_int(l, drg_record_i(r, f, 0));
}

static int list_item(struct batch_items *x, struct drg_str was)
{
	struct drg_record r;
	drg_arena_reset(&x->arena);
	int rc = drg_ndjson_read(was, &x->arena, &r, x->err);
	if (rc != DRG_OK)
		return rc;
	drg_listing_text(&x->listing, drg_str_c(r.type->name));
	item_cell(&x->listing, &r, DRG_F_ADAPTER_ID);
	item_cell(&x->listing, &r, DRG_F_KIND);
	item_cell(&x->listing, &r,
	          drg_field_of(r.type, DRG_F_SOURCE_ID) != NULL ? DRG_F_SOURCE_ID : DRG_F_ID);
	item_cell(&x->listing, &r, drg_field_of(r.type, DRG_F_NAMES) != NULL ? DRG_F_NAMES : DRG_F_NAME);
	item_cell(&x->listing, &r, DRG_F_DICT_ID);
	drg_listing_text(&x->listing, was);
	return drg_listing_row(&x->listing);
}

static int show_item(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct batch_items *x = ctx;
	struct drg_str was = drg_record_s(r, DRG_F_DATA);
	(void)m;
	if (was.n == 0)
		return DRG_OK;
	if (!x->plain)
		return list_item(x, was);
	drg_print(stdout, "was %.*s\n", DRG_STR_ARG(was));
	return ferror(stdout) ? DRG_EIO : DRG_OK;
}

static int show_items(struct drg_cli *cli, struct drg_store *s, int64_t batch, bool plain)
{
	struct batch_items x = { .plain = plain, .err = &cli->err };
	int rc =
	        plain ? DRG_OK : drg_listing_open(cli, item_columns, DRG_ARRAY_LEN(item_columns), &x.listing);
	if (rc != DRG_OK)
		return rc;
	drg_arena_init(&x.arena, 64 << 20);
	rc = drg_batch_items(s, batch, show_item, &x, &cli->err);
	drg_arena_done(&x.arena);
	return plain ? rc : drg_listing_close(&x.listing, cli, rc);
}

int drg_cmd_batch_show(struct drg_cli *cli)
{
	struct drg_record key;
	struct drg_store *s;
	int64_t id;
	int rc = drg_cli_parse_number(cli, "ID", drg_opt_args(cli->options, NULL)[0], &id);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	const bool plain = drg_listing_choose(cli).format == DRG_LISTING_TABLE;
	drg_key_batch(&key, id);
	rc = drg_store_exists(s, &key, &cli->err);
	if (rc == DRG_ENOENT)
		rc = drg_fail(&cli->err, rc, NULL, NULL,
		              "there is no batch %" PRId64 "; 'dragoman batch list' has them", id);
	struct drg_batches_wanted w = { .id = id };
	if (rc == DRG_OK && plain)
		rc = drg_cli_report_of(cli, s, &drg_batches_report, drg_batches_query, &w, 0);
	if (rc == DRG_OK)
		rc = show_items(cli, s, id, plain);
	drg_store_close(s);
	return rc;
}

/* ---- undo ---------------------------------------------------------------------------------------------- */

static void print_left(void *ctx, const struct drg_record *r, const char *why)
{
	char label[160];
	(void)ctx;
	drg_print(stdout, "left alone: %s: %s\n", drg_record_label(r, label, sizeof label), why);
}

int drg_cmd_batch_undo(struct drg_cli *cli)
{
	struct drg_batch_undo u = { .by = drg_person(cli), .why = drg_reason(cli), .left = print_left };
	struct drg_store *s;
	int rc = drg_cli_parse_number(cli, "ID", drg_opt_args(cli->options, NULL)[0], &u.batch);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_batch_undo(s, &u, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("batch %" PRId64 " is undone: %" PRIu64 " record%s as before, %" PRIu64 " removed, %" PRIu64
	       " left alone\n",
	       u.batch, u.restored, u.restored == 1 ? "" : "s", u.removed, u.kept);
	if (u.undone_by > 0)
		printf("undo that with 'dragoman batch undo %" PRId64 "'\n", u.undone_by);
	return DRG_OK;
}
