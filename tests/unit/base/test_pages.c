/* Memory in large pages: what is in it stays. */
#include "../unit.h"

#include "base/compiler.h"
#include "base/pages.h"

static void what_is_gathered_stays_as_it_is(void **state)
{
	(void)state;
	enum { BYTES = 9 << 20 };
	unsigned char *p = malloc(BYTES);
	assert_non_null(p);
	for (size_t i = 0; i < BYTES; i++)
		p[i] = (unsigned char)(i * 2654435761U >> 13);
	drg_pages_gather(p, BYTES);
	drg_pages_gather(p + 1, BYTES - 2);
	drg_pages_gather(NULL, 0);
	for (size_t i = 0; i < BYTES; i++)
		assert_true(p[i] == (unsigned char)(i * 2654435761U >> 13));
	free(p);
}

static void pages_are_zero(void **state)
{
	(void)state;
	static const size_t bytes[] = { 1, 4096, 9 << 20 };
	for (size_t k = 0; k < DRG_ARRAY_LEN(bytes); k++) {
		char *p = drg_pages_new(bytes[k], true);
		assert_non_null(p);
		for (size_t i = 0; i < bytes[k]; i++)
			assert_int_equal(p[i], 0);
		drg_pages_free(p, bytes[k]);
	}
	drg_pages_free(NULL, 4096);
}

GROUP(pages)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_gathered_stays_as_it_is),
		cmocka_unit_test(pages_are_zero),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
