/* Requests with large bodies: they are worked on beside the http threads. */
#include "server_fixture.h"

#include <pthread.h>
#include <sys/resource.h>

static const char CLOSING[] = "GET /healthz HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";

enum { LARGE = 16 * 1024 };

static _Atomic int at_work, most_at_work;

/* Says at which priority it runs, after a while. */
static int work_slowly(struct drg_exchange *x)
{
	int now = atomic_fetch_add(&at_work, 1) + 1, most = atomic_load(&most_at_work);
	while (now > most && !atomic_compare_exchange_weak(&most_at_work, &most, now))
		;
	usleep(300000);
	atomic_fetch_sub(&at_work, 1);
	drg_buf_printf(drg_exchange_out(x), "nice %d of %.*s", getpriority(PRIO_PROCESS, 0),
	               DRG_STR_ARG(drg_exchange_header(x, "X-Service-Api-Key")));
	return DRG_OK;
}

static int refuse(struct drg_exchange *x)
{
	return drg_fail(drg_exchange_err(x), DRG_EINVAL, DRG_R(bad_body), "body", "body: nobody likes it");
}

static const struct drg_endpoint endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/slow",
	  .handler = work_slowly,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/refuse",
	  .handler = refuse,
	  .body = DRG_BODY_JSON },
	{ .path = NULL },
};

static struct drg_http *start_workers(unsigned threads)
{
	struct drg_http_options o = short_options();
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
	int fd = post(h, "/slow", LARGE);
	usleep(50000);
	int64_t began = drg_clock_ns();
	assert_int_equal(status_of(ask(h, CLOSING)), 200);
	assert_true(drg_clock_ns() - began < 200000000);
	assert_has(hear_some(fd, 5000, 1)->text, "nice 10 of good");
	close(fd);
	/* A smaller one is worked on where it came in. */
	fd = post(h, "/slow", LARGE - 1);
	assert_has(hear_some(fd, 5000, 1)->text, "nice 0 of good");
	close(fd);
	drg_http_stop(h, 1);
}

static void a_failure_is_told_as_ever(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(2);
	int fd = post(h, "/refuse", LARGE);
	const char *text = hear_some(fd, 5000, 1)->text;
	assert_int_equal(status_of(text), 400);
	assert_has(text, "nobody likes it");
	close(fd);
	drg_http_stop(h, 1);
}

static void one_key_leaves_a_worker_to_others(void **state)
{
	(void)state;
	int fds[6];
	atomic_store(&most_at_work, 0);
	struct drg_http *h = start_workers(3);
	for (size_t i = 0; i < DRG_ARRAY_LEN(fds); i++)
		fds[i] = post(h, "/slow", LARGE);
	for (size_t i = 0; i < DRG_ARRAY_LEN(fds); i++) {
		assert_int_equal(status_of(hear_some(fds[i], 5000, 1)->text), 200);
		close(fds[i]);
	}
	assert_int_equal(atomic_load(&most_at_work), 2);
	drg_http_stop(h, 1);
}

static void who_leaves_meanwhile_does_no_harm_and_a_stop_waits(void **state)
{
	(void)state;
	struct drg_http *h = start_workers(2);
	for (int i = 0; i < 4; i++)
		close(post(h, "/slow", LARGE));
	int fd = post(h, "/slow", LARGE);
	usleep(50000);
	drg_http_stop(h, 10);
	assert_int_equal(atomic_load(&at_work), 0);
	assert_has(hear_some(fd, 1000, 1)->text, "nice 10");
	close(fd);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_large_body_keeps_nobody_waiting),
		cmocka_unit_test(a_failure_is_told_as_ever),
		cmocka_unit_test(one_key_leaves_a_worker_to_others),
		cmocka_unit_test(who_leaves_meanwhile_does_no_harm_and_a_stop_waits),
	};
	return cmocka_run_group_tests_name("http/workers", tests, NULL, NULL);
}
