#include "workbench/files/file_out.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/reading.h"
#include "api/tables.h"
#include "base/log.h"
#include "base/tempfile.h"
#include "http/stream.h"

enum { BLOCK = 32 * 1024 };

/* What the exchange and the thread share until the exchange goes on; in the arena of the exchange. */
struct file_start {
	int rc;
	atomic_bool left; /* its client has gone */
	char disposition[DRG_FILE_OUT_NAME + 32];
};

/* The thread's own: the exchange may be over before it is. */
struct drg_file_job {
	struct drg_read_job job;
	struct drg_exchange *x; /* until it goes on */
	struct file_start *start; /* likewise */
	const struct drg_source_exports *exports;
	struct drg_stream *stream;
	struct drg_file_out *out;
	const char *dir;
	struct drg_tempfile *file;
	char path[DRG_TEMPFILE_PATH];
	bool over, begun, complete;
	struct drg_err disk; /* what is wrong with it; code DRG_OK: nothing */
};

/* ---- on a thread of the exports ------------------------------------------------------------------------ */

/* While it is made: the stream does not know before the exchange goes on. */
bool drg_file_out_over(void *job)
{
	struct drg_file_job *d = job;
	d->over = atomic_load(&d->start->left) || drg_source_exports_draining(d->exports);
	return d->over;
}

/* All of it is written before the first byte is sent, so that what goes wrong is an answer. */
static int file_make(struct drg_file_job *d, struct drg_store *s, struct drg_err *reterr)
{
	drg_tempfile_close(d->file);
	d->file = NULL;
	int rc = drg_tempfile_open(d->dir, &d->file, reterr);
	if (rc == DRG_OK)
		rc = drg_tempfile_path(d->file, d->path, reterr);
	return rc == DRG_OK ? d->out->make(d->out, s, d->path, d, reterr) : rc;
}

static bool file_send(struct drg_file_job *d)
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

static int file_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_file_job *d = DRG_CONTAINER_OF(j, struct drg_file_job, job);
	int rc = file_make(d, s, reterr);
	if (rc != DRG_OK && drg_reason_find(reterr->reason) == DRG_R(not_stored))
		d->disk = *reterr;
	if (d->over || d->disk.code != DRG_OK)
		return DRG_OK; /* the store has not failed */
	if (rc != DRG_OK)
		return rc;
	d->begun = true;
	drg_exchange_resume(d->x);
	d->complete = file_send(d);
	return DRG_OK;
}

static void file_free(struct drg_file_job *d)
{
	drg_tempfile_close(d->file);
	d->out->done(d->out);
	free(d);
}

static int file_why(const struct drg_file_job *d, struct drg_err *reterr)
{
	if (d->over)
		return drg_fail(reterr, DRG_EBUSY, DRG_R(shutting_down), NULL,
		                "the server is shutting down; try again");
	if (d->disk.code != DRG_OK) {
		drg_log(DRG_LOG_WARN, "a file for a curator could not be written: %s", d->disk.message);
		return drg_fail(reterr, DRG_EBUSY, DRG_R(not_stored), NULL,
		                "the disk of the server %s; try again later",
		                d->disk.code == DRG_EFULL ? "is full" : "fails");
	}
	*reterr = d->job.err;
	return d->job.rc;
}

static void file_fail(struct drg_file_job *d)
{
	d->start->rc = file_why(d, drg_exchange_err(d->x));
	drg_exchange_resume(d->x);
}

static void file_done(struct drg_read_job *j)
{
	struct drg_file_job *d = DRG_CONTAINER_OF(j, struct drg_file_job, job);
	if (!d->begun)
		file_fail(d);
	drg_stream_end(d->stream, d->complete);
	file_free(d);
}

/* ---- on the http thread -------------------------------------------------------------------------------- */

static int file_nothing(struct drg_reading *r, void *ctx)
{
	(void)ctx;
	r->mixed = true;
	return DRG_OK;
}

static void file_leave(struct drg_exchange *x)
{
	struct file_start *start = drg_exchange_data(x);
	atomic_store(&start->left, true);
}

static int file_answer(struct drg_exchange *x)
{
	const struct file_start *start = drg_exchange_data(x);
	if (start->rc != DRG_OK)
		return start->rc;
	drg_exchange_set_type(x, "application/octet-stream");
	drg_exchange_add_header(x, "Content-Disposition", start->disposition);
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_reading_run(x, file_nothing, NULL);
}

int drg_file_out_start(struct drg_exchange *x, struct drg_file_out *out)
{
	struct file_start *start = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *start);
	struct drg_file_job *d = start != NULL ? calloc(1, sizeof *d) : NULL;
	if (d == NULL) {
		out->done(out);
		return drg_fail_memory(drg_exchange_err(x));
	}
	*d = (struct drg_file_job){ .job = { .run = file_run, .done = file_done },
		                    .x = x,
		                    .start = start,
		                    .out = out,
		                    .exports = drg_app_of(x)->exports,
		                    .dir = drg_app_of(x)->dir };
	snprintf(start->disposition, sizeof start->disposition, "attachment; filename=\"%s\"", out->name);
	int rc = drg_exchange_stream(x, &d->stream);
	if (rc != DRG_OK) {
		file_free(d);
		return rc;
	}
	drg_exchange_set_data(x, start);
	drg_exchange_suspend(x, file_answer);
	drg_exchange_on_disconnect(x, file_leave);
	drg_source_exports_submit(drg_app_of(x)->exports, &d->job, drg_exchange_key_id(x));
	return DRG_HTTP_SUSPENDED;
}

int drg_file_out_check_format(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_str_eq(value, DRG_STR("csv")) || drg_str_eq(value, DRG_STR("xlsx"))
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected csv or xlsx, found \"%.*s\"", name, DRG_STR_ARG(value));
}
