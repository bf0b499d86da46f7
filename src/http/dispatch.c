#include <assert.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/thread.h"
#include "http/counts_priv.h"
#include "http/http_priv.h"
#include "http/pack.h"

enum {
	/* Largest refused body that is read and discarded, so that the connection can go on. */
	DRAIN_BYTES = 64 * 1024,
	/* A handler may need more than a millisecond for a body of this size; a worker runs it. */
	LARGE_BYTES = 16 * 1024,
};

static void whole_request(struct drg_exchange *x);

/* ---- the head ---- */

static struct drg_exchange *dispatch_open(struct drg_conn *c, struct drg_str text)
{
	assert(c->x == NULL && text.n > 0);
	struct drg_exchange *x = drg_exchange_take(c->loop);
	if (x == NULL)
		return NULL;
	c->x = x;
	x->conn = c;
	x->verb = DRG_VERB_OTHER; /* until the head is read */
	x->started_ns = drg_clock_ns();
	x->text = drg_arena_str(&x->arena, text);
	return x->text.p != NULL ? x : NULL;
}

/** Answer before the body was read; the connection ends after that. */
static void answer_early(struct drg_exchange *x)
{
	x->conn->closing = x->conn->linger = true;
	drg_answer_send(x);
}

static void begin_body(struct drg_exchange *x)
{
	assert(x->stage == DRG_STAGE_BODY && (x->refused || x->endpoint != NULL));
	struct drg_conn *c = x->conn;
	x->body_kept = !x->refused && x->endpoint->body != DRG_BODY_NONE;
	x->body_started_ns = drg_clock_ns();
	drg_conn_set_state(c, DRG_CONN_BODY);
	drg_conn_set_body_deadline(c, x->body_started_ns, 0);
	if (x->head.expects_continue && !x->http_1_0)
		drg_conn_send_line(c, "HTTP/1.1 100 Continue\r\n\r\n");
}

void drg_dispatch_head(struct drg_conn *c, struct drg_str text)
{
	bool framing;
	struct drg_exchange *x = dispatch_open(c, text);
	if (x == NULL) {
		drg_conn_close(c, true);
		return;
	}
	int rc = drg_check_request(x, &framing);
	bool has_body = drg_head_has_body(&x->head);
	x->stage = DRG_STAGE_BODY;
	if (rc != DRG_OK || x->verb == DRG_VERB_OPTIONS) {
		x->refused = true;
		if (rc == DRG_OK)
			drg_answer_options(x);
		else
			drg_answer_finish(x, rc);
		bool small = !x->head.chunked && x->head.length <= DRAIN_BYTES && !x->head.expects_continue;
		if (framing || (has_body && !small)) {
			answer_early(x);
			return;
		}
	}
	if (has_body)
		begin_body(x);
	else
		whole_request(x);
}

/* ---- the body ---- */

void drg_dispatch_body_failed(struct drg_exchange *x, int rc)
{
	drg_answer_finish(x, rc);
	answer_early(x);
}

size_t drg_dispatch_body(struct drg_exchange *x, struct drg_str bytes)
{
	assert(x->stage == DRG_STAGE_BODY);
	size_t n = drg_body_take(x, bytes);
	if (x->body_rc != DRG_OK) {
		drg_dispatch_body_failed(x, x->body_rc);
		return bytes.n;
	}
	if (x->whole)
		whole_request(x);
	else if (n > 0)
		drg_conn_set_body_deadline(x->conn, x->body_started_ns, x->body_seen);
	return n;
}

/* ---- the handler ---- */

/** Count the end of a handler that enter() has counted. */
static void end_handler(struct drg_http *h)
{
	unsigned before = atomic_fetch_sub(&h->busy, 1);
	assert(before > 0);
	(void)before;
}

/** Count a handler that starts. @return false: the server stops. */
static bool enter(struct drg_http *h)
{
	atomic_fetch_add(&h->busy, 1);
	if (!atomic_load(&h->stopping))
		return true;
	end_handler(h);
	return false;
}

/** End an exchange. */
static void dispatch_close(struct drg_exchange *x)
{
	if (x->worked)
		drg_exchange_hand_to_worker(x); /* freeing megabytes takes long */
	else
		drg_exchange_recycle(x);
}

static void dispatch_run(struct drg_exchange *x, drg_handler_fn *handler)
{
	int rc = handler(x);
	if (rc == DRG_HTTP_SUSPENDED) {
		drg_conn_wait(x->conn);
		return;
	}
	end_handler(x->http);
	drg_answer_finish(x, rc);
	drg_answer_send(x);
}

/** Return the code of the handler that a worker has run. */
static int hand_back(struct drg_exchange *x)
{
	return x->work_rc;
}

static int hand_over(struct drg_exchange *x)
{
	assert(!x->large);
	int rc = drg_answer_room(x);
	if (rc != DRG_OK)
		return rc;
	drg_pack_weights(x); /* compute them before a worker uses them */
	drg_exchange_suspend(x, hand_back);
	x->large = true;
	x->work = x->endpoint->handler;
	x->work_item.owner = x->caller.id;
	drg_exchange_hand_to_worker(x);
	return DRG_HTTP_SUSPENDED;
}

/** Is the request large enough for a worker? The body counts, and the query too if the endpoint has its own
 * limit; or its parameters. */
static bool is_large(const struct drg_exchange *x)
{
	size_t from = x->endpoint->work_from;
	if (x->endpoint->is_work != NULL && x->endpoint->is_work(x))
		return true;
	return from > 0 ? x->body.n + x->target.query.n >= from : x->body.n >= LARGE_BYTES;
}

int drg_exchange_handle(struct drg_exchange *x)
{
	if (atomic_load(&x->orphan)) /* the client has left, and no work was done yet */
		return drg_fail(&x->err, DRG_EBUSY, NULL, NULL, "the client has disconnected");
	return is_large(x) ? hand_over(x) : x->endpoint->handler(x);
}

static int admit(struct drg_exchange *x)
{
	drg_handler_fn *first = x->http->app.admit;
	return first != NULL ? first(x) : drg_exchange_handle(x);
}

void drg_dispatch_work(void *ctx, unsigned thread, struct drg_lane_item *item)
{
	struct drg_exchange *x = DRG_CONTAINER_OF(item, struct drg_exchange, work_item);
	struct drg_http *h = ctx;
	(void)thread;
	if (item == &h->trim_item) {
		drg_trim_run(&h->trim);
		return;
	}
	if (x->worked) { /* the answer was sent; freeing the request's megabytes takes long too */
		drg_exchange_drop(x);
		return;
	}
	int rc = x->work(x);
	if (rc == DRG_HTTP_SUSPENDED)
		return; /* another thread may work on the exchange already */
	if (rc == DRG_OK && !atomic_load(&x->orphan))
		drg_pack_answer(x, SIZE_MAX);
	x->work_rc = rc;
	x->worked = true;
	drg_exchange_resume(x);
}

/** Run a handler whose client left while it was suspended; the connection is closed. The handler must end
 * regularly, since it may hold resources; its answer is dropped. */
static void run_orphan(struct drg_exchange *x)
{
	assert(x->stage == DRG_STAGE_SUSPENDED && atomic_load(&x->orphan));
	x->stage = DRG_STAGE_BODY;
	if (x->again(x) == DRG_HTTP_SUSPENDED)
		return;
	struct drg_http *h = x->http;
	dispatch_close(x);
	end_handler(h);
}

/** Continue an exchange on its loop: it was resumed, or its stream has bytes. */
static void go_on(struct drg_loop *l, struct drg_post *p)
{
	struct drg_exchange *x = DRG_CONTAINER_OF(p, struct drg_exchange, post);
	struct drg_conn *c = x->conn;
	(void)l;
	if (c == NULL) {
		run_orphan(x);
		return;
	}
	if (x->stage == DRG_STAGE_SUSPENDED) {
		x->stage = DRG_STAGE_BODY;
		dispatch_run(x, x->again);
	}
	drg_conn_run(c);
}

static void whole_request(struct drg_exchange *x)
{
	x->post.run = go_on;
	if (x->refused) {
		drg_answer_send(x);
		return;
	}
	int rc = drg_check_body(x);
	if (rc == DRG_OK && enter(x->http)) {
		drg_conn_set_deadline(x->conn, DRG_NEVER);
		dispatch_run(x, admit);
		return;
	}
	if (rc == DRG_OK)
		rc = drg_fail(&x->err, DRG_EBUSY, DRG_R(shutting_down), NULL, "the server is shutting down");
	drg_answer_finish(x, rc);
	drg_answer_send(x);
}

/* ---- the end ---- */

/** The path of the endpoint, or of an endpoint with another method at this path; NULL: none. */
static const char *path_in_table(const struct drg_exchange *x)
{
	const char *path = x->endpoint != NULL ? x->endpoint->path : NULL;
	for (int m = 0; path == NULL && x->route != NULL && m < DRG_METHOD_COUNT; m++)
		path = x->route->by_method[m] != NULL ? x->route->by_method[m]->path : NULL;
	return path;
}

/** The path for the access log, as sent, without the query. A path that has a key in it is replaced by the
 * endpoint's, even if the key is mistyped. */
static struct drg_str log_path(const struct drg_exchange *x)
{
	struct drg_str path = x->target.path.p != NULL ? x->target.path : x->raw_target;
	const char *mark = path.n > 0 ? memchr(path.p, '?', path.n) : NULL;
	const char *known = path_in_table(x);
	if (mark != NULL)
		path.n = (size_t)(mark - path.p);
	if (known != NULL && drg_str_eq(path, drg_str_c(known)))
		return path; /* it is the endpoint's, so it has no secret */
	bool takes_key = known != NULL && strstr(known, ":key") != NULL;
	if (takes_key || drg_exchange_holds_secret(x, path) ||
	    drg_exchange_holds_secret(x, x->target.decoded))
		return known != NULL ? drg_str_c(known) : DRG_STR("(has a key)");
	return path;
}

static void log_line(struct drg_exchange *x, int64_t us, uint64_t bytes, bool complete)
{
	char client[INET6_ADDRSTRLEN];
	bool answered = x->stage == DRG_STAGE_ANSWERED;
	if (x->head.forwarded)
		drg_address_text(&x->head.client, client);
	struct drg_access_line line = {
		.request_id = drg_exchange_request_id(x),
		.remote = x->head.forwarded ? client : x->conn->remote,
		.method = drg_verb_names[x->verb],
		.path = log_path(x),
		.route = x->endpoint != NULL ? x->endpoint->path : NULL,
		.status = answered ? x->status : 0,
		.reason = answered && x->reason != NULL ? x->reason->word : NULL,
		.version = answered ? drg_answer_version(x) : "",
		.bytes = bytes,
		.us = us,
		.key_id = x->caller.id,
		.cut = !complete,
	};
	drg_buf_clear(&x->scratch);
	drg_access_line_write(&line, &x->scratch);
	drg_log_file_add(x->http->log, &x->scratch);
}

static void dispatch_end(struct drg_exchange *x, bool complete, int64_t now_ns)
{
	bool answered = x->stage == DRG_STAGE_ANSWERED,
	     with_body = complete && x->verb != DRG_VERB_HEAD && answered;
	int64_t us = (now_ns - x->started_ns) / 1000;
	uint64_t bytes = with_body && x->streamed == 0 ? x->sent.n : x->streamed;
	drg_count_request(x, us, bytes, answered, complete);
	bool dull = complete && x->endpoint != NULL && x->endpoint->probe && x->status < 400;
	if (x->http->log != NULL && !dull)
		log_line(x, us, bytes, complete);
	x->conn = NULL;
	if (answered && x->stream != NULL) {
		drg_stream_reader_left(x->stream);
		x->stream = NULL;
		drg_loop_unpost(x->loop, &x->post); /* withdraw the post by which the stream reports bytes */
	}
}

void drg_dispatch_completed(struct drg_conn *c)
{
	struct drg_exchange *x = c->x;
	assert(x != NULL && x->stage == DRG_STAGE_ANSWERED);
	const int64_t now_ns = drg_clock_ns();
	c->x = NULL;
	drg_conn_next(c, now_ns); /* after the log line, so that the log keeps the order */
	dispatch_end(x, true, now_ns);
	dispatch_close(x);
}

void drg_dispatch_cut(struct drg_conn *c)
{
	struct drg_exchange *x = c->x;
	assert(x != NULL && x->conn == c);
	bool waits = x->stage == DRG_STAGE_SUSPENDED;
	c->x = NULL;
	atomic_store(&x->orphan, waits);
	dispatch_end(x, false, drg_clock_ns());
	if (!waits)
		dispatch_close(x);
	else if (!atomic_load(&x->resumed))
		drg_exchange_client_left(x);
}
