/* src/base/worker.h
 * A thread that works when it is woken or when a time has come, and sleeps otherwise. Its user may use its
 * lock too, for members that both sides share. Embedded in its user's struct. */
#pragma once
#include "base/thread.h"

/** Return values of a step: DRG_AT_ONCE: there is more to do; DRG_WHEN_WOKEN: nothing until the worker is
 * woken. */
#define DRG_AT_ONCE INT64_C(0)
#define DRG_WHEN_WOKEN INT64_MAX

/**
 * A step of the thread. It is called with the lock held, which it may release meanwhile: after each
 * drg_worker_wake(), and at the time that it returned last. After drg_worker_stop() it is called once more,
 * and again as long as it returns DRG_AT_ONCE.
 * @return when to call it next, a time of drg_clock_ns().
 */
typedef int64_t drg_worker_step(void *ctx);

struct drg_worker {
	pthread_mutex_t lock; /**< for the members that its user shares too */
	pthread_cond_t changed; /**< for a step that waits in its middle; a wake-up signals it too */
	bool stopping; /**< under the lock: this is one of the last steps */
	bool background; /**< set before the start: let other threads go first (nice 10) */

	/* used by the worker alone */
	bool woken, started, stepping;
	int64_t next_ns;
	pthread_t thread;
	drg_worker_step *step;
	void *ctx;
	struct drg_worker *next; /* next worker that is stepped by hand */
};

/** Call it before anything else, also before the lock is used. */
void drg_worker_init(struct drg_worker *w);
/**
 * Start the thread, after drg_worker_init(); it may be started again after drg_worker_stop().
 * @param first_ns  When to make the first step, a time of drg_clock_ns(); DRG_AT_ONCE, DRG_WHEN_WOKEN.
 * @return DRG_OK or DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_worker_start(struct drg_worker *w, drg_worker_step *step, void *ctx, int64_t first_ns,
                     struct drg_err *reterr);
/** Wake the worker, so that it makes a step soon. Called with the lock held. */
void drg_worker_wake(struct drg_worker *w);
/** The same, and release the lock. A thread that is woken while the lock is held runs into it: this saves two
 * switches of threads. */
void drg_worker_wake_and_unlock(struct drg_worker *w);
/** The same, called without the lock. */
void drg_worker_lock_and_wake(struct drg_worker *w);
/** Wait for the last steps, and end the thread. Called without the lock. Nothing happens if the worker was
 * never started or was stopped. */
void drg_worker_stop(struct drg_worker *w);
/** Stop the worker, and destroy its lock and condition variable. */
void drg_worker_done(struct drg_worker *w);

/** For a simulation: workers that are started from now on do not have threads. The simulator makes their
 * steps in the order that it chooses; drg_worker_stop() makes the last ones. Borrowed. NULL: threads again,
 * when all of these workers have stopped. */
struct drg_stepped {
	struct drg_worker *first; /**< the workers that were started and not stopped */
	void (*others)(void); /**< waiting in the middle of a step: step another worker, or let time pass */
};
void drg_worker_step_by_hand(struct drg_stepped *by);
/** For a thread that waits for another worker and holds no lock. @return false: no worker is stepped by hand;
 * wait for a condition. */
bool drg_worker_step_others(void);
/** Would the worker's thread make a step now? Not in the middle of one. */
bool drg_worker_is_due(const struct drg_worker *w);
/** Make a step of a worker. */
void drg_worker_make_step(struct drg_worker *w);
