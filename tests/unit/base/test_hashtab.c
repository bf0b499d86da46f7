/* Numbers by hash. */
#include "../unit.h"
#include "../prepared.h"

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

/* Half full, a table whose hashes are spread passes over half a slot for each look-up. */
static void prepared_keys_are_spread(void **state)
{
	(void)state;
	enum { WORDS = 8192, SLOTS = 2 * WORDS, SPREAD = 2 * WORDS };
	static const uint64_t salts[] = { 0, 1, 7, 16 * 5 + 6 };
	char word[PREPARED_WORD];
	for (size_t k = 0; k < DRG_ARRAY_LEN(salts); k++) {
		struct drg_hashtab known = { .n = 0 }, secret = { .n = 0 };
		uint64_t number = 0;
		assert_true(drg_hashtab_reserve(&known, WORDS) && drg_hashtab_reserve(&secret, WORDS));
		for (uint32_t i = 0; i < WORDS; i++) {
			number = prepared_word(number, salts[k], SLOTS, word);
			drg_hashtab_add(&known, drg_checksum(word, sizeof word - 1, salts[k]), i);
			drg_hashtab_add(&secret, drg_hash(word, sizeof word - 1, salts[k]), i);
		}
		assert_true(slots_passed(&known) > 1000 * (uint64_t)SPREAD); /* they are prepared indeed */
		assert_true(slots_passed(&secret) < SPREAD);
		drg_hashtab_done(&known);
		drg_hashtab_done(&secret);
	}
}

GROUP(hashtab)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_put_is_found),
		cmocka_unit_test(those_of_one_hash_are_told_apart),
		cmocka_unit_test(prepared_keys_are_spread),
	};
	return cmocka_run_group_tests_name("base/hashtab", tests, NULL, NULL);
}
