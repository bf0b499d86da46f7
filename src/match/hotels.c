#include "match/hotels.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "match/hotels_priv.h"
#include "base/thread.h"
#include "match/align.h"
#include "match/words.h"

enum {
	AT_A_TIME = 64, /* records that a thread takes at once */
	HOTELS_FETCHED = 9, /* candidates that are being fetched from memory; a multiple of 3 */
	CROWD = 20, /* records at one point from which on its coordinates mean nothing */
};

#define APART_METRES 1200.0

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
static void set_none(const struct drg_place_record *r, struct drg_hotel_match *x,
                     enum drg_match_reason reason)
{
	if (r->country == DRG_PLACE_UNKNOWN && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_COUNTRY_UNMAPPED;
	else if (r->city == DRG_PLACE_UNKNOWN && !drg_place_located(r) && reason != DRG_WHY_LACKS_NAME)
		reason = DRG_WHY_CITY_UNMAPPED;
	drg_hotel_set_outcome(x, DRG_MATCH_NONE, reason);
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

static bool named_in_city(const struct drg_hotel_worker *w, const struct drg_place_record *r,
                          const struct drg_hotel_pair *p)
{
	const struct drg_place_record *b = drg_place(w->m->index->ref, p->i);
	const struct drg_form *f = drg_place_form(w->m->index->ref, b, p->form_b);
	bool only_brand = f->n == f->n_core && f->n_core < f->n_city + 2; /* "Rivanta Side" */
	return drg_hotel_same_city(r, b) && p->level[DRG_CMP_NAME] >= DRG_NAME_SAME && !only_brand &&
	       f->n_core > 0 && p->level[DRG_CMP_RESIDENCE] == 0 && !p->former && isnan(p->metres);
}

/* Place a record without coordinates by its name: the same words in the same city are a place, unless another
 * hotel of the city has them too. */
static void place_by_name(const struct drg_hotel_worker *w, const struct drg_place_record *r,
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

static bool address_agrees(const struct drg_hotel_pair *p)
{
	return p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME ||
	       p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_STREET || p->level[DRG_CMP_ZIP] == DRG_ZIP_SAME;
}

/* The bits from which on a pair is automatic. Coordinates that lie apart say that these are two houses of one
 * name, unless an address or a postcode agrees: in made-up lists of which the reference has half, 64 of 273
 * such pairs were wrong. Twice the lead is more than a name without a rival has. */
static double bits_of_automatic(const struct drg_scorecard *card, const struct drg_hotel_pair *p)
{
	const bool apart = (double)p->metres >= APART_METRES && !address_agrees(p);
	return card->automatic + (apart ? 2 * card->lead : 0);
}

static bool is_in_other_city(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return a->city != DRG_PLACE_UNKNOWN && b->city != DRG_PLACE_UNKNOWN && a->city != b->city;
}

static void hotel_decide(struct drg_hotel_worker *w, const struct drg_place_record *r,
                         struct drg_hotel_match *x, bool abroad)
{
	const struct drg_scorecard *card = w->m->card;
	const struct drg_hotel_pair *p = &x->best[0];
	place_by_name(w, r, x);
	add_clear_lead(card, x);
	if (x->n_best == 0 || p->bits < card->ask) {
		set_none(r, x,
		         abroad          ? DRG_WHY_VETO_COUNTRY
		         : x->n_best > 0 ? DRG_WHY_BELOW_THRESHOLD
		                         : DRG_WHY_NO_CANDIDATES);
		return;
	}
	enum drg_match_reason veto = drg_hotel_veto(w, r, p);
	if (veto != DRG_WHY_SURE)
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, veto);
	else if ((double)p->metres >= DRG_HOTEL_FAR)
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_VETO_FAR);
	else if (!p->placed && is_in_other_city(r, drg_place(w->m->index->ref, p->i)))
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_VETO_CITY);
	else if (!p->placed)
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_LACKS_PLACE);
	else if ((double)p->bits < bits_of_automatic(card, p))
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD);
	else if (x->n_best > 1 && p->bits - x->best[1].bits < card->lead)
		drg_hotel_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_AMBIGUOUS);
	else
		drg_hotel_set_outcome(x, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE);
}

static bool hotels_have_name(const struct drg_places *l, const struct drg_place_record *r)
{
	return r->n_forms > 0 && drg_place_form(l, r, 0)->n > 0;
}

/* Put the record that is asked about first, even if another one is nearer. */
static void match_against(struct drg_hotel_worker *w, const struct drg_place_record *r,
                          struct drg_hotel_match *x)
{
	const struct drg_hotel_pair nearest = x->best[0];
	const unsigned n = x->n_best;
	if (n > 0 && nearest.i == w->m->against)
		return;
	drg_hotel_score(w, r, w->m->against, &x->best[0]);
	x->n_best = n > 0 ? 2 : 1;
	x->best[1] = nearest;
}

static void report_pair(struct drg_hotel_worker *w, const struct drg_place_record *r, uint32_t at,
                        const struct drg_hotel_pair *p)
{
	if (w->m->pair == NULL)
		return;
	enum drg_match_reason veto = DRG_WHY_SURE;
	if (drg_hotel_is_abroad(w, r, drg_place(w->m->index->ref, p->i)))
		veto = DRG_WHY_VETO_COUNTRY;
	else if ((double)p->bits >= w->m->card->ask)
		veto = drg_hotel_veto(w, r, p);
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
 * ones are compared. @param step  From 0; the candidate that is compared is HOTELS_FETCHED behind. */
static void fetch_ahead(const struct drg_hotel_worker *w, unsigned step)
{
	enum { SOME = 3 * 64 };
	const struct drg_places *ref = w->m->index->ref;
	const struct drg_candidate *v = w->candidates.best;
	unsigned n = w->candidates.n, forms = step - HOTELS_FETCHED / 3,
	         tokens = step - HOTELS_FETCHED / 3 * 2;
	if (step < n)
		fetch(drg_place(ref, v[step].i), sizeof(struct drg_place_record));
	if (step >= HOTELS_FETCHED / 3 && forms < n && drg_place(ref, v[forms].i)->n_forms > 0)
		fetch(drg_place_form(ref, drg_place(ref, v[forms].i), 0), SOME);
	if (step < HOTELS_FETCHED / 3 * 2 || tokens >= n || drg_place(ref, v[tokens].i)->n_forms == 0)
		return;
	const struct drg_place_record *r = drg_place(ref, v[tokens].i);
	fetch(drg_place_tokens(ref, drg_place_form(ref, r, 0)->tokens), SOME);
	if (r->n_zip > 0)
		fetch(ref->zips.p + r->zip, r->n_zip);
}

/* @return true: the candidate is in another country, and similar otherwise */
static bool match_candidate(struct drg_hotel_worker *w, uint32_t at, uint32_t other,
                            struct drg_hotel_match *x)
{
	const struct drg_place_record *r = drg_place(w->m->src, at);
	struct drg_hotel_pair p;
	if (w->m->apart != NULL && w->m->apart(w->m->apart_ctx, at, other))
		return false;
	drg_hotel_score(w, r, other, &p);
	report_pair(w, r, at, &p);
	if (drg_hotel_is_abroad(w, r, drg_place(w->m->index->ref, other)))
		return p.bits >= w->m->card->automatic;
	best_insert(x, &p);
	return false;
}

static void hotel_match(struct drg_hotel_worker *w, uint32_t at, struct drg_hotel_match *x)
{
	const struct drg_place_record *r = drg_place(w->m->src, at);
	bool abroad = false; /* a similar record is in another country */
	if (!hotels_have_name(w->m->src, r)) {
		set_none(r, x, DRG_WHY_LACKS_NAME);
		return;
	}
	drg_candidates_find(&w->candidates, r);
	x->candidates = (uint16_t)w->candidates.n;
	for (unsigned i = 0; i < w->candidates.n + HOTELS_FETCHED; i++) {
		fetch_ahead(w, i);
		if (i >= HOTELS_FETCHED &&
		    match_candidate(w, at, w->candidates.best[i - HOTELS_FETCHED].i, x))
			abroad = true;
	}
	if (w->m->against_one)
		match_against(w, r, x);
	hotel_decide(w, r, x, abroad);
}

/* ---- all records ---------------------------------------------------------------------------------------- */

static bool hotels_left(const struct drg_hotel_matching *m)
{
	return m->leave != NULL && atomic_load_explicit(m->leave, memory_order_relaxed);
}

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
	struct drg_hotel_worker w = { .m = run->m };
	if (drg_candidates_init(&w.candidates, run->m->index, src, run->rarity) != DRG_OK ||
	    drg_comparing_init(&w.comparing, src, run->m->index->ref, run->rarity, run->address_rarity) !=
	            DRG_OK)
		atomic_store(&run->failed, true);
	for (uint32_t at; !atomic_load(&run->failed) &&
	                  (at = atomic_fetch_add(&run->next, AT_A_TIME)) < drg_places_size(src);)
		for (uint32_t i = at; i < at + AT_A_TIME && i < drg_places_size(src) && !hotels_left(run->m);
		     i++)
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
	return rc == DRG_OK && hotels_left(run->m) ? DRG_ESTOPPED : rc;
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
	if (rc == DRG_OK && drg_hotels_resolve_claims(m, run.rarity, run.address_rarity, ret) != DRG_OK)
		rc = drg_fail_memory(reterr);
	free(names);
	free(addresses);
	if (rc == DRG_OK)
		drg_hotels_check_list(m, ret);
	return rc;
}

/* ---- coordinates that many records share ---------------------------------------------------------------- */

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
			rc = drg_tally_add(&points, point_key(&r[i]));
	for (uint32_t i = 0; i < n; i++)
		if (drg_place_located(&r[i]) &&
		    ((r[i].lat == 0 && r[i].lng == 0) || drg_tally_get(&points, point_key(&r[i])) >= CROWD))
			r[i].lat = r[i].lng = NAN;
	drg_tally_done(&points);
}
