#include "synth/prng.h"

#include "../unit.h"

/* The reference outputs of splitmix64 from state 1234567. */
static void test_is_splitmix64(void **state)
{
	(void)state;
	static const uint64_t expected[] = { UINT64_C(6457827717110365317), UINT64_C(3203168211198807973),
		                             UINT64_C(9817491932198370423), UINT64_C(4593380528125082431),
		                             UINT64_C(16408922859458223821) };
	struct drg_rng r = { 1234567 };
	for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++)
		assert_true(drg_rng_next(&r) == expected[i]);
}

static void test_bounds_are_kept_and_reached(void **state)
{
	(void)state;
	struct drg_rng r = drg_rng(1, DRG_RNG_HOTEL, 2, 3);
	bool low = false, high = false, first = false, last = false;
	for (int i = 0; i < 2000; i++) {
		uint32_t n = drg_rng_below(&r, 7);
		int32_t b = drg_rng_between(&r, -3, 3);
		assert_true(n < 7);
		assert_in_range(b + 3, 0, 6);
		low |= n == 0;
		high |= n == 6;
		first |= b == -3;
		last |= b == 3;
	}
	assert_true(low && high && first && last);
	assert_int_equal(drg_rng_below(&r, 1), 0);
	assert_int_equal(drg_rng_between(&r, INT32_MIN, INT32_MIN), INT32_MIN);
}

static void test_chance_is_per_mille(void **state)
{
	(void)state;
	struct drg_rng r = drg_rng(5, DRG_RNG_CITY, 0, 0);
	int hits = 0;
	for (int i = 0; i < 100000; i++) {
		assert_false(drg_rng_chance(&r, 0));
		assert_true(drg_rng_chance(&r, 1000));
		hits += drg_rng_chance(&r, 250);
	}
	assert_in_range(hits, 24000, 26000);
}

static void test_streams_differ(void **state)
{
	(void)state;
	struct drg_rng streams[] = { drg_rng(1, DRG_RNG_HOTEL, 0, 0), drg_rng(2, DRG_RNG_HOTEL, 0, 0),
		                     drg_rng(1, DRG_RNG_CITY, 0, 0),  drg_rng(1, DRG_RNG_HOTEL, 1, 0),
		                     drg_rng(1, DRG_RNG_HOTEL, 0, 1), drg_rng(1, DRG_RNG_HOTEL, 1, 1) };
	const size_t n = sizeof streams / sizeof streams[0];
	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++)
			assert_true(streams[i].state != streams[j].state);
}

GROUP(prng)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_is_splitmix64),
		cmocka_unit_test(test_bounds_are_kept_and_reached),
		cmocka_unit_test(test_chance_is_per_mille),
		cmocka_unit_test(test_streams_differ),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
