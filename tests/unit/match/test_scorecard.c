/* Scorecards as texts, and their sums. */
#include "../unit.h"

#include "match/card/scorecard.h"
#include "match/likely.h"

static struct drg_scorecard card;
static struct drg_err err;

static int read_text(const char *text)
{
	return drg_scorecard_read(drg_str_c(text), &drg_scorecard_hotels, &card, &err);
}

static void what_was_written_reads_back_the_same(void **state)
{
	(void)state;
	struct drg_buf text;
	drg_buf_init(&text, 1 << 16);
	drg_scorecard_write(&drg_scorecard_hotels, &text);
	assert_int_equal(drg_scorecard_read(drg_buf_view(&text), &drg_scorecard_hotels, &card, &err), DRG_OK);
	assert_memory_equal(&card, &drg_scorecard_hotels, sizeof card);
	drg_buf_done(&text);
}

/* The scorecard of the program with one line in place of another. */
static int read_with(const char *line, const char *instead)
{
	struct drg_buf text;
	drg_buf_init(&text, 1 << 16);
	drg_scorecard_write(&drg_scorecard_hotels, &text);
	drg_buf_char(&text, '\0');
	char *at = strstr(text.p, line), *end = strchr(at, '\n');
	char changed[4096];
	__builtin_snprintf(changed, sizeof changed, "%.*s%s%s", (int)(at - text.p), text.p, instead, end);
	drg_buf_done(&text);
	return read_text(changed);
}

static void a_bad_line_is_named_and_changes_nothing(void **state)
{
	(void)state;
	static const struct {
		const char *line, *instead, *message;
	} cases[] = {
		{ "bias", "bias x", "bias: expected 1 numbers" },
		{ "bias", "bias 1 2", "bias: expected 1 numbers" },
		{ "bias", "bias 1e300", "bias: expected 1 numbers" },
		{ "bias", "bias nan", "bias: expected 1 numbers" },
		{ "bias", "", "bias is missing" },
		{ "version", "", "version is missing" },
		{ "numbers", "numbers 1 2 3", "numbers: expected 4 numbers" },
		{ "lead", "leed 1", "a scorecard has no \"leed\"" },
		{ "metres", "metres 60 200 500 400 3000 8000 20000 60000", "each bound to be larger" },
		{ "ask", "ask 9", "ask to be at most automatic" },
		{ "lead", "lead -1", "lead at least 0" },
	};
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		memset(&card, 7, sizeof card);
		struct drg_scorecard before = card;
		assert_int_equal(read_with(cases[i].line, cases[i].instead), DRG_EINVAL);
		assert_non_null(strstr(err.message, cases[i].message));
		assert_memory_equal(&card, &before, sizeof card);
	}
}

static void another_version_is_refused(void **state)
{
	(void)state;
	assert_int_equal(read_with("version", "version 2"), DRG_ELIMIT);
	assert_int_equal(read_with("version", "version"), DRG_ELIMIT);
}

static void comments_and_empty_lines_are_skipped(void **state)
{
	(void)state;
	assert_int_equal(read_with("bias", "\n# what it begins with\n  bias   -2   # two\n"), DRG_OK);
	assert_true(card.bias == -2);
}

static void a_sum_is_of_the_levels(void **state)
{
	(void)state;
	uint8_t level[DRG_CMP_COUNT] = { [DRG_CMP_NAME] = 9, [DRG_CMP_DISTANCE] = 0, [DRG_CMP_NUMBERS] = 1 };
	double sum = drg_scorecard_sum(&drg_scorecard_hotels, level);
	assert_true(fabs(sum - (-3.1 + 6.7 + 5.0 + 1.2)) < 1e-9);
	assert_true(drg_bits_probability(0) == 0.5);
}

static void suggestions_take_from_each_other(void **state)
{
	(void)state;
	static const struct {
		double bits[3];
		unsigned n;
		double right;
	} cases[] = {
		{ { 0 }, 1, 0.5 },         { { 3 }, 1, 8.0 / 9 },
		{ { 3, 3 }, 2, 8.0 / 17 }, { { 3, 2, -2 }, 3, 8.0 / (1 + 8 + 4 + 0.25) },
		{ { 2000, -2000 }, 2, 1 },
	};
	for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
		double odds = drg_match_odds(DRG_KIND_HOTEL, DRG_WHY_AMBIGUOUS, cases[i].bits, cases[i].n);
		assert_true(fabs(drg_match_probability(DRG_KIND_HOTEL, DRG_WHY_AMBIGUOUS, odds, 5) -
		                 cases[i].right) < 1e-9);
	}
}

static double hotel_likely(enum drg_match_reason reason, double bits, int64_t mapped)
{
	return drg_match_probability(DRG_KIND_HOTEL, reason, drg_match_odds(DRG_KIND_HOTEL, reason, &bits, 1),
	                             drg_match_prior(mapped, 100));
}

static void some_reasons_say_more_than_the_bits(void **state)
{
	(void)state;
	double below = hotel_likely(DRG_WHY_BELOW_THRESHOLD, 6, 80),
	       residence = hotel_likely(DRG_WHY_VETO_RESIDENCE, 6, 80);
	const double lacks = hotel_likely(DRG_WHY_LACKS_PLACE, 6, 80);
	assert_true(residence < lacks && lacks < below);
	const double low = hotel_likely(DRG_WHY_VETO_RESIDENCE, -6, 80);
	assert_true(residence > 0.7 && residence < 0.9 && low > 0.1);
	assert_true(hotel_likely(DRG_WHY_VETO_FAR, 6, 80) < residence);
}

static void the_rest_of_the_list_counts(void **state)
{
	(void)state;
	double odds = hotel_likely(DRG_WHY_BELOW_THRESHOLD, 0, 50),
	       more = hotel_likely(DRG_WHY_BELOW_THRESHOLD, 0, 80);
	/* 90 of 120 are three to one. */
	assert_true(fabs(more / (1 - more) - 3 * odds / (1 - odds)) < 1e-9);
	assert_true(hotel_likely(DRG_WHY_BELOW_THRESHOLD, 0, 0) == odds);
	assert_true(hotel_likely(DRG_WHY_AMBIGUOUS, 0, 80) == 0.5);
	assert_true(drg_match_prior(0, 0) == 0 && drg_match_prior(0, 1000000) == 0 &&
	            drg_match_prior(5, 3) > 0 && drg_match_prior(1000000, 1000000) == 4);
}

static void another_city_is_hardly_ever_right(void **state)
{
	(void)state;
	/* The bits that such suggestions had, and a list of which nearly all is mapped. */
	for (int bits = -6; bits <= 1; bits++)
		assert_true(hotel_likely(DRG_WHY_VETO_CITY, bits, 95) < 0.07);
	assert_true(hotel_likely(DRG_WHY_VETO_CITY, -4, 95) < 0.01);
}

static void only_hotels_have_a_probability(void **state)
{
	(void)state;
	for (int kind = 0; kind < DRG_KIND_COUNT; kind++)
		assert_true((drg_match_probability((enum drg_kind)kind, DRG_WHY_SURE, 3, 2) > 0) ==
		            (kind == DRG_KIND_HOTEL));
}

GROUP(scorecard)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_written_reads_back_the_same),
		cmocka_unit_test(a_bad_line_is_named_and_changes_nothing),
		cmocka_unit_test(another_version_is_refused),
		cmocka_unit_test(comments_and_empty_lines_are_skipped),
		cmocka_unit_test(a_sum_is_of_the_levels),
		cmocka_unit_test(some_reasons_say_more_than_the_bits),
		cmocka_unit_test(the_rest_of_the_list_counts),
		cmocka_unit_test(another_city_is_hardly_ever_right),
		cmocka_unit_test(only_hotels_have_a_probability),
		cmocka_unit_test(suggestions_take_from_each_other),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
