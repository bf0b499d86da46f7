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
	srand(1);
	for (size_t i = 0; i < DRG_ARRAY_LEN(longest); i++)
		for (unsigned k = 0; k < 200; k++) {
			struct drg_str a = random_text(pa, longest[i]), b = random_text(pb, longest[i]);
			assert_int_equal(drg_edit_distance(a, b), plain_distance(a, b));
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

static void digits_and_short_tokens_are_equal_or_nothing(void **state)
{
	(void)state;
	assert_true(drg_similar_tokens(DRG_STR("1234"), DRG_STR("1235")) == 0);
	assert_true(drg_similar_tokens(DRG_STR("ab"), DRG_STR("abc")) == 0);
	assert_true(drg_similar_tokens(DRG_STR("orkide"), DRG_STR("orkyde")) > 0.9);
	assert_true(drg_similar_tokens(DRG_STR("orkide"), DRG_STR("sultan")) == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(distances_are_those_of_the_table),
		cmocka_unit_test(likeness_is_symmetric_and_bounded),
		cmocka_unit_test(digits_and_short_tokens_are_equal_or_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
