/* What air suppliers' identifiers mean, and what becomes of the reports about them. */
#include "../curating.h"

#include "store/air_reports.h"

static void report(int64_t adapter, const char *external_id, const char *title)
{
	const struct drg_air_report r = { .adapter = adapter,
		                          .external_id = drg_str_c(external_id),
		                          .title = drg_str_c(title),
		                          .count = 1 };
	struct drg_txn *t;
	assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
	assert_int_equal(drg_txn_air_report(t, &r, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
}

static int count(void *ctx, const struct drg_air_report *r)
{
	(void)r;
	(*(int *)ctx)++;
	return DRG_OK;
}

static int reports(void)
{
	int n = 0;
	assert_int_equal(drg_store_air_reports(s, 0, count, &n, NULL), DRG_OK);
	return n;
}

static int air(enum drg_decide_verb verb, int64_t adapter, const char *external_id, int64_t place,
               struct drg_decision_result *ret, struct drg_err *reterr)
{
	struct drg_decision d = {
		.verb = verb, .adapter = adapter, .id = drg_str_c(external_id), .dict_id = place
	};
	int rc = decide(&d, reterr);
	*ret = d.is;
	return rc;
}

static void mapping_tells_what_was_and_what_changed(void **state)
{
	(void)state;
	struct drg_decision_result m;
	assert_int_equal(air(DRG_VERB_PLACE, 21, "x", 2, &m, NULL), DRG_OK);
	assert_true(m.changed && !m.was_mapped && m.reports == 0);
	assert_int_equal(air(DRG_VERB_PLACE, 21, "x", 4, &m, NULL), DRG_OK);
	assert_true(m.changed && m.was_mapped && m.was == 2);
	int64_t seq = clock_now();
	assert_int_equal(air(DRG_VERB_PLACE, 21, "x", 4, &m, NULL), DRG_OK);
	assert_true(!m.changed && m.was_mapped && m.was == 4);
	assert_int_equal(clock_now(), seq);
	assert_int_equal(air(DRG_VERB_NO_PLACE, 21, "x", 0, &m, NULL), DRG_OK);
	assert_true(m.changed && m.was_mapped && m.was == 4);
	assert_int_equal(air(DRG_VERB_NO_PLACE, 21, "x", 0, &m, NULL), DRG_ENOENT);
}

static void mapping_forgets_the_reports_of_this_id_only(void **state)
{
	(void)state;
	struct drg_decision_result m;
	report(21, "x", "Town");
	report(21, "x", "Ville");
	report(22, "x", "Town");
	report(21, "y", "Town");
	assert_int_equal(air(DRG_VERB_PLACE, 21, "x", 2, &m, NULL), DRG_OK);
	assert_int_equal(m.reports, 2);
	assert_int_equal(air(DRG_VERB_NO_PLACE, 21, "x", 0, &m, NULL), DRG_OK);
	assert_int_equal(reports(), 2);
}

static const struct {
	const char *name;
	int64_t adapter;
	const char *external_id;
	int64_t place;
	int rc;
	const char *reason;
} refusals[] = {
	{ "no adapter", 99, "x", 2, DRG_ENOENT, "unknown_adapter" },
	{ "an adapter for tours", 7, "x", 2, DRG_EINVAL, "unknown_adapter" },
	{ "no place", 21, "x", 99, DRG_ENOENT, "unknown_place" },
	{ "no id", 21, "", 2, DRG_EINVAL, "empty_text" },
	{ "a blank id", 21, " \t", 2, DRG_EINVAL, "empty_text" },
	{ "a control character", 21, "a\x01", 2, DRG_EINVAL, "control_character" },
	{ "65 characters", 21, "12345678901234567890123456789012345678901234567890123456789012345", 2,
	  DRG_EINVAL, "too_long" },
	{ "no UTF-8", 21, "\xff", 2, DRG_EINVAL, "invalid_text" },
};

static void what_is_refused_changes_nothing(void **state)
{
	(void)state;
	report(21, "x", "Town");
	int64_t seq = clock_now();
	for (size_t i = 0; i < DRG_ARRAY_LEN(refusals); i++) {
		struct drg_decision_result m;
		struct drg_err err = { 0 };
		int rc = air(DRG_VERB_PLACE, refusals[i].adapter, refusals[i].external_id, refusals[i].place,
		             &m, &err);
		if (rc != refusals[i].rc || strcmp(err.reason, refusals[i].reason) != 0)
			fail_msg("%s: %d %s", refusals[i].name, rc, err.reason);
	}
	assert_int_equal(clock_now(), seq);
	assert_int_equal(reports(), 1);
}

static void an_id_of_64_characters_is_one(void **state)
{
	(void)state;
	struct drg_decision_result m;
	char id[65];
	memset(id, 'x', 64);
	id[64] = '\0';
	assert_int_equal(air(DRG_VERB_PLACE, 21, id, 2, &m, NULL), DRG_OK);
}

GROUP(air_map)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
	const struct CMUnitTest tests[] = {
		TEST(mapping_tells_what_was_and_what_changed),
		TEST(mapping_forgets_the_reports_of_this_id_only),
		TEST(what_is_refused_changes_nothing),
		TEST(an_id_of_64_characters_is_one),
	};
	return cmocka_run_group_tests_name("decide/air_map", tests, NULL, NULL);
}
