/* Which data of an id mean another house (decision P3). */
#include "../unit.h"

#include <math.h>

#include "matching/other_house.h"
#include "model/key.h"

struct house {
	const char *name, *city, *country, *address;
	double lat, lng; /* NAN: not known */
};

static const struct house side = { "Mavi Koy Resort", "Side", "Turkey", "Liman Caddesi 1", 36.76, 31.38 },
                          nowhere = { "Mavi Koy Resort", "Side", "Turkey", "Liman Caddesi 1", NAN, NAN };

static const struct {
	const char *what;
	const struct house *was;
	struct house is;
	bool other;
} cases[] = {
	{ "other name, other town",
	  &side,
	  { "Grand Bellevue", "Toledo", "Spain", "Calle Mayor 7", 39.86, -4.02 },
	  true },
	{ "other name, 2 km away", &side, { "Grand Bellevue", "Side", "Turkey", "", 36.778, 31.38 }, true },
	{ "other name, 2 km away, same address",
	  &side,
	  { "Grand Bellevue", "Side", "Turkey", "Liman Cad. 1", 36.778, 31.38 },
	  false },
	{ "other name, 300 m away",
	  &side,
	  { "Grand Bellevue", "Side", "Turkey", "Other Street 5", 36.763, 31.38 },
	  false },
	{ "same name, other town",
	  &side,
	  { "MAVİ KOY RESORT & SPA", "Toledo", "Spain", "", 39.86, -4.02 },
	  false },
	{ "former name, other town",
	  &side,
	  { "Grand Bellevue (ex. Mavi Koy)", "Toledo", "Spain", "", 39.86, -4.02 },
	  false },
	{ "sister house, other town",
	  &side,
	  { "Mavi Bahce Resort", "Kemer", "Turkey", "", 36.6, 30.56 },
	  true },
	{ "no coordinates by now, other country",
	  &side,
	  { "Grand Bellevue", "Toledo", "Spain", "", NAN, NAN },
	  true },
	{ "no coordinates, other town",
	  &nowhere,
	  { "Grand Bellevue", "Toledo", "Spain", "", NAN, NAN },
	  true },
	{ "no coordinates, town not told", &nowhere, { "Grand Bellevue", "", "", "", NAN, NAN }, false },
	{ "no coordinates, same town, other address",
	  &nowhere,
	  { "Grand Bellevue", "Side", "Turkey", "Kale Sokak 9", NAN, NAN },
	  true },
	{ "no coordinates, same town",
	  &nowhere,
	  { "Grand Bellevue", "Side", "Turkey", "", NAN, NAN },
	  false },
	{ "no name by now", &side, { "***", "Toledo", "Spain", "", 39.86, -4.02 }, false },
};

static struct drg_record record_of(const struct house *h)
{
	const struct {
		enum drg_field f;
		const char *text;
	} texts[] = { { DRG_F_NAME, h->name },
		      { DRG_F_CITY_NAME, h->city },
		      { DRG_F_COUNTRY_NAME, h->country },
		      { DRG_F_ADDRESS, h->address } };
	struct drg_record r;
	drg_key_source(&r, 1, DRG_KIND_HOTEL, DRG_STR("h"));
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++)
		if (texts[i].text[0] != '\0')
			drg_record_set_s(&r, texts[i].f, drg_str_c(texts[i].text));
	if (!isnan(h->lat)) {
		drg_record_set_d(&r, DRG_F_LAT, h->lat);
		drg_record_set_d(&r, DRG_F_LNG, h->lng);
	}
	return r;
}

static void name_and_place_together_are_another_house(void **state)
{
	(void)state;
	struct drg_house_compare *x;
	assert_int_equal(drg_house_compare_new(&x, NULL), DRG_OK);
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		const struct drg_record was = record_of(cases[i].was), is = record_of(&cases[i].is);
		bool other = !cases[i].other;
		print_message("%s\n", cases[i].what);
		assert_int_equal(drg_is_other_house(x, &was, &is, &other, NULL), DRG_OK);
		assert_int_equal(other, cases[i].other);
	}
	drg_house_compare_free(x);
}

GROUP(other_house)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(name_and_place_together_are_another_house) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
