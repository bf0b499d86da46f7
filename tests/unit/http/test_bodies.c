/* Bodies of requests, as they come and at their limits. */
#include "shared_server.h"

static void a_body_may_come_in_pieces(void **state)
{
	(void)state;
	int fd = dial(h);
	static const char request[] =
	        "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: 10\r\n\r\n0123456789";
	for (size_t i = 0; i < sizeof request - 1; i++) {
		say_n(fd, request + i, 1);
		wait_until(unread(fd) == 0 || i + 2 >= sizeof request);
	}
	assert_has(hear(fd)->text, "\"bytes\":10");
	close(fd);
}

static void continue_is_said_to_who_waits_for_it(void **state)
{
	(void)state;
	int fd = dial(h);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\nExpect: "
	        "100-continue\r\nContent-Length: 2\r\n\r\n");
	assert_string_equal(hear_some(fd, 25)->text, "HTTP/1.1 100 Continue\r\n\r\n");
	say(fd, "{}");
	assert_has(hear(fd)->text, "\"bytes\":2");
	close(fd);
}

static void bodies_up_to_the_limit_are_taken(void **state)
{
	(void)state;
	static const struct {
		size_t bytes;
		int status;
	} sizes[] = { { 9999, 200 }, { 10000, 200 }, { 10001, 413 } };
	for (size_t i = 0; i < 3; i++) {
		for (int chunked = 0; chunked < 2; chunked++) {
			static char body[10001];
			char head[200];
			int fd = dial(h);
			snprintf(head, sizeof head,
			         "POST /json HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
			say(fd, head);
			if (chunked)
				snprintf(head, sizeof head, "Transfer-Encoding: chunked\r\n\r\n%zx\r\n",
				         sizes[i].bytes);
			else
				snprintf(head, sizeof head, "Content-Length: %zu\r\n\r\n", sizes[i].bytes);
			say(fd, head);
			say_n(fd, body, sizes[i].bytes);
			if (chunked)
				say(fd, "\r\n0\r\n\r\n");
			const struct heard *heard = hear(fd);
			assert_int_equal(status_of(heard->text), sizes[i].status);
			assert_true(heard->end);
			close(fd);
		}
	}
}

/** With the length said, and in one chunk. */
static void an_endpoint_may_take_less_than_the_server(void **state)
{
	(void)state;
	static const struct {
		size_t bytes;
		int status;
	} sizes[] = { { 100, 200 }, { 101, 413 }, { 5000, 413 } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(sizes); i++) {
		for (int chunked = 0; chunked < 2; chunked++) {
			static char body[5000];
			char head[200];
			int fd = dial(h);
			say(fd, "POST /small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n");
			snprintf(head, sizeof head,
			         chunked ? "Transfer-Encoding: chunked\r\n\r\n%zx\r\n"
			                 : "Content-Length: %zu\r\n\r\n",
			         sizes[i].bytes);
			say(fd, head);
			say_n(fd, body, sizes[i].bytes);
			if (chunked)
				say(fd, "\r\n0\r\n\r\n");
			const struct heard *heard = hear(fd);
			assert_int_equal(status_of(heard->text), sizes[i].status);
			if (sizes[i].status == 413)
				assert_has(heard->text, "larger than 100 bytes");
			close(fd);
		}
	}
}

/** Somebody who sends on and on still gets to read the 413, instead of a reset. */
static void an_endless_body_is_cut_with_an_answer(void **state)
{
	(void)state;
	static const char *const heads[] = {
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"GET /healthz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST /key HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 400000\r\n\r\n",
	};
	static const int statuses[] = { 413, 413, 403, 413 };
	char chunk[1007] = "3e8\r\n";
	memset(chunk + 5, 'x', 1000);
	memcpy(chunk + 1005, "\r\n", 2);
	for (size_t i = 0; i < 4; i++) {
		int fd = dial(h);
		say(fd, heads[i]);
		for (int n = 0; n < 300; n++)
			say_n(fd, chunk, sizeof chunk);
		const struct heard *heard = hear(fd);
		assert_int_equal(status_of(heard->text), statuses[i]);
		assert_has(heard->text, "Connection: close\r\n");
		assert_has(heard->text, "\"status\":\"error\"");
		assert_true(heard->end);
		close(fd);
	}
}

GROUP(bodies)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_may_come_in_pieces),
		cmocka_unit_test(continue_is_said_to_who_waits_for_it),
		cmocka_unit_test(bodies_up_to_the_limit_are_taken),
		cmocka_unit_test(an_endpoint_may_take_less_than_the_server),
		cmocka_unit_test(an_endless_body_is_cut_with_an_answer),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
