/* src/base/trim.h
 * Returns freed memory to the system. That takes milliseconds, so it is done seldom, by a thread for which
 * nobody waits. From any thread; all zero at first. */
#pragma once
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct drg_trim {
	atomic_bool wanted, running;
	_Atomic(int64_t) last_ns;
	atomic_uint most; /**< largest number noted since many went at once */
};

/** Note that much memory was freed. @return true: nobody has noted that since the last trim. */
bool drg_trim_want(struct drg_trim *t);
/** Note how many small objects exist now: if many have gone, they left as many holes in the memory. */
void drg_trim_note(struct drg_trim *t, unsigned n);
static inline bool drg_trim_is_wanted(const struct drg_trim *t)
{
	return atomic_load_explicit(&t->wanted, memory_order_relaxed);
}
/** Is it time to trim? @return true, to one thread only: it calls drg_trim_run(). */
bool drg_trim_begin(struct drg_trim *t);
void drg_trim_run(struct drg_trim *t);
