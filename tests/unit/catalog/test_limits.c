/* Full heaps and oversized values: a clear error, and the catalog is as it was. */
#include "records.h"

#include "text/lang.h"

#include <sys/resource.h>
#include <unistd.h>

static char big[70000];

static void fill(struct drg_catalog *c, int *ret_n)
{
	char id[32], name[64];
	struct drg_err err = { 0 };
	int rc = DRG_OK, i = 0;
	for (; rc == DRG_OK; i++) {
		snprintf(id, sizeof id, "%d", i);
		snprintf(name, sizeof name, "NAME %d", i);
		struct drg_record r = source(1, DRG_KIND_HOTEL, id, name);
		drg_record_set_i(&r, DRG_F_DICT_ID, i % 10);
		drg_record_set_s(&r, DRG_F_CITY_NAME, DRG_STR("CITY"));
		rc = drg_catalog_apply(c, &r, &err);
	}
	assert_int_equal(rc, DRG_ELIMIT);
	assert_string_equal(err.reason, "catalog_full");
	*ret_n = i - 1;
}

static void check_filled(struct drg_catalog *c, int n)
{
	char id[32];
	struct drg_source s;
	const struct drg_adapter *a = drg_catalog_adapter(c, 1);
	for (int i = 0; i <= n; i++) {
		struct drg_str t = drg_str(id, (size_t)snprintf(id, sizeof id, "%d", i));
		assert_int_equal(drg_catalog_source(c, a, DRG_KIND_HOTEL, t, &s), i < n);
	}
}

static void a_full_catalog_stays_as_it_was(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(64 << 10);
	struct drg_err err = { 0 };
	struct drg_catalog_stats before, after;
	struct drg_record r = adapter(1, "a");
	int n;
	apply(c, &r);
	r = dict(DRG_KIND_CITY, 1, "{\"en\":\"A\"}");
	apply(c, &r);
	publish(c, 1);
	fill(c, &n);
	assert_true(n > 500);
	check_filled(c, n);
	drg_catalog_stats(c, &before);

	/* What replaces needs room too; what removes does not. */
	memset(big, 'x', sizeof big);
	const struct drg_record too_much[] = {
		source(1, DRG_KIND_HOTEL, "0",
		       "ANOTHER NAME THAT IS LONGER THAN WHAT IS LEFT OF THE HEAP, SURELY"),
		dict(DRG_KIND_CITY, 1,
		     "{\"en\":\"ANOTHER NAME THAT IS LONGER THAN WHAT IS LEFT OF THE HEAP, SURELY\"}"),
		dict(DRG_KIND_CITY, 2,
		     "{\"en\":\"ANOTHER NAME THAT IS LONGER THAN WHAT IS LEFT OF THE HEAP, SURELY\"}"),
		adapter(2, "ANOTHER NAME THAT IS LONGER THAN WHAT IS LEFT OF THE HEAP, SURELY"),
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(too_much); i++)
		assert_int_equal(drg_catalog_apply(c, &too_much[i], &err), DRG_ELIMIT);
	drg_catalog_stats(c, &after);
	assert_int_equal(after.sources, before.sources);
	assert_int_equal(after.dicts, before.dicts);
	check_filled(c, n);
	struct drg_dict d;
	assert_true(drg_catalog_dict(c, DRG_KIND_CITY, 1, &d));
	assert_false(drg_catalog_dict(c, DRG_KIND_CITY, 2, &d));

	memset(big, 'e', 200);
	big[200] = '\0';
	assert_int_equal(drg_catalog_publish(c, 2, big, &err), DRG_ELIMIT);
	assert_int_equal(drg_catalog_seq(c), 1);
	r = gone(source(1, DRG_KIND_HOTEL, "0", ""));
	apply(c, &r);
	publish(c, 2);
	assert_null(drg_catalog_adapter(c, 2));
	drg_catalog_free(c);
}

static void texts_are_at_most_64_kib(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(0);
	struct drg_err err = { 0 };
	struct drg_source s;
	struct drg_record r = adapter(1, "a");
	apply(c, &r);
	publish(c, 1);
	memset(big, 'x', sizeof big);
	static const struct {
		size_t id, name;
		int rc;
	} cases[] = {
		{ 65535, 1, DRG_OK },
		{ 65536, 1, DRG_EINVAL },
		{ 1, 65535, DRG_OK },
		{ 1, 65536, DRG_EINVAL },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		r = source(1, DRG_KIND_CITY, "", "");
		drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str(big, cases[i].id));
		drg_record_set_s(&r, DRG_F_NAME, drg_str(big, cases[i].name));
		assert_int_equal(drg_catalog_apply(c, &r, &err), cases[i].rc);
		bool found = drg_catalog_source(c, drg_catalog_adapter(c, 1), DRG_KIND_CITY,
		                                drg_str(big, cases[i].id), &s);
		if (cases[i].rc == DRG_OK) {
			assert_true(found);
			assert_int_equal(s.name_esc.n, cases[i].name);
		}
	}
	drg_catalog_free(c);
}

static void adapters_are_counted_in_16_bits(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(0);
	struct drg_err err = { 0 };
	for (int64_t i = 1; i <= UINT16_MAX; i++) {
		struct drg_record r = source(i, DRG_KIND_CITY, "1", "A");
		apply(c, &r);
	}
	struct drg_record r = source(UINT16_MAX + 1, DRG_KIND_CITY, "1", "A");
	assert_int_equal(drg_catalog_apply(c, &r, &err), DRG_ELIMIT);
	assert_string_equal(err.reason, "too_many_adapters");
	drg_catalog_free(c);
}

/* What an import took must not stop the feed, however odd. */
static void languages_beyond_the_limit_are_names_of_last_resort(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(0);
	struct drg_dict d;
	for (int n = 250; n <= 260; n += 5) {
		size_t len = 0;
		for (int i = 0; i < n; i++)
			len += (size_t)snprintf(big + len, sizeof big - len, "%c\"a%d\":\"N%d\"",
			                        i == 0 ? '{' : ',', i, i);
		snprintf(big + len, sizeof big - len, "}");
		struct drg_record r = dict(DRG_KIND_CITY, n, big);
		apply(c, &r);
		struct drg_lang_pref pref = drg_catalog_langs(c, DRG_STR("a249"));
		assert_true(drg_catalog_dict(c, DRG_KIND_CITY, n, &d));
		assert_str(drg_dict_name_esc(&d, &pref), "N249");
	}
	struct drg_record r = dict(DRG_KIND_CITY, 1, "{\"a250\":\"N\",\"a251\":\"M\"}");
	apply(c, &r);
	char room[DRG_LANG_FULL + 1];
	assert_str(drg_catalog_lang(c, DRG_STR("a250"), false, room), "en");
	struct drg_lang_pref pref = drg_catalog_langs(c, DRG_STR("a250"));
	assert_true(drg_catalog_dict(c, DRG_KIND_CITY, 1, &d));
	assert_str(drg_dict_name_esc(&d, &pref), "N");
	drg_catalog_free(c);
}

static void the_smallest_catalog_works(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(1);
	int n;
	struct drg_record r = adapter(1, "a");
	apply(c, &r);
	publish(c, 1);
	fill(c, &n);
	check_filled(c, n);
	drg_catalog_free(c);
}

/* Bytes of address space in use. */
static size_t address_space(void)
{
	unsigned long pages = 0;
	FILE *f = fopen("/proc/self/statm", "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f, "%lu", &pages), 1);
	fclose(f);
	return pages * (size_t)sysconf(_SC_PAGESIZE);
}

static void limited_address_space_makes_a_smaller_catalog(void **state)
{
	(void)state;
	struct drg_catalog *c = NULL;
	struct drg_err err = { 0 };
	struct rlimit old, less;
	assert_int_equal(getrlimit(RLIMIT_AS, &old), 0);
	less = old;
	less.rlim_cur = address_space() + ((size_t)1 << 30);
	assert_int_equal(setrlimit(RLIMIT_AS, &less), 0);
	int exact = drg_catalog_new(&(struct drg_catalog_options){ .max_bytes = (size_t)2 << 30 }, &c, &err);
	int any = drg_catalog_new(&(struct drg_catalog_options){ 0 }, &c, &err);
	assert_int_equal(setrlimit(RLIMIT_AS, &old), 0);
	assert_int_equal(exact, DRG_ENOMEM);
	assert_int_equal(any, DRG_OK);
	struct drg_record r = source(1, DRG_KIND_HOTEL, "1", "A");
	apply(c, &r);
	drg_catalog_free(c);
}

static void answers_have_the_limit_of_their_buffer(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(0);
	struct drg_source s;
	struct drg_dict d;
	struct drg_buf b;
	const struct drg_lang_pref pref = { .n = 0 };
	struct drg_record r = adapter(1, "a");
	apply(c, &r);
	r = dict_hotel(1, "{\"en\":\"A\"}", 1, 1, 1);
	apply(c, &r);
	static const char *const ids[] = { "plain", "o\"dd" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(ids); i++) {
		r = source(1, DRG_KIND_HOTEL, ids[i], "A");
		apply(c, &r);
	}
	publish(c, 1);
	assert_true(drg_catalog_dict(c, DRG_KIND_HOTEL, 1, &d));
	for (size_t max = 0; max < 64; max++) {
		drg_buf_init(&b, max);
		drg_dict_json(c, &d, &pref, &b);
		assert_int_equal(b.rc, DRG_ELIMIT);
		assert_true(b.n <= max);
		drg_buf_done(&b);
		for (size_t i = 0; i < DRG_ARRAY_LEN(ids); i++) {
			drg_buf_init(&b, max);
			assert_true(drg_catalog_source(c, drg_catalog_adapter(c, 1), DRG_KIND_HOTEL,
			                               drg_str_c(ids[i]), &s));
			drg_source_json(c, &s, &b);
			assert_int_equal(b.rc, DRG_ELIMIT);
			assert_true(b.n <= max);
			drg_buf_done(&b);
		}
	}
	drg_catalog_free(c);
}

GROUP(limits)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_catalog_stays_as_it_was),
		cmocka_unit_test(texts_are_at_most_64_kib),
		cmocka_unit_test(adapters_are_counted_in_16_bits),
		cmocka_unit_test(languages_beyond_the_limit_are_names_of_last_resort),
		cmocka_unit_test(the_smallest_catalog_works),
		cmocka_unit_test(limited_address_space_makes_a_smaller_catalog),
		cmocka_unit_test(answers_have_the_limit_of_their_buffer),
	};
	return cmocka_run_group_tests_name("catalog limits", tests, NULL, NULL);
}
