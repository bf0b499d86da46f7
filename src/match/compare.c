#include "match/compare.h"

#include <assert.h>
#include <stdlib.h>

#include "match/compare_priv.h"
#include "match/align.h"
#include "match/similar.h"
#include "match/words.h"

#define MISSPELT 0.9
#define OF_ANY_STREET 0.15 /* share of its weight that a word keeps if any street may have it */

/* ---- rarity --------------------------------------------------------------------------------------------- */

double *drg_rarity_new(const struct drg_places *a, const struct drg_places *b, bool address)
{
	uint32_t n_tokens = drg_vocab_size(a->vocab);
	double n = (double)drg_places_size(a) + (double)drg_places_size(b),
	       *rarity = calloc((size_t)n_tokens + 1, sizeof *rarity);
	for (uint32_t t = 0; rarity != NULL && t < n_tokens; t++) {
		uint32_t df = drg_places_df(address ? &a->address_df : &a->df, t) +
		              drg_places_df(address ? &b->address_df : &b->df, t);
		rarity[t] = log((n + 1) / (df + 0.5)) / log(n + 1);
		if (address && (drg_token(a->vocab, t)->classes & DRG_WORD_STREET) != 0)
			rarity[t] *= OF_ANY_STREET;
	}
	return rarity;
}

int drg_comparing_init(struct drg_comparing *c, const struct drg_places *a, const struct drg_places *b,
                       const double *rarity, const double *address_rarity)
{
	assert(a->vocab == b->vocab);
	*c = (struct drg_comparing){ .a = a, .b = b, .rarity = rarity, .address_rarity = address_rarity };
	c->align = calloc(1, sizeof *c->align);
	c->compared = calloc(1, sizeof *c->compared);
	return c->align != NULL && c->compared != NULL ? DRG_OK : DRG_ENOMEM;
}

void drg_comparing_done(struct drg_comparing *c)
{
	free(c->align);
	free(c->compared);
	c->align = NULL;
	c->compared = NULL;
}

/* ---- name ----------------------------------------------------------------------------------------------- */

/* ---- distance ------------------------------------------------------------------------------------------- */

double drg_metres_to(const struct drg_place_record *a, double lat, double lng)
{
	const double p = M_PI / 180;
	double north = sin((lat - a->lat) * p / 2), east = sin((lng - a->lng) * p / 2);
	double x = north * north + cos(a->lat * p) * cos(lat * p) * (east * east);
	x = sqrt(x);
	return 12742000 * asin(x < 1 ? x : 1);
}

double drg_metres(const struct drg_place_record *a, const struct drg_place_record *b)
{
	return drg_metres_to(a, b->lat, b->lng);
}

unsigned drg_level_distance(double metres, const double *bounds, unsigned n)
{
	unsigned level = 0;
	while (level < n && metres >= bounds[level])
		level++;
	return level;
}

/* ---- address, postcode ---------------------------------------------------------------------------------- */

/* Get the tokens of an address that are not numbers. @return how many */
static unsigned street(const struct drg_places *l, const struct drg_place_record *r, uint32_t *ret)
{
	const uint32_t *t = drg_place_tokens(l, r->address);
	unsigned n = 0;
	for (unsigned i = 0; i < r->n_address; i++)
		if (!drg_token(l->vocab, t[i])->is_number)
			ret[n++] = t[i];
	return n;
}

/* The share of the lighter side's weight that agrees. */
static double same_street(struct drg_comparing *c, const struct drg_place_record *a,
                          const struct drg_place_record *b)
{
	uint32_t ta[DRG_NORMAL_TOKENS], tb[DRG_NORMAL_TOKENS];
	unsigned na = street(c->a, a, ta), nb = street(c->b, b, tb);
	struct drg_align *al = c->align;
	drg_align(al, c->a->vocab, c->address_rarity, ta, na, tb, nb);
	double agree = 0, left_a = 0, left_b = 0;
	for (unsigned i = 0; i < al->n; i++)
		agree += al->pair[i].similar * al->pair[i].weight;
	for (unsigned i = 0; i < al->n_left_a; i++)
		left_a += c->address_rarity[al->left_a[i]];
	for (unsigned i = 0; i < al->n_left_b; i++)
		left_b += c->address_rarity[al->left_b[i]];
	double a_all = agree + left_a, b_all = agree + left_b, least = a_all < b_all ? a_all : b_all;
	return least > 0 ? agree / least : 0;
}

static bool same_house(const struct drg_comparing *c, const struct drg_place_record *a,
                       const struct drg_place_record *b)
{
	const uint64_t *ha = (const uint64_t *)(const void *)c->a->houses.p;
	const uint64_t *hb = (const uint64_t *)(const void *)c->b->houses.p;
	for (unsigned i = 0; i < a->n_houses; i++)
		for (unsigned k = 0; k < b->n_houses; k++)
			if (ha[a->houses + i] == hb[b->houses + k])
				return true;
	return false;
}

unsigned drg_level_address(struct drg_comparing *c, const struct drg_place_record *a,
                           const struct drg_place_record *b)
{
	if (!a->has_address || !b->has_address)
		return 0;
	double same = same_street(c, a, b);
	bool known = a->n_houses > 0 && b->n_houses > 0, house = known && same_house(c, a, b);
	if (same >= .7)
		return house ? 1 : known ? 3 : 2;
	return house ? 4 : same < .3 ? 6 : 5;
}

unsigned drg_level_zip(const struct drg_comparing *c, const struct drg_place_record *a,
                       const struct drg_place_record *b)
{
	if (a->n_zip == 0 || b->n_zip == 0)
		return 0;
	const char *za = c->a->zips.p + a->zip, *zb = c->b->zips.p + b->zip;
	unsigned same = 0, longest = a->n_zip > b->n_zip ? a->n_zip : b->n_zip;
	while (same < a->n_zip && same < b->n_zip && za[same] == zb[same])
		same++;
	if (same == longest)
		return 1;
	return (double)same / (double)longest >= .6 ? 2 : 3;
}

/* ---- numbers, residence words --------------------------------------------------------------------------- */

typedef uint64_t token_key_fn(const struct drg_token *t);

typedef bool token_likeness_fn(const struct drg_vocab *v, uint32_t a, uint32_t b);

static uint64_t key_of_number(const struct drg_token *t)
{
	return t->digits;
}

static uint64_t key_of_residence(const struct drg_token *t)
{
	return (t->classes & DRG_WORD_RESIDENCE) != 0 ? (uint64_t)t->text + 1 : 0;
}

static bool same_number(const struct drg_vocab *v, uint32_t a, uint32_t b)
{
	return key_of_number(drg_token(v, a)) == key_of_number(drg_token(v, b));
}

static bool is_plural(struct drg_str many, struct drg_str one)
{
	return many.n == one.n + 1 && many.p[one.n] == 's' && memcmp(many.p, one.p, one.n) == 0;
}

/* Is a word the other one misspelt ("Residdence", "Bech")? It has the same first letter and nearly the same
 * others, or one more or less, and is not a word itself. */
static bool same_residence(const struct drg_vocab *v, uint32_t a, uint32_t b)
{
	struct drg_str word = drg_token_text(v, a), other = drg_token_text(v, b);
	if (a == b || is_plural(word, other) || is_plural(other, word))
		return true;
	if ((drg_token(v, b)->classes & (DRG_WORD_TYPE | DRG_WORD_RESIDENCE)) != 0)
		return false;
	if (word.n < SHORT_FROM || other.n < SHORT_FROM - 1 || word.p[0] != other.p[0])
		return false;
	return (word.n >= MISSPELT_FROM && other.n >= MISSPELT_FROM &&
	        drg_similar_tokens(word, other) >= MISSPELT) ||
	       (word.n != other.n && drg_edit_distance(word, other) == 1);
}

/* How the tokens of @p a that have a key relate to those of @p b: does @p a have any, do both have a common
 * one, does @p b have all of them? */
struct subset {
	bool any, common, all;
};

static struct subset subset_of(const struct drg_vocab *v, token_key_fn *key, token_likeness_fn *same,
                               const uint32_t *a, unsigned na, const uint32_t *b, unsigned nb)
{
	struct subset s = { .all = true };
	for (unsigned i = 0; i < na; i++) {
		bool found = false;
		if (key(drg_token(v, a[i])) == 0)
			continue;
		for (unsigned k = 0; k < nb && !found; k++)
			found = same(v, a[i], b[k]);
		s.any = true;
		s.common = s.common || found;
		s.all = s.all && found;
	}
	return s;
}

/* Compare residence words; those in the name of the city do not count: "Miami Beach". */
static struct subset residences_of(const struct drg_vocab *v, const struct drg_form *fa, const uint32_t *ta,
                                   const struct drg_form *fb, const uint32_t *tb)
{
	uint32_t own[DRG_NORMAL_TOKENS];
	unsigned n = 0;
	for (unsigned i = 0; i < fa->n; i++)
		if (i < fa->city_at || i >= (unsigned)fa->city_at + fa->n_city)
			own[n++] = ta[i];
	return subset_of(v, key_of_residence, same_residence, own, n, tb, fb->n);
}

unsigned drg_level_numbers(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b)
{
	if (a->has_number != b->has_number)
		return 3;
	if (!a->has_number)
		return 0;
	const uint32_t *ta = drg_place_tokens(c->a, a->tokens), *tb = drg_place_tokens(c->b, b->tokens);
	struct subset x = subset_of(c->a->vocab, key_of_number, same_number, ta, a->n, tb, b->n);
	struct subset y = subset_of(c->a->vocab, key_of_number, same_number, tb, b->n, ta, a->n);
	if (!x.common)
		return 2;
	return x.all && y.all;
}

unsigned drg_level_residence(const struct drg_comparing *c, const struct drg_form *a,
                             const struct drg_form *b)
{
	if (!a->has_residence && !b->has_residence)
		return 0;
	const uint32_t *ta = drg_place_tokens(c->a, a->tokens), *tb = drg_place_tokens(c->b, b->tokens);
	return !residences_of(c->a->vocab, a, ta, b, tb).all || !residences_of(c->a->vocab, b, tb, a, ta).all;
}

bool drg_residence_is_missing(const struct drg_comparing *c, const struct drg_form *a,
                              const struct drg_form *b)
{
	const uint32_t *ta = drg_place_tokens(c->a, a->tokens), *tb = drg_place_tokens(c->b, b->tokens);
	return !residences_of(c->a->vocab, a, ta, b, tb).any && residences_of(c->a->vocab, b, tb, a, ta).any;
}

/* Does the word only praise the house: "Beach Resort", "Boutique Hotel"? */
static bool is_praise(const struct drg_vocab *v, const uint32_t *t, unsigned i)
{
	struct drg_str word = drg_token_text(v, t[i]);
	return drg_str_eq(word, DRG_STR("beach")) || drg_str_eq(word, DRG_STR("boutique"));
}

/* Does it name what the house has besides: "& Residences"? */
static bool is_besides(const struct drg_vocab *v, const uint32_t *t, unsigned i)
{
	return i >= 2 && drg_str_eq(drg_token_text(v, t[i - 1]), DRG_STR("and"));
}

/* Are all residence words of @p fa in @p fb too, or of these sorts? */
static bool rest_is_soft(const struct drg_vocab *v, const struct drg_form *fa, const uint32_t *ta,
                         const struct drg_form *fb, const uint32_t *tb, bool praise)
{
	for (unsigned i = 0; i < fa->n; i++) {
		bool found = key_of_residence(drg_token(v, ta[i])) == 0 || is_besides(v, ta, i) ||
		             (praise && is_praise(v, ta, i));
		for (unsigned k = 0; k < fb->n && !found; k++)
			found = same_residence(v, ta[i], tb[k]);
		if (!found)
			return false;
	}
	return true;
}

bool drg_residence_is_soft(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b)
{
	const uint32_t *ta = drg_place_tokens(c->a, a->tokens), *tb = drg_place_tokens(c->b, b->tokens);
	return rest_is_soft(c->a->vocab, a, ta, b, tb, false) &&
	       rest_is_soft(c->a->vocab, b, tb, a, ta, true);
}

/* ---- vetoes and explanations ---------------------------------------------------------------------------- */

void drg_align_forms(struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b,
                     struct drg_alignment *ret)
{
	struct drg_align *al = c->align;
	drg_align(al, c->a->vocab, c->rarity, drg_place_tokens(c->a, a->tokens), a->n,
	          drg_place_tokens(c->b, b->tokens), b->n);
	ret->n_pairs = al->n;
	ret->n_left_a = al->n_left_a;
	ret->n_left_b = al->n_left_b;
	for (unsigned i = 0; i < al->n; i++) {
		ret->pair_a[i] = al->pair[i].a;
		ret->pair_b[i] = al->pair[i].b;
	}
	memcpy(ret->left_a, al->left_a, al->n_left_a * sizeof *ret->left_a);
	memcpy(ret->left_b, al->left_b, al->n_left_b * sizeof *ret->left_b);
}
