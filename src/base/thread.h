/* src/base/thread.h
 * Threads, and conditions that are waited for by drg_clock_ns(). */
#pragma once
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include "base/err.h"

/** Start a thread. @return DRG_OK or DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_thread_start(pthread_t *ret, void *(*run)(void *arg), void *arg, struct drg_err *reterr);

/** The calling thread takes what the others leave of the cores (nice 10). */
void drg_thread_background(void);

/**
 * The calling thread, and those that it starts meanwhile, work in short turns or not: such a thread takes the
 * core at once when it is woken, from any thread that has no higher priority and works in longer turns. It
 * gets no more of the cores in all. Linux 6.12 and later; without effect before.
 */
void drg_thread_short_turns(bool on);

/**
 * Let the others have the core that wait for it. The system takes it away only at its next tick, milliseconds
 * later, from a thread that goes from one system call to the next: so such a thread calls this between two
 * pieces.
 */
void drg_thread_give_way(void);

/** A condition for drg_cond_wait(). */
void drg_cond_init(pthread_cond_t *c);

/**
 * As pthread_cond_wait(), and so it may return without a reason, but not for longer than until @p until_ns.
 * @param until_ns  As drg_clock_ns(); INT64_MAX: without an end.
 * @return false: the time has come.
 */
bool drg_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns);
