#include "node/readers.h"

#include <pthread.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/log.h"

/* How often a thread without a job looks whether its handle is still of the store that the path names. */
enum { IDLE_LOOK_MS = 500 };

struct drg_readers {
	char *url;
	pthread_t *threads;
	unsigned n_threads;

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t changed;
	struct drg_lanes queue;
	bool stopping;
	bool complained; /* the present outage was logged */
};

/* Each outage is logged once, and so is its end. */
static void note_outage(struct drg_readers *p, const struct drg_err *err)
{
	pthread_mutex_lock(&p->lock);
	bool changed = p->complained != (err != NULL);
	p->complained = err != NULL;
	pthread_mutex_unlock(&p->lock);
	if (changed && err != NULL)
		drg_log(DRG_LOG_ERROR, "cannot read the store: %s; requests that need it get 503",
		        err->message);
	if (changed && err == NULL)
		drg_log(DRG_LOG_INFO, "the store can be read again");
}

static bool store_failed(int rc)
{
	return rc != DRG_OK && rc != DRG_ENOENT && rc != DRG_EINVAL && rc != DRG_ELIMIT && rc != DRG_ENOMEM;
}

static void close_store(struct drg_store **store)
{
	drg_store_close(*store);
	*store = NULL;
}

/* A handle of a store that was replaced is of no use, and keeps its files (store.h). */
static void close_if_replaced(struct drg_store **store)
{
	if (*store != NULL && drg_store_in_place(*store, NULL) != DRG_OK)
		close_store(store);
}

/* A failing store shows in *store: NULL. */
static void try_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	memset(&j->err, 0, sizeof j->err);
	close_if_replaced(store);
	if (*store == NULL) {
		j->rc = drg_store_open(p->url, DRG_STORE_READ, store, &j->err);
		if (j->rc != DRG_OK)
			return;
	}
	j->rc = j->run(j, *store, &j->err);
	if (store_failed(j->rc))
		close_store(store);
}

static void do_job(struct drg_readers *p, struct drg_read_job *j, struct drg_store **store)
{
	bool used = *store != NULL;
	try_job(p, j, store);
	if (*store == NULL && used)
		try_job(p, j, store);
	note_outage(p, *store == NULL ? &j->err : NULL);
	if (*store == NULL)
		j->rc = drg_fail(&j->err, DRG_EBUSY, DRG_R(store_away), NULL,
		                 "the store cannot be read at present; try again later");
}

/* Under the lock. */
static void wait_a_moment(struct drg_readers *p)
{
	struct timespec until;
	clock_gettime(CLOCK_MONOTONIC, &until);
	until.tv_nsec += IDLE_LOOK_MS * 1000000L;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	pthread_cond_timedwait(&p->changed, &p->lock, &until);
}

/* The next job; NULL: stop. */
static struct drg_read_job *readers_take(struct drg_readers *p, struct drg_store **store)
{
	struct drg_lane_item *item;
	pthread_mutex_lock(&p->lock);
	while ((item = drg_lanes_take(&p->queue)) == NULL && !p->stopping) {
		if (*store == NULL) {
			pthread_cond_wait(&p->changed, &p->lock);
			continue;
		}
		wait_a_moment(p);
		pthread_mutex_unlock(&p->lock);
		close_if_replaced(store);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return item != NULL ? (struct drg_read_job *)((char *)item - offsetof(struct drg_read_job, item))
	                    : NULL;
}

/* The next of its key may begin. Whose done() is called finds its place free. */
static void readers_ended(struct drg_readers *p, int64_t owner)
{
	pthread_mutex_lock(&p->lock);
	drg_lanes_done(&p->queue, owner);
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void *readers_run(void *arg)
{
	struct drg_readers *p = arg;
	struct drg_store *store = NULL;
	for (struct drg_read_job *j; (j = readers_take(p, &store)) != NULL;) {
		do_job(p, j, &store);
		readers_ended(p, j->item.owner);
		j->done(j);
	}
	drg_store_close(store);
	return NULL;
}

int drg_readers_submit(struct drg_readers *p, struct drg_read_job *j, struct drg_err *reterr)
{
	pthread_mutex_lock(&p->lock);
	int rc = drg_lanes_put(&p->queue, &j->item);
	if (rc == DRG_OK)
		pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	if (rc == DRG_OK)
		return DRG_OK;
	return drg_fail(reterr, DRG_EBUSY, DRG_R(queue_full), NULL,
	                "too many requests%s wait for the store; try again later",
	                rc == DRG_ELIMIT ? " of this key" : "");
}

int drg_readers_start(const struct drg_readers_options *o, struct drg_readers **ret, struct drg_err *reterr)
{
	struct drg_readers *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	unsigned n = o->threads > 0 ? o->threads : 2;
	size_t max = o->max_jobs > 0 ? o->max_jobs : 4096;
	drg_lanes_init(&p->queue, max, o->max_each > 0 ? o->max_each : (max + 3) / 4,
	               o->all_threads || n == 1 ? n : n - 1);
	p->url = strdup(o->store_url);
	p->threads = calloc(n, sizeof *p->threads);
	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	pthread_cond_init(&p->changed, &attr);
	pthread_condattr_destroy(&attr);
	bool ok = p->url != NULL && p->threads != NULL;
	while (ok && p->n_threads < n) {
		ok = pthread_create(&p->threads[p->n_threads], NULL, readers_run, p) == 0;
		p->n_threads += ok;
	}
	if (!ok) {
		drg_readers_stop(p);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = p;
	return DRG_OK;
}

void drg_readers_stop(struct drg_readers *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->stopping = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->n_threads; i++)
		pthread_join(p->threads[i], NULL);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p->threads);
	free(p->url);
	free(p);
}
