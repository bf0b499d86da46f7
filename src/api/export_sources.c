/* GET /v1/export/sources: the whole mapping as NDJSON (decisions F9, F10). */
#include <stdlib.h>

#include "api/item.h"
#include "api/tables.h"
#include "http/stream.h"
#include "text/json.h"
#include "text/lang.h"

enum { WRITE_BYTES = 32 * 1024, LINE_MAX_BYTES = 4 * 1024 * 1024 };

/* What the exchange and the thread of the export share until the exchange goes on; in the arena of the
 * exchange. */
struct start {
	int rc;
	struct drg_data_version version;
};

/* The thread's own: the exchange may be over before it is. */
struct export
{
	struct drg_source_export job;
	struct drg_exchange *x; /* until it goes on */
	struct start *start;
	struct drg_stream *stream;
	struct drg_buf out;
	char lang[DRG_LANG_MAX + 1];
	char cursor[DRG_CURSOR_TEXT];
	uint64_t items;
};

/* ---- on the thread of the export ----------------------------------------------------------------------- */

static int export_sources_flush(struct export *e)
{
	int rc = e->out.rc == DRG_OK ? drg_stream_write(e->stream, drg_buf_view(&e->out)) : DRG_ESTOPPED;
	drg_buf_clear(&e->out);
	return rc;
}

static void write_cursor(struct drg_jw *w, const struct export *e)
{
	drg_jw_key(w, "cursor");
	drg_jw_str(w, drg_str_c(e->cursor));
	drg_jw_object_end(w);
	drg_buf_char(w->b, '\n');
}

static int export_sources_begin(void *ctx, const struct drg_cursor *cursor)
{
	struct export *e = ctx;
	struct drg_jw w = { .b = &e->out };
	drg_cursor_write(cursor, e->cursor);
	drg_jw_object(&w);
	drg_jw_key(&w, "type");
	drg_jw_str(&w, DRG_STR("cursor"));
	write_cursor(&w, e);
	e->start->version = drg_cursor_version(cursor);
	drg_exchange_resume(e->x);
	return export_sources_flush(e);
}

static int export_sources_add_item(void *ctx, const struct drg_change *c)
{
	struct export *e = ctx;
	drg_item_json(c, &e->out);
	drg_buf_char(&e->out, '\n');
	e->items++;
	return e->out.n < WRITE_BYTES && e->out.rc == DRG_OK ? DRG_OK : export_sources_flush(e);
}

/* The last line: without it the answer was cut. */
static int export_sources_end(void *ctx)
{
	struct export *e = ctx;
	struct drg_jw w = { .b = &e->out };
	drg_jw_object(&w);
	drg_jw_key(&w, "type");
	drg_jw_str(&w, DRG_STR("end"));
	drg_jw_key(&w, "items");
	drg_jw_i64(&w, (int64_t)e->items);
	write_cursor(&w, e);
	return export_sources_flush(e);
}

static void free_export(struct export *e)
{
	drg_buf_done(&e->out);
	free(e);
}

static void export_sources_done(void *ctx)
{
	struct export *e = ctx;
	if (!e->job.begun) {
		e->start->rc = e->job.job.rc;
		*drg_exchange_err(e->x) = e->job.job.err;
		drg_exchange_resume(e->x);
	}
	drg_stream_end(e->stream, e->job.complete);
	free_export(e);
}

/* ---- on the http thread -------------------------------------------------------------------------------- */

static int export_sources_answer(struct drg_exchange *x)
{
	const struct start *start = drg_exchange_data(x);
	if (start->rc == DRG_OK)
		drg_exchange_set_version(x, &start->version);
	drg_exchange_set_type(x, "application/x-ndjson");
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return start->rc;
}

static struct export *new_export(struct drg_exchange *x, struct start *start)
{
	struct export *e = calloc(1, sizeof *e);
	if (e == NULL)
		return NULL;
	e->x = x;
	e->start = start;
	drg_buf_init(&e->out, LINE_MAX_BYTES);
	e->job = (struct drg_source_export){ .key_id = drg_exchange_key_id(x),
		                             .begin = export_sources_begin,
		                             .item = export_sources_add_item,
		                             .end = export_sources_end,
		                             .done = export_sources_done,
		                             .ctx = e };
	e->job.lang = drg_lang_normal(drg_exchange_lang(x, "lang"), e->lang);
	return e;
}

static int export_sources(struct drg_exchange *x)
{
	struct start *start = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *start);
	struct export *e = start != NULL ? new_export(x, start) : NULL;
	if (e == NULL)
		return DRG_ENOMEM;
	int rc = drg_item_filter(x, &e->job.filter);
	if (rc == DRG_OK)
		rc = drg_exchange_stream(x, &e->stream);
	if (rc != DRG_OK) {
		free_export(e);
		return rc;
	}
	drg_exchange_set_data(x, start);
	drg_exchange_suspend(x, export_sources_answer);
	drg_source_export_ask(drg_app_of(x)->exports, &e->job);
	return DRG_HTTP_SUSPENDED;
}

static const struct drg_param params[] = { DRG_PARAM_ITEM_FILTER, DRG_PARAM_LANG, { 0 } };

const struct drg_endpoint drg_export_sources[] = {
	{ .method = DRG_GET,
	  .path = "/v1/export/sources",
	  .name = "exportSources",
	  .handler = export_sources,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = params,
	  .summary = "The whole mapping, one JSON object per line",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .copies = true) },
	{ 0 },
};
