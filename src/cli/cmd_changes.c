/* dragoman changes: what GET /v1/changes gives, for people. */
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/listing.h"
#include "cli/person.h"
#include "cli/store.h"
#include "server/changes/page.h"
#include "text/json.h"
#include "text/lang.h"

static const struct drg_listing_column change_columns[] = {
	{ "what", 16 }, { "supplier", 12 }, { "kind", 14 }, { "id", 20 },
	{ "name", 36 }, { "dict_id", 10 },  { "dict", 0 },
};

struct changes_print {
	struct drg_cli *cli;
	struct drg_listing listing;
	bool is_open;
	struct drg_suppliers suppliers;
	struct drg_buf text;
	int rc;
};

/* Not before it is known that there is something to say. */
static int changes_open(struct changes_print *x)
{
	if (x->is_open)
		return DRG_OK;
	int rc = drg_listing_open(x->cli, change_columns, DRG_ARRAY_LEN(change_columns), &x->listing);
	x->is_open = rc == DRG_OK;
	return rc;
}

static const struct {
	unsigned bit;
	const char *word;
} what_words[] = {
	{ DRG_WHAT_CREATED, "created" },   { DRG_WHAT_UPDATED, "updated" }, { DRG_WHAT_MAPPED, "mapped" },
	{ DRG_WHAT_UNMAPPED, "unmapped" }, { DRG_WHAT_MERGED, "merged" },   { DRG_WHAT_DELETED, "deleted" },
};

static void changes_what(struct changes_print *x, unsigned what)
{
	drg_buf_clear(&x->text);
	for (size_t i = 0; i < DRG_ARRAY_LEN(what_words); i++)
		if ((what & what_words[i].bit) != 0)
			drg_buf_printf(&x->text, "%s%s", x->text.n > 0 ? " " : "", what_words[i].word);
	drg_listing_text(&x->listing, drg_buf_view(&x->text));
}

static void changes_name(struct changes_print *x, bool known, struct drg_str escaped)
{
	drg_buf_clear(&x->text);
	drg_json_unescape(&x->text, escaped);
	if (known && escaped.p != NULL)
		drg_listing_text(&x->listing, drg_buf_view(&x->text));
	else
		drg_listing_none(&x->listing);
}

/* The dict record: of a source what it is mapped to, of a merged one what it leads to. */
static void changes_dict(struct changes_print *x, const struct drg_change *c, const struct drg_dict *dict)
{
	if (dict != NULL)
		drg_listing_int(&x->listing, dict->id);
	else if (c->is_merged)
		drg_listing_int(&x->listing, c->into);
	else
		drg_listing_none(&x->listing);
	changes_name(x, dict != NULL,
	             dict != NULL ? drg_dict_name_esc(dict, &c->view->pref) : drg_str(NULL, 0));
}

static void changes_print_item(void *ctx, const struct drg_change *c)
{
	char number[DRG_I64_TEXT];
	struct changes_print *x = ctx;
	const struct drg_view *v = c->view;
	bool has_dict = v != NULL && v->has_dict, has_source = v != NULL && v->has_source;
	if (x->rc == DRG_OK)
		x->rc = changes_open(x);
	if (x->rc != DRG_OK)
		return;
	changes_what(x, c->what);
	if (c->is_dict)
		drg_listing_none(&x->listing);
	else
		drg_listing_text(&x->listing, drg_suppliers_find(&x->suppliers, c->adapter, number).code);
	drg_listing_text(&x->listing, drg_str_c(drg_kind_name(c->kind)));
	if (c->is_dict)
		drg_listing_int(&x->listing, c->dict_id);
	else
		drg_listing_text(&x->listing, c->source_id);
	if (c->is_dict)
		changes_name(x, has_dict,
		             has_dict ? drg_dict_name_esc(&v->dict, &v->pref) : drg_str(NULL, 0));
	else
		changes_name(x, has_source, has_source ? v->source.name_esc : drg_str(NULL, 0));
	changes_dict(x, c, has_dict && !c->is_dict ? &v->dict : NULL);
	x->rc = drg_listing_row(&x->listing);
}

static void changes_page_begins(void *ctx)
{
	(void)ctx;
}

/* A page at a time, so that the log of the store is not held while somebody reads. */
static int changes_print_all(struct drg_cli *cli, struct drg_store *s, struct drg_changes_page *p,
                             struct changes_print *x)
{
	int rc = drg_suppliers_load(s, cli->arena, &x->suppliers, &cli->err);
	do {
		if (rc == DRG_OK)
			rc = drg_changes_read_page(p, s, &cli->err);
		if (rc == DRG_OK)
			rc = changes_open(x);
		if (rc == DRG_OK)
			rc = x->rc;
	} while (rc == DRG_OK && p->more);
	if (x->is_open)
		rc = drg_listing_close(&x->listing, cli, rc);
	drg_buf_done(&x->text);
	return rc;
}

/* Other than GET /v1/changes it leaves out what only belongs to the records that are asked for. */
static void changes_filter(struct drg_changes_page *p, enum drg_kind kind, int64_t adapter)
{
	p->filter = drg_change_filter(kind, adapter);
	p->filter.dict_kinds = adapter != 0 ? 0 : p->filter.source_kinds;
}

static int changes_read_options(struct drg_cli *cli, struct drg_changes_page *p)
{
	struct drg_str lang = drg_str_c(drg_opt_text(cli->options, "lang"));
	char *normal = drg_arena_alloc(cli->arena, DRG_LANG_MAX + 1);
	enum drg_kind kind;
	int64_t adapter;
	if (!drg_lang_valid(lang) || normal == NULL)
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "lang",
		                "--lang: expected a language such as en or uk, found \"%.60s\"", lang.p);
	p->lang = drg_lang_normal(lang, normal);
	if (drg_opt_text(cli->options, "since") == NULL)
		return drg_fail(
		        &cli->err, DRG_EUSAGE, NULL, "since",
		        "--since is missing: give yesterday, monday, 7d, or a date such as 2026-11-20");
	int rc = drg_cli_since(cli, &p->since_us);
	if (rc == DRG_OK)
		rc = drg_cli_which(cli, &adapter, &kind);
	if (rc == DRG_OK)
		changes_filter(p, kind, adapter);
	return rc;
}

int drg_cmd_changes(struct drg_cli *cli)
{
	enum { PAGE = 10000 };
	struct changes_print x = { .cli = cli, .rc = DRG_OK };
	struct drg_changes_page p = { .since = DRG_SINCE_TIME,
		                      .limit = PAGE,
		                      .begin = changes_page_begins,
		                      .item = changes_print_item,
		                      .ctx = &x };
	struct drg_store *s;
	int rc = changes_read_options(cli, &p);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.text, SIZE_MAX);
	drg_store_allow_unknown_enums(s);
	rc = changes_print_all(cli, s, &p, &x);
	drg_store_close(s);
	return rc;
}
