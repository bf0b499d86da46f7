/* GET /v1/export/sources: the whole mapping as NDJSON (decisions F9, F10). */
#include <stdlib.h>

#include "api/file_out.h"
#include "api/item.h"
#include "api/tables.h"
#include "server/source_export.h"
#include "text/compress.h"
#include "text/json.h"
#include "text/lang.h"

enum { BLOCK_BYTES = 256 * 1024, LINE_MAX_BYTES = 4 * 1024 * 1024 };

struct export
{
	struct drg_file_out f;
	struct drg_source_export job;
	void *over; /* for drg_file_out_over() */
	struct drg_tempfile *file;
	struct drg_buf out, packed;
	char lang[DRG_LANG_MAX + 1];
	char cursor[DRG_CURSOR_TEXT];
	uint64_t items;
};

/* ---- on the thread that reads --------------------------------------------------------------------------- */

/* Blocks are compressed, each as a frame of its own: some eight times smaller. */
static int export_sources_flush(struct export *e, struct drg_err *reterr)
{
	if (drg_file_out_over(e->over))
		return DRG_ESTOPPED;
	int rc = e->out.rc == DRG_OK ? drg_tempfile_check_room(e->file, reterr) : drg_fail_memory(reterr);
	drg_buf_clear(&e->packed);
	if (rc == DRG_OK)
		rc = drg_compress_fast(DRG_CODING_ZSTD, drg_buf_view(&e->out), &e->packed, reterr);
	if (rc == DRG_OK)
		rc = drg_tempfile_add(e->file, e->packed.p, e->packed.n, reterr);
	drg_buf_clear(&e->out);
	return rc;
}

static void write_cursor(struct drg_jw *w, const struct export *e)
{
	drg_jw_member_str(w, "cursor", drg_str_c(e->cursor));
	drg_jw_object_end(w);
	drg_buf_char(w->b, '\n');
}

static int export_sources_begin(void *ctx, const struct drg_cursor *cursor, struct drg_err *reterr)
{
	struct export *e = ctx;
	struct drg_jw w = { .b = &e->out };
	(void)reterr;
	drg_cursor_write(cursor, e->cursor);
	drg_jw_object(&w);
	drg_jw_member_str(&w, "type", DRG_STR("cursor"));
	write_cursor(&w, e);
	e->f.head.version = drg_cursor_version(cursor);
	return DRG_OK;
}

static int export_sources_add_item(void *ctx, const struct drg_change *c, struct drg_err *reterr)
{
	struct export *e = ctx;
	drg_item_json(c, &e->out);
	drg_buf_char(&e->out, '\n');
	e->items++;
	return e->out.n < BLOCK_BYTES && e->out.rc == DRG_OK ? DRG_OK : export_sources_flush(e, reterr);
}

/* The last line: without it the answer was cut. */
static int export_sources_end(struct export *e, struct drg_err *reterr)
{
	struct drg_jw w = { .b = &e->out };
	drg_jw_object(&w);
	drg_jw_member_str(&w, "type", DRG_STR("end"));
	drg_jw_member_i64(&w, "items", (int64_t)e->items);
	write_cursor(&w, e);
	return export_sources_flush(e, reterr);
}

static int export_sources_make(struct drg_file_out *f, struct drg_store *s, struct drg_tempfile *file,
                               const char *path, void *job, struct drg_err *reterr)
{
	struct export *e = DRG_CONTAINER_OF(f, struct export, f);
	(void)path;
	e->file = file;
	e->over = job;
	e->items = 0;
	drg_buf_clear(&e->out);
	int rc = drg_source_export_run(&e->job, s, reterr);
	return rc == DRG_OK ? export_sources_end(e, reterr) : rc;
}

static void export_sources_done(struct drg_file_out *f)
{
	struct export *e = DRG_CONTAINER_OF(f, struct export, f);
	drg_buf_done(&e->out);
	drg_buf_done(&e->packed);
	free(e);
}

/* ---- on the http thread -------------------------------------------------------------------------------- */

static int export_sources_answer(struct drg_exchange *x, const struct drg_file_head *h)
{
	drg_exchange_set_version(x, &h->version);
	drg_exchange_set_type(x, "application/x-ndjson");
	return DRG_OK;
}

static int export_sources(struct drg_exchange *x)
{
	struct export *e = calloc(1, sizeof *e);
	if (e == NULL)
		return DRG_ENOMEM;
	e->f.make = export_sources_make;
	e->f.answer = export_sources_answer;
	e->f.done = export_sources_done;
	drg_buf_init(&e->out, LINE_MAX_BYTES);
	drg_buf_init(&e->packed, SIZE_MAX);
	e->job = (struct drg_source_export){ .begin = export_sources_begin,
		                             .item = export_sources_add_item,
		                             .ctx = e };
	e->job.lang = drg_lang_normal(drg_exchange_lang(x, "lang"), e->lang);
	int rc = drg_item_filter(x, &e->job.filter);
	if (rc == DRG_OK)
		return drg_file_out_start(x, drg_app_of(x)->exports, &e->f);
	export_sources_done(&e->f);
	return rc;
}

static const struct drg_param export_sources_params[] = { DRG_PARAM_ITEM_FILTER, DRG_PARAM_LANG, { 0 } };

const struct drg_endpoint drg_export_sources[] = {
	{ .method = DRG_GET,
	  .path = "/v1/export/sources",
	  .name = "exportSources",
	  .handler = export_sources,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = export_sources_params,
	  .summary = "The whole mapping, one JSON object per line",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .copies = true) },
	{ 0 },
};
