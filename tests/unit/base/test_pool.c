#include "../unit.h"

#include <sched.h>
#include <stdatomic.h>

#include "base/pool.h"

enum { ITEMS = 64, THREADS = 3 };

struct counted {
	struct drg_lane_item item;
	_Atomic int worked, ended;
};

static struct counted items[ITEMS];
static _Atomic int at_work, most_at_work;
static _Atomic bool held_back;
static unsigned of_thread[THREADS]; /* each its own thread's */

static void work(void *ctx, unsigned thread, struct drg_lane_item *item)
{
	int now = atomic_fetch_add(&at_work, 1) + 1, most = atomic_load(&most_at_work);
	assert_ptr_equal(ctx, items);
	while (now > most && !atomic_compare_exchange_weak(&most_at_work, &most, now))
		;
	while (atomic_load(&held_back))
		sched_yield();
	of_thread[thread]++;
	atomic_fetch_add(&DRG_CONTAINER_OF(item, struct counted, item)->worked, 1);
	atomic_fetch_sub(&at_work, 1);
}

static void ended(struct drg_lane_item *item)
{
	atomic_fetch_add(&DRG_CONTAINER_OF(item, struct counted, item)->ended, 1);
}

static struct drg_pool *start(size_t max, size_t max_at_work)
{
	const struct drg_pool_options o = { .threads = THREADS,
		                            .max = max,
		                            .max_at_work = max_at_work,
		                            .work = work,
		                            .ended = ended,
		                            .ctx = items };
	struct drg_pool *p;
	memset(items, 0, sizeof items);
	memset(of_thread, 0, sizeof of_thread);
	atomic_store(&most_at_work, 0);
	assert_int_equal(drg_pool_start(&o, &p, NULL), DRG_OK);
	return p;
}

static void all_that_was_put_is_done_once_before_a_stop_returns(void **state)
{
	(void)state;
	struct drg_pool *p = start(0, 0);
	for (int i = 0; i < ITEMS; i++) {
		items[i].item.owner = i % 7;
		assert_int_equal(drg_pool_put(p, &items[i].item), DRG_OK);
	}
	drg_pool_stop(p);
	for (int i = 0; i < ITEMS; i++) {
		assert_int_equal(atomic_load(&items[i].worked), 1);
		assert_int_equal(atomic_load(&items[i].ended), 1);
	}
	assert_int_equal(of_thread[0] + of_thread[1] + of_thread[2], ITEMS);
}

static void the_queue_has_its_limits(void **state)
{
	(void)state;
	struct drg_pool *p = start(4, 2);
	atomic_store(&held_back, true);
	for (int i = 0; i < 4; i++) {
		items[i].item.owner = 9;
		assert_int_equal(drg_pool_put(p, &items[i].item), DRG_OK);
	}
	assert_int_equal(drg_pool_put(p, &items[4].item), DRG_EBUSY);
	while (atomic_load(&at_work) < 2)
		sched_yield();
	atomic_store(&held_back, false);
	drg_pool_stop(p);
	assert_int_equal(atomic_load(&most_at_work), 2);
	assert_int_equal(atomic_load(&items[4].worked), 0);
}

GROUP(pool)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_that_was_put_is_done_once_before_a_stop_returns),
		cmocka_unit_test(the_queue_has_its_limits),
	};
	return cmocka_run_group_tests_name("base/pool", tests, NULL, NULL);
}
