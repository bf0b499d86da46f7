/* src/http/router.h
 * Finds the endpoints of a path: a tree of segments, built once from the endpoint tables. */
#pragma once
#include "http/endpoint.h"
#include "http/target.h"

struct drg_router;

/** The endpoints of one path, by method; NULL: none for this method. */
struct drg_route {
	const struct drg_endpoint *by_method[DRG_METHOD_COUNT];
	unsigned number[DRG_METHOD_COUNT]; /**< of the endpoint, in the order of the tables */
};

/**
 * @param tables  NULL-terminated list of tables, which the router borrows.
 * @return DRG_OK; DRG_EEXIST: two endpoints with one method and path; DRG_EINVAL: a path without a slash in
 *         front, or with too many segments, or no key policy; DRG_ENOMEM.
 */
DRG_MUSTCHECK
int drg_router_new(const struct drg_endpoint *const *tables, struct drg_router **ret, struct drg_err *reterr);
void drg_router_free(struct drg_router *r);

/** The route of a path, or NULL. A literal segment goes before ":name"; letter case matters; an empty last
 * segment counts as missing if ":name" is optional. */
const struct drg_route *drg_router_find(const struct drg_router *r, const struct drg_target *t);

/** For a path that has no route: that of an endpoint that differs in letter case, slashes at its end or the
 * API's base only; NULL: none. */
const char *drg_router_suggest(const struct drg_router *r, const struct drg_target *t);
