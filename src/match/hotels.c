#include "match/hotels.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"
#include "match/align.h"
#include "match/hotels_priv.h"
#include "match/words.h"

enum {
	AT_A_TIME = 64, /* records that a thread takes at once */
	FETCHED = 9, /* candidates that are being fetched from memory; a multiple of 3 */
	RARE = 4, /* the most records of a name of one word for which it still identifies a place */
	CROWD = 20, /* records at one point from which on its coordinates mean nothing */
	LEVEL_SAME_CITY = 5, /* level of the distance if only the city is known */
	LEVEL_ELSEWHERE = 7,
	LEVEL_OTHER_CITY = 8
};
#define METRES_AS_TOLD 499.0 /* a name or a street counts like 500 m */
#define METRES_OF_A_HOUSE 199.0 /* street and house count like 200 m */
#define CORNER_METRES 200.0 /* within this distance a differently written address does not matter */
#define ONE_AGREES 0.01 /* degrees: a latitude or longitude that agrees while the other one does not */
/* Latitude and longitude count as swapped if the distance is above this as they are, and below SWAPPED_TO when
 * exchanged. */
#define SWAPPED_FROM 100000.0
#define SWAPPED_TO 20000.0
#define ADDRESS_COUNTS_FROM -8.0 /* bits below which the address is not compared: it would change nothing */

/* ---- one pair ------------------------------------------------------------------------------------------- */

/* The data of a thread. */
struct hotel_worker {
	const struct drg_hotel_matching *m;
	struct drg_candidates candidates;
	struct drg_comparing comparing;
	const struct drg_place_record *a, *b; /* the records that are compared */
};

static bool same_known_city(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return a->city != DRG_PLACE_UNKNOWN && a->city == b->city;
}

static uint32_t reference_has(const struct hotel_worker *w, uint64_t key, enum drg_area area, int64_t id)
{
	return drg_tally_of(&w->m->index->ref->often, drg_area_key(key, area, id));
}

/* Does the reference have only one hotel in this city whose name has these words, or these without type
 * words? Equal words are counted in the whole country, which is stricter: a sister house that differs only in
 * type words does not matter then. A name without type words may have lost them, and be the sister's. */
static bool is_only_one(const struct hotel_worker *w, const struct drg_place_record *b,
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

static bool names_one_house(const struct hotel_worker *w, const struct drg_place_record *a,
                            const struct drg_place_record *b, const struct drg_form *fa,
                            const struct drg_form *fb)
{
	return same_known_city(a, b) && fa->core == fb->core && fb->n_core > 0 && is_only_one(w, b, fa, fb);
}

/* Such a name locates the hotel as well as coordinates. */
static bool unique_in_city(const struct hotel_worker *w, const struct drg_place_record *a,
                           const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	return p->level[DRG_CMP_RESIDENCE] == 0 &&
	       names_one_house(w, a, b, drg_place_form(w->m->src, a, p->form_a),
	                       drg_place_form(w->m->index->ref, b, p->form_b));
}

/* The words that distinguish sister houses differ, but both lists have no other house of this name in this
 * city. Either the supplier's name lacks the word, at the same street and house; or the word only praises the
 * house, and both are at one place. */
static bool has_no_sister(const struct hotel_worker *w, const struct drg_place_record *a,
                          const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	const struct drg_form *fa = drg_place_form(w->m->src, a, p->form_a);
	const struct drg_form *fb = drg_place_form(w->m->index->ref, b, p->form_b);
	uint64_t here = drg_area_key(drg_core_key(fb->core), DRG_AREA_CITY, b->city);
	bool near = isnan(p->metres) || (double)p->metres < SISTERS_APART,
	     address = p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME,
	     corner = (double)p->metres < CORNER_METRES;
	if (!w->m->whole || !near || !(address || corner) || !same_known_city(a, b) || fa->core != fb->core ||
	    fb->n_core == 0 || drg_tally_of(&w->m->index->ref->often, here) != 1 ||
	    drg_tally_of(&w->m->src->often, here) != 1)
		return false;
	return (address && drg_residence_is_missing(&w->comparing, fa, fb)) ||
	       drg_residence_is_soft(&w->comparing, fa, fb);
}

/* An address locates the hotel too, if the name is nearly the same: street and house with the city or the
 * postcode. The street with the postcode counts less. So do, without coordinates, a name of the same letters
 * with the city, or a rare name of the same letters with street and house.
 * @return metres; NAN: it does not. */
static double metres_by_address(const struct hotel_worker *w, const struct drg_place_record *a,
                                const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	bool zip = p->level[DRG_CMP_ZIP] == DRG_ZIP_SAME, city = same_known_city(a, b);
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
static uint8_t distance_level(const struct hotel_worker *w, const struct drg_place_record *a,
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
	if (same_known_city(a, b))
		return LEVEL_SAME_CITY;
	return a->city != DRG_PLACE_UNKNOWN && b->city != DRG_PLACE_UNKNOWN ? LEVEL_OTHER_CITY
	                                                                    : LEVEL_ELSEWHERE;
}

/* Bonus in bits when neither record has coordinates but the names agree fully. */
static double worth_as_place(const struct hotel_worker *w, const struct drg_form *a, const struct drg_form *b)
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
	const struct hotel_worker *w = ctx;
	const struct drg_scorecard *card = w->m->card;
	unsigned residence = drg_level_residence(&w->comparing, a, b);
	return card->bits[DRG_CMP_NAME][level] +
	       card->bits[DRG_CMP_NUMBERS][drg_level_numbers(&w->comparing, a, b)] +
	       card->bits[DRG_CMP_RESIDENCE][residence] + (residence == 0 ? worth_as_place(w, a, b) : 0);
}

static void hotel_score(struct hotel_worker *w, const struct drg_place_record *a, uint32_t i,
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

/* Are the countries different? A territory counts as its state: Hong Kong and China. */
static bool other_country(const struct hotel_worker *w, const struct drg_place_record *a,
                          const struct drg_place_record *b)
{
	const struct drg_places *ref = w->m->index->ref;
	return a->country != DRG_PLACE_UNKNOWN && b->country != DRG_PLACE_UNKNOWN &&
	       a->country != b->country && drg_places_state(ref, a->country) != b->country &&
	       drg_places_state(ref, b->country) != a->country;
}

/* ---- vetoes --------------------------------------------------------------------------------------------- */

static bool left_has(const struct drg_vocab *v, const uint32_t *t, unsigned n, unsigned class)
{
	for (unsigned i = 0; i < n; i++)
		if ((drg_token(v, t[i])->classes & class) != 0)
			return true;
	return false;
}

/* A veto by words that only one name has; DRG_WHY_SURE: none. */
static enum drg_match_reason veto_of_rest(struct hotel_worker *w, const struct drg_place_record *a,
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

static enum drg_match_reason veto_of(struct hotel_worker *w, const struct drg_place_record *a,
                                     const struct drg_hotel_pair *p)
{
	if (p->level[DRG_CMP_NUMBERS] == 2)
		return DRG_WHY_VETO_NUMBERS;
	if (p->level[DRG_CMP_RESIDENCE] != 0 && !has_no_sister(w, a, drg_place(w->m->index->ref, p->i), p))
		return DRG_WHY_VETO_RESIDENCE;
	return veto_of_rest(w, a, p);
}

/* ---- one record ----------------------------------------------------------------------------------------- */

static void best_insert(struct drg_hotel_match *x, const struct drg_hotel_pair *p)
{
	unsigned at = x->n_best;
	while (at > 0 && x->best[at - 1].bits < p->bits)
		at--;
	if (at == DRG_HOTEL_BEST)
		return;
	unsigned last = x->n_best < DRG_HOTEL_BEST ? x->n_best++ : DRG_HOTEL_BEST - 1;
	memmove(&x->best[at + 1], &x->best[at], (last - at) * sizeof *x->best);
	x->best[at] = *p;
}

/* Settle a record that nothing is similar to. Missing data that must be added first are the better reason. */
static void settle_none(const struct drg_place_record *r, struct drg_hotel_match *x,
                        enum drg_match_reason reason)
{
	if (r->country == DRG_PLACE_UNKNOWN && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_COUNTRY_UNMAPPED;
	else if (r->city == DRG_PLACE_UNKNOWN && !drg_place_located(r) && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_CITY_UNMAPPED;
	drg_hotel_settle(x, DRG_MATCH_NONE, reason);
}

/* Add bits for a clear lead: a name that nothing else comes near is evidence, since coordinates are often
 * kilometres off. Not beyond the last bound of the distances: somewhere there is a house of every name. */
static void add_clear_lead(const struct drg_scorecard *card, struct drg_hotel_match *x)
{
	if (x->n_best == 0 || x->best[0].level[DRG_CMP_NAME] < DRG_NAME_SAME_CORE ||
	    x->best[0].level[DRG_CMP_DISTANCE] == card->n_metres)
		return;
	double lead = x->n_best > 1 ? (double)(x->best[0].bits - x->best[1].bits) : INFINITY;
	x->clear = (float)drg_scorecard_clear_lead(card, lead);
	x->best[0].bits += x->clear;
}

static bool named_in_city(const struct hotel_worker *w, const struct drg_place_record *r,
                          const struct drg_hotel_pair *p)
{
	const struct drg_place_record *b = drg_place(w->m->index->ref, p->i);
	const struct drg_form *f = drg_place_form(w->m->index->ref, b, p->form_b);
	bool only_brand = f->n == f->n_core && f->n_core < f->n_city + 2; /* "Rivanta Side" */
	return same_known_city(r, b) && p->level[DRG_CMP_NAME] >= DRG_NAME_SAME && !only_brand &&
	       f->n_core > 0 && p->level[DRG_CMP_RESIDENCE] == 0 && !p->former && isnan(p->metres);
}

/* Place a record without coordinates by its name: the same words in the same city are a place, unless another
 * hotel of the city has them too. */
static void place_by_name(const struct hotel_worker *w, const struct drg_place_record *r,
                          struct drg_hotel_match *x)
{
	const struct drg_scorecard *card = w->m->card;
	struct drg_hotel_pair *p = &x->best[0];
	if (x->n_best == 0 || p->placed || !named_in_city(w, r, p))
		return;
	for (unsigned i = 1; i < x->n_best; i++)
		if (named_in_city(w, r, &x->best[i]))
			return;
	p->placed = true;
	p->level[DRG_CMP_DISTANCE] =
	        (uint8_t)drg_level_distance(METRES_AS_TOLD, card->metres, card->n_metres);
	p->bits = (float)drg_scorecard_sum(card, p->level);
}

static void hotel_decide(struct hotel_worker *w, const struct drg_place_record *r, struct drg_hotel_match *x,
                         bool abroad)
{
	const struct drg_scorecard *card = w->m->card;
	const struct drg_hotel_pair *p = &x->best[0];
	place_by_name(w, r, x);
	add_clear_lead(card, x);
	if (x->n_best == 0 || p->bits < card->ask) {
		settle_none(r, x,
		            abroad          ? DRG_WHY_VETO_COUNTRY
		            : x->n_best > 0 ? DRG_WHY_BELOW_THRESHOLD
		                            : DRG_WHY_NO_CANDIDATES);
		return;
	}
	enum drg_match_reason veto = veto_of(w, r, p);
	if (veto != DRG_WHY_SURE)
		drg_hotel_settle(x, DRG_MATCH_ASK, veto);
	else if ((double)p->metres >= DRG_HOTEL_FAR)
		drg_hotel_settle(x, DRG_MATCH_ASK, DRG_WHY_VETO_FAR);
	else if (!p->placed)
		drg_hotel_settle(x, DRG_MATCH_ASK, DRG_WHY_LACKS_PLACE);
	else if (p->bits < card->automatic)
		drg_hotel_settle(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD);
	else if (x->n_best > 1 && p->bits - x->best[1].bits < card->lead)
		drg_hotel_settle(x, DRG_MATCH_ASK, DRG_WHY_AMBIGUOUS);
	else
		drg_hotel_settle(x, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE);
}

static bool hotels_have_name(const struct drg_places *l, const struct drg_place_record *r)
{
	return r->n_forms > 0 && drg_place_form(l, r, 0)->n > 0;
}

/* Put the record that is asked about first, even if another one is nearer. */
static void match_against(struct hotel_worker *w, const struct drg_place_record *r, struct drg_hotel_match *x)
{
	const struct drg_hotel_pair nearest = x->best[0];
	const unsigned n = x->n_best;
	if (n > 0 && nearest.i == w->m->against)
		return;
	hotel_score(w, r, w->m->against, &x->best[0]);
	x->n_best = n > 0 ? 2 : 1;
	x->best[1] = nearest;
}

static void report_pair(struct hotel_worker *w, const struct drg_place_record *r, uint32_t at,
                        const struct drg_hotel_pair *p)
{
	if (w->m->pair == NULL)
		return;
	enum drg_match_reason veto = DRG_WHY_SURE;
	if (other_country(w, r, drg_place(w->m->index->ref, p->i)))
		veto = DRG_WHY_VETO_COUNTRY;
	else if ((double)p->bits >= w->m->card->ask)
		veto = veto_of(w, r, p);
	w->m->pair(w->m->pair_ctx, at, p, veto);
}

static void fetch(const void *p, size_t bytes)
{
	enum { LINE = 64 };
	/* memory behind an object may be prefetched, but no pointer may point there */
	const uintptr_t at = (uintptr_t)p;
	for (size_t i = 0; i < bytes; i += LINE)
		__builtin_prefetch((const void *)(at + i));
	__builtin_prefetch((const void *)(at + bytes - 1));
	__asm__ volatile(""); /* else GCC considers the function to be without effect, and drops its calls */
}

/* Prefetch candidates: their records, then their forms, then the tokens of these are fetched while earlier
 * ones are compared. @param step  From 0; the candidate that is compared is FETCHED behind. */
static void fetch_ahead(const struct hotel_worker *w, unsigned step)
{
	enum { SOME = 3 * 64 };
	const struct drg_places *ref = w->m->index->ref;
	const struct drg_candidate *v = w->candidates.best;
	unsigned n = w->candidates.n, forms = step - FETCHED / 3, tokens = step - FETCHED / 3 * 2;
	if (step < n)
		fetch(drg_place(ref, v[step].i), sizeof(struct drg_place_record));
	if (step >= FETCHED / 3 && forms < n && drg_place(ref, v[forms].i)->n_forms > 0)
		fetch(drg_place_form(ref, drg_place(ref, v[forms].i), 0), SOME);
	if (step < FETCHED / 3 * 2 || tokens >= n || drg_place(ref, v[tokens].i)->n_forms == 0)
		return;
	const struct drg_place_record *r = drg_place(ref, v[tokens].i);
	fetch(drg_place_tokens(ref, drg_place_form(ref, r, 0)->tokens), SOME);
	if (r->n_zip > 0)
		fetch(ref->zips.p + r->zip, r->n_zip);
}

/* @return true: the candidate is in another country, and similar otherwise */
static bool match_candidate(struct hotel_worker *w, uint32_t at, uint32_t other, struct drg_hotel_match *x)
{
	const struct drg_place_record *r = drg_place(w->m->src, at);
	struct drg_hotel_pair p;
	if (w->m->apart != NULL && w->m->apart(w->m->apart_ctx, at, other))
		return false;
	hotel_score(w, r, other, &p);
	report_pair(w, r, at, &p);
	if (other_country(w, r, drg_place(w->m->index->ref, other)))
		return p.bits >= w->m->card->automatic;
	best_insert(x, &p);
	return false;
}

static void hotel_match(struct hotel_worker *w, uint32_t at, struct drg_hotel_match *x)
{
	const struct drg_place_record *r = drg_place(w->m->src, at);
	bool abroad = false; /* a similar record is in another country */
	if (!hotels_have_name(w->m->src, r)) {
		settle_none(r, x, DRG_WHY_LACKS_NAME);
		return;
	}
	drg_candidates_find(&w->candidates, r);
	x->candidates = (uint16_t)w->candidates.n;
	for (unsigned i = 0; i < w->candidates.n + FETCHED; i++) {
		fetch_ahead(w, i);
		if (i >= FETCHED && match_candidate(w, at, w->candidates.best[i - FETCHED].i, x))
			abroad = true;
	}
	if (w->m->against_one)
		match_against(w, r, x);
	hotel_decide(w, r, x, abroad);
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

/* The data that the threads share. */
struct hotel_run {
	const struct drg_hotel_matching *m;
	const double *rarity, *address_rarity;
	struct drg_hotel_match *ret;
	atomic_uint next;
	atomic_bool failed;
};

static void *hotel_thread(void *arg)
{
	struct hotel_run *run = arg;
	const struct drg_places *src = run->m->src;
	struct hotel_worker w = { .m = run->m };
	if (drg_candidates_init(&w.candidates, run->m->index, src, run->rarity) != DRG_OK ||
	    drg_comparing_init(&w.comparing, src, run->m->index->ref, run->rarity, run->address_rarity) !=
	            DRG_OK)
		atomic_store(&run->failed, true);
	for (uint32_t at; !atomic_load(&run->failed) &&
	                  (at = atomic_fetch_add(&run->next, AT_A_TIME)) < drg_places_size(src);)
		for (uint32_t i = at; i < at + AT_A_TIME && i < drg_places_size(src); i++)
			if (!run->ret[i].taken)
				hotel_match(&w, i, &run->ret[i]);
	drg_candidates_done(&w.candidates);
	drg_comparing_done(&w.comparing);
	return NULL;
}

static void report_progress(struct hotel_run *run)
{
	uint32_t n = drg_places_size(run->m->src), next;
	while (run->m->progress != NULL && !atomic_load(&run->failed) &&
	       (next = atomic_load(&run->next)) < n) {
		run->m->progress(run->m->ctx, next, n);
		usleep(100000);
	}
}

static int run_threads(struct hotel_run *run, struct drg_err *reterr)
{
	pthread_t threads[64];
	unsigned n = 0,
	         wanted = run->m->threads < DRG_ARRAY_LEN(threads) ? run->m->threads : DRG_ARRAY_LEN(threads);
	int rc = DRG_OK;
	for (; n < wanted && rc == DRG_OK; n += rc == DRG_OK)
		rc = drg_thread_start(&threads[n], hotel_thread, run, reterr);
	if (rc != DRG_OK)
		atomic_store(&run->failed, true);
	report_progress(run);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	if (rc == DRG_OK && atomic_load(&run->failed))
		rc = drg_fail_memory(reterr);
	return rc;
}

int drg_hotels_match(const struct drg_hotel_matching *m, struct drg_hotel_match *ret, struct drg_err *reterr)
{
	struct hotel_run run = { .m = m, .ret = ret };
	double *names = m->rarity == NULL ? drg_rarity_new(m->src, m->index->ref, false) : NULL;
	double *addresses = m->rarity == NULL ? drg_rarity_new(m->src, m->index->ref, true) : NULL;
	run.rarity = m->rarity != NULL ? m->rarity : names;
	run.address_rarity = m->rarity != NULL ? m->address_rarity : addresses;
	int rc = run.rarity != NULL && run.address_rarity != NULL ? run_threads(&run, reterr)
	                                                          : drg_fail_memory(reterr);
	free(names);
	free(addresses);
	if (rc == DRG_OK && drg_hotels_settle_claims(m, ret) != DRG_OK)
		rc = drg_fail_memory(reterr);
	if (rc == DRG_OK)
		drg_hotels_settle_list(m, ret);
	return rc;
}

/* ---- coordinates that tell nothing ---------------------------------------------------------------------- */

static uint64_t point_key(const struct drg_place_record *r)
{
	const double point[2] = { r->lat, r->lng };
	return drg_match_hash(drg_str((const char *)point, sizeof point), 2);
}

void drg_hotels_drop_crowds(struct drg_places *l)
{
	struct drg_tally points;
	struct drg_place_record *r = (struct drg_place_record *)(void *)l->records.p;
	uint32_t n = drg_places_size(l);
	drg_tally_init(&points);
	int rc = DRG_OK;
	for (uint32_t i = 0; i < n && rc == DRG_OK; i++)
		if (drg_place_located(&r[i]))
			rc = drg_tally_count(&points, point_key(&r[i]));
	for (uint32_t i = 0; i < n; i++)
		if (drg_place_located(&r[i]) &&
		    ((r[i].lat == 0 && r[i].lng == 0) || drg_tally_of(&points, point_key(&r[i])) >= CROWD))
			r[i].lat = r[i].lng = NAN;
	drg_tally_done(&points);
}
