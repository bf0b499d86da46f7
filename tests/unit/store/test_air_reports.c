#include "place.h"

#include "store/air_reports.h"

static struct drg_air_report report(int64_t adapter, const char *external_id, const char *title, int64_t at)
{
	return (struct drg_air_report){
		.adapter = adapter,
		.external_id = drg_str_c(external_id),
		.iata_code = DRG_STR("QQQ"),
		.title = drg_str_c(title),
		.lang = DRG_STR("en"),
		.count = 1,
		.first_us = at,
		.last_us = at,
	};
}

static void add(struct place *p, struct drg_air_report r)
{
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_air_report(t, &r, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

struct listing {
	char text[2048];
	size_t n;
	int stop_after, seen;
};

static int list_one(void *ctx, const struct drg_air_report *r)
{
	struct listing *l = ctx;
	int n = snprintf(l->text + l->n, sizeof l->text - l->n, "%d %.*s/%.*s/%.*s/%.*s %d %d-%d\n",
	                 (int)r->adapter, DRG_STR_ARG(r->external_id), DRG_STR_ARG(r->iata_code),
	                 DRG_STR_ARG(r->title), DRG_STR_ARG(r->lang), (int)r->count, (int)r->first_us,
	                 (int)r->last_us);
	l->n += (size_t)n;
	return ++l->seen == l->stop_after ? DRG_ESTOPPED : DRG_OK;
}

static void assert_reports(struct place *p, int64_t adapter, const char *want)
{
	struct listing l = { .n = 0 };
	MUST(p, drg_store_air_reports(p->s, adapter, list_one, &l, &p->err));
	assert_string_equal(l.text, want);
}

static void put(struct place *p, struct drg_record r)
{
	struct drg_txn *t;
	enum drg_put_result result;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_put(t, &r, &result, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
}

static struct drg_record air_place(int64_t id)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_AIR_PLACE]);
	drg_record_set_i(&r, DRG_F_PLACE_ID, id);
	drg_record_set_i(&r, DRG_F_PLACE, DRG_PLACE_APT);
	drg_record_set_s(&r, DRG_F_CODE, DRG_STR("KBP"));
	drg_record_set_s(&r, DRG_F_NAMES, DRG_STR("{\"en\":\"Boryspil\"}"));
	drg_record_set_s(&r, DRG_F_COUNTRY_CODE, DRG_STR("UA"));
	return r;
}

static struct drg_record air_map(int64_t adapter, const char *external_id, int64_t place)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_AIR_MAP]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, adapter);
	drg_record_set_s(&r, DRG_F_EXTERNAL_ID, drg_str_c(external_id));
	drg_record_set_i(&r, DRG_F_PLACE_ID, place);
	return r;
}

static struct drg_record deleted(struct drg_record r)
{
	r.deleted = true;
	return r;
}

static void test_a_report_that_comes_again_is_counted(void **state)
{
	struct place *p = *state;
	struct drg_air_report late = report(21, "1", "Town", 30), early = report(21, "1", "Town", 10);
	add(p, report(21, "1", "Town", 20));
	late.count = 5;
	add(p, late);
	add(p, early);
	assert_reports(p, 0, "21 1/QQQ/Town/en 7 10-30\n");
}

static void test_reports_differ_by_each_part_of_their_identity(void **state)
{
	struct place *p = *state;
	struct drg_air_report r[6];
	for (size_t i = 0; i < DRG_ARRAY_LEN(r); i++)
		r[i] = report(21, "1", "Town", (int64_t)i);
	r[1].adapter = 22;
	r[2].external_id = drg_str(NULL, 0);
	r[3].iata_code = drg_str(NULL, 0);
	r[4].title = DRG_STR("town");
	r[5].lang = DRG_STR("uk");
	for (size_t i = 0; i < DRG_ARRAY_LEN(r); i++)
		add(p, r[i]);
	assert_reports(p, 0,
	               "21 1/QQQ/Town/uk 1 5-5\n21 1/QQQ/town/en 1 4-4\n21 1//Town/en 1 3-3\n"
	               "21 /QQQ/Town/en 1 2-2\n22 1/QQQ/Town/en 1 1-1\n21 1/QQQ/Town/en 1 0-0\n");
}

static void test_the_most_frequent_stand_first_and_adapters_apart(void **state)
{
	struct place *p = *state;
	struct drg_air_report often = report(21, "2", "Often", 1);
	often.count = 9;
	add(p, report(21, "1", "Once", 1));
	add(p, often);
	add(p, report(22, "1", "Other", 7));
	assert_reports(p, 0, "21 2/QQQ/Often/en 9 1-1\n22 1/QQQ/Other/en 1 7-7\n21 1/QQQ/Once/en 1 1-1\n");
	assert_reports(p, 22, "22 1/QQQ/Other/en 1 7-7\n");
	assert_reports(p, 23, "");
}

static void test_reports_move_no_clock_and_are_in_no_scan(void **state)
{
	struct drg_rows rows;
	struct place *p = *state;
	struct drg_clock clock;
	struct drg_filter all = { .internal = true, .tombstones = true };
	add(p, report(21, "1", "Town", 1));
	MUST(p, drg_store_clock(p->s, &clock, &p->err));
	assert_int_equal(clock.seq, 0);
	MUST(p, drg_rows_each(drg_rows_scan(&rows, p->s, &all, &p->err), NULL, NULL));
	place_reopen(p);
	assert_reports(p, 0, "21 1/QQQ/Town/en 1 1-1\n");
}

static void test_what_is_rolled_back_was_not_reported(void **state)
{
	struct place *p = *state;
	struct drg_air_report r = report(21, "1", "Town", 1);
	struct drg_txn *t;
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_air_report(t, &r, &p->err));
	drg_txn_rollback(t);
	assert_reports(p, 0, "");
}

static void test_trimming_keeps_what_was_seen_last_of_one_adapter(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	for (int i = 0; i < 5; i++) {
		char id[8];
		snprintf(id, sizeof id, "%d", i);
		add(p, report(21, id, "Town", i));
	}
	add(p, report(22, "x", "Old", 0));
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_air_reports_trim(t, 21, 6, &p->err));
	MUST(p, drg_txn_air_reports_trim(t, 21, 5, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	struct listing l = { .n = 0 };
	MUST(p, drg_store_air_reports(p->s, 21, list_one, &l, &p->err));
	assert_int_equal(l.seen, 5);
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_air_reports_trim(t, 21, 2, &p->err));
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_reports(p, 0, "21 4/QQQ/Town/en 1 4-4\n21 3/QQQ/Town/en 1 3-3\n22 x/QQQ/Old/en 1 0-0\n");
}

static void test_forgetting_takes_every_report_of_an_id(void **state)
{
	struct place *p = *state;
	struct drg_txn *t;
	int64_t n = -1;
	add(p, report(21, "1", "Town", 1));
	add(p, report(21, "1", "Ville", 2));
	add(p, report(21, "2", "Town", 3));
	add(p, report(22, "1", "Town", 4));
	MUST(p, drg_store_begin(p->s, &t, &p->err));
	MUST(p, drg_txn_air_reports_forget(t, 21, DRG_STR("1"), &n, &p->err));
	assert_int_equal(n, 2);
	MUST(p, drg_txn_air_reports_forget(t, 21, DRG_STR("1"), &n, &p->err));
	assert_int_equal(n, 0);
	MUST(p, drg_txn_commit(t, NULL, &p->err));
	assert_reports(p, 0, "22 1/QQQ/Town/en 1 4-4\n21 2/QQQ/Town/en 1 3-3\n");
}

static void test_what_is_mapped_is_neither_listed_nor_stored(void **state)
{
	struct place *p = *state;
	struct drg_air_report nameless = report(21, "", "Town", 3);
	add(p, report(21, "1", "Town", 1));
	put(p, air_place(2));
	put(p, air_map(21, "1", 2));
	assert_reports(p, 0, "");
	add(p, report(21, "1", "Ville", 2));
	add(p, nameless);
	add(p, report(22, "1", "Town", 4));
	assert_reports(p, 0, "22 1/QQQ/Town/en 1 4-4\n21 /QQQ/Town/en 1 3-3\n");
	put(p, deleted(air_map(21, "1", 2)));
	assert_reports(p, 21, "21 /QQQ/Town/en 1 3-3\n21 1/QQQ/Town/en 1 1-1\n");
}

static void test_a_mapping_to_a_place_that_is_gone_is_none(void **state)
{
	struct place *p = *state;
	put(p, air_map(21, "1", 2));
	add(p, report(21, "1", "Town", 1));
	assert_reports(p, 0, "21 1/QQQ/Town/en 1 1-1\n");
	put(p, air_place(2));
	assert_reports(p, 0, "");
	put(p, deleted(air_place(2)));
	assert_reports(p, 0, "21 1/QQQ/Town/en 1 1-1\n");
}

static void test_a_reading_can_be_stopped(void **state)
{
	struct place *p = *state;
	struct listing l = { .stop_after = 1 };
	add(p, report(21, "1", "Town", 1));
	add(p, report(21, "2", "Town", 2));
	assert_int_equal(drg_store_air_reports(p->s, 0, list_one, &l, &p->err), DRG_ESTOPPED);
	assert_int_equal(l.seen, 1);
	assert_reports(p, 0, "21 2/QQQ/Town/en 1 2-2\n21 1/QQQ/Town/en 1 1-1\n");
}

GROUP(air_reports)
{
#define TEST(name) cmocka_unit_test_setup_teardown(test_##name, place_with_store, place_remove)
	const struct CMUnitTest tests[] = {
		TEST(a_report_that_comes_again_is_counted),
		TEST(reports_differ_by_each_part_of_their_identity),
		TEST(the_most_frequent_stand_first_and_adapters_apart),
		TEST(reports_move_no_clock_and_are_in_no_scan),
		TEST(what_is_rolled_back_was_not_reported),
		TEST(trimming_keeps_what_was_seen_last_of_one_adapter),
		TEST(forgetting_takes_every_report_of_an_id),
		TEST(what_is_mapped_is_neither_listed_nor_stored),
		TEST(a_mapping_to_a_place_that_is_gone_is_none),
		TEST(a_reading_can_be_stopped),
	};
	return run_on_every_engine("store/air_reports", tests);
}
