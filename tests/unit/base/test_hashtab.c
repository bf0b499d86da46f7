/* Numbers by hash. */
#include "../unit.h"

#include "base/compiler.h"
#include "base/hash.h"
#include "base/hashtab.h"

enum { MANY = 100000 }; /* beyond where its memory comes from pages */

static uint32_t find(const struct drg_hashtab *t, const uint64_t *keys, uint64_t hash, uint64_t key,
                     size_t *at)
{
	uint32_t i;
	DRG_HASHTAB_FIND(i, t, hash, *at, keys[i] == key);
	return i;
}

static uint64_t hash_of(uint64_t key)
{
	return drg_hash(&key, sizeof key, 0);
}

static void what_was_put_is_found(void **state)
{
	(void)state;
	static uint64_t keys[MANY];
	struct drg_hashtab t = { .n = 0 };
	size_t at;
	assert_int_equal(find(&t, keys, hash_of(7), 7, &at), DRG_HASHTAB_NONE);
	for (uint32_t i = 0; i < MANY; i++) {
		keys[i] = UINT64_C(7) * i;
		assert_true(drg_hashtab_reserve(&t, 1));
		assert_true(2 * (t.n + 1) <= t.n_slots);
		assert_int_equal(find(&t, keys, hash_of(keys[i]), keys[i], &at), DRG_HASHTAB_NONE);
		drg_hashtab_put(&t, hash_of(keys[i]), at, i);
	}
	for (uint32_t i = 0; i < MANY; i++)
		assert_int_equal(find(&t, keys, hash_of(keys[i]), keys[i], &at), i);
	drg_hashtab_clear(&t);
	assert_int_equal(find(&t, keys, hash_of(0), 0, &at), DRG_HASHTAB_NONE);
	drg_hashtab_done(&t);
}

static void those_of_one_hash_are_told_apart(void **state)
{
	(void)state;
	static const uint64_t keys[] = { 1, 2, 3, 4 }, hash = UINT64_MAX;
	struct drg_hashtab t = { .n = 0 };
	size_t at;
	assert_true(drg_hashtab_reserve(&t, DRG_ARRAY_LEN(keys)));
	for (uint32_t i = 0; i < DRG_ARRAY_LEN(keys) - 1; i++)
		drg_hashtab_add(&t, hash, i);
	for (uint32_t i = 0; i < DRG_ARRAY_LEN(keys); i++)
		assert_int_equal(find(&t, keys, hash, keys[i], &at), i < 3 ? i : DRG_HASHTAB_NONE);
	assert_int_equal(find(&t, keys, hash ^ UINT64_C(1) << 32, 1, &at), DRG_HASHTAB_NONE);
	drg_hashtab_done(&t);
}

GROUP(hashtab)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found),
		cmocka_unit_test(those_of_one_hash_are_told_apart),
	};
	return cmocka_run_group_tests_name("base/hashtab", tests, NULL, NULL);
}
