#include "base/worker.h"

#include <assert.h>
#include <string.h>

#include "base/clock.h"

static struct drg_stepped *by_hand; /* workers that are stepped by hand; NULL: workers are threads */

void drg_worker_init(struct drg_worker *w)
{
	memset(w, 0, sizeof *w);
	pthread_mutex_init(&w->lock, NULL);
	drg_cond_init(&w->changed);
}

/* Called under the lock. */
static void worker_sleep(struct drg_worker *w)
{
	while (!w->woken && !w->stopping && drg_cond_wait(&w->changed, &w->lock, w->next_ns))
		;
}

static void *worker_run(void *arg)
{
	struct drg_worker *w = arg;
	bool last;
	if (w->background)
		drg_thread_background();
	pthread_mutex_lock(&w->lock);
	do {
		if (w->next_ns != DRG_AT_ONCE)
			worker_sleep(w);
		w->woken = false;
		last = w->stopping;
		w->next_ns = w->step(w->ctx);
		assert(w->next_ns >= 0);
	} while (!last || w->next_ns == DRG_AT_ONCE);
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

int drg_worker_start(struct drg_worker *w, drg_worker_step *step, void *ctx, int64_t first_ns,
                     struct drg_err *reterr)
{
	assert(step != NULL && first_ns >= 0);
	assert(!w->started);
	pthread_mutex_lock(&w->lock); /* others may look at its state before it is started */
	w->stopping = false;
	w->step = step;
	w->ctx = ctx;
	w->next_ns = first_ns;
	pthread_mutex_unlock(&w->lock);
	if (by_hand != NULL) {
		w->next = by_hand->first;
		by_hand->first = w;
		w->started = true;
		return DRG_OK;
	}
	int rc = drg_thread_start(&w->thread, worker_run, w, reterr);
	w->started = rc == DRG_OK;
	return rc;
}

void drg_worker_wake(struct drg_worker *w)
{
	w->woken = true;
	pthread_cond_signal(&w->changed);
}

void drg_worker_wake_and_unlock(struct drg_worker *w)
{
	w->woken = true;
	pthread_mutex_unlock(&w->lock);
	pthread_cond_signal(&w->changed);
}

void drg_worker_lock_and_wake(struct drg_worker *w)
{
	pthread_mutex_lock(&w->lock);
	drg_worker_wake_and_unlock(w);
}

/* ---- by hand ------------------------------------------------------------------------------------------- */

void drg_worker_step_by_hand(struct drg_stepped *by)
{
	assert(by == NULL ? by_hand->first == NULL : by->first == NULL);
	by_hand = by;
}

bool drg_worker_is_due(const struct drg_worker *w)
{
	return !w->stepping && (w->woken || w->next_ns <= drg_clock_ns());
}

bool drg_worker_step_others(void)
{
	if (by_hand == NULL)
		return false;
	by_hand->others();
	return true;
}

void drg_worker_make_step(struct drg_worker *w)
{
	assert(by_hand != NULL && w->started);
	assert(!w->stepping);
	pthread_mutex_lock(&w->lock);
	w->woken = false;
	w->stepping = true;
	w->next_ns = w->step(w->ctx);
	w->stepping = false;
	pthread_mutex_unlock(&w->lock);
}

static void worker_end_by_hand(struct drg_worker *w)
{
	do
		drg_worker_make_step(w);
	while (w->next_ns == DRG_AT_ONCE);
	struct drg_worker **at = &by_hand->first;
	while (*at != w)
		at = &(*at)->next;
	assert(*at == w);
	*at = w->next;
}

void drg_worker_stop(struct drg_worker *w)
{
	if (!w->started)
		return;
	pthread_mutex_lock(&w->lock);
	w->stopping = true;
	pthread_cond_signal(&w->changed);
	pthread_mutex_unlock(&w->lock);
	if (by_hand != NULL)
		worker_end_by_hand(w);
	else
		pthread_join(w->thread, NULL);
	w->started = false;
}

void drg_worker_done(struct drg_worker *w)
{
	drg_worker_stop(w);
	pthread_cond_destroy(&w->changed);
	pthread_mutex_destroy(&w->lock);
}
