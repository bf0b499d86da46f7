/* Connections that take their time: each state has its own limit, and bytes that trickle do not extend it. */
#include "server_fixture.h"

enum { RATE = 10 };

static struct drg_http *h; /* header_seconds and idle_seconds HOUR_S, min_rate RATE; its clock stands still */

static int begin(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.min_rate = RATE;
	clock_stop();
	h = start_with(&o, NULL);
	return 0;
}

static int end(void **state)
{
	(void)state;
	stop_passing(h);
	clock_go();
	return 0;
}

/** A connection that an http thread has. */
static int dial_in(const struct drg_http *server)
{
	int fd = dial(server);
	wait_until(see(server, fd).there);
	return fd;
}

/** A request that is answered, on a connection that then waits for the next one. */
static void ask_on(const struct drg_http *server, int fd)
{
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	assert_int_equal(status_of(hear_answer(fd)->text), 200);
	wait_until(see(server, fd).idle);
}

/** It is cut when its hour is over, however much of it has passed already, and whatever comes meanwhile. */
static void assert_hour_ends(int fd, const char *more)
{
	pass_s(h, HOUR_S - 100);
	assert_false(is_closed(fd));
	say(fd, more);
	wait_until(unread(fd) == 0);
	pass_s(h, 90);
	assert_false(is_closed(fd));
	pass_s(h, 20);
	wait_until(is_closed(fd));
	close(fd);
}

static const char LONG_HEAD[] =
        "GET /healthz HTTP/1.1\r\nHost: a\r\nX: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

static void a_first_head_has_a_deadline(void **state)
{
	(void)state;
	static const char *const heads[][2] = { { "", "" }, { "G", "E" }, { LONG_HEAD, "aaaa" } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(heads); i++) {
		int fd = dial_in(h);
		say(fd, heads[i][0]);
		assert_hour_ends(fd, heads[i][1]);
	}
}

static void a_later_head_has_a_deadline(void **state)
{
	(void)state;
	int fd = dial_in(h);
	ask_on(h, fd);
	pass_s(h, HOUR_S - 10); /* it may wait idle_seconds, and from its first byte on header_seconds */
	say(fd, "GET /hea");
	wait_until(unread(fd) == 0);
	assert_hour_ends(fd, "lthz");
}

static void an_idle_connection_is_closed(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.idle_seconds = 1;
	struct drg_http *idle = start_with(&o, NULL);
	int fd = dial(idle);
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_until(is_closed(fd));
	assert_int_equal(status_of(hear(fd)->text), 200);
	close(fd);
	drg_http_stop(idle, 1);
}

static void an_idle_connection_can_be_used_within_its_time(void **state)
{
	(void)state;
	int fd = dial_in(h);
	for (int i = 0; i < 3; i++) {
		ask_on(h, fd);
		pass_s(h, HOUR_S - 1);
	}
	assert_false(is_closed(fd));
	close(fd);
}

/** A connection that has sent this, and has a new deadline for it. */
static int dial_and_begin(const char *text)
{
	int fd = dial_in(h);
	int64_t before = see(h, fd).deadline_ns;
	pass_s(h, 1);
	say(fd, text);
	wait_until(unread(fd) == 0 && see(h, fd).deadline_ns > before);
	return fd;
}

static void a_body_has_a_least_rate(void **state)
{
	(void)state;
	static const char *const heads[] = {
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nContent-Length: 9000\r\n\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2328\r\n",
	};
	for (size_t i = 0; i < 3; i++)
		assert_hour_ends(dial_and_begin(heads[i]), "bbbbbbbbbbbbbbbb"); /* 1.6 s more */
}

static void trailers_have_a_deadline_too(void **state)
{
	(void)state;
	assert_hour_ends(dial_and_begin("POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: "
	                                "chunked\r\n\r\n1\r\n1\r\n0\r\n"),
	                 "X: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
}

static void a_slow_but_steady_body_is_taken(void **state)
{
	(void)state;
	enum { PIECES = 6, PIECE = 1500 };
	char part[PIECE];
	memset(part, 'x', sizeof part);
	int fd = dial_and_begin(
	        "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 9000\r\n\r\n");
	int64_t first = see(h, fd).deadline_ns;
	for (int i = 1; i <= PIECES; i++) {
		pass_s(h, HOUR_S / PIECES + 80); /* more than an hour in all */
		say_n(fd, part, sizeof part);
		wait_until(i == PIECES ||
		           see(h, fd).deadline_ns == first + i * (PIECE / RATE) * INT64_C(1000000000));
	}
	assert_has(hear(fd)->text, "\"bytes\":9000");
	close(fd);
}

static void who_does_not_read_is_cut(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.min_rate = 20 * 1000 * 1000;
	struct drg_http *fast = start_with(&o, NULL);
	int fd = dial(fast);
	say(fd, "GET /much?n=40000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	hear_some(fd, 1);
	pass_s(fast, HOUR_S + 1);
	assert_false(is_closed(fd));
	pass_s(fast, 2);
	wait_until(is_closed(fd));
	assert_true(hear(fd)->n < 40000000);
	close(fd);
	stop_passing(fast);
}

/** Beyond 64 KiB an answer has to be read at 64 KiB per second: 4 MiB are kept for two minutes, not for an
 * hour. */
static void the_least_rate_grows_with_the_answer(void **state)
{
	(void)state;
	static const struct {
		uint64_t bytes;
		unsigned seconds; /* of header_seconds 10 and min_rate 1024 */
	} cases[] = { { 0, 10 },      { 1024, 11 },     { 65536, 74 },
		      { 131072, 75 }, { 4 << 20, 137 }, { 1 << 30, 16456 } };
	struct drg_http_options o;
	drg_http_options_init(&o);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		int64_t until_ns = drg_conn_answer_deadline(&o, 0, cases[i].bytes);
		assert_int_equal((until_ns + 500000000) / 1000000000, cases[i].seconds);
	}
}

static void a_steady_reader_gets_all(void **state)
{
	(void)state;
	int fd = dial(h);
	size_t got = 0;
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	for (bool over = false; !over;) {
		const struct heard *heard = hear_some(fd, 2000000);
		got += heard->n;
		over = heard->end || heard->reset || heard->n == 0;
		pass_s(h,
		       HOUR_S / 4); /* nearly three hours in all: 64 KiB may take 6554 s, and the rest 304 */
	}
	assert_true(got > 20000000);
	close(fd);
}

#define by_the_clock(test) cmocka_unit_test_setup_teardown(test, begin, end)

GROUP(deadlines)
{
	const struct CMUnitTest tests[] = {
		by_the_clock(a_first_head_has_a_deadline),
		by_the_clock(a_later_head_has_a_deadline),
		cmocka_unit_test(an_idle_connection_is_closed),
		by_the_clock(an_idle_connection_can_be_used_within_its_time),
		by_the_clock(a_body_has_a_least_rate),
		by_the_clock(trailers_have_a_deadline_too),
		by_the_clock(a_slow_but_steady_body_is_taken),
		by_the_clock(who_does_not_read_is_cut),
		cmocka_unit_test(the_least_rate_grows_with_the_answer),
		by_the_clock(a_steady_reader_gets_all),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
