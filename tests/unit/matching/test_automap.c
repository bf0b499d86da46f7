/* Runs of the matcher, and what people decide while one is under way. */
#include "../curating.h"

#include "matching/automap.h"
#include "match/card/scorecard.h"
#include "store/suggestions.h"

static const char more[] =
        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"m9\",\"name\":\"Test Meal\"}\n"
        "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"ask\",\"name\":\"Xyzzy\"}\n"
        "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":900,\"name\":\"Test Meal\"}\n"
        "{\"type\":\"dict\",\"kind\":\"meal\",\"id\":901,\"name\":\"Other Meal\"}\n";

static void decide_meal(enum drg_decide_verb verb, const char *id, int64_t dict_id, int64_t into)
{
	struct drg_decision d = { .verb = verb,
		                  .adapter = 7,
		                  .kind = DRG_KIND_MEAL,
		                  .id = drg_str_c(id),
		                  .dict_id = dict_id,
		                  .into = into };
	assert_int_equal(decide(&d, NULL), DRG_OK);
}

typedef void meanwhile_fn(void);

static void clears(void)
{
	decide_meal(DRG_VERB_MAP, "m9", 900, 0);
	decide_meal(DRG_VERB_CLEAR, "m9", 0, 0);
}

static void clears_what_is_asked(void)
{
	decide_meal(DRG_VERB_MAP, "ask", 900, 0);
	decide_meal(DRG_VERB_CLEAR, "ask", 0, 0);
}

static void rejects(void)
{
	decide_meal(DRG_VERB_NOT_SAME, "m9", 900, 0);
}

static void rejects_and_merges(void)
{
	decide_meal(DRG_VERB_NOT_SAME, "m9", 901, 0);
	decide_meal(DRG_VERB_MERGE, "", 901, 900);
}

static void something_else(void)
{
	struct drg_decision d = { .verb = DRG_VERB_MAP,
		                  .adapter = 7,
		                  .kind = DRG_KIND_HOTEL,
		                  .id = DRG_STR("1002"),
		                  .dict_id = 55 };
	assert_int_equal(decide(&d, NULL), DRG_OK);
}

static void nothing(void)
{
}

static int suggest_late(void *ctx, struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_suggestion v = { .adapter = 7,
		                          .kind = DRG_KIND_MEAL,
		                          .id = drg_str_c(ctx),
		                          .reason = DRG_STR("sure"),
		                          .explanation = DRG_STR("said by a server") };
	return drg_txn_suggestion_put(t, &v, reterr);
}

/* A server matches what comes. */
static void comes(void)
{
	char gone[] = "gone", late[] = "late";
	assert_int_equal(
	        importing_text(&data,
	                       "{\"type\":\"source\",\"adapter_id\":7,\"kind\":\"meal\",\"id\":\"late\","
	                       "\"name\":\"Late\"}\n",
	                       (struct drg_import_options){ .dry_run = false }),
	        DRG_OK);
	assert_int_equal(drg_txn_run(s, suggest_late, gone, NULL), DRG_OK);
	assert_int_equal(drg_txn_run(s, suggest_late, late, NULL), DRG_OK);
}

struct run {
	meanwhile_fn *meanwhile;
	bool done;
};

static int on_result(void *ctx, const struct drg_automap_result *r)
{
	struct run *x = ctx;
	(void)r;
	if (!x->done)
		x->meanwhile();
	x->done = true;
	return DRG_OK;
}

static int ignore_suggestion(void *ctx, const struct drg_suggestion *v)
{
	(void)ctx;
	(void)v;
	return DRG_OK;
}

static const struct {
	const char *name;
	meanwhile_fn *meanwhile;
	bool written, suggested;
} cases[] = {
	{ "nothing", nothing, true, true },
	{ "comes", comes, true, true },
	{ "something else", something_else, true, true },
	{ "clears", clears, false, true },
	{ "clears what is asked", clears_what_is_asked, true, false },
	{ "rejects", rejects, false, true },
	{ "rejects what is merged into it", rejects_and_merges, false, true },
};

static void what_people_decide_during_a_run_stands(void **state)
{
	static const int64_t adapter = 7;
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		struct run x = { .meanwhile = cases[i].meanwhile };
		struct drg_automap_totals totals;
		const struct drg_automap_options o = { .adapters = &adapter,
			                               .n_adapters = 1,
			                               .kinds = 1U << DRG_KIND_MEAL,
			                               .card = drg_scorecard_hotels,
			                               .result = on_result,
			                               .ctx = &x,
			                               .threads = 1 };
		if (i > 0) {
			tear_down(state);
			set_up(state);
		}
		print_message("%s\n", cases[i].name);
		drg_store_close(s);
		assert_int_equal(importing_text(&data, more, (struct drg_import_options){ .dry_run = false }),
		                 DRG_OK);
		assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &s, NULL), DRG_OK);
		assert_int_equal(drg_automap_run(s, &o, &totals, NULL), DRG_OK);
		assert_int_equal(totals.kinds[DRG_KIND_MEAL].written, cases[i].written);
		assert_int_equal(totals.kinds[DRG_KIND_MEAL].overtaken, !cases[i].written);
		assert_int_equal(drg_store_suggestion(s, 7, DRG_KIND_MEAL, DRG_STR("ask"), ignore_suggestion,
		                                      NULL, NULL),
		                 cases[i].suggested ? DRG_OK : DRG_ENOENT);
		assert_int_equal(drg_store_suggestion(s, 7, DRG_KIND_MEAL, DRG_STR("late"), ignore_suggestion,
		                                      NULL, NULL),
		                 cases[i].meanwhile == comes ? DRG_OK : DRG_ENOENT);
		assert_int_equal(drg_store_suggestion(s, 7, DRG_KIND_MEAL, DRG_STR("gone"), ignore_suggestion,
		                                      NULL, NULL),
		                 DRG_ENOENT);
	}
}

/* A server that stops waits for no record, whatever its kind: nothing is matched, and nothing handed over. */
static void a_server_that_stops_waits_for_no_record(void **state)
{
	(void)state;
	static const struct drg_automap_source hotels[] = { { 7, DRG_KIND_HOTEL, DRG_STR("1002") } },
	                                       meals[] = { { 7, DRG_KIND_MEAL, DRG_STR("ask") } };
	static const struct drg_automap_source *const sources[] = { hotels, meals };
	const struct drg_scorecard *card = &drg_scorecard_hotels;
	struct drg_automap_kept *kept = NULL;
	drg_store_close(s);
	assert_int_equal(importing_text(&data, more, (struct drg_import_options){ .dry_run = false }),
	                 DRG_OK);
	assert_int_equal(drg_store_open(data.store_url, DRG_STORE_WRITE, &s, NULL), DRG_OK);
	assert_int_equal(drg_automap_kept_new(s, NULL, &kept, NULL), DRG_OK);
	for (unsigned i = 0; i < 2 * DRG_ARRAY_LEN(sources); i++) {
		atomic_bool leave = i % 2 == 0;
		struct drg_automap_outcome o = { .leave = &leave };
		struct drg_err err = { 0 };
		drg_arena_init(&o.texts, SIZE_MAX);
		drg_buf_init(&o.wishes, SIZE_MAX);
		drg_buf_init(&o.suggestions, SIZE_MAX);
		assert_int_equal(drg_automap_some(s, kept, card, sources[i / 2], 1, &o, &err),
		                 leave ? DRG_ESTOPPED : DRG_OK);
		assert_int_equal(o.suggestions.n > 0, !leave);
		drg_arena_done(&o.texts);
		drg_buf_done(&o.wishes);
		drg_buf_done(&o.suggestions);
	}
	drg_automap_kept_free(kept);
}

GROUP(automap)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_people_decide_during_a_run_stands, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_server_that_stops_waits_for_no_record, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
