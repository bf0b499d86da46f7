#include "../unit.h"

#include "base/err.h"
#include "base/lanes.h"

static struct drg_lanes lanes;
static struct drg_lane_item items[64];

static struct drg_lane_item *put(unsigned i, int64_t owner, int expected)
{
	items[i].owner = owner;
	assert_int_equal(drg_lanes_put(&lanes, &items[i]), expected);
	return &items[i];
}

static void owners_take_turns_and_each_keeps_its_order(void **state)
{
	(void)state;
	drg_lanes_init(&lanes, 0, 0, 0);
	for (unsigned i = 0; i < 6; i++)
		put(i, 5, DRG_OK);
	put(6, 9, DRG_OK);
	put(7, 9, DRG_OK);
	static const unsigned order[] = { 0, 6, 1, 7, 2, 3, 4, 5 };
	for (unsigned i = 0; i < 8; i++)
		assert_ptr_equal(drg_lanes_take(&lanes), &items[order[i]]);
	assert_null(drg_lanes_take(&lanes));
}

static void an_owner_has_a_share_and_the_whole_has_a_limit(void **state)
{
	(void)state;
	drg_lanes_init(&lanes, 4, 2, 0);
	put(0, 5, DRG_OK);
	put(1, 5, DRG_OK);
	put(2, 5, DRG_ELIMIT);
	/* What is worked on counts too. */
	assert_non_null(drg_lanes_take(&lanes));
	put(2, 5, DRG_ELIMIT);
	drg_lanes_finish(&lanes, 5);
	put(2, 5, DRG_OK);
	put(3, 6, DRG_OK);
	/* The server itself has no share, and the limit of the whole. */
	put(4, 0, DRG_OK);
	put(5, 0, DRG_EBUSY);
	put(5, 7, DRG_EBUSY);
}

static void an_owner_does_not_have_all_the_workers(void **state)
{
	(void)state;
	drg_lanes_init(&lanes, 0, 0, 1);
	put(0, -3, DRG_OK);
	put(1, -3, DRG_OK);
	assert_ptr_equal(drg_lanes_take(&lanes), &items[0]);
	assert_null(drg_lanes_take(&lanes));
	struct drg_lane_item *other = put(2, 4, DRG_OK);
	assert_ptr_equal(drg_lanes_take(&lanes), other);
	drg_lanes_finish(&lanes, -3);
	assert_ptr_equal(drg_lanes_take(&lanes), &items[1]);
	assert_int_equal(lanes.n, 2);
}

GROUP(lanes)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(owners_take_turns_and_each_keeps_its_order),
		cmocka_unit_test(an_owner_has_a_share_and_the_whole_has_a_limit),
		cmocka_unit_test(an_owner_does_not_have_all_the_workers),
	};
	return cmocka_run_group_tests_name("base/lanes", tests, NULL, NULL);
}
