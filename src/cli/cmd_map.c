#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/show.h"
#include "cli/store.h"
#include "curate/history.h"
#include "curate/mapping.h"
#include "load/map_load.h"
#include "model/key.h"
#include "text/stamp.h"

/* ADAPTER KIND ID, the first three arguments. */
static int read_source(struct drg_cli *cli, struct drg_mapping_decision *d)
{
	const char *const *args = drg_opt_args(cli->options, NULL);
	d->id = drg_str_c(args[2]);
	int rc = drg_cli_adapter_named(cli, args[0], &d->adapter);
	return rc == DRG_OK ? drg_read_kind(cli, args[1], DRG_KIND_SOURCE_COUNT, &d->kind) : rc;
}

/* ---- set, clear, undo ------------------------------------------------------------------------------------- */

static void print_mapping(bool mapped, int64_t id)
{
	if (mapped)
		printf("%" PRId64, id);
	else
		fputs("not mapped", stdout);
}

static void print_change(const struct drg_mapping_decision *d)
{
	const struct drg_mapping_change *c = &d->change;
	if (c->redirected)
		printf("%s %" PRId64 " was merged into %" PRId64 "\n", drg_kind_name(d->kind), c->asked,
		       c->is);
	printf("adapter %" PRId64 " %s %.*s: ", d->adapter, drg_kind_name(d->kind), DRG_STR_ARG(d->id));
	print_mapping(c->was_mapped, c->was);
	if (c->changed) {
		fputs(" -> ", stdout);
		print_mapping(c->is_mapped, c->is);
	} else {
		fputs(" already, nothing changed", stdout);
	}
	putchar('\n');
}

static int map_decide(struct drg_cli *cli, drg_decision_fn *run, struct drg_mapping_decision *d)
{
	d->by = drg_person(cli);
	d->why = drg_reason(cli);
	int rc = read_source(cli, d);
	if (rc == DRG_OK)
		rc = drg_cli_decide(cli, DRG_STORE_WRITE, run, d);
	if (rc == DRG_OK)
		print_change(d);
	return rc;
}

int drg_cmd_map_set(struct drg_cli *cli)
{
	struct drg_mapping_decision d = { .adapter = 0 };
	int rc = drg_read_number(cli, "DICT_ID", drg_opt_args(cli->options, NULL)[3], &d.dict_id);
	return rc == DRG_OK ? map_decide(cli, drg_mapping_set, &d) : rc;
}

int drg_cmd_map_clear(struct drg_cli *cli)
{
	struct drg_mapping_decision d = { .adapter = 0 };
	return map_decide(cli, drg_mapping_clear, &d);
}

int drg_cmd_map_undo(struct drg_cli *cli)
{
	struct drg_mapping_decision d = { .adapter = 0 };
	return map_decide(cli, drg_mapping_undo, &d);
}

/* ---- list, history ---------------------------------------------------------------------------------------- */

static const struct drg_show_column source_columns[] = {
	{ DRG_F_ADAPTER_ID, 10 }, { DRG_F_KIND, 14 }, { DRG_F_SOURCE_ID, 20 },
	{ DRG_F_DICT_ID, 10 },    { DRG_F_NAME, 0 },
};
static const struct drg_show_column event_columns[] = {
	{ DRG_F_AT, 27 },   { DRG_F_HOW, 5 },        { DRG_F_ADAPTER_ID, 10 },
	{ DRG_F_KIND, 14 }, { DRG_F_SOURCE_ID, 20 }, { DRG_F_FROM, 10 },
	{ DRG_F_TO, 10 },   { DRG_F_BY, 12 },        { DRG_F_WHY, 0 },
};

/* Of what is not mapped: where it is, and what stands in the way. */
static const struct drg_show_column unmapped_columns[] = {
	{ DRG_F_ADAPTER_ID, 10 }, { DRG_F_KIND, 14 },         { DRG_F_SOURCE_ID, 16 },     { DRG_F_NAME, 32 },
	{ DRG_F_CITY_NAME, 16 },  { DRG_F_COUNTRY_NAME, 14 }, { DRG_F_CATEGORY_NAME, 13 },
};

struct listing {
	struct drg_store *s;
	int rc; /* of looking for reasons */
	struct drg_show_view view;
	bool mapped, unmapped; /* which ones; of the events: both */
};

/* A record of the same supplier that this one names: is it there, and not mapped? */
static int is_unmapped(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(bool *)ctx = !drg_record_has(r, DRG_F_DICT_ID);
	return DRG_OK;
}

static bool parent_unmapped(struct listing *l, const struct drg_record *r, enum drg_field field,
                            enum drg_kind kind)
{
	struct drg_record key;
	bool unmapped = false;
	if (!drg_record_has(r, field))
		return false;
	drg_key_source(&key, r->v[DRG_F_ADAPTER_ID].i, kind, r->v[field].s);
	int rc = drg_store_get(l->s, &key, is_unmapped, &unmapped, NULL);
	l->rc = rc == DRG_ENOENT ? l->rc : rc;
	return unmapped;
}

/* What keeps a record from being mapped, as far as the record itself tells. */
static const char *unmapped_reason(struct listing *l, const struct drg_record *r)
{
	enum drg_kind kind = drg_record_kind(r);
	if (kind != DRG_KIND_HOTEL && kind != DRG_KIND_CITY)
		return "";
	if (parent_unmapped(l, r, DRG_F_SRC_COUNTRY_ID, DRG_KIND_COUNTRY))
		return "its country is not mapped";
	if (kind == DRG_KIND_HOTEL && parent_unmapped(l, r, DRG_F_SRC_CITY_ID, DRG_KIND_CITY))
		return "its city is not mapped";
	if (kind == DRG_KIND_HOTEL && !drg_record_has(r, DRG_F_SRC_CITY_ID) &&
	    !drg_record_has(r, DRG_F_CITY_NAME))
		return "lacks its city";
	return drg_record_has(r, DRG_F_LAT) && drg_record_has(r, DRG_F_LNG) ? "" : "lacks coordinates";
}

static int map_print_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct listing *l = ctx;
	bool mapped = drg_record_has(r, DRG_F_DICT_ID);
	if (mapped ? l->mapped : l->unmapped)
		drg_show_record_with(&l->view, r, l->view.extra != NULL ? unmapped_reason(l, r) : "");
	/* Nobody reads any more: stop; main() says it. */
	return ferror(stdout) ? DRG_EIO : l->rc;
}

static int map_read_filter(struct drg_cli *cli, struct drg_filter *f)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	f->type = &drg_types[DRG_TYPE_SOURCE];
	f->one_kind = kind != NULL;
	int rc = drg_cli_adapter_option(cli, &f->adapter);
	return rc == DRG_OK && kind != NULL ? drg_read_kind(cli, kind, DRG_KIND_SOURCE_COUNT, &f->kind) : rc;
}

int drg_cmd_map_list(struct drg_cli *cli)
{
	const struct drg_options *o = cli->options;
	struct drg_filter f = { .type = NULL };
	struct drg_store *s;
	int rc = map_read_filter(cli, &f);
	if (rc == DRG_OK && drg_opt_flag(o, "mapped") && drg_opt_flag(o, "unmapped"))
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, "mapped", "--mapped or --unmapped, not both");
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	struct listing l = {
		.view = { (enum drg_show_format)drg_opt_word(o, "format"), f.type,
		          f.one_kind ? f.kind : DRG_KIND_NONE, source_columns, DRG_ARRAY_LEN(source_columns),
		          NULL, NULL },
		.mapped = !drg_opt_flag(o, "unmapped"),
		.unmapped = !drg_opt_flag(o, "mapped"),
	};
	const char *path = drg_opt_text(o, "output");
	struct drg_err e;
	l.s = s;
	if (drg_opt_flag(o, "unmapped")) {
		l.view.columns = unmapped_columns;
		l.view.n_columns = DRG_ARRAY_LEN(unmapped_columns);
		l.view.extra = "reason";
	}
	if (path != NULL)
		rc = drg_table_out_open(path, true, drg_opt_flag(o, "excel") ? ';' : '\0', &l.view.out,
		                        &cli->err);
	else if (drg_opt_flag(o, "excel"))
		rc = drg_table_out_open("-", true, ';', &l.view.out, &cli->err);
	if (rc == DRG_OK) {
		drg_show_header(&l.view);
		rc = drg_store_scan(s, &f, map_print_row, &l, NULL, &cli->err);
	}
	drg_store_close(s);
	if (drg_table_out_close(l.view.out, &e) != DRG_OK && rc == DRG_OK) {
		cli->err = e;
		rc = e.code;
	}
	return rc;
}

/* ---- load ------------------------------------------------------------------------------------------------- */

static void print_refused(void *ctx, const char *file, uint64_t line, const char *why)
{
	(void)ctx;
	printf("refused %s:%" PRIu64 ": %s\n", file, line, why);
}

int drg_cmd_map_load(struct drg_cli *cli)
{
	struct drg_map_load m = { .by = drg_person(cli),
		                  .why = drg_reason(cli),
		                  .dry_run = drg_opt_flag(cli->options, "dry-run"),
		                  .refused = print_refused };
	struct drg_store *s;
	m.files = drg_opt_args(cli->options, &m.n_files);
	int rc = drg_cli_open_store(cli, m.dry_run ? DRG_STORE_READ : DRG_STORE_WRITE, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_map_load(s, &m, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;
	printf("%" PRIu64 " rows: %" PRIu64 " mapped, %" PRIu64 " cleared, %" PRIu64 " as before, %" PRIu64
	       " refused%s\n",
	       m.rows, m.mapped, m.cleared, m.same, m.n_refused, m.dry_run ? "; nothing applied" : "");
	if (m.batch > 0)
		printf("batch %" PRId64 "; 'dragoman batch undo %" PRId64 "' takes it back\n", m.batch,
		       m.batch);
	return m.n_refused == 0 ? DRG_OK
	                        : drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%" PRIu64 " rows were refused",
	                                   m.n_refused);
}

/* Which events are wanted. */
struct history_filter {
	struct drg_show_view view;
	int64_t since_us, adapter, batch; /* INT64_MIN, 0, 0: all */
	struct drg_str by; /* empty: all */
};

static int history_print(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	const struct history_filter *h = ctx;
	int64_t at;
	(void)m;
	if ((h->adapter != 0 && r->v[DRG_F_ADAPTER_ID].i != h->adapter) ||
	    (h->batch != 0 && drg_record_i(r, DRG_F_OF_BATCH, 0) != h->batch) ||
	    (h->by.n > 0 && !drg_str_eq(drg_record_s(r, DRG_F_BY), h->by)) ||
	    (h->since_us != INT64_MIN && drg_stamp_parse(r->v[DRG_F_AT].s, &at) && at < h->since_us))
		return DRG_OK;
	drg_show_record(&h->view, r);
	return ferror(stdout) ? DRG_EIO : DRG_OK;
}

static int history_read(struct drg_cli *cli, struct history_filter *h)
{
	const struct drg_options *o = cli->options;
	const char *since = drg_opt_text(o, "since");
	char day[40];
	h->since_us = INT64_MIN;
	h->by = drg_str_c(drg_opt_text(o, "by"));
	h->batch = drg_opt_int(o, "batch");
	if (since != NULL && strlen(since) == 10)
		snprintf(day, sizeof day, "%sT00:00:00Z", since);
	if (since != NULL && !drg_stamp_parse(drg_str_c(strlen(since) == 10 ? day : since), &h->since_us))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "since",
		                "--since: expected 2026-11-20 or 2026-11-20T12:00:00Z, found \"%s\"", since);
	return drg_cli_adapter_option(cli, &h->adapter);
}

int drg_cmd_map_history(struct drg_cli *cli)
{
	struct history_filter h = {
		.view = { (enum drg_show_format)drg_opt_word(cli->options, "format"),
		          &drg_types[DRG_TYPE_MAPPING_EVENT], DRG_KIND_NONE, event_columns,
		          DRG_ARRAY_LEN(event_columns), NULL, NULL },
	};
	struct drg_mapping_decision d = { .adapter = 0 };
	struct drg_record key;
	struct drg_store *s;
	size_t n;
	int rc = history_read(cli, &h);
	(void)drg_opt_args(cli->options, &n);
	if (rc == DRG_OK && n == 3)
		rc = read_source(cli, &d);
	else if (rc == DRG_OK && n > 0)
		rc = drg_fail(&cli->err, DRG_EUSAGE, NULL, NULL,
		              "map history: expected ADAPTER KIND ID, or nothing for everything");
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	drg_key_source(&key, d.adapter, d.kind, d.id);
	drg_show_header(&h.view);
	rc = n == 3 ? drg_event_each(s, &key, history_print, &h, &cli->err)
	            : drg_event_all(s, history_print, &h, &cli->err);
	drg_store_close(s);
	return rc;
}
