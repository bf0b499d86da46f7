#include "../unit.h"

#include "base/proxy_header.h"

#include <string.h>

#define V2 "\r\n\r\n\0\r\nQUIT\n"
#define BYTES(text)                                                                                          \
	{                                                                                                    \
		text, sizeof(text) - 1                                                                       \
	}

static const struct {
	struct drg_str bytes;
	enum drg_proxy_header what;
	const char *client; /* of NAMED */
} headers[] = {
	{ BYTES("PROXY TCP4 203.0.113.7 10.0.0.1 56324 443\r\n"), DRG_PROXY_NAMED, "203.0.113.7" },
	{ BYTES("PROXY TCP6 2001:db8::7 ::1 56324 443\r\n"), DRG_PROXY_NAMED, "2001:db8::7" },
	{ BYTES("PROXY UNKNOWN\r\n"), DRG_PROXY_LOCAL, NULL },
	{ BYTES("PROXY UNKNOWN ffff::1 ffff::2 65535 65535\r\n"), DRG_PROXY_LOCAL, NULL },
	{ BYTES("PROXY TCP4 10.0.0.1 10.0.0.1 1 2 3\r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("PROXY TCP4 10.0.0.1 10.0.0.1 1\r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("PROXY TCP4 ::1 ::1 1 2\r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("PROXY TCP6 10.0.0.1 10.0.0.1 1 2\r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("PROXY TCP4 10.0.0.1 10.0.0.1 1 2\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("PROXY \r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES("GET / HTTP/1.1\r\n"), DRG_PROXY_BAD, NULL },
	{ BYTES(V2 "\x21\x11\x00\x0c\xcb\x00\x71\x07\x0a\x00\x00\x01\x00\x01\x00\x02"), DRG_PROXY_NAMED,
	  "203.0.113.7" },
	{ BYTES(V2 "\x21\x11\x00\x0f\xcb\x00\x71\x07\x0a\x00\x00\x01\x00\x01\x00\x02\x04\x00\x00"),
	  DRG_PROXY_NAMED, "203.0.113.7" },
	{ BYTES(V2 "\x20\x00\x00\x00"), DRG_PROXY_LOCAL, NULL },
	{ BYTES(V2 "\x21\x31\x00\x00"), DRG_PROXY_LOCAL, NULL }, /* a socket of the file system */
	{ BYTES(V2 "\x21\x11\x00\x0b\xcb\x00\x71\x07\x0a\x00\x00\x01\x00\x01\x00"), DRG_PROXY_BAD, NULL },
	{ BYTES(V2 "\x22\x11\x00\x0c"), DRG_PROXY_BAD, NULL },
	{ BYTES(V2 "\x11\x11\x00\x0c"), DRG_PROXY_BAD, NULL },
	{ BYTES(V2 "\x21\x11\xff\xff"), DRG_PROXY_BAD, NULL },
};

static void headers_are_read(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
		struct drg_address a;
		char text[INET6_ADDRSTRLEN], bytes[200];
		size_t n = 0, all = headers[i].bytes.n;
		memcpy(bytes, headers[i].bytes.p, all);
		memcpy(bytes + all, "GET / HTTP/1.1\r\n", 16);
		enum drg_proxy_header what = drg_proxy_header_read(drg_str(bytes, all + 16), &n, &a);
		if (what != headers[i].what)
			fail_msg("%zu: %d", i, what);
		if (what != DRG_PROXY_BAD)
			assert_int_equal(n, all);
		if (what != DRG_PROXY_NAMED)
			continue;
		drg_address_text(&a, text);
		assert_string_equal(text, headers[i].client);
	}
}

/** However it is cut, a good one is never taken for a bad one, nor for a whole one. */
static void parts_of_headers_want_more(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++)
		for (size_t n = 1; headers[i].what != DRG_PROXY_BAD && n < headers[i].bytes.n; n++) {
			struct drg_address a;
			size_t used;
			char part[200]; /* of its own, so that reading beyond is found */
			memcpy(part, headers[i].bytes.p, n);
			assert_int_equal(drg_proxy_header_read(drg_str(part, n), &used, &a), DRG_PROXY_MORE);
		}
}

static void a_line_without_end_is_refused(void **state)
{
	(void)state;
	struct drg_address a;
	size_t n;
	char line[200];
	memset(line, 'x', sizeof line);
	memcpy(line, "PROXY ", 6);
	assert_int_equal(drg_proxy_header_read(drg_str(line, 106), &n, &a), DRG_PROXY_MORE);
	assert_int_equal(drg_proxy_header_read(drg_str(line, 107), &n, &a), DRG_PROXY_BAD);
}

GROUP(proxy_header)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(headers_are_read),
		cmocka_unit_test(parts_of_headers_want_more),
		cmocka_unit_test(a_line_without_end_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
