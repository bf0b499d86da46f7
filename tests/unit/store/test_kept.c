#include "place.h"

static enum drg_put_result add_one(struct place *p, struct drg_record r)
{
	struct drg_txn *t;
	enum drg_put_result result = DRG_PUT_CHANGED;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_add(t, &r, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	return result;
}

static int take_name(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_str name = drg_record_s(r, DRG_F_NAME);
	snprintf(ctx, 64, "%.*s", DRG_STR_ARG(name));
	return DRG_OK;
}

static void assert_name(struct place *p, struct drg_record key, const char *want)
{
	struct drg_rows rows;
	char name[64];
	MUST(p, drg_rows_each(drg_rows_get(&rows, p->s, &key, &p->err), take_name, name));
	assert_string_equal(name, want);
}

static struct drg_record named(const char *id, const char *name)
{
	struct drg_record r = source(7, DRG_KIND_HOTEL, id);
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(name));
	return r;
}

static int64_t seq(struct place *p)
{
	struct drg_clock c;
	MUST(p, drg_store_clock(p->s, &c, &p->err));
	return c.seq;
}

static void test_adding_leaves_what_is_alive_alone(void **state)
{
	struct place *p = *state;
	assert_int_equal(add_one(p, named("1", "first")), DRG_PUT_CREATED);
	assert_int_equal(seq(p), 1);
	assert_int_equal(add_one(p, named("1", "second")), DRG_PUT_SAME);
	assert_name(p, named("1", ""), "first");
	assert_int_equal(seq(p), 1);
}

static void test_adding_brings_a_tombstone_back(void **state)
{
	struct place *p = *state;
	add_one(p, named("1", "first"));
	put_one(p, gone(named("1", "")));
	assert_int_equal(add_one(p, named("1", "second")), DRG_PUT_CREATED);
	assert_name(p, named("1", ""), "second");
	assert_int_equal(seq(p), 3);
}

static void test_adding_sees_its_own_transaction(void **state)
{
	struct place *p = *state;
	struct drg_record r = named("1", "first");
	struct drg_txn *t;
	enum drg_put_result result;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_add(t, &r, &result, &p->err));
	assert_int_equal(result, DRG_PUT_CREATED);
	MUST(p, drg_txn_add(t, &r, &result, &p->err));
	assert_int_equal(result, DRG_PUT_SAME);
	drg_txn_rollback(t);
	assert_int_equal(add_one(p, r), DRG_PUT_CREATED);
}

static void test_a_record_without_identity_is_not_added(void **state)
{
	struct place *p = *state;
	struct drg_record r = named("1", "first");
	struct drg_txn *t;
	enum drg_put_result result;
	r.has &= ~(UINT64_C(1) << DRG_F_SOURCE_ID);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	assert_int_equal(drg_txn_add(t, &r, &result, &p->err), DRG_EINTERNAL);
	r = named("1", "first");
	MUST(p, drg_txn_add(t, &r, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

/* ---- answers --------------------------------------------------------------------------------------------- */

static struct drg_kept_answer kept(int64_t key, const char *name, int64_t at, const char *answer)
{
	return (struct drg_kept_answer){ key, drg_str_c(name), at, DRG_STR("hash"), drg_str_c(answer) };
}

static int take_answer(void *ctx, const struct drg_kept_answer *k)
{
	snprintf(ctx, 64, "%lld %.*s %.*s", (long long)k->at_us, DRG_STR_ARG(k->body_hash),
	         DRG_STR_ARG(k->answer));
	return DRG_OK;
}

static void assert_kept(struct place *p, struct drg_txn *t, int64_t key, const char *name, const char *want)
{
	char got[64];
	int rc = drg_txn_kept_get(t, key, drg_str_c(name), take_answer, got, &p->err);
	assert_int_equal(rc, want != NULL ? DRG_OK : DRG_ENOENT);
	if (want != NULL)
		assert_string_equal(got, want);
}

static void test_an_answer_is_kept_with_the_commit_and_moves_no_clock(void **state)
{
	struct place *p = *state;
	const struct drg_kept_answer a = kept(1, "a", 10, "one"), empty = kept(1, "", 10, "");
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_kept_put(t, &a, &p->err));
	drg_txn_rollback(t);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	assert_kept(p, t, 1, "a", NULL);
	MUST(p, drg_txn_kept_put(t, &a, &p->err));
	MUST(p, drg_txn_kept_put(t, &empty, &p->err));
	assert_int_equal(drg_txn_seq(t), 0);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(seq(p), 0);
	place_reopen(p);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	assert_kept(p, t, 1, "a", "10 hash one");
	assert_kept(p, t, 1, "", "10 hash ");
	assert_kept(p, t, 2, "a", NULL);
	assert_kept(p, t, 1, "A", NULL);
	drg_txn_rollback(t);
}

static void test_a_later_answer_takes_the_place_of_an_earlier(void **state)
{
	struct place *p = *state;
	const struct drg_kept_answer a = kept(1, "a", 10, "one"), b = kept(1, "a", 20, "two");
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_kept_put(t, &a, &p->err));
	MUST(p, drg_txn_kept_put(t, &b, &p->err));
	assert_kept(p, t, 1, "a", "20 hash two");
	drg_txn_rollback(t);
}

static void test_forgetting_begins_with_the_oldest(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	const struct drg_kept_answer all[] = { kept(1, "c", 30, ""), kept(2, "a", 10, ""),
		                               kept(1, "b", 20, "") };
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	for (unsigned i = 0; i < 3; i++)
		MUST(p, drg_txn_kept_put(t, &all[i], &p->err));
	MUST(p, drg_txn_kept_delete(t, 30, 1, &p->err));
	assert_kept(p, t, 2, "a", NULL);
	assert_kept(p, t, 1, "b", "20 hash ");
	MUST(p, drg_txn_kept_delete(t, 30, 5, &p->err));
	assert_kept(p, t, 1, "b", NULL);
	assert_kept(p, t, 1, "c", "30 hash ");
	drg_txn_rollback(t);
}

static int refuse(void *ctx, const struct drg_kept_answer *k)
{
	(void)ctx;
	(void)k;
	return DRG_ESTOPPED;
}

static void test_what_the_caller_says_is_handed_through(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	const struct drg_kept_answer a = kept(1, "a", 10, "one");
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_kept_put(t, &a, &p->err));
	assert_int_equal(drg_txn_kept_get(t, 1, a.name, refuse, NULL, &p->err), DRG_ESTOPPED);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, place_with_store, place_remove)

GROUP(kept)
{
	const struct CMUnitTest tests[] = {
		TEST(test_adding_leaves_what_is_alive_alone),
		TEST(test_adding_brings_a_tombstone_back),
		TEST(test_adding_sees_its_own_transaction),
		TEST(test_a_record_without_identity_is_not_added),
		TEST(test_an_answer_is_kept_with_the_commit_and_moves_no_clock),
		TEST(test_a_later_answer_takes_the_place_of_an_earlier),
		TEST(test_forgetting_begins_with_the_oldest),
		TEST(test_what_the_caller_says_is_handed_through),
	};
	return run_on_every_engine("store/kept", tests);
}
