/* Dictionaries of folded texts: beginnings and typing errors, against looking at each text. */
#include "../../unit.h"
#include "catalog/air/typos_priv.h"

enum { TEXTS = 300, TYPED = 400, LONGEST = 9 };

static unsigned seed = 1;

static unsigned below(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 8) % n;
}

/* Of few letters, so that texts resemble each other; one beyond Latin, a space, a digit. */
static struct drg_str random_text(char *buf)
{
	static const char *const letters[] = { "a", "b", "c", "a", "b", " ", "7", "ж" };
	size_t n = 0;
	for (unsigned i = 0, end = 1 + below(LONGEST); i < end; i++) {
		const char *l = letters[below(DRG_ARRAY_LEN(letters))];
		memcpy(buf + n, l, strlen(l));
		n += strlen(l);
	}
	return drg_str(buf, n);
}

/* The distance of optimal string alignment between a and each beginning of b; into @p row, b.n + 1 of them. */
static void distances(struct drg_str a, struct drg_str b, unsigned *row)
{
	unsigned d[32][32];
	for (size_t i = 0; i <= a.n; i++) {
		for (size_t j = 0; j <= b.n; j++) {
			if (i == 0 || j == 0) {
				d[i][j] = (unsigned)(i + j);
				continue;
			}
			unsigned best = d[i - 1][j - 1] + (a.p[i - 1] != b.p[j - 1]);
			best = d[i - 1][j] + 1 < best ? d[i - 1][j] + 1 : best;
			best = d[i][j - 1] + 1 < best ? d[i][j - 1] + 1 : best;
			if (i > 1 && j > 1 && a.p[i - 1] == b.p[j - 2] && a.p[i - 2] == b.p[j - 1] &&
			    d[i - 2][j - 2] + 1 < best)
				best = d[i - 2][j - 2] + 1;
			d[i][j] = best;
		}
	}
	memcpy(row, d[a.n], (b.n + 1) * sizeof *row);
}

struct seen {
	bool whole[TEXTS], begin[TEXTS];
};

static void note(void *ctx, struct drg_air_range r, bool whole)
{
	struct seen *s = ctx;
	for (uint32_t i = r.lo; i < r.hi; i++)
		(whole ? s->whole : s->begin)[i] = true;
}

static char bytes[TEXTS][2 * LONGEST];

static void build(struct drg_arena *a, struct drg_air_terms *t, struct drg_air_tree *tree)
{
	struct drg_air_pairs pairs = { 0 };
	drg_arena_init(a, 1 << 24);
	for (uint32_t i = 0; i < TEXTS; i++)
		drg_air_pairs_add(&pairs, random_text(bytes[i]), i / 2, 1);
	assert_int_equal(drg_air_terms_build(&pairs, a, t, NULL), DRG_OK);
	assert_int_equal(drg_air_tree_build(t, a, tree, NULL), DRG_OK);
	drg_air_pairs_done(&pairs);
	assert_true(t->n > 50 && t->n <= TEXTS);
}

static void texts_near_are_found_and_no_others(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_air_terms t;
	struct drg_air_tree tree;
	char text[2 * LONGEST + 1];
	unsigned row[64];
	build(&a, &t, &tree);
	for (int round = 0; round < TYPED; round++) {
		struct drg_str typed = random_text(text);
		unsigned edits = below(DRG_AIR_EDITS_MAX + 1);
		struct seen seen = { 0 };
		drg_air_tree_near(&tree, &t, typed, edits, note, &seen);
		for (uint32_t i = 0; i < t.n; i++) {
			struct drg_str term = drg_air_term(&t, i);
			distances(typed, term, row);
			bool begin = false;
			for (size_t j = 1; j <= term.n; j++)
				begin |= row[j] <= edits;
			if (seen.whole[i] != (row[term.n] <= edits) || seen.begin[i] != begin)
				fail_msg("\"%.*s\" and \"%.*s\" with %u edits: whole %d, begin %d",
				         DRG_STR_ARG(typed), DRG_STR_ARG(term), edits, seen.whole[i],
				         seen.begin[i]);
		}
	}
	drg_arena_done(&a);
}

static void beginnings_are_found(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_air_terms t;
	struct drg_air_tree tree;
	char text[2 * LONGEST + 1];
	build(&a, &t, &tree);
	for (int round = 0; round < TYPED; round++) {
		struct drg_str s = random_text(text);
		struct drg_air_range equal, r = drg_air_terms_find(&t, s, &equal);
		for (uint32_t i = 0; i < t.n; i++) {
			struct drg_str term = drg_air_term(&t, i);
			bool begins = term.n >= s.n && memcmp(term.p, s.p, s.n) == 0;
			assert_int_equal(i >= r.lo && i < r.hi, begins);
			assert_int_equal(i >= equal.lo && i < equal.hi, drg_str_eq(term, s));
		}
	}
	drg_arena_done(&a);
}

static void texts_are_sorted_and_have_their_places(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_air_terms t;
	struct drg_air_pairs pairs = { 0 };
	drg_arena_init(&a, 1 << 16);
	drg_air_pairs_add(&pairs, DRG_STR("paris"), 7, 1);
	drg_air_pairs_add(&pairs, DRG_STR("paris beauvais"), 1, 1);
	drg_air_pairs_add(&pairs, DRG_STR("par"), 2, 1);
	drg_air_pairs_add(&pairs, DRG_STR("paris"), 3, 1);
	drg_air_pairs_add(&pairs, DRG_STR("paris"), 7, 1);
	assert_int_equal(drg_air_terms_build(&pairs, &a, &t, NULL), DRG_OK);
	assert_int_equal(t.n, 3);
	assert_true(drg_str_eq(drg_air_term(&t, 0), DRG_STR("par")));
	assert_true(drg_str_eq(drg_air_term(&t, 1), DRG_STR("paris")));
	assert_true(drg_str_eq(drg_air_term(&t, 2), DRG_STR("paris beauvais")));
	assert_int_equal(t.first[2] - t.first[1], 2);
	assert_int_equal(drg_air_place_of(t.place[t.first[1]]), 3);
	assert_int_equal(drg_air_place_of(t.place[t.first[1] + 1]), 7);
	drg_air_pairs_done(&pairs);
	drg_arena_done(&a);
}

static void long_texts_are_no_typing_errors(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_air_terms t;
	struct drg_air_tree tree;
	struct drg_air_pairs pairs = { 0 };
	struct seen seen = { 0 };
	char text[DRG_AIR_TYPED_MAX + 40];
	memset(text, 'x', sizeof text);
	drg_arena_init(&a, 1 << 16);
	drg_air_pairs_add(&pairs, drg_str(text, sizeof text), 0, 1);
	assert_int_equal(drg_air_terms_build(&pairs, &a, &t, NULL), DRG_OK);
	assert_int_equal(drg_air_tree_build(&t, &a, &tree, NULL), DRG_OK);
	drg_air_tree_near(&tree, &t, drg_str(text, DRG_AIR_TYPED_MAX + 1), 2, note, &seen);
	assert_false(seen.begin[0]);
	drg_air_tree_near(&tree, &t, drg_str(text, DRG_AIR_TYPED_MAX), 2, note, &seen);
	assert_true(seen.begin[0]);
	assert_false(seen.whole[0]);
	assert_int_equal(drg_air_edits(3), 0);
	assert_int_equal(drg_air_edits(4), 1);
	assert_int_equal(drg_air_edits(7), 1);
	assert_int_equal(drg_air_edits(8), 2);
	assert_int_equal(drg_air_edits(DRG_AIR_TYPED_MAX), 2);
	assert_int_equal(drg_air_edits(DRG_AIR_TYPED_MAX + 1), 0);
	drg_air_pairs_done(&pairs);
	drg_arena_done(&a);
}

static void an_empty_dictionary_has_nothing(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_air_terms t;
	struct drg_air_tree tree;
	struct drg_air_pairs pairs = { 0 };
	struct drg_air_range equal, r;
	struct seen seen = { 0 };
	drg_arena_init(&a, 1 << 16);
	assert_int_equal(drg_air_terms_build(&pairs, &a, &t, NULL), DRG_OK);
	assert_int_equal(drg_air_tree_build(&t, &a, &tree, NULL), DRG_OK);
	r = drg_air_terms_find(&t, DRG_STR("paris"), &equal);
	assert_true(r.lo == r.hi && equal.lo == equal.hi);
	drg_air_tree_near(&tree, &t, DRG_STR("paris"), 2, note, &seen);
	assert_false(seen.begin[0]);
	drg_arena_done(&a);
}

GROUP(typos)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(texts_near_are_found_and_no_others),
		cmocka_unit_test(beginnings_are_found),
		cmocka_unit_test(texts_are_sorted_and_have_their_places),
		cmocka_unit_test(long_texts_are_no_typing_errors),
		cmocka_unit_test(an_empty_dictionary_has_nothing),
	};
	return cmocka_run_group_tests_name("air typos", tests, NULL, NULL);
}
