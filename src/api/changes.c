/* GET /v1/changes: the change feed (decisions F1 to F8). */
#include <stdatomic.h>
#include <string.h>

#include "api/item.h"
#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"
#include "base/log.h"
#include "text/stamp.h"

/* A request while it waits; in the arena of its exchange. */
struct changes_feed {
	struct drg_exchange *x;
	struct drg_changes_page page;
	struct drg_jw w;
};

/* ---- the answer ------------------------------------------------------------------------------------------ */

static void changes_begin(void *ctx)
{
	struct changes_feed *f = ctx;
	f->w = (struct drg_jw){ .b = drg_exchange_out(f->x) };
	drg_buf_clear(f->w.b);
	drg_items_begin(&f->w);
}

static void changes_add_item(void *ctx, const struct drg_change *c)
{
	struct changes_feed *f = ctx;
	drg_jw_sep(&f->w);
	drg_item_json(c, f->w.b);
}

static void changes_finish(struct changes_feed *f)
{
	char cursor[DRG_CURSOR_TEXT];
	size_t n = drg_cursor_write(&f->page.cursor, cursor);
	drg_jw_array_end(&f->w);
	drg_jw_member_str(&f->w, "cursor", drg_str(cursor, n));
	drg_jw_member_bool(&f->w, "more", f->page.more);
	drg_jw_object_end(&f->w);
	drg_data_end(&f->w);
}

/* Once: what one client has lost, others have too. */
static void report_gone(const struct drg_changes_page *p)
{
	static atomic_flag told = ATOMIC_FLAG_INIT;
	if (p->cursor.seen < INT64_MAX && !atomic_flag_test_and_set(&told))
		drg_log(DRG_LOG_WARN,
		        "a client has seen commit %lld, which the store does not have: the store was "
		        "restored to an earlier state, and its clients start over (logged once)",
		        (long long)p->cursor.seen);
}

static int gone(struct drg_exchange *x)
{
	return drg_exchange_fail_status(x, 410, DRG_R(restored), "since",
	                                "since: this cursor is of a history that is over: the data was "
	                                "restored to an earlier state; start over "
	                                "with GET /v1/export/sources, or without since");
}

static int changes_answer(struct drg_exchange *x)
{
	struct changes_feed *f = drg_exchange_data(x);
	if (f->page.rc != DRG_OK) {
		*drg_exchange_err(x) = f->page.err;
		return f->page.rc;
	}
	if (f->page.gone) {
		report_gone(&f->page);
		return gone(x);
	}
	const struct drg_data_version version = drg_cursor_version(&f->page.cursor);
	drg_exchange_set_version(x, &version);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return DRG_OK;
}

/* ---- the request ----------------------------------------------------------------------------------------- */

static bool changes_may(void *ctx)
{
	struct changes_feed *f = ctx;
	return drg_api_reauthorize(f->x) == DRG_OK;
}

static void changes_wake(void *ctx)
{
	struct changes_feed *f = ctx;
	if (f->page.until_ns != 0 && !changes_may(f)) { /* any more: it has waited */
		f->page.rc = DRG_EAUTH;
		f->page.err = *drg_exchange_err(f->x);
	} else if (f->page.rc == DRG_OK && !f->page.gone) {
		changes_finish(f);
		drg_exchange_pack(f->x);
	}
	drg_exchange_resume(f->x);
}

static void changes_leave(struct drg_exchange *x)
{
	struct changes_feed *f = drg_exchange_data(x);
	drg_changes_cancel(&f->page);
}

/* "2026-...": no cursor begins so. */
static bool is_time(struct drg_str since)
{
	size_t digits = 0;
	while (digits < since.n && since.p[digits] >= '0' && since.p[digits] <= '9')
		digits++;
	return digits > 0 && digits < since.n && since.p[digits] == '-';
}

static int changes_read_time(struct drg_exchange *x, struct drg_str since, struct drg_changes_page *p)
{
	const char *fault = drg_stamp_read(since, &p->since_us);
	p->since = DRG_SINCE_TIME;
	return fault == NULL ? DRG_OK
	                     : drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(invalid_time), "since",
	                                "since: \"%.*s\" %s", DRG_STR_ARG(since), fault);
}

static int read_since(struct drg_exchange *x, struct drg_changes_page *p)
{
	struct drg_str since = drg_exchange_text(x, "since");
	if (is_time(since))
		return changes_read_time(x, since, p);
	p->since = since.n == 0                        ? DRG_SINCE_START
	           : drg_str_eq(since, DRG_STR("now")) ? DRG_SINCE_NOW
	                                               : DRG_SINCE_CURSOR;
	return p->since == DRG_SINCE_CURSOR ? drg_cursor_read(since, &p->cursor, drg_exchange_err(x))
	                                    : DRG_OK;
}

static int changes_read_request(struct drg_exchange *x, struct drg_changes_page *p)
{
	int64_t wait = drg_exchange_int(x, "wait", 0);
	p->limit = (unsigned)drg_exchange_int(x, "limit", 1000);
	p->until_ns = wait > 0 ? drg_clock_ns() + wait * 1000000000 : 0;
	p->lang = drg_exchange_lang(x, "lang");
	int rc = drg_item_filter(x, &p->filter);
	return rc == DRG_OK ? read_since(x, p) : rc;
}

static int changes(struct drg_exchange *x)
{
	struct changes_feed *f = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *f);
	if (f == NULL)
		return DRG_ENOMEM;
	f->x = x;
	f->page.key_id = drg_exchange_caller(x)->id;
	f->page.curating = drg_exchange_endpoint(x)->auth == DRG_AUTH_VIEWER;
	const struct drg_from from = drg_exchange_from(x);
	memcpy(f->page.client, from.client, sizeof f->page.client);
	f->page.begin = changes_begin;
	f->page.item = changes_add_item;
	f->page.may = changes_may;
	f->page.done = changes_wake;
	f->page.ctx = f;
	int rc = changes_read_request(x, &f->page);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, f);
	/* Suspended before a reader can know of it, so that its call finds it so. */
	drg_exchange_suspend(x, changes_answer);
	drg_exchange_on_disconnect(x, changes_leave);
	drg_changes_ask(drg_app_of(x)->changes, &f->page);
	return DRG_HTTP_SUSPENDED;
}

static const struct drg_param changes_params[] = {
	{ .name = "since",
	  .type = DRG_P_TEXT,
	  .max = 128,
	  .doc = "cursor, a time, or now; from the beginning when absent" },
	{ .name = "limit",
	  .type = DRG_P_INT,
	  .min = 1,
	  .max = 10000,
	  .doc = "records at most; 1,000 when absent" },
	{ .name = "wait",
	  .type = DRG_P_INT,
	  .min = 0,
	  .max = 60,
	  .doc = "seconds to wait when there is nothing" },
	DRG_PARAM_ITEM_FILTER,
	DRG_PARAM_LANG,
	{ 0 },
};

const struct drg_endpoint drg_changes_endpoints[] = {
	{ .method = DRG_GET,
	  .path = "/v1/changes",
	  .name = "changes",
	  .handler = changes,
	  .auth = DRG_AUTH_KEY_B,
	  .cors = true,
	  .params = changes_params,
	  .summary = "List changes since a cursor",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .copies = true) },
	{ .method = DRG_GET,
	  .path = "/v1/curate/changes",
	  .name = "curateChanges",
	  .handler = changes,
	  .auth = DRG_AUTH_VIEWER,
	  .params = changes_params,
	  .summary = "List decisions and changes since a cursor",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter, .copies = true) },
	{ 0 },
};
