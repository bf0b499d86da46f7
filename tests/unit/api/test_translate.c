/* Dict ids to supplier records, without HTTP. */
#include "../catalog/records.h"

#include "api/translate.h"

static struct drg_catalog *cat;
static struct drg_arena arena;

static void put(struct drg_record r)
{
	apply(cat, &r);
}

static int set_up(void **state)
{
	(void)state;
	drg_arena_init(&arena, SIZE_MAX);
	cat = new_catalog(0);
	put(adapter(7, "coral"));
	struct drg_record air = adapter(8, "sky");
	drg_record_set_i(&air, DRG_F_DOMAIN, DRG_DOMAIN_AIR);
	put(air);
	struct drg_record stage = adapter(9, "new");
	drg_record_set_i(&stage, DRG_F_STAGE, DRG_STAGE_MAPPING);
	put(stage);
	put(dict(DRG_KIND_MEAL, 1, "{\"en\":\"AI\"}"));
	put(dict(DRG_KIND_MEAL, -2, "{\"en\":\"BB\"}"));
	publish(cat, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	drg_arena_done(&arena);
	return 0;
}

static void tour_adapters_are_those_of_domain_tour(void **state)
{
	(void)state;
	static const struct {
		int64_t id;
		bool known;
	} cases[] = { { 7, true },  { 8, false },  { 9, true },
		      { 0, false }, { -7, false }, { INT64_MAX, false } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_adapter *a = NULL;
		struct drg_err err = { 0 };
		int rc = drg_tour_adapter(cat, cases[i].id, &a, &err);
		assert_int_equal(rc, cases[i].known ? DRG_OK : DRG_EINVAL);
		assert_int_equal(a != NULL, cases[i].known);
		assert_string_equal(err.reason, cases[i].known ? "" : "unknown_adapter");
		assert_string_equal(err.field, cases[i].known ? "" : "adapter_id");
	}
}

static void only_live_records_have_a_handle(void **state)
{
	(void)state;
	assert_int_not_equal(drg_dict_handle(cat, DRG_KIND_MEAL, 1), DRG_NO_HANDLE);
	assert_int_not_equal(drg_dict_handle(cat, DRG_KIND_MEAL, -2), DRG_NO_HANDLE);
	assert_int_equal(drg_dict_handle(cat, DRG_KIND_MEAL, 3), DRG_NO_HANDLE);
	assert_int_equal(drg_dict_handle(cat, DRG_KIND_CITY, 1), DRG_NO_HANDLE);
	put(mapped(7, DRG_KIND_MEAL, "early", 3)); /* mentioned, but not there */
	assert_int_equal(drg_dict_handle(cat, DRG_KIND_MEAL, 3), DRG_NO_HANDLE);
	put(gone(dict(DRG_KIND_MEAL, -2, "{\"en\":\"BB\"}")));
	assert_int_equal(drg_dict_handle(cat, DRG_KIND_MEAL, -2), DRG_NO_HANDLE);
}

static void origs_are_sorted_by_bytes(void **state)
{
	(void)state;
	static const char *const sorted[] = { "-1", "10", "100", "9", "B", "a", "ab", "\xc3\xa9" };
	static const unsigned order[] = { 5, 1, 7, 3, 0, 6, 2, 4 };
	for (size_t i = 0; i < DRG_ARRAY_LEN(order); i++)
		put(mapped(7, DRG_KIND_MEAL, sorted[order[i]], 1));
	put(mapped(9, DRG_KIND_MEAL, "other adapter", 1));

	struct drg_origs origs = { .arena = &arena };
	const struct drg_adapter *a = drg_catalog_adapter(cat, 7);
	drg_handle meal = drg_dict_handle(cat, DRG_KIND_MEAL, 1);
	for (int again = 0; again < 2; again++) {
		assert_int_equal(drg_origs_find(cat, a, DRG_KIND_MEAL, meal, &origs), DRG_OK);
		assert_int_equal(origs.n, DRG_ARRAY_LEN(sorted));
		for (size_t i = 0; i < origs.n; i++)
			assert_str(origs.v[i].id, sorted[i]);
	}
	assert_int_equal(drg_origs_find(cat, a, DRG_KIND_MEAL, DRG_NO_HANDLE, &origs), DRG_OK);
	assert_int_equal(origs.n, 0);
}

static void many_dict_ids_at_once_are_as_one_by_one(void **state)
{
	(void)state;
	enum { MANY = 100 };
	char id[24];
	int64_t ids[MANY];
	struct drg_record merged;
	drg_record_init(&merged, &drg_types[DRG_TYPE_REDIRECT]);
	drg_record_set_i(&merged, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_i(&merged, DRG_F_ID, 1000 + 77);
	drg_record_set_i(&merged, DRG_F_TO, 1000 + 7);
	put(merged);
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(id, sizeof id, "%u", i);
		ids[i] = 1000 + (int64_t)(i * 37 % MANY);
		if (i % 4 != 1)
			put(mapped(7, DRG_KIND_MEAL, id, ids[i]));
		if (i % 6 != 0 && ids[i] != 1000 + 77)
			put(dict(DRG_KIND_MEAL, ids[i], "{\"en\":\"AI\"}"));
	}
	put(dict(DRG_KIND_MEAL, 1000 + 7, "{\"en\":\"AI\"}"));
	put(mapped(7, DRG_KIND_MEAL, "of 7", 1000 + 7));
	publish(cat, 2);
	const struct drg_adapter *a = drg_catalog_adapter(cat, 7);
	for (size_t n = 0; n <= MANY; n++) {
		struct drg_source first[MANY], want;
		drg_catalog_first_sources(cat, a, DRG_KIND_MEAL, ids, n, first);
		for (size_t i = 0; i < n; i++) {
			drg_handle dict = drg_dict_handle(cat, DRG_KIND_MEAL, ids[i]);
			bool found = drg_catalog_first_source(cat, a, DRG_KIND_MEAL, dict, &want);
			assert_ptr_equal(first[i].rec, found ? want.rec : NULL);
			assert_true(found || ids[i] != 1000 + 77);
		}
	}
}

static void many_origs_of_one_record(void **state)
{
	(void)state;
	enum { MANY = 1000 };
	char id[24];
	for (unsigned i = 0; i < MANY; i++) {
		snprintf(id, sizeof id, "%u", (i * 617) % MANY + MANY);
		put(mapped(7, DRG_KIND_MEAL, id, 1));
	}
	struct drg_origs origs = { .arena = &arena };
	assert_int_equal(drg_origs_find(cat, drg_catalog_adapter(cat, 7), DRG_KIND_MEAL,
	                                drg_dict_handle(cat, DRG_KIND_MEAL, 1), &origs),
	                 DRG_OK);
	assert_int_equal(origs.n, MANY);
	for (size_t i = 1; i < MANY; i++)
		assert_true(drg_str_cmp(origs.v[i - 1].id, origs.v[i].id) < 0);
}

static void origs_without_memory(void **state)
{
	(void)state;
	struct drg_arena none;
	drg_arena_init(&none, 0);
	put(mapped(7, DRG_KIND_MEAL, "x", 1));
	struct drg_origs origs = { .arena = &none };
	assert_int_equal(drg_origs_find(cat, drg_catalog_adapter(cat, 7), DRG_KIND_MEAL,
	                                drg_dict_handle(cat, DRG_KIND_MEAL, 1), &origs),
	                 DRG_ENOMEM);
	int64_t id = 1;
	size_t n = 1;
	assert_int_equal(drg_ids_unique(&id, &n, &none), DRG_ENOMEM);
}

/* How the id at @p i is made; the factor lets ids collide in any one bit position. */
static int64_t id_at(size_t i, int64_t step)
{
	return (int64_t)((uint64_t)(i * 7919 % 600) * (uint64_t)step - 5);
}

static void repeats_are_dropped_and_the_order_kept(void **state)
{
	(void)state;
	static const int64_t steps[] = { 0, 1, -1, 1024, (int64_t)1 << 32, (int64_t)1 << 53, INT64_MIN };
	static const size_t sizes[] = { 0, 1, 2, 3, 4, 5, 8, 9, 600, 601, 2000 };
	for (size_t s = 0; s < DRG_ARRAY_LEN(steps) * DRG_ARRAY_LEN(sizes); s++) {
		int64_t ids[2000], wanted[2000], step = steps[s / DRG_ARRAY_LEN(sizes)];
		size_t n = sizes[s % DRG_ARRAY_LEN(sizes)], n_wanted = 0;
		for (size_t i = 0; i < n; i++) {
			ids[i] = id_at(i, step);
			size_t at = 0;
			while (at < n_wanted && wanted[at] != ids[i])
				at++;
			if (at == n_wanted)
				wanted[n_wanted++] = ids[i];
		}
		assert_int_equal(drg_ids_unique(ids, &n, &arena), DRG_OK);
		assert_int_equal(n, n_wanted);
		assert_memory_equal(ids, wanted, n * sizeof *ids);
	}
}

#define TEST(fn) cmocka_unit_test_setup_teardown(fn, set_up, tear_down)

GROUP(translate)
{
	const struct CMUnitTest tests[] = {
		TEST(tour_adapters_are_those_of_domain_tour),
		TEST(only_live_records_have_a_handle),
		TEST(origs_are_sorted_by_bytes),
		TEST(many_dict_ids_at_once_are_as_one_by_one),
		TEST(many_origs_of_one_record),
		TEST(origs_without_memory),
		TEST(repeats_are_dropped_and_the_order_kept),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
