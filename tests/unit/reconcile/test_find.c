/* Candidates, and what a search leaves out. */
#include "reference.h"

enum { ROOM = 100 };

struct finding {
	struct reference r;
	struct drg_recon_scratch *scratch;
	struct drg_buf text;
	struct drg_recon_found v[ROOM];
	unsigned n;
	bool sure;
};

static void finding_begin(struct finding *f, const char *ndjson)
{
	reference_begin(&f->r, ndjson);
	f->scratch = drg_recon_scratch_new();
	assert_non_null(f->scratch);
	drg_buf_init(&f->text, SIZE_MAX);
}

static void finding_end(struct finding *f)
{
	drg_buf_done(&f->text);
	free(f->scratch);
	reference_end(&f->r);
}

/* The id of the first; 0: none. */
static int64_t find(struct finding *f, const struct drg_recon_query *q)
{
	f->n = drg_recon_find(f->r.x, q, f->scratch, f->v, &f->sure);
	assert_true(f->n <= q->limit);
	for (unsigned i = 1; i < f->n; i++)
		assert_true(f->v[i - 1].score >= f->v[i].score);
	return f->n > 0 ? f->v[0].record->id : 0;
}

static int64_t find_name(struct finding *f, const char *name)
{
	const struct drg_recon_query q = question(name, &f->text);
	return find(f, &q);
}

static const char FEW[] = PLACES HOTEL(1, 1, 10, "Blue Bay Palace") HOTEL(2, 1, 11, "Blue Bay")
        HOTEL(3, 1, 10, "Rixos Premium") HOTEL(4, 2, 20, "Belek") HOTEL(5, 2, 20, "Hotel 77");

static void the_likest_comes_first(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int64_t id;
	} cases[] = { { "Blue Bay", 2 },        { "blue bay palace", 1 },
		      { "Palace Blue Bay", 1 }, { "Rixos Premum", 3 },
		      { "rixos", 3 },           { "Belek", 4 },
		      { "hotel-77", 5 },        { "", 0 },
		      { "nothing here", 0 } };
	struct finding f;
	finding_begin(&f, FEW);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		if (find_name(&f, cases[i].name) != cases[i].id)
			fail_msg("%s", cases[i].name);
	finding_end(&f);
}

static void types_and_limit_are_kept(void **state)
{
	(void)state;
	struct finding f;
	finding_begin(&f, FEW);
	struct drg_recon_query q = question("Belek", &f.text);
	q.types = 1U << DRG_KIND_CITY;
	assert_int_equal(find(&f, &q), 10);
	assert_true(f.sure);
	q.types = DRG_RECON_ALL;
	find(&f, &q);
	assert_int_equal(f.n, 2);
	assert_false(f.sure);
	q.limit = 1;
	find(&f, &q);
	assert_int_equal(f.n, 1);
	assert_false(f.sure); /* what is cut off counts */
	q.types = 0;
	assert_int_equal(find(&f, &q), 0);
	finding_end(&f);
}

static void the_beginning_of_a_word_is_enough_while_somebody_types(void **state)
{
	(void)state;
	struct finding f;
	finding_begin(&f, FEW);
	struct drg_recon_query q = question("rix", &f.text);
	assert_int_equal(find(&f, &q), 0);
	q.beginning = true;
	assert_int_equal(find(&f, &q), 3);
	assert_false(f.sure);
	q = question("blue ba", &f.text);
	q.beginning = true;
	assert_int_equal(find(&f, &q), 2);
	finding_end(&f);
}

static void an_id_is_its_record(void **state)
{
	(void)state;
	struct finding f;
	finding_begin(&f, FEW);
	struct drg_recon_query q = question("hotel-3", &f.text);
	q.by_id = true;
	q.id_type = DRG_KIND_HOTEL;
	q.id = 3;
	assert_int_equal(find(&f, &q), 3);
	assert_true(f.sure && f.v[0].id && f.v[0].score == 100);
	q.types = 1U << DRG_KIND_CITY; /* it is none */
	assert_int_equal(find(&f, &q), 0);
	q = question("hotel-77", &f.text);
	q.by_id = true;
	q.id_type = DRG_KIND_HOTEL;
	q.id = 3; /* one is called like the id of another */
	find(&f, &q);
	assert_false(f.sure);
	q.id = 999;
	assert_int_equal(find(&f, &q), 5);
	finding_end(&f);
}

/* ---- more of a name than are looked at ---- */

#define BELEK "\"country_id\":1,\"city_id\":10,\"lat\":36.86,\"lng\":31.05,"
#define HURGHADA "\"country_id\":2,\"city_id\":20,"

/* Hotels of a name, the first in Belek, the others with this of their place. */
static char *crowd_at(const char *name, int n, const char *place)
{
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	drg_buf_lit(&b, PLACES HOTEL(90001, 1, 11, "Rare Sunset"));
	for (int i = 1; i <= n; i++)
		drg_buf_printf(&b,
		               "{\"type\":\"dict\",\"kind\":\"hotel\",\"id\":%d,%s"
		               "\"hotel_category_id\":5,\"name\":\"%s\"}\n",
		               i, i > 1 ? place : BELEK, name);
	drg_buf_char(&b, '\0');
	assert_int_equal(b.rc, DRG_OK);
	return b.p;
}

/* The others in Hurghada. */
static char *crowd(const char *name, int n)
{
	return crowd_at(name, n, HURGHADA);
}

static void of_namesakes_the_one_in_its_city_is_sure(void **state)
{
	(void)state;
	struct finding f;
	char *text = crowd("Sunset", 1500);
	finding_begin(&f, text);
	struct drg_recon_query q = question("Sunset", &f.text);
	q.city = only(10);
	assert_int_equal(find(&f, &q), 1);
	assert_true(f.sure);
	q.city = only(20);
	find(&f, &q);
	assert_false(f.sure);
	finding_end(&f);
	free(text);
}

/* Whether it is at the beginning or the end of them, the fitting one is found. It is certain where it is
 * known of all others that they lie elsewhere, though there is no room to compare them; of more nobody has
 * looked at all. */
static void of_more_than_there_is_room_for_the_fitting_one_is_sure(void **state)
{
	(void)state;
	static const int many[] = { 2500, 3900, 4500 };
	for (size_t i = 0; i < DRG_ARRAY_LEN(many); i++) {
		struct finding f;
		char *text = crowd("Sunset", many[i]);
		finding_begin(&f, text);
		struct drg_recon_query q = question("Sunset", &f.text);
		q.city = only(10);
		find(&f, &q);
		if (f.sure != (many[i] < 4000))
			fail_msg("%s of one of %d", f.sure ? "sure" : "unsure", many[i]);
		if (many[i] < 4000)
			assert_int_equal(f.v[0].record->id, 1);
		q.city = only(11); /* none is there */
		find(&f, &q);
		assert_false(f.sure);
		assert_int_equal(find_name(&f, "Rare Sunset"), 90001);
		finding_end(&f);
		free(text);
	}
}

/* Of others that nobody knows to lie elsewhere one may be where the fitting one is. */
static void of_more_whose_coordinates_are_not_known_none_is_sure(void **state)
{
	(void)state;
	static const char *const places[] = { HURGHADA, HURGHADA "\"lat\":27.2,\"lng\":33.8," };
	for (size_t i = 0; i < DRG_ARRAY_LEN(places); i++) {
		struct finding f;
		char *text = crowd_at("Sunset", 2500, places[i]);
		finding_begin(&f, text);
		struct drg_recon_query q = question("Sunset", &f.text);
		q.lat = 36.8601;
		q.lng = 31.0501;
		assert_int_equal(find(&f, &q), 1);
		assert_int_equal(f.sure, i > 0);
		finding_end(&f);
		free(text);
	}
}

/* There is room for 2,000 of them; the one that fits is the last. */
static void the_fitting_one_has_room(void **state)
{
	(void)state;
	struct finding f;
	struct drg_buf b;
	drg_buf_init(&b, SIZE_MAX);
	char *text = crowd("Sunset", 3000);
	drg_buf_printf(&b, "%s%s", text, HOTEL(80001, 1, 11, "Sunset"));
	drg_buf_char(&b, '\0');
	finding_begin(&f, b.p);
	struct drg_recon_query q = question("Sunset", &f.text);
	q.city = only(11);
	assert_int_equal(find(&f, &q), 80001);
	assert_true(f.sure);
	finding_end(&f);
	drg_buf_done(&b);
	free(text);
}

/* ---- names that properties have ---- */

static void of_cities_of_a_name_those_of_the_country_count(void **state)
{
	(void)state;
	struct drg_buf b;
	struct finding f;
	drg_buf_init(&b, SIZE_MAX);
	drg_buf_lit(&b, PLACES);
	for (int i = 100; i < 300; i++)
		drg_buf_printf(&b,
		               "{\"type\":\"dict\",\"kind\":\"city\",\"id\":%d,\"country_id\":%d,\"name\":"
		               "\"San Juan\"}\n",
		               i, i < 299 ? 1 : 2);
	drg_buf_char(&b, '\0');
	finding_begin(&f, b.p);
	struct drg_recon_ids all = { .n = 0 }, egypt = { .n = 0 }, country = only(2), nowhere = { .n = 0 };
	drg_recon_named(f.r.x, DRG_KIND_CITY, DRG_STR("san juan"), &nowhere, &all);
	assert_int_equal(all.n, DRG_RECON_IDS);
	drg_recon_named(f.r.x, DRG_KIND_CITY, DRG_STR("san juan"), &country, &egypt);
	assert_int_equal(egypt.n, DRG_RECON_IDS);
	assert_int_equal(egypt.v[0], 299);
	drg_recon_named(f.r.x, DRG_KIND_HOTEL, DRG_STR("san juan"), &nowhere, &nowhere);
	drg_recon_named(f.r.x, DRG_KIND_CITY, DRG_STR(""), &nowhere, &nowhere);
	assert_int_equal(nowhere.n, 0);
	finding_end(&f);
	drg_buf_done(&b);
}

GROUP(find)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_likest_comes_first),
		cmocka_unit_test(types_and_limit_are_kept),
		cmocka_unit_test(the_beginning_of_a_word_is_enough_while_somebody_types),
		cmocka_unit_test(an_id_is_its_record),
		cmocka_unit_test(of_namesakes_the_one_in_its_city_is_sure),
		cmocka_unit_test(of_more_than_there_is_room_for_the_fitting_one_is_sure),
		cmocka_unit_test(of_more_whose_coordinates_are_not_known_none_is_sure),
		cmocka_unit_test(the_fitting_one_has_room),
		cmocka_unit_test(of_cities_of_a_name_those_of_the_country_count),
	};
	return cmocka_run_group_tests_name("reconcile/find", tests, NULL, NULL);
}
