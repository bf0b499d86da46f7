#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "admin/backup/last.h"
#include "admin/status.h"
#include "base/clock.h"
#include "cli/cli.h"
#include "cli/data_dir.h"
#include "cli/listing.h"
#include "console/say.h"
#include "text/json.h"

static bool has_mapping(const struct drg_count *c)
{
	return drg_field_of(c->type, DRG_F_DICT_ID) != NULL;
}

static void count_json(struct drg_jw *w, const struct drg_count *c)
{
	const struct {
		const char *key;
		int64_t n;
		bool wanted;
	} numbers[] = {
		{ "adapter_id", c->adapter, c->adapter != 0 },
		{ "records", c->live, true },
		{ "mapped", c->mapped, has_mapping(c) },
		{ "unmapped", c->live - c->mapped, has_mapping(c) },
		{ "deleted", c->tombstones, true },
	};
	drg_jw_object(w);
	drg_jw_member_str(w, "type", drg_str_c(c->type->name));
	if (c->kind != DRG_KIND_NONE)
		drg_jw_member_str(w, "kind", drg_str_c(drg_kind_name(c->kind)));
	for (size_t i = 0; i < DRG_ARRAY_LEN(numbers); i++)
		if (numbers[i].wanted)
			drg_jw_member_i64(w, numbers[i].key, numbers[i].n);
	drg_jw_object_end(w);
}

static void licences_json(struct drg_jw *w)
{
	drg_jw_member_array(w, "licences");
	for (const struct drg_licence *l = drg_licences; l->source != NULL; l++) {
		drg_jw_object(w);
		drg_jw_member_str(w, "source", drg_str_c(l->source));
		drg_jw_member_str(w, "what", drg_str_c(l->what));
		drg_jw_member_str(w, "licence", drg_str_c(l->licence));
		drg_jw_member_str(w, "url", drg_str_c(l->url));
		drg_jw_object_end(w);
	}
	drg_jw_array_end(w);
}

/* What is told of a store, and of its folder. */
struct status_told {
	struct drg_status st;
	const char *store_url;
	bool backed_up;
	struct drg_last_backup last;
	int64_t failed_us; /* when a later backup failed; 0: none did */
};

static void last_backup_json(struct drg_jw *w, const struct drg_last_backup *b)
{
	char at[DRG_WALL_TEXT];
	drg_wall_text(b->at_us, at);
	drg_jw_member_object(w, "last_backup");
	drg_jw_member_str(w, "at", drg_str_c(at));
	drg_jw_member_i64(w, "seq", b->seq);
	drg_jw_member_i64(w, "bytes", (int64_t)b->bytes);
	drg_jw_object_end(w);
}

static void status_json(const struct status_told *told, struct drg_buf *out)
{
	const struct drg_status *st = &told->st;
	struct drg_jw w = { .b = out };
	drg_jw_object(&w);
	drg_jw_member_i64(&w, "seq", st->clock.seq);
	drg_jw_member_str(&w, "epoch", drg_str_c(st->clock.epoch));
	drg_jw_member_str(&w, "store", drg_str_c(told->store_url));
	drg_jw_member_i64(&w, "store_bytes", (int64_t)st->bytes);
	if (told->backed_up)
		last_backup_json(&w, &told->last);
	drg_jw_member_i64(&w, "adapters", st->adapters);
	drg_jw_member_i64(&w, "adapters_limit", DRG_ADAPTERS_MAX);
	drg_jw_member_array(&w, "counts");
	for (size_t i = 0; i < st->n_counts; i++)
		count_json(&w, &st->counts[i]);
	drg_jw_array_end(&w);
	licences_json(&w);
	drg_jw_object_end(&w);
	drg_buf_char(out, '\n');
}

static void last_backup_text(const struct status_told *told, struct drg_buf *out)
{
	char at[DRG_WALL_TEXT];
	if (told->failed_us != 0) {
		drg_wall_text(told->failed_us, at);
		drg_buf_printf(out,
		               "last backup   failed %s (last-backup-failure says why); before it: ", at);
	} else {
		drg_buf_lit(out, "last backup   ");
	}
	if (!told->backed_up) {
		drg_buf_lit(out, "none that is known of here: see 'dragoman backup --help'\n\n");
		return;
	}
	drg_wall_text(told->last.at_us, at);
	drg_buf_printf(out, "%s, up to commit %" PRId64 ", %.1f MB\n\n", at, told->last.seq,
	               (double)told->last.bytes / 1e6);
}

static void status_text(const struct status_told *told, struct drg_buf *out)
{
	const struct drg_status *st = &told->st;
	drg_buf_printf(out, "data version  %" PRId64 " (epoch %s)\n", st->clock.seq, st->clock.epoch);
	drg_buf_printf(out, "store         ");
	size_t url = out->n;
	drg_buf_printf(out, "%s", told->store_url);
	drg_print_sanitize(out, url);
	drg_buf_printf(out, ", %.1f MB\n", (double)st->bytes / 1e6);
	last_backup_text(told, out);
	if (st->adapters > DRG_ADAPTERS_MAX)
		drg_buf_printf(out,
		               "set aside     %" PRId64
		               " adapters with their data: a server keeps %d; remove some of them\n\n",
		               st->adapters - DRG_ADAPTERS_MAX, DRG_ADAPTERS_MAX);
	drg_buf_printf(out, "%-14s %-16s %7s %12s %12s %12s %10s\n", "type", "kind", "adapter", "records",
	               "mapped", "unmapped", "deleted");
	for (size_t i = 0; i < st->n_counts; i++) {
		const struct drg_count *c = &st->counts[i];
		char adapter[DRG_I64_TEXT] = "";
		if (c->adapter != 0)
			drg_i64_text(c->adapter, adapter);
		drg_buf_printf(out, "%-14s %-16s %7s %12" PRId64, c->type->name, drg_kind_name(c->kind),
		               adapter, c->live);
		if (has_mapping(c))
			drg_buf_printf(out, " %12" PRId64 " %12" PRId64, c->mapped, c->live - c->mapped);
		else
			drg_buf_printf(out, " %12s %12s", "", "");
		drg_buf_printf(out, " %10" PRId64 "\n", c->tombstones);
	}
	drg_buf_lit(out, "\nlicences of the demo data\n");
	for (const struct drg_licence *l = drg_licences; l->source != NULL; l++)
		drg_buf_printf(out, "  %-26s %-18s %s%s%s\n", l->source, l->licence, l->what,
		               l->url[0] != '\0' ? ", " : "", l->url);
}

/* ---- as a listing -------------------------------------------------------------------------------------- */

static const struct drg_listing_column status_columns[] = {
	{ "type", 14 },    { "kind", 16 },      { "adapter_id", 10 }, { "records", -12 },
	{ "mapped", -12 }, { "unmapped", -12 }, { "deleted", -10 },
};

static int status_row(struct drg_listing *l, const struct drg_count *c)
{
	drg_listing_text(l, drg_str_c(c->type->name));
	if (c->kind != DRG_KIND_NONE)
		drg_listing_text(l, drg_str_c(drg_kind_name(c->kind)));
	else
		drg_listing_none(l);
	const struct {
		int64_t n;
		bool known;
	} numbers[] = { { c->adapter, c->adapter != 0 },
		        { c->live, true },
		        { c->mapped, has_mapping(c) },
		        { c->live - c->mapped, has_mapping(c) },
		        { c->tombstones, true } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(numbers); i++) {
		if (numbers[i].known)
			drg_listing_int(l, numbers[i].n);
		else
			drg_listing_none(l);
	}
	return drg_listing_row(l);
}

static int status_list(struct drg_cli *cli, const struct drg_status *st)
{
	struct drg_listing l;
	int rc = drg_listing_open(cli, status_columns, DRG_ARRAY_LEN(status_columns), &l);
	if (rc != DRG_OK)
		return rc;
	for (size_t i = 0; i < st->n_counts && rc == DRG_OK; i++)
		rc = status_row(&l, &st->counts[i]);
	return drg_listing_close(&l, cli, rc);
}

static int status_print(struct drg_cli *cli, const struct status_told *told)
{
	struct drg_buf out;
	int rc = DRG_OK;
	drg_buf_init(&out, SIZE_MAX);
	bool json = drg_opt_flag(cli->options, "json");
	(json ? status_json : status_text)(told, &out);
	if (out.rc == DRG_OK)
		fwrite(out.p, 1, out.n, stdout);
	else
		rc = drg_fail_memory(&cli->err);
	drg_buf_done(&out);
	return rc;
}

int drg_cmd_status(struct drg_cli *cli)
{
	struct drg_data_dir dir;
	struct drg_store *s = NULL;
	struct status_told told = { .store_url = dir.store_url };
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc == DRG_OK)
		rc = drg_store_open(dir.store_url, DRG_STORE_READ, &s, &cli->err);
	if (rc == DRG_OK)
		rc = drg_status_read(s, &told.st, &cli->err);
	drg_store_close(s);
	if (rc != DRG_OK)
		return rc;

	/* The folder may have got another store since. */
	told.backed_up = drg_last_backup_read(dir.path, &told.last) &&
	                 strcmp(told.last.epoch, told.st.clock.epoch) == 0;
	told.failed_us = drg_last_backup_failure_us(dir.path);
	if (told.backed_up && told.failed_us < told.last.at_us)
		told.failed_us = 0;
	if (drg_listing_choose(cli).format != DRG_LISTING_TABLE)
		rc = status_list(cli, &told.st);
	else
		rc = status_print(cli, &told);
	drg_status_done(&told.st);
	return rc;
}
