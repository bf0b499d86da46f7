#include "base/thread.h"

#include <assert.h>
#include <errno.h>
#include <sched.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

enum { NICE = 10, TURN_NS = 100000 /* the shortest that Linux has */, LOOK_NS = 5000000 };

/* glibc before 2.41 does not define this struct; headers of other libraries may. */
struct thread_sched {
	uint32_t size, policy;
	uint64_t flags;
	int32_t nice;
	uint32_t priority;
	uint64_t runtime_ns, deadline_ns, period_ns;
};

int drg_thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg, struct drg_err *reterr)
{
	assert(ret != NULL && run != NULL);
	if (pthread_create(ret, NULL, run, arg) == 0)
		return DRG_OK;
	return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "cannot start a thread");
}

void drg_thread_background(void)
{
	id_t self = (id_t)syscall(SYS_gettid);
	/* a program that was started with a lower priority keeps it */
	if (getpriority(PRIO_PROCESS, self) < NICE)
		setpriority(PRIO_PROCESS, self, NICE);
}

void drg_thread_set_short_slices(bool on)
{
	struct thread_sched s = { .size = sizeof s };
	if (syscall(SYS_sched_getattr, 0, &s, sizeof s, 0) != 0)
		return;
	s.runtime_ns = on ? TURN_NS : 0; /* 0: the system's default */
	(void)syscall(SYS_sched_setattr, 0, &s, 0);
}

void drg_thread_yield(void)
{
	sched_yield();
}

void drg_cond_init(pthread_cond_t *c)
{
	pthread_condattr_t attr;
	pthread_condattr_init(&attr);
	pthread_condattr_setclock(&attr, CLOCK_MONOTONIC); /* the clock of drg_clock_ns() */
	pthread_cond_init(c, &attr);
	pthread_condattr_destroy(&attr);
}

/* Wake every few milliseconds to read a test's clock: the system does not notice when it moves. */
static bool cond_wait_ahead(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns)
{
	struct timespec look;
	clock_gettime(CLOCK_MONOTONIC, &look);
	look.tv_nsec += LOOK_NS;
	look.tv_sec += look.tv_nsec / 1000000000;
	look.tv_nsec %= 1000000000;
	(void)pthread_cond_timedwait(c, lock, &look);
	return drg_clock_ns() < until_ns;
}

bool drg_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns)
{
	assert(until_ns >= 0);
	const struct timespec until = { (time_t)(until_ns / 1000000000), (long)(until_ns % 1000000000) };
	if (until_ns == INT64_MAX)
		return pthread_cond_wait(c, lock) == 0;
	if (drg_clock_is_simulated())
		return cond_wait_ahead(c, lock, until_ns);
	return pthread_cond_timedwait(c, lock, &until) != ETIMEDOUT;
}
