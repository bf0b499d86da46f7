#include "../unit.h"

#include "http/negotiate.h"

/* gzip 30 bytes, br 20, zstd 25, identity 100 */
static const struct drg_content all = {
	.body = { [DRG_CODING_IDENTITY] = { "i", 100 },
	          [DRG_CODING_GZIP] = { "g", 30 },
	          [DRG_CODING_BR] = { "b", 20 },
	          [DRG_CODING_ZSTD] = { "z", 25 } },
};
static const struct drg_content plain = { .body = { [DRG_CODING_IDENTITY] = { "i", 100 } } };

static const struct {
	const char *accept; /* NULL: not sent */
	enum drg_coding coding;
} codings[] = {
	{ NULL, DRG_CODING_IDENTITY },
	{ "", DRG_CODING_IDENTITY },
	{ "gzip", DRG_CODING_GZIP },
	{ "GZip", DRG_CODING_GZIP },
	{ "x-gzip", DRG_CODING_GZIP },
	{ "gzip, deflate, br, zstd", DRG_CODING_BR },
	{ "gzip, zstd", DRG_CODING_ZSTD },
	{ "gzip;q=1.0, br;q=0.9", DRG_CODING_GZIP },
	{ "gzip ; q=0.5 , br ;q=0.501", DRG_CODING_BR },
	{ "br;q=0", DRG_CODING_IDENTITY },
	{ "br;q=0, gzip;q=0.001", DRG_CODING_GZIP },
	{ "*", DRG_CODING_BR },
	{ "*;q=0", DRG_CODING_IDENTITY },
	{ "br;q=0, *", DRG_CODING_ZSTD },
	{ "identity", DRG_CODING_IDENTITY },
	{ "identity;q=1, gzip;q=0.5", DRG_CODING_IDENTITY },
	{ "identity;q=0", DRG_CODING_IDENTITY },
	{ "identity;q=0, gzip;q=0.1", DRG_CODING_GZIP },
	{ "deflate", DRG_CODING_IDENTITY },
	{ "gzip;q=2", DRG_CODING_IDENTITY },
	{ "gzip;q=1.001", DRG_CODING_IDENTITY },
	{ "gzip;q=x", DRG_CODING_IDENTITY },
	{ "gzip;q=", DRG_CODING_IDENTITY },
	{ "gzip;q=0.12345", DRG_CODING_IDENTITY },
	{ ",,;;, gzip", DRG_CODING_GZIP },
	{ "gzipp", DRG_CODING_IDENTITY },
};

static void a_coding_is_chosen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++) {
		struct drg_str accept = drg_str_c(codings[i].accept);
		if (drg_negotiate_coding(accept, &all) != codings[i].coding)
			fail_msg("%s", codings[i].accept != NULL ? codings[i].accept : "(none)");
		assert_int_equal(drg_negotiate_coding(accept, &plain), DRG_CODING_IDENTITY);
	}
}

static void each_coding_has_its_tag(void **state)
{
	(void)state;
	static const char *const tags[] = { "\"v\"", "\"v-gzip\"", "\"v-br\"", "\"v-zstd\"" };
	char buf[DRG_ETAG_TEXT];
	for (int c = 0; c < DRG_CODING_COUNT; c++) {
		drg_etag_text("v", (enum drg_coding)c, buf);
		assert_string_equal(buf, tags[c]);
	}
	drg_etag_text("0123456789012345678901234567890123456789", DRG_CODING_ZSTD, buf);
	assert_string_equal(buf, "\"0123456789012345678901234567890123456789-zstd\"");
}

static const struct {
	const char *tags;
	bool matches;
	enum drg_coding coding; /* BR was chosen */
} matches[] = {
	{ "\"v1\"", true, DRG_CODING_IDENTITY },
	{ "\"v1-gzip\"", true, DRG_CODING_GZIP },
	{ "W/\"v1-br\"", true, DRG_CODING_BR },
	{ "\"x\", W/\"y\" ,\"v1-zstd\"", true, DRG_CODING_ZSTD },
	{ "\"x\",,\"v1\"", true, DRG_CODING_IDENTITY },
	{ "*", true, DRG_CODING_BR },
	{ " * ", true, DRG_CODING_BR },
	{ "\"a,b\", \"v1\"", true, DRG_CODING_IDENTITY },
	{ "\"*\"", false, DRG_CODING_BR },
	{ "\"v2\"", false, DRG_CODING_BR },
	{ "\"v11\"", false, DRG_CODING_BR },
	{ "\"v\"", false, DRG_CODING_BR },
	{ "\"v1-\"", false, DRG_CODING_BR },
	{ "\"v1-deflate\"", false, DRG_CODING_BR },
	{ "\"v1-identity\"", false, DRG_CODING_BR },
	{ "v1", false, DRG_CODING_BR },
	{ "\"v1", false, DRG_CODING_BR },
	{ "w/\"v1\"", false, DRG_CODING_BR },
	{ "\"V1\"", false, DRG_CODING_BR },
	{ "", false, DRG_CODING_BR },
	{ "W/", false, DRG_CODING_BR },
	{ "\"\"", false, DRG_CODING_BR },
};

static void tags_are_compared_weakly(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof matches / sizeof matches[0]; i++) {
		enum drg_coding coding = DRG_CODING_BR;
		if (drg_etag_matches(drg_str_c(matches[i].tags), "v1", &coding) != matches[i].matches)
			fail_msg("%s", matches[i].tags);
		assert_int_equal(coding, matches[i].coding);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coding_is_chosen),
		cmocka_unit_test(each_coding_has_its_tag),
		cmocka_unit_test(tags_are_compared_weakly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
