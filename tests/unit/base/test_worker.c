#include "../unit.h"

#include "base/clock.h"
#include "base/worker.h"

/* Counts its steps; what they return is given beforehand. */
struct counting {
	struct drg_worker w;
	unsigned steps, steps_at_the_end, left; /* under the lock of w */
	int64_t pause_ns;
};

static int64_t count_step(void *ctx)
{
	struct counting *c = ctx;
	c->steps++;
	c->steps_at_the_end += c->w.stopping;
	pthread_cond_broadcast(&c->w.changed);
	if (c->left > 0) {
		c->left--;
		return DRG_AT_ONCE;
	}
	return c->pause_ns == 0 ? DRG_WHEN_WOKEN : drg_clock_ns() + c->pause_ns;
}

static void start_counting(struct counting *c, int64_t pause_ns, int64_t first_ns)
{
	*c = (struct counting){ .pause_ns = pause_ns };
	drg_worker_init(&c->w);
	assert_int_equal(drg_worker_start(&c->w, count_step, c, first_ns, NULL), DRG_OK);
}

static void await_steps(struct counting *c, unsigned n)
{
	waits_for("steps of the worker", __FILE__, __LINE__);
	pthread_mutex_lock(&c->w.lock);
	while (c->steps < n)
		pthread_cond_wait(&c->w.changed, &c->w.lock);
	pthread_mutex_unlock(&c->w.lock);
}

static void it_sleeps_until_it_is_woken(void **state)
{
	(void)state;
	struct counting c;
	start_counting(&c, 0, DRG_WHEN_WOKEN);
	for (unsigned i = 1; i <= 3; i++) {
		drg_worker_lock_and_wake(&c.w);
		await_steps(&c, i);
	}
	pthread_mutex_lock(&c.w.lock);
	assert_int_equal(c.steps, 3);
	pthread_mutex_unlock(&c.w.lock);
	drg_worker_done(&c.w);
	assert_int_equal(c.steps, 4);
	assert_int_equal(c.steps_at_the_end, 1);
}

static void it_works_when_the_time_has_come(void **state)
{
	(void)state;
	struct counting c;
	int64_t began = drg_clock_ns();
	start_counting(&c, 2000000, drg_clock_ns() + 2000000);
	await_steps(&c, 5);
	assert_true(drg_clock_ns() - began >= 5 * 2000000);
	drg_worker_done(&c.w);
}

static void an_hour_passes_at_once_by_the_clock_of_a_test(void **state)
{
	(void)state;
	static const int64_t hour = INT64_C(3600000000000);
	static _Atomic int64_t ahead;
	drg_clock_set_ahead(&ahead);
	struct counting c;
	int64_t wall = drg_wall_us();
	start_counting(&c, hour, drg_clock_ns() + hour);
	for (unsigned i = 0; i < 3; i++) {
		pthread_mutex_lock(&c.w.lock);
		assert_int_equal(c.steps, i);
		pthread_mutex_unlock(&c.w.lock);
		ahead += hour;
		await_steps(&c, i + 1);
	}
	assert_true(drg_wall_us() - wall >= 3 * hour / 1000);
	drg_worker_done(&c.w);
	drg_clock_set_ahead(NULL);
}

/* What is left is done, however much it is; also of a worker that has never slept. */
static void a_stop_lets_it_finish(void **state)
{
	(void)state;
	struct counting c;
	start_counting(&c, 0, DRG_WHEN_WOKEN);
	pthread_mutex_lock(&c.w.lock);
	c.left = 100;
	pthread_mutex_unlock(&c.w.lock);
	drg_worker_stop(&c.w);
	assert_int_equal(c.left, 0);
	assert_int_equal(c.steps, 101);
	drg_worker_stop(&c.w); /* nothing any more */
	assert_int_equal(drg_worker_start(&c.w, count_step, &c, DRG_AT_ONCE, NULL), DRG_OK);
	await_steps(&c, 102);
	assert_int_equal(c.steps_at_the_end, 101);
	drg_worker_done(&c.w);
}

/* A wake-up during a step is not lost. */
static int64_t wake_itself(void *ctx)
{
	struct counting *c = ctx;
	if (++c->steps < 50) {
		pthread_mutex_unlock(&c->w.lock);
		drg_worker_lock_and_wake(&c->w);
		pthread_mutex_lock(&c->w.lock);
	}
	pthread_cond_broadcast(&c->w.changed);
	return DRG_WHEN_WOKEN;
}

static void no_wake_up_is_lost(void **state)
{
	(void)state;
	struct counting c = { .steps = 0 };
	drg_worker_init(&c.w);
	assert_int_equal(drg_worker_start(&c.w, wake_itself, &c, DRG_AT_ONCE, NULL), DRG_OK);
	await_steps(&c, 50);
	drg_worker_done(&c.w);
}

static void what_was_never_started_is_released(void **state)
{
	(void)state;
	struct drg_worker w;
	drg_worker_init(&w);
	drg_worker_stop(&w);
	drg_worker_done(&w);
}

GROUP(worker)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_sleeps_until_it_is_woken),
		cmocka_unit_test(it_works_when_the_time_has_come),
		cmocka_unit_test(an_hour_passes_at_once_by_the_clock_of_a_test),
		cmocka_unit_test(a_stop_lets_it_finish),
		cmocka_unit_test(no_wake_up_is_lost),
		cmocka_unit_test(what_was_never_started_is_released),
	};
	return cmocka_run_group_tests_name("base/worker", tests, NULL, NULL);
}
