/* dragoman map history. */
#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/show.h"
#include "cli/store.h"
#include "decide/history.h"
#include "model/key.h"
#include "text/stamp.h"

static const struct drg_show_column event_columns[] = {
	{ DRG_F_AT, 27 },   { DRG_F_HOW, 5 },        { DRG_F_ADAPTER_ID, 10 },
	{ DRG_F_KIND, 14 }, { DRG_F_SOURCE_ID, 20 }, { DRG_F_FROM, 10 },
	{ DRG_F_TO, 10 },   { DRG_F_BY, 12 },        { DRG_F_WHY, 0 },
};

/* The events that are wanted. */
struct history_filter {
	struct drg_show_view view;
	int64_t since_us, adapter, batch; /* INT64_MIN, 0, 0: all */
	struct drg_str by; /* empty: all */
};

static int history_print(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct history_filter *h = ctx;
	int64_t at;
	(void)m;
	if ((h->adapter != 0 && r->v[DRG_F_ADAPTER_ID].i != h->adapter) ||
	    (h->batch != 0 && drg_record_i(r, DRG_F_OF_BATCH, 0) != h->batch) ||
	    (h->by.n > 0 && !drg_str_eq(drg_record_s(r, DRG_F_BY), h->by)) ||
	    (h->since_us != INT64_MIN && drg_stamp_parse(r->v[DRG_F_AT].s, &at) && at < h->since_us))
		return DRG_OK;
	return drg_show_record_with(&h->view, r, NULL);
}

static int map_history_read(struct drg_cli *cli, struct history_filter *h)
{
	const struct drg_options *o = cli->options;
	h->since_us = INT64_MIN;
	h->by = drg_str_c(drg_opt_text(o, "by"));
	h->batch = drg_opt_int(o, "batch");
	int rc = drg_cli_since(cli, &h->since_us);
	return rc == DRG_OK ? drg_cli_adapter_option(cli, &h->adapter) : rc;
}

static int history_print_all(struct drg_cli *cli, struct drg_store *s, const struct drg_record *source,
                             struct history_filter *h)
{
	int rc = drg_show_open(cli, &h->view);
	if (rc != DRG_OK)
		return rc;
	rc = source != NULL
	             ? drg_event_each(s, source, history_print, h, &cli->err)
	             : drg_event_scan(s, &drg_types[DRG_TYPE_MAPPING_EVENT], history_print, h, &cli->err);
	return drg_listing_close(&h->view.listing, cli, rc);
}

int drg_cmd_map_history(struct drg_cli *cli)
{
	struct history_filter h = { .view = { .type = &drg_types[DRG_TYPE_MAPPING_EVENT],
		                              .kind = DRG_KIND_NONE,
		                              .columns = event_columns,
		                              .n_columns = DRG_ARRAY_LEN(event_columns) } };
	struct drg_record key;
	struct drg_store *s;
	enum drg_kind kind;
	struct drg_str id;
	int64_t adapter;
	size_t n;
	int rc = map_history_read(cli, &h);
	(void)drg_opt_args(cli->options, &n);
	if (rc == DRG_OK && n > 0 && n < 3)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		              "map history: expected SUPPLIER KIND ID, or nothing for everything");
	if (rc == DRG_OK && n == 3 && (rc = drg_cli_source(cli, &adapter, &kind, &id)) == DRG_OK)
		drg_key_source(&key, adapter, kind, id);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = history_print_all(cli, s, n == 3 ? &key : NULL, &h);
	drg_store_close(s);
	return rc;
}
