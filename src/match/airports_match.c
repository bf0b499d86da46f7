/* Finds the airport of the reference for a supplier's record. The points were set by hand and tested on lists
 * that are not part of the reference; docs/matching.md has the results. */
#include "match/airports_priv.h"

#include <math.h>
#include <stdlib.h>

#include "match/airports.h"
#include "match/compare.h"
#include "match/keyed.h"
#include "match/words.h"

enum {
	RAREST = 4, /* rarest words of a name that are looked up */
	POSTINGS_MAX = 400, /* a word that more airports have is not looked up */
	CELL_MAX = 500, /* the most airports in a cell of one degree: a fuller cell narrows nothing */
};
#define GENERIC 0.15 /* share of its weight that a word of every airport keeps */
#define FAR_AIRPORT 60000.0 /* metres from which on no pair is automatic, whatever its points */
#define AUTOMATIC_LOCATED (-1.5)
#define LEAD_LOCATED 2.0
#define AUTOMATIC_NAMED 5.5 /* points for automatic if coordinates are missing but the name agrees */
#define LEAD_NAMED 1.5
#define ASK_FROM (-6.0)
/* within this distance another country only costs points: Guam is US and GU */
#define SAME_PLACE_METRES 10000.0

static bool is_generic(const struct drg_airports *l, uint32_t t)
{
	return (drg_token(l->vocab, t)->classes & DRG_WORD_AIRPORT) != 0;
}

/* ---- the reference --------------------------------------------------------------------------------------- */

static uint64_t cell_key(double lat, double lng)
{
	int64_t north = (int64_t)floor(lat), east = (int64_t)floor(lng);
	east = east < -180 ? east + 360 : east >= 180 ? east - 360 : east;
	return (uint64_t)((north + 100) * 1000 + east + 400);
}

static void add_keyed(struct drg_buf *b, uint64_t key, uint32_t i)
{
	const struct drg_keyed e = { key, i };
	drg_buf_add(b, &e, sizeof e);
}

/* Index each word of an airport of the reference once; names and cities lie one after the other. */
static void index_words(struct drg_airport_matching *m, uint32_t i, uint32_t *last)
{
	const struct drg_airport *a = drg_airport_of(m->ref, i);
	for (uint32_t k = a->names; k < a->names + a->n_names + a->n_cities; k++) {
		const struct drg_airport_name *name = drg_airport_name(m->ref, k);
		const uint32_t *t = drg_airport_name_tokens(m->ref, name);
		for (uint32_t j = 0; j < name->n; j++) {
			if (last[t[j]] == i + 1)
				continue;
			last[t[j]] = i + 1;
			m->rarity[t[j]]++;
			if (!is_generic(m->ref, t[j]))
				add_keyed(&m->words, t[j], i);
		}
	}
}

static int index_reference(struct drg_airport_matching *m)
{
	uint32_t n = drg_airports_size(m->ref), n_tokens = drg_vocab_size(m->ref->vocab);
	uint32_t *last = calloc((size_t)n_tokens + 1, sizeof *last);
	for (uint32_t i = 0; i < n && last != NULL; i++) {
		const struct drg_airport *a = drg_airport_of(m->ref, i);
		index_words(m, i, last);
		if (drg_airport_located(a))
			add_keyed(&m->cells, cell_key(a->lat, a->lng), i);
		if (a->iata != 0)
			add_keyed(&m->codes, a->iata, i);
		if (a->icao != 0)
			add_keyed(&m->codes, a->icao, i);
	}
	for (uint32_t t = 0; t < n_tokens; t++)
		m->rarity[t] = log((n + 1.0) / (m->rarity[t] + 0.5)) / log(n + 2.0) *
		               (is_generic(m->ref, t) ? GENERIC : 1);
	drg_keyed_sort(&m->words);
	drg_keyed_sort(&m->cells);
	drg_keyed_sort(&m->codes);
	bool made = last != NULL && (m->words.rc | m->cells.rc | m->codes.rc) == DRG_OK;
	free(last);
	return made ? DRG_OK : DRG_ENOMEM;
}

/* ---- candidates ---------------------------------------------------------------------------------------- */

static void find_add(struct drg_airport_matching *m, const struct drg_keyed *v, size_t n)
{
	for (size_t i = 0; i < n && m->n_found < AIRPORT_CANDIDATES; i++) {
		uint32_t at = (uint32_t)v[i].value;
		if (m->seen[at] == m->search)
			continue;
		m->seen[at] = m->search;
		m->found[m->n_found++] = at;
	}
}

static void find_keyed(struct drg_airport_matching *m, const struct drg_buf *b, uint64_t key, size_t most)
{
	size_t n;
	const struct drg_keyed *v = drg_keyed_find(b, key, &n);
	if (n > 0 && n <= most)
		find_add(m, v, n);
}

static void find_near(struct drg_airport_matching *m, const struct drg_airport *a)
{
	for (int north = -1; north <= 1 && drg_airport_located(a); north++)
		for (int east = -1; east <= 1; east++)
			find_keyed(m, &m->cells, cell_key(a->lat + north, a->lng + east), CELL_MAX);
}

/* Find candidates by the rarest words of name and city. */
static void find_words(struct drg_airport_matching *m, const struct drg_airport *a)
{
	uint32_t rarest[RAREST];
	unsigned n = 0;
	for (uint32_t k = a->names; k < a->names + a->n_names + a->n_cities; k++) {
		const struct drg_airport_name *name = drg_airport_name(m->src, k);
		for (uint32_t j = 0; j < name->n; j++) {
			uint32_t t = drg_airport_name_tokens(m->src, name)[j];
			size_t has;
			(void)drg_keyed_find(&m->words, t, &has);
			unsigned at = n;
			while (at > 0 && m->rarity[rarest[at - 1]] < m->rarity[t])
				at--;
			if (has == 0 || at == RAREST || (at > 0 && rarest[at - 1] == t))
				continue;
			n += n < RAREST;
			memmove(rarest + at + 1, rarest + at, (n - 1 - at) * sizeof *rarest);
			rarest[at] = t;
		}
	}
	for (unsigned i = 0; i < n; i++)
		find_keyed(m, &m->words, rarest[i], POSTINGS_MAX);
}

static void find_airports(struct drg_airport_matching *m, const struct drg_airport *a)
{
	m->search++;
	m->n_found = 0;
	if (a->iata != 0)
		find_keyed(m, &m->codes, a->iata, POSTINGS_MAX);
	if (a->icao != 0)
		find_keyed(m, &m->codes, a->icao, POSTINGS_MAX);
	find_words(m, a);
	find_near(m, a);
}

/* ---- a single record ----------------------------------------------------------------------------------- */

static void keep_best(struct drg_airport_match *x, const struct drg_airport_pair *p)
{
	unsigned at = x->n_best;
	while (at > 0 && x->best[at - 1].points < p->points)
		at--;
	if (at == DRG_AIRPORT_BEST)
		return;
	x->n_best = (uint8_t)(x->n_best + (x->n_best < DRG_AIRPORT_BEST));
	memmove(&x->best[at + 1], &x->best[at], (x->n_best - 1U - at) * sizeof *x->best);
	x->best[at] = *p;
}

/* Does a name have a word that distinguishes airports? */
static bool has_own_word(const struct drg_airport_matching *m, const struct drg_airport *a)
{
	for (uint32_t k = a->names; k < a->names + a->n_names; k++)
		for (uint32_t i = 0; i < drg_airport_name(m->src, k)->n; i++)
			if (!is_generic(m->src,
			                drg_airport_name_tokens(m->src, drg_airport_name(m->src, k))[i]))
				return true;
	return false;
}

/* Is the pair in one city and close together? Then a name like "Municipal" is enough. */
static bool is_at_one_place(const struct drg_airport_pair *p)
{
	return p->city > 0 && (double)p->metres < FAR_METRES;
}

/* May the name be the city alone, such as "Hamburg"? */
static bool is_bare_city(const struct drg_airport_matching *m, const struct drg_airport *a,
                         const struct drg_airport *b)
{
	if (a->n_cities > 0 || a->iata != 0 || a->icao != 0)
		return false;
	for (uint32_t i = 0; i < a->n_names; i++)
		for (uint32_t k = 0; k < b->n_cities; k++)
			if (drg_airport_name(m->src, a->names + i)->set ==
			    drg_airport_name(m->ref, b->cities + k)->set)
				return true;
	return false;
}

static void airport_set_outcome(struct drg_airport_match *x, enum drg_match_outcome outcome,
                                enum drg_match_reason reason)
{
	x->outcome = (uint8_t)outcome;
	x->reason = (uint8_t)reason;
}

static double lead_of(const struct drg_airport_match *x)
{
	return x->located ? LEAD_LOCATED : LEAD_NAMED;
}

static void airport_decide(const struct drg_airport_matching *m, const struct drg_airport *a,
                           struct drg_airport_match *x)
{
	const struct drg_airport_pair *p = &x->best[0];
	x->located = x->n_best > 0 && !isnan(p->metres);
	if (x->n_best == 0 || (double)p->points < ASK_FROM)
		airport_set_outcome(x, DRG_MATCH_NONE,
		                    a->n_names == 0  ? DRG_WHY_LACKS_NAME
		                    : x->n_best == 0 ? DRG_WHY_NO_CANDIDATES
		                                     : DRG_WHY_BELOW_THRESHOLD);
	else if (!has_own_word(m, a) && p->code <= 0 && !is_at_one_place(p))
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_LACKS_NAME);
	else if ((double)p->metres >= FAR_AIRPORT)
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_VETO_FAR);
	else if (p->country < 0 && !((double)p->metres < SAME_PLACE_METRES))
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_VETO_COUNTRY);
	else if ((double)p->points < (x->located ? AUTOMATIC_LOCATED : AUTOMATIC_NAMED))
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_BELOW_THRESHOLD);
	else if (x->n_best > 1 && (double)(p->points - x->best[1].points) < lead_of(x))
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_AMBIGUOUS);
	else if (!x->located && is_bare_city(m, a, drg_airport_of(m->ref, p->i)))
		airport_set_outcome(x, DRG_MATCH_ASK, DRG_WHY_UNCLEAR);
	else
		airport_set_outcome(x, DRG_MATCH_AUTOMATIC, DRG_WHY_SURE);
}

static void airport_match(struct drg_airport_matching *m, const struct drg_airport *a,
                          struct drg_airport_match *x)
{
	find_airports(m, a);
	x->candidates = (uint16_t)m->n_found;
	for (unsigned i = 0; i < m->n_found; i++) {
		const struct drg_airport_pair p = drg_airport_compare(m, a, m->found[i]);
		keep_best(x, &p);
	}
	airport_decide(m, a, x);
}

/* ---- claims: one airport for one record ---------------------------------------------------------------- */

/* The records that claim an airport: the one that is clearly ahead gets it. */
struct airport_claim {
	uint32_t by; /* record + 1; 0: none */
	bool taken, shared;
};

static void claim(struct airport_claim *c, const struct drg_airport_match *all, uint32_t i)
{
	float lead = c->by > 0 ? all[c->by - 1].best[0].points - all[i].best[0].points : 0;
	double wanted = lead_of(&all[i]);
	if (c->by == 0 || (double)-lead > 0) {
		c->shared = c->by > 0 && (double)-lead < wanted;
		c->by = i + 1;
	} else {
		c->shared = c->shared || (double)lead < wanted;
	}
}

static void claims_of_taken(const struct drg_airport_matching *m, struct airport_claim *claims)
{
	uint32_t n = drg_airports_size(m->src);
	struct drg_buf by_id;
	size_t found;
	drg_buf_init(&by_id, SIZE_MAX);
	for (uint32_t i = 0; i < drg_airports_size(m->ref); i++)
		add_keyed(&by_id, (uint64_t)drg_airport_of(m->ref, i)->id, i);
	drg_keyed_sort(&by_id);
	for (uint32_t i = 0; i < n && by_id.rc == DRG_OK; i++) {
		const struct drg_airport *a = drg_airport_of(m->src, i);
		const struct drg_keyed *v = drg_keyed_find(&by_id, (uint64_t)a->id, &found);
		if (a->taken && found > 0)
			claims[v->value].taken = true;
	}
	drg_buf_done(&by_id);
}

static int airports_resolve_claims(const struct drg_airport_matching *m, struct drg_airport_match *all)
{
	struct airport_claim *claims = calloc((size_t)drg_airports_size(m->ref) + 1, sizeof *claims);
	uint32_t n = drg_airports_size(m->src);
	if (claims == NULL)
		return DRG_ENOMEM;
	claims_of_taken(m, claims);
	for (uint32_t i = 0; i < n; i++)
		if (!drg_airport_of(m->src, i)->taken && all[i].outcome == DRG_MATCH_AUTOMATIC)
			claim(&claims[all[i].best[0].i], all, i);
	for (uint32_t i = 0; i < n; i++) {
		const struct airport_claim *c = &claims[all[i].n_best > 0 ? all[i].best[0].i : 0];
		if (!drg_airport_of(m->src, i)->taken && all[i].outcome == DRG_MATCH_AUTOMATIC &&
		    (c->taken || c->shared || c->by != i + 1))
			airport_set_outcome(&all[i], DRG_MATCH_ASK, DRG_WHY_VETO_CLAIMED);
	}
	free(claims);
	return DRG_OK;
}

/* ---- all records --------------------------------------------------------------------------------------- */

static struct drg_airport_matching *matching_new(const struct drg_airports *reference,
                                                 const struct drg_airports *src)
{
	struct drg_airport_matching *m = calloc(1, sizeof *m);
	if (m == NULL)
		return NULL;
	m->ref = reference;
	m->src = src;
	drg_buf_init(&m->words, SIZE_MAX);
	drg_buf_init(&m->cells, SIZE_MAX);
	drg_buf_init(&m->codes, SIZE_MAX);
	m->rarity = calloc((size_t)drg_vocab_size(reference->vocab) + 1, sizeof *m->rarity);
	m->seen = calloc((size_t)drg_airports_size(reference) + 1, sizeof *m->seen);
	return m;
}

static void matching_free(struct drg_airport_matching *m)
{
	drg_buf_done(&m->words);
	drg_buf_done(&m->cells);
	drg_buf_done(&m->codes);
	free(m->rarity);
	free(m->seen);
	free(m);
}

int drg_airports_match(const struct drg_airports *reference, const struct drg_airports *src,
                       struct drg_airport_match *ret)
{
	struct drg_airport_matching *m = matching_new(reference, src);
	if (m == NULL)
		return DRG_ENOMEM;
	int rc = m->rarity != NULL && m->seen != NULL ? index_reference(m) : DRG_ENOMEM;
	for (uint32_t i = 0; i < drg_airports_size(src) && rc == DRG_OK; i++)
		if (!drg_airport_of(src, i)->taken)
			airport_match(m, drg_airport_of(src, i), &ret[i]);
	if (rc == DRG_OK)
		rc = airports_resolve_claims(m, ret);
	matching_free(m);
	return rc;
}

/* ---- explanations -------------------------------------------------------------------------------------- */

static void explain_points(struct drg_buf *out, const char *what, float points)
{
	if (points != 0)
		drg_buf_printf(out, "%s %+.1f, ", what, (double)points);
}

void drg_airport_explain(const struct drg_airport_match *x, struct drg_buf *out)
{
	const struct drg_airport_pair *p = &x->best[0];
	drg_buf_str(out, drg_str_c(drg_outcome_name((enum drg_match_outcome)x->outcome)));
	if (x->outcome != DRG_MATCH_AUTOMATIC)
		drg_buf_printf(out, ", %s", drg_reason_words((enum drg_match_reason)x->reason));
	if (x->n_best == 0)
		return;
	drg_buf_printf(out, ", %.1f points: ", (double)p->points);
	explain_points(out, "name", p->name);
	explain_points(out, "code", p->code);
	explain_points(out, "same city", p->city);
	explain_points(out, p->country > 0 ? "same country" : "other country", p->country);
	explain_points(out, "size", p->size);
	if (!isnan(p->metres))
		drg_buf_printf(out, "%.1f km %+.1f, ", (double)p->metres / 1000, (double)p->distance);
	if (x->n_best > 1)
		drg_buf_printf(out, "next best %.1f points behind", (double)(p->points - x->best[1].points));
	else
		drg_buf_printf(out, "no other");
}
