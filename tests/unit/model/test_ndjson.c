#include "texts.h"

#include <stdio.h>

#include "model/ndjson.h"
#include "text/json.h"

static int read_line(struct fixture *f, const char *line, struct drg_record *ret)
{
	return drg_ndjson_read(drg_str_c(line), &f->arena, ret, &f->err);
}

/* The line that the record of @p line is written as. */
static const char *canonical(struct fixture *f, const char *line)
{
	struct drg_record r;
	int rc = read_line(f, line, &r);
	if (rc != DRG_OK)
		return f->err.message;
	drg_buf_clear(&f->out);
	drg_ndjson_write(&r, &f->out);
	drg_buf_char(&f->out, '\0');
	assert_int_equal(f->out.p[f->out.n - 2], '\n');
	f->out.p[f->out.n - 2] = '\0';
	return f->out.p;
}

static void every_line_of_the_fixture_goes_round(void **state)
{
	struct fixture *f = *state;
	char path[512], line[8192], first[8192];
	FILE *file = fopen(fixture("mini.ndjson", path, sizeof path), "r");
	assert_non_null(file);
	unsigned lines = 0;
	while (fgets(line, sizeof line, file) != NULL) {
		struct drg_record a, b;
		line[strcspn(line, "\n")] = '\0';
		if (read_line(f, line, &a) != DRG_OK)
			fail_msg("%s: %s: %s", line, f->err.field, f->err.message);
		snprintf(first, sizeof first, "%s", canonical(f, line));
		assert_int_equal(read_line(f, first, &b), DRG_OK);
		assert_true(drg_record_eq(&a, &b));
		assert_string_equal(canonical(f, first), first);
		lines++;
	}
	fclose(file);
	assert_int_equal(lines, 57);
}

/* A small generator with a seed: a failure can be repeated. */
static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

/* Up to three times: one byte exchanged by one that stands elsewhere in the line, or cut out. */
static size_t mutate(char *line, size_t n, uint32_t *seed)
{
	for (uint32_t times = 1 + next_random(seed) % 3; times > 0 && n > 1; times--) {
		size_t at = next_random(seed) % n;
		if (next_random(seed) % 4 > 0)
			line[at] = line[next_random(seed) % n];
		else
			memmove(line + at, line + at + 1, --n - at);
	}
	return n;
}

/* Returns whether it was accepted. */
static bool goes_round(struct fixture *f, struct drg_str line)
{
	struct drg_record a, b, c;
	struct drg_buf packed;
	drg_arena_reset(&f->arena);
	if (drg_ndjson_read(line, &f->arena, &a, &f->err) != DRG_OK)
		return false;
	drg_buf_clear(&f->out);
	drg_ndjson_write(&a, &f->out);
	if (drg_ndjson_read(drg_str(f->out.p, f->out.n - 1), &f->arena, &b, &f->err) != DRG_OK)
		fail_msg("%.*s: %s: %s", DRG_STR_ARG(line), f->err.field, f->err.message);
	assert_true(drg_record_eq(&a, &b));
	drg_buf_init(&packed, 1 << 20);
	drg_record_pack(&a, &packed);
	assert_int_equal(drg_record_unpack(packed.p, packed.n, &c), packed.n);
	assert_true(drg_record_eq(&a, &c));
	drg_buf_done(&packed);
	return true;
}

static void whatever_is_accepted_goes_round(void **state)
{
	struct fixture *f = *state;
	char path[512], line[8192];
	uint32_t seed = 20261120;
	unsigned accepted = 0, refused = 0;
	FILE *file = fopen(fixture("mini.ndjson", path, sizeof path), "r");
	assert_non_null(file);
	while (fgets(line, sizeof line, file) != NULL) {
		size_t n = strcspn(line, "\n");
		for (int i = 0; i < 400; i++) {
			/* On the heap and exact: a sanitizer sees a step behind its end. */
			char *copy = malloc(n);
			memcpy(copy, line, n);
			if (goes_round(f, drg_str(copy, mutate(copy, n, &seed))))
				accepted++;
			else
				refused++;
			free(copy);
		}
	}
	fclose(file);
	assert_true(accepted > 1000 && refused > 1000);
}

#define CITY "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":\"A\",\"country_id\":2"
#define HOTEL "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1\",\"name\":\"A\""
#define EVENT "{\"type\":\"mapping_event\",\"adapter_id\":7,\"kind\":\"city\",\"id\":\"1\","

/* What is accepted, and the canonical line that it means. */
static const struct {
	const char *name, *line, *canonical; /* canonical NULL: the line itself */
} good[] = {
	{ "any order of members", "{\"name\":\"A\",\"id\":1,\"kind\":\"meal\",\"type\":\"dict\"}",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"A\"}" },
	{ "space",
	  " { \"type\" : \"direction\" , \"adapter_id\" : 7 , \"dep_city_id\" : -1 , \"country_id\" : 2 } ",
	  "{\"type\":\"direction\",\"adapter_id\":7,\"dep_city_id\":-1,\"country_id\":2}" },
	{ "only en is a plain text",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"EN\":\"A \\\"b\\\"\"}}",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":\"A \\\"b\\\"\"}" },
	{ "only uk is an object", "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"uk\":\"Є\"}}",
	  NULL },
	{ "languages are sorted",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"uk\":\"Є\",\"en\":\"A\",\"De-at\":\"B\"}"
	  "}",
	  "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"de-at\":\"B\",\"en\":\"A\",\"uk\":\"Є\"}"
	  "}" },
	{ "defaults are left out", CITY ",\"is_resort\":false}", CITY "}" },
	{ "other than default stays", CITY ",\"is_resort\":true}", NULL },
	{ "default language", HOTEL ",\"lang\":\"EN\"}", HOTEL "}" },
	{ "another language", HOTEL ",\"lang\":\"UK-ua\"}", HOTEL ",\"lang\":\"uk-ua\"}" },
	{ "with an underscore", HOTEL ",\"lang\":\"UK_ua\"}", HOTEL ",\"lang\":\"uk-ua\"}" },
	{ "default stage",
	  "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\",\"stage\":"
	  "\"live\"}",
	  "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}" },
	{ "null is absent", CITY ",\"lat\":null,\"is_resort\":null}", CITY "}" },
	{ "but for the mapping", HOTEL ",\"dict_id\":null}", NULL },
	{ "whole degrees", CITY ",\"lat\":36.0,\"lng\":-180}", CITY ",\"lat\":36,\"lng\":-180}" },
	{ "minus zero", CITY ",\"lat\":-0.0,\"lng\":-0}", CITY ",\"lat\":0,\"lng\":0}" },
	{ "ids at the ends of int64",
	  "{\"type\":\"redirect\",\"kind\":\"city\",\"id\":-9223372036854775808,\"to\":9223372036854775807}",
	  NULL },
	{ "a source id as integer",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":-12,\"name\":\"A\"}",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"-12\",\"name\":\"A\"}" },
	{ "a source id of zeros",
	  "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"007\",\"name\":\"A\"}", NULL },
	{ "codes in upper case",
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"tr\"}",
	  "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"TR\"}" },
	{ "tab and newline in a text", HOTEL ",\"address\":\"a\\tb\\nc\"}", NULL },
	{ "escapes are undone", HOTEL ",\"address\":\"\\u0416\\/\"}", HOTEL ",\"address\":\"Ж/\"}" },
	{ "deleted", "{\"type\":\"dict\",\"kind\":\"city\",\"deleted\":true,\"id\":1}",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"deleted\":true}" },
	{ "deleted with fields, which do not count",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"name\":[],\"lat\":999,\"deleted\":true}",
	  "{\"type\":\"dict\",\"kind\":\"city\",\"id\":1,\"deleted\":true}" },
	{ "not deleted", CITY ",\"deleted\":false}", CITY "}" },
	{ "a time", EVENT "\"at\":\"2026-11-20T22:30:00+02:00\",\"to\":5,\"by\":\"anna\"}",
	  EVENT "\"at\":\"2026-11-20T20:30:00.000Z\",\"to\":5,\"by\":\"anna\"}" },
	{ "data byte for byte",
	  "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2,\"data\":{ \"lat\" : 49.0128,\"z\":1.0 "
	  ",\"a\":\"\\u0416\"} }",
	  "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2,\"data\":{ \"lat\" : 49.0128,\"z\":1.0 "
	  ",\"a\":\"\\u0416\"}}" },
};

static void good_lines_have_one_canonical_form(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		const char *want = good[i].canonical != NULL ? good[i].canonical : good[i].line;
		const char *got = canonical(f, good[i].line);
		if (strcmp(got, want) != 0)
			fail_msg("%s: %s", good[i].name, got);
		assert_string_equal(canonical(f, want), want);
	}
}

/* What is refused: reason, field, and how the message ends. */
static const struct {
	const char *line, *reason, *field, *message;
} bad[] = {
	{ "", "invalid_json", "", "column 1: the text ends too early" },
	{ "{\"type\":\"dict\",", "invalid_json", "", "column 16: the text ends too early" },
	{ "{\"type\":\"dict\"\xff}", "invalid_utf8", "", "column 15: not UTF-8" },
	{ "[1]", "wrong_type", "", "expected an object, found an array" },
	{ "\"dict\"", "wrong_type", "", "expected an object, found the text \"dict\"" },
	{ "{}", "missing_field", "type", "found nothing" },
	{ "{\"type\":null}", "wrong_type", "type", "found null" },
	{ "{\"type\":7}", "wrong_type", "type", "found the number 7" },
	{ "{\"type\":\"hotel\"}", "unknown_type", "type", "found the text \"hotel\"" },
	{ "{\"type\":\"api_key\",\"id\":1}", "unknown_type", "type",
	  "mapping_event, profile, not_same, dict_event, found the text \"api_key\"" },
	{ "{\"type\":\"dict\",\"type\":\"dict\"}", "duplicate_member", "type", "found two" },
	{ "{\"type\":\"dict\",\"id\":1}", "missing_field", "kind", "found nothing" },
	{ "{\"type\":\"dict\",\"kind\":null}", "missing_field", "kind", "found null" },
	{ "{\"type\":\"dict\",\"kind\":\"planet\"}", "unknown_kind", "kind", "found the text \"planet\"" },
	{ "{\"type\":\"source\",\"kind\":\"hotel_type\"}", "unknown_kind", "kind",
	  "expected one of country, dep_city, currency, city, meal, hotel_category, hotel, found the text "
	  "\"hotel_type\"" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"kind\":\"meal\"}", "duplicate_member", "kind",
	  "found two" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"name\":\"A\"}", "missing_field", "id",
	  "expected an integer, found nothing" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":null,\"name\":\"A\"}", "missing_field", "id",
	  "found null" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1}", "missing_field", "name", "found nothing" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":12.0,\"name\":\"A\"}", "wrong_type", "id",
	  "expected an integer, found the number 12.0" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":\"12\",\"name\":\"A\"}", "wrong_type", "id",
	  "expected an integer, found the text \"12\"" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":9223372036854775808}", "out_of_range", "id",
	  "expected an integer, found the number 9223372036854775808, which is beyond 64 bits" },
	{ "{\"type\":\"direction\",\"adapter_id\":0,\"dep_city_id\":1,\"country_id\":1}", "out_of_range",
	  "adapter_id", "expected an integer from 1 to 2147483647, found the number 0" },
	{ "{\"type\":\"direction\",\"adapter_id\":2147483648,\"dep_city_id\":1,\"country_id\":1}",
	  "out_of_range", "adapter_id", "found the number 2147483648" },
	{ CITY ",\"nmae\":\"B\"}", "unknown_field", "nmae",
	  "expected a member of dict city (kind, id, name, country_id, is_resort, lat, lng, deleted), found "
	  "an unknown one" },
	{ CITY ",\"zip\":\"B\"}", "unknown_field", "zip", "found an unknown one" },
	{ CITY ",\"deleted\":true,\"nmae\":1}", "unknown_field", "nmae", "found an unknown one" },
	{ CITY ",\"country_id\":3}", "duplicate_member", "country_id", "found two" },
	{ CITY ",\"lat\":null,\"lat\":1}", "duplicate_member", "lat", "found two" },
	{ CITY ",\"deleted\":1}", "wrong_type", "deleted", "expected true or false, found the number 1" },
	{ CITY ",\"deleted\":false,\"deleted\":false}", "duplicate_member", "deleted", "found two" },
	{ CITY ",\"is_resort\":1}", "wrong_type", "is_resort", "expected true or false, found the number 1" },
	{ CITY ",\"lat\":90.000001}", "out_of_range", "lat",
	  "expected a number from -90 to 90, found the number 90.000001" },
	{ CITY ",\"lng\":-180.5}", "out_of_range", "lng", "found the number -180.5" },
	{ CITY ",\"lat\":\"1\"}", "wrong_type", "lat", "found the text \"1\"" },
	{ HOTEL ",\"address\":\"\"}", "empty_text", "address", "found an empty text" },
	{ HOTEL ",\"address\":\" \\u00a0\\t\"}", "empty_text", "address", "found only white space" },
	{ HOTEL ",\"address\":\"a\\u0007\"}", "control_character", "address", "found a control character" },
	{ HOTEL ",\"address\":\"a\\u0085\"}", "control_character", "address", "found a control character" },
	{ HOTEL ",\"address\":[]}", "wrong_type", "address",
	  "expected a text of 1 to 1024 characters, found an array" },
	{ HOTEL ",\"lang\":\"en GB\"}", "invalid_format", "lang",
	  "expected a language tag such as uk or pt-br, found the text \"en GB\"" },
	{ HOTEL ",\"category_id\":1.5}", "wrong_type", "category_id",
	  "expected a text of 1 to 64 characters, or an integer, found the number 1.5" },
	{ "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"currency\",\"id\":1,\"name\":\"A\",\"iso_code\":"
	  "\"\"}",
	  "empty_text", "iso_code", "found an empty text" },
	{ "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"currency\",\"id\":1,\"name\":\"A\",\"iso_code\":"
	  "\"EU\"}",
	  "too_short", "iso_code", "expected a text of 3 characters, found 2 characters" },
	{ "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"TRY\"}",
	  "invalid_format", "iso_alpha_2", "expected 2 letters or digits, found the text \"TRY\"" },
	{ "{\"type\":\"dict\",\"kind\":\"country\",\"id\":1,\"name\":\"A\",\"iso_alpha_2\":\"Є\"}",
	  "invalid_format", "iso_alpha_2", "found the text \"Є\"" },
	{ "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"sea\"}", "unknown_value",
	  "domain", "expected one of tour, air, found the text \"sea\"" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{}}", "empty_text", "name",
	  "found an empty object" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"en\":\"A\",\"EN\":\"B\"}}",
	  "duplicate_member", "name", "found one language twice" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"en GB\":\"A\"}}", "invalid_format",
	  "name", "found the text \"en GB\"" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"en\":null}}", "wrong_type", "name.en",
	  "found null" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"uk\":\" \"}}", "empty_text", "name.uk",
	  "found only white space" },
	{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":7}", "wrong_type", "name",
	  "expected a text of 1 to 1024 characters, or an object of such texts by language, found the number "
	  "7" },
	{ EVENT "\"at\":\"yesterday\"}", "invalid_format", "at",
	  "expected a time such as 2026-11-20T22:30:00Z, found the text \"yesterday\"" },
	{ "{\"type\":\"hotel_content\",\"adapter_id\":1,\"hotel_id\":\"1\",\"check_in\":\"14:00\"}",
	  "invalid_format", "check_in", "expected a time of the day as HH:MM:SS, found the text \"14:00\"" },
	{ "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2,\"data\":[]}", "wrong_type", "data",
	  "expected an object, found an array" },
	{ "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2}", "missing_field", "data",
	  "expected an object, found nothing" },
	{ "{\"type\":\"air_source\",\"adapter_id\":1,\"source_id\":2,\"data\":{\"a\":1,\"a\":2}}",
	  "duplicate_member", "data", "" },
};

static void bad_lines_say_what_is_wrong(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		struct drg_record r = { .has = 42 };
		if (read_line(f, bad[i].line, &r) != DRG_EINVAL)
			fail_msg("accepted: %s", bad[i].line);
		assert_int_equal(r.has, 42);
		size_t n = strlen(f->err.message), end = strlen(bad[i].message);
		if (strcmp(f->err.reason, bad[i].reason) != 0 || strcmp(f->err.field, bad[i].field) != 0 ||
		    n < end || strcmp(f->err.message + n - end, bad[i].message) != 0)
			fail_msg("%s: %s: %s: %s", bad[i].line, f->err.reason, f->err.field, f->err.message);
		assert_int_equal(drg_ndjson_read(drg_str_c(bad[i].line), &f->arena, &r, NULL), DRG_EINVAL);
	}
}

/* A line with `count` times `part` as the value of a member. */
static int read_repeated(struct fixture *f, const char *start, const char *part, size_t count,
                         const char *end)
{
	struct drg_buf b;
	struct drg_record r;
	drg_buf_init(&b, 1 << 20);
	drg_buf_printf(&b, "%s", start);
	for (size_t i = 0; i < count; i++)
		drg_buf_printf(&b, "%s", part);
	drg_buf_printf(&b, "%s", end);
	int rc = drg_ndjson_read(drg_buf_view(&b), &f->arena, &r, &f->err);
	drg_buf_done(&b);
	return rc;
}

static void lengths_count_characters(void **state)
{
	struct fixture *f = *state;
	static const struct {
		const char *start, *end;
		size_t max;
	} cases[] = {
		{ HOTEL ",\"address\":\"", "\"}", 1024 },
		{ HOTEL ",\"zip\":\"", "\"}", 32 },
		{ HOTEL ",\"city_id\":\"", "\"}", 64 },
		{ "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"name\":\"A\",\"id\":\"", "\"}",
		  64 },
		{ "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"uk\":\"", "\"}}", 1024 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		static const char *const letters[] = { "a", "ї", "\xf0\x9f\x8f\x96" };
		for (size_t k = 0; k < 3; k++) {
			size_t max = cases[i].max;
			assert_int_equal(read_repeated(f, cases[i].start, letters[k], max, cases[i].end),
			                 DRG_OK);
			assert_int_equal(read_repeated(f, cases[i].start, letters[k], max + 1, cases[i].end),
			                 DRG_EINVAL);
			assert_string_equal(f->err.reason, "too_long");
		}
	}
}

static void floods_of_members_are_refused(void **state)
{
	struct fixture *f = *state;
	assert_int_equal(read_repeated(f, "{\"type\":\"dict\"", ",\"a\":1", 1000, "}"), DRG_EINVAL);
	assert_string_equal(f->err.reason, "too_many_members");
	char long_name[300];
	memset(long_name, 'n', sizeof long_name);
	long_name[299] = '\0';
	char line[400];
	snprintf(line, sizeof line, "{\"type\":\"redirect\",\"kind\":\"city\",\"%s\":1}", long_name);
	struct drg_record r;
	assert_int_equal(read_line(f, line, &r), DRG_EINVAL);
	assert_int_equal(strlen(f->err.field), 64);
}

static void control_characters_never_reach_a_message(void **state)
{
	struct fixture *f = *state;
	struct drg_record r;
	assert_int_equal(read_line(f, "{\"type\":\"\\u001b[2J\"}", &r), DRG_EINVAL);
	assert_null(strchr(f->err.message, '\x1b'));
	assert_int_equal(read_line(f, CITY ",\"\\u001b[2J\":1}", &r), DRG_EINVAL);
	assert_string_equal(f->err.field, "\\u001b[2J");
	assert_int_equal(
	        read_line(f, "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":1,\"name\":{\"\\u001b\":1}}", &r),
	        DRG_EINVAL);
	assert_null(strchr(f->err.field, '\x1b'));
}

static void defaults_are_stored(void **state)
{
	struct fixture *f = *state;
	struct drg_record r;
	assert_int_equal(read_line(f, HOTEL "}", &r), DRG_OK);
	assert_true(drg_str_eq(drg_record_s(&r, DRG_F_LANG), DRG_STR("en")));
	assert_false(drg_record_has(&r, DRG_F_IS_RESORT)); /* a city's */
	assert_int_equal(read_line(f, CITY "}", &r), DRG_OK);
	assert_true(drg_record_has(&r, DRG_F_IS_RESORT));
	assert_int_equal(drg_record_i(&r, DRG_F_IS_RESORT, 1), 0);
	assert_int_equal(read_line(f, CITY ",\"deleted\":true}", &r), DRG_OK);
	assert_false(drg_record_has(&r, DRG_F_IS_RESORT));
	assert_false(drg_record_has(&r, DRG_F_NAMES));
}

static void null_and_absent_mapping_differ(void **state)
{
	struct fixture *f = *state;
	struct drg_record r;
	assert_int_equal(read_line(f, HOTEL ",\"dict_id\":null}", &r), DRG_OK);
	assert_int_equal(r.nulls, UINT64_C(1) << DRG_F_DICT_ID);
	assert_int_equal(read_line(f, HOTEL "}", &r), DRG_OK);
	assert_int_equal(r.nulls, 0);
	assert_int_equal(read_line(f, HOTEL ",\"dict_id\":0}", &r), DRG_OK);
	assert_int_equal(r.nulls, 0);
	assert_true(drg_record_has(&r, DRG_F_DICT_ID));
}

static void a_full_arena_is_not_the_lines_fault(void **state)
{
	struct fixture *f = *state;
	struct drg_record r;
	drg_arena_done(&f->arena);
	drg_arena_init(&f->arena, 0);
	assert_int_equal(read_line(f, HOTEL ",\"address\":\"a\\nb\"}", &r), DRG_ENOMEM);
	assert_int_equal(read_line(f, CITY "}", &r), DRG_ENOMEM);
}

/* ---- references ---------------------------------------------------------------------------------------- */

static void note_ref(void *ctx, int ref, int64_t id, struct drg_str text, const char *field)
{
	drg_buf_printf(ctx, "%s %d %lld %.*s;", field, ref, (long long)id, DRG_STR_ARG(text));
}

static const struct {
	const char *line, *refs;
} refs[] = {
	{ "{\"type\":\"adapter\",\"id\":1,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}", "" },
	{ "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":1,\"name\":\"A\",\"country_id\":2,\"city_id\":-3,"
	  "\"hotel_category_id\":4}",
	  "country_id 0 2 ;city_id 3 -3 ;hotel_category_id 5 4 ;" },
	{ HOTEL ",\"dict_id\":55,\"country_id\":\"90\"}", "adapter_id -3 7 ;dict_id 6 55 ;" },
	{ HOTEL ",\"dict_id\":null}", "adapter_id -3 7 ;" },
	{ "{\"type\":\"direction\",\"adapter_id\":7,\"dep_city_id\":1,\"country_id\":2}",
	  "adapter_id -3 7 ;dep_city_id 1 1 ;country_id 0 2 ;" },
	{ "{\"type\":\"redirect\",\"kind\":\"city\",\"id\":1,\"to\":2}", "to 3 2 ;" },
	{ "{\"type\":\"air_map\",\"adapter_id\":7,\"external_id\":\"x\",\"source_id\":2}",
	  "adapter_id -3 7 ;source_id -4 2 ;" },
	{ EVENT "\"at\":\"2026-11-20T22:30:00Z\",\"from\":1,\"to\":2}", "adapter_id -3 7 ;" },
	{ HOTEL ",\"dict_id\":55,\"deleted\":true}", "" },
	{ "{\"type\":\"hotel_content\",\"adapter_id\":7,\"hotel_id\":\"1001\",\"descriptions\":[{\"type_id\":"
	  "1,\"text\":\"A\"},{\"text\":\"B\"}],"
	  "\"facilities\":[{\"group_id\":2,\"items\":[{\"type_id\":3},{\"type_id\":null}]},{\"items\":[{"
	  "\"type_id\":-4}]}]}",
	  "adapter_id -3 7 ;hotel_id -5 7 1001;descriptions[0].type_id 8 1 ;facilities[0].group_id 9 2 ;"
	  "facilities[0].items[0].type_id 10 3 ;facilities[1].items[0].type_id 10 -4 ;" },
};

static void references_are_reported(void **state)
{
	struct fixture *f = *state;
	for (size_t i = 0; i < sizeof refs / sizeof refs[0]; i++) {
		struct drg_record r;
		assert_int_equal(read_line(f, refs[i].line, &r), DRG_OK);
		drg_buf_clear(&f->out);
		assert_int_equal(drg_record_refs(&r, note_ref, &f->out), DRG_OK);
		drg_buf_char(&f->out, '\0');
		assert_string_equal(f->out.p, refs[i].refs);
	}
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(ndjson)
{
	const struct CMUnitTest tests[] = {
		TEST(every_line_of_the_fixture_goes_round),
		TEST(whatever_is_accepted_goes_round),
		TEST(good_lines_have_one_canonical_form),
		TEST(bad_lines_say_what_is_wrong),
		TEST(lengths_count_characters),
		TEST(floods_of_members_are_refused),
		TEST(control_characters_never_reach_a_message),
		TEST(defaults_are_stored),
		TEST(null_and_absent_mapping_differ),
		TEST(a_full_arena_is_not_the_lines_fault),
		TEST(references_are_reported),
	};
	return cmocka_run_group_tests_name("model/ndjson", tests, NULL, NULL);
}
