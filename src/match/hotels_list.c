/* Checks of a whole list: two records that claim one hotel, names that have slipped. */
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "match/hotels_priv.h"

enum {
	LIST_FROM = 50, /* with this many records that disagree, the whole list may be wrong */
	QUITE_ANOTHER_NAME = 1 /* the highest level of a quite different name */
};
#define A_HOUSE 60.0 /* metres within which coordinates of one house lie */

/* ---- claims --------------------------------------------------------------------------------------------- */

/* The records that claim a hotel, counted from 1: the one with the most bits, and the next; 0: none. */
struct claimed {
	uint32_t best, next;
	bool differ; /* not all of them are one house */
};

static bool claims_best(const struct drg_hotel_match *x)
{
	return (x->taken || x->outcome == DRG_MATCH_AUTOMATIC) && x->n_best > 0;
}

/* A record that is mapped already is ahead of all others. */
static float bits_of_claim(const struct drg_hotel_match *x)
{
	return x->taken ? HUGE_VALF : x->best[0].bits;
}

static void claim_hotel(struct claimed *c, const struct drg_hotel_match *all, uint32_t i)
{
	if (c->best == 0 || bits_of_claim(&all[i]) > bits_of_claim(&all[c->best - 1])) {
		c->next = c->best;
		c->best = i + 1;
	} else if (c->next == 0 || bits_of_claim(&all[i]) > bits_of_claim(&all[c->next - 1])) {
		c->next = i + 1;
	}
}

/* Is the record clearly ahead? Yes, if its words are the hotel's and no other record comes near. */
static bool claims_clearly(const struct drg_scorecard *card, const struct claimed *c,
                           const struct drg_hotel_match *all, uint32_t i)
{
	double lead = (double)(bits_of_claim(&all[i]) - bits_of_claim(&all[c->next - 1]));
	return c->best == i + 1 && all[i].best[0].level[DRG_CMP_NAME] >= DRG_NAME_SAME_CORE &&
	       lead >= card->clear[0];
}

/* Is it one house by every sign, under whatever names: the same street and house, coordinates no farther apart
 * than a house is large, and no word or number that tells sister houses apart? */
static bool is_one_house(struct drg_comparing *c, const struct drg_hotel_match *all, uint32_t i, uint32_t k)
{
	const struct drg_place_record *a = drg_place(c->a, i), *b = drg_place(c->a, k);
	const struct drg_form *fa = drg_place_form(c->a, a, all[i].best[0].form_a),
	                      *fb = drg_place_form(c->a, b, all[k].best[0].form_a);
	bool apart = drg_place_located(a) && drg_place_located(b) && drg_metres(a, b) > A_HOUSE;
	return !apart && drg_hotel_same_city(a, b) && drg_level_residence(c, fa, fb) == 0 &&
	       drg_level_numbers(c, fa, fb) <= 1 && drg_level_address(c, a, b) == DRG_ADDRESS_SAME;
}

/* Two records of one supplier cannot both be one hotel: both get the outcome ask, except one that is mapped
 * already or clearly ahead, and those that are one house. */
static void resolve_claims(const struct drg_hotel_matching *m, struct drg_comparing *comparing,
                           struct drg_hotel_match *all, struct claimed *claims)
{
	uint32_t n = drg_places_size(m->src);
	for (uint32_t i = 0; i < n; i++)
		if (claims_best(&all[i]))
			claim_hotel(&claims[all[i].best[0].i], all, i);
	for (uint32_t i = 0; i < n; i++) {
		struct claimed *c = &claims[all[i].n_best > 0 ? all[i].best[0].i : 0];
		if (claims_best(&all[i]) && c->best != i + 1 && !c->differ)
			c->differ = all[c->best - 1].taken || !is_one_house(comparing, all, i, c->best - 1);
	}
	for (uint32_t i = 0; i < n; i++) {
		const struct claimed *c = &claims[all[i].n_best > 0 ? all[i].best[0].i : 0];
		if (all[i].taken || all[i].outcome != DRG_MATCH_AUTOMATIC || c->next == 0 || !c->differ ||
		    claims_clearly(m->card, c, all, i))
			continue;
		drg_hotel_set_outcome(&all[i], DRG_MATCH_ASK, DRG_WHY_VETO_CLAIMED);
		all[i].twin = c->best == i + 1 ? c->next : c->best;
		assert(all[i].twin > 0 && all[i].twin <= n);
	}
}

int drg_hotels_resolve_claims(const struct drg_hotel_matching *m, const double *rarity,
                              const double *address_rarity, struct drg_hotel_match *all)
{
	struct claimed *claims = calloc((size_t)drg_places_size(m->index->ref) + 1, sizeof *claims);
	struct drg_comparing comparing;
	int rc = drg_comparing_init(&comparing, m->src, m->src, rarity, address_rarity);
	if (claims == NULL)
		rc = DRG_ENOMEM;
	if (rc == DRG_OK)
		resolve_claims(m, &comparing, all, claims);
	drg_comparing_done(&comparing);
	free(claims);
	return rc;
}

/* ---- a list that is wrong as a whole: names or places have slipped -------------------------------------- */

/* Do name and place of the best pair agree: the same words at its place? (They disagree if the same house or
 * street has a quite different name, or the same name is elsewhere.) */
static bool list_agrees(const struct drg_hotel_pair *p)
{
	bool near = (double)p->metres < OFF_AT_MOST || p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME;
	return p->level[DRG_CMP_NAME] >= DRG_NAME_SAME_CORE && near;
}

static bool list_disagrees(const struct drg_hotel_pair *p)
{
	bool here = p->level[DRG_CMP_ADDRESS] == DRG_ADDRESS_SAME && !((double)p->metres > SISTERS_APART);
	return (here && p->level[DRG_CMP_NAME] <= QUITE_ANOTHER_NAME) ||
	       (p->level[DRG_CMP_NAME] >= DRG_NAME_SAME && (double)p->metres >= OFF_AT_MOST);
}

/* If most pairs disagree, names or places have slipped by a row. Then records without a place are no better,
 * and nobody could tell. Mapped records agree by definition. A part of a list is checked too, if it is long
 * enough. */
void drg_hotels_check_list(const struct drg_hotel_matching *m, struct drg_hotel_match *all)
{
	uint32_t n = drg_places_size(m->src), agree = 0, disagree = 0;
	for (uint32_t i = 0; i < n; i++) {
		bool tells = !all[i].taken && all[i].n_best > 0;
		agree += all[i].taken || (tells && list_agrees(&all[i].best[0]));
		disagree += tells && list_disagrees(&all[i].best[0]);
	}
	if (disagree < LIST_FROM || disagree <= agree)
		return;
	for (uint32_t i = 0; i < n; i++)
		if (!all[i].taken && all[i].outcome == DRG_MATCH_AUTOMATIC)
			drg_hotel_set_outcome(&all[i], DRG_MATCH_ASK, DRG_WHY_VETO_LIST);
}
