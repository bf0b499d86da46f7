/* Lists of hotels against each other, where the names tell nothing. */
#include "../unit.h"

#include "match/hotels.h"

static struct drg_normal *normal;

static struct drg_place_input hotel(const char *name)
{
	return (struct drg_place_input){ .names = { drg_str_c(name) },
		                         .n_names = 1,
		                         .lat = 36.85,
		                         .lng = 30.75,
		                         .country = 1,
		                         .city = 2,
		                         .category = DRG_PLACE_UNKNOWN };
}

static struct drg_place_input hotel_in(const char *name, int64_t city)
{
	struct drg_place_input in = hotel(name);
	in.city = city;
	in.lat = in.lng = NAN;
	return in;
}

/* What becomes of a hotel, where the reference has one other. */
static struct drg_hotel_match match_two(struct drg_place_input supplier, struct drg_place_input reference)
{
	struct drg_vocab vocab;
	struct drg_places src, ref;
	struct drg_candidate_index index;
	struct drg_err err;
	drg_vocab_init(&vocab);
	drg_places_init(&src, &vocab);
	drg_places_init(&ref, &vocab);
	supplier.id = 1;
	reference.id = 2;
	assert_int_equal(drg_places_add(&src, normal, &supplier), DRG_OK);
	assert_int_equal(drg_places_add(&ref, normal, &reference), DRG_OK);
	assert_int_equal(drg_candidate_index_make(&ref, NULL, &index), DRG_OK);
	struct drg_hotel_matching m = {
		.card = &drg_scorecard_hotels, .index = &index, .src = &src, .whole = true, .threads = 1
	};
	struct drg_hotel_match ret = { .n_best = 0 };
	assert_int_equal(drg_hotels_match(&m, &ret, &err), DRG_OK);
	drg_candidate_index_done(&index);
	drg_places_done(&src);
	drg_places_done(&ref);
	drg_vocab_done(&vocab);
	return ret;
}

static struct drg_hotel_match match_one(const char *supplier, const char *reference)
{
	return match_two(hotel(supplier), hotel(reference));
}

/* Found under UndefinedBehaviorSanitizer: a list in which no name has a letter has no tokens to point at. */
static void names_without_letters_map_nothing(void **state)
{
	(void)state;
	static const char *const names[] = { "", "*", "***", "( )", "Orkide" };
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++)
		for (size_t k = 0; k < DRG_ARRAY_LEN(names); k++)
			if (i + 1 < DRG_ARRAY_LEN(names) || k + 1 < DRG_ARRAY_LEN(names))
				assert_int_not_equal(match_one(names[i], names[k]).outcome,
				                     DRG_MATCH_AUTOMATIC);
}

static void the_same_name_at_the_same_place_is_met(void **state)
{
	(void)state;
	assert_int_equal(match_one("Orkide", "Orkide Hotel").n_best, 1);
}

/* Where nothing else says where they are. */
static void of_two_unknown_cities_nobody_knows_that_they_are_one(void **state)
{
	(void)state;
	static const int64_t known = 2, other = 3, unknown = DRG_PLACE_UNKNOWN;
	const struct drg_place_input reference = hotel_in("Orkide Hotel", unknown);
	const struct drg_hotel_match same = match_two(hotel_in("Orkide", known),
	                                              hotel_in("Orkide Hotel", known)),
	                             one = match_two(hotel_in("Orkide", known), reference),
	                             none = match_two(hotel_in("Orkide", unknown), reference),
	                             differ = match_two(hotel_in("Orkide", known),
	                                                hotel_in("Orkide Hotel", other));
	assert_int_equal(none.n_best, 1);
	assert_false(none.best[0].placed);
	assert_true(none.best[0].bits == one.best[0].bits);
	assert_true(same.best[0].bits > none.best[0].bits && none.best[0].bits > differ.best[0].bits);
}

/* Candidates are looked up by hundredths of a degree: these two are on both sides of a border, and share no word. */
static void a_house_that_is_near_is_compared_on_whichever_side_it_is(void **state)
{
	(void)state;
	for (int north = -1; north <= 1; north++)
		for (int east = -1; east <= 1; east++) {
			struct drg_place_input a = hotel("Orkide"), b = hotel("Zambak");
			a.lat = 36.85 + (north == 0 ? 0.005 : -0.001 * north);
			a.lng = 30.75 + (east == 0 ? 0.005 : -0.001 * east);
			b.lat = a.lat + 0.002 * north;
			b.lng = a.lng + 0.002 * east;
			assert_int_equal(match_two(a, b).candidates, 1);
			b.lat = a.lat + 0.004;
			assert_int_equal(match_two(a, b).candidates, 0);
		}
}

GROUP(hotels)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_without_letters_map_nothing),
		cmocka_unit_test(the_same_name_at_the_same_place_is_met),
		cmocka_unit_test(a_house_that_is_near_is_compared_on_whichever_side_it_is),
		cmocka_unit_test(of_two_unknown_cities_nobody_knows_that_they_are_one),
	};
	if (drg_normal_new(&normal, NULL) != DRG_OK)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_normal_free(normal);
	return failed;
}
