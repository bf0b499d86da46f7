#include "../unit.h"

#include "base/lru.h"

struct kept {
	struct drg_lru_item used;
	int key;
};

enum { KEYS = 40, BUCKETS = 4 };
static struct kept kept[KEYS];

static struct kept *kept_of(struct drg_lru_item *item)
{
	return item != NULL ? DRG_CONTAINER_OF(item, struct kept, used) : NULL;
}

/* Many share a hash, more a bucket. */
static uint64_t hash_of(int key)
{
	return (uint64_t)(key % 10);
}

static struct kept *find(const struct drg_lru *l, int key)
{
	struct kept *k = kept_of(drg_lru_first(l, hash_of(key)));
	while (k != NULL && k->key != key)
		k = kept_of(drg_lru_next(&k->used));
	return k;
}

static void fill(struct drg_lru *l)
{
	assert_int_equal(drg_lru_init(l, BUCKETS, NULL), DRG_OK);
	for (int i = 0; i < KEYS; i++) {
		kept[i] = (struct kept){ .key = i, .used.hash = hash_of(i) };
		drg_lru_add(l, &kept[i].used);
	}
	assert_int_equal(l->n, KEYS);
}

static void drain(struct drg_lru *l)
{
	while (l->newest != NULL)
		drg_lru_remove(l, l->newest);
	assert_int_equal(l->n, 0);
	drg_lru_done(l);
}

static void each_is_found_among_others_of_its_hash(void **state)
{
	(void)state;
	struct drg_lru l;
	fill(&l);
	for (int i = 0; i < KEYS; i++)
		assert_ptr_equal(find(&l, i), &kept[i]);
	assert_null(find(&l, KEYS));
	for (int i = 0; i < KEYS; i += 3)
		drg_lru_remove(&l, &kept[i].used);
	for (int i = 0; i < KEYS; i++)
		assert_ptr_equal(find(&l, i), i % 3 == 0 ? NULL : &kept[i]);
	drain(&l);
}

static void the_order_is_that_of_use(void **state)
{
	(void)state;
	static const int used[] = { 5, 39, 0, 5 };
	struct drg_lru l;
	fill(&l);
	assert_ptr_equal(l.newest, &kept[39].used);
	assert_ptr_equal(l.oldest, &kept[0].used);
	for (size_t i = 0; i < DRG_ARRAY_LEN(used); i++)
		drg_lru_use(&l, &kept[used[i]].used);
	static const int newest[] = { 5, 0, 39, 38, 37 };
	struct drg_lru_item *item = l.newest;
	for (size_t i = 0; i < DRG_ARRAY_LEN(newest); i++, item = item->older)
		assert_int_equal(kept_of(item)->key, newest[i]);
	int n = 0;
	for (item = l.oldest; item != NULL; item = item->newer)
		n++;
	assert_int_equal(n, KEYS);
	assert_int_equal(kept_of(l.oldest)->key, 1);
	drain(&l);
}

GROUP(lru)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_is_found_among_others_of_its_hash),
		cmocka_unit_test(the_order_is_that_of_use),
	};
	return cmocka_run_group_tests_name("base/lru", tests, NULL, NULL);
}
