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

/** A condition for drg_cond_wait(). */
void drg_cond_init(pthread_cond_t *c);

/**
 * As pthread_cond_wait(), and so it may return without a reason, but not for longer than until @p until_ns.
 * @param until_ns  As drg_clock_ns(); INT64_MAX: without an end.
 * @return false: the time has come.
 */
bool drg_cond_wait(pthread_cond_t *c, pthread_mutex_t *lock, int64_t until_ns);
