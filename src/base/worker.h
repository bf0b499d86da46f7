/* src/base/worker.h
 * A thread that works when it is woken and when a time has come, and sleeps else. Its lock is its user's too:
 * what both sides share stands under it. Embedded in its user's struct. */
#pragma once
#include "base/thread.h"

/** What a step returns: there is more to do; nothing, until it is woken. */
#define DRG_AT_ONCE INT64_C(0)
#define DRG_WHEN_WOKEN INT64_MAX

/**
 * On the thread, with the lock held, which it may let go of meanwhile: after each drg_worker_wake(), and at
 * the time that it returned. After drg_worker_stop() once more, and on while it returns DRG_AT_ONCE.
 * @return when it wants to be called next, as drg_clock_ns().
 */
typedef int64_t drg_worker_step(void *ctx);

struct drg_worker {
	pthread_mutex_t lock; /**< its user's too */
	pthread_cond_t
	        changed; /**< for a step that waits for something in its middle; a wake-up signals it too */
	bool stopping; /**< under the lock: this step is one of the last */
	bool background; /**< to be set before the start: let other threads go first (nice 10) */

	/* its own */
	bool woken, started;
	int64_t next_ns;
	pthread_t thread;
	drg_worker_step *step;
	void *ctx;
	struct drg_worker *next; /* of those that are stepped by hand */
};

/** Before anything else, the lock included. */
void drg_worker_init(struct drg_worker *w);
/**
 * After drg_worker_init(), and once more after drg_worker_stop().
 * @param first_ns  When the first step is to be made, as drg_clock_ns(); DRG_AT_ONCE, DRG_WHEN_WOKEN.
 * @return DRG_OK or DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_worker_start(struct drg_worker *w, drg_worker_step *step, void *ctx, int64_t first_ns,
                     struct drg_err *reterr);
/** With the lock held: have a step made soon. */
void drg_worker_wake(struct drg_worker *w);
/** Without the lock: likewise. */
void drg_worker_lock_and_wake(struct drg_worker *w);
/** Without the lock: let the last steps be made, and end the thread. Nothing, where it was never started or
 * was stopped. */
void drg_worker_stop(struct drg_worker *w);
/** Stop it, and give back lock and condition. */
void drg_worker_done(struct drg_worker *w);

/**
 * For a simulation: workers that are started from now on are no threads. Who simulates makes their steps, in
 * the order that it chooses; drg_worker_stop() makes the last ones. Borrowed. NULL: threads again, when all
 * of these have stopped.
 */
struct drg_stepped {
	struct drg_worker *first; /**< those that were started and not stopped */
};
void drg_worker_step_by_hand(struct drg_stepped *by);
/** Would its thread make a step now? */
bool drg_worker_is_due(const struct drg_worker *w);
/** Make the step. */
void drg_worker_make_step(struct drg_worker *w);
