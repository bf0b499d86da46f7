/* tests/unit/http/server_fixture.h
 * A small server with an endpoint table of its own, and a client that sends bytes as they are. */
#pragma once
#include "../unit.h"

#include <arpa/inet.h>
#include <errno.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "http/ready.h"
#include "http/server.h"

/* ---- handlers ---- */

static inline int say_ok(struct drg_exchange *x)
{
	drg_buf_lit(drg_exchange_out(x), "{\"status\":\"success\"}");
	return DRG_OK;
}

/** Tells what it was asked with. */
static inline int say_params(struct drg_exchange *x)
{
	struct drg_buf *b = drg_exchange_out(x);
	struct drg_str lang = drg_exchange_lang(x, "lang"), text = drg_exchange_text(x, "text");
	drg_buf_printf(b, "{\"lang\":\"%.*s\",\"demo\":%d,\"n\":%lld,\"text\":\"%.*s\"}", DRG_STR_ARG(lang),
	               drg_exchange_flag(x, "demo"), (long long)drg_exchange_int(x, "n", -1),
	               DRG_STR_ARG(text));
	return DRG_OK;
}

static inline int say_country(struct drg_exchange *x)
{
	struct drg_str country = drg_exchange_text(x, "country");
	drg_buf_printf(drg_exchange_out(x), "{\"country\":\"%.*s\"}", DRG_STR_ARG(country));
	return DRG_OK;
}

static inline int say_body_size(struct drg_exchange *x)
{
	drg_buf_printf(drg_exchange_out(x), "{\"bytes\":%zu,\"form\":%d}", drg_exchange_body(x).n,
	               drg_exchange_body_is_form(x));
	return DRG_OK;
}

static inline int say_failure(struct drg_exchange *x)
{
	int code = (int)drg_exchange_int(x, "code", DRG_EINTERNAL);
	return drg_fail(drg_exchange_err(x), code, DRG_R(bad_value), "code",
	                "SELECT secret FROM /etc/passwd");
}

static inline int say_much(struct drg_exchange *x)
{
	size_t n = (size_t)drg_exchange_int(x, "n", 1000);
	struct drg_buf *b = drg_exchange_out(x);
	if (!drg_buf_reserve(b, n))
		return DRG_OK;
	memset(b->p, 'm', n);
	b->n = n;
	drg_exchange_set_type(x, "text/plain");
	return DRG_OK;
}

static _Atomic int content_uses, content_releases;

static inline void release_content(void *ctx)
{
	(void)ctx;
	atomic_fetch_add(&content_releases, 1);
}

static struct drg_ready content_ready;
static const struct drg_content content = {
	.ready = &content_ready,
	.body = { [DRG_CODING_IDENTITY] = { "{\"a\":\"list\"}", 12 },
	          [DRG_CODING_GZIP] = { "gz-bytes", 8 },
	          [DRG_CODING_BR] = { "br-bytes!", 9 } },
	.etag = "v1",
	.type = "application/json",
};

static inline int say_content(struct drg_exchange *x)
{
	atomic_fetch_add(&content_uses, 1);
	drg_exchange_content(x, &content, release_content, NULL);
	return DRG_OK;
}

static const struct drg_param params[] = {
	{ .name = "lang", .type = DRG_P_LANG },
	{ .name = "demo", .type = DRG_P_FLAG },
	{ .name = "n", .type = DRG_P_INT, .min = -5, .max = 50000000 },
	{ .name = "text", .type = DRG_P_TEXT, .max = 10 },
	{ .name = "code", .type = DRG_P_INT },
	{ .name = NULL },
};
static const struct drg_param country_params[] = {
	{ .name = "country", .type = DRG_P_TEXT, .in_path = true, .required = true },
	{ .name = NULL },
};
static const struct drg_param required_params[] = {
	{ .name = "n", .type = DRG_P_INT, .required = true },
	{ .name = NULL },
};

enum { AUTH_KEY = DRG_AUTH_PUBLIC + 1 };

static const struct drg_endpoint basic_endpoints[] = {
	{ .auth = DRG_AUTH_PUBLIC, .cors = true, .method = DRG_GET, .path = "/healthz", .handler = say_ok },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/params",
	  .handler = say_params,
	  .params = params },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/required",
	  .handler = say_ok,
	  .params = required_params },
	{ .auth = DRG_AUTH_PUBLIC, .cors = true, .method = DRG_GET, .path = "/countries", .handler = say_ok },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/countries/:country",
	  .handler = say_country,
	  .params = country_params },
	{ .auth = DRG_AUTH_PUBLIC, .cors = true, .method = DRG_GET, .path = "/both", .handler = say_ok },
	{ .auth = DRG_AUTH_PUBLIC,
	  .method = DRG_POST,
	  .path = "/both",
	  .handler = say_ok,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_POST,
	  .path = "/json",
	  .handler = say_body_size,
	  .body = DRG_BODY_JSON },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_POST,
	  .path = "/small",
	  .handler = say_body_size,
	  .body = DRG_BODY_JSON,
	  .max_body = 100 },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_POST,
	  .path = "/form",
	  .handler = say_body_size,
	  .body = DRG_BODY_JSON_OR_FORM },
	{ .cors = true,
	  .method = DRG_POST,
	  .path = "/key",
	  .handler = say_body_size,
	  .body = DRG_BODY_JSON,
	  .auth = AUTH_KEY },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_POST, .path = "/hidden", .handler = say_ok },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/fail",
	  .handler = say_failure,
	  .params = params },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/much",
	  .handler = say_much,
	  .params = params },
	{ .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .method = DRG_GET,
	  .path = "/content",
	  .handler = say_content },
	{ .path = NULL },
};

static inline int check_key(struct drg_exchange *x, const struct drg_endpoint *e)
{
	assert_int_equal(e->auth, AUTH_KEY);
	drg_exchange_set_key_id(x, 7);
	if (drg_str_eq(drg_exchange_header(x, "X-Service-Api-Key"), DRG_STR("good")))
		return DRG_OK;
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(forbidden), NULL, "the key is not valid");
}

/* ---- the server ---- */

/** Small limits and short deadlines, so that tests reach them soon. */
static inline struct drg_http_options short_options(void)
{
	struct drg_http_options o;
	drg_http_options_init(&o);
	o.port = 0;
	o.threads = 2;
	o.header_seconds = 1;
	o.idle_seconds = 2;
	o.max_body = 10000;
	o.max_per_address = o.max_connections;
	return o;
}

static const char *const test_headers[] = { "X-Service-Api-Key", NULL };

static inline struct drg_http *start_with(const struct drg_http_options *o, const struct drg_endpoint *table)
{
	const struct drg_endpoint *tables[] = { basic_endpoints, table, NULL };
	struct drg_http_app app = { .tables = tables, .authorize = check_key, .headers = test_headers };
	struct drg_http *h = NULL;
	struct drg_err err = { 0 };
	int rc = drg_http_start(o, &app, &h, &err);
	if (rc != DRG_OK)
		fail_msg("%s", err.message);
	return h;
}

/* ---- the client ---- */

static inline int dial(const struct drg_http *h)
{
	struct sockaddr_in a = { .sin_family = AF_INET, .sin_port = htons(drg_http_port(h)) };
	a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
	assert_int_equal(connect(fd, (struct sockaddr *)&a, sizeof a), 0);
	return fd;
}

/** Send all of it, or as much as the server takes before it closes. */
static inline void say_n(int fd, const char *text, size_t n)
{
	while (n > 0) {
		ssize_t sent = send(fd, text, n, MSG_NOSIGNAL);
		if (sent <= 0)
			return;
		text += sent;
		n -= (size_t)sent;
	}
}

static inline void say(int fd, const char *text)
{
	say_n(fd, text, strlen(text));
}

struct heard {
	char text[64 * 1024]; /* NUL-terminated, cut */
	size_t n; /* all of it */
	bool end; /* the server closed */
	bool reset; /* and not in peace */
	int64_t ns; /* how long it took */
};

/** Read until the server closes, @p ms have passed, or @p most bytes are here. */
static inline struct heard *hear_some(int fd, int ms, size_t most)
{
	static _Thread_local struct heard h;
	int64_t start = drg_clock_ns(), until = start + ms * INT64_C(1000000);
	char part[16 * 1024];
	size_t kept = 0;
	h = (struct heard){ .n = 0 };
	while (!h.end && !h.reset && h.n < most) {
		int64_t left = (until - drg_clock_ns()) / 1000000;
		struct pollfd p = { .fd = fd, .events = POLLIN };
		if (left <= 0 || poll(&p, 1, (int)left) <= 0)
			break;
		ssize_t n = recv(fd, part, sizeof part, 0);
		h.end = n == 0;
		h.reset = n < 0;
		if (n <= 0)
			continue;
		size_t keep = sizeof h.text - 1 - kept < (size_t)n ? sizeof h.text - 1 - kept : (size_t)n;
		memcpy(h.text + kept, part, keep);
		kept += keep;
		h.n += (size_t)n;
	}
	h.ns = drg_clock_ns() - start;
	return &h;
}

static inline struct heard *hear(int fd, int ms)
{
	return hear_some(fd, ms, SIZE_MAX);
}

/** One request on a connection of its own; the request should ask to close. */
static inline const char *ask(const struct drg_http *h, const char *request)
{
	int fd = dial(h);
	say(fd, request);
	const struct heard *heard = hear(fd, 5000);
	close(fd);
	return heard->text;
}

static inline int status_of(const char *answer)
{
	int status = 0;
	return sscanf(answer, "HTTP/1.1 %d ", &status) == 1 ? status : 0;
}

static inline unsigned count_of(const char *text, const char *part)
{
	unsigned n = 0;
	for (const char *at = strstr(text, part); at != NULL; at = strstr(at + strlen(part), part))
		n++;
	return n;
}

static inline void assert_has(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("\"%s\" is not in:\n%s", part, text);
}

static inline void assert_has_not(const char *text, const char *part)
{
	if (strstr(text, part) != NULL)
		fail_msg("\"%s\" is in:\n%s", part, text);
}
