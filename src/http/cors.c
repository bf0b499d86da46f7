#include "http/cors.h"

#define EXPOSE_HEADERS                                                                                       \
	DRG_STR("ETag, Retry-After, X-Request-Id, X-Ignored-Fields, Deprecation, Sunset, Link, "             \
	        "X-Total-Count, X-Data-Version, Idempotent-Replayed, RateLimit, RateLimit-Policy")

/** May pages of other sites use this endpoint? If there is no endpoint (404), they may read the error. */
static bool endpoint_grants(const struct drg_exchange *x)
{
	if (x->endpoint != NULL)
		return x->endpoint->cors;
	bool grants = x->route == NULL;
	for (int m = 0; x->route != NULL && m < DRG_METHOD_COUNT; m++)
		grants |= x->route->by_method[m] != NULL && x->route->by_method[m]->cors;
	return grants;
}

/** Find the request's origin in the options; NULL: not listed. The text that a client sent is never sent
 * back. */
static const char *listed_origin(const struct drg_exchange *x)
{
	const struct drg_http_options *o = &x->http->opt;
	for (size_t i = 0; i < o->n_origins && x->head.n_origin == 1; i++)
		if (drg_str_eq(x->head.origin, drg_str_c(o->origins[i])))
			return o->origins[i];
	return NULL;
}

static const char *allowed_origin(const struct drg_exchange *x)
{
	return !endpoint_grants(x) ? NULL : !x->http->opt.some_origins ? "*" : listed_origin(x);
}

bool drg_cors_varies(const struct drg_exchange *x)
{
	return x->http->opt.n_origins > 0 && endpoint_grants(x);
}

enum drg_head_cors drg_cors_of(const struct drg_exchange *x)
{
	if (allowed_origin(x) == NULL)
		return DRG_HEAD_NO_CORS;
	return x->head.n_origin > 0 ? DRG_HEAD_CORS_ORIGIN : DRG_HEAD_CORS;
}

void drg_cors_headers(const struct drg_exchange *x, struct drg_buf *to)
{
	const char *origin = allowed_origin(x);
	if (origin == NULL)
		return;
	drg_answer_field(to, "Access-Control-Allow-Origin", drg_str_c(origin));
	if (x->head.n_origin > 0)
		drg_answer_field(to, "Access-Control-Expose-Headers", EXPOSE_HEADERS);
}

void drg_cors_preflight(struct drg_exchange *x)
{
	if (allowed_origin(x) == NULL || x->route == NULL)
		return;
	const struct drg_endpoint *const *e = x->route->by_method;
	unsigned methods = 0;
	for (unsigned m = 0; m < DRG_METHOD_COUNT; m++)
		methods |= (unsigned)(e[m] != NULL && e[m]->cors) << m;
	drg_exchange_add_header(x, "Access-Control-Allow-Methods", drg_answer_methods(methods, false));
	drg_exchange_add_header(x, "Access-Control-Allow-Headers", x->http->allow_headers);
	drg_exchange_add_header(x, "Access-Control-Max-Age", "7200");
}
