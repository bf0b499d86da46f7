/* The parts of the catalog on their own: heap, table, list, languages, small tables, quoted texts. */
#include "records.h"

#include "catalog/hash_priv.h"
#include "catalog/heap_priv.h"
#include "catalog/lang_priv.h"
#include "catalog/quoted_priv.h"
#include "catalog/small_priv.h"
#include "catalog/table_priv.h"
#include "catalog/vec_priv.h"

/* ---- heap ----------------------------------------------------------------------------------------------- */

static void heap_keeps_what_is_taken_only(void **state)
{
	(void)state;
	struct drg_heap h;
	assert_int_equal(drg_heap_init(&h, 1 << 20, NULL), DRG_OK);
	struct drg_buf b = drg_heap_top(&h);
	drg_buf_lit(&b, "forgotten");
	b = drg_heap_top(&h);
	drg_buf_lit(&b, "kept");
	drg_ref first = drg_heap_take(&h, b.n);
	assert_int_not_equal(first, DRG_NO_REF);
	b = drg_heap_top(&h);
	drg_buf_lit(&b, "also kept");
	drg_ref second = drg_heap_take(&h, b.n);
	assert_memory_equal(drg_heap_at(&h, first), "kept", 4);
	assert_memory_equal(drg_heap_at(&h, second), "also kept", 9);
	assert_int_equal(drg_heap_ref(&h, drg_heap_at(&h, second)), second);
	assert_int_equal((uintptr_t)drg_heap_at(&h, second) % 8, 0);
	drg_heap_done(&h);
}

static void heap_has_a_limit(void **state)
{
	(void)state;
	struct drg_heap h;
	struct drg_err err = { 0 };
	assert_int_equal(drg_heap_init(&h, 8192, NULL), DRG_OK);
	struct drg_buf b = drg_heap_top(&h);
	size_t room = b.max;
	assert_true(room > 4096 && room < 8192);
	assert_true(drg_buf_reserve(&b, room));
	assert_false(drg_buf_reserve(&b, room + 1));
	assert_int_equal(b.rc, DRG_ELIMIT);
	drg_heap_take(&h, room);
	struct drg_str copy = drg_str("untouched", 9);
	assert_int_equal(drg_heap_str(&h, DRG_STR("x"), &copy, &err), DRG_ELIMIT);
	assert_int_equal(err.code, DRG_ELIMIT);
	assert_str(copy, "untouched");
	drg_heap_done(&h);
}

/* ---- table ---------------------------------------------------------------------------------------------- */

enum { KEYS = 20000 };

static bool table_has(const struct drg_table *t, uint32_t tag, drg_ref ref)
{
	struct drg_probe at = drg_table_probe(t, tag);
	drg_ref got;
	while ((got = drg_probe_next(&at)) != DRG_NO_REF && got != ref)
		;
	return got == ref;
}

static void table_finds_all_while_it_grows(void **state)
{
	(void)state;
	struct drg_retire retire = { .n = 0 };
	struct drg_table t;
	assert_int_equal(drg_table_init(&t, &retire, NULL), DRG_OK);
	for (uint32_t i = 1; i <= KEYS; i++) {
		assert_int_equal(drg_table_reserve(&t, NULL), DRG_OK);
		drg_table_insert(&t, drg_tag(1, 0, &i, sizeof i), i);
	}
	for (uint32_t i = 1; i <= KEYS; i++)
		assert_true(table_has(&t, drg_tag(1, 0, &i, sizeof i), i));
	assert_false(table_has(&t, 12345, KEYS + 1));
	assert_true(drg_table_bytes(&t) >= KEYS * 8 * 4 / 3 && drg_table_bytes(&t) <= KEYS * 8 * 2 + 8192);
	size_t at = 0, n = 0;
	while (drg_table_next(&t, &at) != DRG_NO_REF)
		n++;
	assert_int_equal(n, KEYS);
	drg_retire_flush(&retire);
	drg_table_done(&t);
}

/* The last tags wrap around to the first slots. */
static void table_takes_many_with_one_tag(void **state)
{
	(void)state;
	static const uint32_t tags[] = { 0, 1, 0x7fffffff, 0xfffffffe, 0xffffffff };
	struct drg_retire retire = { .n = 0 };
	for (size_t k = 0; k < DRG_ARRAY_LEN(tags); k++) {
		struct drg_table t;
		assert_int_equal(drg_table_init(&t, &retire, NULL), DRG_OK);
		for (uint32_t i = 1; i <= 1000; i++) {
			assert_int_equal(drg_table_reserve(&t, NULL), DRG_OK);
			drg_table_insert(&t, tags[k], i);
		}
		for (uint32_t i = 1; i <= 1000; i++)
			assert_true(table_has(&t, tags[k], i));
		assert_false(table_has(&t, tags[k], 1001));
		drg_table_done(&t);
	}
	drg_retire_flush(&retire);
}

static void table_stays_small_under_replacement(void **state)
{
	(void)state;
	struct drg_retire retire = { .n = 0 };
	struct drg_table t;
	assert_int_equal(drg_table_init(&t, &retire, NULL), DRG_OK);
	size_t bytes = drg_table_bytes(&t);
	for (uint32_t i = 1; i <= 50000; i++) {
		uint32_t tag = drg_tag(1, 0, &i, sizeof i);
		assert_int_equal(drg_table_reserve(&t, NULL), DRG_OK);
		drg_table_insert(&t, tag, i);
		struct drg_probe at = drg_table_probe(&t, tag);
		while (drg_probe_next(&at) != i)
			;
		if (i % 2 == 0) {
			drg_table_replace(&t, &at, i + 1000000);
			assert_true(table_has(&t, tag, i + 1000000));
		}
		drg_table_remove(&t, &at);
		assert_false(table_has(&t, tag, i));
	}
	assert_int_equal(drg_table_bytes(&t), bytes);
	drg_retire_flush(&retire);
	drg_table_done(&t);
}

/* ---- list ----------------------------------------------------------------------------------------------- */

static void list_grows_at_its_end(void **state)
{
	(void)state;
	struct drg_retire retire = { .n = 0 };
	struct drg_vec v = { NULL };
	const uint32_t *x;
	assert_int_equal(drg_vec_view(&v, &x), 0);
	assert_false(drg_vec_has(&v, 0));
	for (uint32_t i = 0; i < 10000; i++) {
		assert_int_equal(drg_vec_reserve(&v, &retire, NULL), DRG_OK);
		drg_vec_push(&v, i * 3);
		assert_int_equal(drg_vec_view(&v, &x), i + 1);
		assert_int_equal(x[i / 2], i / 2 * 3);
	}
	assert_true(drg_vec_has(&v, 9999 * 3));
	assert_false(drg_vec_has(&v, 1));
	drg_retire_flush(&retire);
	drg_vec_done(&v);
}

/* ---- languages ------------------------------------------------------------------------------------------ */

static void languages_have_a_limit(void **state)
{
	(void)state;
	static struct drg_langs l;
	char tag[DRG_LANG_MAX + 2];
	uint8_t number;
	struct drg_err err = { 0 };
	for (int i = 0; i < DRG_LANGS_MAX; i++) {
		int n = snprintf(tag, sizeof tag, "x-%d", i);
		assert_int_equal(drg_langs_add(&l, drg_str(tag, (size_t)n), &number, NULL), DRG_OK);
		assert_int_equal(number, i);
	}
	assert_int_equal(drg_langs_add(&l, DRG_STR("x-7"), &number, NULL), DRG_OK);
	assert_int_equal(number, 7);
	assert_int_equal(drg_langs_add(&l, DRG_STR("one-more"), &number, &err), DRG_ELIMIT);
	assert_int_equal(number, 7);
	assert_int_equal(drg_langs_find(&l, DRG_STR("one-more")), -1);
	assert_str(drg_langs_tag(&l, 249), "x-249");
}

static void languages_take_the_longest_tag(void **state)
{
	(void)state;
	static struct drg_langs l;
	static const char tag[] = "abcdefgh-abcdefgh-abcdefgh-abcdefgh-";
	uint8_t number;
	assert_int_equal(drg_langs_add(&l, drg_str(tag, DRG_LANG_MAX), &number, NULL), DRG_OK);
	assert_int_equal(drg_langs_add(&l, drg_str(tag, DRG_LANG_MAX + 1), &number, NULL), DRG_ELIMIT);
}

/* ---- small tables --------------------------------------------------------------------------------------- */

struct row {
	int64_t key, value;
};

static int by_key(const void *a, const void *b)
{
	int64_t x = ((const struct row *)a)->key, y = ((const struct row *)b)->key;
	return x < y ? -1 : x > y;
}

static void merge_and_publish(struct drg_small *s, struct drg_retire *retire)
{
	struct drg_sorted_rows *rows = NULL;
	assert_int_equal(drg_small_merge(s, &rows, NULL), DRG_OK);
	drg_small_publish(s, rows, retire);
}

static void small_table_is_what_the_last_changes_say(void **state)
{
	(void)state;
	enum { SPAN = 50 };
	struct drg_retire retire = { .n = 0 };
	struct drg_small s;
	int64_t want[SPAN];
	const void *rows;
	memset(want, 0, sizeof want);
	drg_small_init(&s, sizeof(struct row), by_key);
	assert_int_equal(drg_small_rows(&s, &rows), 0);
	assert_null(drg_small_find(&s, &(struct row){ 1, 0 }));
	srand(7);
	for (int64_t i = 1; i < 5000; i++) {
		struct row r = { rand() % SPAN, i };
		bool drop = rand() % 3 == 0;
		assert_int_equal(drg_small_change(&s, &r, drop, NULL), DRG_OK);
		want[r.key] = drop ? 0 : i;
		if (rand() % 20 != 0)
			continue;
		merge_and_publish(&s, &retire);
		size_t n = 0;
		for (int64_t k = 0; k < SPAN; k++) {
			const struct row *found = drg_small_find(&s, &(struct row){ k, 0 });
			assert_int_equal(found != NULL ? found->value : 0, want[k]);
			n += want[k] != 0;
		}
		assert_int_equal(drg_small_rows(&s, &rows), n);
	}
	drg_retire_flush(&retire);
	drg_small_done(&s);
}

static void small_table_shows_nothing_before_publication(void **state)
{
	(void)state;
	struct drg_small s;
	struct drg_retire retire = { .n = 0 };
	drg_small_init(&s, sizeof(struct row), by_key);
	assert_int_equal(drg_small_change(&s, &(struct row){ 1, 1 }, false, NULL), DRG_OK);
	assert_null(drg_small_find(&s, &(struct row){ 1, 0 }));
	merge_and_publish(&s, &retire);
	assert_non_null(drg_small_find(&s, &(struct row){ 1, 0 }));
	drg_small_done(&s);
}

/* ---- quoted texts --------------------------------------------------------------------------------------- */

static void quoted_texts_are_cut_out(void **state)
{
	(void)state;
	struct drg_str rest = DRG_STR("{\"en\":\"a \\\"b\\\\\",\"uk\":\"\"}"), s;
	assert_true(drg_quoted_next(&rest, &s));
	assert_str(s, "en");
	assert_true(drg_quoted_next(&rest, &s));
	assert_str(s, "a \\\"b\\\\");
	assert_true(drg_quoted_next(&rest, &s));
	assert_true(drg_quoted_next(&rest, &s));
	assert_int_equal(s.n, 0);
	assert_false(drg_quoted_next(&rest, &s));
	static const char *const cut[] = { "", "abc", "\"", "\"abc", "\"abc\\", "\"abc\\\"" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cut); i++) {
		rest = drg_str_c(cut[i]);
		assert_false(drg_quoted_next(&rest, &s));
	}
}

static void escapes_are_undone(void **state)
{
	(void)state;
	static const struct {
		const char *escaped, *plain;
	} cases[] = {
		{ "", "" },
		{ "plain", "plain" },
		{ "\\\"q\\\" \\\\ \\t\\n", "\"q\" \\ \t\n" },
		{ "\\u0001\xd1\x8f", "\x01\xd1\x8f" },
	};
	struct drg_arena arena;
	struct drg_str s;
	drg_arena_init(&arena, 1 << 20);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		assert_int_equal(drg_unescape(drg_str_c(cases[i].escaped), &arena, &s), DRG_OK);
		assert_text(s, cases[i].plain);
	}
	drg_arena_done(&arena);
}

GROUP(parts)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(heap_keeps_what_is_taken_only),
		cmocka_unit_test(heap_has_a_limit),
		cmocka_unit_test(table_finds_all_while_it_grows),
		cmocka_unit_test(table_takes_many_with_one_tag),
		cmocka_unit_test(table_stays_small_under_replacement),
		cmocka_unit_test(list_grows_at_its_end),
		cmocka_unit_test(languages_have_a_limit),
		cmocka_unit_test(languages_take_the_longest_tag),
		cmocka_unit_test(small_table_is_what_the_last_changes_say),
		cmocka_unit_test(small_table_shows_nothing_before_publication),
		cmocka_unit_test(quoted_texts_are_cut_out),
		cmocka_unit_test(escapes_are_undone),
	};
	return cmocka_run_group_tests_name("catalog parts", tests, NULL, NULL);
}
