/* Bits from pairs that people have judged. */
#include "../unit.h"

#include "match/card/fit.h"

enum { PAIRS = 20000 };
static struct drg_fit_pair pairs[PAIRS];
static uint64_t seed;

static double chance(void)
{
	seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(seed >> 11) * 0x1p-53;
}

/* Bits of surprise for each pair. */
static double loss_of(const struct drg_scorecard *card, const struct drg_fit_pair *v, size_t n)
{
	double sum = 0;
	for (size_t i = 0; i < n; i++) {
		double bits = drg_scorecard_sum(card, v[i].level);
		sum += log1p(exp2(v[i].same ? -bits : bits)) / M_LN2;
	}
	return n > 0 ? sum / (double)n : 0;
}

/* Pairs whose truth is what a scorecard says. */
static void make_pairs(const struct drg_scorecard *truth, size_t n)
{
	seed = 1;
	for (size_t i = 0; i < n; i++) {
		for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
			pairs[i].level[c] = truth->levels[c] > 0 ? (uint8_t)(chance() * truth->levels[c]) : 0;
		pairs[i].record = i;
		pairs[i].same = chance() < drg_bits_probability(drg_scorecard_sum(truth, pairs[i].level));
	}
}

static void many_pairs_bring_every_level_near_the_truth(void **state)
{
	(void)state;
	struct drg_scorecard truth = drg_scorecard_hotels, learnt;
	truth.bias += 0.7;
	truth.bits[DRG_CMP_NAME][5] -= 2;
	truth.bits[DRG_CMP_DISTANCE][0] -= 1.5;
	truth.bits[DRG_CMP_RESIDENCE][1] -= 1;
	make_pairs(&truth, PAIRS);
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, PAIRS, DRG_FIT_LEVELS, &learnt), DRG_OK);
	assert_true(fabs(learnt.bits[DRG_CMP_RESIDENCE][1] - truth.bits[DRG_CMP_RESIDENCE][1]) < 0.35);
	double name = truth.bits[DRG_CMP_NAME][5] - truth.bits[DRG_CMP_NAME][4];
	assert_true(fabs(learnt.bits[DRG_CMP_NAME][5] - learnt.bits[DRG_CMP_NAME][4] - name) < 0.6);
	assert_true(loss_of(&learnt, pairs, PAIRS) < loss_of(&drg_scorecard_hotels, pairs, PAIRS));
	make_pairs(&truth, PAIRS / 2); /* other ones: another count moves the random numbers */
	assert_true(loss_of(&learnt, pairs, PAIRS / 2) < loss_of(&drg_scorecard_hotels, pairs, PAIRS / 2));
}

/* A scorecard that is right cannot be bettered, and one that is wrong can, if there is enough to see it. */
static void a_gain_is_shown_only_where_there_is_one(void **state)
{
	(void)state;
	struct drg_scorecard truth = drg_scorecard_hotels;
	struct drg_fit_judgement j;
	make_pairs(&truth, 400);
	assert_int_equal(drg_fit_judge(&drg_scorecard_hotels, pairs, 400, DRG_FIT_LEVELS, &j), DRG_OK);
	assert_true(j.from < 0 && j.from < j.gain && j.gain < j.to);
	truth.bits[DRG_CMP_NAME][5] -= 6;
	truth.bits[DRG_CMP_DISTANCE][0] -= 6;
	make_pairs(&truth, 4000);
	assert_int_equal(drg_fit_judge(&drg_scorecard_hotels, pairs, 4000, DRG_FIT_LEVELS, &j), DRG_OK);
	assert_true(j.from > 0 && j.after < j.before);
}

/* Above the bound there were 100 that are the same and 100 that are not; what is learnt lets none of the
 * latter through at its place. */
static void the_bound_moves_with_the_weights(void **state)
{
	(void)state;
	struct drg_scorecard learnt;
	struct drg_fit_judgement j;
	for (unsigned i = 0; i < 400; i++) {
		pairs[i] = (struct drg_fit_pair){ .same = i % 4 == 0, .record = i };
		pairs[i].level[DRG_CMP_NAME] = i % 2 == 0 ? 9 : 2;
		pairs[i].level[DRG_CMP_DISTANCE] = i % 4 == 0 ? 0 : 1;
	}
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, 400, DRG_FIT_LEVELS, &learnt), DRG_OK);
	assert_int_equal(drg_fit_judge(&drg_scorecard_hotels, pairs, 400, DRG_FIT_LEVELS, &j), DRG_OK);
	assert_true(drg_scorecard_sum(&drg_scorecard_hotels, pairs[2].level) >
	            drg_scorecard_hotels.automatic);
	assert_true(drg_scorecard_sum(&learnt, pairs[0].level) > j.automatic);
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, 400, DRG_FIT_SCALE, &learnt), DRG_OK);
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(drg_scorecard_sum(&learnt, pairs[i].level) >= learnt.automatic,
		                 drg_scorecard_sum(&drg_scorecard_hotels, pairs[i].level) >=
		                         drg_scorecard_hotels.automatic);
}

/* What is minimised: surprise in nats, and the ridge. */
static double objective(const struct drg_scorecard *card, size_t n)
{
	double ridge = pow((card->bias - drg_scorecard_hotels.bias) * M_LN2, 2);
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned l = 0; l < card->levels[c]; l++)
			ridge += pow((card->bits[c][l] - drg_scorecard_hotels.bits[c][l]) * M_LN2, 2);
	return loss_of(card, pairs, n) * (double)n * M_LN2 + 4 * ridge;
}

static void no_other_bits_are_better(void **state)
{
	(void)state;
	struct drg_scorecard truth = drg_scorecard_hotels, learnt;
	truth.bits[DRG_CMP_NAME][9] -= 3;
	make_pairs(&truth, 500);
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, 500, DRG_FIT_LEVELS, &learnt), DRG_OK);
	double best = objective(&learnt, 500);
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned l = 0; l < learnt.levels[c]; l++)
			for (int up = -1; up <= 1; up += 2) {
				struct drg_scorecard other = learnt;
				if (l == 0 && c != DRG_CMP_NAME && c != DRG_CMP_DISTANCE) {
					assert_true(learnt.bits[c][l] == drg_scorecard_hotels.bits[c][l]);
					continue;
				}
				other.bits[c][l] += up * 0.1;
				assert_true(objective(&other, 500) > best);
			}
}

static void a_level_that_no_pair_has_stays(void **state)
{
	(void)state;
	struct drg_scorecard learnt;
	make_pairs(&drg_scorecard_hotels, 1000);
	for (size_t i = 0; i < 1000; i++)
		pairs[i].level[DRG_CMP_NAME] = 9;
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, 1000, DRG_FIT_LEVELS, &learnt), DRG_OK);
	for (unsigned l = 0; l < DRG_NAME_LEVELS; l++)
		if (l != 9)
			assert_true(learnt.bits[DRG_CMP_NAME][l] ==
			            drg_scorecard_hotels.bits[DRG_CMP_NAME][l]);
}

static void few_pairs_change_the_bias_and_one_factor(void **state)
{
	(void)state;
	struct drg_scorecard half = drg_scorecard_hotels, learnt;
	half.bias = -1;
	for (unsigned c = 0; c < DRG_CMP_COUNT; c++)
		for (unsigned l = 0; l < half.levels[c]; l++)
			half.bits[c][l] *= 0.5;
	make_pairs(&half, 2000);
	assert_int_equal(drg_fit(&drg_scorecard_hotels, pairs, 2000, DRG_FIT_SCALE, &learnt), DRG_OK);
	double factor = learnt.bits[DRG_CMP_NAME][0] / drg_scorecard_hotels.bits[DRG_CMP_NAME][0];
	assert_true(factor > 0.4 && factor < 0.6);
	for (unsigned l = 0; l < DRG_NAME_LEVELS; l++)
		assert_true(fabs(learnt.bits[DRG_CMP_NAME][l] -
		                 factor * drg_scorecard_hotels.bits[DRG_CMP_NAME][l]) < 0.011);
}

static void nothing_and_one_sort_alone_are_no_trouble(void **state)
{
	(void)state;
	struct drg_scorecard learnt;
	assert_int_equal(drg_fit(&drg_scorecard_hotels, NULL, 0, DRG_FIT_LEVELS, &learnt), DRG_OK);
	assert_memory_equal(&learnt, &drg_scorecard_hotels, sizeof learnt);
	assert_true(loss_of(&learnt, NULL, 0) == 0);
	for (unsigned what = DRG_FIT_SCALE; what <= DRG_FIT_LEVELS; what++)
		for (unsigned same = 0; same < 2; same++) {
			make_pairs(&drg_scorecard_hotels, 300);
			for (size_t i = 0; i < 300; i++)
				pairs[i].same = same;
			assert_int_equal(
			        drg_fit(&drg_scorecard_hotels, pairs, 300, (enum drg_fit_what)what, &learnt),
			        DRG_OK);
			assert_true(isfinite(learnt.bias) && fabs(learnt.bias) < 50);
		}
}

GROUP(fit)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_pairs_bring_every_level_near_the_truth),
		cmocka_unit_test(a_gain_is_shown_only_where_there_is_one),
		cmocka_unit_test(the_bound_moves_with_the_weights),
		cmocka_unit_test(no_other_bits_are_better),
		cmocka_unit_test(a_level_that_no_pair_has_stays),
		cmocka_unit_test(few_pairs_change_the_bias_and_one_factor),
		cmocka_unit_test(nothing_and_one_sort_alone_are_no_trouble),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
