/* src/base/thread.h
 * Threads, and condition variables with deadlines by drg_clock_ns(). */
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/** Start a thread. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg, struct drg_err *reterr);

/** Let the calling thread use the cores only when other threads do not (nice 10). */
void drg_thread_background(void);

/** Let the calling thread, and threads that it starts meanwhile, work in short turns or not. A thread with
 * short turns gets the core at once when it is woken, before any thread that has no higher priority and
 * longer turns. It gets no larger share of the cores. Linux 6.12 and later; without effect before. */
void drg_thread_set_short_slices(bool on);

/** Give the core to other threads that wait for it. The system takes the core from a thread that makes one
 * system call after another only at its next tick, milliseconds later. So such a thread calls this between
 * two pieces of work. */
void drg_thread_yield(void);

/** Initialise a condition variable for drg_cond_wait(). */
void drg_cond_init(pthread_cond_t *c);

/**
 * Wait as pthread_cond_wait() does, at most until @p until_ns. It may return without a reason.
 * @param until_ns  A time of drg_clock_ns(); INT64_MAX: without an end.
 * @return false: the time is over.
 */
bool drg_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns);
