#include "../unit.h"

#include "base/err.h"

#include "http/access_log.h"

static void write(const struct drg_access_line *line, struct drg_buf *b)
{
	drg_buf_clear(b);
	drg_access_line_write(line, b);
	drg_buf_char(b, '\0');
	assert_int_equal(b->rc, DRG_OK);
}

static void what_clients_send_is_escaped(void **state)
{
	(void)state;
	struct drg_buf b;
	struct drg_access_line line = { .request_id = DRG_STR("id"),
		                        .remote = "::1",
		                        .method = "GET",
		                        .path = DRG_STR("/p"),
		                        .route = "/:p",
		                        .status = 200,
		                        .bytes = 5,
		                        .us = 9 };
	drg_buf_init(&b, 64 * 1024);
	write(&line, &b);
	assert_string_equal(b.p,
	                    "\"request_id\":\"id\",\"remote\":\"::1\",\"method\":\"GET\",\"path\":\"/p\","
	                    "\"route\":\"/:p\",\"status\":200,\"bytes\":5,\"us\":9");
	line.path = DRG_STR("/\"\n\x1b\xff\xd0\x9c\xed\xa0\x80");
	line.key_id = 7;
	line.reason = "bad_id";
	line.version = "e:5:1";
	line.cut = true;
	write(&line, &b);
	assert_non_null(strstr(b.p, "\"path\":\"/\\\"\\n\\u001b?\xd0\x9c???\""));
	assert_non_null(strstr(b.p, "\"us\":9,\"reason\":\"bad_id\",\"version\":\"e:5:1\",\"key\":7,"
	                            "\"cut\":true"));
	char much[5000];
	memset(much, 'x', sizeof much);
	line.path = drg_str(much, sizeof much);
	line.route = NULL;
	write(&line, &b);
	assert_non_null(strstr(b.p, "xxx\",\"route\":null,"));
	assert_true(b.n < 3000);
	drg_buf_done(&b);
}

GROUP(access_log)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_clients_send_is_escaped),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
