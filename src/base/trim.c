#include "base/trim.h"

#include <assert.h>
#include <malloc.h>

#include "base/clock.h"

enum { MANY_WENT = 256 };

static const int64_t PAUSE_NS = INT64_C(50000000);

bool drg_trim_want(struct drg_trim *t)
{
	return !atomic_exchange(&t->wanted, true);
}

void drg_trim_note(struct drg_trim *t, unsigned n)
{
	unsigned most = atomic_load_explicit(&t->most, memory_order_relaxed);
	bool went = n + MANY_WENT < most;
	if (went || n > most)
		atomic_store_explicit(&t->most, n, memory_order_relaxed);
	if (went)
		atomic_store(&t->wanted, true);
}

bool drg_trim_begin(struct drg_trim *t)
{
	if (!drg_trim_is_wanted(t))
		return false;
	int64_t now_ns = drg_clock_ns();
	if (now_ns - atomic_load(&t->last_ns) < PAUSE_NS || atomic_exchange(&t->running, true))
		return false;
	atomic_store(&t->last_ns, now_ns);
	atomic_store(&t->wanted, false);
	return true;
}

void drg_trim_run(struct drg_trim *t)
{
	assert(atomic_load(&t->running)); /* drg_trim_begin() has returned true */
	malloc_trim(0);
	atomic_store(&t->running, false);
}
