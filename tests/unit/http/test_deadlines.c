/* Connections that take their time: each state has its own limit, and bytes that trickle do not extend it. */
#include "server_fixture.h"

#include "http/conns/deadlines.h"

static struct drg_http *h; /* header_seconds 1, idle_seconds 2, min_rate 1000 */

static int start(void **state)
{
	(void)state;
	struct drg_http_options o = short_options();
	o.min_rate = 1000;
	h = start_with(&o, NULL);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	drg_http_stop(h, 1);
	return 0;
}

/** Send @p text byte by byte, one each @p ms, until the server closes; returns the seconds that took. */
static double trickle(int fd, const char *text, int ms)
{
	int64_t start = drg_clock_ns();
	for (; drg_clock_ns() - start < INT64_C(10000000000); text += *text != '\0') {
		struct pollfd p = { .fd = fd, .events = POLLIN };
		char c;
		if (poll(&p, 1, ms) > 0 && recv(fd, &c, 1, 0) <= 0)
			break;
		if (*text != '\0')
			say_n(fd, text, 1);
	}
	return (double)(drg_clock_ns() - start) / 1e9;
}

static void no_tick(void *ctx, unsigned connections)
{
	(void)ctx;
	(void)connections;
}

static void assert_between(double low, double value, double high)
{
	if (value < low || value > high)
		fail_msg("%.2f s, expected %.2f to %.2f", value, low, high);
}

static const char LONG_HEAD[] =
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static void a_first_head_has_a_deadline(void **state)
{
	(void)state;
	static const char *const heads[] = { "", "G", LONG_HEAD };
	for (size_t i = 0; i < 3; i++) {
		int fd = dial(h);
		assert_between(0.9, trickle(fd, heads[i], 100), 1.6);
		close(fd);
	}
}

static void a_later_head_has_a_deadline(void **state)
{
	(void)state;
	int fd = dial(h);
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	assert_int_equal(status_of(hear(fd, 200)->text), 200);
	/* it may wait idle_seconds, and once it has begun header_seconds more */
	assert_between(2.4, trickle(fd, LONG_HEAD, 300), 3.6);
	close(fd);
}

static void an_idle_connection_is_closed(void **state)
{
	(void)state;
	int fd = dial(h);
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	hear(fd, 100);
	assert_between(1.6, trickle(fd, "", 1000), 2.6);
	close(fd);
}

static void an_idle_connection_can_be_used_within_its_time(void **state)
{
	(void)state;
	int fd = dial(h);
	for (int i = 0; i < 3; i++) {
		say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
		assert_int_equal(status_of(hear(fd, 1500)->text), 200);
	}
	close(fd);
}

static void a_body_has_a_least_rate(void **state)
{
	(void)state;
	static const char *const heads[] = {
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2328\r\n",
	};
	for (size_t i = 0; i < 3; i++) {
		int fd = dial(h);
		say(fd, heads[i]);
		assert_between(0.9, trickle(fd, "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", 100), 1.7);
		close(fd);
	}
}

static void trailers_have_a_deadline_too(void **state)
{
	(void)state;
	int fd = dial(h);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n0\r\n");
	assert_between(0.9, trickle(fd, "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 100), 1.7);
	close(fd);
}

static void a_slow_but_steady_body_is_taken(void **state)
{
	(void)state;
	int fd = dial(h);
	char part[600];
	memset(part, 'x', sizeof part);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 3600\r\n\r\n");
	for (int i = 0; i < 6; i++) {
		usleep(400000); /* 1500 bytes per second */
		say_n(fd, part, sizeof part);
	}
	assert_has(hear(fd, 1000)->text, "\"bytes\":3600");
	close(fd);
}

static void who_does_not_read_is_cut(void **state)
{
	(void)state;
	struct drg_http_options o = short_options();
	o.min_rate = 20 * 1000 * 1000;
	struct drg_http *fast = start_with(&o, NULL);
	int fd = dial(fast);
	say(fd, "GET /much?n=40000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	usleep(4000000); /* 1 + 2 seconds, and one for the clock */
	const struct heard *heard = hear(fd, 2000);
	assert_true(heard->reset || heard->end);
	assert_true(heard->n < 40000000);
	close(fd);
	drg_http_stop(fast, 1);
}

/** Beyond 64 KiB an answer has to be read at 64 KiB per second: 4 MiB are kept for two minutes, not for an hour. */
static void the_least_rate_grows_with_the_answer(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		unsigned seconds; /* of header_seconds 10 and min_rate 1024 */
	} cases[] = { { 0, 10 },      { 1024, 11 },     { 65536, 74 },
		      { 131072, 75 }, { 4 << 20, 137 }, { 1 << 30, 16456 } };
	static const struct drg_deadlines_calls calls = { .tick = no_tick };
	struct drg_http_options o;
	struct drg_deadlines *d;
	struct drg_err err;
	drg_http_options_init(&o);
	o.max_per_address = 1;
	assert_int_equal(drg_deadlines_start(&o, &calls, &d, &err), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_conn c = { .owner = d };
		drg_conn_answer(&c, 0, cases[i].bytes);
		assert_int_equal((c.deadline_ns + 500000000) / 1000000000, cases[i].seconds);
	}
	drg_deadlines_stop(d);
}

static void a_steady_reader_gets_all(void **state)
{
	(void)state;
	int fd = dial(h);
	size_t got = 0;
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	for (bool end = false; !end;) {
		const struct heard *heard = hear_some(fd, 2000, 2000000);
		got += heard->n;
		end = heard->end || heard->n == 0;
		usleep(200000);
	}
	assert_true(got > 20000000);
	close(fd);
}

GROUP(deadlines)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_first_head_has_a_deadline),
		cmocka_unit_test(a_later_head_has_a_deadline),
		cmocka_unit_test(an_idle_connection_is_closed),
		cmocka_unit_test(an_idle_connection_can_be_used_within_its_time),
		cmocka_unit_test(a_body_has_a_least_rate),
		cmocka_unit_test(trailers_have_a_deadline_too),
		cmocka_unit_test(a_slow_but_steady_body_is_taken),
		cmocka_unit_test(who_does_not_read_is_cut),
		cmocka_unit_test(the_least_rate_grows_with_the_answer),
		cmocka_unit_test(a_steady_reader_gets_all),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
