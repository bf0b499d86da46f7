#include "match/hotels.h"

#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/thread.h"
#include "match/align.h"
#include "match/words.h"

enum {
	AT_A_TIME = 64, /* records that a thread takes */
	RARE = 4, /* records of a name of one word, at most, for it to tell a place */
	CROWD = 20, /* records at one point from which on it tells nothing */
	LEVEL_SAME_CITY = 5, /* of the distance, where a city is all that is known */
	LEVEL_ELSEWHERE = 7
};
#define METRES_UNIQUE_IN_CITY 499.0 /* as good as within 500 m */

/* ---- one pair ------------------------------------------------------------------------------------------- */

/* A thread's. */
struct hotel_worker {
	const struct drg_hotel_matching *m;
	struct drg_candidates candidates;
	struct drg_comparing comparing;
	bool failed;
};

static bool same_known_city(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return a->city != DRG_PLACE_UNKNOWN && a->city == b->city;
}

/* A name that only one record of the reference has in this city says where it is as well as coordinates do: two words that are no
 * type words, or one that is rare in the country. */
static bool unique_in_city(const struct hotel_worker *w, const struct drg_place_record *a,
                           const struct drg_place_record *b, const struct drg_hotel_pair *p)
{
	const struct drg_tally *often = &w->m->index->ref->often;
	const struct drg_form *fa = drg_place_form(w->m->src, a, p->form_a);
	const struct drg_form *fb = drg_place_form(w->m->index->ref, b, p->form_b);
	uint64_t core = drg_core_key(fb->core);
	if (!same_known_city(a, b) || fa->core != fb->core || fb->n_core == 0 ||
	    p->level[DRG_CMP_RESIDENCE] != 0)
		return false;
	return drg_tally_of(often, drg_area_key(core, DRG_AREA_CITY, b->city)) == 1 &&
	       (fb->n_core >= 2 ||
	        drg_tally_of(often, drg_area_key(core, DRG_AREA_COUNTRY, b->country)) <= RARE);
}

static uint8_t distance_level(const struct hotel_worker *w, const struct drg_place_record *a,
                              const struct drg_place_record *b, struct drg_hotel_pair *p)
{
	const struct drg_scorecard *card = w->m->card;
	double metres = NAN;
	if (drg_place_located(a) && drg_place_located(b))
		metres = drg_metres(a, b);
	p->metres = (float)metres;
	if (isnan(metres) && unique_in_city(w, a, b, p))
		metres = METRES_UNIQUE_IN_CITY;
	if (!isnan(metres))
		return (uint8_t)drg_level_distance(metres, card->metres, card->n_metres);
	return same_known_city(a, b) ? LEVEL_SAME_CITY : LEVEL_ELSEWHERE;
}

static double hotel_worth(void *ctx, unsigned level, const struct drg_form *a, const struct drg_form *b)
{
	const struct hotel_worker *w = ctx;
	const struct drg_scorecard *card = w->m->card;
	return card->bits[DRG_CMP_NAME][level] +
	       card->bits[DRG_CMP_NUMBERS][drg_level_numbers(&w->comparing, a, b)] +
	       card->bits[DRG_CMP_RESIDENCE][drg_level_residence(&w->comparing, a, b)];
}

static void hotel_score(struct hotel_worker *w, const struct drg_place_record *a, uint32_t i,
                        struct drg_hotel_pair *ret)
{
	struct drg_comparing *c = &w->comparing;
	const struct drg_place_record *b = drg_place(c->b, i);
	const struct drg_form *fa = NULL, *fb = NULL;
	*ret = (struct drg_hotel_pair){ .i = i };
	ret->level[DRG_CMP_NAME] = (uint8_t)drg_level_name(c, a, b, hotel_worth, w, &fa, &fb);
	assert(fa != NULL && fb != NULL);
	ret->form_a = (uint16_t)(fa - drg_place_form(c->a, a, 0));
	ret->form_b = (uint16_t)(fb - drg_place_form(c->b, b, 0));
	ret->level[DRG_CMP_RESIDENCE] = (uint8_t)drg_level_residence(c, fa, fb);
	ret->level[DRG_CMP_NUMBERS] = (uint8_t)drg_level_numbers(c, fa, fb);
	ret->level[DRG_CMP_DISTANCE] = distance_level(w, a, b, ret);
	ret->bits = (float)drg_scorecard_sum(w->m->card, ret->level);
}

static bool other_country(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return a->country != DRG_PLACE_UNKNOWN && b->country != DRG_PLACE_UNKNOWN && a->country != b->country;
}

/* ---- vetoes --------------------------------------------------------------------------------------------- */

static bool left_has(const struct drg_vocab *v, const uint32_t *t, unsigned n, unsigned class)
{
	for (unsigned i = 0; i < n; i++)
		if ((drg_token(v, t[i])->classes & class) != 0)
			return true;
	return false;
}

/* A veto of what the names leave over; DRG_WHY_SURE: none. */
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
	if (p->level[DRG_CMP_RESIDENCE] != 0)
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

static void settle(struct drg_hotel_match *x, enum drg_outcome_of_match outcome, enum drg_match_reason reason)
{
	x->outcome = (uint8_t)outcome;
	x->reason = (uint8_t)reason;
}

/* Nothing is like it: what would have to be mended first is the better reason. */
static void settle_none(const struct drg_place_record *r, struct drg_hotel_match *x,
                        enum drg_match_reason reason)
{
	if (r->country == DRG_PLACE_UNKNOWN && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_COUNTRY_UNMAPPED;
	else if (r->city == DRG_PLACE_UNKNOWN && !drg_place_located(r) && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_CITY_UNMAPPED;
	settle(x, DRG_MATCH_NONE, reason);
}

/* A name that nothing else comes near is evidence by itself: coordinates are often kilometres off. Beyond the last bound of the
 * distances it is not: there is a house of every name somewhere. */
static void add_clear_lead(const struct drg_scorecard *card, struct drg_hotel_match *x)
{
	bool alone = x->n_best == 1 || x->best[0].bits - x->best[1].bits >= card->clear[0];
	if (x->n_best == 0 || !alone || x->best[0].level[DRG_CMP_NAME] < DRG_NAME_SAME_CORE ||
	    x->best[0].level[DRG_CMP_DISTANCE] == card->n_metres)
		return;
	x->clear = true;
	x->best[0].bits += (float)card->clear[1];
}

static void hotel_decide(struct hotel_worker *w, const struct drg_place_record *r, struct drg_hotel_match *x,
                         bool abroad)
{
	const struct drg_scorecard *card = w->m->card;
	const struct drg_hotel_pair *p = &x->best[0];
	add_clear_lead(card, x);
	if (x->n_best == 0 || p->bits < card->ask) {
		settle_none(r, x,
		            abroad          ? DRG_WHY_VETO_COUNTRY
		            : x->n_best > 0 ? DRG_WHY_BELOW_THRESHOLD
		                            : DRG_WHY_NO_CANDIDATES);
		return;
	}
	const struct drg_place_record *other = drg_place(w->m->index->ref, p->i);
	enum drg_match_reason veto = veto_of(w, r, p);
	if (veto != DRG_WHY_SURE)
		settle(x, DRG_MATCH_ASK, veto);
	else if (isnan(p->metres) && !unique_in_city(w, r, other, p))
		settle(x, DRG_MATCH_ASK, DRG_WHY_LACKS_PLACE);
	else if (p->bits < card->automatic)
		settle(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD);
	else if (x->n_best > 1 && p->bits - x->best[1].bits < card->lead)
		settle(x, DRG_MATCH_ASK, DRG_WHY_AMBIGUOUS);
	else
		settle(x, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE);
}

static bool has_name(const struct drg_places *l, const struct drg_place_record *r)
{
	return r->n_forms > 0 && drg_place_form(l, r, 0)->n > 0;
}

static void hotel_match(struct hotel_worker *w, const struct drg_place_record *r, struct drg_hotel_match *x)
{
	bool abroad = false; /* what lies in another country is like it */
	if (!has_name(w->m->src, r)) {
		settle_none(r, x, DRG_WHY_LACKS_NAME);
		return;
	}
	drg_candidates_find(&w->candidates, r);
	x->candidates = (uint16_t)w->candidates.n;
	for (unsigned i = 0; i < w->candidates.n; i++) {
		struct drg_hotel_pair p;
		uint32_t other = w->candidates.best[i].i;
		hotel_score(w, r, other, &p);
		if (!other_country(r, drg_place(w->m->index->ref, other)))
			best_insert(x, &p);
		else
			abroad = abroad || p.bits >= w->m->card->automatic;
	}
	hotel_decide(w, r, x, abroad);
}

/* ---- claims --------------------------------------------------------------------------------------------- */

/* Two records of one supplier cannot both be one hotel: both are asked, but for the one that is mapped already. */
static int settle_claims(const struct drg_hotel_matching *m, struct drg_hotel_match *all)
{
	uint32_t n = drg_places_size(m->src);
	uint8_t *claims = calloc((size_t)drg_places_size(m->index->ref) + 1, 1);
	if (claims == NULL)
		return DRG_ENOMEM;
	for (uint32_t i = 0; i < n; i++)
		if ((all[i].taken || all[i].outcome == DRG_MATCH_AUTOMATIC) && all[i].n_best > 0 &&
		    claims[all[i].best[0].i] < 2)
			claims[all[i].best[0].i]++;
	for (uint32_t i = 0; i < n; i++)
		if (!all[i].taken && all[i].outcome == DRG_MATCH_AUTOMATIC && claims[all[i].best[0].i] > 1)
			settle(&all[i], DRG_MATCH_ASK, DRG_WHY_VETO_CLAIMED);
	free(claims);
	return DRG_OK;
}

/* ---- all of them ---------------------------------------------------------------------------------------- */

/* What the threads share. */
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
				hotel_match(&w, drg_place(src, i), &run->ret[i]);
	drg_candidates_done(&w.candidates);
	drg_comparing_done(&w.comparing);
	return NULL;
}

static void tell_progress(struct hotel_run *run)
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
	tell_progress(run);
	for (unsigned i = 0; i < n; i++)
		pthread_join(threads[i], NULL);
	if (rc == DRG_OK && atomic_load(&run->failed))
		rc = drg_fail_memory(reterr);
	return rc;
}

int drg_hotels_match(const struct drg_hotel_matching *m, struct drg_hotel_match *ret, struct drg_err *reterr)
{
	struct hotel_run run = { .m = m, .ret = ret };
	double *names = drg_rarity_new(m->src, m->index->ref, false);
	double *addresses = drg_rarity_new(m->src, m->index->ref, true);
	run.rarity = names;
	run.address_rarity = addresses;
	int rc = names != NULL && addresses != NULL ? run_threads(&run, reterr) : drg_fail_memory(reterr);
	free(names);
	free(addresses);
	if (rc == DRG_OK && settle_claims(m, ret) != DRG_OK)
		rc = drg_fail_memory(reterr);
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
