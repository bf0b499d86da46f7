#include "matching/live/turn.h"

#include <assert.h>
#include <sodium.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"
#include "server/own_job.h"

#define RENEW_EACH (2 * DRG_SECOND_NS)
/* Other servers wait this long for the server that had the right last, even if the right is free: that server
 * has the reference in memory. */
#define PATIENCE (3 * DRG_SECOND_NS)

struct drg_match_turn {
	struct drg_writer *writer;
	int64_t holder;
	/* for the asking thread: when it began to wait because another server has the right; 0: it does not
	 * wait */
	int64_t waits_since_ns;
	struct drg_worker worker;
	bool works; /* this and the following: under the worker's lock */
	int64_t renew_ns;
};

/* Take or renew the right: a drg_txn_fn with a struct taking. */
struct taking {
	int64_t holder;
	struct drg_matching found;
};

static int take_turn(void *taking, struct drg_txn *t, struct drg_err *reterr)
{
	struct taking *k = taking;
	return drg_txn_take_matching(t, k->holder, &k->found, reterr);
}

static int64_t turn_step(void *ctx)
{
	struct drg_match_turn *x = ctx;
	struct taking k = { .holder = x->holder };
	struct drg_err none;
	if (!x->works || x->worker.stopping)
		return DRG_WHEN_WOKEN;
	if (drg_clock_ns() < x->renew_ns)
		return x->renew_ns;
	pthread_mutex_unlock(&x->worker.lock);
	/* If the right cannot be renewed it is lost; the stored place then shows how far the work came. */
	(void)!drg_own_job_run(x->writer, take_turn, &k, 1, &none);
	pthread_mutex_lock(&x->worker.lock);
	return x->renew_ns = drg_clock_ns() + RENEW_EACH;
}

static void turn_work(struct drg_match_turn *x, bool works)
{
	pthread_mutex_lock(&x->worker.lock);
	if (works) /* taken or moved a moment ago */
		x->renew_ns = drg_clock_ns() + RENEW_EACH;
	if (works && !x->works)
		drg_worker_wake(&x->worker);
	x->works = works;
	pthread_mutex_unlock(&x->worker.lock);
}

static bool turn_has_waited(struct drg_match_turn *x)
{
	int64_t now = drg_clock_ns();
	if (x->waits_since_ns == 0)
		x->waits_since_ns = now;
	return now - x->waits_since_ns >= PATIENCE;
}

static enum drg_turn_of turn_of(struct drg_match_turn *x, const struct drg_matching *m,
                                const struct drg_feed_place *place)
{
	if (!m->placed || drg_feed_place_cmp(&m->place, place) > 0)
		return DRG_TURN_DONE;
	if (m->holder == x->holder || m->holder == 0)
		return DRG_TURN_MINE;
	return turn_has_waited(x) && m->free ? DRG_TURN_MINE : DRG_TURN_OTHERS;
}

int drg_turn_ask(struct drg_match_turn *x, struct drg_store *s, const struct drg_feed_place *place,
                 enum drg_turn_of *ret, struct drg_feed_place *ret_place, struct drg_err *reterr)
{
	struct taking k = { .holder = x->holder };
	int rc = drg_store_matching(s, &k.found, reterr);
	if (rc != DRG_OK)
		return rc;
	*ret = turn_of(x, &k.found, place);
	if (*ret == DRG_TURN_MINE) {
		rc = drg_own_job_run(x->writer, take_turn, &k, 1, reterr);
		if (rc != DRG_OK)
			return rc;
		*ret = turn_of(x, &k.found, place);
	}
	if (*ret == DRG_TURN_MINE && k.found.holder != x->holder && k.found.holder != 0)
		drg_log(DRG_LOG_INFO, "this server matches new records now: the one that did has stopped");
	if (*ret != DRG_TURN_OTHERS)
		x->waits_since_ns = 0;
	*ret_place = k.found.place;
	turn_work(x, *ret == DRG_TURN_MINE);
	return DRG_OK;
}

void drg_turn_release(struct drg_match_turn *x)
{
	x->waits_since_ns = 0;
	turn_work(x, false);
}

int64_t drg_turn_holder(const struct drg_match_turn *x)
{
	return x->holder;
}

int drg_turn_start(struct drg_writer *w, struct drg_match_turn **ret, struct drg_err *reterr)
{
	assert(w != NULL);
	struct drg_match_turn *x = calloc(1, sizeof *x);
	if (x == NULL)
		return drg_fail_memory(reterr);
	x->writer = w;
	while (x->holder == 0)
		randombytes_buf(&x->holder, sizeof x->holder);
	drg_worker_init(&x->worker);
	int rc = drg_worker_start(&x->worker, turn_step, x, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = x;
	else
		drg_turn_stop(x);
	return rc;
}

void drg_turn_stop(struct drg_match_turn *x)
{
	if (x == NULL)
		return;
	drg_worker_done(&x->worker);
	free(x);
}
