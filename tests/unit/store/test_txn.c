/* Transactions: what is read in them, the right to import, and commits that failed. */
#include "place.h"

static struct drg_txn *begun(struct place *p)
{
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	return t;
}

static void put_in(struct place *p, struct drg_txn *t, struct drg_record r)
{
	enum drg_put_result result;
	MUST(p, drg_txn_put(t, &r, &result, &p->err));
}

static int take_dict_id(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	*(int64_t *)ctx = drg_record_i(r, DRG_F_DICT_ID, 0);
	return DRG_OK;
}

static void a_transaction_reads_what_it_has_written(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	const struct drg_filter sources = { .type = &drg_types[DRG_TYPE_SOURCE] };
	struct drg_record one = mapped(7, DRG_KIND_MEAL, "1", 5);
	struct rows scanned = { 0 }, siblings = { 0 }, referrers = { 0 };
	int64_t to = 0;
	struct drg_txn *t = begun(p);
	struct drg_store *s = drg_txn_store(t);
	put_in(p, t, one);
	put_in(p, t, source(7, DRG_KIND_MEAL, "2"));
	MUST(p, drg_store_exists(s, &one, &p->err));
	MUST(p, drg_rows_each(drg_rows_get(&rows, s, &one, &p->err), take_dict_id, &to));
	assert_int_equal(to, 5);
	MUST(p, drg_rows_each(drg_rows_scan(&rows, s, &sources, &p->err), collect, &scanned));
	assert_rows(&scanned, (const char *[]){ "source 7 meal 1", "source 7 meal 2", NULL });
	assert_int_equal(rows.clock.seq, 0); /* until it is committed */
	MUST(p, drg_rows_each(drg_rows_siblings(&rows, s, &one, 0, &p->err), collect, &siblings));
	assert_rows(&siblings, (const char *[]){ "source 7 meal 1", "source 7 meal 2", NULL });
	MUST(p,
	     drg_rows_each(drg_rows_referrers(&rows, s, DRG_KIND_MEAL, 5, 10, &p->err), collect, &referrers));
	assert_rows(&referrers, (const char *[]){ "source 7 meal 1", NULL });
	put_in(p, t, gone(one));
	assert_int_equal(drg_store_exists(s, &one, &p->err), DRG_ENOENT);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

/* In a transaction they are read ahead; whoever gets them may look others up. */
static int look_another_up(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct place *p = ctx;
	const struct drg_record far = source(1, DRG_KIND_MEAL, "0");
	(void)r, (void)m;
	return drg_store_exists(p->s, &far, NULL) == DRG_ENOENT ? DRG_OK : DRG_EINTERNAL;
}

static void siblings_of_many_are_right_within_a_transaction(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_txn *t = begun(p);
	for (int64_t a = 10; a < 60; a++) {
		for (char id[] = "0"; id[0] < '0' + a % 4; id[0]++)
			put_in(p, t, source(a, DRG_KIND_MEAL, id));
		if (a % 5 == 0)
			put_in(p, t, gone(source(a, DRG_KIND_MEAL, "0")));
	}
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	for (int writes = 0; writes < 2; writes++) {
		t = begun(p);
		for (int64_t a = 9; a < 61; a++) {
			const struct drg_record key = source(a, DRG_KIND_MEAL, "0");
			const int n = a < 10 || a == 60 ? 0 : (int)(a % 4) - (a % 5 == 0 && a % 4 > 0);
			struct rows got = { 0 };
			if (writes)
				put_in(p, t, source(a, DRG_KIND_MEAL, "new"));
			MUST(p, drg_rows_each(drg_rows_siblings(&rows, drg_txn_store(t), &key, 0, &p->err),
			                      collect, &got));
			assert_int_equal(got.n, n + writes);
			MUST(p, drg_rows_each(drg_rows_siblings(&rows, drg_txn_store(t), &key, 0, &p->err),
			                      look_another_up, p));
		}
		drg_txn_rollback(t);
	}
}

static void siblings_are_read_from_one_on_and_no_more_than_are_wanted(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	static const char *const ids[] = { "1", "2", "3", "4", "5" };
	static const struct {
		const char *from;
		unsigned limit;
		const char *want[4];
	} cases[] = { { "", 2, { "source 7 meal 1", "source 7 meal 2" } },
		      { "2", 3, { "source 7 meal 2", "source 7 meal 4", "source 7 meal 5" } },
		      { "21", 9, { "source 7 meal 4", "source 7 meal 5" } },
		      { "6", 1, { NULL } } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(ids); i++)
		put_one(p, source(7, DRG_KIND_MEAL, ids[i]));
	put_one(p, source(8, DRG_KIND_MEAL, "9"));
	put_one(p, gone(source(7, DRG_KIND_MEAL, "3")));
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_record key = source(7, DRG_KIND_MEAL, cases[i].from);
		struct rows got = { 0 };
		MUST(p, drg_rows_each(drg_rows_siblings(&rows, p->s, &key, cases[i].limit, &p->err), collect,
		                      &got));
		assert_rows(&got, cases[i].want);
	}
}

static void a_transaction_knows_whether_anything_was_changed(void **state)
{
	struct place *p = *state;
	struct drg_record bad = dict(DRG_KIND_HOTEL, 1);
	const struct drg_kept_answer k = { .name = DRG_STR("x") };
	enum drg_put_result result;
	put_one(p, adapter(1));
	struct drg_txn *t = begun(p);
	put_in(p, t, adapter(1));
	bad.has = 0;
	assert_int_equal(drg_txn_put(t, &bad, &result, NULL), DRG_EINTERNAL);
	assert_int_equal(drg_txn_writes(t), 0);
	assert_false(drg_txn_failed(t));
	put_in(p, t, adapter(2));
	assert_int_equal(drg_txn_writes(t), 1);
	MUST(p, drg_txn_kept_put(t, &k, &p->err));
	assert_int_equal(drg_txn_writes(t), 2);
	drg_txn_rollback(t);
}

/* ---- one import at a time ------------------------------------------------------------------------------- */

static struct drg_store *another(struct place *p)
{
	struct drg_store *s;
	MUST(p, drg_store_open(p->url, DRG_STORE_WRITE, &s, &p->err));
	return s;
}

static void one_handle_has_the_right_to_import(void **state)
{
	struct place *p = *state;
	struct drg_store *other = another(p);
	MUST(p, drg_store_lock_imports(p->s, &p->err));
	assert_int_equal(drg_store_lock_imports(other, &p->err), DRG_EBUSY);
	assert_non_null(strstr(p->err.message, "is held by process "));
	assert_non_null(strstr(p->err.message, ": wait until that import, load or undo is through"));
	put_one(p, adapter(1)); /* nobody is kept from writing */
	drg_store_unlock_imports(p->s);
	MUST(p, drg_store_lock_imports(other, &p->err));
	assert_int_equal(drg_store_lock_imports(p->s, &p->err), DRG_EBUSY);
	drg_store_close(other);
	MUST(p, drg_store_lock_imports(p->s, &p->err));
}

static void a_transaction_has_the_right_until_it_ends(void **state)
{
	struct place *p = *state;
	struct drg_store *other = another(p);
	for (int commit = 0; commit < 2; commit++) {
		struct drg_txn *t = begun(p);
		MUST(p, drg_txn_lock_imports(t, &p->err));
		MUST(p, drg_txn_lock_imports(t, &p->err));
		assert_int_equal(drg_store_lock_imports(other, NULL), DRG_EBUSY);
		if (commit == 0)
			drg_txn_rollback(t);
		else
			MUST(p, drg_txn_commit(t, NULL, &p->err));
		MUST(p, drg_store_lock_imports(other, &p->err));
		t = begun(p);
		assert_int_equal(drg_txn_lock_imports(t, NULL), DRG_EBUSY);
		drg_txn_rollback(t);
		drg_store_unlock_imports(other);
	}
	/* Who imports does not lose the right by a transaction. */
	MUST(p, drg_store_lock_imports(p->s, &p->err));
	struct drg_txn *t = begun(p);
	MUST(p, drg_txn_lock_imports(t, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(drg_store_lock_imports(other, NULL), DRG_EBUSY);
	drg_store_close(other);
}

/* ---- a commit that failed ------------------------------------------------------------------------------- */

static enum drg_outcome settled(struct place *p, const struct drg_txn_mark *mark)
{
	enum drg_outcome outcome = DRG_OUTCOME_STORED;
	place_reopen(p);
	MUST(p, drg_store_resolve_commit(p->s, mark, &outcome, &p->err));
	return outcome;
}

/* What is not committed is what a commit that never reached the disk is. */
static void a_lost_transaction_is_known_to_be_lost(void **state)
{
	struct place *p = *state;
	struct drg_txn_mark mark;
	put_one(p, adapter(1));
	struct drg_txn *t = begun(p);
	put_in(p, t, adapter(2));
	drg_txn_mark(t, &mark);
	assert_int_equal(mark.seq, 2);
	assert_int_equal(mark.before.seq, 1);
	drg_txn_rollback(t);
	assert_int_equal(settled(p, &mark), DRG_OUTCOME_LOST);
	/* Settling is no change of the data. */
	struct drg_clock clock;
	MUST(p, drg_store_clock(p->s, &clock, &p->err));
	assert_int_equal(clock.seq, 1);
	put_one(p, adapter(3));
	/* Another has its seq now. */
	assert_int_equal(settled(p, &mark), engine->settles ? DRG_OUTCOME_LOST : DRG_OUTCOME_UNKNOWN);
}

static void a_stored_transaction_is_never_called_lost(void **state)
{
	const enum drg_outcome want = engine->settles ? DRG_OUTCOME_STORED : DRG_OUTCOME_UNKNOWN;
	struct place *p = *state;
	struct drg_txn_mark mark;
	struct drg_txn *t = begun(p);
	put_in(p, t, adapter(2));
	drg_txn_mark(t, &mark);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(settled(p, &mark), want);
}

static void without_a_seq_nobody_calls_it_lost(void **state)
{
	const enum drg_outcome want = engine->settles ? DRG_OUTCOME_STORED : DRG_OUTCOME_UNKNOWN;
	struct place *p = *state;
	const struct drg_kept_answer k = { .name = DRG_STR("x") };
	struct drg_txn_mark mark;
	struct drg_txn *t = begun(p);
	MUST(p, drg_txn_kept_put(t, &k, &p->err));
	drg_txn_mark(t, &mark);
	assert_int_equal(mark.seq, 0);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_int_equal(settled(p, &mark), want);
}

/* ---- size ----------------------------------------------------------------------------------------------- */

static void a_store_has_a_size_that_grows(void **state)
{
	struct place *p = *state;
	uint64_t before = 0, after = 0;
	struct drg_txn *t;
	MUST(p, drg_store_bytes(p->s, &before, &p->err));
	assert_true(before > 0);
	t = begun(p);
	for (int64_t i = 1; i <= 5000; i++)
		put_in(p, t, adapter(i));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	MUST(p, drg_store_bytes(p->s, &after, &p->err));
	assert_true(after > before + 5000 * 20);
}

GROUP(txn)
{
	const struct CMUnitTest tests[] = {
		on_new_store(a_transaction_reads_what_it_has_written),
		on_new_store(siblings_of_many_are_right_within_a_transaction),
		on_new_store(siblings_are_read_from_one_on_and_no_more_than_are_wanted),
		on_new_store(a_transaction_knows_whether_anything_was_changed),
		on_new_store(one_handle_has_the_right_to_import),
		on_new_store(a_transaction_has_the_right_until_it_ends),
		on_new_store(a_lost_transaction_is_known_to_be_lost),
		on_new_store(a_stored_transaction_is_never_called_lost),
		on_new_store(without_a_seq_nobody_calls_it_lost),
		on_new_store(a_store_has_a_size_that_grows),
	};
	return run_on_every_engine("transactions", tests);
}
