/* The words of an index. */
#include "reference.h"

static const char NAMES[] = PLACES HOTEL(1, 1, 10, "Rixos Premium Hotel")
        HOTEL(2, 1, 10, "Rixos Premium Villas") HOTEL(3, 1, 11, "Sunrise 2 Hotel")
                HOTEL(4, 1, 11, "Sunrise Sunrise Hotel") HOTEL(5, 2, 20, "Premiun Hotel");

static const struct drg_recon_word *word(const struct drg_recon_index *x, const char *text)
{
	uint32_t number = drg_recon_word_of(x, drg_str_c(text));
	if (number == DRG_RECON_NO_WORD)
		fail_msg("no such word: %s", text);
	assert_string_equal(drg_recon_word_text(x, number), text);
	return &x->words[number];
}

static void words_and_postings_are_in_order(void **state)
{
	(void)state;
	struct reference r;
	reference_begin(&r, NAMES);
	const struct drg_recon_index *x = r.x;
	for (uint32_t w = 0; w < x->n_words; w++) {
		if (w > 0)
			assert_true(strcmp(drg_recon_word_text(x, w - 1), drg_recon_word_text(x, w)) < 0);
		assert_true(x->words[w].n_postings > 0);
		const uint32_t *v = x->postings + x->words[w].postings;
		for (uint32_t i = 1; i < x->words[w].n_postings; i++)
			assert_true(v[i - 1] < v[i]); /* each record once, also "Sunrise Sunrise" */
	}
	assert_int_equal(word(x, "sunrise")->n_postings, 2);
	assert_int_equal(word(x, "rixos")->n_postings, 2);
	assert_int_equal(drg_recon_word_of(x, DRG_STR("rixo")), DRG_RECON_NO_WORD);
	reference_end(&r);
}

static void what_many_have_counts_less(void **state)
{
	(void)state;
	struct reference r;
	reference_begin(&r, NAMES);
	const struct drg_recon_index *x = r.x;
	assert_true(word(x, "premiun")->weight > word(x, "rixos")->weight);
	assert_true(word(x, "rixos")->weight > word(x, "hotel")->weight);
	static const struct {
		const char *word;
		bool vital;
	} cases[] = { { "2", true }, { "villas", true }, { "rixos", false }, { "hotel", false } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++)
		assert_int_equal(word(x, cases[i].word)->vital, cases[i].vital);
	reference_end(&r);
}

static void beginnings_are_a_range(void **state)
{
	(void)state;
	struct reference r;
	reference_begin(&r, NAMES);
	size_t from, to;
	drg_recon_words_from(r.x, DRG_STR("premiu"), &from, &to);
	assert_int_equal(to - from, 2);
	assert_string_equal(drg_recon_word_text(r.x, (uint32_t)from), "premium");
	drg_recon_words_from(r.x, DRG_STR("zzz"), &from, &to);
	assert_int_equal(to - from, 0);
	reference_end(&r);
}

/* The likest first; errors at the beginning and at the end alike. */
static void words_with_typing_errors_are_found(void **state)
{
	(void)state;
	struct reference r;
	reference_begin(&r, NAMES);
	static const struct {
		const char *typed, *meant; /* NULL: none */
	} cases[] = { { "premum", "premium" }, { "rpemium", "premium" }, { "premiuk", "premium" },
		      { "rixod", "rixos" },    { "tixos", "rixos" },     { "sunrice", "sunrise" },
		      { "xyzxyz", NULL },      { "rix", NULL },          { "rixosrixos", NULL } };
	for (size_t i = 0; i < DRG_ARRAY_LEN(cases); i++) {
		uint32_t like[4];
		unsigned n = drg_recon_words_like(r.x, drg_str_c(cases[i].typed), like, DRG_ARRAY_LEN(like));
		if ((n > 0) != (cases[i].meant != NULL))
			fail_msg("%s: %u words", cases[i].typed, n);
		if (n > 0)
			assert_string_equal(drg_recon_word_text(r.x, like[0]), cases[i].meant);
	}
	uint32_t one;
	assert_int_equal(drg_recon_words_like(r.x, DRG_STR("premiux"), &one, 1), 1);
	reference_end(&r);
}

static void an_empty_reference_has_no_words(void **state)
{
	(void)state;
	struct reference r;
	reference_begin(
	        &r, "{\"type\":\"adapter\",\"id\":7,\"code\":\"a\",\"name\":\"A\",\"domain\":\"tour\"}\n");
	uint32_t like;
	assert_int_equal(r.x->names.n_records + r.x->n_words + r.x->n_postings, 0);
	assert_int_equal(drg_recon_word_of(r.x, DRG_STR("hotel")), DRG_RECON_NO_WORD);
	assert_int_equal(drg_recon_words_like(r.x, DRG_STR("hotel"), &like, 1), 0);
	assert_null(drg_recon_record_of(r.x, DRG_KIND_HOTEL, 1));
	reference_end(&r);
}

static void a_making_can_be_left(void **state)
{
	(void)state;
	struct reference r;
	atomic_bool leave = true;
	reference_begin(&r, NAMES);
	drg_recon_index_free(r.x);
	r.x = NULL;
	assert_int_equal(reference_make(&r, &leave), DRG_ESTOPPED);
	assert_null(r.x);
	reference_end(&r);
}

GROUP(words)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(words_and_postings_are_in_order),
		cmocka_unit_test(what_many_have_counts_less),
		cmocka_unit_test(beginnings_are_a_range),
		cmocka_unit_test(words_with_typing_errors_are_found),
		cmocka_unit_test(an_empty_reference_has_no_words),
		cmocka_unit_test(a_making_can_be_left),
	};
	return cmocka_run_group_tests_name("reconcile/words", tests, NULL, NULL);
}
