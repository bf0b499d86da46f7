#include "workbench/undoer.h"

#include <stdlib.h>
#include <string.h>

#include "api/curate_words.h"
#include "base/worker.h"
#include "store/lend.h"

struct drg_undoer {
	char *url;
	struct drg_worker worker; /* its lock is for `job` */
	struct drg_undoer_job *job; /* waits, or is at work; NULL: free */
	atomic_bool leaving;
};

static void undoer_run(struct drg_undoer *d, struct drg_undoer_job *j)
{
	enum { PLACES = 2 }; /* its handle, and the right to import */
	struct drg_store *s = NULL;
	j->u.leave = &d->leaving;
	j->rc = drg_store_reserve_connections(d->url, PLACES, &j->err);
	if (j->rc != DRG_OK)
		return;
	j->rc = drg_store_open(d->url, DRG_STORE_WRITE, &s, &j->err);
	if (j->rc == DRG_OK)
		j->rc = drg_batch_undo(s, &j->u, &j->err);
	if (j->rc == DRG_OK && drg_store_clock(s, &j->commit, NULL) != DRG_OK)
		j->commit.seq = 0;
	drg_store_close(s);
	drg_store_unreserve_connections(d->url, PLACES);
}

/* A step, with the lock held, which is let go of while a batch is undone. The job is its owner's again with
 * done(). */
static int64_t undoer_step(void *ctx)
{
	struct drg_undoer *d = ctx;
	struct drg_undoer_job *j = d->job;
	if (j == NULL)
		return DRG_WHEN_WOKEN;
	pthread_mutex_unlock(&d->worker.lock);
	undoer_run(d, j);
	pthread_mutex_lock(&d->worker.lock);
	d->job = NULL;
	pthread_mutex_unlock(&d->worker.lock);
	j->done(j);
	pthread_mutex_lock(&d->worker.lock);
	return DRG_WHEN_WOKEN;
}

void drg_undoer_submit(struct drg_undoer *d, struct drg_undoer_job *j)
{
	pthread_mutex_lock(&d->worker.lock);
	bool leaving = atomic_load(&d->leaving), free = d->job == NULL && !leaving;
	if (free) {
		d->job = j;
		drg_worker_wake(&d->worker);
	}
	pthread_mutex_unlock(&d->worker.lock);
	if (free)
		return;
	j->rc = leaving ? drg_fail(&j->err, DRG_EBUSY, DRG_R(stopping), NULL, "the server stops; try again")
	                : drg_fail(&j->err, DRG_EBUSY, DRG_R(import_running), NULL,
	                           DRG_CURATE_IMPORT_RUNNING);
	j->done(j);
}

int drg_undoer_start(const char *store_url, struct drg_undoer **ret, struct drg_err *reterr)
{
	struct drg_undoer *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	drg_worker_init(&d->worker);
	d->worker.background = true;
	d->url = strdup(store_url);
	int rc = d->url != NULL ? drg_worker_start(&d->worker, undoer_step, d, DRG_WHEN_WOKEN, reterr)
	                        : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = d;
	else
		drg_undoer_stop(d);
	return rc;
}

void drg_undoer_drain(struct drg_undoer *d)
{
	if (d != NULL)
		atomic_store(&d->leaving, true);
}

void drg_undoer_stop(struct drg_undoer *d)
{
	if (d == NULL)
		return;
	drg_undoer_drain(d);
	drg_worker_done(&d->worker);
	free(d->url);
	free(d);
}
