/* Merges and splits: their parts, their limits, and what they refuse. The rules are walked by tests/api. */
#include "../curating.h"

#include "decide/history.h"
#include "decide/reference/merge_journal.h"
#include "decide/reference/merge_lineage.h"
#include "import/redirects.h"
#include "model/ndjson.h"

static int run(struct drg_decision d, struct drg_merge_sums *ret, struct drg_err *reterr)
{
	int rc = decide(&d, reterr);
	if (rc == DRG_OK)
		*ret = d.is.sums;
	return rc;
}

static int merge(int64_t from, int64_t into, struct drg_merge_sums *ret, struct drg_err *reterr)
{
	const struct drg_decision d = {
		.verb = DRG_VERB_MERGE, .kind = DRG_KIND_HOTEL, .dict_id = from, .into = into
	};
	return run(d, ret, reterr);
}

static int split(int64_t from, struct drg_merge_sums *ret, struct drg_err *reterr)
{
	return run((struct drg_decision){ .verb = DRG_VERB_SPLIT, .kind = DRG_KIND_HOTEL, .dict_id = from },
	           ret, reterr);
}

static void a_merge_is_one_transaction_and_counts(void **state)
{
	(void)state;
	struct drg_merge_sums sums;
	int64_t before = clock_now();
	assert_int_equal(merge(55, 56, &sums, NULL), DRG_OK);
	assert_int_equal(clock_now(), before + 1);
	assert_int_equal(sums.into, 56);
	assert_int_equal(sums.sources, 3);
	assert_int_equal(sums.redirects, 0);
	assert_int_equal(merge(56, 57, &sums, NULL), DRG_OK);
	assert_int_equal(sums.sources, 4);
	assert_int_equal(sums.redirects, 1);
	assert_int_equal(split(56, &sums, NULL), DRG_OK);
	assert_int_equal(clock_now(), before + 3);
	assert_int_equal(sums.into, 57);
	assert_int_equal(sums.sources, 4);
	assert_int_equal(sums.redirects, 1);
}

static void a_refusal_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		int64_t from, into;
		int rc;
		const char *reason;
	} cases[] = {
		{ 55, 55, DRG_EINVAL, "same" },           { 99, 55, DRG_ENOENT, "unknown_dict" },
		{ 55, 99, DRG_ENOENT, "unknown_dict" },   { 56, 58, DRG_EINVAL, "cycle" },
		{ 58, 57, DRG_EINVAL, "merged_already" },
	};
	struct drg_merge_sums sums;
	assert_int_equal(merge(58, 56, &sums, NULL), DRG_OK);
	int64_t before = clock_now();
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct drg_err e = { 0 };
		sums.into = 4711;
		assert_int_equal(merge(cases[i].from, cases[i].into, &sums, &e), cases[i].rc);
		assert_string_equal(e.reason, cases[i].reason);
		assert_int_equal(sums.into, 4711); /* outputs are written only on success */
	}
	struct drg_err e;
	assert_int_equal(split(55, &sums, &e), DRG_ENOENT);
	assert_string_equal(e.reason, "not_merged");
	assert_int_equal(clock_now(), before);
}

static void an_import_keeps_merges_out(void **state)
{
	(void)state;
	struct drg_store *importer;
	struct drg_merge_sums sums;
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &importer, NULL), DRG_OK);
	assert_int_equal(drg_store_lock_imports(importer, NULL), DRG_OK);
	assert_int_equal(merge(55, 56, &sums, NULL), DRG_EBUSY);
	drg_store_unlock_imports(importer);
	assert_int_equal(merge(55, 56, &sums, NULL), DRG_OK);
	assert_int_equal(drg_store_lock_imports(importer, NULL), DRG_OK);
	assert_int_equal(split(55, &sums, NULL), DRG_EBUSY);
	drg_store_close(importer);
}

/* ---- the journal --------------------------------------------------------------------------------------- */

static const char hotel_55[] =
        "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":55,\"name\":\"x\",\"country_id\":1,"
        "\"city_id\":2,\"hotel_category_id\":3}";

static void a_journal_is_read_back(void **state)
{
	(void)state;
	struct drg_arena arena;
	struct drg_record from, r;
	struct drg_journal j;
	struct drg_str text;
	drg_arena_init(&arena, 1 << 20);
	assert_int_equal(drg_ndjson_read(drg_str_c(hotel_55), &arena, &from, NULL), DRG_OK);
	drg_journal_init(&j);
	drg_key_dict(&r, DRG_KIND_CITY, -4);
	drg_journal_dict(&j, &r);
	drg_key_dict(&r, DRG_KIND_CITY, 5);
	drg_journal_dict(&j, &r);
	drg_record_init(&r, &drg_types[DRG_TYPE_HOTEL_CONTENT]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 7);
	drg_record_set_s(&r, DRG_F_HOTEL_ID, DRG_STR("a\"b"));
	drg_journal_content(&j, &r);
	drg_journal_content_ref(&j, 3);
	drg_journal_content_end(&j);
	assert_int_equal(drg_journal_text(&j, &from, &arena, &text, NULL), DRG_OK);
	char expected[512];
	snprintf(expected, sizeof expected,
	         "{\"record\":%s,\"moved\":{\"city\":[-4,5],\"hotel_content\":[[7,\"a\\\"b\",3]]}}",
	         hotel_55);
	assert_true(drg_str_eq(text, drg_str_c(expected)));

	struct drg_undo undo;
	drg_key_redirect(&r, DRG_KIND_HOTEL, 55);
	drg_record_set_s(&r, DRG_F_DATA, text);
	assert_int_equal(drg_undo_read(&r, &arena, &undo, NULL), DRG_OK);
	assert_true(drg_record_eq(&undo.record, &from));
	assert_int_equal(json_object_size(undo.moved), 2);
	drg_undo_done(&undo);
	drg_journal_done(&j);
	drg_arena_done(&arena);
}

static void a_journal_has_a_limit(void **state)
{
	(void)state;
	struct drg_arena arena;
	struct drg_record from, r;
	struct drg_journal j;
	struct drg_str text = DRG_STR("untouched");
	struct drg_err e;
	drg_arena_init(&arena, 64 << 20);
	assert_int_equal(drg_ndjson_read(drg_str_c(hotel_55), &arena, &from, NULL), DRG_OK);
	drg_journal_init(&j);
	drg_key_dict(&r, DRG_KIND_CITY, INT64_MIN);
	for (int i = 0; i < 400000; i++)
		drg_journal_dict(&j, &r); /* 21 bytes each */
	assert_int_equal(drg_journal_text(&j, &from, &arena, &text, &e), DRG_ELIMIT);
	assert_string_equal(e.reason, "too_large");
	assert_true(drg_str_eq(text, DRG_STR("untouched")));
	drg_journal_done(&j);
	drg_arena_done(&arena);
}

/* ---- redirects in memory ------------------------------------------------------------------------------- */

static void redirects_are_followed_to_their_end(void **state)
{
	(void)state;
	static const struct drg_redirect rows[] = {
		{ DRG_KIND_HOTEL, false, 1, 2, 0 }, { DRG_KIND_HOTEL, false, 2, 3, 5 },
		{ DRG_KIND_CITY, false, 1, 9, 0 },  { DRG_KIND_HOTEL, false, 7, 8, 0 },
		{ DRG_KIND_HOTEL, false, 8, 7, 0 }, { DRG_KIND_HOTEL, false, 5, 1, 1 },
		{ DRG_KIND_HOTEL, true, 5, 0, 2 },  { DRG_KIND_HOTEL, false, 6, 1, 1 },
		{ DRG_KIND_HOTEL, false, 6, 4, 9 }, { DRG_KIND_HOTEL, false, 10, 10, 0 },
	};
	static const struct {
		enum drg_kind kind;
		int64_t id, to; /* 0: leads nowhere */
	} cases[] = {
		{ DRG_KIND_HOTEL, 1, 3 },  { DRG_KIND_HOTEL, 2, 3 }, { DRG_KIND_CITY, 1, 9 },
		{ DRG_KIND_HOTEL, 3, 0 },  { DRG_KIND_HOTEL, 7, 0 }, { DRG_KIND_HOTEL, 5, 0 },
		{ DRG_KIND_HOTEL, 10, 0 }, { DRG_KIND_HOTEL, 6, 4 }, { DRG_KIND_MEAL, 1, 0 },
	};
	struct drg_redirects *d;
	assert_int_equal(drg_redirects_new(&d, NULL), DRG_OK);
	drg_redirects_sort(d);
	assert_false(drg_redirects_any(d));
	assert_null(drg_redirects_find(d, DRG_KIND_HOTEL, 1));
	for (size_t i = 0; i < DRG_ARRAY_LEN(rows); i++)
		assert_int_equal(drg_redirects_add(d, &rows[i], NULL), DRG_OK);
	drg_redirects_sort(d);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		int64_t to = 0;
		assert_int_equal(drg_redirects_resolve(d, cases[i].kind, cases[i].id, &to), cases[i].to != 0);
		assert_int_equal(to, cases[i].to);
	}
	drg_redirects_clear(d);
	assert_false(drg_redirects_any(d));
	drg_redirects_free(d);
}

/* ---- lineages ------------------------------------------------------------------------------------------ */

#define EVENT(second, from, to, how)                                                                         \
	"{\"type\":\"mapping_event\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":\"x\",\"at\":\"1970-01-"     \
	"01T00:00:0" second "Z\",\"from\":" from ",\"to\":" to ",\"how\":\"" how "\"}\n"

static const struct {
	const char *name, *events;
	int64_t from, second;
	bool has;
} lineages[] = {
	{ "no events", "", 1, 1, false },
	{ "the merge", EVENT("1", "1", "2", "merge"), 1, 1, true },
	{ "another time", EVENT("1", "1", "2", "merge"), 1, 2, false },
	{ "merged on", EVENT("1", "1", "2", "merge") EVENT("2", "2", "3", "merge"), 1, 1, true },
	{ "decided since", EVENT("1", "1", "2", "merge") EVENT("2", "2", "2", "set"), 1, 1, false },
	{ "undone since", EVENT("1", "1", "2", "merge") EVENT("2", "2", "5", "undo"), 1, 1, false },
	{ "split", EVENT("1", "1", "2", "merge") EVENT("2", "2", "1", "split"), 1, 1, false },
	{ "another's split",
	  EVENT("1", "1", "2", "merge") EVENT("2", "2", "3", "merge") EVENT("3", "3", "2", "split"), 1, 1,
	  true },
	{ "what came through it",
	  EVENT("1", "1", "2", "merge") EVENT("2", "2", "3", "merge") EVENT("3", "3", "1", "split"), 2, 2,
	  false },
	{ "split that fits nothing", EVENT("1", "1", "2", "merge") EVENT("2", "2", "9", "split"), 1, 1,
	  true },
};

static void lineages_know_their_merges(void **state)
{
	(void)state;
	const struct drg_import_options o = { .threads = 1 };
	struct drg_record key;
	struct drg_buf stack;
	drg_buf_init(&stack, SIZE_MAX);
	drg_key_source(&key, 7, DRG_KIND_HOTEL, DRG_STR("x"));
	for (size_t i = 0; i < DRG_ARRAY_LEN(lineages); i++) {
		bool has;
		print_message("%s\n", lineages[i].name);
		assert_int_equal(importing_text(&data, lineages[i].events, o), DRG_OK);
		assert_int_equal(drg_lineage_has(s, &key, lineages[i].from, lineages[i].second * 1000000,
		                                 &stack, &has, NULL),
		                 DRG_OK);
		assert_int_equal(has, lineages[i].has);
		for (int second = 1; second <= 3; second++) {
			char gone[160];
			snprintf(gone, sizeof gone,
			         "{\"type\":\"mapping_event\",\"adapter_id\":7,\"kind\":\"hotel\",\"id\":"
			         "\"x\","
			         "\"at\":\"1970-01-01T00:00:0%dZ\",\"deleted\":true}\n",
			         second);
			assert_int_equal(importing_text(&data, gone, o), DRG_OK);
		}
	}
	drg_buf_done(&stack);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(merge)
{
	const struct CMUnitTest tests[] = {
		TEST(a_merge_is_one_transaction_and_counts),
		TEST(a_refusal_changes_nothing),
		TEST(an_import_keeps_merges_out),
		cmocka_unit_test(a_journal_is_read_back),
		cmocka_unit_test(a_journal_has_a_limit),
		cmocka_unit_test(redirects_are_followed_to_their_end),
		TEST(lineages_know_their_merges),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
