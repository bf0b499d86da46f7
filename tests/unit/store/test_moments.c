/* Times of commits (decision F12). */
#include "place.h"

#include "base/clock.h"
#include "model/key.h"
#include "store/store_priv.h"

static const int64_t SECOND = 1000000;

static void commit_at(struct place *p, const char *id, int64_t at)
{
	struct drg_txn *t;
	enum drg_put_result result;
	struct drg_record r;
	drg_key_source(&r, 7, DRG_KIND_HOTEL, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("name"));
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	drg_txn_head(t)->at_us = at * SECOND;
	MUST(p, drg_txn_put(t, &r, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

static int64_t before(struct place *p, int64_t at_us)
{
	int64_t seq = -1;
	MUST(p, drg_store_seq_before(p->s, at_us, &seq, NULL, &p->err));
	return seq;
}

static int64_t now_s(void)
{
	return drg_wall_us() / SECOND;
}

static void test_a_time_is_that_of_the_first_commit_of_its_second(void **state)
{
	struct place *p = *state;
	int64_t t = now_s() + 100;
	commit_at(p, "a", t);
	commit_at(p, "b", t);
	commit_at(p, "c", t + 5);
	assert_int_equal(before(p, 0), 0); /* all there ever was is later */
	assert_int_equal(before(p, t * SECOND), 0);
	assert_int_equal(before(p, t * SECOND + 999999), 0); /* rounded down */
	assert_int_equal(before(p, (t + 1) * SECOND), 2);
	assert_int_equal(before(p, (t + 5) * SECOND), 2);
	assert_int_equal(before(p, (t + 6) * SECOND), 3);
}

static void test_a_clock_that_goes_back_moves_no_time_back(void **state)
{
	struct place *p = *state;
	int64_t t = now_s() + 100;
	commit_at(p, "a", t);
	commit_at(p, "b", t - 60);
	commit_at(p, "c", t + 1);
	assert_int_equal(before(p, t * SECOND), 0);
	assert_int_equal(before(p, (t - 30) * SECOND), 0);
	assert_int_equal(before(p, (t + 1) * SECOND), 2);
}

static void test_nothing_is_moved_by_what_changes_nothing(void **state)
{
	struct place *p = *state;
	int64_t t = now_s() + 100;
	commit_at(p, "a", t);
	commit_at(p, "a", t + 5);
	assert_int_equal(before(p, (t + 5) * SECOND), 1);
}

static void test_old_times_are_kept_to_the_hour(void **state)
{
	struct place *p = *state;
	int64_t hour = (now_s() / 3600 + 2) * 3600, late = (hour / 1024 + 3000) * 1024;
	commit_at(p, "a", hour + 10);
	commit_at(p, "b", hour + 20);
	commit_at(p, "c", hour + 3605);
	assert_int_equal(before(p, (hour + 15) * SECOND), 1);
	commit_at(p, "d", late);
	assert_int_equal(before(p, hour * SECOND), 0);
	assert_int_equal(before(p, (hour + 15) * SECOND), 2); /* its second is gone */
	assert_int_equal(before(p, (hour + 3600) * SECOND), 2);
	assert_int_equal(before(p, late * SECOND), 3);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_with_store, place_remove)

GROUP(moments)
{
	const struct CMUnitTest tests[] = {
		TEST(test_a_time_is_that_of_the_first_commit_of_its_second),
		TEST(test_a_clock_that_goes_back_moves_no_time_back),
		TEST(test_nothing_is_moved_by_what_changes_nothing),
		TEST(test_old_times_are_kept_to_the_hour),
	};
	return run_on_every_engine("store/moments", tests);
}
