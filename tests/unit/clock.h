/* tests/unit/clock.h
 * The clock of a test: it stands still until the test lets time pass. */
#pragma once
#include "unit.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/clock.h"

static _Atomic int64_t clock_ns = INT64_C(1700000000000000000);

/** Before the threads are started that are to go by it. */
static inline void clock_stop(void)
{
	drg_clock_set_fixed(&clock_ns, &clock_ns);
}

/** When they have ended: the system's clock again. */
static inline void clock_go(void)
{
	drg_clock_set_fixed(NULL, NULL);
}

/** @return true, to stand in a condition that is waited for: while it does not hold, time passes. */
static inline bool clock_pass_ms(int64_t ms)
{
	clock_ns += ms * 1000000;
	return true;
}

/** Wait until an expression holds, while @p ms pass before each look. */
#define wait_and_pass(ms, holds) wait_until((holds) || !clock_pass_ms(ms))

struct clock_call {
	pthread_t thread;
	void (*run)(void *arg);
	void *arg;
	atomic_bool done;
};

static inline void *clock_call_run(void *call)
{
	struct clock_call *c = call;
	c->run(c->arg);
	c->done = true;
	return NULL;
}

/** Begin a call that waits for something, in a thread of its own. */
static inline void clock_call(struct clock_call *c, void (*run)(void *arg), void *arg)
{
	c->run = run;
	c->arg = arg;
	c->done = false;
	assert_int_equal(pthread_create(&c->thread, NULL, clock_call_run, c), 0);
}

/** Wait for its end, while @p ms pass before each look. */
static inline void clock_call_end(struct clock_call *c, int64_t ms)
{
	wait_and_pass(ms, c->done);
	pthread_join(c->thread, NULL);
}
