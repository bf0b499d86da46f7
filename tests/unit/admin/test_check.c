/* check: what it finds, and that a sound store costs no look for each record. */
#include "../importing.h"
#include "../sample.h"

#include "admin/check.h"
#include "catalog/catalog.h"

static struct importing data;

struct seen {
	uint64_t findings, looked_up;
};

static void keep_no_finding(void *ctx, const char *text)
{
	(void)ctx, (void)text;
}

static void count_looks(void *ctx, enum drg_check_step step, uint64_t done, uint64_t total)
{
	(void)done, (void)total;
	((struct seen *)ctx)->looked_up += step == DRG_CHECK_LOOKING_UP;
}

static struct seen checked(struct drg_store *s)
{
	struct seen seen = { 0 };
	const struct drg_check_options o = { keep_no_finding, count_looks, &seen };
	assert_int_equal(drg_check(s, &o, &seen.findings, NULL), DRG_OK);
	return seen;
}

static struct drg_store *opened(enum drg_store_mode mode)
{
	struct drg_store *s;
	assert_int_equal(drg_store_open(data.store_url, mode, &s, NULL), DRG_OK);
	return s;
}

static void put(struct drg_store *s, const struct drg_record *r)
{
	struct drg_txn *t;
	enum drg_put_result result;
	assert_int_equal(drg_store_begin(s, &t, NULL), DRG_OK);
	assert_int_equal(drg_txn_put(t, r, &result, NULL), DRG_OK);
	assert_int_equal(drg_txn_commit(t, NULL, NULL), DRG_OK);
}

static void a_sound_store_has_no_findings(void **state)
{
	(void)state;
	struct drg_store *s = opened(DRG_STORE_READ);
	struct seen seen = checked(s);
	assert_int_equal(seen.findings, 0);
	assert_int_equal(seen.looked_up, 0);
	drg_store_close(s);
}

/* Of the fields that it has to have, and all that the catalog keeps. */
static struct drg_record whole(const struct drg_type *t, enum drg_kind kind, char (*text)[SAMPLE_ROOM])
{
	struct drg_record r;
	drg_record_init(&r, t);
	for (unsigned i = 0; i < t->n_fields; i++) {
		const struct drg_field_def *f = &t->fields[i];
		bool wanted =
		        (f->flags & (DRG_FF_ID | DRG_FF_REQUIRED)) != 0 || drg_field_in_catalog(f, kind);
		if (!wanted || !drg_field_applies(f, kind))
			continue;
		sample_field(&r, f, 1, text[i]);
	}
	if (t->kinds != 0)
		drg_record_set_i(&r, DRG_F_KIND, (int64_t)kind);
	return r;
}

/* What is given to the catalog, and what it gives back, are digested alike: of each type and kind. */
static void no_type_is_looked_up_record_by_record(void **state)
{
	(void)state;
	char text[64][SAMPLE_ROOM];
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++) {
		unsigned kinds = drg_types[t].kinds != 0 ? drg_types[t].kinds : 1;
		for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
			if (!drg_kind_in(kinds, k))
				continue;
			struct drg_store *s = opened(DRG_STORE_WRITE);
			struct drg_record r = whole(&drg_types[t], (enum drg_kind)k, text);
			put(s, &r);
			if (checked(s).looked_up != 0)
				fail_msg("of %s, kind %u, the sums differ", r.type->name, k);
			r.deleted = true;
			put(s, &r);
			drg_store_close(s);
		}
	}
}

static void a_revoked_key_is_not_expected_in_the_catalog(void **state)
{
	(void)state;
	char text[64][SAMPLE_ROOM];
	struct drg_store *s = opened(DRG_STORE_WRITE);
	struct drg_record r = whole(&drg_types[DRG_TYPE_API_KEY], DRG_KIND_NONE, text);
	drg_record_set_s(&r, DRG_F_REVOKED, DRG_STR("2026-01-01T00:00:00.000Z"));
	assert_false(drg_catalog_keeps(&r));
	put(s, &r);
	assert_int_equal(checked(s).looked_up, 0);
	drg_store_close(s);
}

/* References are the writers' business: the store takes a dangling one, and its check finds it. */
static void a_dangling_mapping_is_found(void **state)
{
	(void)state;
	struct drg_store *s = opened(DRG_STORE_WRITE);
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 7);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_MEAL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, DRG_STR("x"));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("x"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	drg_record_set_i(&r, DRG_F_DICT_ID, 999);
	put(s, &r);
	assert_true(checked(s).findings > 0);
	drg_store_close(s);
}

static int set_up(void **state)
{
	(void)state;
	importing_mini(&data);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	importing_end(&data);
	return 0;
}

GROUP(check)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(a_sound_store_has_no_findings, set_up, tear_down),
		cmocka_unit_test_setup_teardown(no_type_is_looked_up_record_by_record, set_up, tear_down),
		cmocka_unit_test_setup_teardown(a_revoked_key_is_not_expected_in_the_catalog, set_up,
		                                tear_down),
		cmocka_unit_test_setup_teardown(a_dangling_mapping_is_found, set_up, tear_down),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
