#include "http/router.h"

#include <assert.h>
#include <stdlib.h>

/** A segment of a path, in a tree: its children are the segments that may follow it. */
struct node {
	struct drg_str name; /* borrowed from the endpoint's path */
	struct node **children; /* sorted by length, then by name */
	size_t n_children;
	struct node *any; /* the child ":name" */
	struct drg_route route;
	bool has_route;
	bool slash; /* also with an empty segment behind it */
};

struct drg_router {
	struct node root;
};

static void done_node(struct node *n)
{
	for (size_t i = 0; i < n->n_children; i++) {
		done_node(n->children[i]);
		free(n->children[i]);
	}
	free(n->children);
	if (n->any != NULL)
		done_node(n->any);
	free(n->any);
}

/* Most names differ in length, so few are compared. */
static int compare_names(struct drg_str a, struct drg_str b)
{
	return a.n != b.n ? (a.n < b.n ? -1 : 1) : memcmp(a.p, b.p, a.n);
}

/** Find the place of @p name among the children, or where it belongs. */
static size_t child_place(const struct node *n, struct drg_str name, bool *ret_found)
{
	size_t low = 0, high = n->n_children;
	while (low < high) {
		size_t mid = (low + high) / 2;
		int c = compare_names(n->children[mid]->name, name);
		if (c == 0) {
			*ret_found = true;
			return mid;
		}
		if (c < 0)
			low = mid + 1;
		else
			high = mid;
	}
	*ret_found = false;
	return low;
}

static struct node *insert_child(struct node *n, struct drg_str name, size_t at)
{
	assert(at <= n->n_children);
	struct node **grown = realloc(n->children, (n->n_children + 1) * sizeof *grown);
	if (grown == NULL)
		return NULL;
	n->children = grown;
	struct node *child = calloc(1, sizeof *child);
	if (child == NULL)
		return NULL;
	child->name = name;
	memmove(grown + at + 1, grown + at, (n->n_children - at) * sizeof *grown);
	grown[at] = child;
	n->n_children++;
	return child;
}

static struct node *get_child(struct node *n, struct drg_str name)
{
	if (name.n > 0 && name.p[0] == ':') {
		if (n->any == NULL)
			n->any = calloc(1, sizeof *n->any);
		return n->any;
	}
	bool found;
	size_t at = child_place(n, name, &found);
	return found ? n->children[at] : insert_child(n, name, at);
}

static int add_endpoint(struct node *n, const struct drg_endpoint *e, unsigned number, struct drg_err *reterr)
{
	assert(e->method < DRG_METHOD_COUNT);
	if (e->path[0] != '/')
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "endpoint %s: a path begins with /", e->path);
	if (e->auth == DRG_AUTH_UNSET)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "endpoint %s: it has no key policy", e->path);
	struct drg_str rest = drg_str_c(e->path + 1), segment;
	for (size_t depth = 1; drg_str_split(&rest, '/', &segment); depth++) {
		if (depth > DRG_TARGET_SEGMENTS)
			return drg_fail(reterr, DRG_EINVAL, NULL, NULL, "endpoint %s: over %d segments",
			                e->path, DRG_TARGET_SEGMENTS);
		n = get_child(n, segment);
		if (n == NULL)
			return drg_fail_memory(reterr);
	}
	if (n->route.by_method[e->method] != NULL)
		return drg_fail(reterr, DRG_EEXIST, NULL, NULL, "endpoint %s stands in the tables twice",
		                e->path);
	n->route.by_method[e->method] = e;
	n->route.number[e->method] = number;
	n->has_route = true;
	n->slash |= e->slash;
	return DRG_OK;
}

int drg_router_new(const struct drg_endpoint *const *tables, struct drg_router **ret, struct drg_err *reterr)
{
	struct drg_router *r = calloc(1, sizeof *r);
	unsigned number = 0;
	if (r == NULL)
		return drg_fail_memory(reterr);
	for (; *tables != NULL; tables++) {
		for (const struct drg_endpoint *e = *tables; e->path != NULL; e++) {
			int rc = add_endpoint(&r->root, e, number++, reterr);
			if (rc != DRG_OK) {
				drg_router_free(r);
				return rc;
			}
		}
	}
	*ret = r;
	return DRG_OK;
}

void drg_router_free(struct drg_router *r)
{
	if (r == NULL)
		return;
	done_node(&r->root);
	free(r);
}

/** Does an empty segment mean nothing, or stand for an optional last one that was left out? "/list/" is
 * "/list" if "/list/:country" exists too. */
static bool is_left_out(const struct node *n, struct drg_str segment)
{
	return segment.n == 0 && n->has_route && (n->slash || (n->any != NULL && n->any->has_route));
}

/** Recursive: as deep as an endpoint's path, at most DRG_TARGET_SEGMENTS. */
static const struct drg_route *find_below(const struct node *n, const struct drg_str *segments, size_t count)
{
	if (count == 0)
		return n->has_route ? &n->route : NULL;
	if (count == 1 && is_left_out(n, *segments))
		return &n->route;
	bool found;
	size_t at = child_place(n, *segments, &found);
	const struct drg_route *route = found ? find_below(n->children[at], segments + 1, count - 1) : NULL;
	if (route == NULL && n->any != NULL && segments->n > 0)
		route = find_below(n->any, segments + 1, count - 1);
	return route;
}

const struct drg_route *drg_router_find(const struct drg_router *r, const struct drg_target *t)
{
	if (t->n_segments > DRG_TARGET_SEGMENTS)
		return NULL;
	return find_below(&r->root, t->as_sent, t->n_segments);
}

/** Like find_below(), whatever the case of letters. */
static const struct drg_route *find_in_any_case(const struct node *n, const struct drg_str *segments,
                                                size_t count)
{
	if (count == 0)
		return n->has_route ? &n->route : NULL;
	const struct drg_route *route = NULL;
	for (size_t i = 0; i < n->n_children && route == NULL; i++)
		if (drg_str_eq_nocase(n->children[i]->name, *segments))
			route = find_in_any_case(n->children[i], segments + 1, count - 1);
	if (route == NULL && n->any != NULL && segments->n > 0)
		route = find_in_any_case(n->any, segments + 1, count - 1);
	return route;
}

const char *drg_router_suggest(const struct drg_router *r, const struct drg_target *t)
{
	struct drg_str other[DRG_TARGET_SEGMENTS + 1] = { DRG_STR("api") };
	size_t n = t->n_segments;
	if (n > DRG_TARGET_SEGMENTS)
		return NULL;
	while (n > 0 && t->segments[n - 1].n == 0)
		n--;
	const struct drg_route *route = find_in_any_case(&r->root, t->segments, n);
	/* The other API: /api/v1 for /v1, or the reverse. */
	memcpy(other + 1, t->segments, n * sizeof *other);
	if (route == NULL && n > 1 && drg_str_eq_nocase(t->segments[0], DRG_STR("v1")))
		route = find_in_any_case(&r->root, other, n + 1);
	else if (route == NULL && n > 2 && drg_str_eq_nocase(t->segments[0], DRG_STR("api")))
		route = find_in_any_case(&r->root, t->segments + 1, n - 1);
	for (unsigned m = 0; route != NULL && m < DRG_METHOD_COUNT; m++)
		if (route->by_method[m] != NULL && route->by_method[m]->name != NULL)
			return route->by_method[m]->path;
	return NULL;
}
