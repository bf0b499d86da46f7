/* Bodies that another thread writes while they are sent. */
#include "server_fixture.h"

#include <pthread.h>

#include "http/stream.h"

/* The writer of one body, in a thread of its own. */
struct writer {
	pthread_t thread;
	struct drg_stream *stream;
	struct drg_exchange *x;
	size_t bytes; /* to write */
	int pause; /* moments before each piece */
	bool complete;
	_Atomic int rc; /* of the last piece */
	_Atomic size_t written;
	_Atomic bool over;
};

enum { PIECE = 1000 };

static struct writer writer;

static void *run_writer(void *arg)
{
	struct writer *w = arg;
	char piece[PIECE];
	memset(piece, 's', sizeof piece);
	drg_exchange_resume(w->x);
	int rc = DRG_OK;
	while (rc == DRG_OK && w->written < w->bytes) {
		for (int i = 0; i < w->pause; i++)
			a_moment();
		rc = drg_stream_write(w->stream, drg_str(piece, sizeof piece));
		if (rc == DRG_OK)
			w->written += sizeof piece;
	}
	w->rc = rc;
	drg_stream_end(w->stream, w->complete && rc == DRG_OK);
	w->over = true;
	return NULL;
}

static int say_type(struct drg_exchange *x)
{
	drg_exchange_set_type(x, "text/plain");
	return DRG_OK;
}

static int start_stream(struct drg_exchange *x)
{
	writer.x = x;
	int rc = drg_exchange_stream(x, &writer.stream);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_suspend(x, say_type);
	pthread_create(&writer.thread, NULL, run_writer, &writer);
	return DRG_HTTP_SUSPENDED;
}

static int fail_with_stream(struct drg_exchange *x)
{
	int rc = drg_exchange_stream(x, &writer.stream);
	if (rc != DRG_OK)
		return rc;
	drg_stream_end(writer.stream, false);
	return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(busy), NULL, "not now");
}

static const struct drg_endpoint endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/stream", .handler = start_stream },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/stream/fail", .handler = fail_with_stream },
	{ .path = NULL },
};

static struct drg_http *begin(size_t bytes, int pause, bool complete)
{
	struct drg_http_options o = test_options();
	writer = (struct writer){ .bytes = bytes, .pause = pause, .complete = complete };
	return start_with(&o, endpoints);
}

static const char ASK[] = "GET /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/* All that comes until the end of the connection; how often the letter of the body is in it, and the end of
 * chunks. */
static size_t read_all(int fd, bool *ret_ended)
{
	static char buf[1 << 16];
	char last[5] = "";
	size_t letters = 0;
	ssize_t n;
	while ((n = recv(fd, buf, sizeof buf, 0)) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			letters += buf[i] == 's';
			memmove(last, last + 1, 4);
			last[4] = buf[i];
		}
	}
	*ret_ended = memcmp(last, "0\r\n\r\n", 5) == 0;
	return letters;
}

static void finish(struct drg_http *h, int fd)
{
	close(fd);
	stop_at_once(h);
	pthread_join(writer.thread, NULL);
	assert_true(writer.over);
}

static void a_body_arrives_whole_whatever_its_pace(void **state)
{
	(void)state;
	const struct {
		size_t bytes;
		int pause;
	} cases[] = { { 0, 0 }, { PIECE, 20 }, { 20 * PIECE, 5 }, { 20000 * PIECE, 0 } };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		bool ended;
		struct drg_http *h = begin(cases[i].bytes, cases[i].pause, true);
		int fd = dial(h);
		say(fd, ASK);
		size_t letters = read_all(fd, &ended);
		/* The head has some of its own. */
		assert_in_range(letters, cases[i].bytes, cases[i].bytes + 40);
		assert_true(ended);
		finish(h, fd);
	}
}

/* Has it not written anything for so many looks? */
static bool stands_still(size_t *before, size_t *looks)
{
	enum { LOOKS = 100 };
	size_t now = writer.written;
	*looks = now > 0 && now == *before ? *looks + 1 : 0;
	*before = now;
	return *looks == LOOKS;
}

static void a_writer_waits_for_a_reader_that_does_not_read(void **state)
{
	(void)state;
	bool ended;
	struct drg_http *h = begin(30000 * PIECE, 0, true);
	int fd = dial(h);
	say(fd, ASK);
	/* The kernel's buffers grow for a while. */
	size_t before = 0, looks = 0;
	wait_until(stands_still(&before, &looks));
	assert_true(before < writer.bytes);
	assert_true(read_all(fd, &ended) >= writer.bytes);
	assert_true(ended);
	finish(h, fd);
}

static void a_writer_hears_that_its_reader_has_gone(void **state)
{
	(void)state;
	struct drg_http *h = begin(SIZE_MAX, 1, true);
	int fd = dial(h);
	say(fd, ASK);
	wait_until(writer.written > 10 * PIECE);
	finish(h, fd);
	assert_int_equal(writer.rc, DRG_ESTOPPED);
}

static void what_is_not_complete_is_cut(void **state)
{
	(void)state;
	bool ended;
	struct drg_http *h = begin(50 * PIECE, 0, false);
	int fd = dial(h);
	say(fd, ASK);
	read_all(fd, &ended);
	assert_false(ended);
	finish(h, fd);
}

static void a_stop_cuts_what_does_not_end(void **state)
{
	(void)state;
	for (int pause = 0; pause <= 40; pause += 20) {
		struct drg_http *h = begin(SIZE_MAX, pause, true);
		int fd = dial(h);
		say(fd, ASK);
		wait_until(writer.written > 0);
		stop_at_once(h);
		pthread_join(writer.thread, NULL);
		assert_int_equal(writer.rc, DRG_ESTOPPED);
		close(fd);
	}
}

static void head_has_no_body_and_failures_have_their_own(void **state)
{
	(void)state;
	struct drg_http *h = begin(SIZE_MAX, 0, true);
	int fd = dial(h);
	say(fd, "GET /stream/fail HTTP/1.1\r\nHost: a\r\n\r\n");
	say(fd, "HEAD /stream HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	const struct heard *heard = hear(fd);
	assert_has(heard->text, "HTTP/1.1 503 ");
	assert_has(heard->text, "\"busy\"");
	assert_has(heard->text, "HTTP/1.1 200 ");
	assert_has(heard->text, "text/plain");
	finish(h, fd);
	assert_int_equal(writer.rc, DRG_ESTOPPED);
}

GROUP(stream)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_body_arrives_whole_whatever_its_pace),
		cmocka_unit_test(a_writer_waits_for_a_reader_that_does_not_read),
		cmocka_unit_test(a_writer_hears_that_its_reader_has_gone),
		cmocka_unit_test(what_is_not_complete_is_cut),
		cmocka_unit_test(a_stop_cuts_what_does_not_end),
		cmocka_unit_test(head_has_no_body_and_failures_have_their_own),
	};
	return cmocka_run_group_tests_name("http/stream", tests, NULL, NULL);
}
