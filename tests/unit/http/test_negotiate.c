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
	bool refuses_identity, nothing; /* where there is no other coding; where there are all */
} codings[] = {
	{ .accept = NULL, .coding = DRG_CODING_IDENTITY },
	{ .accept = "", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip", .coding = DRG_CODING_GZIP },
	{ .accept = "GZip", .coding = DRG_CODING_GZIP },
	{ .accept = "x-gzip", .coding = DRG_CODING_GZIP },
	{ .accept = "gzip, deflate, br, zstd", .coding = DRG_CODING_BR },
	{ .accept = "gzip, zstd", .coding = DRG_CODING_ZSTD },
	{ .accept = "gzip;q=1.0, br;q=0.9", .coding = DRG_CODING_GZIP },
	{ .accept = "gzip ; q=0.5 , br ;q=0.501", .coding = DRG_CODING_BR },
	{ .accept = "br;q=0", .coding = DRG_CODING_IDENTITY },
	{ .accept = "br;q=0, gzip;q=0.001", .coding = DRG_CODING_GZIP },
	{ .accept = "*", .coding = DRG_CODING_BR },
	{ .accept = "*;q=0", .refuses_identity = true, .nothing = true },
	{ .accept = "*;q=0, identity;q=0.1", .coding = DRG_CODING_IDENTITY },
	{ .accept = "*;q=0, gzip", .coding = DRG_CODING_GZIP, .refuses_identity = true },
	{ .accept = "br;q=0, *", .coding = DRG_CODING_ZSTD },
	{ .accept = "identity", .coding = DRG_CODING_IDENTITY },
	{ .accept = "identity;q=1, gzip;q=0.5", .coding = DRG_CODING_IDENTITY },
	{ .accept = "identity;q=0", .refuses_identity = true, .nothing = true },
	{ .accept = "identity;q=0, *", .coding = DRG_CODING_BR, .refuses_identity = true },
	{ .accept = "identity;q=0, gzip;q=0.1", .coding = DRG_CODING_GZIP, .refuses_identity = true },
	{ .accept = "deflate", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip;q=2", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip;q=1.001", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip;q=x", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip;q=", .coding = DRG_CODING_IDENTITY },
	{ .accept = "gzip;q=0.12345", .coding = DRG_CODING_IDENTITY },
	{ .accept = ",,;;, gzip", .coding = DRG_CODING_GZIP },
	{ .accept = "gzipp", .coding = DRG_CODING_IDENTITY },
};

static void a_coding_is_chosen(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++) {
		struct drg_str accept = drg_str_c(codings[i].accept);
		enum drg_coding coding = DRG_CODING_COUNT;
		struct drg_accept_encoding w = { .n = 0 };
		drg_negotiate_weights(accept, &w);
		bool some = drg_negotiate_coding(w.of, &all, &coding);
		if (some == codings[i].nothing || (some && coding != codings[i].coding))
			fail_msg("%s", codings[i].accept != NULL ? codings[i].accept : "(none)");
		some = drg_negotiate_coding(w.of, &plain, &coding);
		if (some == codings[i].refuses_identity || (some && coding != DRG_CODING_IDENTITY))
			fail_msg("%s, of the identity alone", codings[i].accept);
	}
}

/* Of what is coded when it is asked for the sizes are not known. */
static void a_coding_that_can_be_made_is_chosen_too(void **state)
{
	(void)state;
	const struct drg_content later = {
		.body = { [DRG_CODING_IDENTITY] = { "i", 100 }, [DRG_CODING_GZIP] = { "g", 1 } },
		.coded_when_asked = true
	};
	for (size_t i = 0; i < sizeof codings / sizeof codings[0]; i++) {
		enum drg_coding coding = DRG_CODING_COUNT;
		struct drg_accept_encoding w = { .n = 0 };
		drg_negotiate_weights(drg_str_c(codings[i].accept), &w);
		bool some = drg_negotiate_coding(w.of, &later, &coding);
		assert_int_equal(some, !codings[i].nothing);
		assert_true(!some || coding == codings[i].coding);
	}
}

/** Whatever was asked for before, each answer is that of the text itself. */
static void what_was_read_before_is_read_again(void **state)
{
	(void)state;
	enum { N = sizeof codings / sizeof codings[0] };
	static const char longer[] =
	        "gzip;q=0.25, br;q=0                                                     , zstd";
	struct drg_accept_encoding w = { .n = 0 };
	for (size_t i = 0; i < N * (size_t)(N + 1); i++) {
		const char *pair[] = { codings[i % N].accept, i / N < N ? codings[i / N].accept : longer };
		for (size_t k = 0; k < 4; k++) { /* the one, the other, and each again */
			struct drg_accept_encoding fresh = { .n = 0 };
			struct drg_str accept = drg_str_c(pair[k / 2 ^ (k & 1)]);
			drg_negotiate_weights(accept, &fresh);
			drg_negotiate_weights(accept, &w);
			assert_memory_equal(w.of, fresh.of, sizeof fresh.of);
		}
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
		if (drg_etag_matches(drg_str_c(matches[i].tags), false, "v1", &coding) != matches[i].matches)
			fail_msg("%s", matches[i].tags);
		assert_int_equal(coding, matches[i].coding);
		bool weak = strstr(matches[i].tags, "W/") != NULL;
		if (!weak &&
		    drg_etag_matches(drg_str_c(matches[i].tags), true, "v1", &coding) != matches[i].matches)
			fail_msg("%s, strong", matches[i].tags);
	}
	enum drg_coding coding;
	assert_false(drg_etag_matches(DRG_STR("W/\"v1\", \"v2\""), true, "v1", &coding));
	assert_true(drg_etag_matches(DRG_STR("W/\"v1\", \"v1-gzip\""), true, "v1", &coding));
}

GROUP(negotiate)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coding_is_chosen),
		cmocka_unit_test(a_coding_that_can_be_made_is_chosen_too),
		cmocka_unit_test(what_was_read_before_is_read_again),
		cmocka_unit_test(each_coding_has_its_tag),
		cmocka_unit_test(tags_are_compared_weakly),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
