/* Decisions about mappings, and the events that they leave. */
#include "curating.h"

#include "admin/keys.h"
#include "curate/history.h"
#include "curate/mapping.h"
#include "curate/reference/merge.h"

static const struct drg_mapping_decision known = { .adapter = 7,
	                                           .kind = DRG_KIND_HOTEL,
	                                           .id = DRG_STR("1002") };

static int count_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r;
	(void)m;
	(*(int *)ctx)++;
	return DRG_OK;
}

/* As a command does it. */
static int mapping(drg_txn_fn *run, int64_t dict_id, struct drg_mapping_change *ret)
{
	struct drg_mapping_decision d = known;
	d.dict_id = dict_id;
	int rc = drg_txn_run(s, run, &d, NULL);
	*ret = d.change;
	return rc;
}

static int events_of(const struct drg_mapping_decision *d)
{
	struct drg_record key;
	int n = 0;
	drg_key_source(&key, d->adapter, d->kind, d->id);
	assert_int_equal(drg_event_each(s, &key, count_event, &n, NULL), DRG_OK);
	return n;
}

static void a_change_tells_what_was_and_what_is(void **state)
{
	(void)state;
	struct drg_mapping_change c;
	assert_int_equal(mapping(drg_mapping_set, 55, &c), DRG_OK);
	assert_true(c.changed && !c.was_mapped && c.is_mapped && !c.redirected);
	assert_int_equal(c.is, 55);
	assert_int_equal(mapping(drg_mapping_clear, 0, &c), DRG_OK);
	assert_true(c.changed && c.was_mapped && !c.is_mapped);
	assert_int_equal(c.was, 55);
	assert_int_equal(mapping(drg_mapping_undo, 0, &c), DRG_OK);
	assert_int_equal(c.is, 55);
	assert_int_equal(events_of(&known), 3);
}

static void decision_and_event_are_one_transaction(void **state)
{
	(void)state;
	struct drg_mapping_change c;
	int64_t before = clock_now();
	assert_int_equal(mapping(drg_mapping_set, 55, &c), DRG_OK);
	assert_int_equal(clock_now(), before + 1);
}

static void what_changes_nothing_takes_no_seq(void **state)
{
	(void)state;
	struct drg_mapping_change c;
	int64_t before = clock_now();
	assert_int_equal(mapping(drg_mapping_clear, 0, &c), DRG_OK);
	assert_false(c.changed);
	assert_int_equal(clock_now(), before);
	assert_int_equal(events_of(&known), 0);
}

static const struct {
	const char *name;
	struct drg_mapping_decision d;
	int rc;
	const char *reason, *message;
} refused[] = {
	{ "adapter",
	  { .adapter = 99, .kind = DRG_KIND_HOTEL, .id = DRG_STR("1002"), .dict_id = 55 },
	  DRG_ENOENT,
	  "unknown_adapter",
	  "there is no adapter 99" },
	{ "source",
	  { .adapter = 7, .kind = DRG_KIND_HOTEL, .id = DRG_STR("zz"), .dict_id = 55 },
	  DRG_ENOENT,
	  "unknown_source",
	  "adapter 7 has no hotel \"zz\"" },
	{ "dict record",
	  { .adapter = 7, .kind = DRG_KIND_HOTEL, .id = DRG_STR("1002"), .dict_id = 99 },
	  DRG_ENOENT,
	  "unknown_dict",
	  "there is no hotel 99 in the common reference" },
	{ "control character",
	  { .adapter = 7,
	    .kind = DRG_KIND_HOTEL,
	    .id = DRG_STR("1002"),
	    .dict_id = 55,
	    .by = DRG_STR("\x01") },
	  DRG_EINVAL,
	  "",
	  "by: " },
	{ "bad UTF-8",
	  { .adapter = 7,
	    .kind = DRG_KIND_HOTEL,
	    .id = DRG_STR("1002"),
	    .dict_id = 55,
	    .why = DRG_STR("\xff") },
	  DRG_EINVAL,
	  "",
	  "why: expected UTF-8" },
};

static void a_refusal_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(refused); i++) {
		struct drg_mapping_decision d = refused[i].d;
		struct drg_err e = { 0 };
		struct drg_txn *t;
		d.change.asked = 4711;
		print_message("%s\n", refused[i].name);
		assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
		assert_int_equal(drg_mapping_set(&d, t, &e), refused[i].rc);
		assert_int_equal(drg_txn_writes(t), 0);
		drg_txn_rollback(t);
		assert_non_null(strstr(e.message, refused[i].message));
		if (refused[i].reason[0] != '\0')
			assert_string_equal(e.reason, refused[i].reason);
		assert_int_equal(d.change.asked, 4711); /* results are written only on success */
	}
}

/* ---- several as one --------------------------------------------------------------------------------------- */

enum { STEPS = 4 };

/* Map, map elsewhere, take that back, and give a key beside: of several parts of the program. */
static void make_batch(struct drg_mapping_decision d[3], struct drg_key_creation *key,
                       struct drg_step steps[STEPS])
{
	d[0] = d[1] = d[2] = known;
	d[0].dict_id = 55;
	d[1].dict_id = 56;
	*key = (struct drg_key_creation){ .spec = { .api = DRG_API_A } };
	steps[0] = (struct drg_step){ drg_mapping_set, &d[0] };
	steps[1] = (struct drg_step){ drg_mapping_set, &d[1] };
	steps[2] = (struct drg_step){ drg_mapping_undo, &d[2] };
	steps[3] = (struct drg_step){ drg_keys_create, key };
}

static void a_batch_is_one_transaction_and_each_sees_the_one_before(void **state)
{
	(void)state;
	struct drg_mapping_decision d[3];
	struct drg_key_creation key;
	struct drg_step steps[STEPS];
	struct drg_batch b = { .steps = steps, .n = STEPS };
	int64_t before = clock_now();
	make_batch(d, &key, steps);
	assert_int_equal(drg_txn_run(s, drg_batch_run, &b, NULL), DRG_OK);
	assert_int_equal(b.done, STEPS);
	assert_int_equal(clock_now(), before + 1);
	assert_int_equal(d[1].change.was, 55);
	assert_int_equal(d[2].change.is, 55);
	assert_int_equal(events_of(&known), 3);
	assert_true(key.made.id > 0);
}

static void a_batch_is_all_or_nothing(void **state)
{
	(void)state;
	struct drg_mapping_decision d[3];
	struct drg_key_creation key;
	struct drg_step steps[STEPS];
	struct drg_batch b = { .steps = steps, .n = STEPS };
	struct drg_err e = { 0 };
	int64_t before = clock_now();
	make_batch(d, &key, steps);
	d[1].dict_id = 99;
	assert_int_equal(drg_txn_run(s, drg_batch_run, &b, &e), DRG_ENOENT);
	assert_string_equal(e.reason, "unknown_dict");
	assert_int_equal(b.done, 1);
	assert_int_equal(clock_now(), before);
	assert_int_equal(events_of(&known), 0);
	d[1].dict_id = 56;
	assert_int_equal(drg_txn_run(s, drg_batch_run, &b, &e), DRG_OK);
	assert_int_equal(events_of(&known), 3);
}

/* An import in between would be two halves of a merge: a decision keeps it out by itself. */
static void a_merge_is_a_step_like_others(void **state)
{
	(void)state;
	struct drg_mapping_decision d = known;
	struct drg_merge m = { .kind = DRG_KIND_HOTEL, .from = 55, .into = 56 };
	const struct drg_step steps[] = { { drg_mapping_set, &d },
		                          { drg_dict_merge, &m },
		                          { drg_dict_split, &m } };
	struct drg_batch b = { .steps = steps, .n = 3 };
	d.dict_id = 55;
	assert_int_equal(drg_txn_run(s, drg_batch_run, &b, NULL), DRG_OK);
	assert_int_equal(events_of(&known), 3);
	struct drg_mapping_change c;
	assert_int_equal(mapping(drg_mapping_clear, 0, &c), DRG_OK);
	assert_int_equal(c.was, 55);
}

static void texts_have_their_limits(void **state)
{
	(void)state;
	char text[1100];
	struct drg_err e;
	memset(text, 'x', sizeof text);
	const struct {
		size_t by, why;
		int rc;
	} cases[] = { { 255, 1024, DRG_OK }, { 256, 1, DRG_EINVAL }, { 1, 1025, DRG_EINVAL } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_audit d = { .by = { text, cases[i].by }, .why = { text, cases[i].why } };
		assert_int_equal(drg_audit_check(&d, &e), cases[i].rc);
	}
}

static int note_to(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_buf *b = ctx;
	drg_buf_i64(b, drg_record_i(r, DRG_F_TO, 0));
	drg_buf_char(b, ' ');
	return DRG_OK;
}

/* As texts their order is another. */
static void events_come_in_the_order_of_time(void **state)
{
	(void)state;
	struct drg_record key;
	struct drg_buf b;
	int64_t at;
	drg_buf_init(&b, 100);
#define EVENT(at, to)                                                                                        \
	"{\"type\":\"mapping_event\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"1002\",\"at\":\"2026-01-"  \
	"01T0"                                                                                               \
	"0:00:00" at "Z\",\"to\":" to "}\n"
	const struct drg_import_options o = { .threads = 1 };
	assert_int_equal(
	        importing_text(&data, EVENT(".001", "2") EVENT(".001001", "3") EVENT(".000999", "1"), o),
	        DRG_OK);
	drg_key_source(&key, 7, DRG_KIND_HOTEL, DRG_STR("1002"));
	assert_int_equal(drg_event_each(s, &key, note_to, &b, NULL), DRG_OK);
	assert_true(drg_str_eq(drg_buf_view(&b), DRG_STR("1 2 3 ")));
	/* 2026-01-01T00:00:00Z is 1767225600. */
	assert_int_equal(drg_event_next_at(s, &key, 0, &at, NULL), DRG_OK);
	assert_int_equal(at, INT64_C(1767225600001002));
	assert_int_equal(drg_event_next_at(s, &key, INT64_C(1767225600001003), &at, NULL), DRG_OK);
	assert_int_equal(at, INT64_C(1767225600001003));
	drg_buf_done(&b);
}

static void resolve_follows_redirects(void **state)
{
	(void)state;
	const struct drg_import_options o = { .threads = 1 };
	int64_t id = 4711;
	struct drg_err e;
	assert_int_equal(
	        importing_text(&data, "{\"type\":\"redirect\",\"kind\":\"hotel\",\"id\":900,\"to\":55}\n", o),
	        DRG_OK);
	assert_int_equal(drg_resolve(s, DRG_KIND_HOTEL, 999, &id, &e), DRG_ENOENT);
	assert_int_equal(id, 4711);
	assert_int_equal(drg_resolve(s, DRG_KIND_HOTEL, 900, &id, &e), DRG_OK);
	assert_int_equal(id, 55);
	assert_int_equal(drg_resolve(s, DRG_KIND_HOTEL, 56, &id, &e), DRG_OK);
	assert_int_equal(id, 56);
	struct drg_mapping_change c;
	assert_int_equal(mapping(drg_mapping_set, 900, &c), DRG_OK);
	assert_true(c.redirected);
	assert_int_equal(c.asked, 900);
	assert_int_equal(c.is, 55);
}

/* As an import does that may take mappings over from another store. */
static void map_without_a_decision(int64_t dict_id)
{
	struct drg_record r;
	struct drg_txn *t;
	enum drg_put_result result;
	drg_key_source(&r, known.adapter, known.kind, known.id);
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("BELEK GOLF"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	drg_record_set_i(&r, DRG_F_DICT_ID, dict_id);
	assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
	assert_int_equal(drg_txn_put(t, &r, &result, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
}

static void what_was_mapped_elsewhere_since_is_not_undone(void **state)
{
	(void)state;
	struct drg_mapping_decision d = known;
	struct drg_mapping_change c;
	struct drg_err e = { 0 };
	assert_int_equal(mapping(drg_mapping_set, 55, &c), DRG_OK);
	map_without_a_decision(56);
	int64_t before = clock_now();
	assert_int_equal(drg_txn_run(s, drg_mapping_undo, &d, &e), DRG_EINVAL);
	assert_string_equal(e.reason, "changed_since");
	assert_int_equal(clock_now(), before);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(mapping)
{
	const struct CMUnitTest tests[] = {
		TEST(a_change_tells_what_was_and_what_is),
		TEST(decision_and_event_are_one_transaction),
		TEST(what_changes_nothing_takes_no_seq),
		TEST(a_refusal_changes_nothing),
		TEST(a_batch_is_one_transaction_and_each_sees_the_one_before),
		TEST(a_batch_is_all_or_nothing),
		TEST(a_merge_is_a_step_like_others),
		TEST(texts_have_their_limits),
		TEST(events_come_in_the_order_of_time),
		TEST(resolve_follows_redirects),
		TEST(what_was_mapped_elsewhere_since_is_not_undone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
