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
#include "text/compress.h"
#include "text/form.h"

struct drg_exchange;
struct drg_endpoint;

enum drg_method { DRG_GET, DRG_POST, DRG_DELETE, DRG_METHOD_COUNT };

typedef int drg_handler_fn(struct drg_exchange *x);

/** Returned by a handler that has called drg_exchange_suspend(). */
enum { DRG_HTTP_SUSPENDED = 1000 };

/** For drg_http_app.admit: have the endpoint's handler run. @return what it returns. */
int drg_exchange_handle(struct drg_exchange *x);

/* ---- the request ---------------------------------------------------------------------------------------- */

/** The row of the table that the request met. */
const struct drg_endpoint *drg_exchange_endpoint(const struct drg_exchange *x);
/** A header of drg_http_app.headers by its name there (assert); p is NULL when it is missing. Borrowed until
 * the exchange ends, as is everything below. */
struct drg_str drg_exchange_header(struct drg_exchange *x, const char *name);
/** The whole body, as sent. */
struct drg_str drg_exchange_body(const struct drg_exchange *x);
/** Is the body a form, of either sort (DRG_BODY_JSON_OR_FORM, decision E10)? */
bool drg_exchange_body_is_form(const struct drg_exchange *x);
/** "b2f1...": in the answer's X-Request-Id, in errors and in the log. The client's own, when it sent a sane
 * one. */
struct drg_str drg_exchange_request_id(const struct drg_exchange *x);

/** Whose request it is: the number of the key that was used; of who has signed in one below 0; 0 where none is
 * required. */
int64_t drg_exchange_key_id(const struct drg_exchange *x);
/** What the key check has noted of the key. */
bool drg_exchange_key_narrow(const struct drg_exchange *x);
/** Who asks, in a word for people, as the key check has noted it; empty: it has not. */
struct drg_str drg_exchange_who(const struct drg_exchange *x);

/** What the head says of where the request comes from; before the first suspension only. */
struct drg_from {
	unsigned char
	        client[16]; /**< an IPv4 address as IPv6 has it, or an IPv6 /64: what tells clients apart */
	bool by_proxy; /**< a proxy that is believed (drg_http_options.trusted) has sent it */
	unsigned n_origin; /**< how often Origin was sent */
	struct drg_str origin, host; /**< as sent; borrowed */
};
struct drg_from drg_exchange_from(const struct drg_exchange *x);

/** Parameters of the endpoint's table, checked before the handler runs. @p name must be in the table
 * (assert). */
bool drg_exchange_has(const struct drg_exchange *x, const char *name);
int64_t drg_exchange_int(const struct drg_exchange *x, const char *name, int64_t dflt);
bool drg_exchange_flag(const struct drg_exchange *x, const char *name);
struct drg_str drg_exchange_text(const struct drg_exchange *x, const char *name);
/** A language parameter: lower case, "en" when it was not given. */
struct drg_str drg_exchange_lang(const struct drg_exchange *x, const char *name);

/** The values of a repeated parameter (name=, name[]=, name[0]=), in order. */
int drg_exchange_each(const struct drg_exchange *x, const char *name, drg_pair_fn *fn, void *ctx);
/** The pairs of a body that is a form. @return what @p fn returned if not DRG_OK; DRG_EINVAL: bad percent
 * escapes or UTF-8; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_exchange_form_each(struct drg_exchange *x, drg_pair_fn *fn, void *ctx);

/* ---- the answer ----------------------------------------------------------------------------------------- */

/** Memory that lives until the exchange ends. */
struct drg_arena *drg_exchange_arena(struct drg_exchange *x);
/** Where a handler puts its JSON. Buffers keep their memory between requests. */
struct drg_buf *drg_exchange_out(struct drg_exchange *x);
struct drg_err *drg_exchange_err(struct drg_exchange *x);
/** Fail with a status that the table above does not give; returns a code to be returned by the handler. */
int drg_exchange_fail_status(struct drg_exchange *x, int status, const struct drg_reason *reason,
                             const char *field, const char *fmt, ...) DRG_PRINTF(5, 6);
/** Add a header to the answer; both texts are copied. */
void drg_exchange_add_header(struct drg_exchange *x, const char *name, const char *value);
/** A body that is not JSON. @p type is static. */
void drg_exchange_set_type(struct drg_exchange *x, const char *type);
/** The data that the answer is made from, in X-Data-Version (decision D1); what was said before is
 * forgotten. */
void drg_exchange_set_version(struct drg_exchange *x, const struct drg_data_version *v);
/** Report a field that was sent and ignored, in X-Ignored-Fields (L6). */
void drg_exchange_ignored(struct drg_exchange *x, struct drg_str name);

struct drg_ready;

/** An answer that is kept ready in every coding: lists, flags. Immutable while anybody holds it. */
struct drg_content {
	struct drg_str body[DRG_CODING_COUNT]; /**< n == 0: this coding is not kept */
	bool coded_when_asked; /**< who answers with it has seen to it that drg_exchange_coding() is there */
	char etag[40]; /**< opaque part, without quotes; the coding is added to it */
	char version[DRG_DATA_VERSION_TEXT]; /**< X-Data-Version; "": it depends on no data */
	const char *type; /**< Content-Type, static */
	const char *cache_control; /**< static, or NULL: drg_http_options.cache_control */
	struct drg_ready *ready; /**< where its answers are kept (ready.h); NULL: made for each request */
};

/** The coding in which the client would have a content that is there in all of them. */
enum drg_coding drg_exchange_coding(struct drg_exchange *x);
/** Does If-None-Match name this opaque tag, so that no body will be sent? */
bool drg_exchange_knows(const struct drg_exchange *x, const char *etag);
/** Does it name any? */
bool drg_exchange_revalidates(const struct drg_exchange *x);

/**
 * Answer with @p c: chooses the coding by Accept-Encoding, answers 304 to a matching If-None-Match.
 * @param release  Called once with @p ctx when nothing uses @p c any more, from any thread.
 */
void drg_exchange_content(struct drg_exchange *x, const struct drg_content *c, void (*release)(void *ctx),
                          void *ctx);

/* ---- waiting -------------------------------------------------------------------------------------------- */

/**
 * Stop working on this exchange until drg_exchange_resume(); the handler then returns DRG_HTTP_SUSPENDED. To
 * be called before another thread can learn of the exchange. What stands behind this call must not touch the
 * exchange once the other thread may have resumed it, but to resume it itself: a handler of a large body runs
 * on a worker, and `again` may run while it returns.
 * @param again  Runs on a thread of the server after the resumption, and returns what a handler returns. It
 *               runs in any case, also where the client has gone: then its answer is thrown away and headers
 *               are missing.
 */
void drg_exchange_suspend(struct drg_exchange *x, drg_handler_fn *again);
/** By the thread that has made the whole answer of a suspended exchange, before it resumes it: compress it
 * there, whatever its size, where the client takes that (decision E23). Others wait for an http thread. */
void drg_exchange_pack(struct drg_exchange *x);
/** From any thread, exactly once per suspension. */
void drg_exchange_resume(struct drg_exchange *x);
/** The same, as a callback. */
void drg_exchange_wake(void *exchange);
typedef void drg_leave_fn(struct drg_exchange *x);
/**
 * Call @p leave if the client leaves while the exchange is suspended, so that a long wait can end: it may
 * call drg_exchange_resume(). On an http thread, once at most, and not after the exchange was resumed. Where
 * a worker has the request and its client has left before this call, it is called here.
 */
void drg_exchange_on_leave(struct drg_exchange *x, drg_leave_fn *leave);
/** For the handler and `again`: a place for their own state. */
void drg_exchange_set_data(struct drg_exchange *x, void *data);
void *drg_exchange_data(const struct drg_exchange *x);
/** Context of the application, see struct drg_http_app. */
void *drg_exchange_app(const struct drg_exchange *x);
