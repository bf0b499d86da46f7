#include "../unit.h"

#include "http/error_body.h"

static const struct {
	int status;
	struct drg_err err;
	const char *json;
} bodies[] = {
	{ 400,
	  { .reason = "missing_field", .field = "lang", .message = "lang is required" },
	  "{\"status\":\"error\",\"error\":{\"code\":400,\"reason\":\"missing_field\",\"field\":\"lang\","
	  "\"message\":\"lang is required\"}}" },
	{ 404,
	  { 0 },
	  "{\"status\":\"error\",\"error\":{\"code\":404,\"reason\":\"not_found\",\"field\":null,"
	  "\"message\":\"there is no such address\"}}" },
	{ 400,
	  { .reason = "bad_id", .field = "a\"b", .message = "c\\d\n" },
	  "{\"status\":\"error\",\"error\":{\"code\":400,\"reason\":\"bad_id\",\"field\":\"a\\\"b\","
	  "\"message\":"
	  "\"c\\\\d\\n\"}}" },
	{ 418,
	  { 0 },
	  "{\"status\":\"error\",\"error\":{\"code\":418,\"reason\":\"\",\"field\":null,\"message\":\"\"}}" },
};

static void bodies_are_those_of_e1(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
		struct drg_buf b;
		drg_buf_init(&b, 4096);
		drg_error_body(&b, bodies[i].status, &bodies[i].err);
		drg_buf_char(&b, '\0');
		assert_string_equal(b.p, bodies[i].json);
		drg_buf_done(&b);
	}
}

static void every_code_has_a_status(void **state)
{
	(void)state;
	assert_int_equal(drg_http_status(DRG_OK), 200);
	assert_int_equal(drg_http_status(DRG_EINVAL), 400);
	assert_int_equal(drg_http_status(DRG_EAUTH), 403);
	assert_int_equal(drg_http_status(DRG_EBUSY), 503);
	assert_int_equal(drg_http_status(DRG_ENOMEM), 500);
	assert_int_equal(drg_http_status(DRG_ECORRUPT), 500);
	assert_int_equal(drg_http_status(-1), 500);
}

GROUP(error_body)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bodies_are_those_of_e1),
		cmocka_unit_test(every_code_has_a_status),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
