#include "http/workers.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NICE = 10 };

struct drg_workers {
	void (*work)(struct drg_lane_item *item);
	pthread_t *threads;
	unsigned n_threads;

	pthread_mutex_t lock; /* for what follows */
	pthread_cond_t changed;
	struct drg_lanes queue;
	bool stopping;
};

/* NULL: stop. */
static struct drg_lane_item *workers_take(struct drg_workers *w)
{
	struct drg_lane_item *item;
	pthread_mutex_lock(&w->lock);
	while ((item = drg_lanes_take(&w->queue)) == NULL && !w->stopping)
		pthread_cond_wait(&w->changed, &w->lock);
	pthread_mutex_unlock(&w->lock);
	return item;
}

static void *workers_run(void *arg)
{
	struct drg_workers *w = arg;
	struct drg_lane_item *item;
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
	while ((item = workers_take(w)) != NULL) {
		int64_t owner = item->owner;
		w->work(item); /* it may be gone after that */
		pthread_mutex_lock(&w->lock);
		drg_lanes_done(&w->queue, owner);
		pthread_cond_signal(&w->changed); /* the next of its lane may begin */
		pthread_mutex_unlock(&w->lock);
	}
	return NULL;
}

void drg_workers_put(struct drg_workers *w, struct drg_lane_item *item)
{
	pthread_mutex_lock(&w->lock);
	int rc = drg_lanes_put(&w->queue, item);
	assert(rc == DRG_OK); /* it has no limits: there are no more items than connections */
	(void)rc;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
}

int drg_workers_start(unsigned threads, void (*work)(struct drg_lane_item *item), struct drg_workers **ret,
                      struct drg_err *reterr)
{
	struct drg_workers *w = calloc(1, sizeof *w);
	if (w == NULL)
		return drg_fail_memory(reterr);
	w->work = work;
	w->threads = calloc(threads, sizeof *w->threads);
	drg_lanes_init(&w->queue, 0, 0, threads > 1 ? threads - 1 : 1);
	pthread_mutex_init(&w->lock, NULL);
	pthread_cond_init(&w->changed, NULL);
	bool ok = w->threads != NULL;
	while (ok && w->n_threads < threads) {
		ok = pthread_create(&w->threads[w->n_threads], NULL, workers_run, w) == 0;
		w->n_threads += ok;
	}
	if (!ok) {
		drg_workers_stop(w);
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
	}
	*ret = w;
	return DRG_OK;
}

void drg_workers_stop(struct drg_workers *w)
{
	if (w == NULL)
		return;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_broadcast(&w->changed);
	pthread_mutex_unlock(&w->lock);
	for (unsigned i = 0; i < w->n_threads; i++)
		pthread_join(w->threads[i], NULL);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
	free(w->threads);
	free(w);
}
