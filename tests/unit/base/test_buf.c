#include "../unit.h"

#include "base/arena.h"
#include "base/buf.h"
#include "base/err.h"

static void a_buffer_keeps_its_ceiling(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 1000);
	for (int i = 0; i < 1000; i++)
		drg_buf_char(&b, 'x');
	assert_int_equal(b.rc, DRG_OK);
	assert_int_equal(b.n, 1000);
	drg_buf_char(&b, 'y');
	assert_int_equal(b.rc, DRG_ELIMIT);
	assert_int_equal(b.n, 1000);
	drg_buf_clear(&b);
	drg_buf_i64(&b, -12);
	drg_buf_printf(&b, "%s", "ab");
	assert_int_equal(b.n, 5);
	assert_memory_equal(b.p, "-12ab", 5);
	drg_buf_done(&b);
}

static void a_small_ceiling_holds_too(void **state)
{
	(void)state;
	struct drg_buf b;
	drg_buf_init(&b, 8);
	drg_buf_lit(&b, "12345678");
	assert_int_equal(b.rc, DRG_OK);
	drg_buf_char(&b, '9');
	assert_int_equal(b.rc, DRG_ELIMIT);
	assert_int_equal(b.n, 8);
	drg_buf_done(&b);
}

static void an_arena_keeps_its_ceiling(void **state)
{
	(void)state;
	struct drg_arena a;
	drg_arena_init(&a, 100000);
	assert_non_null(drg_arena_alloc(&a, 50000));
	assert_non_null(drg_arena_alloc(&a, 40000));
	assert_null(drg_arena_alloc(&a, 20000));
	assert_null(drg_arena_calloc(&a, SIZE_MAX / 2, 3));
	assert_null(drg_arena_alloc(&a, SIZE_MAX));
	drg_arena_reset(&a);
	struct drg_str s = drg_arena_str(&a, DRG_STR("abc"));
	assert_string_equal(s.p, "abc");
	drg_arena_done(&a);
}

GROUP(buf)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_buffer_keeps_its_ceiling),
		cmocka_unit_test(a_small_ceiling_holds_too),
		cmocka_unit_test(an_arena_keeps_its_ceiling),
	};
	return cmocka_run_group_tests_name("base/buf", tests, NULL, NULL);
}
