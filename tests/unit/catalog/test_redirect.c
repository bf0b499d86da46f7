/* Ids that were merged away, in the catalog. */
#include "../unit.h"

#include "catalog/catalog.h"
#include "catalog/rcu.h"

static struct drg_catalog *cat;

static int set_up(void **state)
{
	(void)state;
	const struct drg_catalog_options o = { .max_bytes = 1 << 24 };
	return drg_catalog_new(&o, &cat, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	return 0;
}

static void apply_meal(int64_t id, bool deleted)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_i(&r, DRG_F_ID, id);
	if (!deleted)
		drg_record_set_s(&r, DRG_F_NAMES, DRG_STR("{\"en\":\"x\"}"));
	r.deleted = deleted;
	assert_int_equal(drg_catalog_apply(cat, &r, NULL), DRG_OK);
}

static void apply_redirect(enum drg_kind kind, int64_t id, int64_t to, bool deleted)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_REDIRECT]);
	drg_record_set_i(&r, DRG_F_KIND, (int64_t)kind);
	drg_record_set_i(&r, DRG_F_ID, id);
	if (!deleted)
		drg_record_set_i(&r, DRG_F_TO, to);
	r.deleted = deleted;
	assert_int_equal(drg_catalog_apply(cat, &r, NULL), DRG_OK);
}

static void publish(int64_t seq)
{
	assert_int_equal(drg_catalog_publish(cat, seq, "e", NULL), DRG_OK);
}

/* The id of the record found by an id; 0: none. */
static int64_t found(enum drg_kind kind, int64_t id)
{
	struct drg_dict d;
	drg_read_lock();
	int64_t found = drg_catalog_dict(cat, kind, id, &d) ? d.id : 0;
	drg_read_unlock();
	return found;
}

static int64_t resolved(enum drg_kind kind, int64_t id)
{
	drg_read_lock();
	int64_t to = drg_catalog_resolve(cat, kind, id);
	drg_read_unlock();
	return to;
}

static void a_merged_id_finds_the_record_that_it_leads_to(void **state)
{
	(void)state;
	apply_meal(1, false);
	apply_meal(2, false);
	publish(1);
	apply_meal(1, true);
	apply_redirect(DRG_KIND_MEAL, 1, 2, false);
	publish(2);
	assert_int_equal(found(DRG_KIND_MEAL, 1), 2);
	assert_int_equal(resolved(DRG_KIND_MEAL, 1), 2);
	assert_int_equal(found(DRG_KIND_MEAL, 2), 2);
	assert_int_equal(resolved(DRG_KIND_MEAL, 2), 2);
	assert_int_equal(found(DRG_KIND_CITY, 1), 0);
	assert_int_equal(resolved(DRG_KIND_CITY, 1), 1);
	assert_int_equal(found(DRG_KIND_MEAL, 3), 0);
	assert_int_equal(resolved(DRG_KIND_MEAL, 3), 3);
}

static void an_id_never_seen_as_a_record_is_redirected_too(void **state)
{
	(void)state;
	apply_meal(2, false);
	apply_redirect(DRG_KIND_MEAL, INT64_MIN, 2, false);
	publish(1);
	assert_int_equal(found(DRG_KIND_MEAL, INT64_MIN), 2);
}

static void a_split_ends_it(void **state)
{
	(void)state;
	apply_meal(2, false);
	apply_redirect(DRG_KIND_MEAL, 1, 2, false);
	publish(1);
	apply_redirect(DRG_KIND_MEAL, 1, 0, true);
	apply_meal(1, false);
	publish(2);
	assert_int_equal(found(DRG_KIND_MEAL, 1), 1);
	assert_int_equal(resolved(DRG_KIND_MEAL, 1), 1);
}

static void a_target_that_is_missing_is_no_record(void **state)
{
	(void)state;
	apply_redirect(DRG_KIND_MEAL, 1, 2, false);
	publish(1);
	assert_int_equal(found(DRG_KIND_MEAL, 1), 0);
}

static int note_redirect(void *ctx, const struct drg_record *r)
{
	if (r->type->id == DRG_TYPE_REDIRECT)
		*(int64_t *)ctx = r->v[DRG_F_ID].i * 100 + r->v[DRG_F_TO].i;
	return DRG_OK;
}

static void redirects_come_back_as_records(void **state)
{
	(void)state;
	int64_t seen = 0;
	apply_meal(2, false);
	apply_redirect(DRG_KIND_MEAL, 1, 2, false);
	publish(1);
	assert_int_equal(drg_catalog_each(cat, note_redirect, &seen), DRG_OK);
	assert_int_equal(seen, 102);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(redirect)
{
	const struct CMUnitTest tests[] = {
		TEST(a_merged_id_finds_the_record_that_it_leads_to),
		TEST(an_id_never_seen_as_a_record_is_redirected_too),
		TEST(a_split_ends_it),
		TEST(a_target_that_is_missing_is_no_record),
		TEST(redirects_come_back_as_records),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
