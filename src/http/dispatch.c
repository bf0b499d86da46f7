#include <assert.h>
#include <stddef.h>

#include "base/clock.h"
#include "base/thread.h"
#include "http/http_priv.h"
#include "http/mhd_quirks.h"
#include "http/pack.h"

enum {
	/* A refused body of so many bytes is read and thrown away, so that the connection can go on. */
	DRAIN_BYTES = 64 * 1024,
	/* With such a body a handler may take more than a millisecond; with a smaller one it takes less, or a few. */
	LARGE_BYTES = 16 * 1024,
};

/* ---- the request line ---- */

static struct drg_conn *conn_of(struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info != NULL ? info->socket_context : NULL;
}

void *drg_dispatch_line(void *ctx, const char *target, struct MHD_Connection *mhd)
{
	struct drg_http *h = ctx;
	struct drg_conn *conn = conn_of(mhd);
	int64_t now_ns = drg_clock_ns();
	struct drg_exchange *x = conn != NULL && drg_conn_head(conn, now_ns) ? drg_exchange_take(h) : NULL;
	if (x == NULL)
		return NULL;
	x->mhd = mhd;
	x->conn = conn;
	x->verb = DRG_VERB_OTHER; /* until the head is here */
	x->started_ns = now_ns;
	x->line = (struct drg_request_line){ .target = target, .target_n = strlen(target) };
	x->raw_target = drg_arena_str(&x->arena, drg_str(target, x->line.target_n));
	drg_mhd_hide_query(target);
	return x;
}

/* ---- the head ---- */

/** An answer before the body has been read ends the connection: libmicrohttpd cannot skip a body. */
static enum MHD_Result answer_early(struct drg_exchange *x)
{
	x->conn->linger = true;
	return drg_answer_queue(x);
}

static enum MHD_Result dispatch_begin(struct drg_exchange *x, const char *method, const char *version)
{
	bool framing;
	x->line.method = method;
	x->line.version = version;
	int rc = drg_check_request(x, &framing);
	x->stage = DRG_STAGE_BODY;
	if (rc != DRG_OK || x->verb == DRG_VERB_OPTIONS) {
		x->refused = true;
		if (rc == DRG_OK)
			drg_answer_options(x);
		else
			drg_answer_finish(x, rc);
		bool small = !x->head.chunked && x->head.length <= DRAIN_BYTES && !x->head.expects_continue;
		if (framing || (drg_head_has_body(&x->head) && !small))
			return answer_early(x);
	}
	if (drg_head_has_body(&x->head)) {
		x->body_kept = !x->refused && x->endpoint->body != DRG_BODY_NONE;
		x->body_started_ns = drg_clock_ns();
		drg_conn_body(x->conn, x->body_started_ns, 0);
		if (x->body_kept && x->head.length > 0)
			drg_buf_reserve(&x->body, x->head.length);
	}
	return MHD_YES;
}

/* ---- the body ---- */

static enum MHD_Result dispatch_read_body(struct drg_exchange *x, struct drg_str part)
{
	if (x->body_seen > LARGE_BYTES)
		drg_thread_give_way();
	x->body_seen += part.n;
	bool too_large = !x->refused && x->body_seen > drg_check_max_body(x);
	if (x->body_kept && !too_large)
		drg_buf_str(&x->body, part);
	bool no_memory = x->body.rc == DRG_ENOMEM;
	bool bare_lf = x->head.chunked && !drg_mhd_chunk_ok(part);
	if (!too_large && !no_memory && !bare_lf) {
		drg_conn_body(x->conn, x->body_started_ns, x->body_seen);
		return MHD_YES;
	}
	int rc = bare_lf     ? drg_fail(&x->err, DRG_EINVAL, DRG_R(bad_framing), NULL,
	                                "a line between chunks ends with LF alone")
	         : too_large ? drg_check_fail_body_size(x)
	                     : drg_fail_memory(&x->err);
	drg_answer_finish(x, rc);
	drg_answer_by_hand(x);
	x->conn->linger = true;
	return MHD_NO; /* which closes the connection */
}

/* ---- the handler ---- */

/** A handler that was counted has ended. */
static void dispatch_leave(struct drg_http *h)
{
	unsigned before = atomic_fetch_sub(&h->busy, 1);
	assert(before > 0);
	(void)before;
}

/** Count a handler that starts; not once the server stops. */
static bool enter(struct drg_http *h)
{
	atomic_fetch_add(&h->busy, 1);
	if (!atomic_load(&h->stopping))
		return true;
	dispatch_leave(h);
	return false;
}

static enum MHD_Result dispatch_run(struct drg_exchange *x, drg_handler_fn *handler)
{
	int rc = handler(x);
	if (rc == DRG_HTTP_SUSPENDED)
		return MHD_YES;
	dispatch_leave(x->http);
	drg_answer_finish(x, rc);
	return drg_answer_queue(x);
}

/** After the workers: what they came to. */
static int hand_back(struct drg_exchange *x)
{
	return x->work_rc;
}

/** The worker must not look into libmicrohttpd's memory, which goes with the connection. */
static bool keep_head(struct drg_exchange *x)
{
	bool ok = true;
	drg_pack_weights(x); /* read now; whether there was a field is all that is asked later */
	for (size_t i = 0; i < x->http->n_app_headers; i++) {
		struct drg_str *value = &x->head.app[i];
		if (value->p != NULL)
			*value = drg_arena_str(&x->arena, *value);
		ok &= value->p != NULL || value->n == 0;
	}
	return ok;
}

static int hand_over(struct drg_exchange *x)
{
	int rc = drg_answer_room(x);
	if (rc == DRG_OK && !keep_head(x))
		rc = drg_fail_memory(&x->err);
	if (rc != DRG_OK)
		return rc;
	drg_exchange_suspend(x, hand_back);
	x->large = true;
	x->work = x->endpoint->handler;
	x->work_item.owner = x->key_id;
	drg_exchange_hand_to_worker(x);
	return DRG_HTTP_SUSPENDED;
}

/** Bytes from which on a worker has it: of the body, and, where the endpoint counts itself, of the query as well. */
static bool is_large(const struct drg_exchange *x)
{
	size_t from = x->endpoint->work_from;
	return from > 0 ? x->body.n + x->target.query.n >= from : x->body.n >= LARGE_BYTES;
}

int drg_exchange_handle(struct drg_exchange *x)
{
	if (x->orphan) /* nobody is there for the answer, and nothing has been done yet */
		return drg_fail(&x->err, DRG_EBUSY, NULL, NULL, "the client has left");
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
	(void)ctx;
	(void)thread;
	if (x->worked) { /* and answered: giving its megabytes back takes long too */
		drg_exchange_give(x);
		return;
	}
	int rc = x->work(x);
	if (rc == DRG_HTTP_SUSPENDED)
		return; /* another thread may work on it already */
	if (rc == DRG_OK && atomic_load(&x->turn) != DRG_TURN_LEFT)
		drg_pack_answer(x, SIZE_MAX);
	x->work_rc = rc;
	x->worked = true;
	drg_exchange_resume(x);
}

/** Its handler has returned and waits, has been resumed, or its client has left. */
static enum MHD_Result go_on(struct drg_exchange *x)
{
	int turn = atomic_load(&x->turn);
	if (turn == DRG_TURN_LEFT)
		return MHD_NO; /* which closes the connection */
	if (turn == DRG_TURN_HTTP && drg_exchange_park(x))
		return MHD_YES;
	drg_conn_unpark(x->conn);
	x->stage = DRG_STAGE_BODY;
	return dispatch_run(x, x->again);
}

static enum MHD_Result whole_request(struct drg_exchange *x)
{
	if (x->refused)
		return drg_answer_queue(x);
	if (x->stage == DRG_STAGE_SUSPENDED)
		return go_on(x);
	if (!drg_conn_work(x->conn))
		return MHD_NO; /* it was shut down: what nobody is told is not begun either */
	int rc = drg_check_body(x);
	if (rc != DRG_OK) {
		drg_answer_finish(x, rc);
		return drg_answer_queue(x);
	}
	if (enter(x->http))
		return dispatch_run(x, admit);
	drg_answer_finish(
	        x, drg_fail(&x->err, DRG_EBUSY, DRG_R(shutting_down), NULL, "the server is shutting down"));
	return drg_answer_queue(x);
}

enum MHD_Result drg_dispatch_request(void *ctx, struct MHD_Connection *mhd, const char *url,
                                     const char *method, const char *version, const char *upload,
                                     size_t *upload_n, void **request)
{
	struct drg_exchange *x = *request;
	(void)ctx;
	(void)mhd;
	(void)url;
	if (x == NULL)
		return MHD_NO; /* out of memory when the line came, or the connection is shut down */
	if (x->stage == DRG_STAGE_HEAD)
		return dispatch_begin(x, method, version);
	if (*upload_n > 0) {
		struct drg_str part = drg_str(upload, *upload_n);
		*upload_n = 0;
		return dispatch_read_body(x, part);
	}
	return whole_request(x);
}

/* ---- the end ---- */

/** What was answered, by us or, to what it does not take for HTTP, by libmicrohttpd itself; 0: nothing. */
static int status_sent(const struct drg_exchange *x)
{
	if (x->stage == DRG_STAGE_ANSWERED)
		return x->status;
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(x->mhd, MHD_CONNECTION_INFO_HTTP_STATUS);
	return info != NULL ? (int)info->http_status : 0;
}

static bool holds_secret(const struct drg_exchange *x, struct drg_str text)
{
	for (const char *const *secret = x->http->app.secrets; secret != NULL && *secret != NULL; secret++)
		if (text.n > 0 && memmem(text.p, text.n, *secret, strlen(*secret)) != NULL)
			return true;
	return false;
}

/** The path of the endpoint, or of another method there; NULL: it is nobody's. */
static const char *path_in_table(const struct drg_exchange *x)
{
	const char *path = x->endpoint != NULL ? x->endpoint->path : NULL;
	for (int m = 0; path == NULL && x->route != NULL && m < DRG_METHOD_COUNT; m++)
		path = x->route->by_method[m] != NULL ? x->route->by_method[m]->path : NULL;
	return path;
}

/** The path for the access log: as sent, without the query. That of an endpoint that takes a key in it is not, even where
 * the key is mistyped. */
static struct drg_str log_path(const struct drg_exchange *x)
{
	struct drg_str path = x->target.path.p != NULL ? x->target.path : x->raw_target;
	const char *mark = path.n > 0 ? memchr(path.p, '?', path.n) : NULL;
	const char *known = path_in_table(x);
	if (mark != NULL)
		path.n = (size_t)(mark - path.p);
	bool takes_key = known != NULL && strstr(known, ":key") != NULL;
	if (takes_key || holds_secret(x, path) || holds_secret(x, x->target.decoded))
		return known != NULL ? drg_str_c(known) : DRG_STR("(has a key)");
	return path;
}

static void log_line(struct drg_exchange *x, int64_t now_ns, bool complete)
{
	static const char *const verbs[] = { "GET", "HEAD", "POST", "DELETE", "OPTIONS", "other" };
	bool with_body = complete && x->verb != DRG_VERB_HEAD && x->stage == DRG_STAGE_ANSWERED;
	char client[INET6_ADDRSTRLEN];
	if (x->head.forwarded)
		drg_address_text(&x->head.client, client);
	struct drg_access_line line = {
		.request_id = drg_exchange_request_id(x),
		.remote = x->head.forwarded ? client : x->conn->remote,
		.method = verbs[x->verb],
		.path = log_path(x),
		.route = x->endpoint != NULL ? x->endpoint->path : NULL,
		.status = status_sent(x),
		.bytes = with_body ? x->sent.n : x->streamed,
		.us = (now_ns - x->started_ns) / 1000,
		.key_id = x->key_id,
		.cut = !complete,
	};
	drg_access_log_write(x->http->log, &line, &x->scratch);
}

/**
 * The client went away while its handler was suspended, and the connection is closed. The handler must go on all the same,
 * since it may hold things; its answer is thrown away. Where it waits once more, whoever comes second, the return or the
 * resumption, sees to what follows.
 */
static void run_orphan(struct drg_exchange *x)
{
	do {
		assert(x->orphan && x->mhd == NULL);
		x->stage = DRG_STAGE_BODY;
		if (x->again(x) != DRG_HTTP_SUSPENDED) {
			struct drg_http *h = x->http;
			drg_exchange_give(x);
			dispatch_leave(h);
			return;
		}
	} while (atomic_exchange(&x->met, true));
}

static void run_orphans(struct drg_http *h)
{
	pthread_mutex_lock(&h->lock);
	struct drg_exchange *list = h->orphans;
	h->orphans = NULL;
	pthread_mutex_unlock(&h->lock);
	while (list != NULL) {
		struct drg_exchange *x = list;
		list = x->next;
		run_orphan(x);
	}
}

void drg_dispatch_tick(void *ctx, unsigned connections)
{
	run_orphans(ctx);
	drg_exchange_trim(ctx, connections);
}

/** Of an orphan; if it was not, drg_exchange_resume() will find that it is one. */
static bool was_resumed(struct drg_exchange *x)
{
	int turn = DRG_TURN_HTTP;
	bool left = atomic_compare_exchange_strong(&x->turn, &turn, DRG_TURN_LEFT) || turn == DRG_TURN_LEFT;
	/* Until the line below nobody else can end it. */
	if (left && x->leave != NULL)
		x->leave(x);
	return !left || atomic_exchange(&x->met, true);
}

void drg_dispatch_completed(void *ctx, struct MHD_Connection *mhd, void **request,
                            enum MHD_RequestTerminationCode how)
{
	struct drg_http *h = ctx;
	struct drg_exchange *x = *request;
	(void)mhd;
	if (x == NULL)
		return;
	*request = NULL;
	int64_t now_ns = drg_clock_ns();
	if (x->stage == DRG_STAGE_SUSPENDED)
		drg_conn_unpark(x->conn);
	drg_conn_wait(x->conn, now_ns);
	/* Where the line is, the connection waits for the next request already. */
	if (h->log != NULL)
		log_line(x, now_ns, how == MHD_REQUEST_TERMINATED_COMPLETED_OK || x->by_hand);
	x->mhd = NULL;
	x->conn = NULL;
	x->orphan = x->stage == DRG_STAGE_SUSPENDED;
	if (!x->orphan && x->worked)
		drg_exchange_hand_to_worker(x);
	else if (!x->orphan)
		drg_exchange_give(x);
	else if (was_resumed(x))
		run_orphan(x);
}
