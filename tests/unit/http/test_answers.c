/* What an answer is made of: errors, request ids, rights of other sites, contents; and how large it may be. */
#include "shared_server.h"

#include <pthread.h>

static void errors_have_the_body_of_e1(void **state)
{
	(void)state;
	const char *a = ask(h, "GET /params?n=x HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 400);
	assert_has(a, "Content-Type: application/json\r\n");
	assert_has(a, "\r\n\r\n{\"status\":\"error\",\"error\":{\"code\":400,\"reason\":\"bad_integer\","
	              "\"field\":\"n\","
	              "\"message\":\"n: expected an integer, found the text \\\"x\\\"\"}}");
}

static void handlers_codes_become_statuses(void **state)
{
	(void)state;
	static const struct {
		int code, status;
	} codes[] = {
		{ DRG_EINVAL, 400 }, { DRG_EAUTH, 403 },     { DRG_ENOENT, 404 }, { DRG_EEXIST, 409 },
		{ DRG_ELIMIT, 503 }, { DRG_EBUSY, 503 },     { DRG_EFULL, 503 },  { DRG_EIO, 503 },
		{ DRG_ENOMEM, 500 }, { DRG_EINTERNAL, 500 },
	};
	for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++) {
		char request[200];
		snprintf(request, sizeof request,
		         "GET /fail?code=%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", codes[i].code);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), codes[i].status);
		assert_int_equal(strstr(a, "Retry-After: ") != NULL, codes[i].status == 503);
		bool ours = codes[i].status == 500 || codes[i].code == DRG_EFULL || codes[i].code == DRG_EIO;
		assert_int_equal(strstr(a, "SELECT") == NULL, ours);
	}
}

static void internal_errors_tell_the_request_id_only(void **state)
{
	(void)state;
	const char *a = ask(
	        h, "GET /fail HTTP/1.1\r\nHost: a\r\nX-Request-Id: trace-77\r\nConnection: close\r\n\r\n");
	assert_has(a, "X-Request-Id: trace-77\r\n");
	assert_has(a, "\"message\":\"internal error; the id of this request is trace-77\"");
}

static void request_ids_are_unique_and_insane_ones_replaced(void **state)
{
	(void)state;
	static const char *const insane[] = { "a b", "\"quote\"", "<script>", "" };
	for (size_t i = 0; i < sizeof insane / sizeof insane[0]; i++) {
		char request[200], sent[100];
		snprintf(sent, sizeof sent, "X-Request-Id: %s\r\n", insane[i]);
		snprintf(request, sizeof request,
		         "GET /healthz HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", sent);
		assert_has_not(ask(h, request), sent);
	}
	static const char plain[] = "GET /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	char first[40] = "", second[40] = "";
	assert_int_equal(sscanf(strstr(ask(h, plain), "X-Request-Id: "), "X-Request-Id: %39s", first), 1);
	assert_int_equal(sscanf(strstr(ask(h, plain), "X-Request-Id: "), "X-Request-Id: %39s", second), 1);
	assert_int_equal(strncmp(first, second, 9), 0);
	assert_string_not_equal(first, second);
}

static void request_ids_are_in_errors_and_where_they_were_sent(void **state)
{
	(void)state;
	static const struct {
		const char *path, *header;
		bool named;
	} asks[] = {
		{ "/healthz", "", false },
		{ "/content", "", false },
		{ "/nope", "", true },
		{ "/healthz", "X-Request-Id: r1\r\n", true },
		{ "/content", "X-Request-Id: r1\r\n", true },
		{ "/content", "X-Request-Id: r1\r\nIf-None-Match: \"v1\"\r\n", true },
	};
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		char request[200];
		snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n",
		         asks[i].path, asks[i].header);
		assert_int_equal(count_of(ask(h, request), "X-Request-Id: "), asks[i].named);
	}
}

static void options_answers_preflights_before_keys(void **state)
{
	(void)state;
	const char *a = ask(h, "OPTIONS /key HTTP/1.1\r\nHost: a\r\nOrigin: "
	                       "http://b\r\nAccess-Control-Request-Method: POST\r\n"
	                       "Connection: close\r\n\r\n");
	assert_int_equal(status_of(a), 204);
	assert_has(a, "Access-Control-Allow-Origin: *\r\n");
	assert_has(a, "Access-Control-Allow-Methods: POST\r\n");
	assert_has(
	        a,
	        "Access-Control-Allow-Headers: X-Service-Api-Key, Content-Type, If-None-Match, "
	        "If-Modified-Since, X-Request-Id, X-Correlation-Id, X-Requested-With, Cache-Control, Pragma, "
	        "Expires, traceparent, tracestate, baggage, sentry-trace, b3, *\r\n");
	assert_has(a, "Access-Control-Max-Age: 7200\r\n");
	assert_has(a, "Allow: POST, OPTIONS\r\n");
	assert_has_not(a, "Content-Length");
	a = ask(h, "OPTIONS /both HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_has(a, "Access-Control-Allow-Methods: GET, HEAD\r\n");
	assert_has(a, "Allow: GET, HEAD, POST, OPTIONS\r\n");
	a = ask(h, "OPTIONS /hidden HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 204);
	assert_has_not(a, "Access-Control");
	assert_int_equal(status_of(ask(h, "OPTIONS /nope HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	                 404);
}

static void errors_can_be_read_by_scripts_of_other_sites(void **state)
{
	(void)state;
	static const char *const requests[] = {
		"GET /nope HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /key HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"POST /key HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /fail HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
		"GET /params?n=x HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n",
	};
	for (size_t i = 0; i < sizeof requests / sizeof requests[0]; i++) {
		const char *a = ask(h, requests[i]);
		assert_has(a, "Access-Control-Allow-Origin: *\r\n");
		assert_has(a, "Access-Control-Expose-Headers: ETag, Retry-After, X-Request-Id, "
		              "X-Ignored-Fields, Deprecation, Sunset, "
		              "Link, X-Total-Count, X-Data-Version, Idempotent-Replayed, RateLimit, "
		              "RateLimit-Policy\r\n");
	}
	const char *a =
	        ask(h, "POST /hidden HTTP/1.1\r\nHost: a\r\nOrigin: http://b\r\nConnection: close\r\n\r\n");
	assert_int_equal(status_of(a), 200);
	assert_has_not(a, "Access-Control");
}

static void parameters_reach_the_handler(void **state)
{
	(void)state;
	static const struct {
		const char *query;
		int status;
		const char *part;
	} queries[] = {
		{ "", 200, "{\"lang\":\"en\",\"demo\":0,\"n\":-1,\"text\":\"\"}" },
		{ "?lang=UK-ua&demo&n=-5&text=a%20b+c", 200,
		  "{\"lang\":\"uk-ua\",\"demo\":1,\"n\":-5,\"text\":\"a b c\"}" },
		{ "?n=-6", 400, "out_of_range" },
		{ "?n=1&n=2", 400, "repeated_parameter" },
		{ "?zz=1&y%0d%0aX=1", 200, "X-Ignored-Fields: zz, y%0D%0AX\r\n" },
	};
	for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
		char request[300];
		snprintf(request, sizeof request,
		         "GET /params%s HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", queries[i].query);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), queries[i].status);
		assert_has(a, queries[i].part);
	}
	assert_has(ask(h, "GET /required HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), "missing_field");
}

static void contents_are_negotiated(void **state)
{
	(void)state;
	static const struct {
		const char *header;
		int status;
		const char *etag, *body;
	} asks[] = {
		{ "", 200, "ETag: \"v1\"\r\n", "{\"a\":\"list\"}" },
		{ "Accept-Encoding: gzip\r\n", 200, "ETag: \"v1-gzip\"\r\n", "gz-bytes" },
		{ "Accept-Encoding: gzip;q=0.5, br\r\n", 200, "ETag: \"v1-br\"\r\n", "br-bytes!" },
		{ "If-None-Match: \"v1\"\r\n", 304, "ETag: \"v1\"\r\n", "" },
		{ "If-None-Match: W/\"v1-gzip\"\r\nAccept-Encoding: br\r\n", 304, "ETag: \"v1-gzip\"\r\n",
		  "" },
		{ "If-None-Match: \"v2\"\r\n", 200, "ETag: \"v1\"\r\n", "{\"a\":\"list\"}" },
	};
	for (size_t i = 0; i < sizeof asks / sizeof asks[0]; i++) {
		char request[300];
		snprintf(request, sizeof request,
		         "GET /content HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", asks[i].header);
		const char *a = ask(h, request);
		assert_int_equal(status_of(a), asks[i].status);
		assert_has(a, asks[i].etag);
		assert_has(a, "Vary: Accept-Encoding, Origin\r\n");
		assert_has(a, "Cache-Control: private, max-age=60, stale-while-revalidate=600, "
		              "stale-if-error=86400\r\n");
		assert_string_equal(strstr(a, "\r\n\r\n") + 4, asks[i].body);
	}
	wait_until(atomic_load(&content.holders) == 1);
}

/* Every kept answer, and those that are made for a request between them. */
static void *ask_for_all_forms(void *failed)
{
	static const struct {
		const char *header;
		int status;
		const char *has, *has_not;
	} asks[] = {
		{ "", 200, "{\"a\":\"list\"}", "Access-Control-Expose" },
		{ "Accept-Encoding: gzip\r\n", 200, "\r\n\r\ngz-bytes", "Access-Control-Expose" },
		{ "Accept-Encoding: br\r\nOrigin: http://b\r\n", 200, "Access-Control-Expose",
		  "X-Request-Id: " },
		{ "Accept-Encoding: br\r\n", 200, "\r\n\r\nbr-bytes!", "Access-Control-Expose" },
		{ "X-Request-Id: r9\r\n", 200, "X-Request-Id: r9\r\n", "gz-bytes" },
		{ "If-None-Match: \"v1\"\r\n", 304, "ETag: \"v1\"\r\n", "Content-Type" },
		{ "If-None-Match: \"v1-gzip\"\r\n", 304, "ETag: \"v1-gzip\"\r\n", "Content-Encoding" },
		{ "If-None-Match: \"v1\"\r\nOrigin: http://b\r\n", 304, "Access-Control-Expose", "list" },
	};
	for (size_t i = 0; i < 25 * (sizeof asks / sizeof asks[0]); i++) {
		size_t n = i % (sizeof asks / sizeof asks[0]);
		char request[300];
		snprintf(request, sizeof request,
		         "GET /content HTTP/1.1\r\nHost: a\r\n%sConnection: close\r\n\r\n", asks[n].header);
		const char *a = ask(h, request);
		if (status_of(a) != asks[n].status || strstr(a, asks[n].has) == NULL ||
		    strstr(a, asks[n].has_not) != NULL || count_of(a, "Access-Control-Allow-Origin: *") != 1)
			atomic_fetch_add((atomic_int *)failed, 1);
	}
	return NULL;
}

static void kept_answers_are_shared_by_threads(void **state)
{
	(void)state;
	enum { CLIENTS = 4 };
	pthread_t clients[CLIENTS];
	atomic_int failed = 0;
	for (int i = 0; i < CLIENTS; i++)
		assert_int_equal(pthread_create(&clients[i], NULL, ask_for_all_forms, &failed), 0);
	for (int i = 0; i < CLIENTS; i++)
		pthread_join(clients[i], NULL);
	assert_int_equal(atomic_load(&failed), 0);
	assert_non_null(atomic_load(&content.head[DRG_CODING_GZIP][0][DRG_HEAD_CORS]));
	assert_non_null(atomic_load(&content.head[DRG_CODING_GZIP][1][DRG_HEAD_CORS]));
	assert_null(atomic_load(&content.head[DRG_CODING_GZIP][0][DRG_HEAD_NO_CORS]));
	wait_until(atomic_load(&content.holders) == 1); /* the release follows the response */
}

static void an_answer_at_the_limit_and_one_beside_it(void **state)
{
	(void)state;
	enum { MOST = 200000 };
	struct drg_http_options o = test_options();
	o.max_answers = MOST;
	struct drg_http *small = start_with(&o, NULL);
	char request[128];
	for (int n = MOST - 1; n <= MOST + 1; n++) {
		wait_until(atomic_load(&small->answer_bytes) == 0); /* the release follows the response */
		snprintf(request, sizeof request,
		         "GET /much?n=%d HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", n);
		const char *text = ask(small, request);
		assert_int_equal(status_of(text), n <= MOST ? 200 : 400);
		if (n > MOST)
			assert_has(text, "answer_too_large");
	}
	drg_http_stop(small, 1);
}

/** Who does not read holds what there is; further large answers are refused, small ones are not. */
static void large_answers_that_wait_are_bounded(void **state)
{
	(void)state;
	enum { MOST = 32 * 1024 * 1024 };
	struct drg_http_options o = test_options();
	o.max_answers = MOST;
	struct drg_http *small = start_with(&o, NULL);
	int fd = dial(small);
	say(fd, "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\n\r\n");
	hear_some(fd, 1);
	static const char large[] = "GET /much?n=20000000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
	const char *text = ask(small, large);
	assert_int_equal(status_of(text), 503);
	assert_has(text, "answers_waiting");
	assert_has(text, "Retry-After: ");
	assert_int_equal(
	        status_of(ask(small, "GET /much?n=1000 HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")),
	        200);
	close(fd);
	wait_until(status_of(ask(small, large)) == 200);
	drg_http_stop(small, 1);
}

GROUP(answers)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(errors_have_the_body_of_e1),
		cmocka_unit_test(handlers_codes_become_statuses),
		cmocka_unit_test(internal_errors_tell_the_request_id_only),
		cmocka_unit_test(request_ids_are_unique_and_insane_ones_replaced),
		cmocka_unit_test(request_ids_are_in_errors_and_where_they_were_sent),
		cmocka_unit_test(options_answers_preflights_before_keys),
		cmocka_unit_test(errors_can_be_read_by_scripts_of_other_sites),
		cmocka_unit_test(parameters_reach_the_handler),
		cmocka_unit_test(contents_are_negotiated),
		cmocka_unit_test(kept_answers_are_shared_by_threads),
		cmocka_unit_test(an_answer_at_the_limit_and_one_beside_it),
		cmocka_unit_test(large_answers_that_wait_are_bounded),
	};
	return cmocka_run_group_tests(tests, start, stop);
}
