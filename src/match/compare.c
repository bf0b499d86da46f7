#include "match/compare.h"

#include <assert.h>
#include <stdlib.h>

#include "match/align.h"
#include "match/similar.h"
#include "match/words.h"

/* A token with this length and similarity to a word is a misspelling of it. */
enum { MISSPELT_FROM = 5, FORMS_KNOWN = 16 };
#define MISSPELT 0.9
#define OF_ANY_STREET 0.15 /* share of its weight that a word of any street keeps */

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

/* The letters of a record's forms, kept because hundreds of others are compared with them. */
struct drg_compared {
	const struct drg_place_record *record;
	bool known[FORMS_KNOWN];
	struct drg_letters letters[FORMS_KNOWN];
};

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

/* Two forms that are compared. */
struct naming {
	struct drg_comparing *c;
	const struct drg_place_record *a, *b;
	const struct drg_form *fa, *fb;
	const uint32_t *ta, *tb;
	double low, high; /* the shares of each side's weight that agree */
	bool same_core;
};

static bool is_type(const struct drg_comparing *c, uint32_t t)
{
	return (drg_token(c->a->vocab, t)->classes & DRG_WORD_TYPE) != 0;
}

static bool holds(const uint32_t *t, unsigned n, uint32_t wanted)
{
	for (unsigned i = 0; i < n; i++)
		if (t[i] == wanted)
			return true;
	return false;
}

/* The weight of a token that the other side lacks. */
static double left_weight(const struct naming *x, uint32_t t, const struct drg_places *l,
                          const struct drg_place_record *other)
{
	double w = x->c->rarity[t] * (is_type(x->c, t) ? 0.35 : 1);
	return w * (holds(drg_place_tokens(l, other->address), other->n_address, t) ? 0.5 : 1);
}

static void weigh_agreement(struct naming *x)
{
	struct drg_align *al = x->c->align;
	drg_align(al, x->c->a->vocab, x->c->rarity, x->ta, x->fa->n, x->tb, x->fb->n);
	double full = 0, part = 0, left_a = 0, left_b = 0;
	for (unsigned i = 0; i < al->n; i++) {
		double agree = al->pair[i].weight * (is_type(x->c, al->pair[i].a) ? 0.5 : 1);
		full += agree;
		part += al->pair[i].similar * agree;
	}
	for (unsigned i = 0; i < al->n_left_a; i++)
		left_a += left_weight(x, al->left_a[i], x->c->b, x->b);
	for (unsigned i = 0; i < al->n_left_b; i++)
		left_b += left_weight(x, al->left_b[i], x->c->a, x->a);
	double a = full + left_a, b = full + left_b;
	a = a != 0 ? part / a : 0;
	b = b != 0 ? part / b : 0;
	x->low = a < b ? a : b;
	x->high = a < b ? b : a;
}

/* Join the tokens without spaces. @return how many letters */
static size_t join(const struct drg_vocab *v, const uint32_t *t, unsigned n, char *text)
{
	size_t at = 0;
	for (unsigned i = 0; i < n; i++) {
		struct drg_str s = drg_token_text(v, t[i]);
		for (size_t k = 0; k < s.n && at < DRG_NORMAL_MAX; k++)
			text[at++] = s.p[k];
	}
	return at;
}

static const struct drg_letters *letters_of(const struct naming *x, struct drg_letters *room)
{
	struct drg_compared *k = x->c->compared;
	size_t at = (size_t)(x->fa - drg_place_form(x->c->a, x->a, 0));
	char text[DRG_NORMAL_MAX];
	if (k->record != x->a) {
		k->record = x->a;
		memset(k->known, 0, sizeof k->known);
	}
	if (at < FORMS_KNOWN && k->known[at])
		return &k->letters[at];
	struct drg_letters *ret = at < FORMS_KNOWN ? &k->letters[at] : room;
	drg_letters_of(ret, drg_str(text, join(x->c->a->vocab, x->ta, x->fa->n, text)));
	if (at < FORMS_KNOWN)
		k->known[at] = true;
	return ret;
}

/* Similarity by edit distance, 0..1; also 0 if the lengths alone make it less than a half. */
static double likeness_of_letters(const struct naming *x)
{
	struct drg_letters room;
	char b[DRG_NORMAL_MAX];
	const struct drg_letters *a = letters_of(x, &room);
	size_t nb = join(x->c->a->vocab, x->tb, x->fb->n, b), longest = a->n > nb ? a->n : nb;
	if ((a->n < nb ? a->n : nb) * 2 < longest)
		return 0;
	return 1 - (double)drg_letters_distance(a, drg_str(b, nb)) / (double)(longest > 0 ? longest : 1);
}

static bool is_small_word(struct drg_str s)
{
	return drg_str_eq(s, DRG_STR("and")) || drg_str_eq(s, DRG_STR("the")) || drg_str_eq(s, DRG_STR("of"));
}

/* Are the initials of one name a token of the other? */
static bool is_acronym(const struct drg_vocab *v, const uint32_t *t, unsigned n, const uint32_t *other,
                       unsigned n_other)
{
	char initials[DRG_NORMAL_TOKENS];
	size_t len = 0;
	if (n < 3)
		return false;
	for (unsigned i = 0; i < n; i++)
		if (!is_small_word(drg_token_text(v, t[i])))
			initials[len++] = drg_token_text(v, t[i]).p[0];
	for (unsigned i = 0; i < n_other; i++)
		if (drg_str_eq(drg_token_text(v, other[i]), drg_str(initials, len)))
			return true;
	return false;
}

static unsigned count_token(const uint32_t *t, unsigned n, uint32_t wanted)
{
	unsigned count = 0;
	for (unsigned i = 0; i < n; i++)
		count += t[i] == wanted;
	return count;
}

bool drg_same_words(const struct drg_comparing *c, const struct drg_form *a, const struct drg_form *b)
{
	const uint32_t *ta = drg_place_tokens(c->a, a->tokens), *tb = drg_place_tokens(c->b, b->tokens);
	if (a->joined == b->joined)
		return true;
	if (a->n != b->n || a->core != b->core || a->n_core == 0)
		return false;
	for (unsigned i = 0; i < a->n; i++)
		if (count_token(ta, a->n, ta[i]) != count_token(tb, b->n, ta[i]))
			return false;
	return true;
}

/* Similarity as a level, 0..6. Expensive checks are made only while they can still change the result. */
static unsigned likeness(struct naming *x)
{
	const struct drg_vocab *v = x->c->a->vocab;
	if (drg_same_words(x->c, x->fa, x->fb))
		return 6;
	if (x->same_core)
		return 5;
	weigh_agreement(x);
	double low = x->low, high = x->high;
	if (low >= .85 || (high >= .97 && low >= .6))
		return 5;
	if (low >= .7 || (high >= .97 && low >= .4) || is_acronym(v, x->ta, x->fa->n, x->tb, x->fb->n) ||
	    is_acronym(v, x->tb, x->fb->n, x->ta, x->fa->n))
		return 4;
	double letters = likeness_of_letters(x);
	if (letters >= .85)
		return 4;
	if (low >= .55 || high >= .85)
		return 3;
	if (low >= .4 || high >= .65 || letters >= .65)
		return 2;
	return low >= .25 || high >= .45 || letters >= .5;
}

/* The number of records with this name in the country of both, or everywhere if the country is not known. The
 * levels were fitted on lists of some thousand records, and a name that is rare in its country does not
 * become common through another continent. */
static uint32_t how_often(const struct naming *x, uint64_t key)
{
	if (x->a->country != DRG_PLACE_UNKNOWN && x->a->country == x->b->country)
		key = drg_area_key(key, DRG_AREA_COUNTRY, x->a->country);
	return drg_tally_of(&x->c->a->often, key) + drg_tally_of(&x->c->b->often, key);
}

/* A level of 0..3 by the number of records with such a name. */
static unsigned commonness(const struct naming *x)
{
	uint32_t often = how_often(x, x->fa->joined), other = how_often(x, x->fb->joined);
	often = other > often ? other : often;
	if (x->same_core) {
		other = how_often(x, drg_core_key(x->fa->core));
		often = other > often ? other : often;
	}
	return often <= 2 ? 0 : often <= 5 ? 1 : often <= 15 ? 2 : 3;
}

static unsigned level_of_forms(struct naming *x)
{
	x->ta = drg_place_tokens(x->c->a, x->fa->tokens);
	x->tb = drg_place_tokens(x->c->b, x->fb->tokens);
	x->same_core = x->fa->core == x->fb->core && x->fa->n_core > 0;
	unsigned n = likeness(x);
	return n < 5 ? n : 5 + (n - 5) * 4 + commonness(x);
}

static bool forms_count(const struct drg_place_record *a, const struct drg_form *fa,
                        const struct drg_place_record *b, const struct drg_form *fb)
{
	return (!fa->local && !fb->local) || (a->city != DRG_PLACE_UNKNOWN && a->city == b->city);
}

unsigned drg_level_name(struct drg_comparing *c, const struct drg_place_record *a,
                        const struct drg_place_record *b, drg_forms_worth *worth, void *ctx,
                        const struct drg_form **ret_a, const struct drg_form **ret_b)
{
	unsigned best = 0;
	double most = -INFINITY;
	for (unsigned i = 0; i < a->n_forms; i++)
		for (unsigned k = 0; k < b->n_forms; k++) {
			struct naming x = { .c = c,
				            .a = a,
				            .b = b,
				            .fa = drg_place_form(c->a, a, i),
				            .fb = drg_place_form(c->b, b, k) };
			if (!forms_count(a, x.fa, b, x.fb))
				continue;
			unsigned level = level_of_forms(&x);
			double value = worth(ctx, level, x.fa, x.fb);
			if (value <= most)
				continue;
			most = value;
			best = level;
			*ret_a = x.fa;
			*ret_b = x.fb;
		}
	return best;
}

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

/* Is a word the other one misspelt ("Residdence")? It has the same first letter and nearly the same others,
 * and is no word itself. */
static bool same_residence(const struct drg_vocab *v, uint32_t a, uint32_t b)
{
	struct drg_str word = drg_token_text(v, a), other = drg_token_text(v, b);
	if (a == b || is_plural(word, other) || is_plural(other, word))
		return true;
	if ((drg_token(v, b)->classes & (DRG_WORD_TYPE | DRG_WORD_RESIDENCE)) != 0)
		return false;
	return word.n >= MISSPELT_FROM && other.n >= MISSPELT_FROM && word.p[0] == other.p[0] &&
	       drg_similar_tokens(word, other) >= MISSPELT;
}

/* How the tokens of @p a that have a key relate to those of @p b: are there any, is one in both, are all? */
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

static struct subset numbers_of(const struct drg_vocab *v, const uint32_t *a, unsigned na, const uint32_t *b,
                                unsigned nb)
{
	return subset_of(v, key_of_number, same_number, a, na, b, nb);
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
	struct subset x = numbers_of(c->a->vocab, ta, a->n, tb, b->n);
	struct subset y = numbers_of(c->a->vocab, tb, b->n, ta, a->n);
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

/* Does the word only praise the house ("Beach Resort", "Boutique Hotel") or name what it has besides ("&
 * Residences")? */
static bool is_soft(const struct drg_vocab *v, const uint32_t *t, unsigned i)
{
	struct drg_str word = drg_token_text(v, t[i]);
	return drg_str_eq(word, DRG_STR("beach")) || drg_str_eq(word, DRG_STR("boutique")) ||
	       (i >= 2 && drg_str_eq(drg_token_text(v, t[i - 1]), DRG_STR("and")));
}

static bool rest_is_soft(const struct drg_vocab *v, const struct drg_form *fa, const uint32_t *ta,
                         const struct drg_form *fb, const uint32_t *tb)
{
	for (unsigned i = 0; i < fa->n; i++) {
		bool found = key_of_residence(drg_token(v, ta[i])) == 0 || is_soft(v, ta, i);
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
	return rest_is_soft(c->a->vocab, a, ta, b, tb) && rest_is_soft(c->a->vocab, b, tb, a, ta);
}

/* ---- for vetoes and explanations ------------------------------------------------------------------------ */

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
