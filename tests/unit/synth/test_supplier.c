#include "synth/supplier.h"

#include <stdio.h>

#include "../unit.h"

static struct drg_synth_base base;
static struct drg_synth_world world;
static struct drg_arena arena;

static int set_up(void **state)
{
	(void)state;
	drg_arena_init(&arena, 1 << 26);
	assert_int_equal(drg_synth_base_load(NULL, &base, NULL), DRG_OK);
	return drg_synth_world_make(7, false, &base, &world, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	drg_synth_base_done(&base);
	drg_arena_done(&arena);
	return 0;
}

static int compare(const void *a, const void *b)
{
	return drg_str_cmp(*(const struct drg_str *)a, *(const struct drg_str *)b);
}

static void assert_all_different(struct drg_str *s, size_t n)
{
	qsort(s, n, sizeof *s, compare);
	for (size_t i = 1; i < n; i++)
		assert_false(drg_str_eq(s[i - 1], s[i]));
}

static void test_companies_are_unique(void **state)
{
	(void)state;
	enum { N = DRG_SYNTH_MAX_ADAPTERS + 2 };
	struct drg_str *codes = calloc(N, sizeof *codes), *names = calloc(N, sizeof *names);
	for (unsigned i = 0; i < N; i++) {
		drg_synth_company(3, i, &arena, &codes[i], &names[i]);
		assert_true(codes[i].n > 0 && codes[i].n <= 64);
		assert_memory_equal(names[i].p + names[i].n - 12, " (synthetic)", 12);
	}
	assert_all_different(codes, N);
	assert_all_different(names, N);
	free(codes);
	free(names);
}

static void test_suppliers_are_sound(void **state)
{
	(void)state;
	bool ids[DRG_IDS_COUNT] = { false }, list_ids[DRG_LIST_IDS_COUNT] = { false },
	     stars[DRG_STARS_COUNT] = { false };
	for (unsigned i = 0; i < 200; i++) {
		struct drg_synth_supplier s;
		assert_int_equal(drg_synth_supplier_make(&world, i, &arena, &s, NULL), DRG_OK);
		assert_int_equal(s.id, DRG_SYNTH_FIRST_ADAPTER + i);
		assert_int_equal(s.is_mapping_stage, i % 8 == 7);
		assert_in_range(s.n_home, 1, 3);
		assert_in_range(s.destinations, 20, 60);
		assert_in_range(s.chance, 25000, 900000);
		assert_non_null(s.style.ampersand);
		ids[s.ids] = list_ids[s.list_ids] = stars[s.stars] = true;
	}
	for (int i = 0; i < DRG_IDS_COUNT; i++)
		assert_true(ids[i]);
	for (int i = 0; i < DRG_LIST_IDS_COUNT; i++)
		assert_true(list_ids[i]);
	for (int i = 0; i < DRG_STARS_COUNT; i++)
		assert_true(stars[i]);
}

static void test_hotel_ids_look_and_differ(void **state)
{
	(void)state;
	static const struct {
		enum drg_synth_ids ids;
		const char *looks[3]; /* of hotels 0, 1, 99,999 */
	} cases[] = {
		{ DRG_IDS_SEQUENCE, { "4711", "4712", "104710" } },
		{ DRG_IDS_PADDED, { "0004711", "0004712", "0104710" } },
		{ DRG_IDS_PLACE, { "TR-KUA-00001", "TR-KUA-00002", "TR-KUA-100000" } },
		{ DRG_IDS_COMPOSITE, { "108_4711", "108_4712", "108_104710" } },
		{ DRG_IDS_GAPS, { NULL } },
		{ DRG_IDS_HEX, { NULL } },
	};
	enum { N = 100000 };
	struct drg_str *all = calloc(N, sizeof *all);
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	for (size_t c = 0; c < DRG_ARRAY_LEN(cases); c++) {
		struct drg_synth_supplier s = { .ids = cases[c].ids, .first_id = 4711, .id_step = 7 };
		drg_arena_reset(&arena);
		for (uint32_t n = 0; n < N; n++) {
			drg_buf_clear(&b);
			drg_synth_hotel_id(&s, n, "TR", DRG_STR("Kuşadası"), 8, &b);
			all[n] = drg_arena_str(&arena, drg_buf_view(&b));
			assert_in_range(b.n, 1, 64);
		}
		for (int i = 0; i < 3 && cases[c].looks[0] != NULL; i++)
			assert_string_equal(all[i < 2 ? i : N - 1].p, cases[c].looks[i]);
		assert_all_different(all, N);
	}
	drg_buf_done(&b);
	free(all);
}

static void test_list_ids_look_and_differ(void **state)
{
	(void)state;
	static const struct {
		enum drg_synth_list_ids ids;
		const char *code, *expected;
	} cases[] = {
		{ DRG_LIST_IDS_NUMBERS, "TR", "17" },     { DRG_LIST_IDS_CODES, "TR", "TR" },
		{ DRG_LIST_IDS_CODES, "", "17" },         { DRG_LIST_IDS_PADDED, "TR", "00017" },
		{ DRG_LIST_IDS_PREFIXED, "TR", "CTY17" },
	};
	struct drg_buf b;
	drg_buf_init(&b, 4096);
	for (size_t c = 0; c < DRG_ARRAY_LEN(cases); c++) {
		struct drg_synth_supplier s = { .list_ids = cases[c].ids, .first_id = 97 + 1, .id_step = 2 };
		drg_buf_clear(&b);
		drg_synth_list_id(&s, DRG_KIND_CITY, 5, cases[c].code, &b);
		assert_true(drg_str_eq(drg_buf_view(&b), drg_str_c(cases[c].expected)));
	}
	drg_buf_done(&b);
}

static void test_only_served_countries_are_sold(void **state)
{
	(void)state;
	struct drg_synth_supplier s;
	assert_int_equal(drg_synth_supplier_make(&world, 0, &arena, &s, NULL), DRG_OK);
	s.chance = 500000;
	struct drg_rng r = drg_rng(1, DRG_RNG_SOURCE, 0, 0);
	unsigned has = 0;
	for (int i = 0; i < 10000; i++) {
		struct drg_synth_hotel h = { .country = 0, .popularity = i % 2 == 0 ? 1600 : 400 };
		s.serves[0] = false;
		assert_false(drg_synth_supplier_has(&s, &h, &r));
		s.serves[0] = true;
		has += drg_synth_supplier_has(&s, &h, &r);
	}
	assert_in_range(has, 4700, 5300); /* 80 % of the popular, 20 % of the others */
}

GROUP(supplier)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_companies_are_unique),
		cmocka_unit_test(test_suppliers_are_sound),
		cmocka_unit_test(test_hotel_ids_look_and_differ),
		cmocka_unit_test(test_list_ids_look_and_differ),
		cmocka_unit_test(test_only_served_countries_are_sold),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
