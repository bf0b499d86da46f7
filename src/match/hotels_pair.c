/* Compares two hotels: score, distance, vetoes. */
#include "match/hotels_priv.h"

#include <assert.h>

#include "match/hotels.h"
#include "match/align.h"
#include "match/words.h"

enum {
	RARE = 4, /* the most records of a name of one word for which it still identifies a place */
	LEVEL_SAME_CITY = 5, /* level of the distance if only the city is known */
	LEVEL_ELSEWHERE = 7,
	LEVEL_OTHER_CITY = 8,
};
#define METRES_OF_A_HOUSE 199.0 /* street and house count like 200 m */
#define CORNER_METRES 200.0 /* within this distance a differently written address does not matter */
#define ONE_AGREES 0.01 /* degrees: a latitude or longitude that agrees while the other one does not */

/* Latitude and longitude count as swapped if the distance is above this as they are, and below SWAPPED_TO when
 * exchanged. */
#define SWAPPED_FROM 100000.0

#define SWAPPED_TO 20000.0
#define ADDRESS_COUNTS_FROM (-8.0) /* bits below which the address is not compared: it would change nothing */

bool drg_hotel_same_city(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return a->city != DRG_PLACE_UNKNOWN && a->city == b->city;
}

static uint32_t reference_has(const struct drg_hotel_worker *w, uint64_t key, enum drg_area area, int64_t id)
{
	return drg_tally_get(&w->m->index->ref->often, drg_area_key(key, area, id));
}

/* Does the reference have only one hotel in this city whose name has these words, or these without type
 * words? Equal words are counted in the whole country, which is stricter: a sister house that differs only in
 * type words does not matter then. A name without type words may have lost them, and be the sister's. */
static bool is_only_one(const struct drg_hotel_worker *w, const struct drg_place_record *b,
                        const struct drg_form *fa, const struct drg_form *fb)
{
	uint64_t core = drg_core_key(fb->core);
	bool same = drg_same_words(&w->comparing, fa, fb), known = b->country != DRG_PLACE_UNKNOWN;
	if (same && known && fb->n > fb->n_core &&
	    reference_has(w, fb->joined, DRG_AREA_COUNTRY, b->country) == 1 &&
	    (fa->joined == fb->joined || reference_has(w, fa->joined, DRG_AREA_COUNTRY, b->country) == 0))
		return true;
	return reference_has(w, core, DRG_AREA_CITY, b->city) == 1 &&
	       (fb->n_core >= 2 || same || reference_has(w, core, DRG_AREA_COUNTRY, b->country) <= RARE);
}

static bool names_one_house(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                            const struct drg_place_record *b, const struct drg_form *fa,
                            const struct drg_form *fb)
{
	return drg_hotel_same_city(a, b) && fa->core == fb->core && fb->n_core > 0 &&
	       is_only_one(w, b, fa, fb);
}

/* Does the name locate the hotel as well as coordinates, because it is unique in its city? */
static bool unique_in_city(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                           const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	return p->level[DRG_CMP_RESIDENCE] == 0 &&
	       names_one_house(w, a, b, drg_place_form(w->m->src, a, p->form_a),
	                       drg_place_form(w->m->index->ref, b, p->form_b));
}

/* The words that distinguish sister houses differ, but both lists have no other house of this name in this
 * city. Either the supplier's name lacks the word, at the same street and house; or the word only praises the
 * house, and both are at one place. */
static bool has_no_sister(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                          const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	const struct drg_form *fa = drg_place_form(w->m->src, a, p->form_a);
	const struct drg_form *fb = drg_place_form(w->m->index->ref, b, p->form_b);
	uint64_t here = drg_area_key(drg_core_key(fb->core), DRG_AREA_CITY, b->city);
	bool near = isnan(p->metres) || (double)p->metres < SISTERS_APART,
	     address = p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME,
	     corner = (double)p->metres < CORNER_METRES;
	if (!w->m->whole || !near || !(address || corner) || !drg_hotel_same_city(a, b) ||
	    fa->core != fb->core || fb->n_core == 0 || drg_tally_get(&w->m->index->ref->often, here) != 1 ||
	    drg_tally_get(&w->m->src->often, here) != 1)
		return false;
	return (address && drg_residence_is_missing(&w->comparing, fa, fb)) ||
	       drg_residence_is_soft(&w->comparing, fa, fb);
}

/* An address locates the hotel too, if the name is nearly the same: street and house with the city or the
 * postcode. The street with the postcode counts less. So do, without coordinates, a name of the same letters
 * with the city, or a rare name of the same letters with street and house.
 * @return metres; NAN: it does not. */
static double metres_by_address(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                                const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	bool zip = p->level[DRG_CMP_ZIP] == DRG_ZIP_SAME, city = drg_hotel_same_city(a, b);
	unsigned name = p->level[DRG_CMP_NAME], address = p->level[DRG_CMP_ADDRESS];
	if (name < DRG_NAME_SAME_CORE || (p->level[DRG_CMP_RESIDENCE] != 0 && !has_no_sister(w, a, b, p)))
		return NAN;
	if (address == DRG_ADDRESS_SAME && (zip || city))
		return METRES_OF_A_HOUSE;
	bool told = (address == DRG_ADDRESS_STREET &&
	             (zip || (city && isnan(p->metres) && name >= DRG_NAME_SAME))) ||
	            (address == DRG_ADDRESS_SAME && name >= DRG_NAME_SAME && name <= DRG_NAME_SAME_FEW);
	return told ? METRES_AS_TOLD : NAN;
}

/* The distance; NAN: not known, or one record has latitude and longitude swapped. */
static double hotel_metres(const struct drg_place_record *a, const struct drg_place_record *b)
{
	if (!drg_place_located(a) || !drg_place_located(b))
		return NAN;
	double metres = drg_metres(a, b);
	struct drg_place_record turned = *a;
	turned.lat = a->lng;
	turned.lng = a->lat;
	return metres > SWAPPED_FROM && drg_metres(&turned, b) < SWAPPED_TO ? NAN : metres;
}

/* Does one coordinate agree? Then the other one is wrong. */
static bool one_agrees(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return fabs(a->lat - b->lat) < ONE_AGREES || fabs(a->lng - b->lng) < ONE_AGREES;
}

/* @param metres  hotel_metres() */
static uint8_t distance_level(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                              const struct drg_place_record *b, double metres, struct drg_hotel_pair *p)
{
	const struct drg_scorecard *card = w->m->card;
	double told = metres_by_address(w, a, b, p);
	if (isnan(metres) || (metres > told && metres < (one_agrees(a, b) ? DRG_HOTEL_FAR : OFF_AT_MOST)))
		metres = told;
	if (isnan(metres) && unique_in_city(w, a, b, p))
		metres = METRES_AS_TOLD;
	p->placed = !isnan(metres);
	if (p->placed)
		return (uint8_t)drg_level_distance(metres, card->metres, card->n_metres);
	if (drg_hotel_same_city(a, b))
		return LEVEL_SAME_CITY;
	return a->city != DRG_PLACE_UNKNOWN && b->city != DRG_PLACE_UNKNOWN ? LEVEL_OTHER_CITY
	                                                                    : LEVEL_ELSEWHERE;
}

/* Bonus in bits when neither record has coordinates but the names agree fully. */
static double worth_as_place(const struct drg_hotel_worker *w, const struct drg_form *a,
                             const struct drg_form *b)
{
	const struct drg_scorecard *card = w->m->card;
	const double *bits = card->bits[DRG_CMP_DISTANCE];
	bool located = drg_place_located(w->a) && drg_place_located(w->b);
	return !located && names_one_house(w, w->a, w->b, a, b)
	               ? bits[drg_level_distance(METRES_AS_TOLD, card->metres, card->n_metres)] -
	                         bits[LEVEL_SAME_CITY]
	               : 0;
}

static double hotel_worth(void *ctx, unsigned level, const struct drg_form *a, const struct drg_form *b)
{
	const struct drg_hotel_worker *w = ctx;
	const struct drg_scorecard *card = w->m->card;
	unsigned residence = drg_level_residence(&w->comparing, a, b);
	return card->bits[DRG_CMP_NAME][level] +
	       card->bits[DRG_CMP_NUMBERS][drg_level_numbers(&w->comparing, a, b)] +
	       card->bits[DRG_CMP_RESIDENCE][residence] + (residence == 0 ? worth_as_place(w, a, b) : 0);
}

void drg_hotel_score(struct drg_hotel_worker *w, const struct drg_place_record *a, uint32_t i,
                     struct drg_hotel_pair *ret)
{
	struct drg_comparing *c = &w->comparing;
	const struct drg_place_record *b = drg_place(c->b, i);
	const struct drg_form *fa = NULL, *fb = NULL;
	*ret = (struct drg_hotel_pair){ .i = i };
	w->a = a;
	w->b = b;
	ret->level[DRG_CMP_NAME] = (uint8_t)drg_level_name(c, a, b, hotel_worth, w, &fa, &fb);
	assert(fa != NULL && fb != NULL);
	ret->form_a = (uint16_t)(fa - drg_place_form(c->a, a, 0));
	ret->form_b = (uint16_t)(fb - drg_place_form(c->b, b, 0));
	ret->former = fa->former || fb->former;
	ret->level[DRG_CMP_RESIDENCE] = (uint8_t)drg_level_residence(c, fa, fb);
	ret->level[DRG_CMP_NUMBERS] = (uint8_t)drg_level_numbers(c, fa, fb);
	double metres = hotel_metres(a, b);
	ret->metres = (float)metres;
	ret->level[DRG_CMP_DISTANCE] = distance_level(w, a, b, metres, ret);
	ret->bits = (float)drg_scorecard_sum(w->m->card, ret->level);
	if ((double)ret->bits < ADDRESS_COUNTS_FROM || !w->m->card->levels[DRG_CMP_ADDRESS])
		return;
	ret->level[DRG_CMP_ADDRESS] = (uint8_t)drg_level_address(c, a, b);
	ret->level[DRG_CMP_ZIP] = (uint8_t)drg_level_zip(c, a, b);
	ret->level[DRG_CMP_DISTANCE] = distance_level(w, a, b, metres, ret);
	ret->bits = (float)drg_scorecard_sum(w->m->card, ret->level);
}

bool drg_hotel_is_abroad(const struct drg_hotel_worker *w, const struct drg_place_record *a,
                         const struct drg_place_record *b)
{
	const struct drg_places *ref = w->m->index->ref;
	return a->country != DRG_PLACE_UNKNOWN && b->country != DRG_PLACE_UNKNOWN &&
	       a->country != b->country && drg_places_state(ref, a->country) != b->country &&
	       drg_places_state(ref, b->country) != a->country;
}

static bool left_has(const struct drg_vocab *v, const uint32_t *t, unsigned n, unsigned class)
{
	for (unsigned i = 0; i < n; i++)
		if ((drg_token(v, t[i])->classes & class) != 0)
			return true;
	return false;
}

/* A veto by words that only one name has; DRG_WHY_SURE: none. */
static enum drg_match_reason veto_of_rest(struct drg_hotel_worker *w, const struct drg_place_record *a,
                                          const struct drg_hotel_pair *p)
{
	const struct drg_vocab *v = w->m->src->vocab;
	struct drg_alignment al;
	drg_align_forms(&w->comparing, drg_place_form(w->m->src, a, p->form_a),
	                drg_place_form(w->m->index->ref, drg_place(w->m->index->ref, p->i), p->form_b), &al);
	if (left_has(v, al.left_a, al.n_left_a, DRG_WORD_PART) ||
	    left_has(v, al.left_b, al.n_left_b, DRG_WORD_PART))
		return DRG_WHY_VETO_PART;
	if (left_has(v, al.left_a, al.n_left_a, DRG_WORD_BRAND) &&
	    left_has(v, al.left_b, al.n_left_b, DRG_WORD_BRAND))
		return DRG_WHY_VETO_BRANDS;
	if (left_has(v, al.left_a, al.n_left_a, DRG_WORD_PLACE) &&
	    left_has(v, al.left_b, al.n_left_b, DRG_WORD_PLACE))
		return DRG_WHY_VETO_PLACES;
	return DRG_WHY_SURE;
}

enum drg_match_reason drg_hotel_veto(struct drg_hotel_worker *w, const struct drg_place_record *a,
                                     const struct drg_hotel_pair *p)
{
	if (p->level[DRG_CMP_NUMBERS] == 2)
		return DRG_WHY_VETO_NUMBERS;
	if (p->level[DRG_CMP_RESIDENCE] != 0 && !has_no_sister(w, a, drg_place(w->m->index->ref, p->i), p))
		return DRG_WHY_VETO_RESIDENCE;
	return veto_of_rest(w, a, p);
}
