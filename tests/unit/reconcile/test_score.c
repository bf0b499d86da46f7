/* How like a query and a record are, and when that is certain (decision O3). */
#include "reference.h"

#include "reconcile/score_priv.h"

static const char HOTELS[] = PLACES HOTEL_MORE(1, 1, 10, "Blue Bay Palace", ",\"lat\":36.85,\"lng\":30.78")
        HOTEL(2, 1, 10, "Sunrise 2") HOTEL(3, 1, 10, "Rixos Premium Belek")
                HOTEL(4, 1, 10, "Rixos Premium Belek Villas") HOTEL(5, 2, 20, "Grand Hotel Lagoon");

static struct drg_recon_found score(const struct reference *r, const struct drg_recon_query *q, int64_t id)
{
	struct drg_recon_asked a;
	struct drg_recon_found f;
	drg_recon_ask(&a, r->x, q);
	drg_recon_score(&a, drg_recon_record_of(r->x, DRG_KIND_HOTEL, id), &f);
	return f;
}

static struct drg_recon_found score_name(const struct reference *r, const char *name, int64_t id)
{
	struct drg_buf buf;
	drg_buf_init(&buf, SIZE_MAX);
	const struct drg_recon_query q = question(name, &buf);
	struct drg_recon_found f = score(r, &q, id);
	drg_buf_done(&buf);
	return f;
}

static void names_are_compared_by_their_words(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int64_t id;
		double least, most;
	} cases[] = {
		{ "Blue Bay Palace", 1, 100, 100 },
		{ "BLUE BAY PALACE", 1, 100, 100 },
		{ "Palace Blue Bay", 1, 98, 99.9 },
		{ "Bluebay Palace", 1, 95, 99 },
		{ "Blue Bay Palase", 1, 85, 98 },
		{ "Blue Bay Palace Hotel", 1, 80, 98 },
		{ "Grand Lagoon Hotel", 5, 98, 99.9 },
		{ "Grand Lagoon", 5, 75, 95 },
		{ "Blue Bay", 1, 50, 90 },
		{ "Sunrise Palace", 1, 20, 60 },
		{ "Something Else", 1, 0, 0 },
		{ "Rixos Premium Belek", 4, 60, 95 },
	};
	struct reference r;
	reference_begin(&r, HOTELS);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		double s = (double)score_name(&r, cases[i].name, cases[i].id).score;
		if (s < cases[i].least || s > cases[i].most)
			fail_msg("%s: %g", cases[i].name, s);
	}
	reference_end(&r);
}

static void numbers_and_sister_houses_are_told_apart(void **state)
{
	(void)state;
	static const struct {
		const char *name;
		int64_t id;
		bool vital;
	} cases[] = { { "Sunrise 2", 2, true },
		      { "Sunrise 3", 2, false },
		      { "Sunrise", 2, false },
		      { "Sunrise 22", 2, false },
		      { "Rixos Premium Belek", 4, false },
		      { "Rixos Premium Belek Villas", 3, false },
		      { "Rixos Belek", 3, true } };
	struct reference r;
	reference_begin(&r, HOTELS);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		if (score_name(&r, cases[i].name, cases[i].id).vital != cases[i].vital)
			fail_msg("%s", cases[i].name);
	reference_end(&r);
}

static void what_is_said_of_the_place_counts(void **state)
{
	(void)state;
	struct reference r;
	struct drg_buf buf;
	reference_begin(&r, HOTELS);
	drg_buf_init(&buf, SIZE_MAX);
	const struct drg_recon_query plain = question("Blue Bay", &buf);
	const float bare = score(&r, &plain, 1).score;
	struct drg_recon_query q = plain;
	q.city = only(10);
	assert_true(score(&r, &q, 1).score > bare && score(&r, &q, 1).city == DRG_RECON_SAME);
	q.city = only(11);
	assert_true(score(&r, &q, 1).score < bare && score(&r, &q, 1).city == DRG_RECON_OTHER);
	q = plain;
	q.country = only(2);
	assert_true(score(&r, &q, 1).score < 0.6F * bare);
	q = plain;
	q.lat = 36.8505;
	q.lng = 30.78;
	const struct drg_recon_found near = score(&r, &q, 1);
	assert_true(near.score > bare && near.metres > 40 && near.metres < 70);
	q.lat = 37.5;
	assert_true(score(&r, &q, 1).score < 0.7F * bare);
	assert_true(isnan(score(&r, &q, 3).metres)); /* it has no place */
	drg_buf_done(&buf);
	reference_end(&r);
}

/* A hotel, or city, that is called so, and what else is known of it. */
struct certainty {
	const char *what;
	enum { EXACT = 0, LIKE = 1, OTHER_NUMBER = 2, ID = 4, NO_HOTEL = 8 } is;
	float name, metres; /* 0: 1; not known */
	int8_t city, country, category, code;
	float next; /* the score of the next one; 0: there is none */
	bool sure;
};

static bool is_sure(const struct certainty *c, const struct drg_recon_query *q)
{
	static const struct drg_named hotel = { .kind = DRG_KIND_HOTEL, .country = 1, .city = 10 },
	                              city = { .kind = DRG_KIND_CITY, .country = 1 };
	const struct drg_recon_found f[2] = { { .record = (c->is & NO_HOTEL) != 0 ? &city : &hotel,
		                                .score = 100,
		                                .name = c->name > 0 ? c->name : 1,
		                                .metres = c->metres > 0 ? c->metres : NAN,
		                                .city = c->city,
		                                .country = c->country,
		                                .category = c->category,
		                                .code = c->code,
		                                .id = (c->is & ID) != 0,
		                                .exact = (c->is & LIKE) == 0,
		                                .vital = (c->is & OTHER_NUMBER) == 0 },
		                              { .record = &hotel, .score = c->next } };
	return drg_recon_is_sure(q, f, c->next > 0 ? 2 : 1);
}

static void what_is_certain(void **state)
{
	(void)state;
	static const struct certainty cases[] = {
		{ "in its city", .city = 1, .sure = true },
		{ "without a place", .sure = false },
		{ "in another city", .city = -1 },
		{ "another city, but here", .city = -1, .metres = 200, .sure = true },
		{ "no city, and here", .metres = 300, .sure = true },
		{ "no city, and near", .metres = 400 },
		{ "its city, but far", .city = 1, .metres = 1500 },
		{ "another country", .city = 1, .country = -1 },
		{ "another category", .city = 1, .category = -1 },
		{ "another code", .city = 1, .code = -1 },
		{ "one as good", .city = 1, .next = 100 },
		{ "one nearly as good", .city = 1, .next = 90.5F },
		{ "one worse", .city = 1, .next = 90, .sure = true },
		{ "nearly the name", .is = LIKE, .city = 1, .name = 0.9F, .sure = true },
		{ "not the name", .is = LIKE, .city = 1, .name = 0.89F },
		{ "another number", .is = LIKE | OTHER_NUMBER, .city = 1 },
		{ "its code", .is = LIKE, .city = 1, .name = 0.5F, .code = 1, .sure = true },
		{ "its id", .is = ID | LIKE, .name = 0.1F, .sure = true },
		{ "its id, another country", .is = ID, .country = -1 },
		{ "its id, another's name", .is = ID, .next = 100 },
		{ "no hotel", .is = NO_HOTEL, .sure = true },
		{ "no hotel, nearly", .is = NO_HOTEL | LIKE, .name = 0.95F },
	};
	const struct drg_recon_query q = { .lat = NAN, .lng = NAN };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		if (is_sure(&cases[i], &q) != cases[i].sure)
			fail_msg("%s", cases[i].what);
	struct drg_recon_query typing = q, nowhere = q;
	typing.beginning = true;
	assert_false(is_sure(&cases[0], &typing));
	nowhere.country.given = true; /* and there is none of that name */
	assert_false(is_sure(&cases[0], &nowhere));
	assert_false(drg_recon_is_sure(&q, NULL, 0));
}

static void the_fitting_come_before_the_others(void **state)
{
	(void)state;
	const struct drg_named r = { .country = 1, .city = 10, .lat = 36.85F, .lng = 30.78F };
	struct drg_recon_query q = { .lat = NAN, .lng = NAN };
	assert_int_equal(drg_recon_fits(&q, &r), 0);
	q.country = only(1);
	int in_country = drg_recon_fits(&q, &r);
	q.city = only(10);
	int in_city = drg_recon_fits(&q, &r);
	q.city = only(11);
	int elsewhere = drg_recon_fits(&q, &r);
	assert_true(in_city > in_country && in_country > 0 && elsewhere < 0);
	q.lat = 36.851;
	q.lng = 30.781;
	assert_true(drg_recon_fits(&q, &r) > elsewhere);
	q.lat = 40;
	assert_true(drg_recon_fits(&q, &r) < elsewhere);
}

GROUP(score)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_are_compared_by_their_words),
		cmocka_unit_test(numbers_and_sister_houses_are_told_apart),
		cmocka_unit_test(what_is_said_of_the_place_counts),
		cmocka_unit_test(what_is_certain),
		cmocka_unit_test(the_fitting_come_before_the_others),
	};
	return cmocka_run_group_tests_name("reconcile/score", tests, NULL, NULL);
}
