/* Who waits for lists: turns, refusals, leavers, failures and a stop. */
#include "lists_made.h"

static void of_one_client_the_longest_waited_for_comes_first(void **state)
{
	(void)state;
	struct asker a[4] = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	for (int64_t i = 0; i < 4; i++) {
		begin_to_wait(&a[i], i, 0, 0);
		if (i == 0)
			wait_until(atomic_load(&maker.at_gate));
	}
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < 4; i++)
		wait_until(atomic_load(&a[i].woken));
	for (int i = 0; i < 4; i++)
		assert_int_equal(maker.order[i], i);
	stop();
}

/* One with many wishes, another one of the same key, one of another key, and one who leaves. */
static void clients_take_turns_and_leavers_get_nothing(void **state)
{
	(void)state;
	enum { MANY = 6 };
	static const int64_t order[] = { 0, 20, 30, 1, 2, 4, 5 };
	struct asker many[MANY] = { 0 }, other = { 0 }, other_key = { 0 }, left = { 0 }, beside = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	for (int64_t i = 0; i < MANY; i++) {
		begin_to_wait(&many[i], i, 1, 1);
		if (i == 0)
			wait_until(atomic_load(&maker.at_gate));
	}
	begin_to_wait(&left, 10, 2, 1);
	begin_to_wait(&beside, 4, 2, 1);
	begin_to_wait(&other_key, 20, 1, 2);
	begin_to_wait(&other, 30, 3, 1);
	assert_int_equal(drg_lists_waiting(lists), MANY + 3);
	assert_true(drg_lists_cancel(lists, &left.ask));
	assert_false(drg_lists_cancel(lists, &left.ask));
	assert_true(drg_lists_cancel(lists, &beside.ask));
	assert_true(drg_lists_cancel(lists, &many[3].ask));
	assert_int_equal(drg_lists_waiting(lists), MANY + 1);
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < MANY; i++)
		wait_until(i == 3 || atomic_load(&many[i].woken));
	assert_int_equal(atomic_load(&maker.builds), DRG_ARRAY_LEN(order));
	assert_memory_equal(maker.order, order, sizeof order);
	assert_true(atomic_load(&other.woken) && atomic_load(&other_key.woken));
	assert_false(atomic_load(&left.woken) || atomic_load(&many[3].woken));
	assert_false(drg_lists_cancel(lists, &other.ask));
	assert_int_equal(drg_lists_waiting(lists), 0);
	stop();
}

static void who_is_refused_hears_why(void **state)
{
	(void)state;
	struct asker in_work = { 0 }, one = { 0 }, more = { 0 }, beside = { 0 }, other = { 0 };
	struct drg_err err;
	max_waiting = 3;
	start(0);
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 0, 1, 1);
	wait_until(atomic_load(&maker.at_gate));
	more.ask.client[0] = 1;
	assert_int_equal(ask(&more, 1, drg_clock_ns(), &err), DRG_ELIMIT);
	assert_string_equal(err.reason, "lists_waiting");
	assert_non_null(strstr(err.message, "your address"));
	begin_to_wait(&beside, 0, 1, 1); /* what somebody waits for already costs nothing */
	begin_to_wait(&one, 2, 2, 1);
	begin_to_wait(&other, 3, 3, 1);
	more.ask.client[0] = 4;
	assert_int_equal(ask(&more, 4, drg_clock_ns(), &err), DRG_ELIMIT);
	assert_string_equal(err.reason, "lists_waiting");
	assert_null(strstr(err.message, "your address"));
	atomic_store(&maker.gate_closed, false);
	wait_until(atomic_load(&beside.woken) && atomic_load(&one.woken) && atomic_load(&other.woken));
	begin_to_wait(&more, 4, 4, 1);
	wait_until(atomic_load(&more.woken));
	max_waiting = 0;
	stop();
}

static void a_drain_ends_waiting_but_for_what_is_built(void **state)
{
	(void)state;
	struct asker in_work = { 0 }, behind = { 0 }, late = { 0 };
	start(0);
	drg_content_release(list_of(7, drg_clock_ns()));
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 5, 0, 0);
	wait_until(atomic_load(&maker.at_gate));
	begin_to_wait(&behind, 6, 0, 0);
	drg_lists_drain(lists);
	assert_true(atomic_load(&behind.woken));
	assert_int_equal(ask(&behind, 6, drg_clock_ns(), NULL), DRG_ESTOPPED);
	assert_int_equal(ask(&late, 8, drg_clock_ns(), NULL), DRG_ESTOPPED);
	assert_true(is_ready(7, drg_clock_ns()));
	assert_false(atomic_load(&in_work.woken));
	atomic_store(&maker.gate_closed, false);
	wait_until(atomic_load(&in_work.woken));
	assert_true(is_ready(5, drg_clock_ns()));
	assert_int_equal(atomic_load(&maker.builds), 2);
	stop();
}

static void what_was_refused_or_left_takes_no_place(void **state)
{
	(void)state;
	struct asker in_work = { 0 }, leaver = { 0 }, more = { 0 };
	max_waiting = 2;
	start_with(0, 3);
	drg_content_release(list_of(0, drg_clock_ns()));
	drg_content_release(list_of(1, drg_clock_ns()));
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 2, 1, 1);
	wait_until(atomic_load(&maker.at_gate));
	for (int64_t i = 3; i < 6; i++) {
		begin_to_wait(&leaver, i, 2, 1);
		assert_int_equal(ask(&more, i + 10, drg_clock_ns(), NULL), DRG_ELIMIT);
		assert_true(drg_lists_cancel(lists, &leaver.ask));
		assert_false(is_ready(i, drg_clock_ns()));
	}
	atomic_store(&maker.gate_closed, false);
	wait_until(atomic_load(&in_work.woken));
	for (int64_t i = 0; i < 3; i++)
		assert_true(is_ready(i, drg_clock_ns()));
	max_waiting = 0;
	stop();
}

/* Ask once: the wake-up call brings the built list. */
static void all_who_waited_are_given_the_list(void **state)
{
	(void)state;
	struct asker a[3] = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	for (int i = 0; i < 3; i++) {
		a[i].ask.wake = wake_flag;
		begin_to_wait(&a[i], 5, (unsigned char)i, 1);
	}
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < 3; i++) {
		wait_until(atomic_load(&a[i].woken));
		assert_int_equal(a[i].ask.rc, DRG_OK);
		assert_ptr_equal(a[i].ask.content, a[0].ask.content);
		assert_int_equal(a[i].ask.version.seq, 1);
	}
	assert_true(drg_str_eq(a[0].ask.content->body[0], DRG_STR("{\"seq\":1,\"country\":5}")));
	assert_int_equal(atomic_load(&a[0].ask.content->holders), 4); /* and the lists */
	for (int i = 0; i < 3; i++)
		drg_content_release(a[i].ask.content);
	assert_int_equal(atomic_load(&maker.builds), 1);
	stop();
}

static void a_failure_is_told_to_all_who_waited(void **state)
{
	(void)state;
	struct asker a[2] = { 0 };
	struct drg_err err[2] = { 0 };
	start(0);
	atomic_store(&maker.gate_closed, true);
	atomic_store(&maker.failures, 1);
	int64_t asked_ns = drg_clock_ns();
	for (int i = 0; i < 2; i++)
		assert_int_equal(ask(&a[i], 5, asked_ns, &err[i]), DRG_EBUSY);
	atomic_store(&maker.gate_closed, false);
	for (int i = 0; i < 2; i++) {
		wait_until(atomic_load(&a[i].woken));
		assert_int_equal(a[i].ask.rc, DRG_ELIMIT);
		assert_string_equal(err[i].reason, "too_large");
	}
	assert_int_equal(atomic_load(&maker.builds), 1);
	drg_content_release(list_of(5, drg_clock_ns())); /* the next request retries */
	assert_int_equal(atomic_load(&maker.builds), 2);
	stop();
}

static void ask_again(struct drg_list_ask *again)
{
	struct asker *a = DRG_CONTAINER_OF(again, struct asker, ask);
	assert_int_equal(a->ask.rc, DRG_ESTOPPED);
	a->ask.rc = ask(a, 6, drg_clock_ns(), NULL);
	atomic_store(&a->woken, true);
}

static void *stop_lists(void *arg)
{
	(void)arg;
	drg_lists_stop(lists);
	return NULL;
}

static bool is_stopping(void)
{
	struct drg_list_ask look = { .key = key_of(7), .asked_ns = drg_clock_ns() };
	return drg_lists_get(lists, &look) == DRG_ESTOPPED;
}

static void who_waits_at_the_stop_is_woken(void **state)
{
	(void)state;
	pthread_t thread;
	struct asker waits = { .ask.wake = ask_again }, in_work = { 0 };
	start(0);
	drg_follower_stop(node.follower);
	struct drg_content *held = list_of(4, drg_clock_ns());
	atomic_store(&maker.gate_closed, true);
	begin_to_wait(&in_work, 5, 0, 0);
	begin_to_wait(&waits, 6, 0, 0);
	wait_until(atomic_load(&maker.at_gate));
	pthread_create(&thread, NULL, stop_lists, NULL);
	wait_until(is_stopping());
	atomic_store(&maker.gate_closed, false);
	pthread_join(thread, NULL);
	assert_true(atomic_load(&in_work.woken));
	assert_true(atomic_load(&waits.woken));
	assert_int_equal(waits.ask.rc, DRG_ESTOPPED);
	assert_true(drg_str_eq(held->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":1,\"country\":4}")));
	drg_content_release(held);
	lists = NULL;
	serving_end(&node);
	drg_lists_stop(NULL);
}

GROUP(lists_waiting)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_one_client_the_longest_waited_for_comes_first),
		cmocka_unit_test(clients_take_turns_and_leavers_get_nothing),
		cmocka_unit_test(who_is_refused_hears_why),
		cmocka_unit_test(a_drain_ends_waiting_but_for_what_is_built),
		cmocka_unit_test(what_was_refused_or_left_takes_no_place),
		cmocka_unit_test(all_who_waited_are_given_the_list),
		cmocka_unit_test(a_failure_is_told_to_all_who_waited),
		cmocka_unit_test(who_waits_at_the_stop_is_woken),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
