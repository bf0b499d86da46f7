/* src/http/endpoint.h
 * The endpoint table: policy is a column, not a line in each handler. The router, the key check, the limits,
 * the parameter parser, the access log and the documentation read it. The rows are in api/. A missing column
 * opens nothing: without a key policy the server refuses to start, and without `cors` browsers on other sites
 * may not call. */
#pragma once
#include <stdbool.h>
#include "http/exchange.h"

enum drg_param_type {
	DRG_P_INT, /**< decimal int64 (L7); value in `i` */
	DRG_P_FLAG, /**< "", 1, true, yes, on; 0, false, no, off (L2); value in `i` */
	DRG_P_LANG, /**< language tag (L1), lower case in `s`; "en" if absent or no language tag */
	DRG_P_TEXT /**< anything, at most `max` characters; value in `s` */
};

/** One query or path parameter. A table ends with a zero name. */
struct drg_param {
	const char *name; /**< wire name; for a path parameter as in the path, without the colon */
	enum drg_param_type type;
	bool required;
	/** the parameter may be given more than once (also as name[]): see drg_exchange_each() */
	bool repeated;
	bool in_path;
	int64_t min, max; /**< INT: bounds (both 0: any); TEXT: characters */
	/** A further check of the value, or NULL; it fills @p reterr by drg_fail(). */
	int (*check)(struct drg_str value, const char *name, struct drg_err *reterr);
	const char *doc;
	/** Further JSON members of its schema (OpenAPI), or NULL. */
	const char *schema;
	/** The value is JSON in the form of this schema (OpenAPI), or NULL. */
	const char *json;
};

enum drg_body_kind {
	DRG_BODY_NONE,
	DRG_BODY_JSON,
	DRG_BODY_JSON_OR_FORM,
	/** the bytes of a file, of any media type except a multipart form; `max_body` is the largest */
	DRG_BODY_FILE
};

/** The largest `max_body` of an endpoint that takes files; and how many files are received or processed at
 * the same time: one more is a 503 (decision E26). */
enum { DRG_FILE_MAX = 32 * 1024 * 1024, DRG_FILES_MAX = 4 };

/** Key policies of http itself; an application adds its own after them. */
enum { DRG_AUTH_UNSET /**< missing: a mistake */, DRG_AUTH_PUBLIC };

/** One endpoint. A table ends with a zero path. */
struct drg_endpoint {
	enum drg_method method; /**< DRG_GET answers HEAD too */
	/** "/v1/tour/reference"; a segment ":name" matches any one segment. */
	const char *path;
	/** operationId, the name in generated clients; NULL: a page for people, which OpenAPI leaves out */
	const char *name;
	drg_handler_fn *handler;
	int auth; /**< DRG_AUTH_PUBLIC, or a key policy of the application */
	/** parameters; NULL: none. Parameters that are not in the table are ignored and reported */
	const struct drg_param *params;
	bool only_known; /**< another parameter is refused: left out by mistake, it would give more (L6) */
	enum drg_body_kind body;
	/** bytes: the largest body, if it is smaller than the server's or a file; 0: the server's (E9) */
	size_t max_body;
	/** bytes of query and body from which a worker runs the handler; 0: 16 KiB of body, which usually
	 * takes a millisecond */
	size_t work_from;
	/** Will the handler take a millisecond or build some 100 kB, as its parameters say? A worker then runs
	 * it, whatever the size of the request. NULL: no. */
	bool (*is_work)(const struct drg_exchange *x);
	bool cors; /**< pages of any origin may call it */
	bool slash; /**< with a slash at the end it is the same, for clients that add one */
	bool probe; /**< asked all the time by machines: the access log has only what fails */
	bool reads; /**< of a POST: it changes nothing, so that a proxy may send it to a second server */
	const char *summary; /**< one line; docs/contract.md has it too */
	/** For a deprecated endpoint: the time of its deprecation, "@1795132800" (RFC 9745), and the path of
	 * its successor. */
	const char *deprecated, *successor;
	const void *app; /**< columns of the application, or NULL */
};

/** The largest body of the endpoint in bytes, if the server takes @p of_server. */
static inline size_t drg_endpoint_max_body(const struct drg_endpoint *e, size_t of_server)
{
	bool own = e->body == DRG_BODY_FILE || (e->max_body > 0 && e->max_body < of_server);
	return own ? e->max_body : of_server;
}
