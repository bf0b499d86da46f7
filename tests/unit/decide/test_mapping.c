/* Decisions about mappings, and the events that they leave. */
#include "../curating.h"

#include "decide/history.h"

static const struct drg_decision known = { .adapter = 7, .kind = DRG_KIND_HOTEL, .id = DRG_STR("1002") };

static int count_event(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r;
	(void)m;
	(*(int *)ctx)++;
	return DRG_OK;
}

static int mapping(enum drg_decide_verb verb, int64_t dict_id, struct drg_decision_result *ret)
{
	struct drg_decision d = known;
	d.verb = verb;
	d.dict_id = dict_id;
	int rc = decide(&d, NULL);
	*ret = d.is;
	return rc;
}

static int events_of(const struct drg_decision *d)
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
	struct drg_decision_result c;
	assert_int_equal(mapping(DRG_VERB_MAP, 55, &c), DRG_OK);
	assert_true(c.changed && !c.was_mapped && c.is_mapped && !c.redirected);
	assert_int_equal(c.is, 55);
	assert_int_equal(mapping(DRG_VERB_CLEAR, 0, &c), DRG_OK);
	assert_true(c.changed && c.was_mapped && !c.is_mapped);
	assert_int_equal(c.was, 55);
	assert_int_equal(mapping(DRG_VERB_UNDO, 0, &c), DRG_OK);
	assert_int_equal(c.is, 55);
	assert_int_equal(events_of(&known), 3);
}

static void decision_and_event_are_one_transaction(void **state)
{
	(void)state;
	struct drg_decision_result c;
	int64_t before = clock_now();
	assert_int_equal(mapping(DRG_VERB_MAP, 55, &c), DRG_OK);
	assert_int_equal(clock_now(), before + 1);
}

static void what_changes_nothing_takes_no_seq(void **state)
{
	(void)state;
	struct drg_decision_result c;
	int64_t before = clock_now();
	assert_int_equal(mapping(DRG_VERB_CLEAR, 0, &c), DRG_OK);
	assert_false(c.changed);
	assert_int_equal(clock_now(), before);
	assert_int_equal(events_of(&known), 0);
}

static const struct {
	const char *name;
	struct drg_decision d;
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
	{ "bad UTF-8",
	  { .adapter = 7,
	    .kind = DRG_KIND_HOTEL,
	    .id = DRG_STR("1002"),
	    .dict_id = 55,
	    .why = DRG_STR("\xff") },
	  DRG_EINVAL,
	  "",
	  "why: expected a text of 1 to 1024 characters, found a text that is not UTF-8" },
};

static void a_refusal_changes_nothing(void **state)
{
	(void)state;
	for (size_t i = 0; i < DRG_ARRAY_LEN(refused); i++) {
		struct drg_decision d = refused[i].d;
		struct drg_ledger j = { .what = DRG_BATCH_DECIDE };
		struct drg_txn *t;
		print_message("%s\n", refused[i].name);
		drg_ledger_init(&j);
		assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
		assert_int_equal(drg_decisions_run(t, &j, &d, 1, NULL), DRG_OK);
		assert_int_equal(d.is.rc, refused[i].rc);
		assert_int_equal(drg_txn_writes(t), 0);
		assert_int_equal(j.state.batch, 0);
		drg_txn_rollback(t);
		drg_ledger_done(&j);
		assert_non_null(strstr(d.is.err.message, refused[i].message));
		if (refused[i].reason[0] != '\0')
			assert_string_equal(d.is.err.reason, refused[i].reason);
	}
}

static void by_of_all_is_a_text_that_can_be_kept(void **state)
{
	(void)state;
	struct drg_decision d = known;
	struct drg_decisions all = { .v = &d, .n = 1, .by = DRG_STR("\x01") };
	struct drg_err e = { 0 };
	assert_int_equal(drg_txn_run(s, drg_decisions_run_batch, &all, &e), DRG_EINVAL);
	assert_non_null(strstr(e.message, "by: "));
}

/* ---- several as one ------------------------------------------------------------------------------------ */

/* Map, map elsewhere, take that back; and one that is refused, which harms no other. */
static void several_are_one_transaction_and_each_sees_the_one_before(void **state)
{
	(void)state;
	struct drg_decision d[] = { known, known, known, known };
	struct drg_decisions all = { .v = d, .n = DRG_ARRAY_LEN(d) };
	int64_t before = clock_now();
	d[0].dict_id = 55;
	d[1].dict_id = 56;
	d[2].dict_id = 99;
	d[3].verb = DRG_VERB_UNDO;
	assert_int_equal(drg_txn_run(s, drg_decisions_run_batch, &all, NULL), DRG_OK);
	assert_int_equal(clock_now(), before + 1);
	assert_int_equal(d[1].is.was, 55);
	assert_string_equal(d[2].is.err.reason, "unknown_dict");
	assert_int_equal(d[3].is.is, 55);
	assert_int_equal(events_of(&known), 3);
	assert_true(all.batch > 0);
}

/* An import in between would be two halves of a merge: a decision keeps it out by itself. */
static void a_merge_is_a_decision_like_others(void **state)
{
	(void)state;
	struct drg_decision d[] = {
		known,
		{ .verb = DRG_VERB_MERGE, .kind = DRG_KIND_HOTEL, .dict_id = 55, .into = 56 },
		{ .verb = DRG_VERB_SPLIT, .kind = DRG_KIND_HOTEL, .dict_id = 55 }
	};
	struct drg_decisions all = { .v = d, .n = DRG_ARRAY_LEN(d) };
	d[0].dict_id = 55;
	assert_int_equal(drg_txn_run(s, drg_decisions_run_batch, &all, NULL), DRG_OK);
	assert_int_equal(events_of(&known), 3);
	struct drg_decision_result c;
	assert_int_equal(mapping(DRG_VERB_CLEAR, 0, &c), DRG_OK);
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
	struct drg_decision_result c;
	assert_int_equal(mapping(DRG_VERB_MAP, 900, &c), DRG_OK);
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
	struct drg_decision d = known;
	struct drg_decision_result c;
	struct drg_err e = { 0 };
	d.verb = DRG_VERB_UNDO;
	assert_int_equal(mapping(DRG_VERB_MAP, 55, &c), DRG_OK);
	map_without_a_decision(56);
	int64_t before = clock_now();
	assert_int_equal(decide(&d, &e), DRG_EINVAL);
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
		TEST(by_of_all_is_a_text_that_can_be_kept),
		TEST(several_are_one_transaction_and_each_sees_the_one_before),
		TEST(a_merge_is_a_decision_like_others),
		TEST(texts_have_their_limits),
		TEST(events_come_in_the_order_of_time),
		TEST(resolve_follows_redirects),
		TEST(what_was_mapped_elsewhere_since_is_not_undone),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
