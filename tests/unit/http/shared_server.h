/* tests/unit/http/shared_server.h
 * One server for all tests of a file: start() and stop() of the group. */
#pragma once
#include "server_fixture.h"

static struct drg_http *h;

static inline int start(void **state)
{
	(void)state;
	struct drg_http_options o = test_options();
	h = start_with(&o, NULL);
	return 0;
}

static inline int stop(void **state)
{
	(void)state;
	drg_http_stop(h, 1);
	return 0;
}
