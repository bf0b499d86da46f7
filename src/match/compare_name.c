/* Compares two names: the level of the two forms that are worth most. */
#include "match/compare_priv.h"

#include "match/compare.h"
#include "match/align.h"
#include "match/similar.h"
#include "match/words.h"

/* Two forms that are compared. */
struct naming {
	struct drg_comparing *c;
	const struct drg_place_record *a, *b;
	const struct drg_form *fa, *fb;
	const uint32_t *ta, *tb;
	double low, high; /* the shares of each side's weight that agree */
	bool same_core;
};

/* The weight of a token that the other side lacks. */
static double left_weight(const struct naming *x, uint32_t t, const struct drg_places *l,
                          const struct drg_place_record *other)
{
	double w = x->c->rarity[t] * (drg_is_type_word(x->c, t) ? 0.35 : 1);
	return w * (drg_holds_token(drg_place_tokens(l, other->address), other->n_address, t) ? 0.5 : 1);
}

static void weigh_agreement(struct naming *x)
{
	struct drg_align *al = x->c->align;
	drg_align(al, x->c->a->vocab, x->c->rarity, x->ta, x->fa->n, x->tb, x->fb->n);
	double full = 0, part = 0, left_a = 0, left_b = 0;
	for (unsigned i = 0; i < al->n; i++) {
		double agree = al->pair[i].weight * (drg_is_type_word(x->c, al->pair[i].a) ? 0.5 : 1);
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
	return drg_tally_get(&x->c->a->often, key) + drg_tally_get(&x->c->b->often, key);
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
                        const struct drg_place_record *b, drg_forms_worth_fn *worth, void *ctx,
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
