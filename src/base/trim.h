/* src/base/trim.h
 * Memory that was freed is given back to the system, which takes milliseconds: not often, and by a thread
 * that keeps nobody waiting. From any thread; all zero at first. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct drg_trim {
	atomic_bool wanted, running;
	_Atomic(int64_t) last_ns;
	atomic_uint most; /**< things since the last of many went */
};

/** Much was freed. @return true: nobody had said so yet. */
bool drg_trim_want(struct drg_trim *t);
/** There are so many small things now: where many have gone, they have left as many holes. */
void drg_trim_note(struct drg_trim *t, unsigned n);
static inline bool drg_trim_is_wanted(const struct drg_trim *t)
{
	return atomic_load_explicit(&t->wanted, memory_order_relaxed);
}
/** Is it time? @return true, to one thread: drg_trim_run() is to be called. */
bool drg_trim_begin(struct drg_trim *t);
void drg_trim_run(struct drg_trim *t);
