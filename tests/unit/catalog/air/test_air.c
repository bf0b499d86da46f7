/* Air places in the catalog: look-ups, titles, what suppliers gave; and readers beside a writer. */
#include "air_records.h"

#include <pthread.h>
#include <stdatomic.h>

#include "catalog/air/air_priv.h"
#include "catalog/catalog_priv.h"

static bool by_title(const struct drg_catalog *c, struct drg_str title, struct drg_air_place *ret)
{
	const struct drg_air_title t = { .title = title };
	return drg_air_by_title(c, &t, ret);
}

static struct drg_catalog *cat;

static void take(struct drg_record r)
{
	apply(cat, &r);
}

static int fill(void **state)
{
	(void)state;
	cat = new_catalog((size_t)1 << 24);
	take(air_place(1, "PAR", NULL, "{\"en\":\"Paris\",\"ru\":\"Париж\"}", 900));
	take(air_place(2, "CDG", "PAR", "{\"en\":\"Charles de Gaulle\"}", 800));
	take(air_place(3, "PAR", "XXX", "{\"en\":\"Parana \\\"Field\\\"\"}", 10));
	take(air_place(-4, "ORY", "PAR", "{\"en\":\"Orly\",\"und-x\":\"O\"}", 700));
	take(air_place(5, "PRX", NULL, "{\"en\":\"PARIS\"}", 5));
	publish(cat, 1);
	return 0;
}

static int drop(void **state)
{
	(void)state;
	drg_catalog_free(cat);
	return 0;
}

static void places_are_found_by_id(void **state)
{
	(void)state;
	struct drg_air_place p;
	assert_true(drg_air_find(cat, -4, &p));
	assert_str(p.code, "ORY");
	assert_str(p.city_code, "PAR");
	assert_str(p.country_code, "XX");
	assert_int_equal(p.weight, 700);
	assert_int_equal(p.icao_code.n, 0);
	assert_false(p.located);
	assert_false(drg_air_find(cat, 4, &p));
	assert_false(drg_air_find(cat, INT64_MAX, &p));
	assert_false(drg_air_find(cat, INT64_MIN, &p));
}

static void a_place_keeps_its_icao_code(void **state)
{
	(void)state;
	struct drg_air_place p;
	struct drg_record back, r = air_place(7, "LHR", "LON", "{\"en\":\"Heathrow\"}", 1);
	struct drg_arena arena;
	drg_record_set_s(&r, DRG_F_ICAO_CODE, DRG_STR("EGLL"));
	take(r);
	publish(cat, 2);
	assert_true(drg_air_find(cat, 7, &p));
	assert_str(p.icao_code, "EGLL");
	drg_arena_init(&arena, 1 << 16);
	assert_int_equal(drg_air_place_record(cat, p.rec, &arena, &back), DRG_OK);
	assert_text(drg_record_s(&back, DRG_F_ICAO_CODE), "EGLL");
	drg_arena_done(&arena);
}

static void a_city_is_in_no_city(void **state)
{
	(void)state;
	struct drg_air_place p;
	struct drg_record r = air_place(7, "LON", NULL, "{\"en\":\"London\"}", 1);
	drg_record_set_s(&r, DRG_F_CITY_CODE, DRG_STR("PAR"));
	take(r);
	publish(cat, 2);
	assert_true(drg_air_find(cat, 7, &p));
	assert_int_equal(p.city_code.n, 0);
}

static void the_list_is_ascending_by_id(void **state)
{
	(void)state;
	static const int64_t ids[] = { -4, 1, 2, 3, 5 };
	struct drg_air_place p;
	assert_int_equal(drg_air_count(cat), DRG_ARRAY_LEN(ids));
	for (size_t i = 0; i < DRG_ARRAY_LEN(ids); i++) {
		drg_air_at(cat, i, &p);
		assert_int_equal(p.id, ids[i]);
	}
}

static void a_code_means_an_airport_before_a_city(void **state)
{
	(void)state;
	struct drg_air_place p;
	assert_true(drg_air_by_code(cat, DRG_STR("PAR"), &p));
	assert_int_equal(p.id, 3);
	assert_true(drg_air_by_code(cat, DRG_STR("prx"), &p));
	assert_int_equal(p.id, 5);
	assert_true(drg_air_city(cat, DRG_STR("PAR"), &p));
	assert_int_equal(p.id, 1);
	assert_false(drg_air_city(cat, DRG_STR("CDG"), &p));
	assert_false(drg_air_by_code(cat, DRG_STR("ZZZ"), &p));
	assert_false(drg_air_by_code(cat, DRG_STR("P-R"), &p));
	assert_false(drg_air_by_code(cat, DRG_STR(""), &p));
	assert_false(drg_air_by_code(cat, DRG_STR("PARI"), &p));
}

static void a_title_means_the_only_place_that_has_it_or_a_much_heavier_one(void **state)
{
	(void)state;
	struct drg_air_place p;
	assert_true(by_title(cat, DRG_STR("париж"), &p));
	assert_int_equal(p.id, 1);
	assert_true(by_title(cat, DRG_STR("  charles-de-gaulle"), &p));
	assert_int_equal(p.id, 2);
	assert_true(by_title(cat, DRG_STR("Gaulle Charles Intl Airport"), &p));
	assert_int_equal(p.id, 2);
	assert_true(by_title(cat, DRG_STR("Paris"), &p)); /* two have it */
	assert_int_equal(p.id, 1);
	assert_false(by_title(cat, DRG_STR("Paris Airport"), &p)); /* both are cities */
	assert_false(by_title(cat, DRG_STR("Charles"), &p));
	assert_false(by_title(cat, DRG_STR(""), &p));
	assert_false(by_title(cat, DRG_STR("😀"), &p));
}

static void expect_title(int64_t id, const char *lang, const char *title, const char *tag)
{
	struct drg_air_place p;
	struct drg_str got;
	const struct drg_lang_pref pref = drg_catalog_langs(cat, drg_str_c(lang));
	assert_true(drg_air_find(cat, id, &p));
	assert_text(drg_air_title_esc(cat, &p, &pref, &got), title);
	assert_text(got, tag);
}

static void a_title_comes_with_its_language(void **state)
{
	(void)state;
	expect_title(1, "ru", "Париж", "ru");
	expect_title(1, "ru-ru", "Париж", "ru");
	expect_title(1, "de", "Paris", "en");
	expect_title(2, "ru", "Charles de Gaulle", "en");
	expect_title(3, "en", "Parana \\\"Field\\\"", "en");
}

static void suppliers_data_is_kept_as_given(void **state)
{
	(void)state;
	const struct drg_air_data *d;
	static const char json[] = "{ \"lat\": 49.0128, \"x\":1e2 ,\"x\\u0041\":[ ]}";
	take(air_source(8, 2, "CDG-8", json));
	take(air_source(7, 2, NULL, "{}"));
	take(air_source(7, 3, "3", "{}"));
	publish(cat, 2);
	assert_int_equal(drg_air_data(cat, 2, &d), 2);
	assert_int_equal(d[0].adapter, 7);
	assert_null(d[0].external_id.p);
	assert_int_equal(d[1].adapter, 8);
	assert_str(d[1].external_id, "CDG-8");
	assert_text(d[1].json, json);
	assert_int_equal(drg_air_data(cat, 1, &d), 0);
	take(gone(air_source(8, 2, NULL, "{}")));
	publish(cat, 3);
	assert_int_equal(drg_air_data(cat, 2, &d), 1);
}

static void expect_external(int64_t adapter_id, const char *external_id, int64_t want)
{
	struct drg_air_place p = { .id = 0 };
	bool found = drg_air_by_external(cat, adapter_id, drg_str_c(external_id), &p);
	assert_int_equal(found, want != 0);
	assert_int_equal(p.id, want);
}

static void a_suppliers_id_is_looked_up_in_maps_then_in_its_data(void **state)
{
	(void)state;
	expect_external(8, "CDG-8", 0);
	take(air_source(8, 2, "CDG-8", "{}"));
	take(air_source(8, 3, "CDG-8", "{}"));
	take(air_source(9, 1, "CDG-8", "{}"));
	publish(cat, 2);
	expect_external(8, "CDG-8", 2); /* the lowest source_id of the two */
	expect_external(9, "CDG-8", 1);
	expect_external(8, "CDG-", 0);
	expect_external(7, "CDG-8", 0);
	take(air_map(8, "CDG-8", 5));
	take(air_map(8, "lost", 99));
	publish(cat, 3);
	expect_external(8, "CDG-8", 5);
	expect_external(8, "lost", 0);
	take(gone(air_map(8, "CDG-8", 5)));
	publish(cat, 4);
	expect_external(8, "CDG-8", 2);
	take(gone(air_place(2, "CDG", "PAR", "{}", 0)));
	publish(cat, 5);
	expect_external(8, "CDG-8", 0); /* it means a place that is gone */
}

static void changes_show_when_published(void **state)
{
	(void)state;
	struct drg_air_place p;
	uint64_t version = drg_catalog_list_version(cat);
	take(air_place(6, "LON", NULL, "{\"en\":\"London\"}", 1));
	take(gone(air_place(1, "PAR", NULL, "{}", 0)));
	take(air_place(2, "CDX", "PAR", "{\"en\":\"Roissy\"}", 800));
	assert_false(drg_air_find(cat, 6, &p));
	publish(cat, 2);
	assert_true(drg_air_find(cat, 6, &p));
	assert_false(drg_air_find(cat, 1, &p));
	assert_false(drg_air_city(cat, DRG_STR("PAR"), &p));
	assert_false(drg_air_by_code(cat, DRG_STR("CDG"), &p));
	assert_true(by_title(cat, DRG_STR("roissy"), &p));
	assert_true(drg_catalog_list_version(cat) > version);
	version = drg_catalog_list_version(cat);
	publish(cat, 3);
	assert_true(drg_catalog_list_version(cat) == version);
}

static int count_types(void *ctx, const struct drg_record *r)
{
	((unsigned *)ctx)[r->type->id]++;
	if (r->type->id == DRG_TYPE_AIR_PLACE && r->v[DRG_F_PLACE_ID].i == 1) {
		assert_text(r->v[DRG_F_NAMES].s, "{\"en\":\"Paris\",\"ru\":\"Париж\"}");
		assert_false(drg_record_has(r, DRG_F_CITY_CODE));
		assert_int_equal(drg_record_i(r, DRG_F_WEIGHT, 0), 900);
	}
	return DRG_OK;
}

static void every_air_record_comes_back(void **state)
{
	(void)state;
	unsigned n[DRG_TYPE_COUNT] = { 0 };
	take(air_source(8, 2, "a", "{}"));
	take(air_map(8, "b", 1));
	take(air_map(8, "c", 1));
	publish(cat, 2);
	assert_int_equal(drg_catalog_each(cat, count_types, n), DRG_OK);
	assert_int_equal(n[DRG_TYPE_AIR_PLACE], 5);
	assert_int_equal(n[DRG_TYPE_AIR_SOURCE], 1);
	assert_int_equal(n[DRG_TYPE_AIR_MAP], 2);
}

static void take_country(int64_t id, const char *code, bool deleted)
{
	struct drg_record r = dict(DRG_KIND_COUNTRY, id, "{\"en\":\"Country\"}");
	drg_record_set_s(&r, DRG_F_ISO_ALPHA_2, drg_str_c(code));
	r.deleted = deleted;
	take(r);
}

static void expect_country(const char *code, int64_t want)
{
	struct drg_dict d = { .id = 0 };
	assert_int_equal(drg_catalog_country(cat, drg_str_c(code), &d), want != 0);
	assert_int_equal(d.id, want);
}

static void a_country_is_found_by_its_code(void **state)
{
	(void)state;
	expect_country("FR", 0);
	take_country(1, "FR", false);
	take_country(2, "X1", false);
	expect_country("FR", 1);
	expect_country("X1", 2);
	expect_country("fr", 0);
	expect_country("F", 0);
	expect_country("", 0);
	expect_country("F-", 0);
	take_country(1, "DE", false); /* the code goes to another country */
	expect_country("FR", 0);
	take_country(2, "FR", false);
	expect_country("FR", 2);
	expect_country("DE", 1);
	take_country(2, "FR", true);
	expect_country("FR", 0);
}

static void an_empty_catalog_has_no_places(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(0);
	struct drg_air_place p;
	const struct drg_air_data *d;
	assert_int_equal(drg_air_count(c), 0);
	assert_false(drg_air_find(c, 1, &p));
	assert_false(drg_air_by_code(c, DRG_STR("PAR"), &p));
	assert_false(by_title(c, DRG_STR("Paris"), &p));
	assert_false(drg_air_by_external(c, 1, DRG_STR("a"), &p));
	assert_int_equal(drg_air_data(c, 1, &d), 0);
	drg_catalog_free(c);
}

static void a_full_catalog_stays_as_it_was(void **state)
{
	(void)state;
	struct drg_catalog *c = new_catalog(1 << 16);
	struct drg_err err = { 0 };
	struct drg_air_place p;
	char name[64];
	int rc = DRG_OK;
	int64_t id = 0;
	while (rc == DRG_OK) {
		snprintf(name, sizeof name, "{\"en\":\"Name of place %d\"}", (int)++id);
		struct drg_record r = air_place(id, "AAA", NULL, name, 0);
		rc = drg_catalog_apply(c, &r, &err);
	}
	assert_int_equal(rc, DRG_ELIMIT);
	publish(c, 1);
	assert_int_equal(drg_air_count(c), id - 1);
	assert_true(drg_air_find(c, id - 1, &p));
	assert_false(drg_air_find(c, id, &p));
	drg_catalog_free(c);
}

static void names_must_be_an_object_of_texts(void **state)
{
	(void)state;
	struct drg_err err = { 0 };
	struct drg_record r = air_place(9, "AAA", NULL, "{\"en\"}", 0);
	assert_int_equal(drg_catalog_apply(cat, &r, &err), DRG_EINVAL);
}

/* ---- readers beside a writer --------------------------------------------------------------------------- */

enum { PLACES = 300, ROUNDS = 30 };

static atomic_bool stop;
static _Atomic uint64_t seen;

static void search_once(struct drg_arena *a, const char *text, const char *lang)
{
	const struct drg_air_query q = { .text = drg_str_c(text), .lang = drg_str_c(lang), .limit = 50 };
	const struct drg_air_place *found;
	struct drg_str tag;
	const struct drg_lang_pref pref = drg_catalog_langs(cat, q.lang);
	size_t n, total;
	if (drg_air_search(cat, &q, a, &found, &n, &total) != DRG_OK)
		abort();
	for (size_t i = 0; i < n; i++)
		if (drg_air_title_esc(cat, &found[i], &pref, &tag).n == 0)
			abort();
	atomic_fetch_add(&seen, n);
}

static void *reader(void *arg)
{
	static const char *const texts[] = { "place", "pl 1", "plcae", "vtcnj", "", "aab" };
	struct drg_arena a;
	unsigned i = *(const unsigned *)arg;
	drg_arena_init(&a, 1 << 24);
	for (; !atomic_load(&stop); i++) {
		struct drg_air_place p;
		const struct drg_air_data *d;
		drg_arena_reset(&a);
		drg_read_lock();
		search_once(&a, texts[i % DRG_ARRAY_LEN(texts)],
		            i % 3 == 0   ? "en"
		            : i % 3 == 1 ? "uk"
		                         : "de");
		if (drg_air_by_external(cat, 1, DRG_STR("7"), &p) && p.id != 7)
			abort();
		if (drg_air_data(cat, 7, &d) > 0 && d[0].json.n < 2)
			abort();
		drg_read_unlock();
	}
	drg_arena_done(&a);
	return NULL;
}

static void write_round(int round)
{
	char names[96], code[4], text[16];
	for (int i = round % 3; i < PLACES; i += 3) {
		snprintf(names, sizeof names, "{\"en\":\"Place %d\",\"uk\":\"Місто %d\"}", i,
		         (i + round) % PLACES);
		snprintf(code, sizeof code, "%c%c%c", 'A' + i % 26, 'A' + i / 26 % 26, 'A' + round % 26);
		struct drg_record r = air_place(i, code, i % 2 == 0 ? NULL : "AAA", names, i % 5);
		r.deleted = (i + round) % 7 == 0;
		take(r);
		snprintf(text, sizeof text, "%d", i);
		r = air_source(1, i, text, "{}");
		r.deleted = (i + round) % 11 == 0;
		take(r);
	}
	publish(cat, 10 + round);
}

static void readers_see_whole_indexes(void **state)
{
	(void)state;
	pthread_t thread[2];
	unsigned first[2] = { 0, 1 };
	write_round(0);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_create(&thread[i], NULL, reader, &first[i]), 0);
	for (int round = 1; round <= ROUNDS; round++)
		write_round(round);
	while (atomic_load(&seen) == 0)
		;
	atomic_store(&stop, true);
	for (size_t i = 0; i < 2; i++)
		assert_int_equal(pthread_join(thread[i], NULL), 0);
}

/* Making the index anew is dear: nothing that is not searched is a reason. */
static void the_index_is_made_anew_only_where_something_has_changed(void **state)
{
	(void)state;
	struct drg_record france = dict(DRG_KIND_COUNTRY, 250, "{\"en\":\"France\"}");
	drg_record_set_s(&france, DRG_F_ISO_ALPHA_2, DRG_STR("FR"));
	take(france);
	publish(cat, 2);
	struct drg_air_index *was = atomic_load(&cat->air.index);
	take(france);
	take(air_place(77, "NEW", NULL, "{\"en\":\"Newtown\"}", 1));
	publish(cat, 3);
	assert_ptr_not_equal(atomic_load(&cat->air.index), was);
	was = atomic_load(&cat->air.index);
	take(france);
	take(air_place(77, "NEW", NULL, "{\"en\":\"Newtown\"}", 1));
	publish(cat, 4);
	assert_ptr_equal(atomic_load(&cat->air.index), was);
	take(air_place(77, "NEW", NULL, "{\"en\":\"Newtown\"}", 2));
	publish(cat, 5);
	assert_ptr_not_equal(atomic_load(&cat->air.index), was);
}

#define WITH_PLACES(test) cmocka_unit_test_setup_teardown(test, fill, drop)

static void a_title_may_say_its_country_its_city_or_a_code(void **state)
{
	(void)state;
	static const struct {
		const char *title, *country, *want;
	} titles[] = {
		{ "London, GB", "", "LON" }, { "London, United Kingdom", "", "LON" },
		{ "London, CA", "", "YXU" }, { "London (LHR)", "", "LHR" },
		{ "LONDON LHR", "", "LHR" }, { "LON - London", "", "LON" },
		{ "Heathrow", "", "LHR" },   { "Heathrow, London", "", "LHR" },
		{ "Orly London", "", "" },   { "Paris (LHR)", "", "" }, /* the code of another place */
		{ "London lhr", "", "" }, /* no code */
		{ "London, gb", "", "" },    { "London (LHR)", "CA", "" },
		{ "London, GB", "CA", "" },  { ",", "", "" },
		{ "(LHR)", "", "" },
	};
	struct drg_catalog *c = new_catalog((size_t)1 << 24);
	const struct {
		struct drg_record r;
		const char *country;
	} places[] = {
		{ air_place(1, "LON", NULL, "{\"en\":\"London\"}", 990), "GB" },
		{ air_place(2, "LHR", "LON", "{\"en\":\"London Heathrow Airport\"}", 980), "GB" },
		{ air_place(3, "YXU", NULL, "{\"en\":\"London\"}", 300), "CA" },
		{ air_place(4, "ORY", "PAR", "{\"en\":\"Orly\"}", 700), "FR" },
		{ air_place(5, "PAR", NULL, "{\"en\":\"Paris\"}", 900), "FR" },
	};
	struct drg_record gb = dict(DRG_KIND_COUNTRY, 826, "{\"en\":\"United Kingdom\"}");
	drg_record_set_s(&gb, DRG_F_ISO_ALPHA_2, DRG_STR("GB"));
	apply(c, &gb);
	struct drg_record ca = dict(DRG_KIND_COUNTRY, 124, "{\"en\":\"Canada\"}");
	drg_record_set_s(&ca, DRG_F_ISO_ALPHA_2, DRG_STR("CA"));
	apply(c, &ca);
	for (size_t i = 0; i < DRG_ARRAY_LEN(places); i++) {
		struct drg_record r = places[i].r;
		drg_record_set_s(&r, DRG_F_COUNTRY_CODE, drg_str_c(places[i].country));
		apply(c, &r);
	}
	publish(c, 1);
	int failed = 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(titles); i++) {
		const struct drg_air_title t = { .title = drg_str_c(titles[i].title),
			                         .country_code = drg_str_c(titles[i].country) };
		struct drg_air_place p = { .code = DRG_STR("") };
		drg_air_by_title(c, &t, &p);
		if (!drg_str_eq(p.code, drg_str_c(titles[i].want)))
			print_error("\"%s\" %s is \"%.*s\", not \"%s\"\n", titles[i].title, titles[i].country,
			            DRG_STR_ARG(p.code), titles[i].want),
			        failed++;
	}
	drg_catalog_free(c);
	assert_int_equal(failed, 0);
}

GROUP(air)
{
	static const struct CMUnitTest tests[] = {
		WITH_PLACES(places_are_found_by_id),
		WITH_PLACES(a_place_keeps_its_icao_code),
		WITH_PLACES(a_city_is_in_no_city),
		WITH_PLACES(the_list_is_ascending_by_id),
		WITH_PLACES(a_code_means_an_airport_before_a_city),
		WITH_PLACES(a_title_means_the_only_place_that_has_it_or_a_much_heavier_one),
		WITH_PLACES(a_title_comes_with_its_language),
		WITH_PLACES(suppliers_data_is_kept_as_given),
		WITH_PLACES(a_suppliers_id_is_looked_up_in_maps_then_in_its_data),
		WITH_PLACES(changes_show_when_published),
		WITH_PLACES(the_index_is_made_anew_only_where_something_has_changed),
		WITH_PLACES(every_air_record_comes_back),
		WITH_PLACES(a_country_is_found_by_its_code),
		cmocka_unit_test(a_title_may_say_its_country_its_city_or_a_code),
		cmocka_unit_test(an_empty_catalog_has_no_places),
		cmocka_unit_test(a_full_catalog_stays_as_it_was),
		WITH_PLACES(names_must_be_an_object_of_texts),
		WITH_PLACES(readers_see_whole_indexes),
	};
	return cmocka_run_group_tests_name("air places", tests, NULL, NULL);
}
