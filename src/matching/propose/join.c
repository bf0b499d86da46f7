/* Joins records of the pool that are one house (decision M40). */
#include <stdlib.h>

#include "matching/propose/propose_priv.h"

#include "base/bound.h"

/* A tie, seen from one of its two records. */
struct join_side {
	uint32_t from, to;
	int64_t adapter; /* of `to` */
	float bits;
};

struct joining {
	const struct drg_pooled *p;
	const struct drg_scorecard *card;
	struct drg_tie *ties;
	size_t n;
	struct join_side *sides; /* two for each tie, ascending by from and adapter, the best first */
	uint32_t *first; /* by record: the first one of its cluster */
	uint32_t *next; /* by record: the next one of its cluster; UINT32_MAX: none */
	float *bits; /* by first record: the weakest tie of the cluster */
};

/* ---- ties ---------------------------------------------------------------------------------------------- */

static int join_by_pair(const void *pa, const void *pb)
{
	const struct drg_tie *a = pa, *b = pb;
	if (a->a != b->a)
		return a->a < b->a ? -1 : 1;
	return a->b < b->b ? -1 : a->b > b->b;
}

static int join_by_bits(const void *pa, const void *pb)
{
	const struct drg_tie *const *a = pa, *const *b = pb;
	if ((*a)->bits != (*b)->bits)
		return (*a)->bits > (*b)->bits ? -1 : 1;
	return join_by_pair(*a, *b);
}

/* Keep each pair once: it may have been found from both sides. A veto of one side counts. */
static void join_unite(struct joining *x)
{
	size_t kept = 0;
	if (x->n > 0)
		qsort(x->ties, x->n, sizeof *x->ties, join_by_pair);
	for (size_t i = 0; i < x->n; i++) {
		struct drg_tie *last = kept > 0 ? &x->ties[kept - 1] : NULL;
		if (last == NULL || last->a != x->ties[i].a || last->b != x->ties[i].b) {
			x->ties[kept++] = x->ties[i];
			continue;
		}
		last->apart = last->apart || x->ties[i].apart;
		last->placed = last->placed && x->ties[i].placed;
		last->named = last->named && x->ties[i].named;
		last->clear = last->clear && x->ties[i].clear;
		last->bits = last->bits > x->ties[i].bits ? last->bits : x->ties[i].bits;
	}
	x->n = kept;
}

static const struct drg_tie *join_find(const struct joining *x, uint32_t a, uint32_t b)
{
	const struct drg_tie key = { .a = a < b ? a : b, .b = a < b ? b : a };
	return bsearch(&key, x->ties, x->n, sizeof key, join_by_pair);
}

/* ---- rivals -------------------------------------------------------------------------------------------- */

static int join_by_side(const void *pa, const void *pb)
{
	const struct join_side *a = pa, *b = pb;
	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->adapter != b->adapter)
		return a->adapter < b->adapter ? -1 : 1;
	if (a->bits != b->bits)
		return a->bits > b->bits ? -1 : 1;
	return a->to < b->to ? -1 : a->to > b->to;
}

static int join_make_sides(struct joining *x)
{
	x->sides = calloc(2 * x->n + 1, sizeof *x->sides);
	if (x->sides == NULL)
		return DRG_ENOMEM;
	for (size_t i = 0; i < x->n; i++) {
		const struct drg_tie *t = &x->ties[i];
		x->sides[2 * i] =
		        (struct join_side){ t->a, t->b, drg_pooled_row(x->p, t->b)->adapter, t->bits };
		x->sides[2 * i + 1] =
		        (struct join_side){ t->b, t->a, drg_pooled_row(x->p, t->a)->adapter, t->bits };
	}
	qsort(x->sides, 2 * x->n, sizeof *x->sides, join_by_side);
	return DRG_OK;
}

/* The first side of a record @p from whose other record is of @p adapter or a later one. */
static size_t join_first_side(const struct joining *x, uint32_t from, int64_t adapter)
{
	const struct join_side *s = x->sides;
	size_t at;
	DRG_BOUND(at, 2 * x->n, i, s[i].from < from || (s[i].from == from && s[i].adapter < adapter));
	return at;
}

/* The lead in bits over the next best record of the other's supplier; less than 0: it is not the best. */
static double join_lead(const struct joining *x, uint32_t from, uint32_t to)
{
	int64_t adapter = drg_pooled_row(x->p, to)->adapter;
	size_t low = join_first_side(x, from, adapter);
	const struct join_side *best = &x->sides[low];
	if (best->to != to)
		return -1;
	bool second = low + 1 < 2 * x->n && best[1].from == from && best[1].adapter == adapter;
	return second ? (double)(best->bits - best[1].bits) : INFINITY;
}

/* The worth of a tie with its clear lead, as in a match; less than 0: too little lead. */
static double join_worth(const struct joining *x, const struct drg_tie *t)
{
	double lead = fmin(join_lead(x, t->a, t->b), join_lead(x, t->b, t->a));
	if (lead < x->card->lead)
		return -1;
	return (double)t->bits + (t->clear ? drg_scorecard_clear_lead(x->card, lead) : 0);
}

/* ---- joining ------------------------------------------------------------------------------------------- */

/* Are the hotels too far apart for a name that is only nearly the same, or for streets that differ? */
static bool join_is_far(const struct joining *x, uint32_t i, uint32_t k, const struct drg_tie *t)
{
	const struct drg_place_record *a = drg_place(&x->p->places, i), *b = drg_place(&x->p->places, k);
	return (t == NULL || !t->placed) && drg_place_located(a) && drg_place_located(b) &&
	       drg_metres(a, b) > DRG_TIE_METRES;
}

/* May the two clusters be joined? They have a few dozen members at most: each supplier is in a cluster once. */
static bool join_may(const struct joining *x, uint32_t a, uint32_t b)
{
	for (uint32_t i = a; i != UINT32_MAX; i = x->next[i])
		for (uint32_t k = b; k != UINT32_MAX; k = x->next[k]) {
			const struct drg_tie *t = join_find(x, i, k);
			if (drg_pooled_row(x->p, i)->adapter == drg_pooled_row(x->p, k)->adapter ||
			    (t != NULL && t->apart) || join_is_far(x, i, k, t))
				return false;
		}
	return true;
}

/* Does a cluster have a tie to a third record that cannot be joined with the other cluster? Then several
 * houses have its name. */
static bool join_has_rival(const struct joining *x, uint32_t a, uint32_t b)
{
	for (uint32_t i = a; i != UINT32_MAX; i = x->next[i])
		for (size_t k = join_first_side(x, i, INT64_MIN); k < 2 * x->n && x->sides[k].from == i;
		     k++) {
			uint32_t c = x->first[x->sides[k].to];
			const struct drg_tie *t = join_find(x, i, x->sides[k].to);
			if (c != a && c != b && t != NULL && !t->apart && !join_may(x, b, c))
				return true;
		}
	return false;
}

static void join_two(struct joining *x, uint32_t a, uint32_t b, float bits)
{
	uint32_t last = a;
	while (x->next[last] != UINT32_MAX)
		last = x->next[last];
	x->next[last] = b;
	for (uint32_t i = b; i != UINT32_MAX; i = x->next[i])
		x->first[i] = a;
	x->bits[a] = bits;
}

/* Get the ties of one kind, the heaviest first. @return how many */
static size_t join_order(const struct joining *x, bool named, const struct drg_tie **ret,
                         uint64_t *ret_ambiguous)
{
	size_t n = 0;
	for (size_t i = 0; i < x->n; i++) {
		const struct drg_tie *t = &x->ties[i];
		if (t->apart || !(named ? t->named && !t->placed : t->placed))
			continue;
		double worth = join_worth(x, t);
		if (worth >= x->card->automatic)
			ret[n++] = t;
		else
			*ret_ambiguous += (double)t->bits >= x->card->automatic;
	}
	qsort(ret, n, sizeof *ret, join_by_bits);
	return n;
}

/* Join the heaviest ties first. Ties by name alone come last: by then it is known which clusters have the
 * name. */
static int join_heaviest_first(struct joining *x, uint64_t *ret_ambiguous)
{
	const struct drg_tie **order = calloc(x->n + 1, sizeof *order);
	if (order == NULL)
		return DRG_ENOMEM;
	for (int named = 0; named <= 1; named++)
		for (size_t i = 0, n = join_order(x, named > 0, order, ret_ambiguous); i < n; i++) {
			uint32_t a = x->first[order[i]->a], b = x->first[order[i]->b];
			if (a == b || !join_may(x, a, b))
				continue;
			if (named > 0 && (join_has_rival(x, a, b) || join_has_rival(x, b, a)))
				++*ret_ambiguous;
			else
				join_two(x, a < b ? a : b, a < b ? b : a, order[i]->bits);
		}
	free(order);
	return DRG_OK;
}

int drg_pooled_join(const struct drg_pooled *p, const struct drg_scorecard *card, struct drg_buf *ties,
                    uint32_t *ret, float *ret_bits, uint64_t *ret_ambiguous)
{
	uint32_t n = drg_places_size(&p->places);
	struct joining x = { .p = p,
		             .card = card,
		             .ties = (struct drg_tie *)(void *)ties->p,
		             .n = ties->n / sizeof(struct drg_tie),
		             .first = ret,
		             .bits = ret_bits,
		             .next = calloc((size_t)n + 1, sizeof(uint32_t)) };
	*ret_ambiguous = 0;
	for (uint32_t i = 0; i < n && x.next != NULL; i++) {
		ret[i] = i;
		ret_bits[i] = 0;
		x.next[i] = UINT32_MAX;
	}
	join_unite(&x);
	int rc = x.next != NULL ? join_make_sides(&x) : DRG_ENOMEM;
	if (rc == DRG_OK)
		rc = join_heaviest_first(&x, ret_ambiguous);
	free(x.next);
	free(x.sides);
	return rc;
}
