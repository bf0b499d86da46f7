/* src/http/endpoint.h
 * The endpoint table: policy is a column, not a line in each handler. The router, the key check, the limits,
 * the parameter parser, the access log and the documentation read it. The rows are in api/. A column that is
 * left out opens nothing: no key policy is refused when the server starts, and no browser of another site may
 * call. */
#pragma once
#include <stdbool.h>
#include "http/exchange.h"

enum drg_param_type {
	DRG_P_INT, /**< decimal int64 (L7); value in `i` */
	DRG_P_FLAG, /**< "", 1, true, yes, on; 0, false, no, off (L2); value in `i` */
	DRG_P_LANG, /**< language tag (L1), given lower-case in `s`; "en" when absent or no language tag */
	DRG_P_TEXT /**< anything, at most `max` characters; value in `s` */
};

/** One query or path parameter. A table ends with a zero name. */
struct drg_param {
	const char *name; /**< wire name; for a path parameter as in the path, without the colon */
	enum drg_param_type type;
	bool required;
	bool repeated; /**< may be given more than once (also as name[]): see drg_exchange_each() */
	bool in_path;
	int64_t min, max; /**< INT: bounds (both 0: any); TEXT: characters */
	/** A further check of the value, or NULL; it fills @p reterr as drg_fail() does. */
	int (*check)(struct drg_str value, const char *name, struct drg_err *reterr);
	const char *doc;
	/** JSON members that say more of its schema than the columns above (OpenAPI), or NULL. */
	const char *schema;
};

enum drg_body_kind {
	DRG_BODY_NONE,
	DRG_BODY_JSON,
	DRG_BODY_JSON_OR_FORM,
	/** the bytes of a file, of any media type but a form of parts; `max_body` is the largest */
	DRG_BODY_FILE
};

/** The largest `max_body` of an endpoint that takes files; and how many are received or worked on at one time:
 * one more is a 503 (decision E26). */
enum { DRG_FILE_MAX = 32 * 1024 * 1024, DRG_FILES_MAX = 4 };

/** Key policies that http itself knows; an application adds its own behind them. */
enum { DRG_AUTH_UNSET /**< left out: a mistake */, DRG_AUTH_PUBLIC };

/** One endpoint. A table ends with a zero path. */
struct drg_endpoint {
	enum drg_method method; /**< DRG_GET answers HEAD too */
	/** "/v1/tour/reference"; a segment ":name" matches any one segment. */
	const char *path;
	/** operationId: what clients call it; NULL: a page for people, which OpenAPI leaves out */
	const char *name;
	drg_handler_fn *handler;
	int auth; /**< DRG_AUTH_PUBLIC, or a key policy of the application */
	const struct drg_param *params; /**< NULL: none, and whatever is given is ignored and reported */
	enum drg_body_kind body;
	size_t max_body; /**< bytes, where it takes less than the server does, or files; 0: the server's (E9) */
	/** bytes of query and body from which a worker has it and no http thread; 0: 16 KiB of body, from
	 * which a millisecond is usual */
	size_t work_from;
	bool cors; /**< pages of any origin may call it */
	const char *summary; /**< one line, which docs/contract.md has too */
	/** Of one that is not to be used any more: since when, "@1795132800" (RFC 9745), and the path of what
	 * replaces it. */
	const char *deprecated, *successor;
	const void *app; /**< columns of the application's own, or NULL */
};

/** The largest body that it takes, in bytes, of a server that takes @p of_server. */
static inline size_t drg_endpoint_max_body(const struct drg_endpoint *e, size_t of_server)
{
	bool own = e->body == DRG_BODY_FILE || (e->max_body > 0 && e->max_body < of_server);
	return own ? e->max_body : of_server;
}
