#include "../clock.h"

#include <pthread.h>

#include "base/keeper.h"
#include "base/log.h"

/* What is kept here: a number of a making. What its functions do is given beforehand. */
struct kept {
	struct drg_keeper *k;
	_Atomic int looks, makes, closes, rests;
	_Atomic int rc; /* of a making */
	atomic_bool due;
	int making_ms;
	bool until_left; /* a making goes on until nobody wants it */
	bool to_its_end; /* and is not given up then */
	_Atomic int64_t soonest_ns; /* between the end of a making and the beginning of the next */
	int64_t made_ns;
};

static int kept_look(void *ctx, bool *ret_due, struct drg_err *err)
{
	struct kept *c = ctx;
	(void)err;
	*ret_due = atomic_load(&c->due);
	atomic_fetch_add(&c->looks, 1);
	return DRG_OK;
}

static int kept_make(void *ctx, const atomic_bool *leave, struct drg_err *err)
{
	struct kept *c = ctx;
	int64_t since_ns = drg_clock_ns() - c->made_ns;
	if (c->made_ns != 0 && since_ns < atomic_load(&c->soonest_ns))
		atomic_store(&c->soonest_ns, since_ns);
	atomic_fetch_add(&c->makes, 1);
	clock_pass_ms(c->making_ms);
	while (c->until_left && !atomic_load(leave))
		a_moment();
	int rc = atomic_load(leave) && !c->to_its_end ? DRG_ESTOPPED : atomic_load(&c->rc);
	if (rc == DRG_OK)
		c->made_ns = drg_clock_ns();
	return rc == DRG_OK || rc == DRG_ESTOPPED ? rc : drg_fail(err, rc, NULL, NULL, "as the test has it");
}

static void kept_close(void *ctx)
{
	atomic_fetch_add(&((struct kept *)ctx)->closes, 1);
}

static void kept_rest(void *ctx)
{
	atomic_fetch_add(&((struct kept *)ctx)->rests, 1);
}

static void begin(struct kept *c, struct drg_keeper_options o)
{
	atomic_store(&c->soonest_ns, INT64_MAX);
	o.look = kept_look;
	o.make = kept_make;
	o.close = kept_close;
	o.ctx = c;
	o.what = "what is kept";
	assert_int_equal(drg_keeper_start(&o, &c->k, NULL), DRG_OK);
}

/* ---- those who wait ---- */

struct waiter {
	struct drg_keeper_wait w;
	_Atomic int done;
};

static void waiter_done(void *ctx)
{
	atomic_fetch_add(&((struct waiter *)ctx)->done, 1);
}

static void await_begin(struct kept *c, struct waiter *w)
{
	*w = (struct waiter){ .w = { .done = waiter_done, .ctx = w } };
	drg_keeper_await(c->k, &w->w);
}

static int await_end(struct waiter *w)
{
	wait_until(atomic_load(&w->done) > 0);
	assert_int_equal(atomic_load(&w->done), 1);
	return w->w.rc;
}

static int ask(struct kept *c)
{
	struct waiter w;
	if (drg_keeper_request(c->k))
		return DRG_OK;
	await_begin(c, &w);
	return await_end(&w);
}

/* ---- the tests ---- */

static void it_is_made_once_somebody_asks(void **state)
{
	(void)state;
	struct kept c = { .made_ns = 0 };
	begin(&c, (struct drg_keeper_options){ .look_ms = 2 });
	assert_false(drg_keeper_request(c.k));
	assert_int_equal(ask(&c), DRG_OK);
	assert_true(drg_keeper_request(c.k));
	wait_until(atomic_load(&c.looks) > 3);
	assert_int_equal(atomic_load(&c.makes),
	                 1); /* not before it was asked for, and then nothing was due */
	drg_keeper_stop(c.k);
	assert_int_equal(atomic_load(&c.closes), 1);
	assert_int_equal(atomic_load(&c.rests), 0); /* what is there is its user's */
}

static void *ask_often(void *ctx)
{
	for (int i = 0; i < 200; i++)
		if (ask(ctx) != DRG_OK)
			return ctx;
	return NULL;
}

/* With so short a silence it is given back between their questions. */
static void many_ask_while_it_comes_and_goes(void **state)
{
	(void)state;
	struct kept c = { .due = true };
	pthread_t threads[4];
	begin(&c, (struct drg_keeper_options){ .look_ms = 1, .idle_ms = 1, .give_back = kept_rest });
	for (size_t i = 0; i < DRG_ARRAY_LEN(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, ask_often, &c), 0);
	for (size_t i = 0; i < DRG_ARRAY_LEN(threads); i++) {
		void *failed;
		pthread_join(threads[i], &failed);
		assert_null(failed);
	}
	wait_until(atomic_load(&c.rests) > 0);
	drg_keeper_stop(c.k);
}

static void a_failure_is_told_and_tried_again(void **state)
{
	(void)state;
	struct kept c = { .rc = DRG_EIO };
	struct waiter w;
	begin(&c, (struct drg_keeper_options){ .look_ms = 1 });
	for (int i = 1; i <= 2; i++) {
		assert_false(drg_keeper_request(c.k));
		await_begin(&c, &w);
		assert_int_equal(await_end(&w), DRG_EBUSY);
		assert_string_equal(w.w.err.reason, "store_away");
		assert_true(atomic_load(&c.closes) >= i);
	}
	atomic_store(&c.rc, DRG_OK);
	wait_until(drg_keeper_request(c.k)); /* by itself */
	drg_keeper_stop(c.k);
}

static void what_takes_long_is_made_seldom(void **state)
{
	(void)state;
	struct kept c = { .due = true, .making_ms = 5 };
	clock_stop();
	begin(&c, (struct drg_keeper_options){ .look_ms = 1 });
	assert_int_equal(ask(&c), DRG_OK);
	wait_and_pass(1, atomic_load(&c.makes) >= 4);
	assert_true(atomic_load(&c.soonest_ns) >= 20 * 5 * INT64_C(1000000));
	drg_keeper_stop(c.k);
	clock_go();
}

static void it_is_given_back_when_nobody_asks(void **state)
{
	(void)state;
	struct kept c = { .made_ns = 0 };
	clock_stop();
	begin(&c, (struct drg_keeper_options){ .look_ms = 5, .idle_ms = 300, .give_back = kept_rest });
	for (int i = 1; i <= 3; i++) {
		int before = atomic_load(&c.rests);
		assert_int_equal(ask(&c), DRG_OK);
		assert_true(drg_keeper_request(c.k));
		wait_and_pass(10, atomic_load(&c.rests) > before);
		wait_until(atomic_load(&c.closes) == atomic_load(&c.rests));
		assert_int_equal(atomic_load(&c.makes), atomic_load(&c.rests));
	}
	assert_false(drg_keeper_request(c.k));
	drg_keeper_stop(c.k);
	clock_go();
}

static void without_giving_back_it_stays(void **state)
{
	(void)state;
	struct kept c = { .made_ns = 0 };
	clock_stop();
	begin(&c, (struct drg_keeper_options){ .look_ms = 5, .idle_ms = 30 });
	assert_int_equal(ask(&c), DRG_OK);
	wait_and_pass(5, atomic_load(&c.closes) > 0);
	int looks = atomic_load(&c.looks);
	assert_true(drg_keeper_request(c.k));
	wait_until(drg_keeper_request(c.k) && atomic_load(&c.looks) > looks); /* it is looked at again */
	assert_int_equal(atomic_load(&c.makes), 1);
	drg_keeper_stop(c.k);
	clock_go();
}

static void who_waits_at_a_stop_is_told_at_once(void **state)
{
	(void)state;
	struct kept c = { .until_left = true };
	struct waiter early, late;
	begin(&c, (struct drg_keeper_options){ .look_ms = 1 });
	await_begin(&c, &early);
	wait_until(atomic_load(&c.makes) == 1);
	drg_keeper_drain(c.k);
	assert_int_equal(atomic_load(&early.done), 1);
	assert_string_equal(early.w.err.reason, "stopping");
	await_begin(&c, &late);
	assert_int_equal(atomic_load(&late.done), 1);
	assert_int_equal(late.w.rc, DRG_EBUSY);
	drg_keeper_stop(c.k);
	assert_int_equal(atomic_load(&c.makes), 1);
}

/* It is made while the server stops, and nobody has asked for long: without the stop it would be given back. */
static void what_is_there_stays_at_a_stop(void **state)
{
	(void)state;
	struct kept c = { .until_left = true, .to_its_end = true };
	struct waiter w;
	clock_stop();
	begin(&c, (struct drg_keeper_options){ .look_ms = 1, .idle_ms = 1, .give_back = kept_rest });
	await_begin(&c, &w);
	wait_until(atomic_load(&c.makes) == 1);
	drg_keeper_drain(c.k);
	wait_and_pass(10, drg_keeper_request(c.k));
	drg_keeper_stop(c.k); /* after its last step */
	assert_int_equal(atomic_load(&c.rests), 0);
	clock_go();
	assert_int_equal(atomic_load(&w.done), 1);
	drg_keeper_stop(NULL);
	drg_keeper_drain(NULL);
}

GROUP(keeper)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_made_once_somebody_asks),
		cmocka_unit_test(many_ask_while_it_comes_and_goes),
		cmocka_unit_test(a_failure_is_told_and_tried_again),
		cmocka_unit_test(what_takes_long_is_made_seldom),
		cmocka_unit_test(it_is_given_back_when_nobody_asks),
		cmocka_unit_test(without_giving_back_it_stays),
		cmocka_unit_test(who_waits_at_a_stop_is_told_at_once),
		cmocka_unit_test(what_is_there_stays_at_a_stop),
	};
	drg_log_set_level(DRG_LOG_ERROR);
	return cmocka_run_group_tests_name("base/keeper", tests, NULL, NULL);
}
