/* Edit distance and its like, beside plain ones. */
#include "../unit.h"

#include "base/compiler.h"
#include "match/similar.h"

/* The table, cell by cell. */
static unsigned plain_distance(struct drg_str a, struct drg_str b)
{
	static unsigned cell[257][257];
	for (size_t i = 0; i <= a.n; i++)
		for (size_t k = 0; k <= b.n; k++) {
			unsigned best = (unsigned)(i + k);
			if (i > 0 && k > 0)
				best = cell[i - 1][k - 1] + (a.p[i - 1] != b.p[k - 1]);
			if (i > 0 && cell[i - 1][k] + 1 < best)
				best = cell[i - 1][k] + 1;
			if (k > 0 && cell[i][k - 1] + 1 < best)
				best = cell[i][k - 1] + 1;
			cell[i][k] = best;
		}
	return cell[a.n][b.n];
}

static struct drg_str random_text(char *p, size_t max)
{
	size_t n = (size_t)rand() % (max + 1);
	for (size_t i = 0; i < n; i++)
		p[i] = (char)('a' + rand() % 4);
	return drg_str(p, n);
}

static void distances_are_those_of_the_table(void **state)
{
	(void)state;
	static const size_t longest[] = { 4, 12, 63, 64, 65, 130, 256 };
	char pa[256], pb[256];
	static struct drg_letters letters;
	srand(1);
	for (size_t i = 0; i < DRG_ARRAY_LEN(longest); i++)
		for (unsigned k = 0; k < 200; k++) {
			struct drg_str a = random_text(pa, longest[i]), b = random_text(pb, longest[i]);
			assert_int_equal(drg_edit_distance(a, b), plain_distance(a, b));
			drg_letters_of(&letters, a);
			assert_int_equal(drg_letters_distance(&letters, b), plain_distance(a, b));
		}
}

static void likeness_is_symmetric_and_bounded(void **state)
{
	(void)state;
	char pa[32], pb[32];
	srand(2);
	for (unsigned k = 0; k < 20000; k++) {
		struct drg_str a = random_text(pa, 12), b = random_text(pb, 12);
		double ab = drg_jaro_winkler(a, b);
		assert_true(ab >= 0 && ab <= 1);
		if (a.n > 2 && b.n > 2)
			assert_true(drg_similar_tokens(a, b) == drg_similar_tokens(b, a));
	}
}

/* What is found without a full comparison is what a full one finds. */
static double plain_likeness(struct drg_str a, struct drg_str b)
{
	struct drg_str s = a.n < b.n ? a : b, l = a.n < b.n ? b : a;
	bool begins = s.n >= 4 && memcmp(s.p, l.p, s.n) == 0;
	double best = begins ? 0.86 + 0.1 * (double)s.n / (double)l.n : 0, jw = drg_jaro_winkler(s, l);
	double one = 0.9 + 0.005 * (s.n < 10 ? (double)s.n : 10);
	if (s.n < 3 || (s.p[0] != l.p[0] && s.n * 2 < l.n))
		return 0;
	if (s.n == l.n && s.n >= 4 && plain_distance(s, l) == 1)
		return best > one ? best : one;
	return jw >= 0.88 && jw > best ? jw : best;
}

static void tokens_are_as_like_as_in_full(void **state)
{
	(void)state;
	char pa[32], pb[32];
	unsigned alike = 0;
	srand(3);
	for (unsigned k = 0; k < 200000; k++) {
		struct drg_str a = random_text(pa, 14), b = random_text(pb, 14);
		if (k % 2 == 0) { /* one that is nearly the same */
			memcpy(pb, pa, a.n);
			b.n = a.n;
			for (int i = rand() % 3; i > 0 && b.n > 0; i--)
				pb[rand() % (int)b.n] = (char)('a' + rand() % 26);
		}
		if (drg_str_eq(a, b))
			continue;
		assert_true(drg_similar_tokens(a, b) == plain_likeness(a, b));
		alike += plain_likeness(a, b) > 0;
	}
	assert_true(alike > 1000);
}

static void digits_and_short_tokens_are_equal_or_nothing(void **state)
{
	(void)state;
	assert_true(drg_similar_tokens(DRG_STR("1234"), DRG_STR("1235")) == 0);
	assert_true(drg_similar_tokens(DRG_STR("ab"), DRG_STR("abc")) == 0);
	assert_true(drg_similar_tokens(DRG_STR("orkide"), DRG_STR("orkyde")) > 0.9);
	assert_true(drg_similar_tokens(DRG_STR("orkide"), DRG_STR("sultan")) == 0);
}

GROUP(similar)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_the_table),
		cmocka_unit_test(likeness_is_symmetric_and_bounded),
		cmocka_unit_test(tokens_are_as_like_as_in_full),
		cmocka_unit_test(digits_and_short_tokens_are_equal_or_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
