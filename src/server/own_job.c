#include "server/own_job.h"

#include <assert.h>
#include <pthread.h>

#include "base/worker.h"

struct own_job {
	struct drg_job job;
	pthread_mutex_t lock;
	pthread_cond_t over;
	bool done; /* under the lock */
};

static void own_job_done(struct drg_job *j)
{
	struct own_job *o = DRG_CONTAINER_OF(j, struct own_job, job);
	pthread_mutex_lock(&o->lock);
	o->done = true;
	pthread_cond_signal(&o->over);
	pthread_mutex_unlock(&o->lock);
}

int drg_own_job_run(struct drg_writer *w, drg_txn_fn *run, void *ctx, size_t rows, struct drg_err *reterr)
{
	assert(w != NULL && run != NULL);
	struct own_job o = {
		.job = { .run = run, .ctx = ctx, .done = own_job_done, .rows = rows, .own = true }
	};
	pthread_mutex_init(&o.lock, NULL);
	pthread_cond_init(&o.over, NULL);
	drg_writer_submit(w, &o.job);
	while (drg_worker_step_others() && !o.done)
		;
	pthread_mutex_lock(&o.lock);
	while (!o.done)
		pthread_cond_wait(&o.over, &o.lock);
	pthread_mutex_unlock(&o.lock);
	if (o.job.rc != DRG_OK && reterr != NULL)
		*reterr = o.job.err;
	pthread_cond_destroy(&o.over);
	pthread_mutex_destroy(&o.lock);
	return o.job.rc;
}
