/* tests/unit/curate/curating.h
 * A store with the small fixture in it, and a handle of it for decisions: set_up() and tear_down() of the group. */
#pragma once
#include "../importing.h"

static struct importing data;
static struct drg_store *s;

static inline int set_up(void **state)
{
	(void)state;
	importing_mini(&data);
	return drg_store_open(data.store_url, DRG_STORE_WRITE, &s, NULL) == DRG_OK ? 0 : -1;
}

static inline int tear_down(void **state)
{
	(void)state;
	drg_store_close(s);
	importing_end(&data);
	return 0;
}

static inline int64_t clock_now(void)
{
	struct drg_clock c;
	assert_int_equal(drg_store_clock(s, &c, NULL), DRG_OK);
	return c.seq;
}
