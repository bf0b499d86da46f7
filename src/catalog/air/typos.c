#include "catalog/air/typos_priv.h"

enum { DEPTH_MAX = DRG_AIR_TYPED_MAX + DRG_AIR_EDITS_MAX };

/* Classes of letters, in the order of the letters; the last one is of all that folding could not write in Latin. */
enum { CLASS_SPACE, CLASS_DIGIT, CLASS_LATIN = CLASS_DIGIT + 10, CLASS_OTHER = CLASS_LATIN + 26 };

static unsigned class_of(uint8_t c)
{
	if (c >= 'a' && c <= 'z')
		return CLASS_LATIN + c - 'a';
	if (c >= '0' && c <= '9')
		return CLASS_DIGIT + c - '0';
	return c == ' ' ? CLASS_SPACE : CLASS_OTHER;
}

static uint64_t bit_of(uint8_t c)
{
	return UINT64_C(1) << class_of(c);
}

/* ---- the tree ------------------------------------------------------------------------------------------- */

static size_t common(struct drg_str a, struct drg_str b)
{
	size_t n = a.n < b.n ? a.n : b.n, i = 0;
	n = n < DEPTH_MAX ? n : DEPTH_MAX;
	while (i < n && a.p[i] == b.p[i])
		i++;
	return i;
}

static size_t count_nodes(const struct drg_air_terms *t)
{
	size_t n = 1;
	struct drg_str last = { "", 0 };
	for (uint32_t i = 0; i < t->n; i++) {
		struct drg_str s = drg_air_term(t, i);
		n += (s.n < DEPTH_MAX ? s.n : DEPTH_MAX) - common(last, s);
		last = s;
	}
	return n;
}

/* Puts the children of a node behind all there are. @return how many nodes there are now. */
static uint32_t add_children(const struct drg_air_terms *t, struct drg_air_node *node, uint32_t parent,
                             uint32_t n)
{
	struct drg_air_node *p = &node[parent];
	uint32_t i = p->lo;
	p->child = n;
	while (p->depth < DEPTH_MAX && i < p->hi && drg_air_term(t, i).n == p->depth)
		i++;
	while (p->depth < DEPTH_MAX && i < p->hi) {
		struct drg_air_node c = { .lo = i, .depth = (uint8_t)(p->depth + 1) };
		c.letter = (uint8_t)drg_air_term(t, i).p[p->depth];
		while (i < p->hi && (uint8_t)drg_air_term(t, i).p[p->depth] == c.letter)
			i++;
		c.hi = i;
		p->letters |= bit_of(c.letter);
		node[n++] = c;
	}
	return n;
}

int drg_air_tree_build(const struct drg_air_terms *t, struct drg_arena *arena, struct drg_air_tree *ret,
                       struct drg_err *reterr)
{
	size_t most = count_nodes(t);
	struct drg_air_node *node = drg_arena_alloc(arena, (most + 1) * sizeof *node);
	if (node == NULL || most >= UINT32_MAX)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory for the names of places");
	uint32_t n = 1;
	node[0] = (struct drg_air_node){ .hi = t->n };
	for (uint32_t i = 0; i < n; i++)
		n = add_children(t, node, i, n);
	node[n] = (struct drg_air_node){ .child = n };
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

struct walk {
	const struct drg_air_node *node;
	const struct drg_air_terms *terms;
	unsigned edits;
	drg_air_near_fn *fn;
	void *ctx;
	uint64_t same[256]; /* by letter: where it was typed */
	uint64_t need[DRG_AIR_TYPED_MAX + 1]; /* by place: the class of its letter, as a bit */
	uint64_t last; /* all typed letters agree */
};

static void step(const struct walk *w, const struct states *from, uint8_t letter, struct states *to)
{
	uint64_t same = w->same[letter], all = 2 * w->last - 1;
	to->at[0] = (from->at[0] & same) << 1;
	to->swapped[0] = 0;
	for (unsigned k = 1; k <= w->edits; k++) {
		uint64_t before = from->at[k - 1];
		to->at[k] = all & ((from->at[k] & same) << 1 /* the letter */
		                   | before /* one too many */
		                   | before << 1 /* another one */
		                   | to->at[k - 1] << 1 /* one missing */
		                   | (from->swapped[k] & same) << 2);
		to->swapped[k] = before & same >> 1;
	}
}

/* Classes of the letters with which it can go on: any, as long as there is an error to spare. */
static uint64_t letters_for(const struct walk *w, const struct states *s)
{
	uint64_t need = 0;
	for (unsigned k = 0; k < w->edits; k++)
		if (s->at[k] != 0)
			return ~UINT64_C(0);
	for (uint64_t at = s->at[w->edits] | s->swapped[w->edits]; at != 0; at &= at - 1)
		need |= w->need[__builtin_ctzll(at)];
	return need;
}

static void visit(const struct walk *w, const struct drg_air_node *node, const struct states *from,
                  bool begun);

/* The children that letters lead to. Each class but the last has at most one. */
static void visit_children(const struct walk *w, const struct drg_air_node *node, const struct states *s,
                           bool begun)
{
	const struct drg_air_node *child = w->node + node->child, *end = w->node + node[1].child;
	uint64_t other = UINT64_C(1) << CLASS_OTHER;
	for (uint64_t to = node->letters & letters_for(w, s); to != 0; to &= to - 1) {
		uint64_t bit = to & -to;
		const struct drg_air_node *c = child + __builtin_popcountll(node->letters & (bit - 1));
		visit(w, c, s, begun);
		while (bit == other && ++c < end)
			visit(w, c, s, begun);
	}
}

/* @param begun  What goes through this node begins with what is near: that was told. */
static void visit(const struct walk *w, const struct drg_air_node *node, const struct states *from,
                  bool begun)
{
	struct states s;
	uint64_t done = 0;
	step(w, from, node->letter, &s);
	for (unsigned k = 0; k <= w->edits; k++)
		done |= s.at[k] & w->last;
	if (done != 0 && !begun) {
		begun = true;
		w->fn(w->ctx, (struct drg_air_range){ node->lo, node->hi }, false);
	}
	if (done != 0 && drg_air_term(w->terms, node->lo).n == node->depth)
		w->fn(w->ctx, (struct drg_air_range){ node->lo, node->lo + 1 }, true);
	visit_children(w, node, &s, begun);
}

void drg_air_tree_near(const struct drg_air_tree *tree, const struct drg_air_terms *terms,
                       struct drg_str typed, unsigned edits, drg_air_near_fn *fn, void *ctx)
{
	struct walk w = { .node = tree->node, .terms = terms, .edits = edits, .fn = fn, .ctx = ctx };
	struct states s = { 0 };
	if (typed.n == 0 || typed.n > DRG_AIR_TYPED_MAX)
		return;
	w.last = UINT64_C(1) << typed.n;
	for (size_t i = 0; i < typed.n; i++) {
		w.same[(uint8_t)typed.p[i]] |= UINT64_C(1) << i;
		w.need[i] = bit_of((uint8_t)typed.p[i]);
	}
	for (unsigned k = 0; k <= edits; k++) /* nothing was read: k letters may be missing */
		s.at[k] = ((UINT64_C(2) << k) - 1) & (2 * w.last - 1);
	visit_children(&w, tree->node, &s, false);
}
