/* dragoman map list. */
#include <stdlib.h>

#include "cli/adapter.h"
#include "cli/lists/names.h"
#include "cli/lists/unmapped.h"
#include "cli/person.h"
#include "cli/show.h"
#include "cli/store.h"
#include "model/key.h"
#include "store/uses.h"

/* ---- list ---------------------------------------------------------------------------------------- */

static const struct drg_show_column map_source_columns[] = {
	{ DRG_F_ADAPTER_ID, 10 }, { DRG_F_KIND, 14 }, { DRG_F_SOURCE_ID, 20 },
	{ DRG_F_DICT_ID, 10 },    { DRG_F_NAME, 36 },
};
static const struct drg_listing_column mapped_extra[] = { { "dict_name", 0 }, { NULL, 0 } };
/* For records that are not mapped: where they are, and what prevents a mapping. */
static const struct drg_show_column unmapped_columns[] = {
	{ DRG_F_ADAPTER_ID, 10 }, { DRG_F_KIND, 14 },         { DRG_F_SOURCE_ID, 16 },     { DRG_F_NAME, 32 },
	{ DRG_F_CITY_NAME, 16 },  { DRG_F_COUNTRY_NAME, 14 }, { DRG_F_CATEGORY_NAME, 13 },
};

static const struct drg_listing_column unmapped_extra[] = {
	{ "since", 24 },
	{ "asked", -6 },
	{ "reason", 0 },
	{ NULL, 0 },
};

struct listing {
	struct drg_cli *cli;
	struct drg_store *s;
	struct drg_unmapped about; /* where the list is of what is not mapped */
	struct drg_filter filter;
	struct drg_buf name;
	struct drg_buf uses; /* struct drg_use of records that were asked for, ascending by what they are */
	bool rest; /* those that were asked for are listed already */
	int64_t asked; /* for the record that is listed now */
	struct drg_show_view view;
	bool mapped, unmapped; /* which ones; of the events: both */
};

/* ---- what was asked for most comes first --------------------------------------------------------------- */

static int map_gather_use(void *ctx, const struct drg_use *u)
{
	struct listing *l = ctx;
	struct drg_use copy = *u;
	copy.id = drg_arena_str(l->cli->arena, u->id);
	drg_buf_add(&l->uses, &copy, sizeof copy);
	return copy.id.p != NULL && l->uses.rc == DRG_OK ? DRG_OK : drg_fail_memory(&l->cli->err);
}

static int map_by_record(const void *a, const void *b)
{
	const struct drg_use *x = a, *y = b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return drg_str_cmp(x->id, y->id);
}

static int map_by_count(const void *a, const void *b)
{
	const struct drg_use *x = *(const struct drg_use *const *)a, *y = *(const struct drg_use *const *)b;
	if (x->count != y->count)
		return x->count > y->count ? -1 : 1;
	return map_by_record(x, y);
}

static bool map_was_asked(const struct listing *l, const struct drg_record *r)
{
	const struct drg_use key = { .number = r->v[DRG_F_ADAPTER_ID].i,
		                     .kind = drg_record_kind(r),
		                     .id = r->v[DRG_F_SOURCE_ID].s };
	return l->uses.n > 0 &&
	       bsearch(&key, l->uses.p, l->uses.n / sizeof key, sizeof key, map_by_record) != NULL;
}

static int map_print_unmapped(struct listing *l, const struct drg_record *r, const struct drg_row_meta *m)
{
	char asked[DRG_I64_TEXT];
	const struct drg_str extra[] = { drg_unmapped_since(&l->about, m),
		                         drg_str(asked, drg_i64_text(l->asked, asked)),
		                         drg_unmapped_reason(&l->about, r) };
	int rc = drg_show_record_with(&l->view, r, extra);
	return rc == DRG_OK ? l->about.rc : rc;
}

/* With the name of what it is mapped to, where there is a column for that. */
static int map_print_mapped(struct listing *l, const struct drg_record *r)
{
	int rc = DRG_OK;
	drg_buf_clear(&l->name);
	if (l->view.shows_extra && drg_record_has(r, DRG_F_DICT_ID))
		rc = drg_list_dict_name(l->s, drg_record_kind(r), r->v[DRG_F_DICT_ID].i, &l->name,
		                        &l->cli->err);
	const struct drg_str extra[] = { drg_buf_view(&l->name) };
	return rc == DRG_OK ? drg_show_record_with(&l->view, r, extra) : rc;
}

static int map_print_row(struct listing *l, const struct drg_record *r, const struct drg_row_meta *m)
{
	bool mapped = drg_record_has(r, DRG_F_DICT_ID);
	if (!(mapped ? l->mapped : l->unmapped) || (l->rest && map_was_asked(l, r)))
		return DRG_OK;
	return l->view.extra == unmapped_extra ? map_print_unmapped(l, r, m) : map_print_mapped(l, r);
}

/* The record is copied: while it is read nothing else could be asked. */
static int map_print_use(struct listing *l, const struct drg_use *u)
{
	struct drg_rows rows;
	struct drg_record key, r;
	struct drg_arena arena;
	if ((l->filter.adapter != 0 && u->number != l->filter.adapter) ||
	    (l->filter.one_kind && u->kind != l->filter.kind))
		return DRG_OK;
	drg_arena_init(&arena, 1 << 20);
	drg_key_source(&key, u->number, u->kind, u->id);
	l->asked = u->count;
	drg_rows_get(&rows, l->s, &key, &l->cli->err);
	if (drg_rows_next(&rows))
		rows.rc = drg_record_copy(&arena, &rows.row.r, &r);
	int rc = drg_rows_end(&rows);
	rc = rc == DRG_OK ? map_print_row(l, &r, &rows.row.m) : rc == DRG_ENOENT ? DRG_OK : rc;
	drg_arena_done(&arena);
	return rc;
}

/* Print the records that were requested, the most frequent first. */
static int map_print_asked(struct listing *l)
{
	const struct drg_use *u = (const struct drg_use *)(const void *)l->uses.p;
	const size_t n = l->uses.n / sizeof *u;
	const struct drg_use **order =
	        drg_arena_alloc(l->cli->arena, (n + 1) * sizeof(const struct drg_use *));
	if (order == NULL)
		return drg_fail_memory(&l->cli->err);
	int rc = DRG_OK;
	for (size_t i = 0; i < n; i++)
		order[i] = &u[i];
	if (n > 0)
		qsort(order, n, sizeof(const struct drg_use *), map_by_count);
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = map_print_use(l, order[i]);
	l->asked = 0;
	l->rest = true;
	return rc;
}

static int map_print_all(struct listing *l, bool by_cost)
{
	struct drg_rows rows;
	struct drg_cli *cli = l->cli;
	int rc = by_cost ? drg_store_uses(l->s, DRG_USE_RECORD, 0, map_gather_use, l, &cli->err) : DRG_OK;
	if (rc == DRG_OK && l->uses.n > 0)
		qsort(l->uses.p, l->uses.n / sizeof(struct drg_use), sizeof(struct drg_use), map_by_record);
	if (rc == DRG_OK)
		rc = drg_show_open(cli, &l->view);
	if (rc != DRG_OK)
		return rc;
	if (by_cost)
		rc = map_print_asked(l);
	if (rc == DRG_OK) {
		for (drg_rows_scan(&rows, l->s, &l->filter, &cli->err); drg_rows_next(&rows);)
			rows.rc = map_print_row(l, &rows.row.r, &rows.row.m);
		rc = drg_rows_end(&rows);
	}
	return drg_listing_close(&l->view.listing, cli, rc);
}

static int map_read_filter(struct drg_cli *cli, struct drg_filter *f)
{
	f->type = &drg_types[DRG_TYPE_SOURCE];
	f->one_kind = drg_opt_text(cli->options, "kind") != NULL;
	return drg_cli_which(cli, &f->adapter, &f->kind);
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
		.cli = cli,
		.s = s,
		.filter = f,
		.view = { .type = f.type,
		          .kind = f.one_kind ? f.kind : DRG_KIND_NONE,
		          .columns = map_source_columns,
		          .n_columns = DRG_ARRAY_LEN(map_source_columns),
		          .extra = mapped_extra,
		          .was = true },
		.mapped = !drg_opt_flag(o, "unmapped"),
		.unmapped = !drg_opt_flag(o, "mapped"),
	};
	if (drg_opt_flag(o, "unmapped")) {
		rc = drg_unmapped_init(cli, s, f.adapter, &l.about);
		l.view.columns = unmapped_columns;
		l.view.n_columns = DRG_ARRAY_LEN(unmapped_columns);
		l.view.extra = unmapped_extra;
	}
	drg_buf_init(&l.uses, SIZE_MAX);
	drg_buf_init(&l.name, 1 << 16);
	if (rc == DRG_OK)
		rc = map_print_all(&l, drg_opt_flag(o, "unmapped"));
	drg_buf_done(&l.uses);
	drg_buf_done(&l.name);
	if (l.view.extra == unmapped_extra)
		drg_unmapped_done(&l.about);
	drg_store_close(s);
	return rc;
}
