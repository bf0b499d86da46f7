#include <inttypes.h>
#include <stdio.h>

#include "names/duplicates.h"
#include "cli/country.h"
#include "cli/listing.h"
#include "cli/lists/names.h"
#include "cli/person.h"
#include "cli/store.h"

static const struct drg_listing_column duplicate_columns[] = {
	{ "kind", 14 },    { "id", 10 },     { "into", 10 },    { "name", 32 },          { "city", 16 },
	{ "country", 16 }, { "metres", -7 }, { "records", -8 }, { "into_records", -12 }, { "shared", -6 },
};

struct duplicate_print {
	struct drg_store *s;
	struct drg_err *err;
	struct drg_listing listing;
};

static void print_metres(struct drg_listing *l, double metres)
{
	if (metres < 0)
		drg_listing_none(l);
	else
		drg_listing_int(l, (int64_t)(metres + 0.5));
}

static int print_duplicate(void *ctx, const struct drg_duplicate *d)
{
	struct duplicate_print *x = ctx;
	drg_listing_text(&x->listing, drg_str_c(drg_kind_name(d->kind)));
	drg_listing_int(&x->listing, d->id);
	drg_listing_int(&x->listing, d->into);
	int rc = drg_list_dict_names(&x->listing, x->s, d->kind, d->id, x->err);
	print_metres(&x->listing, d->metres);
	drg_listing_int(&x->listing, d->records);
	drg_listing_int(&x->listing, d->into_records);
	drg_listing_int(&x->listing, d->shared);
	return rc == DRG_OK ? drg_listing_row(&x->listing) : rc;
}

static int duplicates_print(struct drg_cli *cli, struct duplicate_print *x, struct drg_duplicates *d)
{
	int rc = drg_listing_open(cli, duplicate_columns, DRG_ARRAY_LEN(duplicate_columns), &x->listing);
	if (rc != DRG_OK)
		return rc;
	rc = drg_duplicates_each(x->s, d, print_duplicate, x, &cli->err);
	rc = drg_listing_close(&x->listing, cli, rc);
	if (rc == DRG_OK && d->limit > 0 && d->found > d->limit)
		fprintf(stderr, "%" PRIu64 " in all; --limit 0 lists them\n", d->found);
	return rc;
}

int drg_cmd_dict_duplicates(struct drg_cli *cli)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	struct drg_duplicates d = { .one_kind = kind != NULL,
		                    .limit = (unsigned)drg_opt_int(cli->options, "limit") };
	struct duplicate_print x = { .err = &cli->err };
	struct drg_name_index *names = NULL;
	int rc = kind != NULL ? drg_cli_parse_kind(cli, kind, DRG_KINDS_ALL, &d.kind) : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_country_option(cli, x.s, 0, &d.country);
	if (rc == DRG_OK)
		rc = drg_cli_names(cli, x.s, DRG_TYPE_DICT, &names);
	d.names = names;
	if (rc == DRG_OK)
		rc = duplicates_print(cli, &x, &d);
	drg_name_index_close(names);
	drg_store_close(x.s);
	return rc;
}
