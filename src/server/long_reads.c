#include "server/long_reads.h"

#include <assert.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/thread.h"

/* Somebody else reads for long (a backup): each try makes writers wait, so the next comes later. */
static const int64_t TRY_AGAIN_NS = 2 * DRG_SECOND_NS;

struct drg_long_reads {
	const char *store_url;
	struct drg_writer *writer;
	pthread_mutex_t lock; /* protects what follows, and the pools */
	pthread_cond_t changed;
	unsigned running; /* in all pools */
	bool emptying; /* one that waits for its turn has the log emptied */
	int64_t try_ns; /* not before */
};

int drg_long_reads_new(const char *store_url, struct drg_writer *writer, struct drg_long_reads **ret,
                       struct drg_err *reterr)
{
	struct drg_long_reads *l = calloc(1, sizeof *l);
	if (l == NULL)
		return drg_fail_memory(reterr);
	l->store_url = store_url;
	l->writer = writer;
	pthread_mutex_init(&l->lock, NULL);
	drg_cond_init(&l->changed);
	*ret = l;
	return DRG_OK;
}

void drg_long_reads_free(struct drg_long_reads *l)
{
	if (l == NULL)
		return;
	assert(l->running == 0 && !l->emptying);
	pthread_cond_destroy(&l->changed);
	pthread_mutex_destroy(&l->lock);
	free(l);
}

static bool log_is_long(const struct drg_long_reads *l)
{
	return drg_clock_ns() >= l->try_ns && drg_store_log_bytes(l->store_url) > DRG_LOG_LONG_BYTES;
}

/* Called with the lock, which is released meanwhile, while nothing runs. */
static void empty_log(struct drg_long_reads *l)
{
	l->emptying = true;
	pthread_mutex_unlock(&l->lock);
	drg_writer_empty_log(l->writer);
	bool is_long = log_is_long(l);
	pthread_mutex_lock(&l->lock);
	l->emptying = false;
	if (is_long)
		l->try_ns = drg_clock_ns() + TRY_AGAIN_NS;
	pthread_cond_broadcast(&l->changed);
}

void drg_long_reads_enter(struct drg_long_reads *l, struct drg_long_pool *p)
{
	if (l == NULL)
		return;
	assert(p->max > 0);
	pthread_mutex_lock(&l->lock);
	for (;;) {
		bool is_long = !l->emptying && log_is_long(l);
		if (is_long && l->running == 0)
			empty_log(l);
		else if (!is_long && !l->emptying && p->running < p->max)
			break;
		else
			pthread_cond_wait(&l->changed, &l->lock);
	}
	p->running++;
	l->running++;
	pthread_mutex_unlock(&l->lock);
}

void drg_long_reads_leave(struct drg_long_reads *l, struct drg_long_pool *p)
{
	if (l == NULL)
		return;
	pthread_mutex_lock(&l->lock);
	assert(p->running > 0 && l->running >= p->running);
	p->running--;
	l->running--;
	pthread_cond_broadcast(&l->changed);
	pthread_mutex_unlock(&l->lock);
}
