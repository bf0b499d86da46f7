/* Large answers are given to the kernel a slice at a time, so that others of the same http thread come in
 * between. */
#include "server_fixture.h"

enum { BODY = 8 << 20, TAKEN_MAX = 1 << 20 };

static atomic_int reader; /* the client's socket that the large answer goes to */
static atomic_int taken; /* how much of it had come when the small one was worked on */
static atomic_bool asked_both;

/* The only http thread waits here until somebody else has asked too. */
static int say_large(struct drg_exchange *x)
{
	while (!atomic_load(&asked_both))
		a_moment();
	struct drg_buf *b = drg_exchange_out(x);
	bool room = drg_buf_reserve(b, BODY);
	for (size_t i = 0; room && i < BODY; i++)
		b->p[i] = (char)('a' + i % 23);
	b->n = room ? BODY : 0;
	drg_exchange_set_type(x, "text/plain");
	return DRG_OK;
}

static int look_at_reader(struct drg_exchange *x)
{
	int n = -1;
	ioctl(atomic_load(&reader), FIONREAD, &n);
	atomic_store(&taken, n);
	return say_ok(x);
}

static const struct drg_endpoint endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/large", .handler = say_large },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/look", .handler = look_at_reader },
	{ .path = NULL },
};

static struct drg_http *start_one_thread(void)
{
	struct drg_http_options o = test_options();
	o.threads = 1;
	o.max_answers = 64 << 20;
	return start_with(&o, endpoints);
}

static int dial_with_room(const struct drg_http *h)
{
	int room = 4 << 20, fd = dial(h);
	setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &room, sizeof room);
	return fd;
}

/* All of a body of BODY bytes, which is right. */
static void assert_whole(int fd)
{
	static char all[BODY + 4096];
	size_t n = 0;
	ssize_t got = 1;
	const char *body = NULL;
	while (got > 0 && (body == NULL || n < (size_t)(body - all) + BODY)) {
		got = recv(fd, all + n, sizeof all - 1 - n, 0);
		n += got > 0 ? (size_t)got : 0;
		all[n] = '\0';
		const char *end = body == NULL ? strstr(all, "\r\n\r\n") : NULL;
		body = end != NULL ? end + 4 : body;
	}
	assert_non_null(body);
	assert_has(all, "Content-Length: 8388608\r\n");
	assert_int_equal(n - (size_t)(body - all), BODY);
	for (size_t i = 0; i < BODY; i++)
		if (body[i] != (char)('a' + i % 23))
			fail_msg("byte %zu is another", i);
}

static void others_come_between_two_slices(void **state)
{
	(void)state;
	struct drg_http *h = start_one_thread();
	atomic_store(&asked_both, false);
	atomic_store(&taken, -1);
	int large = dial_with_room(h), small = dial(h);
	say(small, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n"); /* so that the thread has it already */
	assert_int_equal(status_of(hear_answer(small)->text), 200);
	atomic_store(&reader, large);
	say(large, "GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
	say(small, "GET /look HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_until(unread(small) > 0);
	atomic_store(&asked_both, true);
	assert_int_equal(status_of(hear_some(small, 1)->text), 200);
	assert_in_range(atomic_load(&taken), 0, TAKEN_MAX);
	assert_whole(large);
	close(large);
	close(small);
	drg_http_stop(h, 1);
}

GROUP(slices)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(others_come_between_two_slices),
	};
	return cmocka_run_group_tests_name("http/slices", tests, NULL, NULL);
}
