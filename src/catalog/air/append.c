/* Append groups of places to the answer; a place that is there already is left out. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "catalog/air/search_priv.h"

static const double EARTH_KM = 6371.0088, KM_PER_DEGREE = 111.195;

static double radians(double degrees)
{
	return degrees * M_PI / 180;
}

static double distance_km(double lat, double lng, const struct drg_air_rec *rec)
{
	double u = sin(radians(rec->lat - lat) / 2), v = sin(radians(rec->lng - lng) / 2);
	double a = u * u + cos(radians(lat)) * cos(radians(rec->lat)) * v * v;
	return 2 * EARTH_KM * asin(sqrt(fmin(1, a)));
}

static void drop_countries(struct drg_air_work *s)
{
	const struct drg_air_set *none = &s->found;
	struct drg_air_set *set = &s->wanted;
	for (size_t i = drg_air_set_next(set, none, 0); i < s->ix->n; i = drg_air_set_next(set, none, i + 1))
		if (memcmp(s->ix->country_code[i], s->q->country, sizeof s->q->country) != 0)
			set->bits[i / 64] &= ~(UINT64_C(1) << i % 64);
}

void drg_air_fill_wanted(struct drg_air_work *s)
{
	const struct drg_air_query *q = s->q;
	bool any = !q->city && !q->apt && !q->nation;
	const bool asked[DRG_AIR_KINDS] = { [DRG_PLACE_CITY] = q->city || any,
		                            [DRG_PLACE_APT] = q->apt || any,
		                            [DRG_AIR_COUNTRY] = q->nation };
	assert(s->n == 0);
	drg_air_set_start(&s->found);
	drg_air_set_start(&s->wanted);
	for (size_t kind = 0; kind < DRG_AIR_KINDS; kind++)
		for (size_t i = 0; asked[kind] && i < s->wanted.words; i++)
			s->wanted.bits[i] |= s->ix->of_kind[kind][i];
	s->airports.used = true;
	if (q->country[0] != '\0')
		drop_countries(s);
	for (size_t i = 0; i < s->wanted.words; i++)
		s->airports.bits[i] = s->wanted.bits[i] & s->ix->of_kind[DRG_PLACE_APT][i];
}

void drg_air_take(struct drg_air_work *s, uint32_t place)
{
	assert(place < s->ix->n);
	if (drg_air_set_has(&s->found, place) || !drg_air_set_has(drg_air_wanted(s), place))
		return;
	drg_air_set_add(&s->found, place);
	if (s->n < s->limit)
		drg_air_fill(s->ix->rec[place], &s->out[s->n]);
	s->n++;
}

/* Count the places for which the answer has no room. */
static void count_rest(struct drg_air_work *s, const struct drg_air_set *group)
{
	const struct drg_air_set *wanted = drg_air_wanted(s);
	for (size_t i = 0; i < group->words; i++) {
		uint64_t more = group->bits[i] & wanted->bits[i] & ~s->found.bits[i];
		s->n += (size_t)__builtin_popcountll(more);
		s->found.bits[i] |= more;
	}
}

/* Append heavier places first; places of one weight by title. */
static int append_by_weight(struct drg_air_work *s, const struct drg_air_set *group)
{
	const struct drg_air_index *ix = s->ix;
	size_t at = 0;
	while (s->n < s->limit && (at = drg_air_set_next(group, &s->found, at)) < ix->n) {
		uint32_t end = ix->tie_end[at];
		assert(ix->tie_first[at] <= at && at < end && end <= ix->n);
		if (s->order == NULL || end - ix->tie_first[at] == 1) {
			drg_air_take(s, (uint32_t)at++);
			continue;
		}
		for (uint32_t i = ix->tie_first[at]; i < end; i++)
			if (drg_air_set_has(group, s->order->place[i]))
				drg_air_take(s, s->order->place[i]);
		at = end;
	}
	if (s->n >= s->limit)
		count_rest(s, group);
	return DRG_OK;
}

struct distant {
	double km;
	uint32_t place;
};

static int by_distance(const void *a, const void *b)
{
	const struct distant *x = a, *y = b;
	if (x->km != y->km)
		return x->km < y->km ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

static int append_by_distance(struct drg_air_work *s, const struct drg_air_set *group)
{
	const struct drg_air_query *q = s->q;
	struct distant *d = drg_arena_alloc(s->arena, (s->ix->n + 1) * sizeof *d);
	size_t n = 0, at = 0;
	if (d == NULL)
		return DRG_ENOMEM;
	for (; (at = drg_air_set_next(group, &s->found, at)) < s->ix->n; at++) {
		const struct drg_air_rec *rec = s->ix->rec[at];
		if (!rec->located || fabs(rec->lat - q->lat) * KM_PER_DEGREE > q->radius_km + 1)
			continue;
		d[n] = (struct distant){ distance_km(q->lat, q->lng, rec), (uint32_t)at };
		n += d[n].km <= q->radius_km;
	}
	qsort(d, n, sizeof *d, by_distance);
	for (size_t i = 0; i < n; i++)
		drg_air_take(s, d[i].place);
	return DRG_OK;
}

int drg_air_append(struct drg_air_work *s, const struct drg_air_set *group)
{
	if (!group->used)
		return DRG_OK;
	return s->q->near ? append_by_distance(s, group) : append_by_weight(s, group);
}
