#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

enum { NICE = 10 };

int drg_thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg, struct drg_err *reterr)
{
	if (pthread_create(ret, NULL, run, arg) == 0)
		return DRG_OK;
	return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
}

void drg_thread_background(void)
{
	setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), NICE);
}

void drg_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* as drg_clock_ns() */
	pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
}

bool drg_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns)
{
	assert(until_ns >= 0);
	const struct timespec until = { (time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000) };
	if (until_ns == INT64_MAX)
		return pthread_cond_wait(c, lock) == 0;
	return pthread_cond_timedwait(c, lock, &until) != ETIMEDOUT;
}
