/* The codings of a list: which are made, when, and of which list. */
#include "lists_made.h"

static void a_coding_comes_where_it_pays(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.padding, 1000);
	struct drg_content *small = coded_list_of(1, drg_clock_ns(), DRG_CODING_BR);
	atomic_store(&maker.padding, 1024);
	struct drg_content *large = coded_list_of(2, drg_clock_ns(), DRG_CODING_BR);
	assert_int_equal(small->body[DRG_CODING_BR].n, 0);
	assert_true(large->body[DRG_CODING_BR].n > 0);
	drg_content_release(small);
	drg_content_release(large);
	stop();
}

/* The codings that a list is there in, as bits; of one that has to be ready. */
static unsigned codings_of(int64_t country, int64_t asked_ns)
{
	struct drg_content *list = list_of(country, asked_ns);
	unsigned bits = 0;
	for (unsigned c = 0; c < DRG_CODING_COUNT; c++)
		bits |= (unsigned)(list->body[c].n > 0) << c;
	drg_content_release(list);
	return bits;
}

/* Made of what is there already; made again, after a change, where it was asked for lately. */
static void a_coding_is_made_when_it_is_asked_for(void **state)
{
	(void)state;
	enum { PLAIN = 1 << DRG_CODING_IDENTITY, GZIP = 1 << DRG_CODING_GZIP, ZSTD = 1 << DRG_CODING_ZSTD };
	const int64_t t = drg_clock_ns();
	start(0);
	atomic_store(&maker.padding, 5000);
	struct drg_content *plain = list_of(5, t);
	assert_int_equal(codings_of(5, t), PLAIN);
	drg_content_release(coded_list_of(5, t - 61 * SECOND, DRG_CODING_GZIP));
	assert_int_equal(codings_of(5, t), PLAIN | GZIP);
	struct drg_content *both = coded_list_of(5, t, DRG_CODING_ZSTD);
	assert_int_equal(codings_of(5, t), PLAIN | GZIP | ZSTD);
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_ptr_equal(plain, both); /* the coding is added to the shared list */
	assert_true(is_ready(5, drg_clock_ns()));
	change_data("B");
	wait_until(atomic_load(&maker.builds) == 2);
	wait_until(is_ready(5, drg_clock_ns() + SECOND));
	assert_int_equal(codings_of(5, drg_clock_ns() + SECOND), PLAIN | ZSTD);
	drg_content_release(plain);
	drg_content_release(both);
	stop();
}

/* A list that grew old is not compressed for who asks for a coding of it: it is built. */
static void a_coding_of_a_list_that_grew_old_is_one_of_the_new(void **state)
{
	(void)state;
	start(0);
	atomic_store(&maker.padding, 5000);
	drg_content_release(list_of(5, drg_clock_ns() - 61 * SECOND));
	change_data("B");
	struct drg_content *list = coded_list_of(5, drg_clock_ns() + SECOND, DRG_CODING_GZIP);
	assert_int_equal(atomic_load(&maker.builds), 2);
	assert_non_null(memmem(list->body[0].p, list->body[0].n, "\"seq\":2", 7));
	drg_content_release(list);
	stop();
}

static void a_look_builds_nothing(void **state)
{
	(void)state;
	start(0);
	assert_false(is_ready(5, drg_clock_ns()));
	change_data("B");
	drg_content_release(list_of(6, drg_clock_ns())); /* built after all earlier requests' lists */
	assert_int_equal(atomic_load(&maker.builds), 1);
	assert_int_equal(maker.order[0], 6);
	stop();
}

/* A client that already has the list needs no coding; a client with another list does. */
static void a_coding_is_not_made_for_who_has_the_list(void **state)
{
	(void)state;
	enum { PLAIN = 1 << DRG_CODING_IDENTITY, GZIP = 1 << DRG_CODING_GZIP };
	const int64_t t = drg_clock_ns();
	char tag[64];
	start(0);
	atomic_store(&maker.padding, 5000);
	struct drg_content *plain = list_of(5, t);
	snprintf(tag, sizeof tag, "\"%s-gzip\"", plain->etag);
	struct asker has = { .ask = { .coding = DRG_CODING_GZIP, .tags = drg_str_c(tag) } },
	             other = { .ask = { .coding = DRG_CODING_GZIP, .tags = DRG_STR("\"other\"") } };
	assert_int_equal(get(&has, 5, t), DRG_OK);
	assert_int_equal(codings_of(5, t), PLAIN);
	assert_int_equal(get(&other, 5, t), DRG_OK);
	assert_int_equal(codings_of(5, t), PLAIN | GZIP);
	drg_content_release(plain);
	drg_content_release(has.ask.content);
	drg_content_release(other.ask.content);
	stop();
}

GROUP(lists_codings)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_coding_comes_where_it_pays),
		cmocka_unit_test(a_coding_is_made_when_it_is_asked_for),
		cmocka_unit_test(a_coding_of_a_list_that_grew_old_is_one_of_the_new),
		cmocka_unit_test(a_look_builds_nothing),
		cmocka_unit_test(a_coding_is_not_made_for_who_has_the_list),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
