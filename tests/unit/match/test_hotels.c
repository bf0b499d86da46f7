/* Lists of hotels against each other, where the names tell nothing. */
#include "../unit.h"

#include "match/hotels.h"
#include "match/keyed.h"

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

/* What becomes of a hotel, where the reference has these. Country 7 is a territory of country 1. */
static struct drg_hotel_match match_list(const struct drg_scorecard *card, struct drg_place_input supplier,
                                         struct drg_place_input *reference, unsigned n)
{
	static const struct drg_keyed hong_kong = { 7, 1 };
	struct drg_vocab vocab;
	struct drg_places src, ref;
	struct drg_candidate_index index;
	struct drg_err err;
	drg_vocab_init(&vocab);
	drg_places_init(&src, &vocab);
	drg_places_init(&ref, &vocab);
	drg_buf_add(&ref.states, &hong_kong, sizeof hong_kong);
	supplier.id = 1;
	assert_int_equal(drg_places_add(&src, normal, &supplier), DRG_OK);
	for (unsigned i = 0; i < n; i++) {
		reference[i].id = i + 2;
		assert_int_equal(drg_places_add(&ref, normal, &reference[i]), DRG_OK);
	}
	assert_int_equal(drg_candidate_index_make(&ref, NULL, &index), DRG_OK);
	struct drg_hotel_matching m = {
		.card = card, .index = &index, .src = &src, .whole = true, .threads = 1
	};
	struct drg_hotel_match ret = { .n_best = 0 };
	assert_int_equal(drg_hotels_match(&m, &ret, &err), DRG_OK);
	drg_candidate_index_done(&index);
	drg_places_done(&src);
	drg_places_done(&ref);
	drg_vocab_done(&vocab);
	return ret;
}

static struct drg_hotel_match match_two(struct drg_place_input supplier, struct drg_place_input reference)
{
	return match_list(&drg_scorecard_hotels, supplier, &reference, 1);
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

/* Candidates are looked up by hundredths of a degree: these two are on both sides of a border, and share no
 * word. */
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

static void what_a_house_says_of_itself_is_no_sister_house(void **state)
{
	(void)state;
	static const struct {
		const char *supplier, *reference;
		enum drg_match_reason reason;
	} cases[] = {
		{ "Kaktus Blanco Hotel & Residences", "Kaktus Blanco Hotel", DRG_WHY_SURE },
		{ "Kaktus Blanco Resort", "Kaktus Blanco Beach Resort", DRG_WHY_SURE },
		{ "Kaktus Blanco Hotel", "Kaktus Blanco Boutique Hotel", DRG_WHY_SURE },
		{ "Kaktus Blanco Beach Resort", "Kaktus Blanco Resort", DRG_WHY_VETO_RESIDENCE },
		{ "Kaktus Blanco Boutique Hotel", "Kaktus Blanco Beach Hotel", DRG_WHY_VETO_RESIDENCE },
		{ "Kaktus Blanco Villa", "Kaktus Blanco Villas", DRG_WHY_SURE },
		{ "Kaktus Blanco Residence", "Kaktus Blanco Hotel", DRG_WHY_VETO_RESIDENCE },
		{ "Kaktus Blanco Villas & Spa", "Kaktus Blanco Hotel & Spa", DRG_WHY_VETO_RESIDENCE },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_int_equal(match_one(cases[i].supplier, cases[i].reference).reason, cases[i].reason);
	struct drg_place_input two[] = { hotel("Kaktus Blanco Hotel"), hotel("Kaktus Blanco Beach Hotel") };
	two[0].lat = two[1].lat = 36.8502;
	struct drg_hotel_match m = match_list(&drg_scorecard_hotels, hotel("Kaktus Blanco Beach"), two, 2);
	assert_int_equal(m.best[0].i, 1);
}

static void houses_of_two_chains_are_two(void **state)
{
	(void)state;
	assert_int_equal(match_one("Novotel Kaktus Blanco Liman", "Sofitel Kaktus Blanco Liman").reason,
	                 DRG_WHY_VETO_BRANDS);
	assert_int_equal(match_one("Novotel Kaktus Blanco Liman", "Kaktus Blanco Liman").reason,
	                 DRG_WHY_SURE);
	assert_int_equal(match_one("Ibis Kaktus Blanco", "Ibis Budget Kaktus Blanco").reason,
	                 DRG_WHY_VETO_RESIDENCE);
}

static void numbers_are_written_as_words(void **state)
{
	(void)state;
	static const char *const names[][2] = { { "Kaktus des 3 Châteaux", "Kaktus des Trois Châteaux" },
		                                { "Kaktus Drei Kronen", "Kaktus 3 Kronen" },
		                                { "Kaktus Cinque Torri", "Kaktus 5 Torri" } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(names); i++)
		assert_int_equal(match_one(names[i][0], names[i][1]).reason, DRG_WHY_SURE);
	assert_int_equal(match_one("Kaktus Trois Kronen", "Kaktus 4 Kronen").reason, DRG_WHY_VETO_NUMBERS);
}

static void a_word_of_its_city_is_no_sister_house(void **state)
{
	(void)state;
	struct drg_place_input a = hotel("Kaktus Blanco Miami Beach"), b = hotel("Kaktus Blanco Miami");
	a.city = DRG_PLACE_UNKNOWN;
	assert_int_equal(match_two(a, b).reason, DRG_WHY_VETO_RESIDENCE);
	a.city_name = DRG_STR("Miami Beach");
	assert_int_equal(match_two(a, b).reason, DRG_WHY_SURE);
}

static void nothing_far_is_automatic(void **state)
{
	(void)state;
	struct drg_scorecard card = drg_scorecard_hotels;
	card.bits[DRG_CMP_NAME][DRG_NAME_SAME] = 30;
	struct drg_place_input a = hotel("Kaktus Blanco"), b = a;
	for (int i = 0; i < 2; i++) {
		b.lat = a.lat + (i == 0 ? 0.53 : 0.55); /* 58.9 and 61.2 km */
		const struct drg_hotel_match m = match_list(&card, a, &b, 1);
		assert_int_equal(m.reason, i == 0 ? DRG_WHY_SURE : DRG_WHY_VETO_FAR);
	}
}

/* An "Ermitage" 4.6 km from the one of the reference was another; bits are 4.1 of 1.44. */
static void houses_of_one_name_apart_are_asked(void **state)
{
	(void)state;
	struct drg_place_input a = hotel("Kaktus Blanco"), b = a;
	b.lat += 0.010; /* 1.1 km */
	assert_int_equal(match_two(a, b).reason, DRG_WHY_SURE);
	b.lat += 0.030;
	assert_int_equal(match_two(a, b).reason, DRG_WHY_BELOW_THRESHOLD);
	a.zip = b.zip = DRG_STR("07330");
	assert_int_equal(match_two(a, b).reason, DRG_WHY_SURE);
	a.zip = DRG_STR("");
	a.address = b.address = DRG_STR("Liman Caddesi 46");
	assert_int_equal(match_two(a, b).reason, DRG_WHY_SURE);
}

static void one_wrong_coordinate_is_outweighed_by_the_address(void **state)
{
	(void)state;
	struct drg_place_input a = hotel("Kaktus Blanco Hotel"), b = a;
	a.address = b.address = DRG_STR("Liman Caddesi 46");
	b.lng += 0.5; /* 44 km */
	assert_int_equal(match_two(a, b).best[0].level[DRG_CMP_DISTANCE], 1);
	b.lat += 0.1;
	assert_int_equal(match_two(a, b).best[0].level[DRG_CMP_DISTANCE], 7);
}

static void a_territory_is_its_state(void **state)
{
	(void)state;
	struct drg_place_input a = hotel("Kaktus Blanco Hotel"), b = a;
	for (int64_t country = 7; country <= 8; country++) {
		b.country = country;
		assert_int_equal(match_two(a, b).outcome == DRG_MATCH_AUTOMATIC, country == 7);
		assert_int_equal(match_two(b, a).outcome == DRG_MATCH_AUTOMATIC, country == 7);
	}
}

static void the_same_words_in_its_city_are_a_place(void **state)
{
	(void)state;
	struct drg_place_input ref[] = { hotel_in("Kaktus Hotel", 2), hotel_in("Kaktus Inn", 2),
		                         hotel_in("Kaktus Hotel", 3) };
	assert_int_equal(match_list(&drg_scorecard_hotels, hotel_in("Kaktus Hotel", 2), ref, 3).reason,
	                 DRG_WHY_SURE);
	ref[1] = ref[0];
	assert_int_not_equal(match_list(&drg_scorecard_hotels, hotel_in("Kaktus Hotel", 2), ref, 2).reason,
	                     DRG_WHY_SURE);
}

GROUP(hotels)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(names_without_letters_map_nothing),
		cmocka_unit_test(the_same_name_at_the_same_place_is_met),
		cmocka_unit_test(a_house_that_is_near_is_compared_on_whichever_side_it_is),
		cmocka_unit_test(what_a_house_says_of_itself_is_no_sister_house),
		cmocka_unit_test(houses_of_two_chains_are_two),
		cmocka_unit_test(numbers_are_written_as_words),
		cmocka_unit_test(a_word_of_its_city_is_no_sister_house),
		cmocka_unit_test(nothing_far_is_automatic),
		cmocka_unit_test(houses_of_one_name_apart_are_asked),
		cmocka_unit_test(one_wrong_coordinate_is_outweighed_by_the_address),
		cmocka_unit_test(a_territory_is_its_state),
		cmocka_unit_test(the_same_words_in_its_city_are_a_place),
		cmocka_unit_test(of_two_unknown_cities_nobody_knows_that_they_are_one),
	};
	if (drg_normal_new(&normal, NULL) != DRG_OK)
		return 1;
	int failed = cmocka_run_group_tests(tests, NULL, NULL);
	drg_normal_free(normal);
	return failed;
}
