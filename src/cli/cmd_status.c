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

/* ---- counts ---------------------------------------------------------------------------------------------- */

struct status_row {
	const char *type;
	enum drg_kind kind;
	int64_t adapter_id, records, mapped, unmapped, deleted;
};

#define COUNT(...) DRG_REPORT_COLUMN(struct status_row, __VA_ARGS__)
static const struct drg_report status_report = { .columns = (const struct drg_report_column[]){
	                                                 COUNT(type, WORD, 14, .doc = "type of the records"),
	                                                 COUNT(kind, KIND, 16, .doc = "kind"),
	                                                 COUNT(adapter_id, INT, 10, .doc = "supplier"),
	                                                 COUNT(records, INT, -12, .doc = "records"),
	                                                 COUNT(mapped, INT, -12, .doc = "mapped records"),
	                                                 COUNT(unmapped, INT, -12, .doc = "other records"),
	                                                 COUNT(deleted, INT, -10, .doc = "removed records"),
	                                                 { 0 } } };
#undef COUNT

/* @p asked: struct drg_status; the store is not read. */
static int status_query(struct drg_store *s, void *asked, struct drg_arena *arena, drg_report_row_fn *fn,
                        void *ctx, struct drg_err *reterr)
{
	const struct drg_status *st = asked;
	int rc = DRG_OK;
	(void)s, (void)arena, (void)reterr;
	for (size_t i = 0; i < st->n_counts && rc == DRG_OK; i++) {
		const struct drg_count *c = &st->counts[i];
		const bool maps = drg_field_of(c->type, DRG_F_DICT_ID) != NULL;
		const struct status_row row = { .type = c->type->name,
			                        .kind = c->kind,
			                        .adapter_id = c->adapter != 0 ? c->adapter : INT64_MIN,
			                        .records = c->live,
			                        .mapped = maps ? c->mapped : INT64_MIN,
			                        .unmapped = maps ? c->live - c->mapped : INT64_MIN,
			                        .deleted = c->tombstones };
		rc = fn(ctx, &row);
	}
	return rc;
}

static int status_count_json(void *ctx, const void *row)
{
	struct drg_jw *w = ctx;
	drg_report_json(w, &status_report, row, 0);
	return w->b->rc;
}

/* ---- the rest -------------------------------------------------------------------------------------------- */

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

/* The facts about a store and its folder. */
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

static void status_json(struct status_told *told, struct drg_buf *out)
{
	struct drg_status *st = &told->st;
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
	(void)status_query(NULL, st, NULL, status_count_json, &w, NULL);
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

static void status_text(struct status_told *told, struct drg_buf *out)
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
		               "not loaded    %" PRId64
		               " adapters with their data: a server keeps %d; remove some of them\n\n",
		               st->adapters - DRG_ADAPTERS_MAX, DRG_ADAPTERS_MAX);
}

static void licences_text(struct drg_buf *out)
{
	drg_buf_lit(out, "\nlicences of the demo data\n");
	for (const struct drg_licence *l = drg_licences; l->source != NULL; l++)
		drg_buf_printf(out, "  %-26s %-18s %s%s%s\n", l->source, l->licence, l->what,
		               l->url[0] != '\0' ? ", " : "", l->url);
}

/* ---- the command ----------------------------------------------------------------------------------------- */

/* Print what is in the buffer, and empty it. */
static int status_flush(struct drg_cli *cli, struct drg_buf *out)
{
	if (out->rc != DRG_OK)
		return drg_fail_memory(&cli->err);
	fwrite(out->p, 1, out->n, stdout);
	drg_buf_clear(out);
	return DRG_OK;
}

static int status_print(struct drg_cli *cli, struct status_told *told)
{
	const bool json = drg_opt_flag(cli->options, "json"),
	           plain = drg_listing_choose(cli).format == DRG_LISTING_TABLE;
	struct drg_buf out;
	drg_buf_init(&out, SIZE_MAX);
	if (plain)
		(json ? status_json : status_text)(told, &out);
	int rc = status_flush(cli, &out);
	if (rc == DRG_OK && !(plain && json))
		rc = drg_cli_report_of(cli, NULL, &status_report, status_query, &told->st, 0);
	if (plain && !json)
		licences_text(&out);
	if (rc == DRG_OK)
		rc = status_flush(cli, &out);
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
	rc = status_print(cli, &told);
	drg_status_done(&told.st);
	return rc;
}
