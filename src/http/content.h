/* src/http/content.h
 * The content of a response, built before it is requested: a list, a flag, a document. It has one
 * reference count: the owner holds it, and so does each response that sends it. It also stores the heads
 * of its responses, with the fields that do not depend on the request. Each head is built at its first
 * use, and all threads share it. */
#pragma once
#include <stdatomic.h>
#include "text/compress.h"

/** The CORS fields of a head: none; the permission; or, if the request has an Origin, also the list of
 * fields that a script may read. */
enum drg_head_cors { DRG_HEAD_NO_CORS, DRG_HEAD_CORS, DRG_HEAD_CORS_ORIGIN, DRG_HEAD_CORS_COUNT };

/** The fields after status, date and version, except Connection. */
struct drg_content_head {
	size_t n;
	char text[];
};

/** Immutable once others hold it, with one exception: its owner can add the body of a missing coding,
 * under the lock with which it gives the content to requests. Only requests that get the content later
 * read that body. */
struct drg_content {
	/** 0: not counted, without stored heads, because it is in the memory of the one request that sends
	 * it */
	_Atomic unsigned holders;
	/** true if the handler has ensured that the content has the coding of drg_exchange_coding() */
	bool coded_when_asked;
	struct drg_str body[DRG_CODING_COUNT]; /**< n == 0: this coding is missing */
	char etag[40]; /**< opaque part, without quotes; the coding is appended to it */
	char total[24]; /**< X-Total-Count; "": none */
	const char *type; /**< Content-Type, static */
	const char *cache_control; /**< static, or NULL: drg_http_options.cache_control */
	/** [1]: of the 304 */
	_Atomic(struct drg_content_head *) head[DRG_CODING_COUNT][2][DRG_HEAD_CORS_COUNT];
};

/** Create a content with a copy of @p body and one holder. NULL: out of memory. */
struct drg_content *drg_content_new(const char *type, struct drg_str body);
/** Copy @p body for drg_content.body, which frees the copy. p == NULL: out of memory. */
struct drg_str drg_content_body(struct drg_str body);
/** True if it has a reference count. */
static inline bool drg_content_is_kept(const struct drg_content *c)
{
	return atomic_load_explicit(&c->holders, memory_order_relaxed) > 0;
}
/** Add a holder. The caller already holds the content, or keeps others from releasing it. */
void drg_content_hold(struct drg_content *c);
/** Remove a holder; the last one frees it and its bodies. From any thread. NULL is fine. */
void drg_content_release(struct drg_content *c);
