/* tests/unit/model/texts.h
 * What tests of records and their texts need: set_up() and tear_down() of the group, a struct fixture as
 * their state. */
#pragma once
#include "../unit.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

struct fixture {
	struct drg_arena arena;
	struct drg_buf out;
	struct drg_err err;
};

static inline int set_up(void **state)
{
	static struct fixture f;
	drg_arena_init(&f.arena, 1 << 24);
	drg_buf_init(&f.out, 1 << 24);
	*state = &f;
	return 0;
}

static inline int tear_down(void **state)
{
	struct fixture *f = *state;
	drg_arena_done(&f->arena);
	drg_buf_done(&f->out);
	return 0;
}
