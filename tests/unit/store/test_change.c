/* What a put does to a row, without any engine. */
#include "place.h"

#include "store/change.h"

enum { SEQ = 9 };

/* The row of these tests: created at 2, data of 5, mapping of 7. */
static const struct drg_row_meta meta_before = { 7, 2, 5, 7, 0 };

static struct drg_record with_zip(struct drg_record r, const char *zip)
{
	drg_record_set_s(&r, DRG_F_ZIP, drg_str_c(zip));
	return r;
}

/* Silent about the mapping, as most imports are; told to be mapped to nothing. */
static struct drg_record unmapped(struct drg_record r)
{
	r.nulls |= UINT64_C(1) << DRG_F_DICT_ID;
	return r;
}

static void assert_meta(const char *what, const struct drg_row_meta *m, struct drg_row_meta want)
{
	if (memcmp(m, &want, sizeof want) != 0)
		fail_msg("%s: %lld %lld %lld %lld", what, (long long)m->seq, (long long)m->created_seq,
		         (long long)m->data_seq, (long long)m->mapped_seq);
}

static void the_first_numbers_of_a_row(void **state)
{
	(void)state;
	struct drg_row_meta m;
	struct drg_record plain = source(7, DRG_KIND_MEAL, "1"), with = mapped(7, DRG_KIND_MEAL, "1", 5);
	drg_change_first(&plain, SEQ, &m);
	assert_meta("not mapped", &m, (struct drg_row_meta){ SEQ, SEQ, SEQ, 0, 0 });
	drg_change_first(&with, SEQ, &m);
	assert_meta("mapped", &m, (struct drg_row_meta){ SEQ, SEQ, SEQ, SEQ, 0 });
}

static void what_a_put_changes(void **state)
{
	(void)state;
	const struct drg_record bare = source(7, DRG_KIND_HOTEL, "1"),
	                        to_55 = mapped(7, DRG_KIND_HOTEL, "1", 55),
	                        to_56 = mapped(7, DRG_KIND_HOTEL, "1", 56);
	const struct {
		const char *what;
		struct drg_record row, put;
		enum drg_put_result result;
		struct drg_row_meta meta;
	} cases[] = {
		{ "the same", to_55, to_55, DRG_PUT_SAME, meta_before },
		{ "silent about the mapping", to_55, bare, DRG_PUT_SAME, meta_before },
		{ "a field", to_55, with_zip(bare, "07100"), DRG_PUT_CHANGED, { SEQ, 2, SEQ, 7, 0 } },
		{ "a field cleared", with_zip(to_55, "07100"), bare, DRG_PUT_CHANGED, { SEQ, 2, SEQ, 7, 0 } },
		{ "mapped", bare, to_55, DRG_PUT_CHANGED, { SEQ, 2, 5, SEQ, 0 } },
		{ "mapped elsewhere", to_55, to_56, DRG_PUT_CHANGED, { SEQ, 2, 5, SEQ, 0 } },
		{ "mapped to nothing", to_55, unmapped(bare), DRG_PUT_CHANGED, { SEQ, 2, 5, SEQ, 0 } },
		{ "mapped to nothing again", bare, unmapped(bare), DRG_PUT_SAME, meta_before },
		{ "both", to_55, with_zip(to_56, "1"), DRG_PUT_CHANGED, { SEQ, 2, SEQ, SEQ, 0 } },
		{ "removed", bare, gone(bare), DRG_PUT_DELETED, { SEQ, 2, SEQ, 7, 0 } },
		{ "removed when mapped", to_55, gone(bare), DRG_PUT_DELETED, { SEQ, 2, SEQ, SEQ, 0 } },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_row_change c;
		drg_change_put(&cases[i].row, &meta_before, &cases[i].put, SEQ, &c);
		if (c.result != cases[i].result)
			fail_msg("%s: %d", cases[i].what, (int)c.result);
		assert_meta(cases[i].what, &c.meta, cases[i].meta);
	}
}

/* A tombstone as it is stored: identity only. */
static struct drg_record tombstone(struct drg_record r)
{
	struct drg_row_change c;
	struct drg_record dead = gone(r);
	drg_change_put(&r, &meta_before, &dead, SEQ, &c);
	assert_int_equal(c.result, DRG_PUT_DELETED);
	return c.next;
}

static void a_tombstone_keeps_its_identity_only(void **state)
{
	(void)state;
	struct drg_record t = tombstone(with_zip(mapped(7, DRG_KIND_HOTEL, "1", 55), "07100"));
	assert_true(t.deleted);
	for (unsigned i = 0; i < t.type->n_fields; i++)
		assert_int_equal(drg_record_has_value(&t, &t.type->fields[i]),
		                 (t.type->fields[i].flags & DRG_FF_ID) != 0);
}

static void what_comes_back_begins_anew(void **state)
{
	(void)state;
	const struct drg_record dead = tombstone(mapped(7, DRG_KIND_HOTEL, "1", 55)),
	                        again = source(7, DRG_KIND_HOTEL, "1");
	struct drg_row_change c;
	drg_change_put(&dead, &(struct drg_row_meta){ 8, 2, 8, 8, 0 }, &again, SEQ, &c);
	assert_int_equal(c.result, DRG_PUT_CREATED);
	assert_false(drg_record_has(&c.next, DRG_F_DICT_ID));
	assert_meta("again", &c.meta, (struct drg_row_meta){ SEQ, SEQ, SEQ, 8, 0 });

	struct drg_record dead_again = gone(again);
	drg_change_put(&dead, &meta_before, &dead_again, SEQ, &c);
	assert_int_equal(c.result, DRG_PUT_SAME);
}

static void what_is_kept_is_written(void **state)
{
	(void)state;
	const struct drg_record row = mapped(7, DRG_KIND_HOTEL, "1", 55),
	                        put = with_zip(source(7, DRG_KIND_HOTEL, "1"), "07100");
	struct drg_row_change c;
	drg_change_put(&row, &meta_before, &put, SEQ, &c);
	assert_int_equal(drg_record_i(&c.next, DRG_F_DICT_ID, 0), 55);
	assert_true(drg_str_eq(drg_record_s(&c.next, DRG_F_ZIP), DRG_STR("07100")));
}

GROUP(change)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_numbers_of_a_row),
		cmocka_unit_test(what_a_put_changes),
		cmocka_unit_test(a_tombstone_keeps_its_identity_only),
		cmocka_unit_test(what_comes_back_begins_anew),
		cmocka_unit_test(what_is_kept_is_written),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
