/* src/http/exchange.h
 * One request and its answer, as handlers see them.
 *
 * A handler runs on an http thread and reads the request. It writes the answer (into drg_exchange_out(), or by
 * drg_exchange_content()) and returns DRG_OK, or it fills drg_exchange_err() and returns a code. The dispatcher
 * alone turns codes into statuses and the error body of decision E1:
 *   DRG_EINVAL 400 | DRG_EAUTH 403 | DRG_ENOENT 404 | DRG_EEXIST 409 |
 *   DRG_ELIMIT, DRG_EBUSY, DRG_EFULL, DRG_EIO 503 with Retry-After |
 *   everything else 500; drg_exchange_fail_status() overrides the status.
 * The messages of DRG_EFULL, DRG_EIO and of every 500 are for the operator: they are logged, and the client
 * gets a general one with the request id (E3). */
#pragma once
#include "base/arena.h"
#include "base/buf.h"
#include "base/data_version.h"
#include "base/err.h"
#include "http/content.h"
#include "text/form.h"

struct drg_exchange;
struct drg_endpoint;

enum drg_method { DRG_GET, DRG_POST, DRG_DELETE, DRG_METHOD_COUNT };

typedef int drg_handler_fn(struct drg_exchange *x);

/** Returned by a handler that has called drg_exchange_suspend(). */
enum { DRG_HTTP_SUSPENDED = 1000 };

/** For drg_http_app.admit: run the endpoint's handler. @return the handler's code. */
int drg_exchange_handle(struct drg_exchange *x);

/* ---- the request ---------------------------------------------------------------------------------------- */

/** The endpoint of the request. */
const struct drg_endpoint *drg_exchange_endpoint(const struct drg_exchange *x);
/** A header of drg_http_app.headers by its name there (assert); p is NULL if it is missing. Borrowed until the
 * exchange ends, like everything below. */
struct drg_str drg_exchange_header(struct drg_exchange *x, const char *name);
/** The same, by the header's position in drg_http_app.headers, for headers that every request needs. */
struct drg_str drg_exchange_header_at(const struct drg_exchange *x, unsigned place);
/** The whole body, as sent. */
struct drg_str drg_exchange_body(const struct drg_exchange *x);
/** Is the body a form, of either kind (DRG_BODY_JSON_OR_FORM, decision E10)? */
bool drg_exchange_body_is_form(const struct drg_exchange *x);
/** The request id, "b2f1...", as in the answer's X-Request-Id, in errors and in the log; the client's own, if
 * it sent a valid one. */
struct drg_str drg_exchange_request_id(struct drg_exchange *x);

/** The sender of a request, as authorize() identified it when the head arrived (decision E6). */
struct drg_caller {
	int64_t id; /**< a key's id; below 0: a user's id, negated; 0: anonymous */
	struct drg_str name; /**< for histories: "key 7", "olena"; empty if the endpoint takes no users */
	const int64_t *reads; /**< the adapters that the caller may read, ascending; NULL: all */
	const int64_t *writes; /**< the adapters that the caller may write, ascending; NULL: all */
	size_t n_reads, n_writes;
	int32_t adds_per_day; /**< how many elements the caller may register in a day; 0: no limit (E30) */
	bool text_ids; /**< send every orig_id as a string (M47) */
};
/** Never NULL; all zero if the endpoint needs no key. */
const struct drg_caller *drg_exchange_caller(const struct drg_exchange *x);

/** The origin of the request, by its head; call it before the first suspension only. */
struct drg_from {
	unsigned char
	        client[16]; /**< an IPv4 address in IPv6 form, or an IPv6 /64: this distinguishes clients */
	bool by_proxy; /**< a trusted proxy (drg_http_options.trusted) sent the request */
	unsigned n_origin; /**< how often Origin was sent */
	struct drg_str origin, host; /**< as sent; borrowed */
};
struct drg_from drg_exchange_from(const struct drg_exchange *x);

/** Was a parameter of the endpoint's table given? The parameters were checked before the handler runs. Here
 * and below, @p name must be in the table (assert). */
bool drg_exchange_has(const struct drg_exchange *x, const char *name);
int64_t drg_exchange_int(const struct drg_exchange *x, const char *name, int64_t dflt);
bool drg_exchange_flag(const struct drg_exchange *x, const char *name);
struct drg_str drg_exchange_text(const struct drg_exchange *x, const char *name);
/** A language parameter: lower case; "en" if it was not given. */
struct drg_str drg_exchange_lang(const struct drg_exchange *x, const char *name);

/** The values of a repeated parameter (name=, name[]=, name[0]=), in order. */
int drg_exchange_each(const struct drg_exchange *x, const char *name, drg_pair_fn *fn, void *ctx);
/** Call @p fn for the pairs of a body that is a form. @return the code of @p fn if not DRG_OK; DRG_EINVAL:
 * bad percent escapes or UTF-8; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_exchange_form_each(struct drg_exchange *x, drg_pair_fn *fn, void *ctx);

/* ---- the answer ----------------------------------------------------------------------------------------- */

/** Memory that lives until the exchange ends. */
struct drg_arena *drg_exchange_arena(struct drg_exchange *x);
/** The buffer for a handler's JSON. Buffers keep their memory between requests. */
struct drg_buf *drg_exchange_out(struct drg_exchange *x);
struct drg_err *drg_exchange_err(struct drg_exchange *x);
/** Fail with a status that the table above does not have. @return the code for the handler to return. */
int drg_exchange_fail_status(struct drg_exchange *x, int status, const struct drg_reason *reason,
                             const char *field, const char *fmt, ...) DRG_PRINTF(5, 6);
/** Add a header to the answer; both texts are copied. */
void drg_exchange_add_header(struct drg_exchange *x, const char *name, const char *value);
/** Add a value to a header that is a list, behind the values that it has. */
void drg_exchange_add_to_header(struct drg_exchange *x, const char *name, const char *value);
/** Set the type of a body that is not JSON. @p type is static. */
void drg_exchange_set_type(struct drg_exchange *x, const char *type);
/** Set the version of the answer's data, for X-Data-Version (decision D1); it replaces an earlier one. */
void drg_exchange_set_version(struct drg_exchange *x, const struct drg_data_version *v);
/** Report a field that was sent and ignored, in X-Ignored-Fields (L6). */
void drg_exchange_ignored(struct drg_exchange *x, struct drg_str name);

/** The coding that the client would get of a content with all codings. */
enum drg_coding drg_exchange_coding(struct drg_exchange *x);
/** If-None-Match: no body is sent if it lists the content's tag; p == NULL: the header is missing. */
struct drg_str drg_exchange_tags(const struct drg_exchange *x);

/**
 * Answer with @p c: chooses the coding by Accept-Encoding, answers 304 to a matching If-None-Match.
 * @param c  The caller's hold on it becomes that of the answer.
 * @param version  Of the data that the content shows, for X-Data-Version; NULL: it depends on no data.
 */
void drg_exchange_content(struct drg_exchange *x, struct drg_content *c,
                          const struct drg_data_version *version);

/* ---- waiting -------------------------------------------------------------------------------------------- */

/**
 * Suspend this exchange until drg_exchange_resume(); the handler then returns DRG_HTTP_SUSPENDED. Call this
 * before another thread can know the exchange. Once the other thread may have resumed the exchange, the
 * handler must not touch it, except to resume it itself: the handler of a large body runs on a worker, and
 * `again` may run while the handler returns.
 * @param again  Runs on a thread of the server after the resumption, and returns as a handler does. It runs
 *               in any case, even if the client has left: then its answer is dropped, and headers are
 *               missing.
 */
void drg_exchange_suspend(struct drg_exchange *x, drg_handler_fn *again);
/** Compress the answer, whatever its size, if the client accepts that (decision E23). The thread that has
 * made the complete answer of a suspended exchange calls this before it resumes the exchange: the http
 * threads are needed for other requests. */
void drg_exchange_pack(struct drg_exchange *x);
/** Resume an exchange; from any thread, exactly once per suspension. */
void drg_exchange_resume(struct drg_exchange *x);
/** drg_exchange_resume() as a callback. */
void drg_exchange_wake(void *exchange);
typedef void drg_disconnect_fn(struct drg_exchange *x);
/** Call @p leave if the client leaves while the exchange is suspended, so that a long wait can end: @p leave
 * may call drg_exchange_resume(). It is called on an http thread, at most once, and not after the exchange
 * was resumed. If a worker has the request and the client has left already, @p leave is called at once, from
 * within this call. */
void drg_exchange_on_disconnect(struct drg_exchange *x, drg_disconnect_fn *leave);
/** Set data for the handler and `again`. */
void drg_exchange_set_data(struct drg_exchange *x, void *data);
void *drg_exchange_data(const struct drg_exchange *x);
/** The context of the application, see struct drg_http_app. */
void *drg_exchange_app(const struct drg_exchange *x);
