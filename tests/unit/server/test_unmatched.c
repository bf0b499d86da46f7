#include "../writing.h"

#include "base/log.h"
#include "server/unmatched.h"

struct inbox {
	struct writing w;
	struct drg_unmatched *unmatched;
};

static void begin(struct inbox *x, struct drg_unmatched_options o, struct drg_writer_options writer)
{
	drg_log_set_level(DRG_LOG_ERROR);
	writing_begin(&x->w, writer, true);
	o.writer = x->w.writer;
	o.flush_ms = o.flush_ms > 0 ? o.flush_ms : 5;
	MUST(&x->w, drg_unmatched_start(&o, &x->unmatched, &x->w.err));
}

static void stop(struct inbox *x)
{
	drg_unmatched_stop(x->unmatched);
	x->unmatched = NULL;
}

static void stop_it(void *inbox)
{
	stop(inbox);
}

static void end(struct inbox *x)
{
	stop(x);
	writing_end(&x->w);
}

static void report(struct inbox *x, int64_t adapter, const char *external_id, const char *title)
{
	const struct drg_air_report r = { .adapter = adapter,
		                          .external_id = drg_str_c(external_id),
		                          .title = drg_str_c(title),
		                          .lang = DRG_STR("en") };
	drg_unmatched_report(x->unmatched, &r);
}

struct sums {
	size_t rows;
	int64_t count;
	char first[64]; /* "TITLE COUNT" of the most frequent */
	bool times_ok;
};

static int sum(void *ctx, const struct drg_air_report *r)
{
	struct sums *s = ctx;
	if (s->rows++ == 0)
		snprintf(s->first, sizeof s->first, "%.*s %d", DRG_STR_ARG(r->title), (int)r->count);
	s->count += r->count;
	s->times_ok = s->times_ok && r->first_us > 0 && r->first_us <= r->last_us;
	return DRG_OK;
}

static struct sums sums(struct inbox *x)
{
	struct sums s = { .times_ok = true };
	MUST(&x->w, drg_store_air_reports(x->w.other, 0, sum, &s, &x->w.err));
	assert_true(s.times_ok);
	return s;
}

static void await_count(struct inbox *x, int64_t count)
{
	wait_until(sums(x).count >= count);
	assert_int_equal(sums(x).count, count);
}

static void test_reports_are_stored_by_themselves(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ 0 }, (struct drg_writer_options){ 0 });
	report(&x, 21, "1", "Town");
	report(&x, 21, "1", "Town");
	await_count(&x, 2);
	report(&x, 21, "1", "Town");
	await_count(&x, 3);
	assert_string_equal(sums(&x).first, "Town 3");
	end(&x);
}

static void test_what_waits_is_stored_at_the_end(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000 }, (struct drg_writer_options){ 0 });
	report(&x, 21, "1", "Town");
	report(&x, 22, "", "Town");
	assert_int_equal(sums(&x).rows, 0);
	stop(&x);
	assert_int_equal(sums(&x).rows, 2);
	end(&x);
}

static void test_a_clock_that_is_set_back_breaks_nothing(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000 }, (struct drg_writer_options){ 0 });
	clock_stop();
	report(&x, 21, "1", "Town");
	clock_pass_ms(-1000);
	report(&x, 21, "1", "Town");
	clock_go();
	stop(&x);
	assert_int_equal(sums(&x).count, 2);
	end(&x);
}

static void *report_often(void *ctx)
{
	for (int i = 0; i < 1000; i++)
		report(ctx, 21, "1", i % 10 == 0 ? "Rare" : "Town");
	return NULL;
}

static void test_many_threads_are_counted_exactly(void **state)
{
	(void)state;
	struct inbox x;
	pthread_t threads[16];
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1 }, (struct drg_writer_options){ 0 });
	for (size_t i = 0; i < DRG_ARRAY_LEN(threads); i++)
		assert_int_equal(pthread_create(&threads[i], NULL, report_often, &x), 0);
	for (size_t i = 0; i < DRG_ARRAY_LEN(threads); i++)
		pthread_join(threads[i], NULL);
	stop(&x);
	struct sums s = sums(&x);
	assert_int_equal(s.rows, 2);
	assert_int_equal(s.count, 16000);
	assert_string_equal(s.first, "Town 14400");
	end(&x);
}

static void test_counts_wait_for_a_store_that_is_held(void **state)
{
	(void)state;
	struct inbox x;
	clock_stop();
	begin(&x, (struct drg_unmatched_options){ 0 }, (struct drg_writer_options){ 0 });
	writing_hold(&x.w);
	report(&x, 21, "1", "Town");
	clock_pass_ms(50);
	wait_until(writing_is_wanted(&x.w));
	for (int i = 1; i < 100; i++)
		report(&x, 21, "1", "Town");
	writing_release(&x.w);
	wait_and_pass(5, sums(&x).count == 100);
	end(&x);
	clock_go();
}

static void test_more_than_one_transaction_holds(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000 }, (struct drg_writer_options){ 0 });
	for (int i = 0; i < 4001; i++) {
		char id[16];
		snprintf(id, sizeof id, "%d", i);
		report(&x, i % 7 + 1, id, "Town");
	}
	stop(&x);
	assert_int_equal(sums(&x).rows, 4001);
	end(&x);
}

static void report_different(struct inbox *x, int n)
{
	for (int i = 0; i < n; i++) {
		char id[16];
		snprintf(id, sizeof id, "%d", i);
		report(x, 21, id, "Town");
	}
}

static void test_a_flood_does_not_wait_for_its_second(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000, .max_pending = 100 },
	      (struct drg_writer_options){ 0 });
	report_different(&x, 49);
	assert_int_equal(sums(&x).rows, 0);
	report_different(&x, 50); /* the last of them is the fiftieth */
	await_count(&x, 99);
	end(&x);
}

static void test_beyond_the_ceiling_what_is_new_is_lost(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000, .max_pending = 100 },
	      (struct drg_writer_options){ 0 });
	writing_hold(&x.w);
	report_different(&x, 1000);
	writing_release(&x.w);
	stop(&x);
	/* Those of the batch that was under way, and those of the one that filled up meanwhile. */
	assert_in_range(sums(&x).rows, 100, 200);
	end(&x);
}

static void test_texts_have_a_ceiling_too(void **state)
{
	(void)state;
	struct inbox x;
	char title[4001];
	memset(title, 'x', 4000);
	title[4000] = '\0';
	begin(&x, (struct drg_unmatched_options){ .flush_ms = 1000000, .max_bytes = 100000 },
	      (struct drg_writer_options){ 0 });
	for (int i = 0; i < 100; i++) {
		char id[16];
		snprintf(id, sizeof id, "%d", i);
		report(&x, 21, id, title);
	}
	stop(&x);
	assert_in_range(sums(&x).rows, 15, 25);
	end(&x);
}

static void test_the_store_keeps_those_seen_last(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ .keep = 3 }, (struct drg_writer_options){ 0 });
	for (int i = 0; i < 5; i++) {
		char id[16];
		snprintf(id, sizeof id, "%d", i);
		report(&x, 21, id, "Town");
	}
	report(&x, 22, "1", "Town");
	stop(&x);
	assert_int_equal(sums(&x).rows, 4);
	end(&x);
}

static void test_what_could_not_be_stored_is_tried_again(void **state)
{
	(void)state;
	struct inbox x;
	char url[160];
	struct drg_store *late;
	struct folder dir;
	struct clock_call stopping;
	clock_stop();
	folder_make(&dir);
	snprintf(url, sizeof url, "sqlite:%s/late.db", dir.path);
	begin(&x, (struct drg_unmatched_options){ 0 }, (struct drg_writer_options){ .store_url = url });
	drg_log_set_level((enum drg_log_level) - 1); /* the outage is meant */
	report(&x, 21, "1", "Town");
	wait_and_pass(5, drg_writer_failure(x.w.writer) != NULL);
	report(&x, 21, "1", "Town");
	report(&x, 21, "2", "Town");
	assert_int_equal(drg_store_open(url, DRG_STORE_CREATE, &late, NULL), DRG_OK);
	clock_call(&stopping, stop_it,
	           &x); /* no catalog ever shows what that store has: the writer waits its time */
	clock_call_end(&stopping, 100);
	struct sums s = { .times_ok = true };
	assert_int_equal(drg_store_air_reports(late, 0, sum, &s, NULL), DRG_OK);
	assert_int_equal(s.rows, 2);
	assert_int_equal(s.count, 3);
	drg_store_close(late);
	end(&x);
	folder_remove(&dir);
	clock_go();
}

static void test_stopping_without_a_store_ends(void **state)
{
	(void)state;
	struct inbox x;
	begin(&x, (struct drg_unmatched_options){ 0 },
	      (struct drg_writer_options){ .store_url = "sqlite:/nowhere/at/all.db" });
	drg_log_set_level((enum drg_log_level) - 1);
	report(&x, 21, "1", "Town");
	end(&x);
}

GROUP(unmatched)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reports_are_stored_by_themselves),
		cmocka_unit_test(test_what_waits_is_stored_at_the_end),
		cmocka_unit_test(test_a_clock_that_is_set_back_breaks_nothing),
		cmocka_unit_test(test_many_threads_are_counted_exactly),
		cmocka_unit_test(test_counts_wait_for_a_store_that_is_held),
		cmocka_unit_test(test_more_than_one_transaction_holds),
		cmocka_unit_test(test_a_flood_does_not_wait_for_its_second),
		cmocka_unit_test(test_beyond_the_ceiling_what_is_new_is_lost),
		cmocka_unit_test(test_texts_have_a_ceiling_too),
		cmocka_unit_test(test_the_store_keeps_those_seen_last),
		cmocka_unit_test(test_what_could_not_be_stored_is_tried_again),
		cmocka_unit_test(test_stopping_without_a_store_ends),
	};
	return cmocka_run_group_tests_name("server/unmatched", tests, NULL, NULL);
}
