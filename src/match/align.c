#include "match/align.h"

#include <assert.h>

#include "match/similar.h"

static void align_remove(uint32_t *t, unsigned *n, unsigned at, unsigned count)
{
	assert(at + count <= *n);
	memmove(t + at, t + at + count, (*n - at - count) * sizeof *t);
	*n -= count;
}

/* The place of the token that is @p x and @p y written together; @p n: none. */
static unsigned find_joined(const struct drg_vocab *v, struct drg_str x, struct drg_str y, const uint32_t *t,
                            unsigned n)
{
	for (unsigned i = 0; i < n && x.n + y.n >= 5; i++) {
		struct drg_str s = drg_token_text(v, t[i]);
		if (s.n == x.n + y.n && memcmp(s.p, x.p, x.n) == 0 && memcmp(s.p + x.n, y.p, y.n) == 0)
			return i;
	}
	return n;
}

/* Pair two neighbours of @p x with one token of @p y. */
static void pair_neighbours(struct drg_align *al, const struct drg_vocab *v, const double *rarity,
                            uint32_t *x, unsigned *nx, uint32_t *y, unsigned *ny)
{
	for (unsigned i = 0; i + 1 < *nx;) {
		unsigned at = find_joined(v, drg_token_text(v, x[i]), drg_token_text(v, x[i + 1]), y, *ny);
		if (at == *ny) {
			i++;
			continue;
		}
		double two = rarity[x[i]] + rarity[x[i + 1]], one = rarity[y[at]];
		al->pair[al->n++] = (struct drg_align_pair){ y[at], y[at], 1, two > one ? two : one };
		align_remove(y, ny, at, 1);
		align_remove(x, nx, i, 2);
	}
}

/* Insert a try: the most similar first, equal ones in the order of the tokens. */
static void tries_add(struct drg_align_try *tries, unsigned n, const struct drg_align_try *new)
{
	for (; n > 0 && tries[n - 1].similar < new->similar; n--)
		tries[n] = tries[n - 1];
	tries[n] = *new;
}

static double similar_tokens(struct drg_align *al, const struct drg_vocab *v, uint32_t x, uint32_t y)
{
	if (x == y)
		return 1;
	struct drg_align_known *known =
	        &al->known[(x * UINT32_C(0x9e3779b1) ^ y * UINT32_C(0x85ebca77)) >> 19];
	static_assert(DRG_ALIGN_KNOWN == 1 << (32 - 19), "the shift leaves a place");
	if (known->a != x || known->b != y)
		*known = (struct drg_align_known){
			x, y, drg_similar_tokens(drg_token_text(v, x), drg_token_text(v, y))
		};
	return known->similar;
}

static unsigned gather_tries(struct drg_align *al, const struct drg_vocab *v)
{
	unsigned n = 0;
	for (unsigned i = 0; i < al->n_left_a; i++)
		for (unsigned k = 0; k < al->n_left_b; k++) {
			double s = similar_tokens(al, v, al->left_a[i], al->left_b[k]);
			const struct drg_align_try new = { s, (uint16_t)i, (uint16_t)k };
			if (s > 0)
				tries_add(al->tries, n++, &new);
		}
	return n;
}

static void keep_unpaired(uint32_t *t, unsigned *n, const bool *paired)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < *n; i++)
		if (!paired[i])
			t[kept++] = t[i];
	*n = kept;
}

static void pair_alike(struct drg_align *al, const struct drg_vocab *v, const double *rarity)
{
	bool paired_a[DRG_NORMAL_TOKENS] = { false }, paired_b[DRG_NORMAL_TOKENS] = { false };
	unsigned n = gather_tries(al, v);
	for (unsigned p = 0; p < n; p++) {
		const struct drg_align_try *t = &al->tries[p];
		if (paired_a[t->i] || paired_b[t->k])
			continue;
		paired_a[t->i] = paired_b[t->k] = true;
		uint32_t x = al->left_a[t->i], y = al->left_b[t->k];
		double weight = t->similar >= 1 ? rarity[x] : (rarity[x] + rarity[y]) / 2;
		al->pair[al->n++] = (struct drg_align_pair){ x, y, t->similar, weight };
	}
	keep_unpaired(al->left_a, &al->n_left_a, paired_a);
	keep_unpaired(al->left_b, &al->n_left_b, paired_b);
}

void drg_align(struct drg_align *al, const struct drg_vocab *v, const double *rarity, const uint32_t *a,
               unsigned na, const uint32_t *b, unsigned nb)
{
	assert(na <= DRG_NORMAL_TOKENS && nb <= DRG_NORMAL_TOKENS);
	al->n = 0;
	al->n_left_a = na;
	al->n_left_b = nb;
	memcpy(al->left_a, a, na * sizeof *a);
	memcpy(al->left_b, b, nb * sizeof *b);
	pair_neighbours(al, v, rarity, al->left_a, &al->n_left_a, al->left_b, &al->n_left_b);
	pair_neighbours(al, v, rarity, al->left_b, &al->n_left_b, al->left_a, &al->n_left_a);
	pair_alike(al, v, rarity);
}
