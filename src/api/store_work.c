#include "api/store_work.h"

#include <stdatomic.h>
#include <stdlib.h>

#include "api/curate_words.h"

struct drg_slow_reads {
	struct drg_readers *readers;
	atomic_bool draining;
};

struct curate_work {
	struct drg_read_job job;
	struct drg_exchange *x;
	const struct drg_slow_reads *slow; /* NULL: a short read */
	atomic_bool left; /* the client has disconnected */
	bool over; /* skipped, because the client has disconnected */
	drg_store_work_fn *run;
	drg_reading_fn *write;
	void *work;
};

static int work_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct curate_work *w = DRG_CONTAINER_OF(j, struct curate_work, job);
	w->over = atomic_load(&w->left) || (w->slow != NULL && atomic_load(&w->slow->draining));
	return w->over ? DRG_OK : w->run(w->work, s, drg_exchange_arena(w->x), reterr);
}

static void work_done(struct drg_read_job *j)
{
	struct curate_work *w = DRG_CONTAINER_OF(j, struct curate_work, job);
	drg_exchange_resume(w->x);
}

/* Write the answer; its data can have another version than the catalog. */
static int work_write(struct drg_reading *r, void *work)
{
	struct curate_work *w = work;
	r->mixed = true;
	return w->write(r, w->work);
}

static int work_answer(struct drg_exchange *x)
{
	struct curate_work *w = drg_exchange_data(x);
	if (w->over)
		return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(shutting_down), NULL,
		                "the server is shutting down; try again");
	if (w->job.rc != DRG_OK) {
		*drg_exchange_err(x) = w->job.err;
		return w->job.rc;
	}
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_reading_run(x, work_write, w);
}

static void work_leave(struct drg_exchange *x)
{
	struct curate_work *w = drg_exchange_data(x);
	atomic_store(&w->left, true);
}

/* @param slow  NULL: the read is short. */
static int work_submit(struct drg_exchange *x, const struct drg_slow_reads *slow, drg_store_work_fn *run,
                       drg_reading_fn *write, void *work)
{
	struct curate_work *w = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *w);
	if (w == NULL)
		return DRG_ENOMEM;
	*w = (struct curate_work){ .x = x, .slow = slow, .run = run, .write = write, .work = work };
	w->job.run = work_run;
	w->job.done = work_done;
	w->job.item.owner = drg_exchange_caller(x)->id;
	drg_exchange_set_data(x, w);
	drg_exchange_suspend(x, work_answer); /* before a reader thread can see the job */
	if (slow != NULL)
		drg_exchange_on_disconnect(x, work_leave);
	if (drg_readers_submit(slow != NULL ? slow->readers : drg_app_of(x)->readers, &w->job) == DRG_OK)
		return DRG_HTTP_SUSPENDED;
	if (slow != NULL)
		w->job.rc = drg_fail(&w->job.err, DRG_EBUSY, DRG_R(busy), NULL,
		                     "%u slow reads of this key or user, or %u in all, are waiting or "
		                     "running; try again later",
		                     DRG_SLOW_READS_EACH, DRG_SLOW_READS_MAX);
	drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}

int drg_store_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work)
{
	return work_submit(x, NULL, run, write, work);
}

int drg_slow_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work)
{
	return work_submit(x, drg_app_of(x)->slow_reads, run, write, work);
}

/* ---- slow reads ----------------------------------------------------------------------------------------- */

int drg_slow_reads_start(const struct drg_readers_options *readers, struct drg_slow_reads **ret,
                         struct drg_err *reterr)
{
	struct drg_readers_options o = *readers;
	struct drg_slow_reads *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(reterr);
	o.threads = 2;
	o.max_jobs = DRG_SLOW_READS_MAX;
	o.max_each = DRG_SLOW_READS_EACH;
	int rc = drg_readers_start(&o, &p->readers, reterr);
	if (rc == DRG_OK)
		*ret = p;
	else
		free(p);
	return rc;
}

void drg_slow_reads_stop(struct drg_slow_reads *p)
{
	if (p == NULL)
		return;
	drg_readers_stop(p->readers);
	free(p);
}

void drg_slow_reads_drain(struct drg_slow_reads *p)
{
	if (p != NULL)
		atomic_store(&p->draining, true);
}
