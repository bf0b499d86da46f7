#include "base/timers.h"

#include <assert.h>
#include <stddef.h>

static const int64_t TICK_NS = DRG_TICK_MS * INT64_C(1000000);

void drg_timers_init(struct drg_timers *t, int64_t now_ns)
{
	assert(now_ns >= 0);
	*t = (struct drg_timers){ .tick = now_ns / TICK_NS, .next_ns = DRG_NEVER };
}

void drg_timer_stop(struct drg_timer *timer)
{
	if (timer->back == NULL)
		return;
	assert(*timer->back == timer);
	*timer->back = timer->next;
	if (timer->next != NULL)
		timer->next->back = timer->back;
	timer->back = NULL;
}

void drg_timer_set(struct drg_timers *t, struct drg_timer *timer, int64_t due_ns)
{
	assert(due_ns >= 0 && due_ns < DRG_NEVER);
	drg_timer_stop(timer);
	int64_t tick = due_ns / TICK_NS;
	if (tick < t->tick)
		tick = t->tick;
	struct drg_timer **slot = &t->slots[tick % DRG_TIMER_SLOTS];
	timer->due_ns = due_ns;
	timer->next = *slot;
	timer->back = slot;
	if (*slot != NULL)
		(*slot)->back = &timer->next;
	*slot = timer;
	if ((tick + 1) * TICK_NS < t->next_ns)
		t->next_ns = (tick + 1) * TICK_NS;
}

/** The end of the first tick whose slot has a timer. */
static int64_t first_end(const struct drg_timers *t)
{
	for (int64_t i = 0; i < DRG_TIMER_SLOTS; i++)
		if (t->slots[(t->tick + i) % DRG_TIMER_SLOTS] != NULL)
			return (t->tick + i + 1) * TICK_NS;
	return DRG_NEVER;
}

struct drg_timer *drg_timers_due(struct drg_timers *t, int64_t now_ns)
{
	const int64_t now = now_ns / TICK_NS;
	if (now - t->tick >= DRG_TIMER_SLOTS)
		t->tick = now - DRG_TIMER_SLOTS + 1; /* one turn of the wheel looks at every slot */
	for (;;) {
		for (struct drg_timer *at = t->slots[t->tick % DRG_TIMER_SLOTS]; at != NULL; at = at->next)
			if (at->due_ns <= now_ns) {
				drg_timer_stop(at);
				return at;
			}
		if (t->tick >= now)
			break;
		t->tick++;
	}
	assert(t->tick >= now);
	t->next_ns = first_end(t);
	return NULL;
}
