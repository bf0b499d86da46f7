/* GET curate/queueFile: the queue as a file, which people fill in (decisions C10, M34). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/list_answer.h"
#include "api/tables.h"
#include "load/queue_out.h"
#include "api/file_out.h"
#include "workbench/queue/filter.h"

enum { FILE_CASES_MAX = 100000 };

/* While it waits for the queue; in the arena of the exchange. */
struct queue_file_request {
	struct drg_keeper_wait wait;
	struct drg_queue_filter filter;
	struct queue_file *file;
};

struct queue_file {
	struct drg_file_out f;
	struct drg_queue_out out;
	struct drg_arena ids;
	struct drg_buf cases; /* struct drg_open_case */
};

static int queue_file_make(struct drg_file_out *f, struct drg_store *s, struct drg_tempfile *file,
                           const char *path, void *job, struct drg_err *reterr)
{
	(void)file;
	struct queue_file *q = DRG_CONTAINER_OF(f, struct queue_file, f);
	q->out.ctx = job;
	return drg_queue_out(s, &q->out, path, reterr);
}

static void queue_file_done(struct drg_file_out *f)
{
	struct queue_file *q = DRG_CONTAINER_OF(f, struct queue_file, f);
	drg_buf_done(&q->cases);
	drg_arena_done(&q->ids);
	free(q);
}

static struct queue_file *queue_file_new(const struct drg_exchange *x)
{
	struct queue_file *q = calloc(1, sizeof *q);
	if (q == NULL)
		return NULL;
	q->f.make = queue_file_make;
	q->f.answer = drg_file_out_attach;
	q->f.done = queue_file_done;
	q->out.workbook = drg_str_eq(drg_exchange_text(x, "format"), DRG_STR("xlsx"));
	q->out.over = drg_file_out_over;
	drg_arena_init(&q->ids, SIZE_MAX);
	drg_buf_init(&q->cases, SIZE_MAX);
	return q;
}

/* A file that lacks cases says so by its name, and by the header that tells how many there are. */
static void queue_file_name(struct drg_reading *r, struct queue_file *q, uint64_t total, bool cut)
{
	char first[32] = "";
	if (cut)
		snprintf(first, sizeof first, "-first-%d", FILE_CASES_MAX);
	snprintf(q->f.head.name, sizeof q->f.head.name, "queue%s.%s", first,
	         q->out.workbook ? "xlsx" : "csv");
	if (!cut || drg_case_may_count(r->x))
		drg_total_header(r->x, total);
}

/* Copy the cases that the filter shows: the queue goes on meanwhile. */
static int queue_file_gather(struct drg_reading *r, void *request)
{
	struct queue_file_request *p = request;
	struct queue_file *q = p->file;
	const struct drg_cases_view *v = drg_cases_view(drg_app_of(r->x)->cases);
	const struct drg_case_sieve s = drg_cases_sieve(v, &p->filter);
	const enum drg_queue_sort sort = drg_case_sort_read(r->x);
	size_t at = drg_cases_next(v, &s, sort, 0);
	for (; at < v->n && q->out.n < FILE_CASES_MAX; at = drg_cases_next(v, &s, sort, at + 1)) {
		struct drg_open_case c = drg_cases_at(v, sort, at)->c;
		struct drg_source source;
		if (!drg_case_is_visible(r, &c, &source))
			continue;
		c.id = drg_arena_str(&q->ids, c.id);
		drg_buf_add(&q->cases, &c, sizeof c);
		if (c.id.p == NULL || q->cases.rc != DRG_OK)
			return drg_fail_memory(drg_exchange_err(r->x));
		q->out.n++;
	}
	q->out.v = (struct drg_open_case *)(void *)q->cases.p;
	queue_file_name(r, q, at < v->n ? drg_cases_count(v, &s) : q->out.n, at < v->n);
	return DRG_OK;
}

static int queue_file_answer(struct drg_exchange *x)
{
	struct queue_file_request *p = drg_exchange_data(x);
	if (p->wait.rc != DRG_OK) {
		*drg_exchange_err(x) = p->wait.err;
		return p->wait.rc;
	}
	p->file = queue_file_new(x);
	if (p->file == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	int rc = drg_exchange_has(x, "adapter_id")
	                 ? drg_reading_run_adapter(x, p->filter.adapter, queue_file_gather, p)
	                 : drg_reading_run(x, queue_file_gather, p);
	if (rc == DRG_OK)
		return drg_file_out_start(x, drg_app_of(x)->files, &p->file->f);
	queue_file_done(&p->file->f);
	return rc;
}

static int queue_file(struct drg_exchange *x)
{
	struct queue_file_request *p = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(drg_exchange_err(x));
	int rc = drg_case_filter_read(x, &p->filter);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_set_data(x, p);
	return drg_case_await(x, &p->wait, queue_file_answer);
}

static const struct drg_param queue_file_params[] = {
	DRG_PARAM_CASE_FILTER,
	DRG_PARAM_CASE_SORT,
	DRG_PARAM_FILE_FORMAT,
	{ 0 },
};

const struct drg_endpoint drg_curate_queue_file[] = {
	{ .method = DRG_GET,
	  .path = "/v1/curate/queueFile",
	  .name = "curateQueueFile",
	  .handler = queue_file,
	  .auth = DRG_AUTH_VIEWER,
	  .params = queue_file_params,
	  .summary = "The queue as a file, to be filled in",
	  .app = DRG_COLUMNS(.adapter = drg_tour_adapter) },
	{ 0 },
};
