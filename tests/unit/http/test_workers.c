/* Requests with large bodies: they are worked on beside the http threads. */
#include "server_fixture.h"

#include <pthread.h>
#include <sys/resource.h>

static const char CLOSING[] = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

enum { LARGE = 16 * 1024 };

static atomic_int at_work, of_others;
static atomic_bool held; /* nobody comes to the end of the work */

static atomic_int told; /* that the client has left */

static void note_leave(struct drg_exchange *x)
{
	atomic_fetch_add(&told, 1);
	drg_exchange_resume(x);
}

/* After some work, waits for what does not come. */
static int wait_in_vain(struct drg_exchange *x)
{
	atomic_fetch_add(&at_work, 1);
	while (atomic_load(&held))
		a_moment();
	atomic_fetch_sub(&at_work, 1);
	drg_exchange_suspend(x, say_ok);
	drg_exchange_on_disconnect(x, note_leave);
	return DRG_HTTP_SUSPENDED;
}

/* Says at which priority it runs. */
static int work_held(struct drg_exchange *x, atomic_int *n)
{
	atomic_fetch_add(n, 1);
	while (atomic_load(&held))
		a_moment();
	atomic_fetch_sub(n, 1);
	drg_buf_printf(drg_exchange_out(x), "nice %d of %.*s", getpriority(PRIO_PROCESS, 0),
	               DRG_STR_ARG(drg_exchange_header(x, "X-Service-Api-Key")));
	return DRG_OK;
}

static int work_slowly(struct drg_exchange *x)
{
	return work_held(x, &at_work);
}

static int work_for_a_key(struct drg_exchange *x)
{
	return work_held(x, &of_others);
}

static int refuse(struct drg_exchange *x)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(bad_body), "body", "body: nobody likes it");
}

/* And what it was asked. */
static int say_priority(struct drg_exchange *x)
{
	struct drg_str q = drg_exchange_text(x, "q");
	drg_buf_printf(drg_exchange_out(x), "nice %d, %zu of %.3s", getpriority(PRIO_PROCESS, 0), q.n, q.p);
	return DRG_OK;
}

/* What the handlers above say; the tests may be run with less priority themselves. */
static const char *nice_of(bool on_worker, const char *rest)
{
	static char text[64];
	int own = getpriority(PRIO_PROCESS, 0);
	snprintf(text, sizeof text, "nice %d%s", on_worker && own < 10 ? 10 : own, rest);
	return text;
}

static bool is_work(const struct drg_exchange *x)
{
	return drg_exchange_has(x, "near");
}

static const struct drg_param asked_params[] = {
	{ .name = "q", .type = DRG_P_TEXT, .required = true, .doc = "anything" },
	{ .name = "near", .type = DRG_P_TEXT, .doc = "it takes long" },
	{ 0 },
};

enum { ASKED_LARGE = 512 };

static const struct drg_endpoint endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/slow",
	  .handler = work_slowly,
	  .body = DRG_BODY_JSON },
	{ .auth = AUTH_KEY,
	  .method = DRG_POST,
	  .path = "/key/slow",
	  .handler = work_for_a_key,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/wait",
	  .handler = wait_in_vain,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/refuse",
	  .handler = refuse,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_GET,
	  .path = "/asked",
	  .handler = say_priority,
	  .params = asked_params,
	  .work_from = ASKED_LARGE },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_GET,
	  .path = "/near",
	  .handler = say_priority,
	  .params = asked_params,
	  .is_work = is_work },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_GET,
	  .path = "/light",
	  .handler = say_priority,
	  .params = asked_params },
	{ .path = NULL },
};

static struct drg_http *start_workers(unsigned threads)
{
	struct drg_http_options o = test_options();
	o.threads = threads;
	o.max_body = 1 << 20;
	return start_with(&o, endpoints);
}

static int post(const struct drg_http *h, const char *path, size_t n)
{
	static char request[LARGE + 1024];
	int at = snprintf(
	        request, sizeof request,
	        "POST %s HTTP/1.1\r\nHost: a\r\nX-Service-Api-Key: good\r\nContent-Length: %zu\r\n\r\n", path,
	        n);
	memset(request + at, 'x', n);
	int fd = dial(h);
	say_n(fd, request, (size_t)at + n);
	return fd;
}

static void a_large_body_keeps_nobody_waiting(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(1);
	atomic_store(&held, true);
	int fd = post(h, "/slow", LARGE);
	wait_until(atomic_load(&at_work) == 1);
	assert_int_equal(status_of(ask(h, CLOSING)), 200);
	assert_int_equal(atomic_load(&at_work), 1);
	atomic_store(&held, false);
	assert_has(hear_some(fd, 1)->text, nice_of(true, " of good"));
	close(fd);
	/* A smaller one is worked on where it came in. */
	fd = post(h, "/slow", LARGE - 1);
	assert_has(hear_some(fd, 1)->text, nice_of(false, " of good"));
	close(fd);
	drg_http_stop(h, 1);
}

/* Where an endpoint says from how many bytes it is much work, those of the query count as well. */
static void so_does_a_long_query(void **state)
{
	(void)state;
	static const struct {
		const char *path;
		size_t n; /* of the query, with its "q=" */
		bool on_worker;
	} cases[] = { { "/asked", ASKED_LARGE - 1, false },
		      { "/asked", ASKED_LARGE, true },
		      { "/light", ASKED_LARGE, false } };
	struct drg_http *h = start_workers(1);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		char request[1024], value[ASKED_LARGE], rest[32];
		size_t n = cases[i].n - strlen("q=");
		memset(value, 'v', n);
		value[n] = '\0';
		snprintf(request, sizeof request,
		         "GET %s?q=%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", cases[i].path,
		         value);
		snprintf(rest, sizeof rest, ", %zu of vvv", n);
		assert_has(ask(h, request), nice_of(cases[i].on_worker, rest));
	}
	drg_http_stop(h, 1);
}

static void a_worker_runs_what_its_parameters_make_long(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(1);
	assert_has(ask(h, "GET /near?q=vvv HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
	           nice_of(false, ", 3 of vvv"));
	assert_has(ask(h, "GET /near?q=vvv&near=0,0 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"),
	           nice_of(true, ", 3 of vvv"));
	drg_http_stop(h, 1);
}

static void a_failure_is_told_as_ever(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(2);
	int fd = post(h, "/refuse", LARGE);
	const char *text = hear_some(fd, 1)->text;
	assert_int_equal(status_of(text), 400);
	assert_has(text, "nobody likes it");
	close(fd);
	drg_http_stop(h, 1);
}

static void one_key_leaves_a_worker_to_others(void **state)
{
	(void)state;
	int fds[7];
	struct drg_http *h = start_workers(3);
	atomic_store(&held, true);
	for (size_t i = 0; i < 6; i++)
		fds[i] = post(h, "/slow", LARGE); /* all without a key, which is one of its own here */
	wait_until(atomic_load(&at_work) == 2);
	fds[6] = post(h, "/key/slow", LARGE);
	wait_until(atomic_load(&of_others) == 1);
	assert_int_equal(atomic_load(&at_work), 2);
	atomic_store(&held, false);
	for (size_t i = 0; i < DRG_ARRAY_LEN(fds); i++) {
		assert_int_equal(status_of(hear_some(fds[i], 1)->text), 200);
		close(fds[i]);
	}
	drg_http_stop(h, 1);
}

static void who_leaves_meanwhile_does_no_harm_and_a_stop_waits(void **state)
{
	(void)state;
	struct stopping stopping;
	struct drg_http *h = start_workers(2);
	int idle = dial(h);
	atomic_store(&held, true);
	for (int i = 0; i < 4; i++)
		close(post(h, "/slow", LARGE));
	int fd = post(h, "/slow", LARGE);
	wait_until(atomic_load(&at_work) > 0 && see(h, fd).waiting);
	begin_stop(&stopping, h, HOUR_S);
	wait_until(is_closed(idle)); /* the stop is at it */
	assert_false(stopping.call.done);
	atomic_store(&held, false);
	clock_call_end(&stopping.call, 0);
	assert_int_equal(stopping.rc, DRG_OK);
	assert_int_equal(atomic_load(&at_work), 0);
	close(idle);
	assert_has(hear_some(fd, 1)->text, nice_of(true, ""));
	close(fd);
}

/** Whether it has begun to wait by then or not, it is told of it, once. */
static void who_waits_for_one_who_has_left_is_told(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(2);
	for (int before = 0; before <= 1; before++) {
		atomic_store(&told, 0);
		atomic_store(&held, true);
		int fd = post(h, "/wait", LARGE);
		setsockopt(fd, SOL_SOCKET, SO_LINGER, &(struct linger){ .l_onoff = 1 },
		           sizeof(struct linger));
		wait_until(atomic_load(&at_work) == 1);
		atomic_store(&held, before == 0);
		wait_until(before == 0 || atomic_load(&at_work) == 0);
		close(fd);
		wait_until(atomic_load(&h->n_conns) == 0);
		atomic_store(&held, false);
		wait_until(atomic_load(&h->busy) == 0);
		assert_int_equal(atomic_load(&told), 1);
	}
	assert_int_equal(drg_http_stop(h, HOUR_S), DRG_OK);
}

GROUP(workers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_body_keeps_nobody_waiting),
		cmocka_unit_test(so_does_a_long_query),
		cmocka_unit_test(a_worker_runs_what_its_parameters_make_long),
		cmocka_unit_test(a_failure_is_told_as_ever),
		cmocka_unit_test(one_key_leaves_a_worker_to_others),
		cmocka_unit_test(who_waits_for_one_who_has_left_is_told),
		cmocka_unit_test(who_leaves_meanwhile_does_no_harm_and_a_stop_waits),
	};
	return cmocka_run_group_tests_name("http/workers", tests, NULL, NULL);
}
