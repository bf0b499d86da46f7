/* dragoman dict history (decision M42). */
#include "cli/person.h"
#include "cli/show.h"
#include "cli/store.h"
#include "decide/history.h"
#include "decide/reference/dict_history.h"
#include "text/stamp.h"

static const struct drg_show_column dict_event_columns[] = {
	{ DRG_F_AT, 27 },  { DRG_F_DICT_HOW, 5 },  { DRG_F_KIND, 14 },    { DRG_F_ID, 10 },
	{ DRG_F_LANG, 5 }, { DRG_F_NAME_WAS, 30 }, { DRG_F_NAME_IS, 30 }, { DRG_F_MERGED_INTO, 10 },
	{ DRG_F_BY, 12 },  { DRG_F_WHY, 0 },
};

struct dict_history {
	struct drg_show_view view;
	int64_t since_us; /* INT64_MIN: all */
	struct drg_str by; /* empty: all */
	bool one; /* only this record: kind, id */
	enum drg_kind kind;
	int64_t id;
};

static int dict_history_print(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct dict_history *h = ctx;
	int64_t at;
	(void)m;
	if ((h->by.n > 0 && !drg_str_eq(drg_record_s(r, DRG_F_BY), h->by)) ||
	    (h->since_us != INT64_MIN && drg_stamp_parse(r->v[DRG_F_AT].s, &at) && at < h->since_us))
		return DRG_OK;
	return drg_show_record_with(&h->view, r, NULL);
}

static int dict_history_read(struct drg_cli *cli, struct dict_history *h)
{
	size_t n;
	const char *const *args = drg_opt_args(cli->options, &n);
	h->since_us = INT64_MIN;
	h->by = drg_str_c(drg_opt_text(cli->options, "by"));
	h->one = n == 2;
	int rc = drg_cli_since(cli, &h->since_us);
	if (rc == DRG_OK && n == 1)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		              "dict history: expected KIND ID, or nothing for everything");
	if (rc == DRG_OK && h->one)
		rc = drg_cli_parse_kind(cli, args[0], DRG_KINDS_ALL, &h->kind);
	return rc == DRG_OK && h->one ? drg_cli_parse_number(cli, "ID", args[1], &h->id) : rc;
}

static int dict_history_print_all(struct drg_cli *cli, struct drg_store *s, struct dict_history *h)
{
	int rc = drg_show_open(cli, &h->view);
	if (rc != DRG_OK)
		return rc;
	rc = h->one ? drg_dict_event_each(s, h->kind, h->id, dict_history_print, h, &cli->err)
	            : drg_event_scan(s, &drg_types[DRG_TYPE_DICT_EVENT], dict_history_print, h, &cli->err);
	return drg_listing_close(&h->view.listing, cli, rc);
}

int drg_cmd_dict_history(struct drg_cli *cli)
{
	struct dict_history h = { .view = { .type = &drg_types[DRG_TYPE_DICT_EVENT],
		                            .kind = DRG_KIND_NONE,
		                            .columns = dict_event_columns,
		                            .n_columns = DRG_ARRAY_LEN(dict_event_columns) } };
	struct drg_store *s;
	int rc = dict_history_read(cli, &h);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = dict_history_print_all(cli, s, &h);
	drg_store_close(s);
	return rc;
}
