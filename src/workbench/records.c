/* GET curate/records: the records of a supplier as a file for people (decision C10). */
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/curate_words.h"
#include "api/item.h"
#include "api/tables.h"
#include "base/log.h"
#include "base/tempfile.h"
#include "http/stream.h"
#include "load/records_out.h"

enum { BLOCK = 32 * 1024 };

/* What the exchange and the thread share until the exchange goes on; in the arena of the exchange. */
struct records_start {
	int rc;
	atomic_bool left; /* its client has gone */
	char disposition[80];
};

/* The thread's own: the exchange may be over before it is. */
struct records_job {
	struct drg_read_job job;
	struct drg_exchange *x; /* until it goes on */
	struct records_start *start; /* likewise */
	const struct drg_source_exports *exports;
	struct drg_stream *stream;
	struct drg_records_out out;
	const char *dir;
	struct drg_tempfile *file;
	char path[DRG_TEMPFILE_PATH];
	bool over, begun, complete;
	struct drg_err disk; /* what is wrong with it; code DRG_OK: nothing */
};

/* ---- on a thread of the exports ------------------------------------------------------------------------ */

/* While it is made: the stream does not know before the exchange goes on. */
static bool records_over(void *ctx)
{
	struct records_job *d = ctx;
	d->over = atomic_load(&d->start->left) || drg_source_exports_draining(d->exports);
	return d->over;
}

/* All of it is written before the first byte is sent, so that what goes wrong is an answer. */
static int records_make(struct records_job *d, struct drg_store *s, struct drg_err *reterr)
{
	drg_tempfile_close(d->file);
	d->file = NULL;
	int rc = drg_tempfile_open(d->dir, &d->file, reterr);
	if (rc == DRG_OK)
		rc = drg_tempfile_path(d->file, d->path, reterr);
	return rc == DRG_OK ? drg_records_out(s, &d->out, reterr) : rc;
}

static bool records_send(struct records_job *d)
{
	char block[BLOCK];
	size_t n = 0;
	FILE *f = fopen(d->path, "rbe");
	bool sent = f != NULL;
	while (sent && (n = fread(block, 1, sizeof block, f)) > 0)
		sent = drg_stream_write(d->stream, drg_str(block, n)) == DRG_OK;
	sent = sent && ferror(f) == 0;
	if (f != NULL)
		fclose(f);
	return sent;
}

static int records_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct records_job *d = DRG_CONTAINER_OF(j, struct records_job, job);
	int rc = records_make(d, s, reterr);
	if (rc != DRG_OK && drg_reason_find(reterr->reason) == DRG_R(not_stored))
		d->disk = *reterr;
	if (d->over || d->disk.code != DRG_OK)
		return DRG_OK; /* the store has not failed */
	if (rc != DRG_OK)
		return rc;
	d->begun = true;
	drg_exchange_resume(d->x);
	d->complete = records_send(d);
	return DRG_OK;
}

static void records_free(struct records_job *d)
{
	drg_tempfile_close(d->file);
	free(d);
}

static int records_why(const struct records_job *d, struct drg_err *reterr)
{
	if (d->over)
		return drg_fail(reterr, DRG_EBUSY, DRG_R(shutting_down), NULL,
		                "the server is shutting down; try again");
	if (d->disk.code != DRG_OK) {
		drg_log(DRG_LOG_WARN, "the records of a supplier could not be written: %s", d->disk.message);
		return drg_fail(reterr, DRG_EBUSY, DRG_R(not_stored), NULL,
		                "the disk of the server %s; try again later",
		                d->disk.code == DRG_EFULL ? "is full" : "fails");
	}
	*reterr = d->job.err;
	return d->job.rc;
}

static void records_fail(struct records_job *d)
{
	d->start->rc = records_why(d, drg_exchange_err(d->x));
	drg_exchange_resume(d->x);
}

static void records_done(struct drg_read_job *j)
{
	struct records_job *d = DRG_CONTAINER_OF(j, struct records_job, job);
	if (!d->begun)
		records_fail(d);
	drg_stream_end(d->stream, d->complete);
	records_free(d);
}

/* ---- on the http thread -------------------------------------------------------------------------------- */

static int records_nothing(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	r->mixed = true;
	return DRG_OK;
}

static void records_leave(struct drg_exchange *x)
{
	struct records_start *start = drg_exchange_data(x);
	atomic_store(&start->left, true);
}

static int records_answer(struct drg_exchange *x)
{
	const struct records_start *start = drg_exchange_data(x);
	if (start->rc != DRG_OK)
		return start->rc;
	drg_exchange_set_type(x, "application/octet-stream");
	drg_exchange_add_header(x, "Content-Disposition", start->disposition);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_read(x, records_nothing, NULL);
}

static struct records_job *records_new(struct drg_exchange *x, struct records_start *start)
{
	struct records_job *d = calloc(1, sizeof *d);
	if (d == NULL)
		return NULL;
	enum drg_kind kind = drg_kind_by_name(drg_exchange_text(x, "kind"));
	*d = (struct records_job){ .job = { .run = records_run, .done = records_done },
		                   .x = x,
		                   .start = start,
		                   .exports = drg_app_of(x)->exports,
		                   .dir = drg_app_of(x)->dir };
	d->out = (struct drg_records_out){ .path = d->path,
		                           .adapter = drg_exchange_int(x, "adapter_id", 0),
		                           .kind = kind,
		                           .workbook = drg_str_eq(drg_exchange_text(x, "format"),
		                                                  DRG_STR("xlsx")),
		                           .over = records_over,
		                           .ctx = d };
	snprintf(start->disposition, sizeof start->disposition,
	         "attachment; filename=\"supplier-%lld%s%s.%s\"", (long long)d->out.adapter,
	         kind != DRG_KIND_NONE ? "-" : "", drg_kind_name(kind), d->out.workbook ? "xlsx" : "csv");
	return d;
}

static int curate_records(struct drg_exchange *x)
{
	int rc = drg_read_of(x, drg_exchange_int(x, "adapter_id", 0), records_nothing, NULL);
	if (rc != DRG_OK)
		return rc;
	struct records_start *start = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *start);
	struct records_job *d = start != NULL ? records_new(x, start) : NULL;
	if (d == NULL)
		return DRG_ENOMEM;
	rc = drg_exchange_stream(x, &d->stream);
	if (rc != DRG_OK) {
		records_free(d);
		return rc;
	}
	drg_exchange_set_data(x, start);
	drg_exchange_suspend(x, records_answer);
	drg_exchange_on_leave(x, records_leave);
	drg_source_exports_submit(drg_app_of(x)->exports, &d->job, drg_exchange_key_id(x));
	return DRG_HTTP_SUSPENDED;
}

static int records_check_format(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_str_eq(value, DRG_STR("csv")) || drg_str_eq(value, DRG_STR("xlsx"))
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected csv or xlsx, found \"%.*s\"", name, DRG_STR_ARG(value));
}

static const struct drg_param params[] = {
	{ .name = "adapter_id", .type = DRG_P_INT, .required = true, .doc = "the supplier" },
	{ .name = "kind",
	  .type = DRG_P_TEXT,
	  .max = 32,
	  .check = drg_item_check_kind,
	  .doc = "only records of this kind, with the columns of this kind" },
	{ .name = "format",
	  .type = DRG_P_TEXT,
	  .max = 8,
	  .check = records_check_format,
	  .schema = "{\"enum\":[\"csv\",\"xlsx\"]}",
	  .doc = "csv when absent" },
	{ 0 },
};

const struct drg_endpoint drg_curate_records[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/records",
	  .name = "curateRecords",
	  .handler = curate_records,
	  .auth = DRG_AUTH_VIEWER,
	  .params = params,
	  .summary = "The records of a supplier as a file",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
