/* Many mapped items at once, against the same items written one by one. */
#include "records.h"

#include "text/json.h"

enum { HOTELS = 300, ADAPTER = 7 };

/* Text lengths around the pieces in which texts are copied. */
static const unsigned lengths[] = { 1, 2, 7, 8, 15, 16, 30, 31, 32, 33, 34, 63, 64, 65, 95, 96, 97, 200 };

static struct drg_catalog *cat;

static void put(struct drg_record r)
{
	apply(cat, &r);
}

/* {"en":"aaa…","uk":"aaa…"} with texts of these lengths; 0 leaves a language out. */
static const char *names(unsigned en, unsigned uk)
{
	static char buf[1024];
	char a[256], b[256];
	memset(a, 'a', sizeof a);
	memset(b, 'b', sizeof b);
	if (en > 0 && uk > 0)
		snprintf(buf, sizeof buf, "{\"en\":\"%.*s\",\"uk\":\"%.*s\"}", (int)en, a, (int)uk, b);
	else
		snprintf(buf, sizeof buf, "{\"%s\":\"%.*s\"}", en > 0 ? "en" : "uk", (int)(en + uk),
		         en > 0 ? a : b);
	return buf;
}

static unsigned length(unsigned i)
{
	return lengths[i % DRG_ARRAY_LEN(lengths)];
}

static void put_hotels(void)
{
	char id[24], name[256];
	memset(name, 'n', sizeof name);
	for (unsigned i = 0; i < HOTELS; i++) {
		/* City 90 and category 9 are missing, so are some hotels. */
		if (i % 7 != 0)
			put(dict_hotel(i, names(length(i), i % 3 == 0 ? 0 : 5), 1 + i % 3,
			               i % 11 == 0 ? 90 : i % 40, 1 + i % 9));
		snprintf(id, sizeof id, i % 13 == 0 ? "quo\"te%u" : "%u", i);
		name[length(i + 5)] = '\0';
		struct drg_record r = source(ADAPTER, DRG_KIND_HOTEL, id, name);
		name[length(i + 5)] = 'n';
		drg_record_set_s(&r, DRG_F_CATEGORY_NAME, drg_str(name, length(i)));
		drg_record_set_s(&r, DRG_F_COUNTRY_NAME, DRG_STR("C"));
		drg_record_set_s(&r, DRG_F_CITY_NAME, drg_str(name, length(i + 9)));
		if (i % 5 != 0)
			drg_record_set_i(&r, DRG_F_DICT_ID, i);
		put(r);
	}
}

static int set_up(void **state)
{
	(void)state;
	cat = new_catalog(0);
	put(adapter(ADAPTER, "coral"));
	for (unsigned i = 0; i < 40; i++)
		put(dict(DRG_KIND_CITY, i, names(length(i), length(i + 3))));
	for (unsigned i = 1; i <= 3; i++)
		put(dict(DRG_KIND_COUNTRY, i, names(i == 2 ? 0 : length(i), length(i))));
	for (unsigned i = 1; i < 9; i++)
		put(dict(DRG_KIND_HOTEL_CATEGORY, i, names(2, 0)));
	put_hotels();
	put(mapped(ADAPTER, DRG_KIND_COUNTRY, "TR", 1));
	publish(cat, 1);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	return 0;
}

static void one_by_one(const struct drg_adapter *a, enum drg_kind kind, const struct drg_str *ids, size_t n,
                       const struct drg_lang_pref *pref, struct drg_buf *out)
{
	for (size_t i = 0; i < n; i++) {
		struct drg_source s = { .rec = NULL };
		struct drg_dict d;
		bool known = drg_catalog_source(cat, a, kind, ids[i], &s);
		drg_buf_str(out, i > 0 ? DRG_STR(",{\"id\":") : DRG_STR("{\"id\":"));
		drg_json_string(out, ids[i]);
		drg_buf_lit(out, ",\"source\":");
		if (known)
			drg_source_json(cat, &s, out);
		else
			drg_buf_lit(out, "null");
		drg_buf_lit(out, ",\"dict\":");
		if (known && drg_catalog_dict_at(cat, s.dict, &d))
			drg_dict_json(cat, &d, pref, out);
		else
			drg_buf_lit(out, "null");
		drg_buf_char(out, '}');
	}
}

/* Known and mapped, known and not mapped. */
static void compare_tally(const struct drg_adapter *a, enum drg_kind kind, const struct drg_str *ids,
                          size_t n, const struct drg_mapped_tally *t)
{
	size_t mapped = 0, n_open = 0;
	for (size_t i = 0; i < n; i++) {
		struct drg_source s;
		struct drg_dict d;
		if (!drg_catalog_source(cat, a, kind, ids[i], &s))
			continue;
		bool is_mapped = drg_catalog_dict_at(cat, s.dict, &d);
		mapped += is_mapped;
		if (is_mapped)
			continue;
		assert_true(n_open < t->n_open);
		assert_int_equal(t->open[n_open++], i);
	}
	assert_int_equal(mapped, t->mapped);
	assert_int_equal(n_open, t->n_open);
}

static void compare(enum drg_kind kind, const char *lang, const struct drg_str *ids, size_t n)
{
	const struct drg_adapter *a = drg_catalog_adapter(cat, ADAPTER);
	struct drg_lang_pref pref = drg_catalog_langs(cat, drg_str_c(lang));
	struct drg_buf found, wanted;
	drg_buf_init(&found, SIZE_MAX);
	drg_buf_init(&wanted, SIZE_MAX);
	struct drg_mapped_tally t = { .open = calloc(n + 1, sizeof *t.open) };
	drg_mapped_json(cat, a, kind, ids, n, &pref, &found, &t);
	compare_tally(a, kind, ids, n, &t);
	free(t.open);
	one_by_one(a, kind, ids, n, &pref, &wanted);
	assert_int_equal(found.rc, DRG_OK);
	assert_true(drg_str_eq(drg_buf_view(&found), drg_buf_view(&wanted)));
	drg_buf_done(&found);
	drg_buf_done(&wanted);
}

/* Of hotels in a scattered order, some unknown, some more than once. */
static size_t some_ids(struct drg_str *ids, char (*text)[24], size_t n)
{
	for (size_t i = 0; i < n; i++) {
		unsigned id = (unsigned)(i * 37 % (HOTELS + 20));
		snprintf(text[i], sizeof text[i], id % 13 == 0 ? "quo\"te%u" : "%u", id);
		ids[i] = drg_str_c(text[i]);
	}
	return n;
}

static void any_number_of_ids(void **state)
{
	(void)state;
	static struct drg_str ids[1000];
	static char text[1000][24];
	some_ids(ids, text, DRG_ARRAY_LEN(ids));
	for (size_t n = 0; n < 130; n++)
		compare(DRG_KIND_HOTEL, "en", ids, n);
	compare(DRG_KIND_HOTEL, "en", ids, DRG_ARRAY_LEN(ids));
}

static void every_language(void **state)
{
	(void)state;
	static const char *const langs[] = { "en", "uk", "uk-ua", "xx" };
	static struct drg_str ids[400];
	static char text[400][24];
	some_ids(ids, text, DRG_ARRAY_LEN(ids));
	for (size_t i = 0; i < DRG_ARRAY_LEN(langs); i++)
		compare(DRG_KIND_HOTEL, langs[i], ids, DRG_ARRAY_LEN(ids));
}

static void other_kinds_and_unknown_ids(void **state)
{
	(void)state;
	const struct drg_str ids[] = { DRG_STR("TR"), DRG_STR(""), DRG_STR("tr"), DRG_STR("\"\\\n") };
	compare(DRG_KIND_COUNTRY, "uk", ids, DRG_ARRAY_LEN(ids));
	compare(DRG_KIND_MEAL, "uk", ids, DRG_ARRAY_LEN(ids));
}

static void behind_what_stands_in_the_buffer_already(void **state)
{
	(void)state;
	const struct drg_str id = DRG_STR("1");
	struct drg_lang_pref pref = drg_catalog_langs(cat, DRG_STR("en"));
	struct drg_buf out;
	drg_buf_init(&out, SIZE_MAX);
	drg_buf_lit(&out, "before");
	uint32_t open[1];
	struct drg_mapped_tally t = { .open = open };
	drg_mapped_json(cat, drg_catalog_adapter(cat, ADAPTER), DRG_KIND_HOTEL, &id, 1, &pref, &out, &t);
	assert_memory_equal(out.p, "before{\"id\":\"1\",\"source\":{\"id\":\"1\"", 32);
	drg_buf_done(&out);
}

static void a_full_buffer_keeps_its_ceiling(void **state)
{
	(void)state;
	static struct drg_str ids[100];
	static char text[100][24];
	struct drg_lang_pref pref = drg_catalog_langs(cat, DRG_STR("en"));
	size_t n = some_ids(ids, text, DRG_ARRAY_LEN(ids));
	for (size_t max = 0; max < 9000; max += 97) {
		struct drg_buf out;
		drg_buf_init(&out, max);
		uint32_t open[100];
		struct drg_mapped_tally t = { .open = open };
		drg_mapped_json(cat, drg_catalog_adapter(cat, ADAPTER), DRG_KIND_HOTEL, ids, n, &pref, &out,
		                &t);
		assert_int_equal(out.rc, DRG_ELIMIT);
		assert_true(out.n <= max);
		drg_buf_done(&out);
	}
}

GROUP(mapped)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(any_number_of_ids),
		cmocka_unit_test(every_language),
		cmocka_unit_test(other_kinds_and_unknown_ids),
		cmocka_unit_test(behind_what_stands_in_the_buffer_already),
		cmocka_unit_test(a_full_buffer_keeps_its_ceiling),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
