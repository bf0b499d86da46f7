#include "../unit.h"

#include <pthread.h>
#include <stdio.h>

#include "server/content_cache.h"

static struct drg_content_cache *cache_new(size_t max_bytes)
{
	struct drg_content_cache *c;
	assert_int_equal(drg_content_cache_new(max_bytes, &c, NULL), DRG_OK);
	return c;
}

static struct drg_hotel_key key(const struct drg_content_cache *c, int64_t adapter, const char *id)
{
	struct drg_hotel_key k;
	drg_hotel_key_orig(c, adapter, drg_str_c(id), &k);
	return k;
}

/* A supplier's hotel whose address is @p address, packed. */
static void pack(const char *address, struct drg_buf *out)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 7);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, DRG_STR("x"));
	drg_record_set_s(&r, DRG_F_ADDRESS, drg_str_c(address));
	drg_record_pack(&r, out);
}

static unsigned mark_of(struct drg_content_cache *c, const struct drg_hotel_key *k)
{
	unsigned mark;
	drg_hotel_rows_release(drg_content_cache_find(c, k, INT64_MAX, &mark));
	return mark;
}

static struct drg_hotel_rows *put_at(struct drg_content_cache *c, const struct drg_hotel_key *k,
                                     unsigned mark, int64_t seq, const char *address)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	pack(address, &b);
	struct drg_hotel_rows *h = drg_content_cache_put(c, k, mark, seq, drg_buf_view(&b));
	drg_buf_done(&b);
	assert_non_null(h);
	return h;
}

/* As if it was just read. */
static void put(struct drg_content_cache *c, const char *id, const char *address)
{
	struct drg_hotel_key k = key(c, 7, id);
	drg_hotel_rows_release(put_at(c, &k, mark_of(c, &k), 1, address));
}

static void assert_address(const struct drg_hotel_rows *h, const char *address)
{
	struct drg_record r;
	assert_true(drg_hotel_row(h, DRG_TYPE_SOURCE, &r));
	assert_true(drg_str_eq(drg_record_s(&r, DRG_F_ADDRESS), drg_str_c(address)));
}

/* NULL: it is not kept. */
static void assert_kept(struct drg_content_cache *c, const char *id, const char *address)
{
	struct drg_hotel_key k = key(c, 7, id);
	struct drg_hotel_rows *h = drg_content_cache_find(c, &k, INT64_MAX, NULL);
	if ((h != NULL) != (address != NULL))
		fail_msg("%s is %s", id, h != NULL ? "kept" : "not kept");
	if (h != NULL)
		assert_address(h, address);
	drg_hotel_rows_release(h);
}

static void test_what_is_put_is_kept(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	assert_kept(c, "a", NULL);
	put(c, "a", "A");
	put(c, "b", "B");
	assert_kept(c, "a", "A");
	assert_kept(c, "b", "B");
	drg_content_cache_free(c);
}

static void test_each_type_has_its_row(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	struct drg_record r, found;
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	pack("A", &b);
	drg_record_init(&r, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&r, DRG_F_ROOM_COUNT, 12);
	drg_record_pack(&r, &b);
	struct drg_hotel_rows *h = drg_content_cache_put(c, &k, mark_of(c, &k), 5, drg_buf_view(&b));
	drg_buf_done(&b);
	assert_address(h, "A");
	assert_true(drg_hotel_row(h, DRG_TYPE_HOTEL_CONTENT, &found));
	assert_int_equal(drg_record_i(&found, DRG_F_ROOM_COUNT, 0), 12);
	assert_false(drg_hotel_row(h, DRG_TYPE_DICT, &found));
	assert_int_equal(drg_hotel_rows_seq(h), 5);
	drg_hotel_rows_release(h);
	drg_content_cache_free(c);
}

static void test_hotels_without_rows_are_kept_as_such(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	struct drg_record r;
	drg_hotel_rows_release(drg_content_cache_put(c, &k, mark_of(c, &k), 1, drg_str(NULL, 0)));
	struct drg_hotel_rows *h = drg_content_cache_find(c, &k, INT64_MAX, NULL);
	assert_non_null(h);
	assert_false(drg_hotel_row(h, DRG_TYPE_SOURCE, &r));
	drg_hotel_rows_release(h);
	drg_content_cache_free(c);
}

static void test_keys_tell_suppliers_and_the_common_reference_apart(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	int64_t as_id = 55;
	struct drg_hotel_key a = key(c, 7, "55"), b = key(c, 8, "55"), common, alike, again;
	drg_hotel_key_common(c, 55, &common);
	drg_hotel_key_orig(c, 7, drg_str((const char *)&as_id, sizeof as_id), &alike);
	drg_hotel_rows_release(put_at(c, &common, mark_of(c, &common), 1, "A"));
	drg_hotel_key_common(c, 55, &again);
	struct drg_hotel_rows *h = drg_content_cache_find(c, &again, INT64_MAX, NULL);
	assert_non_null(h);
	drg_hotel_rows_release(h);
	assert_null(drg_content_cache_find(c, &a, INT64_MAX, NULL));
	assert_null(drg_content_cache_find(c, &b, INT64_MAX, NULL));
	assert_null(drg_content_cache_find(c, &alike, INT64_MAX, NULL));
	drg_content_cache_free(c);
}

static void test_the_longest_id_is_a_key(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	char id[4 * 64];
	struct drg_hotel_key k;
	memset(id, 'x', sizeof id);
	drg_hotel_key_orig(c, INT32_MAX, drg_str(id, sizeof id), &k);
	assert_int_equal(k.n, DRG_HOTEL_KEY_MAX);
	drg_content_cache_free(c);
}

/* The smallest limit that keeps one hotel "a" with the address "A". */
static size_t size_of_one(void)
{
	for (size_t n = 1;; n++) {
		struct drg_content_cache *c = cache_new(n);
		put(c, "a", "A");
		struct drg_hotel_key k = key(c, 7, "a");
		struct drg_hotel_rows *h = drg_content_cache_find(c, &k, INT64_MAX, NULL);
		drg_hotel_rows_release(h);
		drg_content_cache_free(c);
		if (h != NULL)
			return n;
	}
}

static void test_the_limit(void **state)
{
	(void)state;
	size_t one = size_of_one();
	static const struct {
		const char *name;
		int more, kept;
	} cases[] = { { "one byte less than three take", -1, 2 },
		      { "what three take", 0, 3 },
		      { "more", 1, 3 } };
	for (unsigned i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_content_cache *c = cache_new(3 * one + (size_t)cases[i].more);
		put(c, "a", "A");
		put(c, "b", "B");
		put(c, "c", "C");
		assert_kept(c, "a", cases[i].kept == 3 ? "A" : NULL);
		assert_kept(c, "b", "B");
		assert_kept(c, "c", "C");
		drg_content_cache_free(c);
	}
}

static void test_what_was_not_used_for_the_longest_goes(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(3 * size_of_one());
	put(c, "a", "A");
	put(c, "b", "B");
	put(c, "c", "C");
	assert_kept(c, "a", "A");
	put(c, "d", "D");
	assert_kept(c, "b", NULL);
	assert_kept(c, "a", "A");
	assert_kept(c, "c", "C");
	assert_kept(c, "d", "D");
	drg_content_cache_free(c);
}

static void test_what_is_larger_than_the_limit_drives_nothing_out(void **state)
{
	(void)state;
	char large[2000] = { 0 };
	struct drg_content_cache *c = cache_new(1000);
	memset(large, 'x', sizeof large - 1);
	put(c, "a", "A");
	put(c, "large", large);
	assert_kept(c, "large", NULL);
	assert_kept(c, "a", "A");
	drg_content_cache_free(c);
}

static void test_nothing_is_kept_with_a_limit_of_0(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(0);
	put(c, "a", "A");
	assert_kept(c, "a", NULL);
	drg_content_cache_free(c);
}

static void test_what_is_forgotten_stays_with_its_holders(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	put(c, "a", "A");
	put(c, "b", "B");
	struct drg_hotel_rows *h = drg_content_cache_find(c, &k, INT64_MAX, NULL);
	drg_content_cache_remove(c, &k);
	assert_kept(c, "a", NULL);
	assert_kept(c, "b", "B");
	drg_content_cache_clear(c);
	assert_kept(c, "b", NULL);
	drg_content_cache_free(c);
	assert_address(h, "A");
	drg_hotel_rows_release(h);
}

static void test_what_was_forgotten_while_it_was_read_is_not_kept(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	for (int all = 0; all < 2; all++) {
		unsigned mark = mark_of(c, &k);
		if (all)
			drg_content_cache_clear(c);
		else
			drg_content_cache_remove(c, &k);
		struct drg_hotel_rows *h = put_at(c, &k, mark, 1, "before");
		assert_address(h, "before");
		drg_hotel_rows_release(h);
		assert_kept(c, "a", NULL);
	}
	put(c, "a", "after");
	assert_kept(c, "a", "after");
	drg_content_cache_free(c);
}

static void test_two_that_read_the_same(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	unsigned mark = mark_of(c, &k);
	drg_hotel_rows_release(put_at(c, &k, mark, 1, "A"));
	drg_hotel_rows_release(put_at(c, &k, mark, 1, "A"));
	assert_kept(c, "a", "A");
	drg_content_cache_remove(c, &k);
	assert_kept(c, "a", NULL);
	drg_content_cache_free(c);
}

static void test_rows_newer_than_asked_for_are_no_find(void **state)
{
	(void)state;
	struct drg_content_cache *c = cache_new(1 << 20);
	struct drg_hotel_key k = key(c, 7, "a");
	drg_hotel_rows_release(put_at(c, &k, mark_of(c, &k), 10, "A"));
	assert_null(drg_content_cache_find(c, &k, 9, NULL));
	struct drg_hotel_rows *h = drg_content_cache_find(c, &k, 10, NULL);
	assert_non_null(h);
	drg_hotel_rows_release(h);
	drg_content_cache_free(c);
}

/* Readers keep what they read of a counter, a writer counts and forgets: nobody may find less than was there
 * before. */
struct race {
	struct drg_content_cache *c;
	pthread_mutex_t lock;
	int now; /* what the store has; under lock */
	int announced; /* what was forgotten; under lock */
	bool over; /* under lock */
};

static int look(struct race *r, const int *what)
{
	pthread_mutex_lock(&r->lock);
	int v = *what;
	pthread_mutex_unlock(&r->lock);
	return v;
}

static void *read_on(void *arg)
{
	struct race *r = arg;
	struct drg_hotel_key k = key(r->c, 7, "a");
	struct drg_record row;
	char text[16];
	for (;;) {
		unsigned mark;
		int64_t found;
		int least = look(r, &r->announced);
		struct drg_hotel_rows *h = drg_content_cache_find(r->c, &k, INT64_MAX, &mark);
		if (h == NULL) {
			snprintf(text, sizeof text, "%d", look(r, &r->now));
			h = put_at(r->c, &k, mark, 1, text);
		}
		assert_true(drg_hotel_row(h, DRG_TYPE_SOURCE, &row));
		assert_true(drg_str_to_i64(row.v[DRG_F_ADDRESS].s, &found));
		drg_hotel_rows_release(h);
		assert_true(found >= least);
		pthread_mutex_lock(&r->lock);
		bool over = r->over;
		pthread_mutex_unlock(&r->lock);
		if (over)
			return NULL;
	}
}

static void test_nobody_finds_what_was_there_before_a_change(void **state)
{
	(void)state;
	enum { READERS = 3, CHANGES = 3000 };
	struct race r = { .c = cache_new(1 << 20), .lock = PTHREAD_MUTEX_INITIALIZER };
	struct drg_hotel_key k = key(r.c, 7, "a");
	pthread_t readers[READERS];
	for (int i = 0; i < READERS; i++)
		assert_int_equal(pthread_create(&readers[i], NULL, read_on, &r), 0);
	for (int i = 1; i <= CHANGES; i++) {
		pthread_mutex_lock(&r.lock);
		r.now = i;
		pthread_mutex_unlock(&r.lock);
		drg_content_cache_remove(r.c, &k);
		pthread_mutex_lock(&r.lock);
		r.announced = i;
		r.over = i == CHANGES;
		pthread_mutex_unlock(&r.lock);
	}
	for (int i = 0; i < READERS; i++)
		pthread_join(readers[i], NULL);
	drg_content_cache_free(r.c);
}

GROUP(content_cache)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_what_is_put_is_kept),
		cmocka_unit_test(test_each_type_has_its_row),
		cmocka_unit_test(test_hotels_without_rows_are_kept_as_such),
		cmocka_unit_test(test_keys_tell_suppliers_and_the_common_reference_apart),
		cmocka_unit_test(test_the_longest_id_is_a_key),
		cmocka_unit_test(test_the_limit),
		cmocka_unit_test(test_what_was_not_used_for_the_longest_goes),
		cmocka_unit_test(test_what_is_larger_than_the_limit_drives_nothing_out),
		cmocka_unit_test(test_nothing_is_kept_with_a_limit_of_0),
		cmocka_unit_test(test_what_is_forgotten_stays_with_its_holders),
		cmocka_unit_test(test_what_was_forgotten_while_it_was_read_is_not_kept),
		cmocka_unit_test(test_two_that_read_the_same),
		cmocka_unit_test(test_rows_newer_than_asked_for_are_no_find),
		cmocka_unit_test(test_nobody_finds_what_was_there_before_a_change),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
