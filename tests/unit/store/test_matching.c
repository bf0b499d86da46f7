/* Who matches new records, and how far: the right, which is lent for a time, and the place. */
#include "place.h"

#include <stdatomic.h>

#include "base/clock.h"
#include "store/matching.h"

enum { A = 7, B = 9 };
static const struct drg_feed_place one = { 1, DRG_FEED_END, 0 }, two = { 2, DRG_TYPE_SOURCE, 44 };
static _Atomic int64_t ahead_ns;

static struct drg_matching read_back(struct place *p)
{
	struct drg_matching m;
	MUST(p, drg_store_matching(p->s, &m, &p->err));
	return m;
}

/* What was found; committed. */
static struct drg_matching take(struct place *p, int64_t holder)
{
	struct drg_txn *t;
	struct drg_matching m;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_take_matching(t, holder, &m, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	return m;
}

static int move(struct place *p, int64_t holder, const struct drg_feed_place *from,
                const struct drg_feed_place *to)
{
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	int rc = drg_txn_move_matching(t, holder, from, to, &p->err);
	if (rc != DRG_OK) {
		drg_txn_rollback(t);
		return rc;
	}
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	return DRG_OK;
}

static void a_new_store_has_neither_holder_nor_place(void **state)
{
	struct drg_matching m = read_back(*state);
	assert_true(m.free && !m.placed);
	assert_int_equal(m.holder, 0);
}

static void one_has_the_right_until_it_is_over(void **state)
{
	struct place *p = *state;
	assert_true(take(p, A).free);
	assert_false(read_back(p).free);
	assert_int_equal(read_back(p).holder, A);
	take(p, B);
	assert_int_equal(read_back(p).holder, A);
	ahead_ns += INT64_C(1000) * (DRG_MATCHING_LEASE_US - 2000000);
	take(p, A); /* and so it lasts longer */
	ahead_ns += INT64_C(1000) * (DRG_MATCHING_LEASE_US - 2000000);
	take(p, B);
	assert_int_equal(read_back(p).holder, A);
	ahead_ns += INT64_C(1000) * 2000001;
	assert_true(read_back(p).free);
	take(p, B);
	assert_int_equal(read_back(p).holder, B);
}

/* Else nobody would match for as long. */
static void a_clock_that_goes_back_makes_no_right_last_longer(void **state)
{
	struct place *p = *state;
	ahead_ns += INT64_C(3600) * 1000000000;
	take(p, A);
	ahead_ns -= INT64_C(3600) * 1000000000;
	assert_true(read_back(p).free);
}

static void the_place_moves_only_from_where_it_is(void **state)
{
	struct place *p = *state;
	assert_int_equal(move(p, A, &one, &two), DRG_ESTOPPED);
	assert_int_equal(move(p, A, NULL, &one), DRG_OK);
	assert_int_equal(move(p, A, NULL, &two), DRG_ESTOPPED);
	assert_int_equal(move(p, B, &two, &one), DRG_ESTOPPED);
	assert_int_equal(move(p, B, &one, &two), DRG_OK); /* whoever had the right */
	struct drg_matching m = read_back(p);
	assert_true(m.placed && m.holder == B && !m.free);
	assert_int_equal(drg_feed_place_cmp(&m.place, &two), 0);
	take(p, B);
	m = read_back(p);
	assert_int_equal(drg_feed_place_cmp(&m.place, &two), 0);
}

static void places_stand_in_the_order_of_the_feed(void **state)
{
	(void)state;
	const struct drg_feed_place v[] = {
		{ 1, 0, 0 }, { 1, 2, 5 }, { 1, 2, 6 }, { 1, DRG_FEED_END, 0 }, { 2, 0, 0 }
	};
	for (int i = 0; i < 5; i++)
		for (int j = 0; j < 5; j++)
			assert_int_equal(drg_feed_place_cmp(&v[i], &v[j]), i < j ? -1 : i > j);
}

/* It is bookkeeping: no version of the data. */
static void it_moves_no_clock(void **state)
{
	struct place *p = *state;
	struct drg_clock before, after;
	MUST(p, drg_store_clock(p->s, &before, &p->err));
	take(p, A);
	assert_int_equal(move(p, A, NULL, &one), DRG_OK);
	MUST(p, drg_store_clock(p->s, &after, &p->err));
	assert_int_equal(before.seq, after.seq);
}

GROUP(matching)
{
	const struct CMUnitTest tests[] = {
		on_new_store(a_new_store_has_neither_holder_nor_place),
		on_new_store(one_has_the_right_until_it_is_over),
		on_new_store(a_clock_that_goes_back_makes_no_right_last_longer),
		on_new_store(the_place_moves_only_from_where_it_is),
		on_new_store(places_stand_in_the_order_of_the_feed),
		on_new_store(it_moves_no_clock),
	};
	drg_clock_set_ahead(&ahead_ns);
	int failed = run_on_every_engine("store/matching", tests);
	drg_clock_set_ahead(NULL);
	return failed;
}
