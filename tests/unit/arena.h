/* tests/unit/arena.h
 * An arena for the tests of a file: arena_set_up() and arena_tear_down() of the group. */
#pragma once
#include "unit.h"

#include "base/arena.h"

static struct drg_arena arena;

static inline int arena_set_up(void **state)
{
	(void)state;
	drg_arena_init(&arena, 1 << 20);
	return 0;
}

static inline int arena_tear_down(void **state)
{
	(void)state;
	drg_arena_done(&arena);
	return 0;
}
