/* tests/unit/http/server_fixture.h
 * A small server with an endpoint table of its own, and a client that sends bytes as they are. */
#pragma once
#include "../clock.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/sockios.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "http/http_priv.h"
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

static struct drg_content content = {
	.holders = 1,
	.body = { [DRG_CODING_IDENTITY] = { "{\"a\":\"list\"}", 12 },
	          [DRG_CODING_GZIP] = { "gz-bytes", 8 },
	          [DRG_CODING_BR] = { "br-bytes!", 9 } },
	.etag = "v1",
	.type = "application/json",
};

static inline int say_content(struct drg_exchange *x)
{
	drg_content_hold(&content);
	drg_exchange_content(x, &content, NULL);
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
	assert_int_equal(drg_exchange_set_caller(x, &(const struct drg_caller){ .id = 7 }), DRG_OK);
	if (drg_str_eq(drg_exchange_header(x, "X-Service-Api-Key"), DRG_STR("good")))
		return DRG_OK;
	return drg_fail(drg_exchange_err(x), DRG_EAUTH, DRG_R(forbidden), NULL, "the key is not valid");
}

/* ---- the server ---- */

enum { HOUR_S = 3600 };

/** Small limits, so that tests reach them soon; deadlines of an hour, so that a busy machine does not. */
static inline struct drg_http_options test_options(void)
{
	struct drg_http_options o;
	drg_http_options_init(&o);
	o.port = 0;
	o.threads = 2;
	o.header_seconds = o.idle_seconds = HOUR_S;
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
};

/** Read on, until the server closes or @p most bytes are here. */
static inline struct heard *hear_on(struct heard *h, int fd, size_t most)
{
	char part[16 * 1024];
	waits_for("bytes of the server, or its end", __FILE__, __LINE__);
	while (!h->end && !h->reset && h->n < most) {
		ssize_t n = recv(fd, part, sizeof part, 0);
		h->end = n == 0;
		h->reset = n < 0;
		size_t room = h->n < sizeof h->text - 1 ? sizeof h->text - 1 - h->n : 0;
		if (n <= 0)
			continue;
		memcpy(h->text + (sizeof h->text - 1 - room), part, room < (size_t)n ? room : (size_t)n);
		h->n += (size_t)n;
	}
	return h;
}

static inline struct heard *hear_some(int fd, size_t most)
{
	static _Thread_local struct heard h;
	h = (struct heard){ .n = 0 };
	return hear_on(&h, fd, most);
}

static inline struct heard *hear(int fd)
{
	return hear_some(fd, SIZE_MAX);
}

/** An answer with its length, on a connection that stays. */
static inline struct heard *hear_answer(int fd)
{
	struct heard *h = hear_some(fd, 1);
	const char *body, *length;
	while ((body = strstr(h->text, "\r\n\r\n")) == NULL && !h->end && !h->reset)
		hear_on(h, fd, h->n + 1);
	if (body == NULL || (length = strstr(h->text, "Content-Length: ")) == NULL)
		return h;
	return hear_on(h, fd, (size_t)(body + 4 - h->text) + strtoul(length + 16, NULL, 10));
}

/** Has the server closed? */
static inline bool is_closed(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLRDHUP };
	return poll(&p, 1, 0) > 0;
}

/* ---- what the server has of a connection; it is in this process ---- */

/** Its socket; -1: none. */
static inline int other_end(int fd)
{
	struct sockaddr_in own = { 0 }, peer;
	socklen_t n = sizeof own;
	getsockname(fd, (struct sockaddr *)&own, &n);
	for (int i = 3; i < 1024; i++) {
		n = sizeof peer;
		if (i != fd && getpeername(i, (struct sockaddr *)&peer, &n) == 0 &&
		    peer.sin_family == AF_INET && peer.sin_port == own.sin_port)
			return i;
	}
	return -1;
}

/** Bytes that have come and that it has not read; -1: not all has come, or there is no such connection. */
static inline int unread(int fd)
{
	int on_the_way = -1, n = -1, end = other_end(fd);
	if (end < 0 || ioctl(fd, SIOCOUTQ, &on_the_way) != 0 || on_the_way != 0 ||
	    ioctl(end, FIONREAD, &n) != 0)
		return -1;
	return n;
}

/** Run something on each loop's thread, one after the other, where nothing else happens meanwhile. */
struct loop_call {
	struct drg_post post;
	void (*run)(struct drg_loop *l, void *ctx);
	void *ctx;
	atomic_bool done;
};

static inline void loop_call_run(struct drg_loop *l, struct drg_post *p)
{
	struct loop_call *call = DRG_CONTAINER_OF(p, struct loop_call, post);
	if (call->run != NULL)
		call->run(l, call->ctx);
	atomic_store(&call->done, true);
}

static inline void on_each_loop(const struct drg_http *h, void (*run)(struct drg_loop *l, void *ctx),
                                void *ctx)
{
	for (unsigned i = 0; i < h->n_loops; i++) {
		struct loop_call call = { .post = { .run = loop_call_run }, .run = run, .ctx = ctx };
		drg_loop_post(h->loops[i], &call.post);
		wait_until(atomic_load(&call.done));
	}
}

struct seen {
	int end; /* the descriptor that is looked for */
	bool there, ended, waiting, idle;
	int64_t deadline_ns;
};

static inline void see_in(struct drg_loop *l, void *seen)
{
	struct seen *s = seen;
	for (const struct drg_conn *c = l->conns; c != NULL; c = c->next)
		if (c->fd == s->end)
			*s = (struct seen){ c->fd,
				            true,
				            c->ended,
				            c->state == DRG_CONN_WAITING,
				            c->state == DRG_CONN_HEAD && !c->fresh && !c->begun,
				            c->deadline_ns };
}

static inline struct seen see(const struct drg_http *h, int fd)
{
	struct seen s = { .end = other_end(fd) };
	on_each_loop(h, see_in, &s);
	return s;
}

/* ---- time, where clock_stop() was called before the start ---- */

/** All loops have had a turn with the clock of now, and looked at their deadlines in it. */
static inline void look(const struct drg_http *h)
{
	for (int i = 0; i < 3; i++)
		on_each_loop(h, NULL, NULL);
}

/** Who has had his time has been cut when this returns. */
static inline void pass_s(const struct drg_http *h, int64_t seconds)
{
	clock_pass_ms(seconds * 1000);
	look(h);
}

struct stopping {
	struct clock_call call;
	struct drg_http *h;
	unsigned seconds;
	int rc;
};

static inline void stopping_run(void *stopping)
{
	struct stopping *s = stopping;
	s->rc = drg_http_stop(s->h, s->seconds);
}

/** A stop in a thread of its own, which clock_call_end() of `call` waits for. */
static inline void begin_stop(struct stopping *s, struct drg_http *h, unsigned seconds)
{
	*s = (struct stopping){ .h = h, .seconds = seconds, .rc = -1 };
	clock_call(&s->call, stopping_run, s);
}

/** Stop it, while time passes. */
static inline void stop_passing(struct drg_http *h)
{
	struct stopping s;
	begin_stop(&s, h, 1);
	clock_call_end(&s.call, 50);
	assert_int_equal(s.rc, DRG_OK);
}

/** At once; who waits has a second of the machine's, which may be busy. */
static inline void stop_at_once(struct drg_http *h)
{
	int rc;
	while ((rc = drg_http_stop(h, 0)) == DRG_EBUSY)
		;
	assert_int_equal(rc, DRG_OK);
}

/** One request on a connection of its own; the request should ask to close. */
static inline const char *ask(const struct drg_http *h, const char *request)
{
	int fd = dial(h);
	say(fd, request);
	const struct heard *heard = hear(fd);
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
