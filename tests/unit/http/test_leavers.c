/* Clients that have gone, at every stage: their places are free without any time passing. */
#include "server_fixture.h"

#include <pthread.h>

enum { PLACES = 8 };

/* ---- an endpoint that waits until it is let go ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct drg_exchange *waiting[64];
static size_t n_waiting;
static _Atomic int ended;

static int say_late(struct drg_exchange *x)
{
	atomic_fetch_add(&ended, 1);
	drg_buf_lit(drg_exchange_out(x), "{\"late\":true}");
	return DRG_OK;
}

static int wait_for_release(struct drg_exchange *x)
{
	drg_exchange_suspend(x, say_late);
	pthread_mutex_lock(&lock);
	waiting[n_waiting++] = x;
	pthread_mutex_unlock(&lock);
	return DRG_HTTP_SUSPENDED;
}

static void release_all(void)
{
	pthread_mutex_lock(&lock);
	for (; n_waiting > 0; n_waiting--)
		drg_exchange_resume(waiting[n_waiting - 1]);
	pthread_mutex_unlock(&lock);
}

static bool somebody_waits(void)
{
	pthread_mutex_lock(&lock);
	bool some = n_waiting > 0;
	pthread_mutex_unlock(&lock);
	return some;
}

/* ---- an answer that costs nothing to make, and is more than sockets take (2.6 MB) ---- */

static char kept_bytes[5000000];
static struct drg_content kept = {
	.holders = 1,
	.body = { [DRG_CODING_IDENTITY] = { kept_bytes, sizeof kept_bytes } },
	.etag = "k",
	.type = "text/plain",
};

static int say_kept(struct drg_exchange *x)
{
	drg_content_hold(&kept);
	drg_exchange_content(x, &kept, NULL);
	return DRG_OK;
}

static const struct drg_endpoint waiting_endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/kept", .handler = say_kept },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/wait", .handler = wait_for_release },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/wait",
	  .handler = wait_for_release,
	  .body = DRG_BODY_JSON },
	{ .path = NULL },
};

static struct drg_http *start_patient(void)
{
	struct drg_http_options o = test_options();
	o.max_connections = o.max_per_address = PLACES;
	return start_with(&o, waiting_endpoints);
}

/* ---- leaving ---- */

static const struct {
	const char *name, *sent;
	bool hears; /* an answer, before it leaves */
	bool narrow; /* takes little, so that most of a large answer stays with the server */
} stages[] = {
	{ .name = "nothing sent", .sent = "" },
	{ .name = "half a method", .sent = "GE" },
	{ .name = "half a request line", .sent = "GET /healthz HT" },
	{ .name = "half a head", .sent = "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Hal" },
	{ .name = "no body", .sent = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n" },
	{ .name = "half a body", .sent = "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{\"a" },
	{ .name = "half a chunk",
	  .sent = "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{\"a" },
	{ .name = "half a trailer",
	  .sent = "POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n1\r\n0\r\nX: " },
	{ .name = "idle", .sent = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", .hears = true },
	{ .name = "the second head",
	  .sent = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\nGET /hea",
	  .hears = true },
	{ .name = "an answer not read", .sent = "GET /kept HTTP/1.1\r\nHost: a\r\n\r\n", .narrow = true },
	{ .name = "waiting", .sent = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n" },
	{ .name = "waiting, with a body",
	  .sent = "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}" },
	{ .name = "waiting, with another request",
	  .sent = "GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /wait HTTP/1.1\r\nHost: a\r\n\r\n" },
};

enum leaving { CLOSES, HALF_CLOSES_FIRST, RESETS, LEAVING_COUNT };

static void leave(const struct drg_http *h, int fd, enum leaving how)
{
	if (how == HALF_CLOSES_FIRST) {
		shutdown(fd, SHUT_WR);
		look(h);
	}
	if (how == RESETS)
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 },
		           sizeof(struct linger));
	close(fd);
}

/* Has the server taken in what was said? Of a parked request it leaves the next one unread. */
static bool is_taken(const struct drg_http *h, int fd)
{
	struct seen s = see(h, fd);
	return s.there && (s.waiting || unread(fd) == 0);
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, 0) > 0;
}

/** Fill every place and leave, at once or when the server has taken it in; then somebody is served, long
 * before an hour is over: because those who have gone are seen, and for no deadline. */
static void fill_and_leave(struct drg_http *h, size_t stage, enum leaving how, bool at_once)
{
	int fds[PLACES];
	for (int i = 0; i < PLACES; i++) {
		fds[i] = dial(h);
		if (stages[stage].narrow)
			setsockopt(fds[i], SOL_SOCKET, SO_RCVBUF, &(int){ 4096 }, sizeof(int));
		say(fds[i], stages[stage].sent);
	}
	for (int i = 0; i < PLACES && stages[stage].hears; i++)
		hear_answer(fds[i]);
	for (int i = 0; i < PLACES && !at_once; i++)
		wait_until(is_taken(h, fds[i]));
	for (int i = 0; i < PLACES; i++)
		leave(h, fds[i], how);
	int fd = dial(h);
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	for (int looks = 0; !is_readable(fd); clock_pass_ms(2 * DRG_TICK_MS), look(h), a_moment())
		if (++looks > 20000)
			fail_msg("%s, way %d, %s: nobody is served", stages[stage].name, how,
			         at_once ? "at once" : "later");
	assert_int_equal(status_of(hear_answer(fd)->text), 200);
	close(fd);
	release_all();
	/* Who comes next fills every place, and nobody looks meanwhile: places of those who have gone are
	 * free by then. */
	wait_until(atomic_load(&h->n_conns) == 0);
}

static void who_has_gone_frees_the_place(void **state)
{
	(void)state;
	clock_stop();
	struct drg_http *h = start_patient();
	for (size_t stage = 0; stage < sizeof stages / sizeof stages[0]; stage++)
		for (enum leaving how = CLOSES; how < LEAVING_COUNT; how++)
			for (int at_once = 0; at_once <= 1; at_once++)
				fill_and_leave(h, stage, how, at_once);
	stop_passing(h);
	clock_go();
}

/* ---- who closes the sending side and reads ---- */

static void half_closed_clients_get_their_answers(void **state)
{
	(void)state;
	static const char *const requests[] = {
		"GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
		"POST /json HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n",
		"GET /much?n=5000000 HTTP/1.1\r\nHost: a\r\n\r\n",
		"GET /healthz HTTP/1.0\r\n\r\n",
	};
	struct drg_http *h = start_patient();
	for (int at_once = 0; at_once <= 1; at_once++)
		for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
			int fd = dial(h);
			say(fd, requests[i]);
			shutdown(fd, SHUT_WR);
			wait_until(at_once || is_readable(fd));
			const struct heard *heard = hear(fd);
			assert_int_equal(status_of(heard->text), 200);
			assert_true(heard->end && !heard->reset);
			assert_true(i != 3 || heard->n > 5000000);
			close(fd);
		}
	stop_at_once(h);
}

static void pipelined_requests_before_a_half_close_are_answered(void **state)
{
	(void)state;
	struct drg_http *h = start_patient();
	int fd = dial(h);
	for (int i = 0; i < 20; i++)
		say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	shutdown(fd, SHUT_WR);
	const struct heard *heard = hear(fd);
	assert_int_equal(count_of(heard->text, "HTTP/1.1 200 "), 20);
	assert_true(heard->end);
	close(fd);
	stop_at_once(h);
}

static void half_closed_clients_may_wait(void **state)
{
	(void)state;
	static const char *const requests[] = {
		"GET /wait HTTP/1.1\r\nHost: a\r\n\r\n",
		"POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}",
		"GET /wait HTTP/1.0\r\n\r\n",
	};
	clock_stop();
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		struct drg_http *h = start_patient();
		int fd = dial(h);
		say(fd, requests[i]);
		shutdown(fd, SHUT_WR);
		wait_until(somebody_waits());
		while (!see(h, fd).ended || !see(h, fd).waiting)
			look(h);
		clock_pass_ms(2 * DRG_TICK_MS);
		look(h); /* and asked whether he is there still */
		release_all();
		const struct heard *heard = hear(fd);
		assert_has(heard->text, "HTTP/1.1 200 ");
		assert_has(heard->text, "{\"late\":true}");
		assert_int_equal(count_of(heard->text, "HTTP/1.1 102 Processing\r\n\r\n"), i < 2);
		assert_true(heard->end);
		close(fd);
		stop_passing(h);
	}
	clock_go();
}

static void http_1_0_waits_for_a_second_at_most(void **state)
{
	(void)state;
	clock_stop();
	struct drg_http *h = start_patient();
	int fd = dial(h);
	say(fd, "GET /wait HTTP/1.0\r\n\r\n");
	shutdown(fd, SHUT_WR);
	wait_until(somebody_waits());
	while (!see(h, fd).ended || !see(h, fd).waiting)
		look(h);
	clock_pass_ms(900);
	look(h);
	assert_false(is_closed(fd));
	clock_pass_ms(200);
	look(h);
	wait_until(is_closed(fd));
	assert_int_equal(hear(fd)->n, 0);
	close(fd);
	release_all();
	stop_passing(h);
	clock_go();
}

static void whose_client_has_gone_goes_on(void **state)
{
	(void)state;
	struct drg_http *h = start_patient();
	atomic_store(&ended, 0);
	int fd = dial(h);
	say(fd, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_until(somebody_waits());
	close(fd);
	wait_until(atomic_load(&h->n_conns) == 0);
	assert_int_equal(atomic_load(&ended), 0); /* its connection is closed, and the handler waits still */
	release_all();
	assert_int_equal(drg_http_stop(h, HOUR_S), DRG_OK);
	assert_int_equal(atomic_load(&ended), 1);
}

static void leave_errno(struct drg_loop *l, void *ctx)
{
	(void)l, (void)ctx;
	errno = EINTR;
}

/** Who has heard his last answer and goes is not read from any more, whatever a call before has left in
 * errno. */
static void who_lingers_and_goes_is_closed(void **state)
{
	(void)state;
	clock_stop();
	struct drg_http *h = start_patient();
	int fd = dial(h);
	say(fd, "GET /healthz HTTP/2.0\r\n\r\n");
	assert_int_equal(status_of(hear(fd)->text), 505);
	wait_until(atomic_load(&h->n_lingering) == 1);
	on_each_loop(h, leave_errno, NULL);
	close(fd);
	wait_until(atomic_load(&h->n_lingering) == 0);
	stop_passing(h);
	clock_go();
}

static void copy_sockets(struct drg_loop *l, void *copy)
{
	for (const struct drg_conn *c = l->conns; c != NULL; c = c->next)
		*(int *)copy = dup(c->fd);
}

static void count_watched(struct drg_loop *l, void *count)
{
	char path[64], line[256];
	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", l->epoll);
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL)
		*(unsigned *)count += strncmp(line, "tfd:", 4) == 0;
	fclose(f);
}

/** A copy of the process has its sockets too (a snapshot is written in one), so closing them is not enough to
 * hear no more of them: what came then went to a connection that was freed. */
static void who_is_closed_is_not_watched_though_a_copy_has_the_socket(void **state)
{
	(void)state;
	struct drg_http *h = start_patient();
	int fd = dial(h);
	say(fd, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	assert_int_equal(status_of(hear_answer(fd)->text), 200);
	int copy = -1;
	on_each_loop(h, copy_sockets, &copy);
	assert_true(copy >= 0);
	shutdown(fd, SHUT_WR);
	wait_until(atomic_load(&h->n_conns) == 0);
	unsigned watched = 0;
	on_each_loop(h, count_watched, &watched);
	leave(h, fd, RESETS);
	on_each_loop(h, NULL, NULL);
	close(copy);
	assert_int_equal(watched, h->n_loops); /* what wakes each */
	stop_at_once(h);
}

GROUP(leavers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_has_gone_frees_the_place),
		cmocka_unit_test(half_closed_clients_get_their_answers),
		cmocka_unit_test(pipelined_requests_before_a_half_close_are_answered),
		cmocka_unit_test(half_closed_clients_may_wait),
		cmocka_unit_test(http_1_0_waits_for_a_second_at_most),
		cmocka_unit_test(whose_client_has_gone_goes_on),
		cmocka_unit_test(who_lingers_and_goes_is_closed),
		cmocka_unit_test(who_is_closed_is_not_watched_though_a_copy_has_the_socket),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
