#include "../unit.h"

#include <math.h>

#include "text/json.h"
#include "text/json_scan.h"

/* ---- reading ------------------------------------------------------------------------------------------- */

static const struct {
	const char *text, *reason, *message; /* reason NULL: accepted */
} texts[] = {
	{ "{}", NULL, NULL },
	{ " [1, 2.5, \"x\", null, true] ", NULL, NULL },
	{ "12", NULL, NULL },
	{ "9223372036854775807", NULL, NULL },
	{ "-9223372036854775808", NULL, NULL },
	{ "\"\\ud83c\\udfd6\"", NULL, NULL },
	{ "", "invalid_json", "line 1, column 1: the text ends too early" },
	{ "{", "invalid_json", "line 1, column 2: the text ends too early" },
	{ "{\"a\":1", "invalid_json", "line 1, column 7: the text ends too early" },
	{ "{\"a\" 1}", "invalid_json", "line 1, column 6: expected ':'" },
	{ "{\"a\":1,}", "invalid_json", "line 1, column 8: expected a member name in quotes" },
	{ "[1 2]", "invalid_json", "line 1, column 4: expected ',' or ']'" },
	{ "[1,]", "invalid_json", "line 1, column 4: expected a value" },
	{ "[1}", "invalid_json", "line 1, column 3: expected ',' or ']'" },
	{ "{}{}", "invalid_json", "line 1, column 3: expected nothing behind the value" },
	{ "\n\n  \"Київ\" x", "invalid_json", "line 3, column 10: expected nothing behind the value" },
	{ "nul", "invalid_json", "line 1, column 1: expected a value" },
	{ "NaN", "invalid_json", "line 1, column 1: expected a value" },
	{ "01", "invalid_json", "line 1, column 1: a number must not begin with a zero" },
	{ "-", "invalid_json", "line 1, column 2: the text ends too early" },
	{ "1.", "invalid_json", "line 1, column 3: the text ends too early" },
	{ "[.5]", "invalid_json", "line 1, column 2: expected a value" },
	{ "[1e]", "invalid_json", "line 1, column 4: expected a digit" },
	{ "+1", "invalid_json", "line 1, column 1: expected a value" },
	{ "'a'", "invalid_json", "line 1, column 1: expected a value" },
	{ "\"a\tb\"", "invalid_json", "line 1, column 3: a control character must be written as an escape" },
	{ "\"\\x\"", "invalid_json", "line 1, column 2: unknown escape" },
	{ "\"\\u12g4\"", "invalid_json", "line 1, column 2: expected four hexadecimal digits behind \\u" },
	{ "\"\\u0000\"", "invalid_json", "line 1, column 2: \\u0000 is not allowed" },
	{ "{\"\\u0000\":1}", "invalid_json", "line 1, column 3: \\u0000 is not allowed" },
	{ "\"\\ud800\"", "invalid_json", "line 1, column 8: expected both halves of a surrogate pair" },
	{ "\"\\udc00\"", "invalid_json", "line 1, column 8: expected both halves of a surrogate pair" },
	{ "\"\\ud800\\u0041\"", "invalid_json",
	  "line 1, column 8: expected both halves of a surrogate pair" },
	{ "\"\xff\"", "invalid_utf8", "line 1, column 2: not UTF-8" },
	{ "9223372036854775808", "out_of_range", "line 1, column 1: the integer is too big" },
	{ "[-9223372036854775809]", "out_of_range", "line 1, column 2: the integer is too big" },
	{ "1e999", "out_of_range", "line 1, column 1: the number is too big" },
	{ "{\"a\":1,\"a\":2}", "duplicate_member", "line 1, column 8: the object has" },
	{ "[{\"a\":{\"b\":1,\"\\u0062\":2}}]", "duplicate_member", "line 1, column 14: the object has" },
	{ "\xef\xbb\xbf{}", "invalid_json",
	  "line 1, column 1: a byte order mark, which JSON does not begin with" },
};

static void texts_are_parsed_or_the_fault_is_placed(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
		json_t *v = NULL;
		struct drg_err err = { 0 };
		int rc = drg_json_parse(drg_str_c(texts[i].text), &v, &err);
		if ((rc == DRG_OK) != (texts[i].reason == NULL))
			fail_msg("%s: %s", texts[i].text, err.message);
		json_decref(v);
		if (rc == DRG_OK)
			continue;
		assert_null(v);
		assert_int_equal(rc, DRG_EINVAL);
		assert_string_equal(err.reason, texts[i].reason);
		if (strstr(err.message, texts[i].message) != err.message)
			fail_msg("%s: %s", texts[i].text, err.message);
	}
}

static void nesting_ends_at_32(void **state)
{
	(void)state;
	for (size_t levels = DRG_JSON_DEPTH - 1; levels <= DRG_JSON_DEPTH + 1; levels++) {
		char text[128] = "";
		json_t *v = NULL;
		struct drg_err err;
		memset(text, '[', levels);
		text[levels] = '1';
		memset(text + levels + 1, ']', levels);
		int rc = drg_json_parse(drg_str_c(text), &v, &err);
		assert_int_equal(rc, levels <= DRG_JSON_DEPTH ? DRG_OK : DRG_EINVAL);
		if (rc != DRG_OK)
			assert_string_equal(err.reason, "too_deep");
		json_decref(v);
	}
	/* Side by side is not deep, and brackets in strings are none. */
	json_t *v;
	assert_int_equal(
	        drg_json_parse(
	                DRG_STR("[[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],[],"
	                        "[],[],[],[],[],[],[],[],[],[],\"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[\"]"),
	                &v, NULL),
	        DRG_OK);
	json_decref(v);
}

/* Members "0", "1" ... as an object in an object; that many, and one of them once more at the end. */
static void write_members(struct drg_buf *b, unsigned n, long again)
{
	drg_buf_clear(b);
	drg_buf_lit(b, "{\"0\":{\"0\":1},\"o\":{");
	for (unsigned i = 0; i < n; i++)
		drg_buf_printf(b, i % 3 == 0 ? "%s\"\\u0030%u\":1" : "%s\"0%u\":{\"0%u\":1}",
		               i > 0 ? "," : "", i, i);
	if (again >= 0)
		drg_buf_printf(b, again % 2 == 0 ? ",\"\\u0030%ld\":2" : ",\"0%ld\":2", again);
	drg_buf_lit(b, "},\"x\":1}");
}

static void a_member_that_stands_twice_is_found_among_any_number(void **state)
{
	(void)state;
	static const unsigned counts[] = { 1, 2, 15, 16, 17, 63, 64, 65, 1000, 100000 };
	struct drg_buf text;
	drg_buf_init(&text, 16 << 20);
	for (size_t c = 0; c < sizeof counts / sizeof counts[0]; c++) {
		unsigned n = counts[c];
		const long again[] = { -1, 0, n / 2, n - 1 };
		for (size_t i = 0; i < sizeof again / sizeof again[0]; i++) {
			json_t *v = NULL;
			struct drg_err err = { 0 };
			write_members(&text, n, again[i]);
			int rc = drg_json_parse(drg_buf_view(&text), &v, &err);
			assert_int_equal(rc, again[i] < 0 ? DRG_OK : DRG_EINVAL);
			if (rc != DRG_OK)
				assert_string_equal(err.reason, "duplicate_member");
			json_decref(v);
		}
	}
	drg_buf_done(&text);
}

static const struct {
	const char *text, *words;
} descriptions[] = {
	{ "{\"a\":1}", "an object" },
	{ "[]", "an array" },
	{ "\"abc\"", "the text \"abc\"" },
	{ "\"\"", "an empty text" },
	{ "\"a\\u001b\\\"\"", "the text \"a\\u001b\\\"\"" },
	{ "12", "the number 12" },
	{ "12.0", "the number 12.0" },
	{ "-0.5", "the number -0.5" },
	{ "1e30", "the number 1e+30" },
	{ "true", "true" },
	{ "false", "false" },
	{ "null", "null" },
};

static void values_are_described(void **state)
{
	(void)state;
	char buf[512];
	for (size_t i = 0; i < sizeof descriptions / sizeof descriptions[0]; i++) {
		struct drg_arena a;
		struct drg_json_item v;
		drg_arena_init(&a, 4096);
		assert_int_equal(drg_json_scan(drg_str_c(descriptions[i].text), &a, &v, NULL), DRG_OK);
		assert_string_equal(drg_json_item_describe(&v, buf, sizeof buf), descriptions[i].words);
		drg_arena_done(&a);
	}
}

static void long_texts_are_cut_between_characters(void **state)
{
	(void)state;
	char text[256] = "a", buf[512];
	for (int i = 0; i < 50; i++)
		strcat(text, "ї");
	const struct drg_json_item v = { .type = DRG_JSON_STRING, .s = drg_str_c(text) };
	drg_json_item_describe(&v, buf, sizeof buf);
	assert_string_equal(buf + strlen(buf) - 6, "ї...\"");
	assert_string_equal(drg_json_item_describe(&v, buf, 10), "the text ");
}

static const struct {
	const char *object, *name, *raw;
} members[] = {
	{ "{\"data\":{\"lat\":49.0128}}", "data", "{\"lat\":49.0128}" },
	{ " { \"a\" : 1.50 , \"data\" : [ 1 , {\"data\":2} ] } ", "data", "[ 1 , {\"data\":2} ]" },
	{ "{\"a\":\"}\\\",\",\"data\":\"\\u0041\"}", "data", "\"\\u0041\"" },
	{ "{\"d\\u0061ta\":1.10}", "data", "1.10" },
	{ "{\"a\":{\"data\":1}}", "data", "" },
	{ "{\"a\":true,\"b\":null,\"c\":-1e5}", "c", "-1e5" },
	{ "{}", "data", "" },
};

static void a_member_is_found_byte_for_byte(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof members / sizeof members[0]; i++) {
		struct drg_str raw;
		assert_int_equal(
		        drg_json_member_raw(drg_str_c(members[i].object), drg_str_c(members[i].name), &raw),
		        DRG_OK);
		assert_int_equal(raw.n, strlen(members[i].raw));
		assert_memory_equal(raw.p != NULL ? raw.p : "", members[i].raw, raw.n);
	}
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static const char *text_of(struct drg_buf *b)
{
	drg_buf_char(b, '\0');
	assert_int_equal(b->rc, DRG_OK);
	return b->p;
}

static void only_what_must_be_is_escaped(void **state)
{
	(void)state;
	static const struct {
		const char *text, *escaped;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "a\"b\\c", "a\\\"b\\\\c" },
		{ "\b\f\n\r\t", "\\b\\f\\n\\r\\t" },
		{ "\x01\x1f", "\\u0001\\u001f" },
		{ "/\x7f<>&'", "/\x7f<>&'" },
		{ "Київ", "Київ" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_buf b;
		drg_buf_init(&b, 1024);
		drg_json_escape(&b, drg_str_c(cases[i].text));
		assert_string_equal(text_of(&b), cases[i].escaped);
		assert_int_equal(drg_json_needs_escape(drg_str_c(cases[i].text)),
		                 strcmp(cases[i].text, cases[i].escaped) != 0);
		drg_buf_done(&b);
	}
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	drg_json_escape(&b, drg_str("a\0b", 3));
	assert_string_equal(text_of(&b), "a\\u0000b");
	drg_buf_done(&b);
}

static void reals_are_short_and_exact(void **state)
{
	(void)state;
	static const struct {
		double d;
		const char *text;
	} cases[] = {
		{ 0, "0" },
		{ -0.0, "0" },
		{ 12, "12" },
		{ 36.8969, "36.8969" },
		{ -0.5, "-0.5" },
		{ 0.1, "0.1" },
		{ 1e30, "1e+30" },
		{ 49.0128, "49.0128" },
		{ 30.894722, "30.894722" },
		{ 1.0 / 3, "0.3333333333333333" },
		{ 0.1 + 0.2, "0.30000000000000004" },
		{ 5e-324, "4.94065645841247e-324" },
		{ 1.7976931348623157e308, "1.7976931348623157e+308" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_buf b;
		drg_buf_init(&b, 1024);
		drg_json_real(&b, cases[i].d);
		assert_string_equal(text_of(&b), cases[i].text);
		assert_true(strtod(b.p, NULL) == cases[i].d);
		drg_buf_done(&b);
	}
}

static void what_json_has_no_number_for_is_null(void **state)
{
	(void)state;
	static const double cases[] = { INFINITY, -INFINITY, NAN };
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_buf b;
		drg_buf_init(&b, 64);
		drg_json_real(&b, cases[i]);
		assert_string_equal(text_of(&b), "null");
		drg_buf_done(&b);
	}
}

/* What the C library gives with as few digits as read back. */
static void library_text(double d, char *text, size_t n)
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, n, "%.*g", digits, d);
		if (strtod(text, NULL) == d)
			return;
	}
}

static void reals_of_every_size_are_what_the_library_writes(void **state)
{
	(void)state;
	uint64_t random = 12345;
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	for (int i = 0; i < 300000; i++) {
		char want[40], decimal[40];
		random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
		/* A decimal of up to 9 digits before and behind the point, or one step beside it. */
		snprintf(decimal, sizeof decimal, "%s%d.%0*d", random >> 63 ? "-" : "",
		         (int)(random >> 40 & 0xfffff) >> (random >> 60 & 15), (int)(random >> 20 & 7) + 1,
		         (int)(random >> 8 & 0xfff));
		double d = strtod(decimal, NULL);
		uint64_t bits;
		memcpy(&bits, &d, sizeof bits);
		bits += i % 3 == 0 && d != 0;
		memcpy(&d, &bits, sizeof d);
		drg_buf_clear(&b);
		drg_json_real(&b, d);
		library_text(d + 0.0, want, sizeof want);
		assert_string_equal(text_of(&b), want);
	}
	drg_buf_done(&b);
}

static void any_value_is_written_compact(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "{ \"b\" : [ ] , \"a\" : { } }", "{\"b\":[],\"a\":{}}" },
		{ "[1,-2.50,\"x\\n\",true,false,null,[[]]]", "[1,-2.5,\"x\\n\",true,false,null,[[]]]" },
		{ "{\"\\\"\":\"\\u0416\"}", "{\"\\\"\":\"Ж\"}" },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		json_t *v;
		struct drg_buf b;
		drg_buf_init(&b, 1024);
		assert_int_equal(drg_json_parse(drg_str_c(cases[i][0]), &v, NULL), DRG_OK);
		drg_json_value(&b, v);
		assert_string_equal(text_of(&b), cases[i][1]);
		json_decref(v);
		drg_buf_done(&b);
	}
}

static void the_writer_sets_commas(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 1024);
	struct drg_jw w = { .b = &b };
	drg_jw_object(&w);
	drg_jw_key(&w, "a");
	drg_jw_array(&w);
	drg_jw_i64(&w, INT64_MIN);
	drg_jw_escaped(&w, DRG_STR("-44"));
	drg_jw_array(&w);
	drg_jw_array_end(&w);
	drg_jw_str(&w, DRG_STR("\""));
	drg_jw_escaped(&w, DRG_STR("\\n"));
	drg_jw_array_end(&w);
	drg_jw_key_str(&w, DRG_STR("\t"));
	drg_jw_real(&w, 0.5);
	drg_jw_key_escaped(&w, DRG_STR("\\t\\t"));
	drg_jw_bool(&w, true);
	drg_jw_key(&w, "o");
	drg_jw_object(&w);
	drg_jw_object_end(&w);
	drg_jw_key(&w, "n");
	drg_jw_null(&w);
	drg_jw_key(&w, "r");
	drg_jw_raw(&w, DRG_STR("[1, 2]"));
	drg_jw_member_str_or_null(&w, "s", DRG_STR("x"));
	drg_jw_member_str_or_null(&w, "s0", DRG_STR(""));
	drg_jw_member_i64_or_null(&w, "i", true, 7);
	drg_jw_member_i64_or_null(&w, "i0", false, 7);
	drg_jw_member_real(&w, "d0", NAN);
	drg_jw_object_end(&w);
	assert_string_equal(text_of(&b),
	                    "{\"a\":[-9223372036854775808,\"-44\",[],\"\\\"\",\"\\n\"],\"\\t\":0.5,"
	                    "\"\\t\\t\":true,\"o\":{},\"n\":null,\"r\":[1, 2],"
	                    "\"s\":\"x\",\"s0\":null,\"i\":7,\"i0\":null,\"d0\":null}");
	drg_buf_done(&b);
}

static void errors_of_the_buffer_stick(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 8);
	struct drg_jw w = { .b = &b };
	drg_jw_str(&w, DRG_STR("longer than eight"));
	drg_jw_null(&w);
	assert_int_equal(b.rc, DRG_ELIMIT);
	assert_true(b.n <= 8);
	drg_buf_done(&b);
}

GROUP(json)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_are_parsed_or_the_fault_is_placed),
		cmocka_unit_test(nesting_ends_at_32),
		cmocka_unit_test(a_member_that_stands_twice_is_found_among_any_number),
		cmocka_unit_test(values_are_described),
		cmocka_unit_test(long_texts_are_cut_between_characters),
		cmocka_unit_test(a_member_is_found_byte_for_byte),
		cmocka_unit_test(only_what_must_be_is_escaped),
		cmocka_unit_test(reals_are_short_and_exact),
		cmocka_unit_test(what_json_has_no_number_for_is_null),
		cmocka_unit_test(reals_of_every_size_are_what_the_library_writes),
		cmocka_unit_test(any_value_is_written_compact),
		cmocka_unit_test(the_writer_sets_commas),
		cmocka_unit_test(errors_of_the_buffer_stick),
	};
	return cmocka_run_group_tests_name("text/json", tests, NULL, NULL);
}
