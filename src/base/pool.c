#include "base/pool.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"

struct pool_thread {
	struct drg_pool *pool;
	pthread_t thread;
};

struct drg_pool {
	struct drg_pool_options o;
	pthread_mutex_t lock; /* protects the members that follow */
	pthread_cond_t changed;
	struct drg_lanes queue;
	bool stopping;

	unsigned started;
	struct pool_thread threads[];
};

/* @return NULL: the thread is to end. */
static struct drg_lane_item *pool_take(struct drg_pool *p, unsigned thread)
{
	struct drg_lane_item *item;
	bool looks = p->o.idle != NULL;
	pthread_mutex_lock(&p->lock);
	while ((item = drg_lanes_take(&p->queue)) == NULL && !p->stopping) {
		int64_t until_ns = looks ? drg_clock_ns() + p->o.idle_ms * INT64_C(1000000) : INT64_MAX;
		if (drg_cond_wait(&p->changed, &p->lock, until_ns))
			continue;
		pthread_mutex_unlock(&p->lock);
		looks = p->o.idle(p->o.ctx, thread);
		pthread_mutex_lock(&p->lock);
	}
	pthread_mutex_unlock(&p->lock);
	return item;
}

/* Free the item's place in its lane, so that the next item of the lane may begin. */
static void pool_free_place(struct drg_pool *p, int64_t owner)
{
	pthread_mutex_lock(&p->lock);
	drg_lanes_finish(&p->queue, owner);
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
}

static void *pool_run(void *arg)
{
	const struct pool_thread *t = arg;
	struct drg_pool *p = t->pool;
	if (p->o.background)
		drg_thread_background();
	unsigned number = (unsigned)(t - p->threads);
	for (struct drg_lane_item *item; (item = pool_take(p, number)) != NULL;) {
		int64_t owner = item->owner;
		p->o.work(p->o.ctx, number, item);
		pool_free_place(p, owner);
		if (p->o.ended != NULL)
			p->o.ended(item);
	}
	return NULL;
}

int drg_pool_put(struct drg_pool *p, struct drg_lane_item *item)
{
	pthread_mutex_lock(&p->lock);
	assert(!p->stopping);
	int rc = drg_lanes_put(&p->queue, item);
	if (rc == DRG_OK)
		pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	return rc;
}

int drg_pool_start(const struct drg_pool_options *o, struct drg_pool **ret, struct drg_err *reterr)
{
	assert(o->idle == NULL || o->idle_ms > 0);
	assert(o->threads > 0 && o->work != NULL);
	struct drg_pool *p = calloc(1, sizeof *p + o->threads * sizeof p->threads[0]);
	if (p == NULL)
		return drg_fail_memory(reterr);
	p->o = *o;
	drg_lanes_init(&p->queue, o->max, o->max_each, o->max_at_work);
	pthread_mutex_init(&p->lock, NULL);
	drg_cond_init(&p->changed);
	int rc = DRG_OK;
	while (rc == DRG_OK && p->started < o->threads) {
		struct pool_thread *t = &p->threads[p->started];
		t->pool = p;
		rc = drg_thread_start(&t->thread, pool_run, t, reterr);
		p->started += rc == DRG_OK;
	}
	if (rc == DRG_OK)
		*ret = p;
	else
		drg_pool_stop(p);
	return rc;
}

void drg_pool_stop(struct drg_pool *p)
{
	if (p == NULL)
		return;
	pthread_mutex_lock(&p->lock);
	p->stopping = true;
	pthread_cond_broadcast(&p->changed);
	pthread_mutex_unlock(&p->lock);
	for (unsigned i = 0; i < p->started; i++)
		pthread_join(p->threads[i].thread, NULL);
	assert(p->queue.n == 0);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
	free(p);
}
