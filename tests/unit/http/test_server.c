/* Start and stop, waiting handlers, the limit of connections, the access log. */
#include "server_fixture.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>

static const char CLOSING[] = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

/* ---- handlers that wait for another thread ---- */

/** Works off exchanges like the writer of the service: at once, or when it is let go. */
struct worker {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t wake;
	struct drg_exchange *queue[4096];
	size_t n;
	bool held, stop;
};

static struct worker worker;
static char done[] = "done";

static void *run_worker(void *arg)
{
	struct worker *w = arg;
	pthread_mutex_lock(&w->lock);
	while (!w->stop || w->n > 0) {
		while ((w->n == 0 || w->held) && !w->stop)
			pthread_cond_wait(&w->wake, &w->lock);
		if (w->n == 0)
			continue;
		struct drg_exchange *x = w->queue[--w->n];
		pthread_mutex_unlock(&w->lock);
		drg_exchange_set_data(x, done);
		drg_exchange_resume(x);
		pthread_mutex_lock(&w->lock);
	}
	pthread_mutex_unlock(&w->lock);
	return NULL;
}

static void start_worker(bool held)
{
	worker = (struct worker){ .held = held };
	pthread_mutex_init(&worker.lock, NULL);
	pthread_cond_init(&worker.wake, NULL);
	pthread_create(&worker.thread, NULL, run_worker, &worker);
}

static void hold_worker(bool held)
{
	pthread_mutex_lock(&worker.lock);
	worker.held = held;
	pthread_cond_broadcast(&worker.wake);
	pthread_mutex_unlock(&worker.lock);
}

static void stop_worker(void)
{
	pthread_mutex_lock(&worker.lock);
	worker.stop = true;
	pthread_cond_broadcast(&worker.wake);
	pthread_mutex_unlock(&worker.lock);
	pthread_join(worker.thread, NULL);
}

static void queue_up(struct drg_exchange *x)
{
	pthread_mutex_lock(&worker.lock);
	worker.queue[worker.n++] = x;
	pthread_cond_signal(&worker.wake);
	pthread_mutex_unlock(&worker.lock);
}

static _Atomic int started, ended;

static int after_second_wait(struct drg_exchange *x)
{
	atomic_fetch_add(&ended, 1);
	drg_buf_printf(drg_exchange_out(x), "{\"data\":\"%s twice\"}", (const char *)drg_exchange_data(x));
	return DRG_OK;
}

static int after_first_wait(struct drg_exchange *x)
{
	drg_exchange_suspend(x, after_second_wait);
	queue_up(x);
	return DRG_HTTP_SUSPENDED;
}

static int wait_twice(struct drg_exchange *x)
{
	atomic_fetch_add(&started, 1);
	drg_exchange_suspend(x, after_first_wait);
	queue_up(x);
	return DRG_HTTP_SUSPENDED;
}

static int fail_after_wait(struct drg_exchange *x)
{
	return drg_fail(drg_exchange_err(x), DRG_EBUSY, DRG_R(queue_full), NULL, "the queue is full");
}

static int wait_and_fail(struct drg_exchange *x)
{
	drg_exchange_suspend(x, fail_after_wait);
	queue_up(x);
	return DRG_HTTP_SUSPENDED;
}

static const struct drg_endpoint waiting_endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/wait",
	  .handler = wait_twice,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/wait", .handler = wait_twice },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/wait/fail", .handler = wait_and_fail },
	{ .path = NULL },
};

static void a_handler_can_wait_again_and_again(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	start_worker(false);
	struct drg_http *h = start_with(&o, waiting_endpoints);
	int fd = dial(h);
	for (int i = 0; i < 10; i++)
		say(fd, "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}");
	say(fd, "GET /wait/fail HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	const struct heard *heard = hear(fd);
	assert_int_equal(count_of(heard->text, "done twice"), 10);
	assert_has(heard->text, "HTTP/1.1 503 ");
	assert_has(heard->text, "queue_full");
	close(fd);
	drg_http_stop(h, 1);
	stop_worker();
}

struct client {
	int fd; /* dialled by the test's own thread: what fails elsewhere ends the program without a word */
	pthread_t thread;
	bool large; /* it sends bodies that a worker works on */
	int answered;
	bool ended; /* by the server */
};

enum { LARGE_BODY = 16 * 1024 };

static void say_wait(int fd, bool large)
{
	char request[LARGE_BODY + 256];
	if (!large) {
		say(fd, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
		return;
	}
	int n = snprintf(request, sizeof request,
	                 "POST /wait HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n\r\n", LARGE_BODY);
	memset(request + n, ' ', LARGE_BODY);
	say_n(fd, request, (size_t)n + LARGE_BODY);
}

static void *run_client(void *arg)
{
	struct client *c = arg;
	int fd = c->fd;
	for (int i = 0; i < 200 && !c->ended; i++) {
		say_wait(fd, c->large);
		c->ended = strstr(hear_answer(fd)->text, "done twice\"}") == NULL;
		c->answered += !c->ended;
	}
	close(fd);
	return NULL;
}

/** The resumption comes from another thread as soon as it can: often before the handler has returned. */
static void resuming_at_once_loses_nobody(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct client clients[8];
	o.max_body = LARGE_BODY;
	start_worker(false);
	struct drg_http *h = start_with(&o, waiting_endpoints);
	for (int i = 0; i < 8; i++) {
		clients[i] = (struct client){ .fd = dial(h), .large = i % 2 != 0 };
		pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
	}
	for (int i = 0; i < 8; i++) {
		pthread_join(clients[i].thread, NULL);
		assert_int_equal(clients[i].answered, 200);
	}
	drg_http_stop(h, 1);
	stop_worker();
}

static void who_leaves_while_waiting_does_no_harm(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	start_worker(true);
	struct drg_http *h = start_with(&o, waiting_endpoints);
	for (int i = 0; i < 60; i++) {
		int fd = dial(h), before = atomic_load(&started);
		say(fd, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
		if (i % 4 < 2)
			wait_until(atomic_load(&started) > before);
		hold_worker(i % 8 < 4);
		if (i % 3 == 0)
			setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 },
			           sizeof(struct linger));
		close(fd);
	}
	hold_worker(false);
	assert_int_equal(status_of(ask(h, CLOSING)), 200);
	assert_int_equal(drg_http_stop(h, HOUR_S), DRG_OK);
	assert_int_equal(atomic_load(&ended), atomic_load(&started));
	stop_worker();
}

/* ---- start and stop ---- */

static char waited_for[200];

static void hear_of_waiting(void *ctx, const char *what)
{
	(void)ctx;
	snprintf(waited_for, sizeof waited_for, "%s", what);
}

static void stop_waits_for_what_is_under_way(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct stopping stopping;
	start_worker(true);
	atomic_store(&started, 0);
	struct drg_http *h = start_with(&o, waiting_endpoints);
	int working = dial(h), idle = dial(h), fresh = dial(h);
	say(idle, "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
	assert_int_equal(status_of(hear_answer(idle)->text), 200);
	say(working, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_until(atomic_load(&started) == 1 && see(h, fresh).there);
	begin_stop(&stopping, h, HOUR_S);
	wait_until(is_closed(idle) && is_closed(fresh));
	assert_false(is_closed(working));
	assert_false(stopping.call.done);
	hold_worker(false);
	const struct heard *heard = hear(working);
	assert_has(heard->text, "done twice");
	assert_has(heard->text, "Connection: close");
	clock_call_end(&stopping.call, 0);
	assert_int_equal(stopping.rc, DRG_OK);
	close(working);
	close(idle);
	close(fresh);
	stop_worker();
}

/** Those that wait are waited for, and answered or cut: their handlers hold things. */
static void stop_at_once_still_waits_for_the_suspended(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct stopping stopping;
	clock_stop(); /* or a busy machine makes its second pass */
	start_worker(true);
	atomic_store(&started, 0);
	atomic_store(&ended, 0);
	struct drg_http *h = start_with(&o, waiting_endpoints);
	int fds[2];
	for (int i = 0; i < 2; i++) {
		fds[i] = dial(h);
		say(fds[i], "GET /wait HTTP/1.1\r\nHost: a\r\n\r\nGET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
	}
	wait_until(atomic_load(&started) == 2);
	begin_stop(&stopping, h, 0);
	/* Until a connection is cut, its answer may still be sent. */
	wait_until(is_closed(fds[0]) && is_closed(fds[1]));
	assert_false(stopping.call.done);
	hold_worker(false);
	clock_call_end(&stopping.call, 0);
	assert_int_equal(stopping.rc, DRG_OK);
	clock_go();
	/* Each had been suspended once, and again; their second requests were not begun. */
	assert_int_equal(atomic_load(&started), 2);
	assert_int_equal(atomic_load(&ended), 2);
	for (int i = 0; i < 2; i++) {
		assert_int_equal(count_of(hear(fds[i])->text, "done twice"), 0);
		close(fds[i]);
	}
	stop_worker();
}

/** A handler that nobody resumes: the stop gives up, and says so. */
static void a_handler_that_hangs_is_told(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct stopping stopping;
	clock_stop();
	start_worker(true);
	atomic_store(&started, 0);
	o.waits = hear_of_waiting;
	struct drg_http *h = start_with(&o, waiting_endpoints);
	int fd = dial(h);
	say(fd, "GET /wait HTTP/1.1\r\nHost: a\r\n\r\n");
	wait_until(atomic_load(&started) == 1);
	for (unsigned seconds = 0; seconds <= 1; seconds++) {
		int64_t began_ns = clock_ns;
		waited_for[0] = '\0';
		begin_stop(&stopping, h, seconds);
		clock_call_end(&stopping.call, 1);
		assert_int_equal(stopping.rc, DRG_EBUSY);
		assert_true(clock_ns - began_ns >= INT64_C(1000000000) * (1 + seconds)); /* a second more */
		assert_has(waited_for, "1 requests that are worked for");
	}
	hold_worker(false);
	begin_stop(&stopping, h, 100 * HOUR_S);
	clock_call_end(&stopping.call, 50);
	assert_int_equal(stopping.rc, DRG_OK); /* it did not hang for ever */
	clock_go();
	close(fd);
	stop_worker();
}

static void who_reads_nothing_is_not_waited_for(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct stopping stopping;
	clock_stop();
	struct drg_http *h = start_with(&o, NULL);
	int fd = dial(h);
	say(fd, "GET /much?n=40000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	hear_some(fd, 1);
	begin_stop(&stopping, h, 100 * HOUR_S);
	clock_call_end(&stopping.call, 50); /* 60000 looks are less than an hour */
	assert_int_equal(stopping.rc, DRG_OK);
	clock_go();
	close(fd);
}

/** Somebody who takes a second for each part of an answer. */
static void who_reads_slowly_is_waited_for(void **state)
{
	(void)state;
	enum { PART = 1000000 };
	struct drg_http_options o = test_options();
	struct stopping stopping;
	clock_stop();
	struct drg_http *h = start_with(&o, NULL);
	/* The server sees what the client's kernel has taken. With a buffer of several parts a part could come
	 * out of it, and the server would see nothing taken in that second. */
	int fd = dial(h);
	assert_int_equal(setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &(int){ PART / 10 }, sizeof(int)), 0);
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	size_t n = hear_some(fd, 1)->n;
	begin_stop(&stopping, h, 100 * HOUR_S);
	for (bool end = false; !end;) {
		const struct heard *heard = hear_some(fd, PART);
		end = heard->end || heard->reset;
		n += heard->n;
		/* A part was taken in each second: the stop looks at no more than that. */
		clock_pass_ms(1000);
	}
	clock_call_end(&stopping.call, 0);
	assert_int_equal(stopping.rc, DRG_OK);
	clock_go();
	close(fd);
	assert_true(n >= 20000000);
}

/** A loop's thread that is held up for two seconds in the middle of a look at a client, then between two. */
struct late {
	int end, fd; /* the server's and the client's socket */
	bool waited; /* it did not cut the client */
};

/** Let the loop look, by a clock that it read @p before_ms ago. @return whether the connection is open. */
static bool look_at(struct drg_conn *c, int64_t before_ms)
{
	struct drg_census all = { 0 };
	drg_conn_check(c, clock_ns - before_ms * 1000000, false, &all);
	return c->fd >= 0;
}

static void look_late(struct drg_loop *l, void *ctx)
{
	struct late *late = ctx;
	struct drg_conn *c = l->conns;
	char part[16 * 1024];
	int left = 1;
	while (c != NULL && c->fd != late->end)
		c = c->next;
	if (c == NULL)
		return;
	clock_pass_ms(2000); /* in the first look, after it has read the clock */
	late->waited = look_at(c, 2000) && look_at(c, 0);
	/* The client takes all that there is, and then waits for two seconds for this thread. */
	while (late->waited && ioctl(c->fd, SIOCOUTQ, &left) == 0 && left > 0)
		recv(late->fd, part, sizeof part, MSG_DONTWAIT);
	late->waited = late->waited && look_at(c, 0);
	clock_pass_ms(2000);
	late->waited = late->waited && look_at(c, 0);
}

static void a_server_that_is_late_cuts_nobody(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	clock_stop();
	struct drg_http *h = start_with(&o, NULL);
	int fd = dial(h);
	say(fd, "GET /much?n=40000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	hear_some(fd, 1);
	atomic_store(&h->draining, true); /* as in a stop, with looks by look_late() alone */
	struct late late = { .end = other_end(fd), .fd = fd };
	on_each_loop(h, look_late, &late);
	assert_true(late.waited);
	stop_at_once(h);
	clock_go();
	close(fd);
}

/** Whoever was told anything was told all of it, and nobody is left waiting in the server. */
static void stop_under_load(void **state)
{
	(void)state;
	clock_stop(); /* nobody is cut because the machine is busy */
	for (int round = 0; round < 10; round++) {
		struct drg_http_options o = test_options();
		struct client clients[4];
		o.max_body = LARGE_BODY;
		start_worker(false);
		atomic_store(&started, 0);
		atomic_store(&ended, 0);
		struct drg_http *h = start_with(&o, waiting_endpoints);
		for (int i = 0; i < 4; i++) {
			clients[i] = (struct client){ .fd = dial(h), .large = i % 2 != 0 };
			pthread_create(&clients[i].thread, NULL, run_client, &clients[i]);
		}
		wait_until(atomic_load(&ended) > round * 5);
		assert_int_equal(drg_http_stop(h, (unsigned)round % 2 * HOUR_S), DRG_OK);
		int answered = 0;
		for (int i = 0; i < 4; i++) {
			pthread_join(clients[i].thread, NULL);
			answered += clients[i].answered;
		}
		stop_worker();
		assert_int_equal(atomic_load(&started), atomic_load(&ended));
		assert_true(answered <= atomic_load(&ended));
		/* With time to drain, whatever was begun is answered: the last answers say so. */
		if (round % 2 != 0)
			assert_int_equal(answered, atomic_load(&ended));
	}
	clock_go();
}

static void a_taken_port_and_a_bad_address_are_told(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	struct drg_http *first = start_with(&o, NULL), *second = NULL;
	const struct drg_endpoint *tables[] = { basic_endpoints, NULL };
	struct drg_http_app app = { .tables = tables, .authorize = check_key };
	struct drg_err err = { 0 };
	o.port = drg_http_port(first);
	assert_int_equal(drg_http_start(&o, &app, &second, &err), DRG_EEXIST);
	assert_has(err.message, "is taken");
	static const char *const addresses[] = { "localhost.", "256.1.1.1", "", "192.0.2.1" };
	for (size_t i = 0; i < 4; i++) {
		o.address = addresses[i];
		assert_int_equal(drg_http_start(&o, &app, &second, &err), DRG_EINVAL);
	}
	assert_null(second);
	drg_http_stop(first, 0);
	drg_http_stop(NULL, 0);
}

static void endpoints_that_collide_are_told(void **state)
{
	(void)state;
	const struct drg_endpoint *tables[] = { basic_endpoints, basic_endpoints, NULL };
	struct drg_http_options o = test_options();
	struct drg_http_app app = { .tables = tables };
	struct drg_http *h = NULL;
	assert_int_equal(drg_http_start(&o, &app, &h, NULL), DRG_EEXIST);
	assert_null(h);
}

static void ipv6_works(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.address = "::1";
	struct drg_http *h = start_with(&o, NULL);
	struct sockaddr_in6 a = { .sin6_family = AF_INET6, .sin6_port = htons(drg_http_port(h)) };
	a.sin6_addr = in6addr_loopback;
	int fd = socket(AF_INET6, SOCK_STREAM, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	say(fd, CLOSING);
	assert_int_equal(status_of(hear(fd)->text), 200);
	close(fd);
	drg_http_stop(h, 1);
}

static void connections_beyond_the_limit_wait(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.max_connections = o.max_per_address = 4;
	struct drg_http *h = start_with(&o, NULL);
	int fds[12];
	for (int i = 0; i < 12; i++)
		fds[i] = dial(h);
	/* those that came first make room when they have sent nothing for half a second, and the others get
	 * their turn */
	int last = dial(h);
	say(last, CLOSING);
	assert_int_equal(status_of(hear(last)->text), 200);
	close(last);
	for (int i = 0; i < 12; i++)
		close(fds[i]);
	drg_http_stop(h, 1);
}

/** Its threads begin to work before the start is over, and some starts are slow. */
static void it_can_be_started_a_hundred_times(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	for (int i = 0; i < 100; i++)
		assert_int_equal(drg_http_stop(start_with(&o, NULL), 0), DRG_OK);
}

static void one_thread_is_enough(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	o.threads = 1;
	struct drg_http *h = start_with(&o, NULL);
	assert_int_equal(status_of(ask(h, CLOSING)), 200);
	drg_http_stop(h, 1);
}

/* ---- the access log ---- */

static char *read_file(const char *path)
{
	static char text[64 * 1024];
	int fd = open(path, O_RDONLY);
	ssize_t n = fd >= 0 ? read(fd, text, sizeof text - 1) : 0;
	text[n > 0 ? n : 0] = '\0';
	if (fd >= 0)
		close(fd);
	return text;
}

static void requests_are_logged(void **state)
{
	(void)state;
	char dir[64], path[80], moved[80];
	assert_non_null(mkdtemp(temp_path("dragoman-test-XXXXXX", dir, sizeof dir)));
	snprintf(path, sizeof path, "%s/access.log", dir);
	snprintf(moved, sizeof moved, "%s/access.log.1", dir);
	struct drg_http_options o = test_options();
	clock_stop();
	o.access_log = path;
	struct drg_http *h = start_with(&o, NULL);
	ask(h,
	    "GET /healthz?key=secret HTTP/1.1\r\nHost: a\r\nX-Request-Id: r1\r\nConnection: close\r\n\r\n");
	ask(h, "HEAD /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: r2\r\nConnection: close\r\n\r\n");
	ask(h, "POST /key HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: good\r\nX-Request-Id: r3\r\nConnection: "
	       "close\r\n\r\n");
	ask(h, "GET /a\"%22\xff HTTP/1.1\r\nHost: a\r\nX-Request-Id: r4\r\nConnection: close\r\n\r\n");
	int fd = dial(h);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nX-Request-Id: r5\r\nContent-Length: 10\r\n\r\nabc");
	close(fd);
	fd = dial(h);
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\nX-Request-Id: r7\r\n\r\n");
	close(fd);
	fd = dial(h);
	say(fd, "POST /json HTTP/1.1\r\nHost: a\r\nX-Request-Id: r8\r\nTransfer-Encoding: chunked\r\n\r\n");
	for (int i = 0; i < 1001; i++)
		say(fd, "a\r\n0123456789\r\n");
	assert_int_equal(status_of(hear(fd)->text), 413);
	close(fd);
	ask(h, "POST /json HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n");
	/* r5 and r7 are cut: their clients have gone. The log is written out each second. */
	wait_and_pass(50, count_of(read_file(path), ",\"cut\":true}\n") == 2 &&
	                          strstr(read_file(path),
	                                 "\"path\":\"/json\",\"route\":null,\"status\":400,") != NULL);
	char *text = read_file(path);
	assert_has(text, "{\"time\":\"20");
	assert_has(text, "Z\",\"request_id\":\"r1\",\"remote\":\"127.0.0.1\",\"method\":\"GET\",\"path\":\"/"
	                 "healthz\",\"route\":"
	                 "\"/healthz\",\"status\":200,\"bytes\":20,\"us\":");
	assert_has_not(text, "secret");
	assert_has(text, "\"r2\",\"remote\":\"127.0.0.1\",\"method\":\"HEAD\",\"path\":\"/"
	                 "healthz\",\"route\":\"/healthz\","
	                 "\"status\":200,\"bytes\":0,");
	assert_has(text, "\"request_id\":\"r3\"");
	assert_has(text, ",\"key\":7}\n");
	assert_has(text, "\"path\":\"/a\\\"%22?\",\"route\":null,\"status\":400,");
	assert_has(text, "\"request_id\":\"r5\",\"remote\":\"127.0.0.1\",\"method\":\"POST\",\"path\":\"/"
	                 "json\",\"route\":\"/json\","
	                 "\"status\":0,\"bytes\":0,");
	assert_has(text, ",\"cut\":true}\n");

	assert_has(
	        text,
	        "\"r7\",\"remote\":\"127.0.0.1\",\"method\":\"GET\",\"path\":\"/much\",\"route\":\"/much\","
	        "\"status\":200,\"bytes\":0,");
	assert_int_equal(count_of(text, ",\"cut\":true}\n"), 2);
	assert_has(text, "\"status\":413,");
	assert_has(text, "\"path\":\"/json\",\"route\":null,\"status\":400,");

	assert_int_equal(rename(path, moved), 0);
	drg_http_reopen_log(h);
	wait_until(access(path, F_OK) == 0);
	ask(h, "GET /healthz HTTP/1.1\r\nHost: a\r\nX-Request-Id: r6\r\nConnection: close\r\n\r\n");
	stop_passing(h);
	clock_go();
	text = read_file(path);
	assert_has(text, "\"r6\"");
	assert_has_not(text, "\"r5\"");
	unlink(path);
	unlink(moved);
	rmdir(dir);
}

static void a_log_that_cannot_be_opened_is_told(void **state)
{
	(void)state;
	const struct drg_endpoint *tables[] = { basic_endpoints, NULL };
	struct drg_http_app app = { .tables = tables };
	struct drg_http_options o = test_options();
	struct drg_http *h = NULL;
	struct drg_err err = { 0 };
	o.access_log = "/nonexistent/access.log";
	assert_int_not_equal(drg_http_start(&o, &app, &h, &err), DRG_OK);
	assert_has(err.message, "/nonexistent/access.log");
}

GROUP(server)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_handler_can_wait_again_and_again),
		cmocka_unit_test(resuming_at_once_loses_nobody),
		cmocka_unit_test(who_leaves_while_waiting_does_no_harm),
		cmocka_unit_test(stop_waits_for_what_is_under_way),
		cmocka_unit_test(stop_at_once_still_waits_for_the_suspended),
		cmocka_unit_test(a_handler_that_hangs_is_told),
		cmocka_unit_test(who_reads_nothing_is_not_waited_for),
		cmocka_unit_test(who_reads_slowly_is_waited_for),
		cmocka_unit_test(a_server_that_is_late_cuts_nobody),
		cmocka_unit_test(stop_under_load),
		cmocka_unit_test(a_taken_port_and_a_bad_address_are_told),
		cmocka_unit_test(endpoints_that_collide_are_told),
		cmocka_unit_test(ipv6_works),
		cmocka_unit_test(connections_beyond_the_limit_wait),
		cmocka_unit_test(it_can_be_started_a_hundred_times),
		cmocka_unit_test(one_thread_is_enough),
		cmocka_unit_test(requests_are_logged),
		cmocka_unit_test(a_log_that_cannot_be_opened_is_told),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
