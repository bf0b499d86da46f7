#include "../unit.h"

#include <stdio.h>

#include "text/json.h"
#include "text/json_scan.h"

static struct drg_arena arena;

static int set_up(void **state)
{
	(void)state;
	drg_arena_init(&arena, 1 << 20);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_arena_done(&arena);
	return 0;
}

/* What a walk over the whole text sees, written compact. */
static void write_item(struct drg_jw *w, const struct drg_json_item *v)
{
	struct drg_json_walk walk;
	struct drg_str name;
	struct drg_json_item child;
	int rc;
	switch (v->type) {
	case DRG_JSON_NULL: drg_jw_null(w); return;
	case DRG_JSON_BOOL: drg_jw_bool(w, v->b); return;
	case DRG_JSON_INT: drg_jw_i64(w, v->i); return;
	case DRG_JSON_REAL: drg_jw_real(w, v->d); return;
	case DRG_JSON_BIG_INT: drg_jw_raw(w, v->s); return;
	case DRG_JSON_STRING: drg_jw_str(w, v->s); return;
	case DRG_JSON_OBJECT: drg_jw_object(w); break;
	case DRG_JSON_ARRAY: drg_jw_array(w); break;
	}
	drg_json_walk_init(&walk, v, &arena);
	while ((rc = drg_json_walk_next(&walk, &name, &child)) == DRG_OK) {
		if (v->type == DRG_JSON_OBJECT)
			drg_jw_key_str(w, name);
		write_item(w, &child);
	}
	assert_int_equal(rc, DRG_ENOENT);
	assert_int_equal(drg_json_walk_next(&walk, &name, &child), DRG_ENOENT);
	if (v->type == DRG_JSON_OBJECT)
		drg_jw_object_end(w);
	else
		drg_jw_array_end(w);
}

static int scan(struct drg_str text, struct drg_buf *out, struct drg_err *err)
{
	struct drg_json_item v;
	drg_arena_reset(&arena);
	drg_buf_clear(out);
	int rc = drg_json_scan(text, &arena, &v, err);
	if (rc == DRG_OK) {
		struct drg_jw w = { .b = out };
		write_item(&w, &v);
	}
	return rc;
}

static void a_walk_sees_everything(void **state)
{
	(void)state;
	static const char *const cases[][2] = {
		{ "12", "12" },
		{ " -12.50 ", "-12.5" },
		{ "\"a\\u0416\\n\\ud83c\\udfd6\\/\\\"\"", "\"aЖ\\n\xf0\x9f\x8f\x96/\\\"\"" },
		{ "null", "null" },
		{ "[]", "[]" },
		{ "{}", "{}" },
		{ " { } ", "{}" },
		{ " [ 1 , true,false ,null, \"\" ] ", "[1,true,false,null,\"\"]" },
		{ "{\"a\":{\"b\":[{\"c\":\"]}\\\"\"}]},\"\\u0064\":1e2}",
		  "{\"a\":{\"b\":[{\"c\":\"]}\\\"\"}]},\"d\":100}" },
		{ "{\"a\":1,\"a\":2}", "{\"a\":1,\"a\":2}" }, /* who walks looks out for duplicates */
	};
	struct drg_buf out;
	drg_buf_init(&out, 1 << 16);
	for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		assert_int_equal(scan(drg_str_c(cases[i][0]), &out, NULL), DRG_OK);
		assert_int_equal(out.n, strlen(cases[i][1]));
		assert_memory_equal(out.p, cases[i][1], out.n);
	}
	drg_buf_done(&out);
}

static void texts_without_escapes_are_borrowed(void **state)
{
	(void)state;
	static const char text[] = "\"Antalya\"";
	struct drg_json_item v;
	assert_int_equal(drg_json_scan(DRG_STR(text), &arena, &v, NULL), DRG_OK);
	assert_ptr_equal(v.s.p, text + 1);
	assert_int_equal(v.s.n, 7);
	/* A full arena fails only where it is needed. */
	struct drg_arena none;
	drg_arena_init(&none, 0);
	assert_int_equal(drg_json_scan(DRG_STR("\"abc\""), &none, &v, NULL), DRG_OK);
	assert_int_equal(drg_json_scan(DRG_STR("\"a\\n\""), &none, &v, NULL), DRG_ENOMEM);
	drg_arena_done(&none);
}

static void raw_is_byte_for_byte(void **state)
{
	(void)state;
	struct drg_json_item v, child;
	struct drg_json_walk w;
	struct drg_str name;
	assert_int_equal(drg_json_scan(DRG_STR("{\"a\": 1.50 ,\"b\":{ } }"), &arena, &v, NULL), DRG_OK);
	drg_json_walk_init(&w, &v, &arena);
	assert_int_equal(drg_json_walk_next(&w, &name, &child), DRG_OK);
	assert_true(drg_str_eq(w.raw, DRG_STR("1.50")));
	assert_int_equal(drg_json_walk_next(&w, &name, &child), DRG_OK);
	assert_true(drg_str_eq(w.raw, DRG_STR("{ }")));
}

/* A small generator with a seed: a failure can be repeated. */
static uint32_t next_random(uint32_t *seed)
{
	*seed ^= *seed << 13;
	*seed ^= *seed >> 17;
	*seed ^= *seed << 5;
	return *seed;
}

static size_t mutate(char *text, size_t n, size_t cap, uint32_t *seed)
{
	static const char bytes[] = "{}[]\",:\\u0ed8-+.eE123 \t\ntrfn/\xd0\x9f\x01";
	for (uint32_t times = 1 + next_random(seed) % 3; times > 0 && n > 0; times--) {
		size_t at = next_random(seed) % n;
		switch (next_random(seed) % 3) {
		case 0: text[at] = bytes[next_random(seed) % (sizeof bytes - 1)]; break;
		case 1:
			memmove(text + at, text + at + 1, n - at - 1);
			n--;
			break;
		default:
			if (n == cap)
				break;
			memmove(text + at + 1, text + at, n - at);
			text[at] = bytes[next_random(seed) % (sizeof bytes - 1)];
			n++;
		}
	}
	return n;
}

/* The grammar is ours, so it is held against jansson's: both accept the same texts and see the same values. */
static void jansson_agrees(void **state)
{
	(void)state;
	static const char *const seeds[] = {
		"{\"type\":\"x\",\"id\":-12,\"a\":\"a\\u0416\\\"b\",\"lat\":36.85e1,\"x\":[null,true,{}]}",
		"[\"\\ud83c\\udfd6\",0.5,-0,1E+2,{\"a\":{\"b\":\"\"}},false,9223372036854775807]",
		"{\"name\":{\"en\":\"Turkey\",\"uk\":\"Туреччина\"},\"is\":true}",
	};
	struct drg_buf ours, theirs;
	uint32_t seed = 20261120;
	unsigned accepted = 0;
	drg_buf_init(&ours, 1 << 16);
	drg_buf_init(&theirs, 1 << 16);
	for (unsigned i = 0; i < 60000; i++) {
		char text[256];
		const char *from = seeds[i % 3];
		size_t n = strlen(from);
		memcpy(text, from, n);
		n = mutate(text, n, sizeof text, &seed);
		/* An exact copy on the heap: a sanitizer sees a step behind its end. */
		char *exact = malloc(n);
		memcpy(exact, text, n);
		json_error_t e;
		json_t *v = json_loadb(exact, n, JSON_DECODE_ANY, &e);
		int rc = scan(drg_str(exact, n), &ours, NULL);
		/* Where jansson stops at a number that is too big, what follows is anybody's guess. */
		bool overflow = v == NULL && json_error_code(&e) == json_error_numeric_overflow;
		if (!overflow && (v != NULL) != (rc == DRG_OK))
			fail_msg("%.*s: %s", (int)n, exact, v != NULL ? "accepted by jansson" : e.text);
		/* jansson keeps one of two members with one name, which the scanner hands out both. */
		json_t *unique = json_loadb(exact, n, JSON_DECODE_ANY | JSON_REJECT_DUPLICATES, &e);
		struct drg_json_item item;
		bool taken = drg_json_scan_document(drg_str(exact, n), &arena, &item, NULL) == DRG_OK;
		if (unique != NULL || json_error_code(&e) != json_error_numeric_overflow)
			assert_int_equal(taken, unique != NULL);
		if (unique != NULL) {
			drg_buf_clear(&theirs);
			drg_json_value(&theirs, unique);
			assert_int_equal(ours.n, theirs.n);
			assert_memory_equal(ours.p, theirs.p, ours.n);
			accepted++;
		}
		json_decref(unique);
		json_decref(v);
		free(exact);
	}
	assert_true(accepted > 1000);
	drg_buf_done(&ours);
	drg_buf_done(&theirs);
}

static void numbers_of_any_size_are_left_to_their_reader(void **state)
{
	static const char *const big[] = { "9223372036854775808", "-9223372036854775809",
		                           "123456789012345678901234567890" };
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(big); i++) {
		struct drg_json_item item;
		char found[160];
		assert_int_equal(drg_json_scan(drg_str_c(big[i]), &arena, &item, NULL), DRG_OK);
		assert_int_equal(item.type, DRG_JSON_BIG_INT);
		assert_int_equal(drg_json_scan_document(drg_str_c(big[i]), &arena, &item, NULL), DRG_OK);
		assert_int_equal(item.type, DRG_JSON_BIG_INT);
		assert_true(drg_str_eq(item.s, drg_str_c(big[i])));
		assert_int_equal(drg_json_scan_small_numbers(drg_str_c(big[i]), &arena, &item, NULL),
		                 DRG_EINVAL);
		assert_non_null(strstr(drg_json_item_describe(&item, found, sizeof found), big[i]));
	}
	static const char *const huge[] = { "1e400", "-1E+400" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(huge); i++) {
		struct drg_json_item item;
		char found[160];
		assert_int_equal(drg_json_scan(drg_str_c(huge[i]), &arena, &item, NULL), DRG_OK);
		assert_int_equal(item.type, DRG_JSON_REAL);
		assert_string_equal(drg_json_item_describe(&item, found, sizeof found),
		                    "a number that is too big");
		assert_int_equal(drg_json_scan_small_numbers(drg_str_c(huge[i]), &arena, &item, NULL),
		                 DRG_EINVAL);
	}
}

static void members_are_found_by_name_and_missing_ones_are_null(void **state)
{
	static const char *const names[] = { "b", "none", "\xc3\xbc" };
	(void)state;
	struct drg_json_item v, in[3];
	assert_int_equal(drg_json_scan_small_numbers(DRG_STR("{\"a\":[{\"b\":1}],\"\\u00fc\":\"x\",\"b\":2}"),
	                                             &arena, &v, NULL),
	                 DRG_OK);
	assert_int_equal(drg_json_find_members(&v, &arena, names, 3, in), DRG_OK);
	assert_int_equal(in[0].type, DRG_JSON_INT);
	assert_int_equal(in[0].i, 2);
	assert_int_equal(in[1].type, DRG_JSON_NULL);
	assert_true(drg_str_eq(in[2].s, DRG_STR("x")));
	/* What is no object has no members. */
	assert_int_equal(drg_json_find_members(&in[2], &arena, names, 3, in), DRG_OK);
	assert_int_equal(in[0].type, DRG_JSON_NULL);
	/* A full arena fails only where it is needed. */
	struct drg_arena none;
	drg_arena_init(&none, 0);
	assert_int_equal(drg_json_find_members(&v, &none, names, 3, in), DRG_ENOMEM);
	drg_arena_done(&none);
}

static void items_are_those_of_an_array_or_the_value_itself(void **state)
{
	static const struct {
		const char *text;
		size_t n;
		int64_t last;
	} cases[] = {
		{ "[]", 0, 0 }, { "null", 0, 0 }, { "7", 1, 7 }, { "[ 1,[2],3 ]", 3, 3 }, { "[null,5]", 2, 5 }
	};
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_json_item v;
		const struct drg_json_item *items;
		size_t n;
		assert_int_equal(drg_json_scan(drg_str_c(cases[i].text), &arena, &v, NULL), DRG_OK);
		assert_int_equal(drg_json_items(&v, &arena, &items, &n), DRG_OK);
		assert_int_equal(n, cases[i].n);
		if (n > 0)
			assert_int_equal(items[n - 1].i, cases[i].last);
	}
}

GROUP(json_scan)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(numbers_of_any_size_are_left_to_their_reader),
		cmocka_unit_test(members_are_found_by_name_and_missing_ones_are_null),
		cmocka_unit_test(items_are_those_of_an_array_or_the_value_itself),
		cmocka_unit_test(a_walk_sees_everything),
		cmocka_unit_test(texts_without_escapes_are_borrowed),
		cmocka_unit_test(raw_is_byte_for_byte),
		cmocka_unit_test(jansson_agrees),
	};
	return cmocka_run_group_tests_name("text/json_scan", tests, set_up, tear_down);
}
