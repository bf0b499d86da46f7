/* src/http/http_priv.h
 * The inside of an exchange and of the server, for the files of this folder only. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include "base/pool.h"
#include "http/access_log.h"
#include "http/conns/deadlines.h"
#include "http/forwarded.h"
#include "http/conns/greetings.h"
#include "http/conns/listener.h"
#include "http/mhd.h"
#include "http/negotiate.h"
#include "http/params.h"
#include "http/ready.h"
#include "http/router.h"
#include "http/server.h"

/** What came behind the request line, as far as the server itself reads it (head.c). */
struct drg_head {
	unsigned n_host, n_length,
	        n_coding; /**< how often Host, Content-Length, Transfer-Encoding were sent */
	struct drg_str host, coding;
	struct drg_str accept, accept_encoding, if_none_match, content_type,
	        request_id; /**< p == NULL: not sent */
	uint64_t length; /**< Content-Length, 0 where there is none */
	bool chunked;
	bool expects_continue;
	unsigned n_origin; /**< how often Origin was sent */
	struct drg_str origin;
	bool forwarded; /**< X-Forwarded-For of a proxy that is believed names the client: */
	struct drg_address client;
	struct drg_str app[DRG_APP_HEADERS_MAX]; /**< the first of each name in drg_http_app.headers */
	unsigned n_app[DRG_APP_HEADERS_MAX]; /**< how often each was sent */
	bool bad_name, bad_value; /**< a field that is no HTTP: "Content-Length :", a control character */
};

/** The first line, where libmicrohttpd has it. */
struct drg_request_line {
	const char *method, *target, *version;
	size_t target_n;
};

enum drg_verb {
	DRG_VERB_GET,
	DRG_VERB_HEAD,
	DRG_VERB_POST,
	DRG_VERB_DELETE,
	DRG_VERB_OPTIONS,
	DRG_VERB_OTHER
};

/** How far a request has come. */
enum drg_exchange_stage {
	DRG_STAGE_HEAD, /**< its line is here */
	DRG_STAGE_BODY, /**< its body is being read, or, where it was refused, thrown away */
	DRG_STAGE_SUSPENDED, /**< its handler waits for drg_exchange_resume() */
	DRG_STAGE_ANSWERED,
};

/** What the body is (decision E10); known for certain when it is here. */
enum drg_body_is {
	DRG_BODY_IS_JSON,
	DRG_BODY_IS_FORM, /**< application/x-www-form-urlencoded */
	DRG_BODY_IS_MULTIPART, /**< multipart/form-data */
	DRG_BODY_IS_OTHER /**< to be refused, if it does not begin as JSON does */
};

/** Whose turn it is with a suspended exchange. */
enum drg_turn {
	DRG_TURN_HTTP, /**< its handler has just returned; libmicrohttpd will ask once more */
	DRG_TURN_PARKED, /**< libmicrohttpd has been told to leave the connection alone */
	DRG_TURN_RESUMED, /**< drg_exchange_resume() was called */
	DRG_TURN_LEFT, /**< its client has left; drg_exchange_resume() will be called still */
};

enum { DRG_HEADERS_MAX = 16, DRG_REQUEST_ID_MAX = 128 };

struct drg_exchange {
	struct drg_http *http;
	struct MHD_Connection *mhd;
	struct drg_conn *conn;
	struct drg_exchange *next; /**< in the list of free ones */

	/* the request */
	enum drg_exchange_stage stage;
	enum drg_verb verb;
	int64_t started_ns;
	struct drg_request_line line;
	struct drg_str raw_target;
	struct drg_target target;
	struct drg_head head;
	const struct drg_route *route;
	const struct drg_endpoint *endpoint;
	struct drg_params params;
	struct drg_buf body;
	int64_t body_started_ns;
	uint64_t body_seen; /**< bytes, kept or not */
	enum drg_body_is body_is;
	struct drg_pair *parts; /**< of a multipart body, decoded, in order; memory of the arena */
	size_t n_parts;
	bool body_kept;
	bool has_file; /**< it is one of drg_http.files */
	int64_t key_id;
	bool key_narrow;
	struct drg_str who; /**< memory of the arena */
	char request_id[DRG_REQUEST_ID_MAX + 1];
	size_t request_id_n;
	bool request_id_sent; /**< the client sent one, so that it gets one back */

	/* its way through the handler */
	bool refused; /**< the answer is made already, by the checks before the handler */
	drg_handler_fn *again;
	/* It has a large body: a worker runs what follows, and libmicrohttpd leaves the connection alone until it is done. */
	bool large;
	bool worked; /**< it is done, with work_rc */
	drg_handler_fn *work; /**< the handler, or what goes on after its suspension */
	int work_rc;
	struct drg_lane_item work_item;
	void (*leave)(struct drg_exchange *x); /**< NULL: nothing is to be done when its client leaves */
	atomic_int turn; /**< enum drg_turn: whose it is while it is suspended */
	bool orphan; /**< its connection has gone while it was suspended; mhd and conn are NULL */
	atomic_bool met; /**< of one whose client has left: the first of two (dispatch.c) has been there */
	void *data;

	/* the answer */
	int status; /**< 0: none yet */
	bool by_hand; /**< it was written around libmicrohttpd, which then sees a connection that failed */
	int fail_status; /**< set by drg_exchange_fail_status() */
	const char *type;
	struct {
		const char *name, *value;
	} headers[DRG_HEADERS_MAX];
	size_t n_headers;
	struct drg_buf
	        ignored; /**< the value of X-Ignored-Fields, with a NUL behind it when it is not empty */
	struct drg_str sent; /**< the body */
	struct drg_data_version version; /**< the data that it is made from, where `versioned` */
	bool versioned;
	size_t answer_bytes; /**< its share of drg_http.answer_bytes */
	struct drg_stream *stream; /**< NULL: the body is `sent` or `content` */
	uint64_t streamed; /**< bytes */
	const struct drg_content *content;
	enum drg_coding coding; /**< the one that is sent */
	bool weighed;
	struct drg_weighed weights; /**< where `weighed`, what the client gives each coding */
	bool packable; /**< whether it is compressed depends on Accept-Encoding */
	void (*release)(void *ctx);
	void *release_ctx;

	/* memory, kept from request to request */
	struct drg_arena arena;
	struct drg_buf out, scratch;
	struct drg_buf packed; /**< `out`, compressed; empty: it is sent as it is */
	struct drg_err err;
};

struct drg_http {
	struct drg_http_options opt;
	struct drg_http_app app;
	struct MHD_Daemon *mhd;
	struct drg_listener *listener;
	struct drg_deadlines *deadlines;
	struct drg_greetings *greetings; /**< NULL: without the PROXY protocol */
	struct drg_access_log *log; /**< NULL: none */
	struct drg_router *router;
	struct drg_pool *
	        workers; /**< for requests with a large body, which would keep the other connections of an http thread waiting */
	struct drg_str app_headers[DRG_APP_HEADERS_MAX]; /**< their names */
	size_t n_app_headers;

	pthread_mutex_t lock; /**< for the four below */
	struct drg_exchange *free_exchanges; /**< last used first: its memory is warm */
	unsigned n_free;
	size_t free_bytes; /**< that they keep */
	struct drg_exchange *orphans; /**< those that have been resumed */

	char too_many[1024]; /**< what a client is told that has too many connections */
	char allow_headers[512]; /**< what scripts of other sites may send */
	char id_prefix[12];
	atomic_uint_fast64_t next_id;
	atomic_size_t answer_bytes; /**< of large answers that wait to be read, see opt.max_answers */
	atomic_uint files; /**< requests whose body is a file: DRG_FILES_MAX at most */
	atomic_bool trim; /**< see drg_exchange_trim() */
	unsigned most_seen; /**< connections at a look since the last trim; of the deadline thread */
	atomic_uint busy; /**< handlers that run or are suspended */
	atomic_uint resuming; /**< calls of drg_exchange_resume() that are not through */
	atomic_bool draining; /**< answers say "Connection: close" */
	atomic_bool stopping; /**< no handler is started any more */
};

/* ---- exchange.c ---- */

/** A clean exchange; NULL: out of memory. */
struct drg_exchange *drg_exchange_take(struct drg_http *h);
/** Release what it holds and keep its memory for the next. */
void drg_exchange_give(struct drg_exchange *x);
/** Give back to the system what large requests and connections that went took, if there were any since the last call. Takes
 * milliseconds. @param connections  How many there are now. */
void drg_exchange_trim(struct drg_http *h, unsigned connections);
/** At the end of the server. */
void drg_exchange_free_all(struct drg_http *h);

/** The client of a parked exchange has gone: let libmicrohttpd close the connection. For drg_deadlines_calls. */
bool drg_exchange_abandon(void *http, void *exchange);
/** Suspended, and asked once more by libmicrohttpd: leave it alone from now on. @return false: resumed already. */
bool drg_exchange_park(struct drg_exchange *x);

/* ---- head.c ---- */

/**
 * Read the header fields once, and refuse what two readers could read differently (request smuggling):
 * two Content-Length, Content-Length with Transfer-Encoding, another coding than chunked, a blank before the colon,
 * no Host or several, control characters, folded fields, lines that end with LF alone. libmicrohttpd takes all of these.
 * @return DRG_OK, DRG_EINVAL, DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr);
/** Does the request have a body? */
static inline bool drg_head_has_body(const struct drg_head *h)
{
	return h->chunked || h->length > 0;
}

/* ---- check.c ---- */

/**
 * Everything that can be told from the head, in the order of decision E7; sets the request id.
 * @param ret_framing  Written always: is the head such that nobody knows where the next request begins?
 * @return DRG_OK: the handler may run, once the body is here. Else what drg_answer_finish() takes.
 */
DRG_MUSTCHECK
int drg_check_request(struct drg_exchange *x, bool *ret_framing);
/**
 * What can be told only from the body: whether its media type is one that the endpoint takes (E10).
 * @return DRG_OK: the handler may run. Else what drg_answer_finish() takes.
 */
DRG_MUSTCHECK
int drg_check_body(struct drg_exchange *x);
/** The largest body that the endpoint takes, in bytes. */
size_t drg_check_max_body(const struct drg_exchange *x);
/** Fail for a body over the limit. */
int drg_check_fail_body_size(struct drg_exchange *x);

/* ---- multipart.c ---- */

/** Take the parts of a multipart/form-data body into x->parts. @return DRG_OK; DRG_EINVAL: it is none, or a name or value
 * is not UTF-8, or contains a NUL; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_multipart_read(struct drg_exchange *x);

/* ---- answer.c ---- */

/** Is there room for another large answer? If not, what drg_answer_finish() takes. */
DRG_MUSTCHECK
int drg_answer_room(struct drg_exchange *x);
/** Turn what a handler or a check returned into a status and, on failure, the error body. */
void drg_answer_finish(struct drg_exchange *x, int rc);
/** Answer OPTIONS, once the route is known. */
void drg_answer_options(struct drg_exchange *x);
/** Methods as a list, "GET, HEAD, POST", with OPTIONS behind them where @p options. @param methods  A bit each. */
const char *drg_answer_methods(unsigned methods, bool options);
/** Something that takes a header field: libmicrohttpd's response, or a text. */
typedef void drg_header_fn(void *to, const char *name, const char *value);
/** The value of Allow for a path. */
const char *drg_answer_allow(struct drg_exchange *x);
/** Hand the finished answer to libmicrohttpd. */
enum MHD_Result drg_answer_queue(struct drg_exchange *x);
/** In the middle of a body, where libmicrohttpd takes no answer: write the finished one by hand. */
void drg_answer_by_hand(struct drg_exchange *x);

/* ---- stream.c ---- */

/** Hand an answer whose body is x->stream to libmicrohttpd. @return NULL: out of memory. */
struct MHD_Response *drg_stream_response(struct drg_exchange *x);
/** Nobody reads any more: its writer is told. NULL is fine. */
void drg_stream_leave(struct drg_stream *s);

/* ---- dispatch.c: the callbacks of libmicrohttpd; ctx is the struct drg_http ---- */

void *drg_dispatch_line(void *ctx, const char *target, struct MHD_Connection *mhd);
enum MHD_Result drg_dispatch_request(void *ctx, struct MHD_Connection *mhd, const char *url,
                                     const char *method, const char *version, const char *upload,
                                     size_t *upload_n, void **request);
/** On a worker: go on with a request whose body is large. */
void drg_dispatch_work(void *ctx, unsigned thread, struct drg_lane_item *item);
/** Have one of the workers call drg_dispatch_work(). */
void drg_exchange_hand_to_worker(struct drg_exchange *x);
void drg_dispatch_completed(void *ctx, struct MHD_Connection *mhd, void **request,
                            enum MHD_RequestTerminationCode how);
/** Let the handlers of orphans go on, and give memory back; called now and then, by a thread that may take its time. */
void drg_dispatch_tick(void *ctx, unsigned connections);
