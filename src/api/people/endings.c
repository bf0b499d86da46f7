#include "api/people/endings.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"
#include "server/own_job.h"

enum { ENDINGS_MAX = 256 };
/* How long after a failure it is tried again. */
static const int64_t AGAIN_NS = 5 * DRG_SECOND_NS;

struct drg_endings {
	struct drg_writer *writer;
	struct drg_worker worker; /* its lock is for what follows */
	struct drg_session_claim claim[ENDINGS_MAX];
	_Atomic size_t n; /* written under the lock */
};

/* Under the lock. @return n: it is not among them. */
static size_t endings_find(const struct drg_endings *e, const struct drg_session_claim *claim)
{
	size_t i = 0, n = atomic_load(&e->n);
	while (i < n && memcmp(e->claim[i].hash, claim->hash, sizeof claim->hash) != 0)
		i++;
	return i;
}

/* A step: the one that waits longest. */
static int64_t endings_step(void *ctx)
{
	struct drg_endings *e = ctx;
	size_t n = atomic_load(&e->n);
	if (e->worker.stopping && n > 0)
		drg_log(DRG_LOG_WARN,
		        "%zu sessions that were ended last until they are idle: the store did not take it",
		        n);
	if (e->worker.stopping || n == 0)
		return DRG_WHEN_WOKEN;
	struct drg_session_claim claim = e->claim[0];
	pthread_mutex_unlock(&e->worker.lock);
	int rc = drg_own_job_run(e->writer, drg_session_end, &claim, 1, NULL);
	pthread_mutex_lock(&e->worker.lock);
	if (rc != DRG_OK)
		return drg_clock_ns() + AGAIN_NS;
	n = atomic_load(&e->n) - 1;
	memmove(&e->claim[0], &e->claim[1], n * sizeof e->claim[0]);
	atomic_store(&e->n, n);
	return DRG_AT_ONCE;
}

bool drg_endings_add(struct drg_endings *e, const struct drg_session_claim *claim)
{
	pthread_mutex_lock(&e->worker.lock);
	size_t n = atomic_load(&e->n), at = endings_find(e, claim);
	bool room = at < ENDINGS_MAX;
	if (room && at == n) {
		e->claim[n] = *claim;
		atomic_store(&e->n, n + 1);
	}
	if (room && n == 0)
		drg_worker_wake(&e->worker);
	pthread_mutex_unlock(&e->worker.lock);
	return room;
}

bool drg_endings_has(struct drg_endings *e, const struct drg_session_claim *claim)
{
	if (atomic_load(&e->n) == 0)
		return false;
	pthread_mutex_lock(&e->worker.lock);
	bool has = endings_find(e, claim) < atomic_load(&e->n);
	pthread_mutex_unlock(&e->worker.lock);
	return has;
}

int drg_endings_start(struct drg_writer *w, struct drg_endings **ret, struct drg_err *reterr)
{
	struct drg_endings *e = calloc(1, sizeof *e);
	if (e == NULL)
		return drg_fail_memory(reterr);
	e->writer = w;
	drg_worker_init(&e->worker);
	int rc = drg_worker_start(&e->worker, endings_step, e, DRG_WHEN_WOKEN, reterr);
	if (rc == DRG_OK)
		*ret = e;
	else
		drg_endings_stop(e);
	return rc;
}

void drg_endings_stop(struct drg_endings *e)
{
	if (e == NULL)
		return;
	drg_worker_done(&e->worker);
	free(e);
}
