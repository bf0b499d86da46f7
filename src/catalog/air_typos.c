#include "catalog/air_typos_priv.h"

#include <stdlib.h>

enum { DEPTH_MAX = DRG_AIR_TYPED_MAX + DRG_AIR_EDITS_MAX };

/* ---- the tree ------------------------------------------------------------------------------------------- */

static size_t common(struct drg_str a, struct drg_str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	n = n < DEPTH_MAX ? n : DEPTH_MAX;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

static size_t depth_of(struct drg_str s)
{
	return s.n < DEPTH_MAX ? s.n : DEPTH_MAX;
}

int drg_air_tree_build(const struct drg_air_terms *t, struct drg_arena *arena, struct drg_air_tree *ret,
                       struct drg_err *reterr)
{
	size_t most = 1;
	struct drg_str last = { "", 0 };
	for (uint32_t i = 0; i < t->n; i++) {
		struct drg_str s = drg_air_term(t, i);
		most += depth_of(s) - common(last, s);
		last = s;
	}
	struct drg_air_node *node = drg_arena_alloc(arena, most * sizeof *node);
	if (node == NULL || most > UINT32_MAX)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory for the names of places");
	uint32_t open[DEPTH_MAX], n = 0; /* nodes on the way to the last text */
	size_t n_open = 0;
	last = (struct drg_str){ "", 0 };
	for (uint32_t i = 0; i < t->n; i++) {
		struct drg_str s = drg_air_term(t, i);
		size_t same = common(last, s);
		while (n_open > same)
			node[open[--n_open]].next = n;
		for (size_t d = same; d < depth_of(s); d++) {
			node[n] = (struct drg_air_node){ .lo = i,
				                         .letter = (uint8_t)s.p[d],
				                         .depth = (uint8_t)d };
			open[n_open++] = n++;
		}
		last = s;
	}
	while (n_open > 0)
		node[open[--n_open]].next = n;
	node[n] = (struct drg_air_node){ .next = n, .lo = t->n };
	*ret = (struct drg_air_tree){ .n = n, .node = node };
	return DRG_OK;
}

/* ---- the walk ------------------------------------------------------------------------------------------- */

/* The automaton of all texts within some edits, a bit for each state (Wu and Manber; swapped neighbours as Navarro):
 * bit i of at[k] says that the first i typed letters agree with what was read, with k errors. */
struct states {
	uint64_t at[DRG_AIR_EDITS_MAX + 1];
	uint64_t swapped[DRG_AIR_EDITS_MAX + 1]; /* bit i: the second of two swapped letters was read, at i */
};

static bool step(const struct states *from, uint64_t same, uint64_t all, unsigned edits, struct states *to)
{
	uint64_t alive = to->at[0] = (from->at[0] & same) << 1 & all;
	to->swapped[0] = 0;
	for (unsigned k = 1; k <= edits; k++) {
		uint64_t before = from->at[k - 1];
		to->at[k] = (from->at[k] & same) << 1 /* the letter */
		            | before /* one too many */
		            | before << 1 /* another one */
		            | to->at[k - 1] << 1 /* one missing */
		            | (from->swapped[k] & same) << 2;
		to->at[k] &= all;
		to->swapped[k] = before & same >> 1;
		alive |= to->at[k] | to->swapped[k];
	}
	return alive != 0;
}

void drg_air_tree_near(const struct drg_air_tree *tree, const struct drg_air_terms *t, struct drg_str typed,
                       unsigned edits, drg_air_near_fn *fn, void *ctx)
{
	struct states way[DEPTH_MAX + 1] = { 0 };
	uint64_t same[256] = { 0 }, last = UINT64_C(1) << typed.n;
	if (typed.n > DRG_AIR_TYPED_MAX)
		return;
	for (size_t i = 0; i < typed.n; i++)
		same[(uint8_t)typed.p[i]] |= UINT64_C(1) << i;
	/* Without having read anything, k letters may be missing. */
	for (unsigned k = 0; k <= edits; k++)
		way[0].at[k] = (UINT64_C(2) << k) - 1;

	uint32_t begun = 0; /* before this node everything begins with what is near */
	for (uint32_t i = 0; i < tree->n;) {
		const struct drg_air_node *node = &tree->node[i];
		struct states *s = &way[node->depth + 1];
		if (!step(s - 1, same[node->letter], 2 * last - 1, edits, s)) {
			i = node->next;
			continue;
		}
		uint64_t done = 0;
		for (unsigned k = 0; k <= edits; k++)
			done |= s->at[k] & last;
		if (done != 0 && i >= begun) {
			begun = node->next;
			fn(ctx, (struct drg_air_range){ node->lo, tree->node[node->next].lo }, false);
		}
		if (done != 0 && drg_air_term(t, node->lo).n == node->depth + 1U)
			fn(ctx, (struct drg_air_range){ node->lo, node->lo + 1 }, true);
		i++;
	}
}
