#include "catalog/air/typos_priv.h"

#include <assert.h>

enum { DEPTH_MAX = DRG_AIR_TYPED_MAX + DRG_AIR_EDITS_MAX };

/* Classes of letters, in the order of the letters. CLASS_OTHER is for letters that folding cannot write in
 * Latin. */
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

/* Append the children of a node behind all nodes. @return how many nodes there are now. */
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
		return drg_fail_memory(reterr);
	uint32_t n = 1;
	node[0] = (struct drg_air_node){ .hi = t->n };
	for (uint32_t i = 0; i < n; i++)
		n = add_children(t, node, i, n);
	assert(n <= most);
	node[n] = (struct drg_air_node){ .child = n };
	*ret = (struct drg_air_tree){ .n = n, .node = node };
	return DRG_OK;
}

/* The child of a node for a letter; NULL: none. */
static const struct drg_air_node *child_of(const struct drg_air_node *all, const struct drg_air_node *node,
                                           uint8_t letter)
{
	const struct drg_air_node *c = all + node->child, *end = all + node[1].child;
	uint64_t bit = bit_of(letter);
	if ((node->letters & bit) == 0)
		return NULL;
	c += __builtin_popcountll(node->letters & (bit - 1));
	while (c < end && c->letter != letter)
		c++;
	return c < end ? c : NULL;
}

struct drg_air_range drg_air_tree_find(const struct drg_air_tree *tree, const struct drg_air_terms *t,
                                       struct drg_str beginning, struct drg_air_range *ret_equal)
{
	const struct drg_air_node *node = tree->node;
	*ret_equal = (struct drg_air_range){ 0, 0 };
	if (beginning.n > DEPTH_MAX)
		return drg_air_terms_find(t, beginning, ret_equal);
	for (size_t i = 0; i < beginning.n; i++) {
		node = child_of(tree->node, node, (uint8_t)beginning.p[i]);
		if (node == NULL)
			return *ret_equal;
	}
	bool equal = node->lo < node->hi && drg_air_term(t, node->lo).n == beginning.n;
	*ret_equal = (struct drg_air_range){ node->lo, node->lo + equal };
	return (struct drg_air_range){ node->lo, node->hi };
}

size_t drg_air_tree_parts(const struct drg_air_tree *tree, const struct drg_air_terms *t, struct drg_str text,
                          struct drg_air_part *ret, size_t room, struct drg_air_range *ret_rest)
{
	const struct drg_air_node *node = tree->node;
	size_t n = 0;
	*ret_rest = (struct drg_air_range){ 0, 0 };
	for (size_t i = 0; i < text.n && i < DEPTH_MAX; i++) {
		node = child_of(tree->node, node, (uint8_t)text.p[i]);
		if (node == NULL)
			return n;
		if (n < room && drg_air_term(t, node->lo).n == node->depth)
			ret[n++] = (struct drg_air_part){ { node->lo, node->lo + 1 }, i + 1 };
		if (i + 1 == text.n)
			*ret_rest = (struct drg_air_range){ node->lo, node->hi };
	}
	return n;
}

/* ---- the walk ------------------------------------------------------------------------------------------- */

/* The states of the automaton for all texts within some edits, one bit each (Wu and Manber; swapped
 * neighbours as Navarro): bit i of at[k] says that the letters read so far match the first i typed letters
 * with k errors. */
struct states {
	uint64_t at[DRG_AIR_EDITS_MAX + 1];
	/* bit i: the letters i and i + 1 are swapped, and the second one was read */
	uint64_t swapped[DRG_AIR_EDITS_MAX + 1];
};

struct tree_walk {
	const struct drg_air_node *node;
	const struct drg_air_terms *terms;
	drg_air_near_fn *fn;
	void *ctx;
	uint64_t same[256]; /* by letter: the places where it was typed */
	uint64_t need[DRG_AIR_TYPED_MAX + 1]; /* by place: the class of the typed letter, as a bit */
	uint64_t last; /* the bit for all typed letters */
};

static inline void step(const struct tree_walk *w, const struct states *from, uint8_t letter,
                        struct states *to, unsigned edits)
{
	uint64_t same = w->same[letter], all = 2 * w->last - 1;
	to->at[0] = (from->at[0] & same) << 1;
	to->swapped[0] = 0;
	for (unsigned k = 1; k <= edits; k++) {
		uint64_t before = from->at[k - 1];
		to->at[k] = all & ((from->at[k] & same) << 1 /* the typed letter */
		                   | before /* a letter too many */
		                   | before << 1 /* another letter */
		                   | to->at[k - 1] << 1 /* a letter missing */
		                   | (from->swapped[k] & same) << 2);
		to->swapped[k] = before & same >> 1;
	}
}

/* The classes of letters that can follow; all of them as long as an error is left. */
static inline uint64_t letters_for(const struct tree_walk *w, const struct states *s, unsigned edits)
{
	uint64_t need = 0;
	for (unsigned k = 0; k < edits; k++)
		if (s->at[k] != 0)
			return ~UINT64_C(0);
	for (uint64_t at = s->at[edits] | s->swapped[edits]; at != 0; at &= at - 1)
		need |= w->need[__builtin_ctzll(at)];
	return need;
}

static inline uint64_t needed(const struct tree_walk *w, uint64_t at)
{
	uint64_t need = 0;
	for (at &= w->last - 1; at != 0; at &= at - 1)
		need |= w->need[__builtin_ctzll(at)];
	return need;
}

/* The children to visit if the next letter may be the last error. A letter in `with` leaves an error: its
 * child is visited. Any other child is visited only if it has a child for one of the letters in `then`. */
struct lookahead {
	uint64_t with, then;
};

static inline struct lookahead look_ahead(const struct tree_walk *w, const struct states *s, unsigned edits)
{
	const struct lookahead all = { ~UINT64_C(0), ~UINT64_C(0) };
	uint64_t spare = 0, at = 0;
	for (unsigned k = 0; k <= edits; k++)
		at |= s->at[k] | s->swapped[k];
	for (unsigned k = 0; k + 1 < edits; k++)
		spare |= s->at[k] | s->swapped[k];
	at |= at << 1 | at << 2 | at << 3;
	/* or all that was typed may have been matched by then */
	if (edits == 0 || spare != 0 || at >= w->last)
		return all;
	return (struct lookahead){ needed(w, s->at[edits - 1] | s->swapped[edits - 1]), needed(w, at) };
}

typedef void visit_fn(const struct tree_walk *w, const struct drg_air_node *node, const struct states *from,
                      bool begun);

/* Visit the children for some letters. Each class but the last one has at most one child. */
static inline void visit_children(const struct tree_walk *w, const struct drg_air_node *node,
                                  const struct states *s, bool begun, unsigned edits, visit_fn *visit)
{
	const struct drg_air_node *child = w->node + node->child, *end = w->node + node[1].child;
	uint64_t letters = letters_for(w, s, edits), other = UINT64_C(1) << CLASS_OTHER;
	if (letters == ~UINT64_C(0)) {
		struct lookahead ahead = look_ahead(w, s, edits);
		for (; child < end; child++)
			if ((ahead.with & bit_of(child->letter)) != 0 || (child->letters & ahead.then) != 0)
				visit(w, child, s, begun);
		return;
	}
	for (uint64_t to = node->letters & letters; to != 0; to &= to - 1) {
		uint64_t bit = to & -to;
		const struct drg_air_node *c = child + __builtin_popcountll(node->letters & (bit - 1));
		visit(w, c, s, begun);
		while (bit == other && ++c < end)
			visit(w, c, s, begun);
	}
}

/* @param begun  The texts of this node were reported already: their beginning is near. */
static inline void visit_node(const struct tree_walk *w, const struct drg_air_node *node,
                              const struct states *from, bool begun, unsigned edits, visit_fn *visit)
{
	struct states s;
	uint64_t done = 0;
	step(w, from, node->letter, &s, edits);
	for (unsigned k = 0; k <= edits; k++)
		done |= s.at[k] & w->last;
	if (done != 0 && !begun) {
		begun = true;
		w->fn(w->ctx, (struct drg_air_range){ node->lo, node->hi }, false);
	}
	if (done != 0 && drg_air_term(w->terms, node->lo).n == node->depth)
		w->fn(w->ctx, (struct drg_air_range){ node->lo, node->lo + 1 }, true);
	visit_children(w, node, &s, begun, edits, visit);
}

/* One function for each number of errors, so that the compiler knows the length of the short loops. */
static void visit_0(const struct tree_walk *w, const struct drg_air_node *node, const struct states *from,
                    bool begun)
{
	visit_node(w, node, from, begun, 0, visit_0);
}

static void visit_1(const struct tree_walk *w, const struct drg_air_node *node, const struct states *from,
                    bool begun)
{
	visit_node(w, node, from, begun, 1, visit_1);
}

static void visit_2(const struct tree_walk *w, const struct drg_air_node *node, const struct states *from,
                    bool begun)
{
	visit_node(w, node, from, begun, 2, visit_2);
}

static visit_fn *const visits[DRG_AIR_EDITS_MAX + 1] = { visit_0, visit_1, visit_2 };

void drg_air_tree_near(const struct drg_air_tree *tree, const struct drg_air_terms *terms,
                       struct drg_str typed, unsigned edits, drg_air_near_fn *fn, void *ctx)
{
	struct tree_walk w = { .node = tree->node, .terms = terms, .fn = fn, .ctx = ctx };
	struct states s = { 0 };
	assert(edits < DRG_ARRAY_LEN(visits));
	if (typed.n == 0 || typed.n > DRG_AIR_TYPED_MAX)
		return;
	w.last = UINT64_C(1) << typed.n;
	for (size_t i = 0; i < typed.n; i++) {
		w.same[(uint8_t)typed.p[i]] |= UINT64_C(1) << i;
		w.need[i] = bit_of((uint8_t)typed.p[i]);
	}
	for (unsigned k = 0; k <= edits; k++) /* before the first letter: k typed letters may be missing */
		s.at[k] = ((UINT64_C(2) << k) - 1) & (2 * w.last - 1);
	visit_children(&w, tree->node, &s, false, edits, visits[edits]);
}
