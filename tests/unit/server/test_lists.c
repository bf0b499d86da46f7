/* Which lists are kept, which are built again, and when. */
#include "lists_made.h"

static void the_first_request_waits_and_later_ones_find_it(void **state)
{
	(void)state;
	start(0);
	struct drg_content *one = list_of(5, drg_clock_ns()), *two = list_of(5, drg_clock_ns());
	assert_ptr_equal(one, two);
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_true(drg_str_eq(one->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":1,\"country\":5}")));
	assert_int_equal(strlen(one->etag), 32);
	drg_content_release(one);
	drg_content_release(two);
	stop();
}

static void *ask_ten_times(void *arg)
{
	(void)arg;
	for (int i = 0; i < 10; i++)
		for (int64_t country = 1; country <= 3; country++)
			drg_content_release(list_of(country, drg_clock_ns()));
	return NULL;
}

static void many_who_ask_at_once_share_one_build(void **state)
{
	(void)state;
	pthread_t thread[8];
	start(0);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_create(&thread[i], NULL, ask_ten_times, NULL);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_join(thread[i], NULL);
	assert_int_equal(atomic_load(&maker.builds), 3);
	stop();
}

/* Readers beside a stream of changes: for ThreadSanitizer above all. */
static void lists_are_had_while_the_data_changes(void **state)
{
	(void)state;
	pthread_t thread[3];
	start(20000);
	atomic_store(&maker.padding, 3000);
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_create(&thread[i], NULL, ask_ten_times, NULL);
	change_data("B");
	change_data("C");
	for (size_t i = 0; i < DRG_ARRAY_LEN(thread); i++)
		pthread_join(thread[i], NULL);
	stop();
}

static void a_list_that_grew_old_is_waited_for(void **state)
{
	(void)state;
	start(0);
	drg_content_release(list_of(5, drg_clock_ns()));
	atomic_store(&maker.gate_closed, true);
	change_data("B");
	int64_t now = drg_clock_ns();
	assert_true(is_ready(5, now));
	assert_false(is_ready(5, now + 600 * MS));
	atomic_store(&maker.gate_closed, false);
	struct drg_content *list = list_of(5, now + 600 * MS);
	assert_true(drg_str_eq(list->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":2,\"country\":5}")));
	drg_content_release(list);
	stop();
}

/* A list that was asked for again once it was there. */
static void make_hot(int64_t country)
{
	drg_content_release(list_of(country, drg_clock_ns()));
	assert_true(is_ready(country, drg_clock_ns()));
}

static void what_was_asked_for_lately_and_again_is_rebuilt_unasked(void **state)
{
	(void)state;
	start(0);
	make_hot(5);
	drg_content_release(list_of(6, drg_clock_ns() - 61 * SECOND));
	drg_content_release(list_of(7, drg_clock_ns()));
	change_data("B");
	wait_until(atomic_load(&maker.builds) == 4);
	assert_int_equal(maker.order[3], 5);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	change_data("C");
	wait_until(atomic_load(&maker.builds) == 5);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	assert_false(is_ready(6, drg_clock_ns() + SECOND));
	assert_false(is_ready(7, drg_clock_ns() + SECOND));
	assert_int_equal(atomic_load(&maker.builds), 5);
	stop();
}

static void what_came_out_as_it_was_is_kept(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.steady, true);
	struct asker before = { 0 }, after = { 0 };
	assert_int_equal(get(&before, 5, drg_clock_ns()), DRG_OK);
	change_data("B");
	assert_int_equal(get(&after, 5, drg_clock_ns() + SECOND), DRG_OK);
	assert_int_equal(atomic_load(&maker.builds), 2);
	assert_ptr_equal(before.ask.content, after.ask.content);
	assert_true(after.ask.version.seq > before.ask.version.seq);
	drg_content_release(before.ask.content);
	drg_content_release(after.ask.content);
	stop();
}

static void the_least_recently_used_go_first(void **state)
{
	(void)state;
	int64_t t = drg_clock_ns();
	start(9 * 20000); /* room for four */
	atomic_store(&maker.padding, 40000);
	for (int64_t i = 0; i < 3; i++)
		drg_content_release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(0, t += 2 * SECOND));
	for (int64_t i = 3; i < 5; i++)
		drg_content_release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(0, t));
	assert_false(is_ready(1, t));
	assert_true(is_ready(2, t));
	assert_true(is_ready(4, t));
	stop();
}

static void there_are_only_so_many_however_small(void **state)
{
	(void)state;
	int64_t t = drg_clock_ns();
	start_with(0, 3);
	for (int64_t i = 0; i < 4; i++)
		drg_content_release(list_of(i, t += 2 * SECOND));
	assert_true(is_ready(1, t));
	assert_true(is_ready(2, t));
	assert_true(is_ready(3, t));
	assert_false(is_ready(0, t));
	stop();
}

static void a_list_above_the_ceiling_is_served(void **state)
{
	(void)state;
	start(1);
	for (int64_t i = 0; i < 3; i++)
		drg_content_release(list_of(i, drg_clock_ns()));
	assert_false(is_ready(0, drg_clock_ns()));
	assert_true(is_ready(2, drg_clock_ns()));
	stop();
}

/* An old list stays old when its rebuild fails, and the builder does not run hot over it. */
static void a_failed_rebuild_leaves_the_list_old(void **state)
{
	(void)state;
	start(0);
	make_hot(5);
	atomic_store(&maker.failures, 1000);
	change_data("B");
	int64_t changed_ns = drg_clock_ns();
	wait_until(atomic_load(&maker.builds) == 2);
	struct asker other = { 0 };
	assert_int_equal(get(&other, 6, drg_clock_ns()), DRG_ELIMIT); /* built after the earlier lists */
	assert_int_equal(atomic_load(&maker.builds), 3);
	assert_false(is_ready(5, changed_ns + 600 * MS));
	atomic_store(&maker.failures, 0);
	change_data("C");
	struct drg_content *list = list_of(5, drg_clock_ns() + SECOND);
	assert_true(drg_str_eq(list->body[DRG_CODING_IDENTITY], DRG_STR("{\"seq\":3,\"country\":5}")));
	drg_content_release(list);
	stop();
}

static void the_language_is_one_that_has_an_order_or_texts(void **state)
{
	static const struct {
		const char *asked, *got;
	} cases[] = {
		{ "en", "en" },   { "uk", "uk" },        { "uk-ua", "uk" },        { "xx", "en" },
		{ "tlh", "tlh" }, { "tlh-latn", "tlh" }, { "zh-hant", "zh-hant" }, { "xx-yy-zz", "en" },
	};
	(void)state;
	start(0);
	serving_change(&node, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":2,\"name\":{\"tlh\":\"Soj\"}}\n");
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char lang[DRG_LANG_MAX + 1];
		memset(lang, 'z', sizeof lang);
		drg_read_lock();
		drg_lists_lang(drg_follower_catalog(node.follower), drg_str_c(cases[i].asked), lang);
		drg_read_unlock();
		assert_string_equal(lang, cases[i].got);
		for (size_t k = strlen(lang); k < sizeof lang; k++) /* keys compare as bytes */
			assert_int_equal(lang[k], 0);
	}
	stop();
}

GROUP(lists)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_request_waits_and_later_ones_find_it),
		cmocka_unit_test(many_who_ask_at_once_share_one_build),
		cmocka_unit_test(lists_are_had_while_the_data_changes),
		cmocka_unit_test(a_list_that_grew_old_is_waited_for),
		cmocka_unit_test(what_was_asked_for_lately_and_again_is_rebuilt_unasked),
		cmocka_unit_test(what_came_out_as_it_was_is_kept),
		cmocka_unit_test(the_least_recently_used_go_first),
		cmocka_unit_test(there_are_only_so_many_however_small),
		cmocka_unit_test(a_list_above_the_ceiling_is_served),
		cmocka_unit_test(a_failed_rebuild_leaves_the_list_old),
		cmocka_unit_test(the_language_is_one_that_has_an_order_or_texts),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
