#include "../folder.h"

#include "import/refset.h"

struct reading {
	struct drg_refset_entry last;
	size_t n;
	uint64_t sum;
	size_t stop_at; /* 0: never */
};

static int check_order(void *ctx, const struct drg_refset_entry *e, struct drg_err *reterr)
{
	struct reading *r = ctx;
	if (r->n > 0) {
		assert_true(r->last.hi <= e->hi);
		if (r->last.hi == e->hi)
			assert_true(r->last.lo <= e->lo);
		if (r->last.hi == e->hi && r->last.lo == e->lo)
			assert_true(r->last.tag <= e->tag);
	}
	r->last = *e;
	r->sum += e->hi * 3 + e->lo * 5 + e->tag * 7;
	if (++r->n == r->stop_at)
		return drg_fail(reterr, DRG_ESTOPPED, NULL, NULL, "enough");
	return DRG_OK;
}

/* The same numbers everywhere; few values, so that there are repeats. */
static struct drg_refset_entry some_entry(uint64_t i)
{
	uint64_t x = i * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (struct drg_refset_entry){ x >> 60, x >> 50 & 0xff, x >> 40 & 0x3 };
}

static uint64_t add_some(struct drg_refset *s, uint64_t from, uint64_t n)
{
	uint64_t sum = 0;
	for (uint64_t i = from; i < from + n; i++) {
		struct drg_refset_entry e = some_entry(i);
		sum += e.hi * 3 + e.lo * 5 + e.tag * 7;
		assert_int_equal(drg_refset_add(s, &e, 1, NULL), DRG_OK);
	}
	return sum;
}

static void every_entry_in_order_for_every_chunk_size(void **state)
{
	struct folder *f = *state;
	static const size_t chunks[] = { 1, 2, 3, 7, 100, 999, 1000, 1001, 5000 };
	for (size_t i = 0; i < sizeof chunks / sizeof chunks[0]; i++) {
		struct drg_refset *s;
		struct reading r = { .n = 0 };
		assert_int_equal(drg_refset_new(f->path, chunks[i], &s, NULL), DRG_OK);
		uint64_t sum = add_some(s, 0, 1000);
		assert_int_equal(drg_refset_each(s, check_order, &r, NULL), DRG_OK);
		assert_int_equal(r.n, 1000);
		assert_int_equal(drg_refset_size(s), 1000);
		assert_int_equal(r.sum, sum);
		drg_refset_free(s);
	}
	assert_int_equal(folder_count(f), 0);
}

static void entries_can_be_added_between_readings(void **state)
{
	struct folder *f = *state;
	struct drg_refset *s;
	uint64_t sum = 0;
	assert_int_equal(drg_refset_new(f->path, 64, &s, NULL), DRG_OK);
	for (unsigned round = 0; round < 5; round++) {
		struct reading r = { .n = 0 };
		sum += add_some(s, round * 100, 100);
		assert_int_equal(drg_refset_each(s, check_order, &r, NULL), DRG_OK);
		assert_int_equal(r.n, (round + 1) * 100);
		assert_int_equal(r.sum, sum);
	}
	drg_refset_free(s);
}

static void many_at_once(void **state)
{
	struct folder *f = *state;
	static struct drg_refset_entry many[30000];
	struct drg_refset *s;
	struct reading r = { .n = 0 };
	for (size_t i = 0; i < 30000; i++)
		many[i] = some_entry(i);
	/* Runs longer than what is read of one at a time. */
	assert_int_equal(drg_refset_new(f->path, 10000, &s, NULL), DRG_OK);
	assert_int_equal(drg_refset_add(s, many, 30000, NULL), DRG_OK);
	assert_int_equal(drg_refset_each(s, check_order, &r, NULL), DRG_OK);
	assert_int_equal(r.n, 30000);
	drg_refset_free(s);
}

static void an_empty_set_has_no_entries(void **state)
{
	struct folder *f = *state;
	struct drg_refset *s;
	struct reading r = { .n = 0 };
	assert_int_equal(drg_refset_new(f->path, 10, &s, NULL), DRG_OK);
	assert_int_equal(drg_refset_each(s, check_order, &r, NULL), DRG_OK);
	assert_int_equal(r.n, 0);
	drg_refset_free(s);
	drg_refset_free(NULL);
}

static void the_reader_can_stop(void **state)
{
	struct folder *f = *state;
	struct drg_refset *s;
	struct drg_err e;
	struct reading r = { .stop_at = 50 };
	assert_int_equal(drg_refset_new(f->path, 16, &s, NULL), DRG_OK);
	add_some(s, 0, 100);
	assert_int_equal(drg_refset_each(s, check_order, &r, &e), DRG_ESTOPPED);
	assert_string_equal(e.message, "enough");
	drg_refset_free(s);
}

static void nowhere_to_spill(void **state)
{
	(void)state;
	struct drg_refset *s;
	struct drg_err e;
	struct drg_refset_entry two[2] = { { 1, 2, 3 }, { 4, 5, 6 } };
	assert_int_equal(drg_refset_new("/nonexistent/folder", 1, &s, NULL), DRG_OK);
	assert_int_equal(drg_refset_add(s, two, 2, &e), DRG_ENOENT);
	drg_refset_free(s);
}

GROUP(refset)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_entry_in_order_for_every_chunk_size),
		cmocka_unit_test(entries_can_be_added_between_readings),
		cmocka_unit_test(many_at_once),
		cmocka_unit_test(an_empty_set_has_no_entries),
		cmocka_unit_test(the_reader_can_stop),
		cmocka_unit_test(nowhere_to_spill),
	};
	return cmocka_run_group_tests(tests, folder_set_up, folder_tear_down);
}
