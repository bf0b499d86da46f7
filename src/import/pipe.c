#include "import/pipe.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/thread.h"

/* Batches are numbered as they are filled; number k uses the place k % n_batches. */
struct pipe_run {
	const struct drg_pipe *p;
	pthread_mutex_t lock;
	pthread_cond_t moved; /* something below changed */
	unsigned long filled; /* number of batches filled so far */
	unsigned long claimed; /* number of batches taken by a worker so far */
	unsigned long drained; /* number of batches drained so far */
	bool *worked; /* per place: its batch was done by a worker, and is not drained yet */
	bool end; /* no further batch will be filled */
	int rc; /* of the first step that failed */
	struct drg_err err;
};

struct pipe_worker {
	struct pipe_run *run;
	unsigned number;
	pthread_t thread;
};

static void *place(const struct pipe_run *r, unsigned long k)
{
	return r->p->batches[k % r->p->n_batches];
}

/* With the lock held: record a failure; the first one stays. */
static void failed(struct pipe_run *r, int rc, const struct drg_err *err)
{
	if (r->rc == DRG_OK) {
		r->rc = rc;
		r->err = *err;
	}
}

static void *fill_thread(void *arg)
{
	struct pipe_run *r = arg;
	struct drg_err err = { 0 };
	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->rc == DRG_OK && r->filled - r->drained == r->p->n_batches)
			pthread_cond_wait(&r->moved, &r->lock);
		if (r->rc != DRG_OK)
			break;
		assert(r->filled - r->drained < r->p->n_batches && !r->worked[r->filled % r->p->n_batches]);
		pthread_mutex_unlock(&r->lock);
		int rc = r->p->fill(r->p->ctx, place(r, r->filled), &err);
		pthread_mutex_lock(&r->lock);
		if (rc != DRG_OK) {
			if (rc != DRG_ENOENT)
				failed(r, rc, &err);
			break;
		}
		r->filled++;
		pthread_cond_broadcast(&r->moved);
	}
	r->end = true;
	pthread_cond_broadcast(&r->moved);
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void *work_thread(void *arg)
{
	struct pipe_worker *w = arg;
	struct pipe_run *r = w->run;
	struct drg_err err = { 0 };
	pthread_mutex_lock(&r->lock);
	for (;;) {
		while (r->rc == DRG_OK && r->claimed == r->filled && !r->end)
			pthread_cond_wait(&r->moved, &r->lock);
		if (r->rc != DRG_OK || r->claimed == r->filled)
			break;
		assert(r->drained <= r->claimed && r->claimed < r->filled);
		unsigned long k = r->claimed++;
		pthread_mutex_unlock(&r->lock);
		int rc = r->p->work(r->p->ctx, w->number, place(r, k), &err);
		pthread_mutex_lock(&r->lock);
		if (rc != DRG_OK)
			failed(r, rc, &err);
		r->worked[k % r->p->n_batches] = true;
		pthread_cond_broadcast(&r->moved);
	}
	pthread_mutex_unlock(&r->lock);
	return NULL;
}

static void drain_all(struct pipe_run *r)
{
	struct drg_err err = { 0 };
	pthread_mutex_lock(&r->lock);
	for (;;) {
		bool *worked = &r->worked[r->drained % r->p->n_batches];
		while (r->rc == DRG_OK && !*worked && !(r->end && r->drained == r->filled))
			pthread_cond_wait(&r->moved, &r->lock);
		if (r->rc != DRG_OK || !*worked)
			break;
		assert(r->drained < r->claimed); /* batches are drained in the order of filling */
		pthread_mutex_unlock(&r->lock);
		int rc = r->p->drain(r->p->ctx, place(r, r->drained), &err);
		pthread_mutex_lock(&r->lock);
		if (rc != DRG_OK)
			failed(r, rc, &err);
		*worked = false;
		r->drained++;
		pthread_cond_broadcast(&r->moved);
	}
	pthread_mutex_unlock(&r->lock);
}

/* A thread that cannot be started is an error of the run; the threads that were started must still be
 * joined. */
static void start_and_drain(struct pipe_run *r, struct pipe_worker *workers)
{
	struct drg_err err;
	pthread_t filler;
	unsigned started = 0;
	bool filling = drg_thread_start(&filler, fill_thread, r, &err) == DRG_OK;
	while (filling && started < r->p->n_workers) {
		struct pipe_worker *w = &workers[started];
		*w = (struct pipe_worker){ .run = r, .number = started };
		if (drg_thread_start(&w->thread, work_thread, w, &err) != DRG_OK)
			break;
		started++;
	}
	if (started == 0) {
		pthread_mutex_lock(&r->lock);
		failed(r, err.code, &err);
		pthread_cond_broadcast(&r->moved);
		pthread_mutex_unlock(&r->lock);
	}
	drain_all(r);
	for (unsigned i = 0; i < started; i++)
		pthread_join(workers[i].thread, NULL);
	if (filling)
		pthread_join(filler, NULL);
}

int drg_pipe_run(const struct drg_pipe *p, struct drg_err *reterr)
{
	struct pipe_run r = { .p = p };
	struct pipe_worker *workers = calloc(p->n_workers, sizeof *workers);
	r.worked = calloc(p->n_batches, sizeof *r.worked);
	if (workers == NULL || r.worked == NULL) {
		r.rc = drg_fail_memory(&r.err);
	} else {
		pthread_mutex_init(&r.lock, NULL);
		drg_cond_init(&r.moved);
		start_and_drain(&r, workers);
		pthread_cond_destroy(&r.moved);
		pthread_mutex_destroy(&r.lock);
	}
	free(workers);
	free(r.worked);
	if (r.rc != DRG_OK && reterr != NULL)
		*reterr = r.err;
	return r.rc;
}
