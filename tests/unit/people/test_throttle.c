/* Who guesses has to wait, longer and longer (decision E25). */
#include <stdio.h>

#include "../unit.h"

#include "base/clock.h"
#include "people/throttle.h"

#define SECOND INT64_C(1000000000)

static struct drg_throttle *fresh(void)
{
	struct drg_throttle *t;
	struct drg_err e;
	assert_int_equal(drg_throttle_new(&t, &e), DRG_OK);
	return t;
}

static unsigned guess(struct drg_throttle *t, const char *address, const char *name, int64_t s)
{
	const struct drg_try who = { drg_str_c(address), drg_str_c(name), (1000 + s) * SECOND };
	return drg_throttle_try(t, &who);
}

static void one_name_waits_longer_and_longer_and_a_minute_at_most(void **state)
{
	(void)state;
	static const unsigned waits[] = { 1, 2, 4, 8, 16, 32, 60, 60, 60 };
	struct drg_throttle *t = fresh();
	char address[16];
	int64_t now = 0;
	for (int i = 0; i < 5; i++) {
		snprintf(address, sizeof address, "a%d", i);
		assert_int_equal(guess(t, address, "anna", now), 0);
	}
	for (size_t i = 0; i < DRG_ARRAY_LEN(waits); i++) {
		snprintf(address, sizeof address, "b%zu", i);
		assert_int_equal(guess(t, address, i % 2 ? "ANNA" : "anna", now), 0);
		assert_int_equal(guess(t, "c", "anna", now), waits[i]);
		now += waits[i];
	}
	assert_int_equal(guess(t, "d", "berta", now), 0);
	drg_throttle_free(t);
}

static void one_address_has_twenty_and_a_quarter_of_an_hour_at_most(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	char name[16];
	for (int i = 0; i < 21; i++) {
		snprintf(name, sizeof name, "n%d", i);
		assert_int_equal(guess(t, "here", name, 0), 0);
	}
	assert_int_equal(guess(t, "here", "another", 0), 1);
	assert_int_equal(guess(t, "there", "another", 0), 0);
	unsigned longest = 0;
	int64_t now = 0;
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "m%d", i);
		unsigned wait = guess(t, "here", name, now);
		longest = wait > longest ? wait : longest;
		now += wait;
	}
	assert_int_equal(longest, 900);
	drg_throttle_free(t);
}

static void who_gets_in_begins_anew_but_the_address_does_not(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	const struct drg_try who = { DRG_STR("here"), DRG_STR("anna"), 1000 * SECOND };
	for (int i = 0; i < 100; i++) {
		assert_int_equal(drg_throttle_try(t, &who), 0);
		drg_throttle_passed(t, &who);
	}
	char name[16];
	unsigned refused = 0;
	for (int i = 0; i < 40; i++) { /* his own name between guesses at others does not help */
		snprintf(name, sizeof name, "n%d", i);
		refused += guess(t, "here", name, 0) > 0;
		if (drg_throttle_try(t, &who) == 0)
			drg_throttle_passed(t, &who);
	}
	assert_true(refused >= 15);
	drg_throttle_free(t);
}

static void half_an_hour_forgets(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	for (int i = 0; i < 6; i++)
		assert_int_equal(guess(t, "here", "anna", 0), 0);
	assert_int_equal(guess(t, "here", "anna", 0), 1);
	for (int i = 0; i < 6; i++)
		assert_int_equal(guess(t, "here", "anna", 1900), 0);
	drg_throttle_free(t);
}

static void a_million_names_take_no_more_memory(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	char text[24];
	for (int i = 0; i < 1000000; i++) {
		snprintf(text, sizeof text, "%d", i);
		assert_int_equal(guess(t, text, text, i / 1000), 0);
	}
	drg_throttle_free(t);
}

/** One guess, after the wait. @return when */
static int64_t guess_in_time(struct drg_throttle *t, const char *address, const char *name, int64_t now)
{
	unsigned wait = guess(t, address, name, now);
	if (wait > 0)
		assert_int_equal(guess(t, address, name, now + wait), 0);
	return now + wait;
}

/** Twelve guesses at a name, each from elsewhere. @return when: it has to wait for a minute from then on. */
static int64_t block_name(struct drg_throttle *t, const char *name, int64_t now)
{
	char address[16];
	for (int i = 0; i < 12; i++) {
		snprintf(address, sizeof address, "of %d", i);
		now = guess_in_time(t, address, name, now);
	}
	assert_int_equal(guess(t, "anywhere", name, now), 60);
	return now;
}

static int64_t block_address(struct drg_throttle *t, const char *address)
{
	char name[16];
	int64_t now = 0;
	for (int i = 0; i < 40; i++) {
		snprintf(name, sizeof name, "n%d", i);
		now = guess_in_time(t, address, name, now);
	}
	assert_int_equal(guess(t, address, "another", now), 900);
	return now;
}

static void who_has_to_wait_wipes_no_counter(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	char text[16];
	int64_t now = block_name(t, "anna", block_address(t, "here"));
	for (int i = 0; i < 5; i++) {
		snprintf(text, sizeof text, "b%d", i);
		assert_int_equal(guess(t, text, "berta", now), 0);
	}
	int64_t start = now;
	for (int i = 0; i < 100000; i++) {
		now = start + i / 3000;
		snprintf(text, sizeof text, "m%d", i);
		assert_true(guess(t, "here", text, now) > 0);
	}
	assert_int_equal(guess(t, "c", "anna", now), 60 - (now - start));
	assert_true(guess(t, "here", "another", now) > 60);
	assert_int_equal(guess(t, "c", "berta", now), 0);
	assert_int_equal(guess(t, "d", "berta", now), 1);
	drg_throttle_free(t);
}

static void guesses_from_everywhere_free_nobody_who_has_to_wait(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	char text[16];
	int64_t start = block_name(t, "anna", block_address(t, "here")), now = start;
	for (int i = 0; i < 100000; i++) {
		now = start + i / 3000;
		snprintf(text, sizeof text, "m%d", i);
		assert_int_equal(guess(t, text, text, now), 0);
	}
	assert_int_equal(guess(t, "c", "anna", now), 60 - (now - start));
	assert_true(guess(t, "here", "yet another", now) > 60);
	drg_throttle_free(t);
}

static void what_was_not_tried_wipes_no_counter(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	char text[16];
	for (int i = 0; i < 5; i++) {
		snprintf(text, sizeof text, "b%d", i);
		assert_int_equal(guess(t, text, "berta", 0), 0);
	}
	for (int i = 0; i < 100000; i++) {
		snprintf(text, sizeof text, "m%d", i);
		const struct drg_try who = { drg_str_c(text), drg_str_c(text), (1001 + i / 3000) * SECOND };
		assert_int_equal(drg_throttle_try(t, &who), 0);
		drg_throttle_forget(t, &who);
	}
	assert_int_equal(guess(t, "c", "berta", 40), 0);
	assert_int_equal(guess(t, "d", "berta", 40), 1);
	drg_throttle_free(t);
}

GROUP(throttle)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_name_waits_longer_and_longer_and_a_minute_at_most),
		cmocka_unit_test(one_address_has_twenty_and_a_quarter_of_an_hour_at_most),
		cmocka_unit_test(who_gets_in_begins_anew_but_the_address_does_not),
		cmocka_unit_test(half_an_hour_forgets),
		cmocka_unit_test(who_has_to_wait_wipes_no_counter),
		cmocka_unit_test(guesses_from_everywhere_free_nobody_who_has_to_wait),
		cmocka_unit_test(what_was_not_tried_wipes_no_counter),
		cmocka_unit_test(a_million_names_take_no_more_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
