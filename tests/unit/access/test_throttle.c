/* Who guesses has to wait, longer and longer (decision E25). */
#include <stdio.h>

#include "../unit.h"

#include "base/clock.h"
#include "access/throttle.h"

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
	struct drg_try who = { .address = drg_str_c(address),
		               .network = drg_str_c(address),
		               .name = drg_str_c(name),
		               .now_ns = (1000 + s) * SECOND };
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
		assert_int_equal(guess(t, i == 0 ? address : "c", i % 2 ? "ANNA" : "anna", now), 0);
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
	struct drg_try who = { .address = DRG_STR("here"),
		               .network = DRG_STR("here"),
		               .name = DRG_STR("anna"),
		               .now_ns = 1000 * SECOND };
	for (int i = 0; i < 100; i++) {
		assert_int_equal(drg_throttle_try(t, &who), 0);
		drg_throttle_end(t, &who, true);
	}
	char name[16];
	unsigned refused = 0;
	for (int i = 0; i < 40; i++) { /* his own name between guesses at others does not help */
		snprintf(name, sizeof name, "n%d", i);
		refused += guess(t, "here", name, 0) > 0;
		if (drg_throttle_try(t, &who) == 0)
			drg_throttle_end(t, &who, true);
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
		struct drg_try who = { .address = drg_str_c(text),
			               .network = drg_str_c(text),
			               .name = drg_str_c(text),
			               .now_ns = (1001 + i / 3000) * SECOND };
		assert_int_equal(drg_throttle_try(t, &who), 0);
		drg_throttle_end(t, &who, false);
	}
	assert_int_equal(guess(t, "c", "berta", 40), 0);
	assert_int_equal(guess(t, "d", "berta", 40), 1);
	drg_throttle_free(t);
}

/* ---- strangers who want to shut anna out ---- */

enum { V4 = 16, V6 = 4, QUARTERS = 4 };

/** One who guesses from 16 addresses of IPv4 and, each time with another /64, from four /48 of IPv6. */
struct stranger {
	bool obeys; /* Retry-After, and is there in the same moment */
	unsigned n;
	int64_t next_ns[V4 + V6];
};

static void stranger_guess(struct stranger *a, struct drg_throttle *t, int64_t now_ns)
{
	char address[24], network[24];
	unsigned from = a->n % (V4 + V6);
	snprintf(network, sizeof network, "%u", from);
	snprintf(address, sizeof address, "%u:%u", from, from < V4 ? 0 : a->n);
	a->n++;
	struct drg_try who = { .address = drg_str_c(address),
		               .network = drg_str_c(network),
		               .name = DRG_STR("anna"),
		               .now_ns = now_ns };
	if (!a->obeys || now_ns >= a->next_ns[from])
		a->next_ns[from] = now_ns + drg_throttle_try(t, &who) * SECOND;
}

/** Four guesses each second, or as many at once as may be. @return when */
static int64_t strangers_guess(struct stranger *a, struct drg_throttle *t, int64_t from_ns, int64_t to_ns)
{
	for (; from_ns < to_ns; from_ns += SECOND / QUARTERS)
		for (int i = 0; i < (a->obeys ? V4 + V6 : 1); i++)
			stranger_guess(a, t, from_ns);
	return to_ns;
}

/** With the right password, after each wait. @return after how many seconds */
static int64_t anna_signs_in(struct drg_throttle *t, struct stranger *a, const char *address, int64_t *now_ns)
{
	int64_t start_ns = *now_ns;
	for (;;) {
		struct drg_try who = { .address = drg_str_c(address),
			               .network = drg_str_c(address),
			               .name = DRG_STR("anna"),
			               .now_ns = *now_ns };
		unsigned wait = drg_throttle_try(t, &who);
		if (wait == 0) {
			drg_throttle_end(t, &who, true);
			return (*now_ns - start_ns) / SECOND;
		}
		assert_true(*now_ns - start_ns < 4 * 3600 * SECOND);
		*now_ns = strangers_guess(a, t, *now_ns, *now_ns + wait * SECOND);
	}
}

static void strangers_shut_nobody_out_who_signed_in_from_there_before(void **state)
{
	(void)state;
	for (int obeys = 0; obeys < 2; obeys++) {
		struct drg_throttle *t = fresh();
		struct stranger a = { .obeys = obeys };
		int64_t now_ns = 1000 * SECOND;
		assert_int_equal(anna_signs_in(t, &a, "home", &now_ns), 0);
		for (int i = 0; i < 50; i++) {
			now_ns = strangers_guess(&a, t, now_ns, now_ns + (200 + 7 * i) * SECOND);
			assert_int_equal(anna_signs_in(t, &a, "home", &now_ns), 0);
		}
		drg_throttle_free(t);
	}
}

static void elsewhere_each_network_of_strangers_is_before_her_once_at_most(void **state)
{
	(void)state;
	/* Who comes all the time goes behind her all the time. */
	static const int64_t longest_s[] = { 2 * 60 + 20, (V4 + V6 + 1) * (60 + 20) };
	for (int obeys = 0; obeys < 2; obeys++) {
		struct drg_throttle *t = fresh();
		struct stranger a = { .obeys = obeys };
		char address[16];
		int64_t now_ns = 1000 * SECOND, longest = 0;
		for (int i = 0; i < 50; i++) {
			now_ns = strangers_guess(&a, t, now_ns, now_ns + (600 + 7 * i) * SECOND);
			snprintf(address, sizeof address, "hotel %d", i);
			int64_t took = anna_signs_in(t, &a, address, &now_ns);
			longest = took > longest ? took : longest;
		}
		print_message("%s: %lld s at most\n", obeys ? "obeys" : "asks on", (long long)longest);
		assert_in_range(longest, 1, longest_s[obeys]);
		drg_throttle_free(t);
	}
}

static void who_knows_the_address_has_no_more_guesses_there(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	struct stranger nobody = { .n = 0 };
	int64_t now_ns = 1000 * SECOND;
	assert_int_equal(anna_signs_in(t, &nobody, "home", &now_ns), 0);
	unsigned guesses = 0;
	for (int s = 0; s < 3600; s++)
		guesses += guess(t, "home", "anna", s) == 0;
	assert_in_range(guesses, 60, 140);
	drg_throttle_free(t);
}

static void a_name_is_remembered_at_eight_addresses_whatever_others_do(void **state)
{
	(void)state;
	struct drg_throttle *t = fresh();
	struct stranger nobody = { .n = 0 };
	char address[16];
	int64_t now_ns = 1000 * SECOND;
	for (int i = 0; i < 9; i++) {
		snprintf(address, sizeof address, "h%d", i);
		now_ns += SECOND;
		assert_int_equal(anna_signs_in(t, &nobody, address, &now_ns), 0);
	}
	int64_t now = block_name(t, "anna", 10);
	assert_true(guess(t, "h0", "anna", now) > 0);
	for (int i = 0; i < 100000; i++) {
		snprintf(address, sizeof address, "m%d", i);
		(void)guess(t, address, "anna", now);
	}
	for (int i = 1; i < 9; i++) {
		snprintf(address, sizeof address, "h%d", i);
		assert_int_equal(guess(t, address, "anna", now), 0);
	}
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
		cmocka_unit_test(strangers_shut_nobody_out_who_signed_in_from_there_before),
		cmocka_unit_test(elsewhere_each_network_of_strangers_is_before_her_once_at_most),
		cmocka_unit_test(who_knows_the_address_has_no_more_guesses_there),
		cmocka_unit_test(a_name_is_remembered_at_eight_addresses_whatever_others_do),
		cmocka_unit_test(a_million_names_take_no_more_memory),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
