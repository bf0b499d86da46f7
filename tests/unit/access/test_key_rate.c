#include "access/key_rate.h"

#include <pthread.h>
#include <stdatomic.h>

#include "unit.h"

enum { SECOND = 1000000000 };

static uint64_t any(uint64_t *seed, uint64_t below)
{
	*seed = *seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (*seed >> 33) % below;
}

/* The same as tokens that drip into a bucket. */
struct model {
	int64_t per_second, interval, tokens_ns, at_ns;
};

static struct model model_of(int64_t per_second, int64_t now_ns)
{
	const int64_t interval = SECOND / per_second;
	return (struct model){ per_second, interval, per_second * interval, now_ns };
}

static void model_drip(struct model *m, int64_t now_ns)
{
	const int64_t most = m->per_second * m->interval, more = m->tokens_ns + now_ns - m->at_ns;
	m->tokens_ns = more < most ? more : most;
	m->at_ns = now_ns;
}

static void it_is_a_bucket_that_drips(void **state)
{
	(void)state;
	static const int64_t rates[] = { 1, 2, 3, 7, 10, 99, 1000, 4096, 100000 };
	uint64_t seed = 1;
	for (size_t k = 0; k < sizeof rates / sizeof *rates; k++) {
		_Atomic int64_t rate = 0;
		int64_t now_ns = 5 * (int64_t)SECOND, left;
		struct model m = model_of(rates[k], now_ns);
		for (int i = 0; i < 20000; i++) {
			/* mostly faster than it fills, now and then a pause */
			const uint64_t most = (uint64_t)m.interval * (any(&seed, 50) == 0 ? 20 : 2);
			now_ns += (int64_t)any(&seed, any(&seed, 3) == 0 ? 1 : most + 1);
			model_drip(&m, now_ns);
			assert_int_equal(drg_key_rate_left(&rate, m.per_second, now_ns),
			                 m.tokens_ns / m.interval);
			const bool there = m.tokens_ns >= m.interval;
			assert_int_equal(drg_key_rate_consume(&rate, m.per_second, now_ns, &left), there);
			m.tokens_ns -= there ? m.interval : 0;
			assert_int_equal(left, m.tokens_ns / m.interval);
		}
	}
}

static void no_second_has_more_than_twice_as_many_and_an_hour_no_more_than_its_own(void **state)
{
	(void)state;
	_Atomic int64_t rate = 0;
	const int64_t per_second = 10, from_ns = 7 * (int64_t)SECOND;
	int64_t n = 0, first = 0, left;
	for (int64_t now_ns = from_ns; now_ns < from_ns + 3600 * (int64_t)SECOND; now_ns += SECOND / 100) {
		n += drg_key_rate_consume(&rate, per_second, now_ns, &left);
		if (now_ns < from_ns + SECOND)
			first = n;
	}
	assert_in_range(first, per_second, 2 * per_second);
	assert_in_range(n, 3600 * per_second, 3601 * per_second);
}

static void another_limit_or_clock_heals(void **state)
{
	(void)state;
	uint64_t seed = 2;
	for (int i = 0; i < 20000; i++) {
		_Atomic int64_t rate = (int64_t)any(&seed, UINT64_C(1) << 30) << any(&seed, 33);
		const int64_t now_ns = (int64_t)any(&seed, UINT64_C(1) << 30) << any(&seed, 20);
		const int64_t per_second = 1 + (int64_t)any(&seed, 100000);
		int64_t left;
		assert_in_range(drg_key_rate_left(&rate, per_second, now_ns), 0, per_second);
		drg_key_rate_consume(&rate, per_second, now_ns, &left);
		assert_int_equal(drg_key_rate_left(&rate, per_second, now_ns + 12 * (int64_t)SECOND),
		                 per_second);
	}
}

enum { THREADS = 4, TRIES = 20000, TOGETHER = 5000 };

struct taker {
	_Atomic int64_t *rate;
	int64_t taken;
};

static void *take_many(void *ctx)
{
	struct taker *t = ctx;
	int64_t left;
	for (int i = 0; i < TRIES; i++)
		t->taken += drg_key_rate_consume(t->rate, TOGETHER, SECOND, &left);
	return NULL;
}

static void threads_take_no_more_together(void **state)
{
	(void)state;
	_Atomic int64_t rate = 0;
	struct taker takers[THREADS];
	pthread_t threads[THREADS];
	int64_t taken = 0;
	for (int i = 0; i < THREADS; i++) {
		takers[i] = (struct taker){ .rate = &rate };
		assert_int_equal(pthread_create(&threads[i], NULL, take_many, &takers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		pthread_join(threads[i], NULL);
		taken += takers[i].taken;
	}
	assert_int_equal(taken, TOGETHER);
}

GROUP(key_rate)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(it_is_a_bucket_that_drips),
		cmocka_unit_test(no_second_has_more_than_twice_as_many_and_an_hour_no_more_than_its_own),
		cmocka_unit_test(another_limit_or_clock_heals),
		cmocka_unit_test(threads_take_no_more_together),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
