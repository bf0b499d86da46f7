/* src/http/http_priv.h
 * The inside of an exchange and of the server, for the files of this folder only. */
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
#include "http/forwarded.h"
#include "http/negotiate.h"
#include "http/params.h"
#include "http/ready.h"
#include "http/router.h"
#include "http/rules.h"
#include "http/server.h"

/** What came behind the request line, as far as the server itself reads it (head.c). */
struct drg_head {
	struct drg_str host, coding, length_text, expect;
	unsigned n_host, n_length,
	        n_coding; /**< how often Host, Content-Length, Transfer-Encoding were sent */
	struct drg_str accept_encoding, if_none_match, if_match, content_type, content_coding,
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
	DRG_STAGE_HEAD, /**< its head is here */
	DRG_STAGE_BODY, /**< its body is being read, or, where it was refused, thrown away */
	DRG_STAGE_SUSPENDED, /**< its handler waits for drg_exchange_resume() */
	DRG_STAGE_ANSWERED,
};

/** What the body is (decision E10); known for certain when it is here. */
enum drg_body_is {
	DRG_BODY_IS_JSON,
	DRG_BODY_IS_FORM, /**< application/x-www-form-urlencoded */
	DRG_BODY_IS_OTHER /**< to be refused, if it does not begin as JSON does */
};

enum { DRG_HEADERS_MAX = 16, DRG_REQUEST_ID_MAX = 128 };

/** Room for "HTTP/1.1 " + status + Date. */
enum { DRG_START_LINE = 96 };

struct drg_exchange {
	struct drg_http *http;
	struct drg_loop *loop;
	struct drg_conn *conn; /**< NULL: its client has left */
	struct drg_exchange *next; /**< in its loop's list of free ones */

	/* the request */
	enum drg_exchange_stage stage;
	enum drg_verb verb;
	int64_t started_ns;
	struct drg_str text; /**< the head, in memory of the arena: what follows points into it */
	llhttp_t parser;
	struct drg_head_reading *reading; /**< while the parser is at the head or at trailers */
	unsigned broken; /**< rules that it breaks, a bit each (rules.h) */
	bool http_1_0, keep_alive;
	bool whole; /**< the parser has seen its end */
	bool trailing; /**< the parser stands behind the last chunk */
	struct drg_str method, raw_target;
	struct drg_target target;
	struct drg_head head;
	const struct drg_route *route;
	const struct drg_endpoint *endpoint;
	struct drg_params params;
	struct drg_buf body;
	int64_t body_started_ns;
	uint64_t body_seen; /**< bytes, kept or not */
	enum drg_body_is body_is;
	uint64_t body_raw; /**< the same with what frames them */
	size_t body_held; /**< its share of drg_http.request_bytes */
	int body_rc; /**< why it is not read on */
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
	/* It has a large body: a worker runs what follows, and the connection waits until it is done. */
	bool large;
	bool worked; /**< it is done, with work_rc */
	drg_handler_fn *work; /**< the handler, or what goes on after its suspension */
	int work_rc;
	struct drg_lane_item work_item;
	struct drg_post post; /**< to its loop: it is resumed, or its stream has bytes */
	_Atomic(drg_leave_fn *) leave; /**< NULL: nothing is to be done when its client leaves, or it was */
	atomic_bool resumed; /**< since it was suspended */
	atomic_bool orphan; /**< its client has left while it was suspended; conn is NULL */
	void *data;

	/* the answer */
	int status; /**< 0: none yet */
	const struct drg_reason *reason; /**< of an error */
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
	bool streams; /**< it is one; HEAD has its headers too */
	uint64_t streamed; /**< bytes */
	char start_line[DRG_START_LINE]; /**< and the date */
	char chunk[24]; /**< what stands before a chunk */
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
	struct drg_listener *listener;
	struct drg_loop **loops;
	unsigned n_loops;
	unsigned next_loop; /**< of the accepting thread: who gets the next connection */
	struct drg_log_file *log; /**< NULL: none */
	struct drg_router *router;
	/** for requests with a large body, which would keep the other connections of an http thread waiting */
	struct drg_pool *workers;
	struct drg_str app_headers[DRG_APP_HEADERS_MAX]; /**< their names */
	size_t n_app_headers;

	pthread_mutex_t peers_lock;
	struct drg_peers *peers; /**< how many connections each client has */

	char too_many[1024]; /**< what a client is told that has too many connections */
	char allow_headers[512]; /**< what scripts of other sites may send */
	char id_prefix[12];
	atomic_uint_fast64_t next_id;
	atomic_size_t answer_bytes; /**< of large answers that wait to be read, see opt.max_answers */
	atomic_size_t request_bytes; /**< of large heads and bodies, see opt.max_requests */
	atomic_uint files; /**< requests whose body is a file: DRG_FILES_MAX at most */
	atomic_uint n_conns, n_lingering; /**< those that linger have no place */
	struct drg_trim trim; /**< of what large requests and connections took */
	struct drg_lane_item trim_item;
	atomic_uint busy; /**< handlers that run or are suspended */
	atomic_uint resuming; /**< calls of drg_exchange_resume() that are not through */
	atomic_bool draining; /**< answers say "Connection: close" */
	_Atomic(int64_t)
	        requests_until_ns; /**< draining: who has not sent his request by then is not waited for */
	atomic_bool stopping; /**< no handler is started any more, and connections are cut */
};

/* ---- exchange.c ---- */

/** On the loop's thread: a clean exchange; NULL: out of memory. */
struct drg_exchange *drg_exchange_take(struct drg_loop *l);
/** Likewise: release what it holds and keep its memory for the next. */
void drg_exchange_give(struct drg_exchange *x);
/** From any thread: release what it holds, and its memory. */
void drg_exchange_drop(struct drg_exchange *x);
/** Its client has left: what drg_exchange_on_leave() has asked for, once. */
void drg_exchange_tell_left(struct drg_exchange *x);
/** At the end of the loop. */
void drg_exchange_free_all(struct drg_loop *l);

/**
 * Let @p held, of a request that is being read, be @p cap bytes; small ones are not counted.
 * @return false: all requests together have what they may (decision E12).
 */
DRG_MUSTCHECK
bool drg_http_hold(struct drg_http *h, size_t *held, size_t cap);
void drg_http_release(struct drg_http *h, size_t *held);

/* ---- head.c ---- */

/**
 * Where a head ends that begins at @p bytes: behind its empty line, or behind a line that no head has.
 * @param scanned  0 at first: how far it was looked at before.
 * @return 0: it goes on. A head that is longer than any ends too, somewhere.
 */
size_t drg_head_end(struct drg_str bytes, size_t *scanned, size_t max_url, size_t max_headers);
/**
 * Read x->text once: by our rules, by llhttp, and look at what that gave. Sets x->broken.
 * @return DRG_OK; DRG_EINVAL: a rule is broken, and nobody knows where the next request begins; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_head_read(struct drg_exchange *x, struct drg_head *ret, struct drg_err *reterr);
/** Is it known where the next request begins, though a rule is broken? */
bool drg_head_is_framed(const struct drg_exchange *x);
/** Likewise the trailers of a chunked body. @return false: x->broken says why. */
bool drg_head_read_trailers(struct drg_exchange *x, struct drg_str text);
/** Fail for the first rule of x->broken. */
int drg_head_fail(struct drg_exchange *x, struct drg_err *reterr);
/** Does the request have a body? */
static inline bool drg_head_has_body(const struct drg_head *h)
{
	return h->chunked || h->length > 0;
}

/* ---- body.c ---- */

/** For the parser: this is body. @return 0, or -1: x->body_rc says why it is not read on. */
int drg_body_keep(llhttp_t *p, const char *at, size_t n);
/** May what comes be received to where it stays, and not more than belongs to the body? */
bool drg_exchange_reads_straight(const struct drg_exchange *x);
/**
 * Have the parser read on; keep what is body.
 * @return how much was read: not all where the request ends, and nothing where the end of the trailers is not
 *         here.
 */
size_t drg_body_take(struct drg_exchange *x, struct drg_str bytes);

/* ---- check.c ---- */

/** "other" for the last. */
extern const char *const drg_verb_names[DRG_VERB_OTHER + 1];

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

/* ---- answer.c ---- */

/** Is there room for another large answer? If not, what drg_answer_finish() takes. */
DRG_MUSTCHECK
int drg_answer_room(struct drg_exchange *x);
/** Turn what a handler or a check returned into a status and, on failure, the error body. */
void drg_answer_finish(struct drg_exchange *x, int rc);
/** Answer OPTIONS, once the route is known. */
void drg_answer_options(struct drg_exchange *x);
/** Methods as a list, "GET, HEAD, POST", with OPTIONS behind them where @p options. @param methods  A bit
 * each. */
const char *drg_answer_methods(unsigned methods, bool options);
/** The value of Allow for a path. */
const char *drg_answer_allow(struct drg_exchange *x);
/** A field of the answer. */
void drg_answer_header(struct drg_buf *head, const char *name, const char *value);
/** X-Data-Version; "": it has none. @param text  Room for it. */
const char *drg_answer_version(const struct drg_exchange *x, char text[static DRG_DATA_VERSION_TEXT]);
/** Give the finished answer to the connection. */
void drg_answer_send(struct drg_exchange *x);

/* ---- stream.c ---- */

enum drg_stream_next { DRG_STREAM_PIECE, DRG_STREAM_EMPTY, DRG_STREAM_OVER, DRG_STREAM_CUT };
/** What is to be sent when the piece before has been; where it is empty, x->post is posted when that
 * changes. */
enum drg_stream_next drg_stream_next(struct drg_exchange *x, struct iovec parts[DRG_CONN_OUT], size_t *ret_n);
/** Nobody reads any more: its writer is told. NULL is fine. */
void drg_stream_leave(struct drg_stream *s);

/* ---- dispatch.c: what a connection has of its requests ---- */

/** A head is here, in memory of the caller. */
void drg_dispatch_head(struct drg_conn *c, struct drg_str text);
/** More of what follows. @return how much of it belonged to the request, see drg_body_take(). */
size_t drg_dispatch_body(struct drg_exchange *x, struct drg_str bytes);
/** Room for more of the body, of drg_exchange_reads_straight(); NULL: there is none, and the request is
 * answered. */
char *drg_dispatch_body_room(struct drg_exchange *x, size_t *ret_n);
/** The body is not read on; @p rc is for drg_answer_finish(). */
void drg_dispatch_body_failed(struct drg_exchange *x, int rc);
/** The answer was sent: the exchange is over. */
void drg_dispatch_completed(struct drg_conn *c);
/** The connection is being closed, whatever its request does. */
void drg_dispatch_cut(struct drg_conn *c);
/** On a worker: go on with a request whose body is large. */
void drg_dispatch_work(void *ctx, unsigned thread, struct drg_lane_item *item);
/** Have one of the workers call drg_dispatch_work(). */
void drg_exchange_hand_to_worker(struct drg_exchange *x);
