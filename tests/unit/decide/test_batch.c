/* The ledger (decide/ledger.h): what it keeps of a batch, and how a batch is taken back. */
#include "../curating.h"

#include "decide/batch.h"
#include "decide/history.h"
#include "decide/ledger.h"
#include "decide/undo/batch_items.h"
#include "store/coverage.h"
#include "store/fetch.h"

static void hotel_key(struct drg_record *r)
{
	drg_key_source(r, 7, DRG_KIND_HOTEL, DRG_STR("1002"));
}

static int64_t mapped_to(void)
{
	struct drg_record key, r;
	struct drg_arena arena;
	hotel_key(&key);
	drg_arena_init(&arena, 1 << 20);
	assert_int_equal(drg_fetch(s, &key, &arena, &r, NULL), DRG_OK);
	int64_t dict = drg_record_i(&r, DRG_F_DICT_ID, 0);
	drg_arena_done(&arena);
	return dict;
}

/* The known hotel of the fixture, mapped. */
static void map_in(struct drg_ledger *j, struct drg_txn *t, int64_t dict)
{
	struct drg_record key, r;
	struct drg_arena arena;
	enum drg_put_result result;
	hotel_key(&key);
	drg_arena_init(&arena, 1 << 20);
	assert_int_equal(drg_fetch(drg_txn_store(t), &key, &arena, &r, NULL), DRG_OK);
	r.nulls &= ~(UINT64_C(1) << DRG_F_DICT_ID);
	drg_record_set_i(&r, DRG_F_DICT_ID, dict);
	assert_int_equal(drg_ledger_put(j, t, &r, &result, NULL), DRG_OK);
	assert_int_equal(result, DRG_PUT_CHANGED);
	drg_arena_done(&arena);
}

static void rename_in(struct drg_ledger *j, struct drg_txn *t, const char *id, int n)
{
	struct drg_record r;
	enum drg_put_result result;
	char name[32];
	snprintf(name, sizeof name, "Renamed %d", n);
	drg_key_source(&r, 7, DRG_KIND_HOTEL, drg_str_c(id));
	drg_record_set_s(&r, DRG_F_NAME, drg_str_c(name));
	assert_int_equal(drg_ledger_put(j, t, &r, &result, NULL), DRG_OK);
	assert_int_equal(result, DRG_PUT_CHANGED);
}

static struct drg_ledger ledger_of(enum drg_batch_what what)
{
	struct drg_ledger j = { .what = what, .by = DRG_STR("olena") };
	drg_ledger_init(&j);
	return j;
}

static struct drg_txn *begun(void)
{
	struct drg_txn *t;
	assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
	return t;
}

static void committed(struct drg_ledger *j, struct drg_txn *t)
{
	assert_int_equal(drg_ledger_end(j, t, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
}

struct seen_events {
	unsigned n;
	enum drg_how how;
	int64_t batch;
};

static int see_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct seen_events *e = ctx;
	(void)m;
	e->n++;
	e->how = (enum drg_how)drg_record_i(r, DRG_F_HOW, DRG_HOW_SET);
	e->batch = drg_record_i(r, DRG_F_OF_BATCH, 0);
	return DRG_OK;
}

static struct seen_events seen(void)
{
	struct seen_events e = { .n = 0 };
	struct drg_record key;
	hotel_key(&key);
	assert_int_equal(drg_event_each(s, &key, see_event, &e, NULL), DRG_OK);
	return e;
}

static int count_item(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r, (void)m;
	(*(unsigned *)ctx)++;
	return DRG_OK;
}

static void a_transaction_that_was_not_committed_leaves_nothing_where_the_state_is_set_back(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_MATCH);
	const struct drg_ledger_state before = j.state;
	unsigned items = 0;
	(void)state;
	struct drg_txn *t = begun();
	map_in(&j, t, 55);
	drg_txn_rollback(t);
	j.state = before;
	t = begun();
	map_in(&j, t, 55);
	committed(&j, t);
	const struct seen_events e = seen();
	assert_int_equal(e.n, 1);
	assert_int_equal(e.how, DRG_HOW_MATCH);
	assert_int_equal(e.batch, j.state.batch);
	assert_int_equal(drg_batch_items(s, j.state.batch, count_item, &items, NULL), DRG_OK);
	assert_int_equal(items, 1);
	drg_ledger_done(&j);
}

static void of_one_source_twice_in_a_batch_both_are_kept_and_the_first_state_comes_back(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_MAP);
	struct drg_txn *t = begun();
	(void)state;
	map_in(&j, t, 55);
	map_in(&j, t, 56);
	committed(&j, t);
	assert_int_equal(seen().n, 2);
	assert_int_equal(mapped_to(), 56);
	struct drg_batch_undo u = { .batch = j.state.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_int_equal(mapped_to(), 0);
	assert_int_equal(seen().how, DRG_HOW_UNDO);
	drg_ledger_done(&j);
}

/* The order in which the store writes fastest, whatever the order of the list; of a record that came twice
 * its first state. */
/** It is kept with events, which imports must take again. */
static void by_and_why_of_an_undo_are_texts_that_can_be_kept(void **state)
{
	static char long_text[1025];
	struct drg_ledger j = ledger_of(DRG_BATCH_MAP);
	struct drg_txn *t = begun();
	struct drg_err e;
	(void)state;
	map_in(&j, t, 55);
	committed(&j, t);
	memset(long_text, 'x', sizeof long_text);
	const struct {
		struct drg_str by, why;
		const char *field;
	} bad[] = { { DRG_STR("a\001b"), DRG_STR(""), "by" },
		    { DRG_STR("\xff"), DRG_STR(""), "by" },
		    { { long_text, 1000 }, DRG_STR(""), "by" },
		    { DRG_STR("olena"), DRG_STR("a\001b"), "why" },
		    { DRG_STR("olena"), { long_text, 1025 }, "why" } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(bad); i++) {
		struct drg_batch_undo u = { .batch = j.state.batch, .by = bad[i].by, .why = bad[i].why };
		assert_int_equal(drg_batch_undo(s, &u, &e), DRG_EINVAL);
		assert_string_equal(e.field, bad[i].field);
	}
	assert_int_equal(mapped_to(), 55);
	drg_ledger_done(&j);
}

static void what_a_batch_changed_is_read_in_the_order_of_identities(void **state)
{
	static const char *const ids[] = { "1002", "1001", "1002", "1001-B" };
	static const char *const want[] = { "1001", "1001-B", "1002" };
	struct drg_ledger j = ledger_of(DRG_BATCH_MAP);
	struct drg_batch_items items;
	struct drg_txn *t = begun();
	(void)state;
	for (unsigned i = 0; i < DRG_ARRAY_LEN(ids); i++)
		rename_in(&j, t, ids[i], (int)i);
	committed(&j, t);
	assert_int_equal(drg_batch_items_read(s, j.state.batch, 0, &items, NULL), DRG_OK);
	assert_int_equal(items.n, DRG_ARRAY_LEN(want));
	assert_false(drg_batch_items_more(&items));
	for (unsigned i = 0; i < items.n; i++) {
		struct drg_str was = drg_batch_item(&items, i).was;
		char id[32];
		snprintf(id, sizeof id, "\"id\":\"%s\"", want[i]);
		assert_non_null(memmem(was.p, was.n, id, strlen(id)));
		assert_null(memmem(was.p, was.n, "Renamed", 7));
	}
	drg_batch_items_done(&items);
	drg_ledger_done(&j);
}

/* A part has what the parts before had not, in its own order. */
static void a_large_batch_is_read_in_parts(void **state)
{
	static const char *const ids[] = { "1002", "1001", "1002", "1001-B", "1001", "1002" };
	static const char *const want[][2] = { { "1001", "1002" }, { "1001-B", NULL } };
	struct drg_ledger j = ledger_of(DRG_BATCH_MAP);
	struct drg_batch_items items;
	struct drg_txn *t = begun();
	(void)state;
	for (unsigned i = 0; i < DRG_ARRAY_LEN(ids); i++)
		rename_in(&j, t, ids[i], (int)i);
	committed(&j, t);
	assert_int_equal(drg_batch_items_read(s, j.state.batch, 2, &items, NULL), DRG_OK);
	assert_int_equal(items.seqs.n, sizeof(int64_t));
	for (unsigned part = 0; part < DRG_ARRAY_LEN(want); part++) {
		for (unsigned i = 0; i < 2 && want[part][i] != NULL; i++) {
			struct drg_str was = drg_batch_item(&items, i).was;
			char id[32];
			snprintf(id, sizeof id, "\"id\":\"%s\"", want[part][i]);
			assert_non_null(memmem(was.p, was.n, id, strlen(id)));
			assert_null(memmem(was.p, was.n, "Renamed", 7));
		}
		assert_int_equal(items.n, want[part][1] != NULL ? 2 : 1);
		assert_int_equal(drg_batch_items_more(&items), part == 0);
		if (part == 0)
			assert_int_equal(drg_batch_items_next(s, &items, NULL), DRG_OK);
	}
	drg_batch_items_done(&items);
	drg_ledger_done(&j);
}

/* A server's writer commits a run of the matcher together with what others register. */
static void what_others_create_in_a_commit_of_the_matcher_stays(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_MATCH);
	enum drg_put_result result;
	struct drg_record other;
	struct drg_txn *t = begun();
	(void)state;
	map_in(&j, t, 55);
	drg_key_source(&other, 7, DRG_KIND_HOTEL, DRG_STR("of others"));
	drg_record_set_s(&other, DRG_F_NAME, DRG_STR("Of others"));
	assert_int_equal(drg_txn_put(t, &other, &result, NULL), DRG_OK);
	committed(&j, t);
	struct drg_batch_undo u = { .batch = j.state.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_int_equal(mapped_to(), 0);
	drg_key_source(&other, 7, DRG_KIND_HOTEL, DRG_STR("of others"));
	assert_int_equal(drg_store_exists(s, &other, NULL), DRG_OK);
	drg_ledger_done(&j);
}

/* ---- what others do meanwhile -------------------------------------------------------------------------- */

static void put_source(struct drg_store *in, const char *id, const char *name)
{
	struct drg_record r;
	struct drg_txn *t;
	enum drg_put_result result;
	drg_key_source(&r, 7, DRG_KIND_HOTEL, drg_str_c(id));
	r.deleted = name == NULL;
	if (name != NULL)
		drg_record_set_s(&r, DRG_F_NAME, drg_str_c(name));
	assert_int_equal(drg_store_begin(in, &t, NULL), DRG_OK);
	assert_int_equal(drg_txn_put(t, &r, &result, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
}

static void what_was_removed_since_stays_removed(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_LOAD);
	struct drg_record key;
	struct drg_txn *t = begun();
	(void)state;
	rename_in(&j, t, "1002", 1);
	committed(&j, t);
	put_source(s, "1002", NULL);
	struct drg_batch_undo u = { .batch = j.state.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	hotel_key(&key);
	assert_int_equal(drg_store_exists(s, &key, NULL), DRG_ENOENT);
	assert_int_equal(u.kept, 1);
	assert_int_equal(u.restored, 0);
	drg_ledger_done(&j);
}

static void rename_the_other(void *ctx, const struct drg_record *r, const char *why)
{
	(void)why;
	if (drg_str_eq(r->v[DRG_F_SOURCE_ID].s, DRG_STR("second")))
		put_source(ctx, "first", "By a person, just now");
}

static void what_is_changed_while_it_is_taken_back_stays(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_LOAD);
	enum drg_put_result result;
	struct drg_record r;
	struct drg_store *other;
	struct drg_txn *t = begun();
	(void)state;
	for (int i = 0; i < 2; i++) {
		drg_key_source(&r, 7, DRG_KIND_HOTEL, i == 0 ? DRG_STR("first") : DRG_STR("second"));
		drg_record_set_s(&r, DRG_F_NAME, DRG_STR("As it came"));
		assert_int_equal(drg_ledger_put(&j, t, &r, &result, NULL), DRG_OK);
	}
	committed(&j, t);
	put_source(s, "second", "By a person");
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &other, NULL), DRG_OK);
	struct drg_batch_undo u = { .batch = j.state.batch, .left = rename_the_other, .ctx = other };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	drg_key_source(&r, 7, DRG_KIND_HOTEL, DRG_STR("first"));
	assert_int_equal(drg_store_exists(s, &r, NULL), DRG_OK);
	assert_int_equal(u.kept, 2);
	assert_int_equal(u.removed, 0);
	drg_store_close(other);
	drg_ledger_done(&j);
}

/* ---- one that is interrupted --------------------------------------------------------------------------- */

struct interruption {
	atomic_bool now;
	unsigned left; /* records that were told of */
};

static void interrupt_it(void *ctx, const struct drg_record *r, const char *why)
{
	struct interruption *x = ctx;
	(void)why;
	x->left++;
	assert_true(drg_str_eq(r->v[DRG_F_SOURCE_ID].s, DRG_STR("1001-B")));
	atomic_store(&x->now, true);
}

static struct drg_str name_of(const char *id, struct drg_arena *arena)
{
	struct drg_record key, r;
	drg_key_source(&key, 7, DRG_KIND_HOTEL, drg_str_c(id));
	assert_int_equal(drg_fetch(s, &key, arena, &r, NULL), DRG_OK);
	return r.v[DRG_F_NAME].s;
}

/* Three records, one of which a person has changed since. */
static int64_t renamed_batch(struct drg_ledger *j)
{
	struct drg_txn *t = begun();
	rename_in(j, t, "1001", 1);
	rename_in(j, t, "1001-B", 2);
	rename_in(j, t, "1002", 3);
	committed(j, t);
	put_source(s, "1001-B", "By a person");
	return j->state.batch;
}

static void one_that_was_interrupted_is_completed_and_told_as_one(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_LOAD);
	struct interruption x = { .left = 0 };
	struct drg_arena arena;
	(void)state;
	drg_arena_init(&arena, 1 << 20);
	struct drg_str before = name_of("1001", &arena), last = name_of("1002", &arena);
	/* A part each, so that what is done is stored. */
	struct drg_batch_undo u = {
		.batch = renamed_batch(&j), .part = 1, .left = interrupt_it, .leave = &x.now, .ctx = &x
	};
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_ESTOPPED);
	assert_true(drg_str_eq(name_of("1001", &arena), before));
	assert_true(drg_str_eq(name_of("1002", &arena), DRG_STR("Renamed 3")));
	u.leave = NULL;
	x.left = 0;
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_true(drg_str_eq(name_of("1002", &arena), last));
	assert_int_equal(u.restored, 2);
	assert_int_equal(u.kept, 1);
	assert_int_equal(x.left, 1);
	drg_arena_done(&arena);
	drg_ledger_done(&j);
}

/* What was decided between the two is a person's. */
static void what_is_changed_between_an_interruption_and_its_completion_stays(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_LOAD);
	struct interruption x = { .left = 0 };
	struct drg_arena arena;
	(void)state;
	struct drg_batch_undo u = {
		.batch = renamed_batch(&j), .part = 1, .left = interrupt_it, .leave = &x.now, .ctx = &x
	};
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_ESTOPPED);
	put_source(s, "1001", "By a person, later");
	u = (struct drg_batch_undo){ .batch = u.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_int_equal(u.kept, 2);
	drg_arena_init(&arena, 1 << 20);
	assert_true(drg_str_eq(name_of("1001", &arena), DRG_STR("By a person, later")));
	drg_arena_done(&arena);
	drg_ledger_done(&j);
}

/* Who had the lock may have taken it back: what is known of the batch before that is old. */
static void the_lock_comes_before_the_look_at_the_batch(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_LOAD);
	struct drg_err err;
	struct drg_store *other;
	struct drg_txn *t = begun();
	(void)state;
	rename_in(&j, t, "1001", 1);
	committed(&j, t);
	struct drg_batch_undo u = { .batch = j.state.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &other, NULL), DRG_OK);
	assert_int_equal(drg_store_lock_imports(other, NULL), DRG_OK);
	assert_int_equal(drg_batch_undo(s, &u, &err), DRG_EBUSY);
	drg_store_close(other);
	assert_int_equal(drg_batch_undo(s, &u, &err), DRG_EINVAL);
	drg_ledger_done(&j);
}

static bool batch_is_of(const struct drg_ledger *j, int64_t adapter)
{
	struct drg_record key, r;
	struct drg_arena arena;
	drg_key_batch(&key, j->state.batch);
	drg_arena_init(&arena, 1 << 20);
	assert_int_equal(drg_fetch(s, &key, &arena, &r, NULL), DRG_OK);
	bool ret = drg_ledger_of_adapter(&r, adapter);
	drg_arena_done(&arena);
	return ret;
}

/* It may have written records of others since it said anything. */
static void one_that_does_not_come_to_its_end_may_be_of_any_supplier(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_IMPORT);
	struct drg_txn *t = begun();
	(void)state;
	rename_in(&j, t, "1001", 1);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
	assert_true(batch_is_of(&j, 7) && batch_is_of(&j, 8));
	t = begun();
	rename_in(&j, t, "1002", 1);
	committed(&j, t);
	assert_true(batch_is_of(&j, 7) && !batch_is_of(&j, 8));
	drg_ledger_done(&j);
}

static void a_mapping_of_before_leads_to_what_its_record_was_merged_into(void **state)
{
	struct drg_ledger first = ledger_of(DRG_BATCH_LOAD), j = ledger_of(DRG_BATCH_LOAD);
	struct drg_decision m = { .verb = DRG_VERB_MERGE, .kind = DRG_KIND_HOTEL, .dict_id = 58, .into = 56 };
	struct drg_txn *t = begun();
	(void)state;
	map_in(&first, t, 58);
	committed(&first, t);
	t = begun();
	map_in(&j, t, 57);
	committed(&j, t);
	assert_int_equal(decide(&m, NULL), DRG_OK);
	struct drg_batch_undo u = { .batch = j.state.batch };
	assert_int_equal(drg_batch_undo(s, &u, NULL), DRG_OK);
	assert_int_equal(mapped_to(), 56);
	drg_ledger_done(&first);
	drg_ledger_done(&j);
}

/* ---- coverage, which is counted as it is written ------------------------------------------------------- */

static int take_hotels(void *ctx, const struct drg_coverage *c)
{
	if (c->adapter == 7 && c->kind == DRG_KIND_HOTEL)
		*(struct drg_coverage *)ctx = *c;
	return DRG_OK;
}

static struct drg_coverage hotels(int64_t since_day)
{
	struct drg_coverage c = { .adapter = 0 };
	assert_int_equal(drg_store_coverage(s, since_day, take_hotels, &c, NULL), DRG_OK);
	return c;
}

static void coverage_moves_with_commits_and_with_nothing_else(void **state)
{
	struct drg_ledger j = ledger_of(DRG_BATCH_MAP);
	const struct drg_coverage before = hotels(INT64_MAX);
	(void)state;
	assert_true(before.records == 3 && before.mapped == 2);
	struct drg_txn *t = begun();
	map_in(&j, t, 55);
	drg_txn_rollback(t);
	assert_int_equal(hotels(INT64_MAX).mapped, 2);
	j.state = (struct drg_ledger_state){ .batch = 0 };
	t = begun();
	map_in(&j, t, 55);
	map_in(&j, t, 56);
	committed(&j, t);
	assert_int_equal(hotels(INT64_MAX).mapped, 3);
	assert_int_equal(hotels(0).mapped_since, 3);
	assert_int_equal(hotels(INT64_MAX).mapped_since, 0);
	drg_ledger_done(&j);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, set_up, tear_down)

GROUP(batch)
{
	const struct CMUnitTest tests[] = {
		TEST(a_transaction_that_was_not_committed_leaves_nothing_where_the_state_is_set_back),
		TEST(of_one_source_twice_in_a_batch_both_are_kept_and_the_first_state_comes_back),
		TEST(by_and_why_of_an_undo_are_texts_that_can_be_kept),
		TEST(what_a_batch_changed_is_read_in_the_order_of_identities),
		TEST(a_large_batch_is_read_in_parts),
		TEST(one_that_was_interrupted_is_completed_and_told_as_one),
		TEST(what_is_changed_between_an_interruption_and_its_completion_stays),
		TEST(the_lock_comes_before_the_look_at_the_batch),
		TEST(one_that_does_not_come_to_its_end_may_be_of_any_supplier),
		TEST(what_others_create_in_a_commit_of_the_matcher_stays),
		TEST(what_was_removed_since_stays_removed),
		TEST(what_is_changed_while_it_is_taken_back_stays),
		TEST(a_mapping_of_before_leads_to_what_its_record_was_merged_into),
		TEST(coverage_moves_with_commits_and_with_nothing_else),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
