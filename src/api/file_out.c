#include "api/file_out.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#include "api/reading.h"
#include "api/tables.h"
#include "base/clock.h"
#include "base/log.h"
#include "http/stream.h"
#include "text/input.h"

enum { BLOCK = 32 * 1024 };

/* A client that reads more slowly is cut off, because its place is one of few. */
static const int64_t LONGEST_NS = INT64_C(3600) * 1000000000;

struct drg_file_outs {
	struct drg_readers *readers;
	unsigned max;
	const char *what;
	atomic_bool draining;
};

/* State that the exchange and the thread share until the exchange goes on; in the arena of the exchange. */
struct file_start {
	int rc;
	atomic_bool left; /* its client has gone */
	int (*answer)(struct drg_exchange *x, const struct drg_file_head *h);
	struct drg_file_head head;
};

/* The thread's own: the exchange may be over before it is. */
struct drg_file_job {
	struct drg_read_job job;
	struct drg_exchange *x; /* until it goes on */
	struct file_start *start; /* likewise */
	const struct drg_file_outs *pool;
	struct drg_stream *stream;
	struct drg_file_out *out;
	const char *dir;
	struct drg_tempfile *file;
	char path[DRG_TEMPFILE_PATH];
	bool over, begun, complete;
	struct drg_err disk; /* what is wrong with it; code DRG_OK: nothing */
};

/* ---- on a thread of the pool --------------------------------------------------------------------------- */

/* While it is made: the stream does not know before the exchange goes on. */
bool drg_file_out_over(void *job)
{
	struct drg_file_job *d = job;
	d->over = atomic_load(&d->start->left) || atomic_load(&d->pool->draining);
	return d->over;
}

static int file_make(struct drg_file_job *d, struct drg_store *s, struct drg_err *reterr)
{
	drg_tempfile_close(d->file);
	d->file = NULL;
	int rc = drg_tempfile_open(d->dir, &d->file, reterr);
	if (rc == DRG_OK)
		rc = drg_tempfile_path(d->file, d->path, reterr);
	if (rc == DRG_OK)
		rc = d->out->make(d->out, s, d->file, d->path, d, reterr);
	return rc == DRG_OK ? drg_tempfile_path(d->file, d->path, reterr) : rc; /* which writes the rest */
}

static int file_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_file_job *d = DRG_CONTAINER_OF(j, struct drg_file_job, job);
	if (drg_file_out_over(d)) /* it has waited for its turn */
		return DRG_OK;
	int rc = file_make(d, s, reterr);
	if (rc != DRG_OK && drg_reason_find(reterr->reason) == DRG_R(not_stored))
		d->disk = *reterr;
	if (d->over || d->disk.code != DRG_OK)
		return DRG_OK; /* the store has not failed */
	d->begun = rc == DRG_OK;
	return rc;
}

static bool file_send(struct drg_file_job *d, int64_t until_ns)
{
	char block[BLOCK];
	size_t n = 0;
	struct drg_err err = { 0 };
	struct drg_input *in = NULL;
	int rc = drg_input_open(d->path, &in, &err);
	while (rc == DRG_OK && (rc = drg_input_read(in, block, sizeof block, &n, &err)) == DRG_OK && n > 0)
		rc = drg_clock_ns() < until_ns ? drg_stream_write(d->stream, drg_str(block, n))
		                               : DRG_ESTOPPED;
	if (rc != DRG_OK && rc != DRG_ESTOPPED)
		drg_log(DRG_LOG_WARN, "an answer was cut, because it cannot be read back: %s", err.message);
	drg_input_close(in);
	return rc == DRG_OK;
}

/* The store is held no more. */
static void file_then(struct drg_read_job *j)
{
	struct drg_file_job *d = DRG_CONTAINER_OF(j, struct drg_file_job, job);
	if (!d->begun)
		return;
	d->start->head = d->out->head;
	drg_exchange_resume(d->x);
	d->complete = file_send(d, drg_clock_ns() + LONGEST_NS);
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
		drg_log(DRG_LOG_WARN, "an answer could not be kept until it is sent: %s", d->disk.message);
		return drg_fail(reterr, DRG_EBUSY, DRG_R(not_stored), NULL,
		                "the server's disk %s; try again later",
		                d->disk.code == DRG_EFULL ? "is full" : "fails");
	}
	*reterr = d->job.err;
	return d->job.rc;
}

static void file_done(struct drg_read_job *j)
{
	struct drg_file_job *d = DRG_CONTAINER_OF(j, struct drg_file_job, job);
	if (!d->begun) {
		d->start->rc = file_why(d, drg_exchange_err(d->x));
		drg_exchange_resume(d->x);
	}
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

int drg_file_out_attach(struct drg_exchange *x, const struct drg_file_head *h)
{
	size_t n = sizeof h->name + 32;
	char *disposition = drg_arena_alloc(drg_exchange_arena(x), n);
	if (disposition == NULL)
		return DRG_ENOMEM;
	snprintf(disposition, n, "attachment; filename=\"%s\"", h->name);
	drg_exchange_set_type(x, "application/octet-stream");
	drg_exchange_add_header(x, "Content-Disposition", disposition);
	return drg_reading_run(x, file_nothing, NULL);
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
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return start->answer(x, &start->head);
}

int drg_file_out_start(struct drg_exchange *x, struct drg_file_outs *p, struct drg_file_out *out)
{
	struct file_start *start = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *start);
	struct drg_file_job *d = start != NULL ? calloc(1, sizeof *d) : NULL;
	if (d == NULL) {
		out->done(out);
		return drg_fail_memory(drg_exchange_err(x));
	}
	*d = (struct drg_file_job){ .job = { .run = file_run,
		                             .then = file_then,
		                             .done = file_done,
		                             .item.owner = drg_exchange_caller(x)->id },
		                    .x = x,
		                    .start = start,
		                    .out = out,
		                    .pool = p,
		                    .dir = drg_app_of(x)->dir };
	start->answer = out->answer;
	int rc = drg_exchange_stream(x, &d->stream);
	if (rc != DRG_OK) {
		file_free(d);
		return rc;
	}
	drg_exchange_set_data(x, start);
	drg_exchange_suspend(x, file_answer);
	drg_exchange_on_disconnect(x, file_leave);
	if (drg_readers_submit(p->readers, &d->job) == DRG_OK)
		return DRG_HTTP_SUSPENDED;
	d->job.rc = drg_fail(&d->job.err, DRG_EBUSY, DRG_R(busy), NULL,
	                     "%u %s of this key, or %u in all, are being read already; try again later",
	                     DRG_EXPORTS_EACH, p->what, p->max);
	file_done(&d->job);
	return DRG_HTTP_SUSPENDED;
}

int drg_file_out_check_format(struct drg_str value, const char *name, struct drg_err *reterr)
{
	return drg_str_eq(value, DRG_STR("csv")) || drg_str_eq(value, DRG_STR("xlsx"))
	               ? DRG_OK
	               : drg_fail(reterr, DRG_EINVAL, DRG_R(unknown_word), name,
	                          "%s: expected csv or xlsx, found \"%.*s\"", name, DRG_STR_ARG(value));
}

/* ---- start and stop ------------------------------------------------------------------------------------ */

int drg_file_outs_start(const struct drg_readers_options *readers, unsigned max, const char *what,
                        struct drg_file_outs **ret, struct drg_err *reterr)
{
	struct drg_readers_options o = *readers;
	struct drg_file_outs *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(reterr);
	/* None waits for a thread: it gets its place at once or is refused. */
	o.threads = max;
	o.max_jobs = max;
	o.max_each = DRG_EXPORTS_EACH;
	o.all_threads = true;
	p->max = max;
	p->what = what;
	int rc = drg_readers_start(&o, &p->readers, reterr);
	if (rc == DRG_OK)
		*ret = p;
	else
		free(p);
	return rc;
}

void drg_file_outs_stop(struct drg_file_outs *p)
{
	if (p == NULL)
		return;
	drg_readers_stop(p->readers);
	free(p);
}

void drg_file_outs_drain(struct drg_file_outs *p)
{
	if (p != NULL)
		atomic_store(&p->draining, true);
}
