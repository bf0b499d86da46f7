#include "base/keeper.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"

#define MS INT64_C(1000000)
#define MAKING_SHARE 20 /* pause between two makings, as a multiple of how long the last one took */
#define RETRY_LOOKS 2 /* pause after a failure, as a multiple of the pause between two looks */

struct drg_keeper {
	struct drg_keeper_options o;
	int64_t look_ns, idle_ns;
	atomic_bool leaving;
	struct drg_worker worker; /* its lock protects the members that follow */
	struct drg_keeper_wait *waiting;
	int64_t asked_ns;
	bool there;

	/* used by the keeper's thread alone */
	int64_t made_ns, took_ns;
	bool in_trouble;
};

static int keeper_make(struct drg_keeper *k, struct drg_err *err)
{
	int64_t began = drg_clock_ns();
	drg_log(DRG_LOG_DEBUG, "reading %s", k->o.what);
	int rc = k->o.make(k->o.ctx, &k->leaving, err);
	if (rc != DRG_OK)
		return rc;
	k->made_ns = drg_clock_ns();
	k->took_ns = k->made_ns - began;
	return DRG_OK;
}

static int keeper_round(struct drg_keeper *k, bool there, struct drg_err *err)
{
	bool due = !there;
	int rc = there ? k->o.look(k->o.ctx, &due, err) : DRG_OK;
	if (there && drg_clock_ns() - k->made_ns < MAKING_SHARE * k->took_ns)
		due = false;
	return rc == DRG_OK && due ? keeper_make(k, err) : rc;
}

/* Log the first of several failures in a row. */
static void keeper_note(struct drg_keeper *k, int rc, const struct drg_err *err)
{
	if (rc == DRG_ESTOPPED)
		return;
	if (rc != DRG_OK && !k->in_trouble)
		drg_log(DRG_LOG_WARN, "%s cannot be read: %s", k->o.what, err->message);
	k->in_trouble = rc != DRG_OK;
	if (rc != DRG_OK)
		k->o.close(k->o.ctx);
}

static void keeper_rest(struct drg_keeper *k)
{
	if (k->o.give_back != NULL)
		k->o.give_back(k->o.ctx);
	k->o.close(k->o.ctx);
}

static void keeper_notify(const struct drg_keeper *k, struct drg_keeper_wait *w, int rc)
{
	while (w != NULL) {
		struct drg_keeper_wait *next = w->next;
		w->rc = DRG_OK;
		if (atomic_load(&k->leaving))
			w->rc = drg_fail(&w->err, DRG_EBUSY, DRG_R(stopping), NULL,
			                 "the server stops; try again");
		else if (rc != DRG_OK)
			w->rc = drg_fail(&w->err, DRG_EBUSY, DRG_R(store_away), NULL,
			                 "the store cannot be read at present; try again later");
		w->done(w->ctx);
		w = next;
	}
}

/* Called with the lock held; it is released meanwhile. */
static void keeper_notify_all(struct drg_keeper *k, int rc)
{
	struct drg_keeper_wait *waiting = k->waiting;
	k->waiting = NULL;
	pthread_mutex_unlock(&k->worker.lock);
	keeper_notify(k, waiting, rc);
	pthread_mutex_lock(&k->worker.lock);
}

/* Look at the object, make it if it is due, and notify those who wait. Called with the lock held; it is
 * released meanwhile. */
static int64_t keeper_serve(struct drg_keeper *k)
{
	struct drg_err err = { .code = DRG_OK };
	bool there = k->there;
	pthread_mutex_unlock(&k->worker.lock);
	int rc = keeper_round(k, there, &err);
	keeper_note(k, rc, &err);
	pthread_mutex_lock(&k->worker.lock);
	k->there |= rc == DRG_OK;
	keeper_notify_all(k, k->there ? DRG_OK : rc);
	return drg_clock_ns() + (rc == DRG_OK ? 1 : RETRY_LOOKS) * k->look_ns;
}

/* A step of the thread, with the lock held. */
static int64_t keeper_step(void *ctx)
{
	struct drg_keeper *k = ctx;
	if (atomic_load(&k->leaving)) {
		keeper_notify_all(k, DRG_ESTOPPED);
		return DRG_WHEN_WOKEN;
	}
	if (k->waiting != NULL || drg_clock_ns() - k->asked_ns < k->idle_ns)
		return keeper_serve(k);
	k->there &= k->o.give_back == NULL; /* from now on callers wait */
	pthread_mutex_unlock(&k->worker.lock);
	keeper_rest(k);
	pthread_mutex_lock(&k->worker.lock);
	return DRG_WHEN_WOKEN; /* a caller who asked meanwhile has woken the worker */
}

bool drg_keeper_request(struct drg_keeper *k)
{
	pthread_mutex_lock(&k->worker.lock);
	bool slept = drg_clock_ns() - k->asked_ns >= k->idle_ns, there = k->there;
	k->asked_ns = drg_clock_ns();
	if (slept)
		drg_worker_wake(&k->worker);
	pthread_mutex_unlock(&k->worker.lock);
	return there;
}

void drg_keeper_await(struct drg_keeper *k, struct drg_keeper_wait *w)
{
	assert(w->done != NULL);
	pthread_mutex_lock(&k->worker.lock);
	w->next = k->waiting;
	k->waiting = w;
	drg_worker_wake(&k->worker);
	if (atomic_load(&k->leaving))
		keeper_notify_all(k, DRG_ESTOPPED);
	pthread_mutex_unlock(&k->worker.lock);
}

int drg_keeper_start(const struct drg_keeper_options *o, struct drg_keeper **ret, struct drg_err *reterr)
{
	assert(o->look != NULL && o->make != NULL && o->close != NULL && o->what != NULL);
	struct drg_keeper *k = calloc(1, sizeof *k);
	if (k == NULL)
		return drg_fail_memory(reterr);
	k->o = *o;
	k->look_ns = (o->look_ms > 0 ? o->look_ms : DRG_KEEPER_LOOK_MS) * MS;
	k->idle_ns = (o->idle_ms > 0 ? o->idle_ms : DRG_KEEPER_IDLE_MS) * MS;
	k->asked_ns = drg_clock_ns() - k->idle_ns;
	drg_worker_init(&k->worker);
	k->worker.background = true;
	int rc = drg_worker_start(&k->worker, keeper_step, k, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = k;
	else
		drg_keeper_stop(k);
	return rc;
}

void drg_keeper_drain(struct drg_keeper *k)
{
	if (k == NULL)
		return;
	pthread_mutex_lock(&k->worker.lock);
	atomic_store(&k->leaving, true);
	keeper_notify_all(k, DRG_ESTOPPED);
	drg_worker_wake(&k->worker);
	pthread_mutex_unlock(&k->worker.lock);
}

void drg_keeper_stop(struct drg_keeper *k)
{
	if (k == NULL)
		return;
	drg_keeper_drain(k);
	drg_worker_done(&k->worker);
	k->o.close(k->o.ctx);
	assert(k->waiting == NULL); /* drg_keeper_drain() has notified all of them */
	free(k);
}
