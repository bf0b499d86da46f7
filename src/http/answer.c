#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/clock.h"
#include "base/log.h"
#include "http/cors.h"
#include "http/error_body.h"
#include "http/http_priv.h"
#include "http/negotiate.h"
#include "http/pack.h"

/* Answers below LARGE_ANSWER do not count: there is at most one for each connection. */
enum { LARGE_ANSWER = 128 * 1024, EVERY_METHOD = (1 << DRG_METHOD_COUNT) - 1 };
static const char JSON_TYPE[] = "application/json";
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
	x->status = 204;
	drg_exchange_add_header(
	        x, "Allow", x->route != NULL ? drg_answer_allow(x) : drg_answer_methods(EVERY_METHOD, true));
	drg_cors_preflight(x);
}

/* ---- the content of an answer ---- */

static void drop_content(struct drg_exchange *x)
{
	drg_content_release(x->content);
	x->content = NULL;
	drg_stream_reader_left(x->stream);
	x->stream = NULL;
	x->streams = false;
}

/** Report a failure that is not the client's fault: clients get a general text (E3), operators the full one. */
static void report_internal(struct drg_exchange *x, int rc)
{
	bool expected = x->fail_status != 0 || rc == DRG_EBUSY || rc == DRG_ELIMIT;
	if (x->status < 500 || expected)
		return;
	const char *id = drg_exchange_request_id(x).p;
	drg_log(DRG_LOG_ERROR, "request %s, %s: %s", id,
	        x->endpoint != NULL ? x->endpoint->path : "no endpoint",
	        x->err.message[0] != '\0' ? x->err.message : drg_rc_text(rc));
	drg_fail(&x->err, rc, NULL, NULL, "%s; the id of this request is %s",
	         x->status == 503 ? "the data is unavailable; try again later" : "internal error", id);
}

/** Has the handler added this header? */
static bool answer_has_header(const struct drg_exchange *x, const char *header)
{
	for (size_t i = 0; i < x->n_headers; i++)
		if (strcmp(x->headers[i].name, header) == 0)
			return true;
	return false;
}

static void finish_error(struct drg_exchange *x, int rc)
{
	assert(rc != DRG_OK);
	x->status = x->fail_status != 0 ? x->fail_status : drg_http_status(rc);
	drop_content(x);
	x->reason = drg_error_reason(x->status, &x->err);
	report_internal(x, rc);
	drg_buf_clear(&x->out);
	drg_buf_clear(&x->packed);
	x->coding = DRG_CODING_IDENTITY;
	x->packable = false;
	drg_error_body(&x->out, x->status, &x->err);
	x->type = JSON_TYPE;
	x->sent = drg_buf_view(&x->out);
	if ((x->status == 503 || x->status == 429) && !answer_has_header(x, "Retry-After"))
		drg_exchange_add_header(x, "Retry-After", RETRY_SECONDS);
}

/** @return DRG_OK, or a code for finish_error(). */
static int finish_content(struct drg_exchange *x)
{
	if (!drg_negotiate_coding(drg_pack_weights(x), x->content, &x->coding))
		return drg_exchange_fail_status(
		        x, 406, NULL, "Accept-Encoding",
		        "Accept-Encoding: none of the codings that this answer has is accepted");
	enum drg_coding any = x->coding;
	if (x->head.if_match.p != NULL && !drg_etag_matches(x->head.if_match, true, x->content->etag, &any))
		return drg_exchange_fail_status(x, 412, NULL, "If-Match",
		                                "If-Match: the list has another tag by now");
	x->type = x->content->type;
	if (x->head.if_none_match.p != NULL &&
	    drg_etag_matches(x->head.if_none_match, false, x->content->etag, &x->coding)) {
		x->status = 304;
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

/** Account for the memory of an answer that is held until the client has read it. */
static int hold_answer(struct drg_exchange *x)
{
	assert(x->answer_bytes == 0);
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

/** Remove the headers that the handler has added, the first @p n of them all: they are about a response that is
 * not sent. Those of authorize() and of what came later stay. */
static void drop_headers(struct drg_exchange *x, size_t n)
{
	assert(x->n_early_headers <= n && n <= x->n_headers);
	memmove(&x->headers[x->n_early_headers], &x->headers[n], (x->n_headers - n) * sizeof *x->headers);
	x->n_headers -= n - x->n_early_headers;
}

/* Charge the request. That may end in a refusal. */
static int answer_charge(struct drg_exchange *x, int rc)
{
	const size_t before = x->n_headers;
	int due = x->owes ? x->http->app.charge(x, rc == DRG_OK && x->status == 304) : DRG_OK;
	x->owes = false;
	if (due == DRG_OK)
		return rc;
	drop_headers(x, before);
	return due;
}

void drg_answer_finish(struct drg_exchange *x, int rc)
{
	assert(x->stage != DRG_STAGE_ANSWERED);
	const bool handled = rc == DRG_OK;
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
		x->status = 200;
	if (rc == DRG_OK && x->content != NULL)
		rc = finish_content(x);
	if (handled && rc != DRG_OK)
		drop_headers(x, x->n_headers);
	rc = answer_charge(x, rc);
	if (rc != DRG_OK && x->content != NULL) {
		drop_content(x);
		x->versioned = false; /* the version belonged to the discarded content */
	}
	if (!x->versioned && x->content == NULL && x->http->app.version != NULL)
		x->http->app.version(x);
	if (rc != DRG_OK) {
		finish_error(x, rc);
	} else if (x->content == NULL) {
		x->sent = drg_buf_view(x->packed.n > 0 ? &x->packed : &x->out);
		if (x->type == NULL && x->sent.n > 0)
			x->type = JSON_TYPE;
	}
}

/* ---- the form of an answer ---- */

/** Does the answer have the request id? It has one if the client sent an id, or if there is an error to
 * report (E17). */
static bool names_request(const struct drg_exchange *x)
{
	return x->request_id_sent || x->status >= 400;
}

static void add_header(struct drg_buf *head, const char *name, const char *value)
{
	drg_buf_str(head, drg_str_c(name));
	drg_buf_lit(head, ": ");
	drg_buf_str(head, drg_str_c(value));
	drg_buf_lit(head, "\r\n");
}

/* Most responses have the same version as the previous one. */
const char *drg_answer_version(const struct drg_exchange *x)
{
	struct drg_loop *l = x->loop;
	if (!x->versioned)
		return "";
	if (l->version_text[0] == '\0' || !drg_data_version_eq(&l->version, &x->version)) {
		l->version = x->version;
		drg_data_version_write(&l->version, l->version_text);
	}
	return l->version_text;
}

#define NAME_LIST(text)                                                                                      \
	{                                                                                                    \
		(text), sizeof(text) - 1                                                                     \
	}

/** Add Vary: the request headers that the answer depends on. A header that asks for a version is always
 * listed, so that a cache which does not know it does not answer (D2). */
static void add_vary(const struct drg_exchange *x, struct drg_buf *to)
{
	/* in the order of the bits: compressed, with a version, with an origin */
	static const struct drg_str lists[] = {
		NAME_LIST(""),
		NAME_LIST("Accept-Encoding"),
		NAME_LIST("X-Min-Data-Version"),
		NAME_LIST("Accept-Encoding, X-Min-Data-Version"),
		NAME_LIST("Origin"),
		NAME_LIST("Accept-Encoding, Origin"),
		NAME_LIST("X-Min-Data-Version, Origin"),
		NAME_LIST("Accept-Encoding, X-Min-Data-Version, Origin"),
	};
	bool coding = x->content != NULL || x->packable;
	bool version = x->content != NULL && x->versioned;
	bool origin = drg_cors_of(x) != DRG_HEAD_NO_CORS || drg_cors_varies(x);
	struct drg_str list = lists[coding | version << 1 | origin << 2];
	if (list.n > 0)
		drg_answer_field(to, "Vary", list);
}

/** Was the answer to a GET made for this request alone? Caches do not know our keys and would send it to
 * clients without one. */
static bool is_made_once(const struct drg_exchange *x)
{
	return x->content == NULL && x->endpoint != NULL && x->endpoint->method == DRG_GET &&
	       !answer_has_header(x, "Cache-Control");
}

static void each_header(struct drg_exchange *x, struct drg_buf *to)
{
	if (x->type != NULL)
		drg_answer_field(to, "Content-Type", drg_str_c(x->type));
	if (x->content != NULL) {
		char etag[DRG_ETAG_TEXT];
		const char *cache = x->content->cache_control;
		drg_etag_text(x->content->etag, x->coding, etag);
		drg_answer_field(to, "ETag", drg_str_c(etag));
		drg_answer_field(to, "Cache-Control",
		                 drg_str_c(cache != NULL ? cache : x->http->opt.cache_control));
	}
	if (x->coding != DRG_CODING_IDENTITY && x->status != 304)
		drg_answer_field(to, "Content-Encoding", drg_str_c(drg_coding_name(x->coding)));
	add_vary(x, to);
	if (is_made_once(x))
		drg_answer_field(to, "Cache-Control", DRG_STR("no-store"));
	drg_cors_headers(x, to);
	for (size_t i = 0; i < x->n_headers; i++)
		add_header(to, x->headers[i].name, x->headers[i].value);
	if (x->ignored.n > 0)
		drg_answer_field(to, "X-Ignored-Fields", drg_buf_view(&x->ignored));
	if (names_request(x))
		drg_answer_field(to, "X-Request-Id", drg_exchange_request_id(x));
}

/** Would every request for the same content get this head? */
static bool is_shareable(const struct drg_exchange *x)
{
	bool plain = x->status == 200 || x->status == 304;
	return plain && x->content != NULL && drg_content_is_kept(x->content) && x->n_headers == 0 &&
	       !(x->head.n_origin > 0 && drg_cors_varies(x)) && x->ignored.n == 0 && !names_request(x);
}

/** Add Content-Length or Transfer-Encoding. */
static void add_framing(const struct drg_exchange *x, struct drg_buf *to)
{
	bool none = x->status == 204 || x->status == 304; /* RFC 9110, 8.6 and 15.4.5 */
	if (x->streams || none) {
		if (x->streams && !x->http_1_0)
			drg_buf_lit(to, "Transfer-Encoding: chunked\r\n");
		return;
	}
	drg_buf_lit(to, "Content-Length: ");
	drg_buf_i64(to, (int64_t)x->sent.n);
	drg_buf_lit(to, "\r\n");
}

/** The last fields and the end of the head. */
static const char *end_of_head(const struct drg_exchange *x)
{
	return x->conn->closing ? "Connection: close\r\n\r\n"
	       : x->http_1_0    ? "Connection: Keep-Alive\r\n\r\n"
	                        : "\r\n";
}

static struct drg_str make_head(struct drg_exchange *x)
{
	struct drg_buf *head = &x->scratch;
	drg_buf_clear(head);
	each_header(x, head);
	add_framing(x, head);
	return head->rc == DRG_OK ? drg_buf_view(head) : drg_str(NULL, 0);
}

/** Get the stored head of a content, which is made at its first use. p == NULL: out of memory. */
static struct drg_str ready_head(struct drg_exchange *x)
{
	bool same = x->status == 304;
	_Atomic(struct drg_content_head *) *at = &x->content->head[x->coding][same][drg_cors_of(x)];
	struct drg_content_head *kept = atomic_load_explicit(at, memory_order_acquire);
	if (kept != NULL)
		return drg_str(kept->text, kept->n);
	struct drg_str made = make_head(x);
	struct drg_content_head *mine = made.p != NULL ? malloc(sizeof *mine + made.n) : NULL;
	if (mine == NULL)
		return made;
	mine->n = made.n;
	memcpy(mine->text, made.p, made.n);
	if (!atomic_compare_exchange_strong(at, &kept, mine))
		free(mine);
	return made;
}

/** Write "HTTP/1.1 200 OK", the date and the version, which stored heads do not have: it changes with each
 * commit. Most responses of a loop have the same status as the previous one. */
static size_t write_start_line(struct drg_exchange *x)
{
	const int status = x->status;
	struct drg_loop *l = x->loop;
	if (status != l->start_status) {
		snprintf(l->start, sizeof l->start, "HTTP/1.1 %d %s\r\n", status, drg_http_phrase(status));
		l->start_status = status;
		l->start_n = strlen(l->start);
	}
	const struct drg_str date = drg_loop_date(l);
	const char *version = drg_answer_version(x);
	assert(l->start_n + date.n + sizeof "X-Data-Version: \r\n" + strlen(version) <= sizeof x->start_line);
	memcpy(x->start_line, l->start, l->start_n);
	memcpy(x->start_line + l->start_n, date.p, date.n);
	char *end = x->start_line + l->start_n + date.n;
	if (version[0] != '\0')
		end = stpcpy(stpcpy(stpcpy(end, "X-Data-Version: "), version), "\r\n");
	return (size_t)(end - x->start_line);
}

void drg_answer_send(struct drg_exchange *x)
{
	struct drg_conn *c = x->conn;
	assert(c != NULL && c->x == x && x->stage != DRG_STAGE_ANSWERED);
	assert(x->status >= 200 && x->status <= 599);
	x->stage = DRG_STAGE_ANSWERED;
	c->closing |= !x->keep_alive || atomic_load_explicit(&x->http->draining, memory_order_relaxed) ||
	              (x->streams && x->http_1_0);
	struct drg_str head = is_shareable(x) ? ready_head(x) : make_head(x);
	if (head.p == NULL) {
		drg_conn_close(c, true);
		return;
	}
	bool bodiless = x->verb == DRG_VERB_HEAD;
	if (bodiless) {
		drg_stream_reader_left(x->stream);
		x->stream = NULL;
	}
	union {
		const char *in;
		char *out;
	} fields = { .in = head.p }, end = { .in = end_of_head(x) },
	  body = { .in = x->sent.p }; /* an iovec has no const */
	const struct iovec parts[] = { { x->start_line, write_start_line(x) },
		                       { fields.out, head.n },
		                       { end.out, strlen(end.in) },
		                       { body.out, bodiless ? 0 : x->sent.n } };
	drg_conn_send(c, parts, DRG_ARRAY_LEN(parts));
	drg_conn_set_answer_deadline(c, drg_clock_ns(), bodiless ? 0 : x->sent.n);
}
