#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/thread.h"
#include "http/cors.h"
#include "http/error_body.h"
#include "http/http_priv.h"
#include "http/negotiate.h"
#include "http/pack.h"

/* Smaller answers are not counted: there is at most one for each connection. */
enum { LARGE_ANSWER = 128 * 1024 };
/* A larger body is given to the kernel a slice at a time, other connections of the thread between two: on a fast network
 * the kernel takes megabytes in one go, and that takes it milliseconds. Each slice is copied once more. */
enum { WHOLE_BODY = 512 * 1024, SLICE = 128 * 1024 };

static const char JSON_TYPE[] = "application/json", PROBLEM_TYPE[] = "application/problem+json";
static const char RETRY_SECONDS[] = "2";

/* ---- OPTIONS ---- */

const char *drg_answer_methods(unsigned methods, bool options)
{
	static const char *const lists[2][1 << DRG_METHOD_COUNT] = {
		{ "", "GET, HEAD", "POST", "GET, HEAD, POST", "DELETE", "GET, HEAD, DELETE", "POST, DELETE",
		  "GET, HEAD, POST, DELETE" },
		{ "OPTIONS", "GET, HEAD, OPTIONS", "POST, OPTIONS", "GET, HEAD, POST, OPTIONS",
		  "DELETE, OPTIONS", "GET, HEAD, DELETE, OPTIONS", "POST, DELETE, OPTIONS",
		  "GET, HEAD, POST, DELETE, OPTIONS" },
	};
	assert(methods < DRG_ARRAY_LEN(lists[0]));
	return lists[options][methods];
}

const char *drg_answer_allow(struct drg_exchange *x)
{
	unsigned methods = 0;
	for (unsigned m = 0; m < DRG_METHOD_COUNT; m++)
		methods |= (unsigned)(x->route->by_method[m] != NULL) << m;
	return drg_answer_methods(methods, true);
}

void drg_answer_options(struct drg_exchange *x)
{
	x->status = MHD_HTTP_NO_CONTENT;
	drg_exchange_add_header(x, "Allow", drg_answer_allow(x));
	drg_cors_preflight(x);
}

/* ---- what is to be said ---- */

static void drop_content(struct drg_exchange *x)
{
	if (x->release != NULL)
		x->release(x->release_ctx);
	x->content = NULL;
	x->release = NULL;
	drg_stream_leave(x->stream);
	x->stream = NULL;
}

/** Failures that are not the client's are told in general terms (E3), and to the operator in full. */
static void report_internal(struct drg_exchange *x, int rc)
{
	bool expected = x->fail_status != 0 || rc == DRG_EBUSY || rc == DRG_ELIMIT;
	if (x->status < 500 || expected)
		return;
	drg_log(DRG_LOG_ERROR, "request %s, %s: %s", x->request_id,
	        x->endpoint != NULL ? x->endpoint->path : "no endpoint",
	        x->err.message[0] != '\0' ? x->err.message : drg_rc_text(rc));
	drg_fail(&x->err, rc, NULL, NULL, "%s; the id of this request is %s",
	         x->status == 503 ? "the data cannot be reached now, try again later" : "internal error",
	         x->request_id);
}

/** Has the handler said it? */
static bool answer_says(const struct drg_exchange *x, const char *header)
{
	for (size_t i = 0; i < x->n_headers; i++)
		if (strcmp(x->headers[i].name, header) == 0)
			return true;
	return false;
}

static void finish_error(struct drg_exchange *x, int rc)
{
	x->status = x->fail_status != 0 ? x->fail_status : drg_http_status(rc);
	drop_content(x);
	report_internal(x, rc);
	drg_buf_clear(&x->out);
	drg_buf_clear(&x->packed);
	x->coding = DRG_CODING_IDENTITY;
	x->packable = false;
	bool problem = drg_negotiate_problem(x->head.accept);
	(problem ? drg_error_problem : drg_error_body)(&x->out, x->status, &x->err);
	x->type = problem ? PROBLEM_TYPE : JSON_TYPE;
	x->sent = drg_buf_view(&x->out);
	if ((x->status == 503 || x->status == 429) && !answer_says(x, "Retry-After"))
		drg_exchange_add_header(x, "Retry-After", RETRY_SECONDS);
}

/** @return DRG_OK, or what finish_error() takes. */
static int finish_content(struct drg_exchange *x)
{
	if (!drg_negotiate_coding(drg_pack_weights(x), x->content, &x->coding))
		return drg_exchange_fail_status(
		        x, 406, NULL, "Accept-Encoding",
		        "Accept-Encoding: none of the codings that this answer has is accepted");
	x->type = x->content->type;
	if (x->head.if_none_match.p != NULL &&
	    drg_etag_matches(x->head.if_none_match, x->content->etag, &x->coding)) {
		/* libmicrohttpd cannot leave Content-Length out. The length of what is not sent would be allowed too, but
		 * makes simple clients wait for it; caches never take the length of a 304 (RFC 9111, 3.2). */
		x->status = MHD_HTTP_NOT_MODIFIED;
		x->type = NULL;
		return DRG_OK;
	}
	x->sent = x->content->body[x->coding];
	assert(x->sent.n > 0 || !x->content->coded_when_asked);
	return DRG_OK;
}

static int fail_answers_waiting(struct drg_exchange *x)
{
	return drg_fail(&x->err, DRG_EBUSY, DRG_R(answers_waiting), NULL,
	                "too many large answers wait to be read; try again later, or ask for less at a time");
}

int drg_answer_room(struct drg_exchange *x)
{
	return atomic_load(&x->http->answer_bytes) < x->http->opt.max_answers ? DRG_OK
	                                                                      : fail_answers_waiting(x);
}

/** A finished answer of our own is held until it is read. */
static int hold_answer(struct drg_exchange *x)
{
	struct drg_http *h = x->http;
	const struct drg_buf *body = x->packed.n > 0 ? &x->packed : &x->out;
	size_t n = body->cap;
	if (x->content != NULL || body->n < LARGE_ANSWER)
		return DRG_OK;
	if (atomic_fetch_add(&h->answer_bytes, n) + n <= h->opt.max_answers) {
		x->answer_bytes = n;
		return DRG_OK;
	}
	atomic_fetch_sub(&h->answer_bytes, n);
	drg_buf_done(&x->out);
	drg_buf_done(&x->packed);
	return fail_answers_waiting(x);
}

static int fail_too_large(struct drg_exchange *x)
{
	return drg_fail(&x->err, DRG_EINVAL, DRG_R(answer_too_large), NULL,
	                "the answer would be larger than %zu bytes; ask for less at a time",
	                x->http->opt.max_answers);
}

void drg_answer_finish(struct drg_exchange *x, int rc)
{
	if (rc == DRG_OK && x->out.rc == DRG_ELIMIT)
		rc = fail_too_large(x);
	else if (rc == DRG_OK && x->out.rc != DRG_OK)
		rc = drg_fail(&x->err, DRG_EINTERNAL, NULL, NULL, "the answer could not be put together: %s",
		              drg_rc_text(x->out.rc));
	if (rc == DRG_OK)
		drg_pack_answer(x, DRG_PACK_HTTP_BYTES);
	if (rc == DRG_OK)
		rc = hold_answer(x);
	if (rc == DRG_OK && x->status == 0)
		x->status = MHD_HTTP_OK;
	if (rc == DRG_OK && x->content != NULL)
		rc = finish_content(x);
	bool versioned = x->versioned || (rc == DRG_OK && x->content != NULL);
	if (!versioned && x->http->app.version != NULL)
		x->http->app.version(x);
	if (rc != DRG_OK) {
		finish_error(x, rc);
	} else if (x->content == NULL) {
		x->sent = drg_buf_view(x->packed.n > 0 ? &x->packed : &x->out);
		if (x->type == NULL && x->sent.n > 0)
			x->type = JSON_TYPE;
	}
}

/* ---- how it is said ---- */

/** Who sent an id has it back; who has to report an error needs one (E17). */
static bool names_request(const struct drg_exchange *x)
{
	return x->request_id_sent || x->status >= 400;
}

static void add_version(const struct drg_exchange *x, drg_header_fn *add, void *to)
{
	char text[DRG_DATA_VERSION_TEXT];
	const char *version = x->content != NULL ? x->content->version : "";
	if (x->versioned) {
		drg_data_version_write(&x->version, text);
		version = text;
	}
	if (version[0] != '\0')
		add(to, "X-Data-Version", version);
}

/** Of the request's head, what the answer depends on. What asks for a version is not answered by a cache that has not heard of
 * it (D2). */
static void add_vary(const struct drg_exchange *x, drg_header_fn *add, void *to)
{
	const struct {
		bool there;
		const char *name;
	} of[] = {
		{ x->content != NULL || x->packable, "Accept-Encoding" },
		{ x->content != NULL && x->content->version[0] != '\0', "X-Min-Data-Version" },
		{ x->status >= 400, "Accept" },
		{ drg_cors_varies(x), "Origin" },
	};
	char text[80] = "";
	for (size_t i = 0; i < DRG_ARRAY_LEN(of); i++)
		if (of[i].there)
			strcat(strcat(text, text[0] != '\0' ? ", " : ""), of[i].name);
	if (text[0] != '\0')
		add(to, "Vary", text);
}

/** An answer to a GET that was made for one request: caches know nothing of our keys, and would give it to who has none. */
static bool is_made_once(const struct drg_exchange *x)
{
	return x->content == NULL && x->endpoint != NULL && x->endpoint->method == DRG_GET &&
	       !answer_says(x, "Cache-Control");
}

static void each_header(const struct drg_exchange *x, drg_header_fn *add, void *to)
{
	if (x->type != NULL)
		add(to, "Content-Type", x->type);
	if (x->content != NULL) {
		char etag[DRG_ETAG_TEXT];
		const char *cache = x->content->cache_control;
		drg_etag_text(x->content->etag, x->coding, etag);
		add(to, "ETag", etag);
		add(to, "Cache-Control", cache != NULL ? cache : x->http->opt.cache_control);
	}
	if (x->coding != DRG_CODING_IDENTITY && x->status != MHD_HTTP_NOT_MODIFIED)
		add(to, "Content-Encoding", drg_coding_name(x->coding));
	add_vary(x, add, to);
	add_version(x, add, to);
	if (is_made_once(x))
		add(to, "Cache-Control", "no-store");
	drg_cors_headers(x, add, to);
	for (size_t i = 0; i < x->n_headers; i++)
		add(to, x->headers[i].name, x->headers[i].value);
	if (x->ignored.n > 0)
		add(to, "X-Ignored-Fields", x->ignored.p);
	if (names_request(x))
		add(to, "X-Request-Id", x->request_id);
}

static void add_to_response(void *to, const char *name, const char *value)
{
	struct MHD_Response *r = to;
	MHD_add_response_header(r, name, value);
}

/** Called by libmicrohttpd when the kernel has taken the slice before. */
static ssize_t read_slice(void *ctx, uint64_t at, char *to, size_t max)
{
	const struct drg_exchange *x = ctx;
	assert(at < x->sent.n);
	size_t left = x->sent.n - (size_t)at, n = left < max ? left : max;
	drg_thread_give_way();
	memcpy(to, x->sent.p + at, n);
	return (ssize_t)n;
}

static struct MHD_Response *whole_response(const struct drg_exchange *x)
{
	/* The bytes stay where they are until drg_dispatch_completed(); libmicrohttpd wants a pointer that is not const. */
	union {
		const char *in;
		void *out;
	} bytes = { .in = x->sent.n > 0 ? x->sent.p : "" };
	return MHD_create_response_from_buffer(x->sent.n, bytes.out, MHD_RESPMEM_PERSISTENT);
}

static struct MHD_Response *new_response(struct drg_exchange *x)
{
	struct MHD_Response *r;
	if (x->stream != NULL)
		r = drg_stream_response(x);
	else if (x->sent.n > WHOLE_BODY)
		r = MHD_create_response_from_callback(x->sent.n, SLICE, read_slice, x, NULL);
	else
		r = whole_response(x);
	if (r != NULL)
		each_header(x, add_to_response, r);
	return r;
}

static bool is_draining(const struct drg_exchange *x)
{
	return atomic_load_explicit(&x->http->draining, memory_order_relaxed);
}

/** Is there nothing in the answer that another request for the same content would not get? */
static bool is_shareable(const struct drg_exchange *x)
{
	bool plain = x->status == MHD_HTTP_OK || x->status == MHD_HTTP_NOT_MODIFIED;
	return plain && x->content != NULL && x->content->ready != NULL && !x->versioned &&
	       x->n_headers == 0 && !(x->head.n_origin > 0 && drg_cors_varies(x)) &&
	       x->sent.n <= WHOLE_BODY && x->ignored.n == 0 && !names_request(x) && !is_draining(x);
}

/** The one that is kept, which is made here if it is the first. @return NULL: out of memory. */
static struct MHD_Response *ready_response(struct drg_exchange *x)
{
	bool same = x->status == MHD_HTTP_NOT_MODIFIED;
	enum drg_ready_cors cors = drg_cors_of(x);
	_Atomic(struct MHD_Response *) *at = &x->content->ready->of[x->coding][same][cors];
	struct MHD_Response *kept = atomic_load_explicit(at, memory_order_acquire);
	if (kept != NULL)
		return kept;
	struct MHD_Response *mine = new_response(x);
	if (mine == NULL || atomic_compare_exchange_strong(at, &kept, mine))
		return mine;
	MHD_destroy_response(mine);
	return kept;
}

enum MHD_Result drg_answer_queue(struct drg_exchange *x)
{
	bool shared = is_shareable(x);
	struct MHD_Response *r = shared ? ready_response(x) : new_response(x);
	if (r == NULL)
		return MHD_NO;
	if (!shared && is_draining(x))
		MHD_add_response_header(r, "Connection", "close");
	drg_conn_answer(x->conn, drg_clock_ns(), x->sent.n);
	x->stage = DRG_STAGE_ANSWERED;
	assert(x->status >= 200 && x->status <= 599);
	enum MHD_Result queued = MHD_queue_response(x->mhd, (unsigned)x->status, r);
	if (!shared)
		MHD_destroy_response(r);
	return queued;
}

static void add_to_text(void *to, const char *name, const char *value)
{
	drg_buf_printf(to, "%s: %s\r\n", name, value);
}

void drg_answer_by_hand(struct drg_exchange *x)
{
	struct drg_buf *text = &x->scratch;
	drg_buf_clear(text);
	drg_buf_printf(text, "HTTP/1.1 %d %s\r\n", x->status, MHD_get_reason_phrase_for((unsigned)x->status));
	each_header(x, add_to_text, text);
	char date[40];
	time_t now = time(NULL);
	struct tm utc;
	strftime(date, sizeof date, "%a, %d %b %Y %H:%M:%S GMT", gmtime_r(&now, &utc));
	drg_buf_printf(text, "Date: %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n", date, x->sent.n);
	drg_buf_str(text, x->sent);
	x->stage = DRG_STAGE_ANSWERED;
	x->by_hand = true;
	/* One try is enough: nothing was sent before on behalf of this request, so there is room. */
	ssize_t sent = send(x->conn->fd, text->p, text->n, MSG_NOSIGNAL | MSG_DONTWAIT);
	(void)sent;
}
