#include "api/store_work.h"

#include "api/curate_words.h"
#include "server/readers.h"

struct curate_work {
	struct drg_read_job job;
	struct drg_exchange *x;
	drg_store_work_fn *run;
	drg_reading_fn *write;
	void *work;
};

static int work_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct curate_work *w = DRG_CONTAINER_OF(j, struct curate_work, job);
	return w->run(w->work, s, drg_exchange_arena(w->x), reterr);
}

static void work_done(struct drg_read_job *j)
{
	struct curate_work *w = DRG_CONTAINER_OF(j, struct curate_work, job);
	drg_exchange_resume(w->x);
}

/* What was read is perhaps of another version than the catalog. */
static int work_write(struct drg_reading *r, void *work)
{
	struct curate_work *w = work;
	r->mixed = true;
	return w->write(r, w->work);
}

static int work_answer(struct drg_exchange *x)
{
	struct curate_work *w = drg_exchange_data(x);
	if (w->job.rc != DRG_OK) {
		*drg_exchange_err(x) = w->job.err;
		return w->job.rc;
	}
	drg_exchange_add_header(x, "Cache-Control", "no-store");
	return drg_reading_run(x, work_write, w);
}

int drg_store_work_run(struct drg_exchange *x, drg_store_work_fn *run, drg_reading_fn *write, void *work)
{
	struct curate_work *w = drg_arena_calloc(drg_exchange_arena(x), 1, sizeof *w);
	if (w == NULL)
		return DRG_ENOMEM;
	*w = (struct curate_work){ .x = x, .run = run, .write = write, .work = work };
	w->job.run = work_run;
	w->job.done = work_done;
	w->job.item.owner = drg_exchange_caller(x)->id;
	drg_exchange_set_data(x, w);
	/* Suspended before a reader can know of it. */
	drg_exchange_suspend(x, work_answer);
	if (drg_readers_submit(drg_app_of(x)->readers, &w->job) != DRG_OK)
		drg_exchange_resume(x);
	return DRG_HTTP_SUSPENDED;
}
