#include "../arena.h"

#include "http/router.h"

static const struct drg_endpoint first_table[] = {
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/tour/reference" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_POST, .path = "/v1/tour/sourceInfo" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/tour/main/:country" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/tour/main" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/service/:key", .slash = true },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/service/:key/view/:id" },
	{ .path = NULL },
};
static const struct drg_endpoint second_table[] = {
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_POST, .path = "/v1/tour/reference" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/flags/:ratio/:file" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/flags/1x1/list" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/v1/tour/main/all/:name" },
	{ .auth = DRG_AUTH_PUBLIC, .method = DRG_GET, .path = "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16" },
	{ .path = NULL },
};
static const struct drg_endpoint *const tables[] = { first_table, second_table, NULL };

static const struct {
	const char *path, *get, *post; /* the endpoints found there */
} paths[] = {
	{ "/", "/", NULL },
	{ "/v1/tour/reference", "/v1/tour/reference", "/v1/tour/reference" },
	{ "/v1/tour/sourceInfo", NULL, "/v1/tour/sourceInfo" },
	{ "/v1/tour/main", "/v1/tour/main", NULL },
	{ "/v1/tour/main/tr", "/v1/tour/main/:country", NULL },
	{ "/v1/tour/main/all", "/v1/tour/main/:country", NULL },
	{ "/v1/tour/main/all/x", "/v1/tour/main/all/:name", NULL },
	{ "/flags/1x1/tr.svg", "/flags/:ratio/:file", NULL },
	{ "/flags/1x1/list", "/flags/1x1/list", NULL },
	{ "/flags/4x3/list", "/flags/:ratio/:file", NULL },
	{ "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16", "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16", NULL },
	{ "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17", NULL, NULL },
	{ "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18", NULL, NULL },
	{ "/v1", NULL, NULL },
	{ "/v1/", NULL, NULL },
	{ "/v1/tour/reference/", NULL, NULL },
	{ "//v1/tour/reference", NULL, NULL },
	{ "/v1/tour/main/", "/v1/tour/main", NULL }, /* the segment is optional, and empty */
	{ "/v1/tour/main//", NULL, NULL },
	{ "/v1/service/k", "/v1/service/:key", NULL },
	{ "/v1/service/k/", "/v1/service/:key", NULL }, /* its row says so */
	{ "/v1/service/k//", NULL, NULL },
	{ "/v1/service/", NULL, NULL },
	{ "/v1/service/k/view/", NULL, NULL },
	{ "/v1/tour/main/all/", NULL, NULL }, /* this one is not */
	{ "/v1/Tour/reference", NULL, NULL },
	{ "/v1/tour/referenc", NULL, NULL },
	{ "/v1/tour/references", NULL, NULL },
	{ "/flags//tr.svg", NULL, NULL },
	{ "*", NULL, NULL },
};

static void paths_find_their_endpoints(void **state)
{
	(void)state;
	struct drg_router *r = NULL;
	assert_int_equal(drg_router_new(tables, &r, NULL), DRG_OK);
	for (size_t i = 0; i < sizeof paths / sizeof paths[0]; i++) {
		struct drg_target t;
		assert_int_equal(drg_target_parse(drg_str_c(paths[i].path), &arena, &t, NULL), DRG_OK);
		const struct drg_route *route = drg_router_find(r, &t);
		const struct drg_endpoint *get = route != NULL ? route->by_method[DRG_GET] : NULL;
		const struct drg_endpoint *post = route != NULL ? route->by_method[DRG_POST] : NULL;
		assert_string_equal(get != NULL ? get->path : "", paths[i].get != NULL ? paths[i].get : "");
		assert_string_equal(post != NULL ? post->path : "",
		                    paths[i].post != NULL ? paths[i].post : "");
		assert_int_equal(route != NULL, get != NULL || post != NULL);
	}
	drg_router_free(r);
	drg_router_free(NULL);
}

static void mistakes_in_tables_are_told(void **state)
{
	(void)state;
	static const struct {
		struct drg_endpoint table[3];
		int rc;
	} bad[] = {
		{ { { .auth = DRG_AUTH_PUBLIC, .path = "/a" }, { .auth = DRG_AUTH_PUBLIC, .path = "/a" } },
		  DRG_EEXIST },
		{ { { .auth = DRG_AUTH_PUBLIC, .path = "/:a" }, { .auth = DRG_AUTH_PUBLIC, .path = "/:b" } },
		  DRG_EEXIST },
		{ { { .auth = DRG_AUTH_PUBLIC, .path = "a" } }, DRG_EINVAL },
		{ { { .path = "/no-key-policy" } }, DRG_EINVAL },
		{ { { .auth = DRG_AUTH_PUBLIC, .path = "/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17" } },
		  DRG_EINVAL },
	};
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		const struct drg_endpoint *list[] = { bad[i].table, NULL };
		struct drg_router *r = NULL;
		struct drg_err err = { 0 };
		assert_int_equal(drg_router_new(list, &r, &err), bad[i].rc);
		assert_non_null(strstr(err.message, "endpoint "));
		assert_null(r);
	}
}

static const struct {
	const char *raw;
	int rc;
	const char *path, *query;
	size_t n;
	const char *second; /* segment */
} targets[] = {
	{ "/a/b?c=d?e", DRG_OK, "/a/b", "c=d?e", 2, "b" },
	{ "/a/b%20c%2Fd", DRG_OK, "/a/b%20c%2Fd", "", 2, "b c/d" },
	{ "/a/", DRG_OK, "/a/", "", 2, "" },
	{ "/a//b", DRG_OK, "/a//b", "", 3, "" },
	{ "/a/..", DRG_OK, "/a/..", "", 2, ".." },
	{ "http://h:1/a/b?q", DRG_OK, "/a/b", "q", 2, "b" },
	{ "HTTPS://h/a/b", DRG_OK, "/a/b", "", 2, "b" },
	{ "http://h", DRG_OK, "/", "", 1, NULL },
	{ "*", DRG_OK, "*", "", 0, NULL },
	{ "/a?%", DRG_OK, "/a", "%", 1, NULL },
	{ "", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "a", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "?a", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "ftp://h/a", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "/%", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "/a/%00", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "/a/\xff", DRG_EINVAL, NULL, NULL, 0, NULL },
	{ "/0/1/2/3/4/5/6/7/8/9/10/11/12/13/14/15/16/17/18/19/%", DRG_EINVAL, NULL, NULL, 0, NULL },
};

static void targets_are_cut(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
		struct drg_target t = { .n_segments = 99 };
		int rc = drg_target_parse(drg_str_c(targets[i].raw), &arena, &t, NULL);
		assert_int_equal(rc, targets[i].rc);
		if (rc != DRG_OK) {
			assert_int_equal(t.n_segments, 99);
			continue;
		}
		assert_true(drg_str_eq(t.path, drg_str_c(targets[i].path)));
		assert_true(drg_str_eq(t.query, drg_str_c(targets[i].query)));
		assert_int_equal(t.n_segments, targets[i].n);
		if (targets[i].second != NULL)
			assert_true(drg_str_eq(t.segments[1], drg_str_c(targets[i].second)));
	}
}

GROUP(router)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(paths_find_their_endpoints),
		cmocka_unit_test(mistakes_in_tables_are_told),
		cmocka_unit_test(targets_are_cut),
	};
	return cmocka_run_group_tests(tests, arena_set_up, arena_tear_down);
}
