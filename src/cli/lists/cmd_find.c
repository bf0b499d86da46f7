#include "names/find.h"
#include "cli/adapter.h"
#include "cli/country.h"
#include "cli/listing.h"
#include "cli/lists/names.h"
#include "cli/person.h"
#include "cli/store.h"

static const struct drg_listing_column dict_columns[] = {
	{ "kind", 14 }, { "id", 10 }, { "name", 36 }, { "city", 20 }, { "country", 20 }, { "suppliers", 0 },
};
static const struct drg_listing_column source_columns[] = {
	{ "supplier", 16 }, { "kind", 14 },    { "id", 20 },     { "name", 36 },
	{ "city", 20 },     { "country", 20 }, { "dict_id", 0 },
};

struct find_print {
	struct drg_cli *cli;
	struct drg_store *s;
	struct drg_suppliers suppliers;
	struct drg_listing listing;
	bool sources, is_open;
};

/* Not before it is known that the text can be looked for. */
static int find_open(struct find_print *x)
{
	const struct drg_listing_column *columns = x->sources ? source_columns : dict_columns;
	size_t n = x->sources ? DRG_ARRAY_LEN(source_columns) : DRG_ARRAY_LEN(dict_columns);
	if (x->is_open)
		return DRG_OK;
	int rc = drg_listing_open(x->cli, columns, n, &x->listing);
	x->is_open = rc == DRG_OK;
	return rc;
}

/* ---- parts of a line ----------------------------------------------------------------------------------- */

/* The suppliers that have a record mapped to it, each once. */
static int print_mapped(struct find_print *x, const struct drg_record *r)
{
	char number[DRG_I64_TEXT];
	struct drg_rows rows;
	int64_t adapters[64];
	unsigned n = 0;
	struct drg_buf text;
	drg_rows_mapped(&rows, x->s, drg_record_kind(r), r->v[DRG_F_ID].i, DRG_ARRAY_LEN(adapters),
	                &x->cli->err);
	while (drg_rows_next(&rows))
		adapters[n++] = rows.row.r.v[DRG_F_ADAPTER_ID].i;
	int rc = drg_rows_end(&rows);
	drg_buf_init(&text, SIZE_MAX);
	for (unsigned i = 0; i < n; i++) {
		bool again = false;
		for (unsigned k = 0; k < i; k++)
			again |= adapters[k] == adapters[i];
		struct drg_str code = drg_suppliers_find(&x->suppliers, adapters[i], number).code;
		if (!again)
			drg_buf_printf(&text, "%s%.*s", text.n > 0 ? " " : "", DRG_STR_ARG(code));
	}
	drg_listing_text(&x->listing, drg_buf_view(&text));
	drg_buf_done(&text);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- commands ------------------------------------------------------------------------------------------ */

static int print_dict(void *ctx, const struct drg_record *r, struct drg_str name)
{
	struct find_print *x = ctx;
	int rc = find_open(x);
	if (rc != DRG_OK)
		return rc;
	drg_listing_text(&x->listing, drg_str_c(drg_kind_name(drg_record_kind(r))));
	drg_listing_int(&x->listing, r->v[DRG_F_ID].i);
	drg_listing_text(&x->listing, name);
	rc = drg_list_place(&x->listing, x->s, r, &x->cli->err);
	if (rc == DRG_OK)
		rc = print_mapped(x, r);
	return rc == DRG_OK ? drg_listing_row(&x->listing) : rc;
}

static void print_text(struct find_print *x, const struct drg_record *r, enum drg_field f)
{
	if (drg_record_has(r, f))
		drg_listing_text(&x->listing, drg_record_s(r, f));
	else
		drg_listing_none(&x->listing);
}

static int print_source(void *ctx, const struct drg_record *r, struct drg_str name)
{
	char number[DRG_I64_TEXT];
	struct find_print *x = ctx;
	int rc = find_open(x);
	if (rc != DRG_OK)
		return rc;
	drg_listing_text(&x->listing,
	                 drg_suppliers_find(&x->suppliers, r->v[DRG_F_ADAPTER_ID].i, number).code);
	drg_listing_text(&x->listing, drg_str_c(drg_kind_name(drg_record_kind(r))));
	drg_listing_text(&x->listing, r->v[DRG_F_SOURCE_ID].s);
	drg_listing_text(&x->listing, name);
	print_text(x, r, DRG_F_CITY_NAME);
	print_text(x, r, DRG_F_COUNTRY_NAME);
	if (drg_record_has(r, DRG_F_DICT_ID))
		drg_listing_int(&x->listing, r->v[DRG_F_DICT_ID].i);
	else
		drg_listing_none(&x->listing);
	return drg_listing_row(&x->listing);
}

static int find_print_all(struct find_print *x, const struct drg_find *f)
{
	int rc = drg_suppliers_load(x->s, x->cli->arena, &x->suppliers, &x->cli->err);
	x->sources = f->sources;
	if (rc == DRG_OK)
		rc = drg_find_each(x->s, f, f->sources ? print_source : print_dict, x, &x->cli->err);
	if (rc == DRG_OK)
		rc = find_open(x);
	if (x->is_open)
		rc = drg_listing_close(&x->listing, x->cli, rc);
	return rc;
}

static int find_run(struct drg_cli *cli, struct drg_find *f)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	struct find_print x = { .cli = cli };
	f->text = drg_str_c(drg_opt_args(cli->options, NULL)[0]);
	f->limit = (unsigned)drg_opt_int(cli->options, "limit");
	f->one_kind = kind != NULL;
	int rc = kind != NULL ? drg_cli_parse_kind(cli, kind, f->sources ? DRG_KINDS_SOURCE : DRG_KINDS_ALL,
	                                           &f->kind)
	                      : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	struct drg_name_index *names = NULL;
	if (!f->sources)
		rc = drg_cli_country_option(cli, x.s, 0, &f->country);
	if (rc == DRG_OK)
		rc = drg_cli_names(cli, x.s, f->sources ? DRG_TYPE_SOURCE : DRG_TYPE_DICT, &names);
	f->names = names;
	if (rc == DRG_OK)
		rc = find_print_all(&x, f);
	drg_name_index_close(names);
	drg_store_close(x.s);
	return rc;
}

int drg_cmd_dict_find(struct drg_cli *cli)
{
	struct drg_find f = { .sources = false };
	return find_run(cli, &f);
}

int drg_cmd_map_find(struct drg_cli *cli)
{
	struct drg_find f = { .sources = true };
	int rc = drg_cli_adapter_option(cli, &f.adapter);
	return rc == DRG_OK ? find_run(cli, &f) : rc;
}
