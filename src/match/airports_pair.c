/* The comparison of two airports: points for name, city, distance and codes. */
#include "match/airports_priv.h"

#include <math.h>

#include "match/airports.h"
#include "match/compare.h"

#define OF_THE_CITY 0.25 /* share of its weight that a missing word keeps if it is the other side's city */
#define NAME_POINTS 6.0
#define CITY_POINTS 1.5
#define COUNTRY_POINTS 1.5
#define OTHER_COUNTRY (-3.0)
#define SIZE_POINTS 0.6
#define SIZE_FULL 600.0 /* weight from which on an airport gets all points for its size */
#define FAR_POINTS 1.6
#define ICAO_POINTS 12.0
#define OTHER_ICAO (-4.0)
#define IATA_POINTS 8.0
/* metres; codes are reused, so if airports are farther apart the name has to agree too */
#define CODES_AGREE_WITHIN 100000.0
#define CODES_AGREE_ALIKE 0.5

static bool city_has_word(const struct drg_airports *l, const struct drg_airport *a, uint32_t t)
{
	for (uint32_t k = a->cities; k < a->cities + a->n_cities; k++) {
		const struct drg_airport_name *city = drg_airport_name(l, k);
		for (uint32_t i = 0; i < city->n; i++)
			if (drg_airport_name_tokens(l, city)[i] == t)
				return true;
	}
	return false;
}

static double weight_left(const struct drg_airport_matching *m, const uint32_t *left, unsigned n,
                          const struct drg_airports *others, const struct drg_airport *other)
{
	double sum = 0;
	for (unsigned i = 0; i < n; i++)
		sum += m->rarity[left[i]] * (city_has_word(others, other, left[i]) ? OF_THE_CITY : 1);
	return sum;
}

/* The mean of the shares of both names that agree. */
static double names_alike(struct drg_airport_matching *m, const struct drg_airport *a,
                          const struct drg_airport_name *na, const struct drg_airport *b,
                          const struct drg_airport_name *nb)
{
	struct drg_align *al = &m->align;
	drg_align(al, m->ref->vocab, m->rarity, drg_airport_name_tokens(m->src, na), na->n,
	          drg_airport_name_tokens(m->ref, nb), nb->n);
	double full = 0, part = 0;
	for (unsigned i = 0; i < al->n; i++) {
		full += al->pair[i].weight;
		part += al->pair[i].similar * al->pair[i].weight;
	}
	double of_a = full + weight_left(m, al->left_a, al->n_left_a, m->ref, b);
	double of_b = full + weight_left(m, al->left_b, al->n_left_b, m->src, a);
	return part > 0 ? (part / of_a + part / of_b) / 2 : 0;
}

static double best_alike(struct drg_airport_matching *m, const struct drg_airport *a,
                         const struct drg_airport *b)
{
	double best = 0;
	for (uint32_t i = 0; i < a->n_names; i++)
		for (uint32_t k = 0; k < b->n_names; k++) {
			double alike = names_alike(m, a, drg_airport_name(m->src, a->names + i), b,
			                           drg_airport_name(m->ref, b->names + k));
			best = alike > best ? alike : best;
		}
	return best;
}

static bool same_city_name(const struct drg_airport_matching *m, const struct drg_airport *a,
                           const struct drg_airport *b)
{
	for (uint32_t i = 0; i < a->n_cities; i++)
		for (uint32_t k = 0; k < b->n_cities; k++) {
			const struct drg_airport_name *x = drg_airport_name(m->src, a->cities + i);
			const struct drg_airport_name *y = drg_airport_name(m->ref, b->cities + k);
			if (x->joined == y->joined || x->set == y->set)
				return true;
		}
	return false;
}

static double airport_metres(const struct drg_airport *a, const struct drg_airport *b)
{
	const struct drg_place_record x = { .lat = a->lat, .lng = a->lng },
	                              y = { .lat = b->lat, .lng = b->lng };
	return drg_airport_located(a) && drg_airport_located(b) ? drg_metres(&x, &y) : NAN;
}

static double code_points(const struct drg_airport *a, const struct drg_airport *b,
                          const struct drg_airport_pair *p)
{
	bool agrees = (double)p->metres < CODES_AGREE_WITHIN || (double)p->alike >= CODES_AGREE_ALIKE;
	double points = 0;
	if (a->icao != 0 && b->icao != 0)
		points += a->icao != b->icao ? OTHER_ICAO : agrees ? ICAO_POINTS : 0;
	if (a->iata != 0 && a->iata == b->iata && agrees)
		points += IATA_POINTS;
	return points;
}

struct drg_airport_pair drg_airport_compare(struct drg_airport_matching *m, const struct drg_airport *a,
                                            uint32_t i)
{
	const struct drg_airport *b = drg_airport_of(m->ref, i);
	struct drg_airport_pair p = { .i = i,
		                      .metres = (float)airport_metres(a, b),
		                      .alike = (float)best_alike(m, a, b) };
	double size = (double)b->weight / SIZE_FULL;
	p.name = (float)(NAME_POINTS * (double)p.alike);
	p.city = same_city_name(m, a, b) ? (float)CITY_POINTS : 0;
	p.distance = isnan(p.metres) ? 0 : (float)(-FAR_POINTS * log2(1 + (double)p.metres / FAR_METRES));
	if (a->country != 0 && b->country != 0)
		p.country = (float)(a->country == b->country ? COUNTRY_POINTS : OTHER_COUNTRY);
	p.size = (float)(SIZE_POINTS * (size < 1 ? size : 1));
	p.code = (float)code_points(a, b, &p);
	p.points = p.name + p.city + p.distance + p.country + p.size + p.code;
	return p;
}
