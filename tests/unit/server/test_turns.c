/* Who waits for lists, and whose turn it is: without a builder, against a plain model. */
#include "../unit.h"

#include "server/lists/turns.h"

enum { LISTS = 40, WAITS = 400 };

static struct drg_turns turns;
static struct drg_list_asks lists[LISTS];
static struct drg_list_ask waits[WAITS];

static void start(size_t max)
{
	assert_int_equal(drg_turns_init(&turns, max, NULL), DRG_OK);
	memset(waits, 0, sizeof waits);
	for (size_t i = 0; i < LISTS; i++)
		TAILQ_INIT(&lists[i]);
}

static int join(size_t wait, size_t list, unsigned char client, int64_t key_id)
{
	waits[wait].client[15] = client;
	waits[wait].key_id = key_id;
	return drg_turns_join(&turns, &lists[list], &waits[wait]);
}

/* Make what has its turn. @return its number; -1: nobody waits. */
static int make(void)
{
	struct drg_list_asks over = TAILQ_HEAD_INITIALIZER(over);
	struct drg_list_asks *a = drg_turns_next(&turns);
	if (a == NULL)
		return -1;
	drg_turns_take(&turns, a, &over);
	assert_false(TAILQ_EMPTY(&over));
	return (int)(a - lists);
}

static void stop(void)
{
	while (make() >= 0)
		;
	assert_int_equal(turns.n, 0);
	drg_turns_done(&turns);
}

static void keys_take_turns_and_the_addresses_of_a_key_among_themselves(void **state)
{
	(void)state;
	static const int order[] = { 0, 30, 10, 31, 20, 1, 11, 2, 3, -1 };
	start(1000);
	for (size_t i = 0; i < 4; i++)
		assert_int_equal(join(i, i, 1, 1), DRG_OK);
	assert_int_equal(join(10, 10, 2, 1), DRG_OK);
	assert_int_equal(join(11, 11, 2, 1), DRG_OK);
	assert_int_equal(join(20, 20, 3, 1), DRG_OK);
	assert_int_equal(join(30, 30, 1, 2), DRG_OK);
	assert_int_equal(join(31, 31, 1, 2), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(order); i++)
		assert_int_equal(make(), order[i]);
	stop();
}

static void who_comes_to_a_list_counts_for_nothing_until_who_brought_it_leaves(void **state)
{
	(void)state;
	start(4);
	assert_int_equal(join(0, 0, 1, 1), DRG_OK);
	assert_int_equal(join(1, 1, 1, 2), DRG_ELIMIT); /* an address, whatever its keys */
	assert_int_equal(join(2, 0, 2, 1), DRG_OK);
	assert_int_equal(join(3, 1, 2, 1), DRG_OK);
	assert_int_equal(turns.n, 2);
	assert_true(drg_turns_leave(&turns, &waits[0]));
	assert_int_equal(turns.n, 2);
	assert_int_equal(join(4, 2, 2, 1), DRG_ELIMIT);
	assert_int_equal(join(5, 2, 1, 1), DRG_OK);
	stop();
}

/* So many clients that each want as much as they can get: there is a place for who comes, until each has one
 * of all. */
static void many_who_want_much_leave_places(void **state)
{
	(void)state;
	size_t wait = 0, list = 0, brought[LISTS] = { 0 };
	start(LISTS);
	for (size_t client = 0; turns.n < LISTS; client++) {
		while (list < LISTS && join(wait, list, (unsigned char)client, 1) == DRG_OK) {
			wait++;
			list++;
			brought[client]++;
		}
		assert_true(brought[client] > 0);
		assert_true(client == 0 || brought[client] <= brought[client - 1]);
	}
	assert_true(brought[0] < LISTS / 4);
	assert_true(brought[5] >= 1);
	assert_int_equal(join(wait, 0, 99, 1), DRG_OK); /* it is waited for already */
	stop();
	start(1);
	assert_int_equal(join(0, 0, 1, 1), DRG_OK);
	assert_int_equal(join(1, 1, 2, 1), DRG_EBUSY);
	stop();
}

/* Random joins, leaves and turns: what is counted is what is there. */
static void counts_agree_with_a_model(void **state)
{
	(void)state;
	uint32_t x = 7;
	start(LISTS / 2);
	for (int step = 0; step < 20000; step++) {
		x = x * 1664525u + 1013904223u;
		size_t wait = (x >> 8) % WAITS, list = (x >> 20) % LISTS;
		if (x >> 30 == 0)
			make();
		else if (waits[wait].with != NULL)
			assert_true(drg_turns_leave(&turns, &waits[wait]));
		else
			(void)!join(wait, list, (unsigned char)(wait % 11), (int64_t)(wait % 3));
		size_t awaited = 0, brought = 0;
		for (size_t i = 0; i < LISTS; i++)
			awaited += !TAILQ_EMPTY(&lists[i]);
		for (size_t i = 0; i < WAITS; i++)
			brought += waits[i].with != NULL && waits[i].brought;
		assert_int_equal(turns.n, awaited);
		assert_int_equal(brought, awaited);
		assert_true(awaited <= LISTS / 2);
	}
	stop();
}

GROUP(turns)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(keys_take_turns_and_the_addresses_of_a_key_among_themselves),
		cmocka_unit_test(who_comes_to_a_list_counts_for_nothing_until_who_brought_it_leaves),
		cmocka_unit_test(many_who_want_much_leave_places),
		cmocka_unit_test(counts_agree_with_a_model),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
