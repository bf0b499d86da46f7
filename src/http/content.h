/* src/http/content.h
 * An answer that is ready before it is asked for: a list, a flag, a document. It is one value with one count of
 * its holders: the owner that keeps it, and the answers that send it. The heads of its answers are stored with
 * it, with the fields that do not depend on the request; each is made at its first use, and all threads share
 * it. */
#pragma once
#include <stdatomic.h>
#include "text/compress.h"

/** What CORS adds to a head: nothing; the permission; or, if the request has an Origin, also the fields that a
 * script may read. */
enum drg_head_cors { DRG_HEAD_NO_CORS, DRG_HEAD_CORS, DRG_HEAD_CORS_ORIGIN, DRG_HEAD_CORS_COUNT };

/** The fields after status, date and version, except Connection. */
struct drg_content_head {
	size_t n;
	char text[];
};

/** Immutable once others hold it, with one exception: its owner may add the body of a coding that is missing,
 * under the lock with which it gives the content to requests. Only requests that got it later read the body. */
struct drg_content {
	/** 0: it is not counted and keeps no heads, because it is in memory of the one request that sends it */
	_Atomic unsigned holders;
	/** the handler has ensured that the content has the coding of drg_exchange_coding() */
	bool coded_when_asked;
	struct drg_str body[DRG_CODING_COUNT]; /**< n == 0: this coding is not kept */
	char etag[40]; /**< opaque part, without quotes; the coding is appended to it */
	char total[24]; /**< X-Total-Count; "": there are no items to count */
	const char *type; /**< Content-Type, static */
	const char *cache_control; /**< static, or NULL: drg_http_options.cache_control */
	/** [1]: of the 304 */
	_Atomic(struct drg_content_head *) head[DRG_CODING_COUNT][2][DRG_HEAD_CORS_COUNT];
};

/** Make a content of @p body, which is copied, with one holder. NULL: out of memory. */
struct drg_content *drg_content_new(const char *type, struct drg_str body);
/** A copy of @p body for drg_content.body, which frees it. p == NULL: out of memory. */
struct drg_str drg_content_body(struct drg_str body);
/** Is it counted? */
static inline bool drg_content_is_kept(const struct drg_content *c)
{
	return atomic_load_explicit(&c->holders, memory_order_relaxed) > 0;
}
/** Add a holder. The caller holds it already, or keeps others from releasing it. */
void drg_content_hold(struct drg_content *c);
/** Remove a holder; the last one frees it and its bodies. From any thread. NULL is fine. */
void drg_content_release(struct drg_content *c);
