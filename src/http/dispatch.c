#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/clock.h"
#include "http/http_priv.h"

/* A refused body of so many bytes is read and thrown away, so that the connection can go on. */
enum { DRAIN_BYTES = 64 * 1024 };

/* ---- the request line ---- */

static struct drg_conn *conn_of(struct MHD_Connection *mhd)
{
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
	return info != NULL ? info->socket_context : NULL;
}

/** libmicrohttpd would copy the parameters of the query into the connection's memory, one record each; with many it
 * runs out of it and answers wrongly. We read the query ourselves: here it is cut off before it looks. */
static void hide_query(const char *target)
{
	union {
		const char *in;
		char *out;
	} line = { .in = target };
	char *mark = strchr(line.out, '?');
	if (mark != NULL)
		mark[1] = '\0';
}

void *drg_dispatch_line(void *ctx, const char *target, struct MHD_Connection *mhd)
{
	struct drg_http *h = ctx;
	struct drg_conn *conn = conn_of(mhd);
	struct drg_exchange *x = conn != NULL ? drg_exchange_take(h) : NULL;
	if (x == NULL)
		return NULL;
	x->mhd = mhd;
	x->conn = conn;
	x->verb = DRG_VERB_OTHER; /* until the head is here */
	x->started_ns = drg_clock_ns();
	x->line = (struct drg_request_line){ .target = target, .target_n = strlen(target) };
	x->raw_target = drg_arena_str(&x->arena, drg_str(target, x->line.target_n));
	hide_query(target);
	drg_conn_head(conn, x->started_ns);
	return x;
}

/* ---- the checks before the handler, in the order of decision E7 ---- */

static bool sane_request_id(struct drg_str id)
{
	if (id.p == NULL || id.n == 0 || id.n > DRG_REQUEST_ID_MAX)
		return false;
	for (size_t i = 0; i < id.n; i++)
		if (id.p[i] <= ' ' || id.p[i] > '~' || strchr("\"\\<>&'", id.p[i]) != NULL)
			return false;
	return true;
}

static void set_request_id(struct drg_exchange *x)
{
	struct drg_str sent = x->head.request_id;
	if (sane_request_id(sent)) {
		memcpy(x->request_id, sent.p, sent.n);
		x->request_id_n = sent.n;
		x->request_id[sent.n] = '\0';
		return;
	}
	static const char hex[] = "0123456789abcdef";
	uint64_t n = atomic_fetch_add_explicit(&x->http->next_id, 1, memory_order_relaxed);
	size_t at = strlen(x->http->id_prefix);
	memcpy(x->request_id, x->http->id_prefix, at);
	for (int shift = 36; shift >= 0; shift -= 4)
		x->request_id[at++] = hex[n >> shift & 15];
	x->request_id[at] = '\0';
	x->request_id_n = at;
}

static void set_verb(struct drg_exchange *x, const char *method)
{
	static const char *const names[] = { [DRG_VERB_GET] = "GET",
		                             [DRG_VERB_HEAD] = "HEAD",
		                             [DRG_VERB_POST] = "POST",
		                             [DRG_VERB_OPTIONS] = "OPTIONS" };
	x->verb = DRG_VERB_OTHER;
	for (unsigned v = 0; v < DRG_ARRAY_LEN(names); v++)
		if (strcmp(method, names[v]) == 0)
			x->verb = (enum drg_verb)v;
}

static int check_sizes(struct drg_exchange *x)
{
	const struct drg_http_options *o = &x->http->opt;
	if (x->raw_target.p == NULL)
		return drg_fail(&x->err, DRG_ENOMEM, NULL, NULL, "out of memory");
	if (x->raw_target.n > o->max_url)
		return drg_exchange_fail_status(x, 414, NULL, NULL, "the address is longer than %zu bytes",
		                                o->max_url);
	const union MHD_ConnectionInfo *info =
	        MHD_get_connection_info(x->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
	size_t head = info != NULL ? info->header_size : 0;
	if (head > x->raw_target.n && head - x->raw_target.n > o->max_headers)
		return drg_exchange_fail_status(
		        x, 431, NULL, NULL, "the request headers are larger than %zu bytes", o->max_headers);
	return DRG_OK;
}

static int find_endpoint(struct drg_exchange *x)
{
	x->route = drg_router_find(x->http->router, &x->target);
	if (x->route == NULL)
		return drg_exchange_fail_status(x, 404, NULL, NULL, "there is nothing at this address");
	if (x->verb == DRG_VERB_OPTIONS)
		return DRG_OK;
	if (x->verb != DRG_VERB_OTHER)
		x->endpoint = x->route->by_method[x->verb == DRG_VERB_POST ? DRG_POST : DRG_GET];
	if (x->endpoint != NULL)
		return DRG_OK;
	const char *allow = drg_answer_allow(x);
	drg_exchange_add_header(x, "Allow", allow);
	return drg_exchange_fail_status(x, 405, NULL, NULL, "this address takes only %s", allow);
}

/** "application/json; charset=utf-8" and the like (E10). */
static bool is_media_type(struct drg_str value, struct drg_str type)
{
	struct drg_str part;
	if (!drg_str_split(&value, ';', &part) || !drg_str_eq_nocase(drg_str_trim(part), type))
		return false;
	while (drg_str_split(&value, ';', &part)) {
		part = drg_str_trim(part);
		bool utf8 = drg_str_eq_nocase(part, DRG_STR("charset=utf-8")) ||
		            drg_str_eq_nocase(part, DRG_STR("charset=\"utf-8\""));
		if (part.n > 0 && !utf8)
			return false;
	}
	return true;
}

static int check_media_type(struct drg_exchange *x)
{
	struct drg_str type = x->head.content_type;
	if (x->endpoint->body == DRG_BODY_NONE || type.p == NULL)
		return DRG_OK;
	if (is_media_type(type, DRG_STR("application/json")))
		return DRG_OK;
	bool form_too = x->endpoint->body == DRG_BODY_JSON_OR_FORM;
	x->body_is_form = form_too && is_media_type(type, DRG_STR("application/x-www-form-urlencoded"));
	if (x->body_is_form)
		return DRG_OK;
	return drg_exchange_fail_status(x, 415, NULL, "Content-Type",
	                                "the body must be application/json%s, in UTF-8",
	                                form_too ? " or application/x-www-form-urlencoded" : "");
}

static int fail_body_size(struct drg_exchange *x)
{
	return drg_exchange_fail_status(x, 413, NULL, NULL, "the body is larger than %zu bytes",
	                                x->http->opt.max_body);
}

static void note_ignored(void *ctx, struct drg_str name)
{
	drg_exchange_ignored(ctx, name);
}

static int authorize(struct drg_exchange *x)
{
	if (x->endpoint->auth == 0)
		return DRG_OK;
	assert(x->http->app.authorize != NULL);
	return x->http->app.authorize(x, x->endpoint);
}

/** Everything that can be told from the head. @return DRG_OK: the handler may run, once the body is here. */
static int check_head(struct drg_exchange *x, bool *ret_framing)
{
	int rc = drg_head_read(x->mhd, &x->line, &x->head, &x->err);
	*ret_framing = rc != DRG_OK;
	set_request_id(x);
	set_verb(x, x->line.method);
	if (rc == DRG_OK)
		rc = check_sizes(x);
	if (rc == DRG_OK)
		rc = drg_target_parse(x->raw_target, &x->arena, &x->target, &x->err);
	if (rc == DRG_OK)
		rc = find_endpoint(x);
	if (rc != DRG_OK || x->verb == DRG_VERB_OPTIONS)
		return rc;
	rc = authorize(x);
	if (rc == DRG_OK)
		rc = check_media_type(x);
	if (rc == DRG_OK && x->head.length > x->http->opt.max_body)
		rc = fail_body_size(x);
	if (rc == DRG_OK)
		rc = drg_params_read(x->endpoint, &x->target, &x->arena, note_ignored, x, &x->params,
		                     &x->err);
	return rc;
}

/** An answer before the body has been read ends the connection: libmicrohttpd cannot skip a body. */
static enum MHD_Result answer_early(struct drg_exchange *x)
{
	x->conn->linger = true;
	return drg_answer_queue(x);
}

static enum MHD_Result begin(struct drg_exchange *x, const char *method, const char *version)
{
	bool framing;
	x->line.method = method;
	x->line.version = version;
	int rc = check_head(x, &framing);
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

static enum MHD_Result read_body(struct drg_exchange *x, struct drg_str part)
{
	x->body_seen += part.n;
	if (x->body_kept)
		drg_buf_str(&x->body, part);
	bool too_large = !x->refused && x->body_seen > x->http->opt.max_body;
	bool no_memory = x->body.rc == DRG_ENOMEM;
	if (!too_large && !no_memory) {
		drg_conn_body(x->conn, x->body_started_ns, x->body_seen);
		return MHD_YES;
	}
	int rc = no_memory ? drg_fail(&x->err, DRG_ENOMEM, NULL, NULL, "no memory for the body")
	                   : fail_body_size(x);
	drg_answer_finish(x, rc);
	drg_answer_by_hand(x);
	x->conn->linger = true;
	return MHD_NO; /* which closes the connection */
}

/* ---- the handler ---- */

/** Count a handler that starts; not once the server stops. */
static bool enter(struct drg_http *h)
{
	atomic_fetch_add(&h->busy, 1);
	if (!atomic_load(&h->stopping))
		return true;
	atomic_fetch_sub(&h->busy, 1);
	return false;
}

static enum MHD_Result run(struct drg_exchange *x, drg_handler_fn *handler)
{
	int rc = handler(x);
	if (rc == DRG_HTTP_SUSPENDED)
		return MHD_YES;
	atomic_fetch_sub(&x->http->busy, 1);
	drg_answer_finish(x, rc);
	return drg_answer_queue(x);
}

static enum MHD_Result whole_request(struct drg_exchange *x)
{
	if (x->refused)
		return drg_answer_queue(x);
	drg_conn_work(x->conn);
	if (x->stage == DRG_STAGE_SUSPENDED) {
		if (!atomic_load(&x->resumed))
			return MHD_YES;
		x->stage = DRG_STAGE_BODY;
		return run(x, x->again);
	}
	if (enter(x->http))
		return run(x, x->endpoint->handler);
	drg_answer_finish(x,
	                  drg_fail(&x->err, DRG_EBUSY, "shutting_down", NULL, "the server is shutting down"));
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
		return MHD_NO; /* out of memory when the line came */
	if (x->stage == DRG_STAGE_HEAD)
		return begin(x, method, version);
	if (*upload_n > 0) {
		struct drg_str part = drg_str(upload, *upload_n);
		*upload_n = 0;
		return read_body(x, part);
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

static void log_line(struct drg_exchange *x, int64_t now_ns, bool complete)
{
	static const char *const verbs[] = { "GET", "HEAD", "POST", "OPTIONS", "other" };
	struct drg_str path = x->target.path.p != NULL ? x->target.path : x->raw_target;
	const char *mark = path.n > 0 ? memchr(path.p, '?', path.n) : NULL;
	bool with_body = complete && x->verb != DRG_VERB_HEAD && x->stage == DRG_STAGE_ANSWERED;
	struct drg_access_line line = {
		.request_id = drg_exchange_request_id(x),
		.remote = x->conn->remote,
		.method = verbs[x->verb],
		.path = mark != NULL ? drg_str(path.p, (size_t)(mark - path.p)) : path,
		.route = x->endpoint != NULL ? x->endpoint->path : NULL,
		.status = status_sent(x),
		.bytes = with_body ? x->sent.n : 0,
		.us = (now_ns - x->started_ns) / 1000,
		.key_id = x->key_id,
		.cut = !complete,
	};
	drg_access_log_write(x->http->log, &line, &x->scratch);
}

/**
 * The client went away while its handler was suspended: libmicrohttpd notices when it is resumed, and does not call us
 * any more. The handler must go on all the same, since it may hold things; its answer is thrown away. Where it waits
 * once more, whoever comes second, the return or the resumption, sees to what follows.
 */
static void run_orphan(struct drg_exchange *x)
{
	do {
		x->stage = DRG_STAGE_BODY;
		if (x->again(x) != DRG_HTTP_SUSPENDED) {
			struct drg_http *h = x->http;
			drg_exchange_give(x);
			atomic_fetch_sub(&h->busy, 1);
			return;
		}
	} while (atomic_exchange(&x->met, true));
}

void drg_dispatch_orphans(void *ctx)
{
	struct drg_http *h = ctx;
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
	if (h->log != NULL)
		log_line(x, now_ns, how == MHD_REQUEST_TERMINATED_COMPLETED_OK || x->by_hand);
	drg_conn_wait(x->conn, now_ns);
	x->mhd = NULL;
	x->conn = NULL;
	x->orphan = x->stage == DRG_STAGE_SUSPENDED;
	if (x->orphan)
		run_orphan(x);
	else
		drg_exchange_give(x);
}
