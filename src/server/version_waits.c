#include "server/version_waits.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/worker.h"

struct drg_version_waits {
	struct drg_follower *follower;
	struct drg_worker timer; /* its lock protects what follows */
	struct drg_version_wait *waiting; /* newest first, so the last one in the list ends first */
};

/* Take the waits that end at @p now_ns, or whose version was reached, out of the list. Under the lock. */
static struct drg_version_wait *take_finished(struct drg_version_waits *v, int64_t now_ns)
{
	struct drg_version_wait *over = NULL, **at = &v->waiting;
	while (*at != NULL) {
		struct drg_version_wait *w = *at;
		w->reached = drg_follower_reached(v->follower, &w->version);
		if (w->reached != DRG_REACHED && w->until_ns > now_ns) {
			at = &w->next;
			continue;
		}
		*at = w->next;
		w->next = over;
		over = w;
	}
	return over;
}

static int64_t next_end(const struct drg_version_waits *v)
{
	int64_t end = DRG_WHEN_WOKEN;
	for (const struct drg_version_wait *w = v->waiting; w != NULL; w = w->next)
		end = w->until_ns;
	return end;
}

/* Call their done(). Called without the lock. */
static void finish_waits(struct drg_version_wait *over)
{
	while (over != NULL) {
		struct drg_version_wait *w = over;
		over = w->next;
		w->done(w->ctx);
	}
}

/* A step of the timer. */
static int64_t waits_step(void *waits)
{
	struct drg_version_waits *v = waits;
	struct drg_version_wait *over = take_finished(v, v->timer.stopping ? INT64_MAX : drg_clock_ns());
	if (over == NULL)
		return next_end(v);
	pthread_mutex_unlock(&v->timer.lock);
	finish_waits(over);
	pthread_mutex_lock(&v->timer.lock);
	return DRG_AT_ONCE;
}

void drg_version_await(struct drg_version_waits *v, struct drg_version_wait *w)
{
	assert(w->done != NULL);
	w->until_ns = drg_clock_ns() + DRG_VERSION_WAIT_MS * INT64_C(1000000);
	pthread_mutex_lock(&v->timer.lock);
	bool first = v->waiting == NULL;
	w->next = v->waiting;
	v->waiting = w;
	if (first)
		drg_worker_wake(&v->timer);
	pthread_mutex_unlock(&v->timer.lock);
	/* The version may have been published before the wait was in the list. */
	if (drg_follower_reached(v->follower, &w->version) == DRG_REACHED)
		drg_version_waits_published(v);
}

unsigned drg_version_waits_n(struct drg_version_waits *v)
{
	unsigned n = 0;
	pthread_mutex_lock(&v->timer.lock);
	for (const struct drg_version_wait *w = v->waiting; w != NULL; w = w->next)
		n++;
	pthread_mutex_unlock(&v->timer.lock);
	return n;
}

void drg_version_waits_published(struct drg_version_waits *v)
{
	pthread_mutex_lock(&v->timer.lock);
	struct drg_version_wait *over = v->waiting != NULL ? take_finished(v, drg_clock_ns()) : NULL;
	pthread_mutex_unlock(&v->timer.lock);
	finish_waits(over);
}

int drg_version_waits_start(struct drg_follower *follower, struct drg_version_waits **ret,
                            struct drg_err *reterr)
{
	struct drg_version_waits *v = calloc(1, sizeof *v);
	if (v == NULL)
		return drg_fail_memory(reterr);
	v->follower = follower;
	drg_worker_init(&v->timer);
	int rc = drg_worker_start(&v->timer, waits_step, v, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK) {
		*ret = v;
		return rc;
	}
	drg_worker_done(&v->timer);
	free(v);
	return rc;
}

void drg_version_waits_stop(struct drg_version_waits *v)
{
	if (v == NULL)
		return;
	drg_worker_done(&v->timer);
	assert(v->waiting == NULL);
	free(v);
}
