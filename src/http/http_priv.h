/* src/http/http_priv.h
 * The structs of an exchange and of the server, for the files of this folder only. */
#pragma once
#include <pthread.h>
#include <stdatomic.h>
#include "base/log_file.h"
#include "base/pool.h"
#include "base/trim.h"
#include <llhttp.h>
#include "http/access_log.h"
#include "http/conns/conn.h"
#include "http/conns/listener.h"
#include "http/conns/peers.h"
#include "http/fields.h"
#include "http/forwarded.h"
#include "http/negotiate.h"
#include "http/params.h"
#include "http/router.h"
#include "http/rules.h"
#include "http/server.h"

/** The header fields that the server itself reads (head.c). */
struct drg_head {
	struct drg_str host, coding, length_text, expect;
	unsigned n_host, n_length,
	        n_coding; /**< how often Host, Content-Length, Transfer-Encoding were sent */
	struct drg_str accept_encoding, if_none_match, if_match, content_type, content_coding,
	        request_id; /**< p == NULL: the field was not sent */
	uint64_t length; /**< Content-Length; 0: none */
	bool chunked;
	bool expects_continue;
	unsigned n_origin; /**< how often Origin was sent */
	struct drg_str origin;
	bool forwarded; /**< a trusted proxy has named the client in X-Forwarded-For: */
	struct drg_address client;
	struct drg_str app[DRG_APP_HEADERS_MAX]; /**< first value of each field in drg_http_app.headers */
	unsigned n_app[DRG_APP_HEADERS_MAX]; /**< how often each of them was sent */
};

enum drg_verb {
	DRG_VERB_GET,
	DRG_VERB_HEAD,
	DRG_VERB_POST,
	DRG_VERB_DELETE,
	DRG_VERB_OPTIONS,
	DRG_VERB_OTHER
};

/** The stage of a request. */
enum drg_exchange_stage {
	DRG_STAGE_HEAD, /**< the head was received */
	DRG_STAGE_BODY, /**< its body is being read, or discarded if it was refused */
	DRG_STAGE_SUSPENDED, /**< its handler waits for drg_exchange_resume() */
	DRG_STAGE_ANSWERED,
};

/** The kind of body (decision E10); certain only when the body was received. */
enum drg_body_is {
	DRG_BODY_IS_JSON,
	DRG_BODY_IS_FORM, /**< application/x-www-form-urlencoded */
	DRG_BODY_IS_OTHER /**< refused, unless it begins like JSON */
};

enum { DRG_HEADERS_MAX = 16, DRG_REQUEST_ID_MAX = 128 };

/** Room for "HTTP/1.1 " + status + Date + X-Data-Version. */
enum { DRG_START_LINE = 160 };

/** Several kilobytes, so a request clears only the part that the next one would read. */
struct drg_exchange {
	struct drg_http *http;
	struct drg_loop *loop;

	/* memory that requests reuse */
	struct drg_arena arena;
	struct drg_buf out, scratch;
	struct drg_buf packed; /**< `out`, compressed; empty: the answer is sent uncompressed */
	struct drg_buf body;
	struct drg_buf ignored; /**< the value of X-Ignored-Fields, with a NUL behind it if it is not empty */

	/* written before it is read, so it is not cleared; exchange_stock.c clears the lengths in `target`
	 * and `err` */
	llhttp_t parser; /**< valid if drg_head_read() needed it */
	struct drg_target target;
	char request_id[DRG_REQUEST_ID_MAX + 1]; /**< request_id_n bytes and a NUL */
	struct {
		const char *name, *value;
	} headers[DRG_HEADERS_MAX]; /**< n_headers of them */
	char start_line[DRG_START_LINE]; /**< start line, date and version */
	char chunk[24]; /**< the line before a chunk */
	struct drg_accept_encoding weights; /**< if `weighed`: the client's weight of each coding */
	struct drg_err err;

	/* zeroed at the start of each request, from here to the end */
	struct drg_conn *conn; /**< NULL: its client has left */
	struct drg_exchange *next; /**< next in its loop's list of free exchanges */

	/* the request */
	enum drg_exchange_stage stage;
	enum drg_verb verb;
	int64_t started_ns;
	struct drg_str text; /**< the head, in memory of the arena; the members below point into it */
	struct drg_head_reading *reading; /**< while the parser reads the head */
	unsigned broken; /**< rules that the request breaks, a bit each (rules.h) */
	bool http_1_0, keep_alive;
	bool whole; /**< the parser has seen the end of the request */
	bool trailing; /**< the parser has read the last chunk */
	struct drg_str method, raw_target;
	struct drg_head head;
	const struct drg_route *route;
	const struct drg_endpoint *endpoint;
	struct drg_params params;
	int64_t body_started_ns;
	uint64_t body_seen; /**< bytes received, kept or not */
	enum drg_body_is body_is;
	uint64_t body_raw; /**< the same with the framing of chunks */
	size_t body_held; /**< its share of drg_http.request_bytes */
	int body_rc; /**< why reading ended */
	bool body_kept;
	bool has_file; /**< the request counts in drg_http.files */
	struct drg_caller caller; /**< its pointers are into the arena */
	bool owes; /**< app.charge() must be called */
	uint64_t request_number;
	size_t request_id_n; /**< 0: the id is not written yet, see drg_exchange_request_id() */
	bool request_id_sent; /**< the client sent a request id, so the answer has it */

	/* for the handler */
	bool refused; /**< the checks before the handler have made the answer */
	drg_handler_fn *again;
	/* The request has a large body: a worker runs the following functions while the connection waits. */
	bool large;
	bool worked; /**< the worker is done, with work_rc */
	drg_handler_fn *work; /**< the handler, or the function that continues after its suspension */
	int work_rc;
	struct drg_lane_item work_item;
	/** posted to the loop when the exchange is resumed, or when its stream has bytes */
	struct drg_post post;
	_Atomic(drg_disconnect_fn *)
	        leave; /**< called when the client leaves; NULL: none, or called already */
	atomic_bool resumed; /**< drg_exchange_resume() was called since the suspension */
	atomic_bool orphan; /**< the client has left while the exchange was suspended; conn is NULL */
	void *data;

	/* the answer */
	int status; /**< 0: none yet */
	const struct drg_reason *reason; /**< reason of an error */
	int fail_status; /**< set by drg_exchange_fail_status() */
	const char *type;
	size_t n_headers, n_early_headers; /**< authorize() has added the first n_early_headers of them */
	struct drg_str sent; /**< the body */
	struct drg_data_version version; /**< version of the answer's data, if `versioned` */
	bool versioned;
	size_t answer_bytes; /**< share of the answer in drg_http.answer_bytes */
	struct drg_stream *stream; /**< NULL: the body is `sent` or `content` */
	bool streams; /**< the body is a stream; HEAD has the headers of one too */
	uint64_t streamed; /**< bytes of the stream that were sent */
	struct drg_content *content; /**< held */
	enum drg_coding coding; /**< coding of the answer */
	bool weighed;
	bool packable; /**< whether the answer is compressed depends on Accept-Encoding */
};

struct drg_http {
	struct drg_http_options opt;
	struct drg_http_app app;
	struct drg_listener *listener;
	struct drg_loop **loops;
	unsigned n_loops;
	unsigned next_loop; /**< for the accepting thread: which loop gets the next connection */
	struct drg_log_file *log; /**< the access log; NULL: none */
	struct drg_router *router;
	/** run requests with a large body, which would delay the other connections of an http thread */
	struct drg_pool *workers;
	struct drg_fields fields; /**< the server's fields, then the application's */

	pthread_mutex_t peers_lock;
	struct drg_peers *peers; /**< how many connections each client has */

	char too_many[1024]; /**< the answer to a client that has too many connections */
	char allow_headers[768]; /**< headers that scripts of other sites may send */
	char id_prefix[12];
	atomic_uint_fast64_t next_id;
	atomic_size_t answer_bytes; /**< memory of large answers that wait to be read, see opt.max_answers */
	atomic_size_t request_bytes; /**< memory of large heads and bodies, see opt.max_requests */
	atomic_uint files; /**< requests whose body is a file: at most DRG_FILES_MAX */
	atomic_uint n_conns, n_lingering; /**< lingering connections have no place */
	struct drg_trim trim; /**< returns memory of large requests and connections to the system */
	struct drg_lane_item trim_item;
	atomic_uint busy; /**< handlers that run or are suspended */
	atomic_uint resuming; /**< calls of drg_exchange_resume() that have not returned */
	atomic_bool draining; /**< answers have "Connection: close" */
	/** while draining: a client that has not sent its request by then is not waited for */
	_Atomic(int64_t) requests_until_ns;
	atomic_bool stopping; /**< no handler starts any more, and connections are cut */
};

/* ---- exchange_stock.c, exchange.c ---- */

/** Take a clean exchange, on the loop's thread; NULL: out of memory. */
struct drg_exchange *drg_exchange_take(struct drg_loop *l);
/** Give back an exchange, on the loop's thread: release its resources, and keep its memory for the next
 * request. */
void drg_exchange_recycle(struct drg_exchange *x);
/** Release the resources of an exchange, and its memory. From any thread. */
void drg_exchange_drop(struct drg_exchange *x);
/** The client has left: call the function of drg_exchange_on_disconnect(), once. */
void drg_exchange_client_left(struct drg_exchange *x);
/** Free the stock of a loop, at its end. */
void drg_exchange_free_all(struct drg_loop *l);

/**
 * Account for the memory of a request that is being read: its share @p held becomes @p cap bytes; small ones
 * do not count.
 * @return false: all requests together have reached their limit (decision E12).
 */
DRG_MUSTCHECK
bool drg_http_hold(struct drg_http *h, size_t *held, size_t cap);
void drg_http_release(struct drg_http *h, size_t *held);

/* ---- head.c ---- */

/**
 * Find the end of a head that begins at @p bytes: after its empty line, or after a line that no head can
 * have.
 * @param scanned  How far it was searched before; 0 at first.
 * @return 0: the head is not complete yet. A head that is too long has an end, too.
 */
size_t drg_head_end(struct drg_str bytes, size_t *scanned, size_t max_url, size_t max_headers);
/**
 * Read x->text once: check our rules, parse it with llhttp, check the result. Sets x->broken.
 * @return DRG_OK; DRG_EINVAL: a rule is broken, and the beginning of the next request is unknown; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr);
/** Is the beginning of the next request known, although a rule is broken? */
bool drg_head_is_framed(const struct drg_exchange *x);
/** Read the trailers of a chunked body in the same way. @return false: x->broken says why. */
bool drg_head_read_trailers(struct drg_exchange *x, struct drg_str text);
/** Fail for the first rule of x->broken. */
int drg_head_fail(struct drg_exchange *x, struct drg_err *reterr);
/** Does the request have a body? */
static inline bool drg_head_has_body(const struct drg_head *h)
{
	return h->chunked || h->length > 0;
}

/* ---- body.c ---- */

/** Called by the parser with a part of the body. @return 0; -1: x->body_rc says why reading ends. */
int drg_body_keep(llhttp_t *p, const char *at, size_t n);
/** May the next bytes be received directly to their place? Bytes behind the body must not be among them. */
bool drg_exchange_reads_straight(const struct drg_exchange *x);
/**
 * Let the parser read @p bytes and keep the body.
 * @return how many bytes were read: fewer if the request ends, and 0 if the trailers are not complete.
 */
size_t drg_body_take(struct drg_exchange *x, struct drg_str bytes);

/* ---- check.c ---- */

/** Does a text for the log have a key or a secret in it, or what is like one? */
bool drg_exchange_holds_secret(const struct drg_exchange *x, struct drg_str text);

/** The last name is "other". */
extern const char *const drg_verb_names[DRG_VERB_OTHER + 1];

/**
 * Check everything that the head shows, in the order of decision E7, and set the request id.
 * @param ret_framing  Written always: does the head hide where the next request begins?
 * @return DRG_OK: the handler may run when the body was received. Else a code for drg_answer_finish().
 */
DRG_MUSTCHECK
int drg_check_request(struct drg_exchange *x, bool *ret_framing);
/**
 * Check what only the body shows: whether the endpoint takes its media type (E10).
 * @return DRG_OK: the handler may run. Else a code for drg_answer_finish().
 */
DRG_MUSTCHECK
int drg_check_body(struct drg_exchange *x);
/** Fail because the body is over the limit. */
int drg_check_fail_body_size(struct drg_exchange *x);

/* ---- answer.c ---- */

/** Is there room for another large answer? @return DRG_OK, else a code for drg_answer_finish(). */
DRG_MUSTCHECK
int drg_answer_room(struct drg_exchange *x);
/** Turn the code of a handler or a check into a status and, on failure, the error body. */
void drg_answer_finish(struct drg_exchange *x, int rc);
/** Answer OPTIONS, once the route is known. */
void drg_answer_options(struct drg_exchange *x);
/** A list of methods, "GET, HEAD, POST", followed by OPTIONS if @p options. @param methods  A bit each. */
const char *drg_answer_methods(unsigned methods, bool options);
/** The value of Allow for a path. */
const char *drg_answer_allow(struct drg_exchange *x);
/** Append a header field. The name is a literal, and often the value too (DRG_STR()), so their lengths are
 * known. */
#define drg_answer_field(head, name, value)                                                                  \
	do {                                                                                                 \
		drg_buf_lit((head), name ": ");                                                              \
		drg_buf_str((head), (value));                                                                \
		drg_buf_lit((head), "\r\n");                                                                 \
	} while (0)
/** The value of X-Data-Version; "": the response has none. Call on its loop; valid until the next call. */
const char *drg_answer_version(const struct drg_exchange *x);
/** Give the finished answer to the connection. */
void drg_answer_send(struct drg_exchange *x);

/* ---- stream.c ---- */

enum drg_stream_next { DRG_STREAM_PIECE, DRG_STREAM_EMPTY, DRG_STREAM_OVER, DRG_STREAM_CUT };
/** Get the next piece to send. If there is none yet, x->post is posted when there is one. */
enum drg_stream_next drg_stream_next(struct drg_exchange *x, struct iovec parts[DRG_CONN_OUT], size_t *ret_n);
/** Tell the writer that the client reads no more. NULL is fine. */
void drg_stream_reader_left(struct drg_stream *s);

/* ---- dispatch.c: called by a connection for its requests ---- */

/** Handle a complete head; @p text is memory of the caller. */
void drg_dispatch_head(struct drg_conn *c, struct drg_str text);
/** Handle bytes after the head. @return how many of them belonged to the request, see drg_body_take(). */
size_t drg_dispatch_body(struct drg_exchange *x, struct drg_str bytes);
/** Get room for more of the body, for drg_exchange_reads_straight(); NULL: there is none, and the request is
 * answered. */
char *drg_dispatch_body_room(struct drg_exchange *x, size_t *ret_n);
/** Answer after reading the body has failed; @p rc is for drg_answer_finish(). */
void drg_dispatch_body_failed(struct drg_exchange *x, int rc);
/** End the exchange: its answer was sent. */
void drg_dispatch_completed(struct drg_conn *c);
/** End or orphan the exchange: its connection is being closed. */
void drg_dispatch_cut(struct drg_conn *c);
/** Continue a request with a large body, on a worker. */
void drg_dispatch_work(void *ctx, unsigned thread, struct drg_lane_item *item);
/** Let a worker call drg_dispatch_work(). */
void drg_exchange_hand_to_worker(struct drg_exchange *x);

/* ---- exchange.c ---- */

enum { DRG_IGNORED_MAX = 1024 };
