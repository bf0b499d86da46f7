#include "../unit.h"

#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "model/record.h"

static struct drg_record hotel(void)
{
	struct drg_record r;
	drg_record_init(&r, &drg_types[DRG_TYPE_SOURCE]);
	drg_record_set_i(&r, DRG_F_ADAPTER_ID, 7);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_HOTEL);
	drg_record_set_s(&r, DRG_F_SOURCE_ID, DRG_STR("1001"));
	drg_record_set_s(&r, DRG_F_NAME, DRG_STR("BLUE BAY"));
	drg_record_set_s(&r, DRG_F_LANG, DRG_STR("en"));
	drg_record_set_i(&r, DRG_F_DICT_ID, INT64_MIN);
	drg_record_set_d(&r, DRG_F_LAT, -36.85);
	return r;
}

static void equal_means_every_part(void **state)
{
	(void)state;
	struct drg_record a = hotel(), b = hotel();
	assert_true(drg_record_eq(&a, &b));
	drg_record_set_s(&b, DRG_F_NAME, DRG_STR("BLUE BAx"));
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.v[DRG_F_LAT].d = 36.85;
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.v[DRG_F_DICT_ID].i++;
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.deleted = true;
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.nulls |= UINT64_C(1) << DRG_F_DICT_ID;
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.has &= ~(UINT64_C(1) << DRG_F_LANG);
	assert_false(drg_record_eq(&a, &b));
	b = hotel();
	b.type = &drg_types[DRG_TYPE_DICT];
	assert_false(drg_record_eq(&a, &b));
}

static void absent_values_are_not_compared(void **state)
{
	(void)state;
	struct drg_record a = hotel(), b = hotel();
	a.v[DRG_F_ZIP].s = DRG_STR("one");
	b.v[DRG_F_ZIP].s = DRG_STR("two");
	assert_true(drg_record_eq(&a, &b));
}

static void a_copy_borrows_nothing(void **state)
{
	(void)state;
	struct drg_arena a;
	struct drg_record r = hotel(), copy;
	char id[] = "1001";
	drg_record_set_s(&r, DRG_F_SOURCE_ID, drg_str(id, 4));
	drg_arena_init(&a, 1 << 16);
	assert_int_equal(drg_record_copy(&a, &r, &copy), DRG_OK);
	memset(id, 'x', sizeof id - 1);
	struct drg_record want = hotel();
	assert_true(drg_record_eq(&copy, &want));
	drg_arena_done(&a);
	drg_arena_init(&a, 8);
	assert_int_equal(drg_record_copy(&a, &r, &copy), DRG_ENOMEM);
	drg_arena_done(&a);
}

static void labels_name_the_identity(void **state)
{
	(void)state;
	char buf[64];
	struct drg_record r = hotel();
	assert_string_equal(drg_record_label(&r, buf, sizeof buf), "source 7 hotel 1001");
	assert_string_equal(drg_record_label(&r, buf, 12), "source 7 ho");
	assert_string_equal(drg_record_label(&r, buf, 1), "");
	drg_record_init(&r, &drg_types[DRG_TYPE_DICT]);
	drg_record_set_i(&r, DRG_F_KIND, DRG_KIND_CITY);
	drg_record_set_i(&r, DRG_F_ID, -44);
	assert_string_equal(drg_record_label(&r, buf, sizeof buf), "dict city -44");
	drg_record_init(&r, &drg_types[DRG_TYPE_ADAPTER]);
	assert_string_equal(drg_record_label(&r, buf, sizeof buf), "adapter");
}

static void packing_goes_round(void **state)
{
	(void)state;
	static const int64_t numbers[] = { 0, 1, -1, 63, 64, -64, -65, INT32_MAX, INT64_MAX, INT64_MIN };
	struct drg_buf b;
	drg_buf_init(&b, 1 << 16);
	for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
		struct drg_record r = hotel(), back;
		drg_record_set_i(&r, DRG_F_DICT_ID, numbers[i]);
		r.deleted = i % 2 != 0;
		drg_buf_clear(&b);
		drg_record_pack(&r, &b);
		assert_int_equal(drg_record_unpack(b.p, b.n, &back), b.n);
		assert_true(drg_record_eq(&r, &back));
	}
	/* One behind the other, as in a spool file; and the null that is no value. */
	struct drg_record r = hotel(), back;
	r.has &= ~(UINT64_C(1) << DRG_F_DICT_ID);
	r.nulls = UINT64_C(1) << DRG_F_DICT_ID;
	size_t first = b.n;
	drg_record_pack(&r, &b);
	assert_int_equal(drg_record_unpack(b.p, b.n, &back), first);
	assert_int_equal(drg_record_unpack(b.p + first, b.n - first, &back), b.n - first);
	assert_true(drg_record_eq(&r, &back));
	drg_buf_done(&b);
}

static void a_cut_record_is_not_unpacked(void **state)
{
	(void)state;
	struct drg_buf b;
	struct drg_record r = hotel(), back;
	drg_buf_init(&b, 1 << 16);
	drg_record_pack(&r, &b);
	for (size_t n = 0; n < b.n; n++) {
		char *exact = malloc(n + 1); /* a sanitizer sees a step behind its end */
		memcpy(exact + 1, b.p, n);
		assert_int_equal(drg_record_unpack(exact + 1, n, &back), 0);
		free(exact);
	}
	assert_int_equal(drg_record_unpack("\xff\x00\x00\x00", 4, &back), 0);
	drg_buf_done(&b);
}

/* ---- fields of another type ----------------------------------------------------------------------------- */

/* One call each, of a source with a field of another type. */
enum wrong {
	WRONG_HAS,
	WRONG_S,
	WRONG_I,
	WRONG_D,
	WRONG_SET_S,
	WRONG_SET_I,
	WRONG_SET_D,
	WRONG_UNSET,
	WRONG_COUNT
};

static void do_wrong(struct drg_record *r, enum wrong what)
{
	switch (what) {
	case WRONG_HAS: (void)drg_record_has(r, DRG_F_LOGO); break;
	case WRONG_S: (void)drg_record_s(r, DRG_F_LOGO); break;
	case WRONG_I: (void)drg_record_i(r, DRG_F_STAGE, 0); break;
	case WRONG_D: (void)drg_record_d(r, DRG_F_STAGE, 0); break;
	case WRONG_SET_S: drg_record_set_s(r, DRG_F_KEY_HASH, DRG_STR("00")); break;
	case WRONG_SET_I: drg_record_set_i(r, DRG_F_WEIGHT, 1); break;
	case WRONG_SET_D: drg_record_set_d(r, DRG_F_WEIGHT, 1); break;
	case WRONG_UNSET: drg_record_unset(r, DRG_F_INTO); break;
	case WRONG_COUNT: break;
	}
}

static void a_field_of_another_type_is_caught(void **state)
{
	(void)state;
	for (unsigned what = 0; what <= WRONG_COUNT; what++) {
		int status = -1;
		fflush(NULL);
		pid_t pid = fork();
		assert_true(pid >= 0);
		if (pid == 0) {
			struct drg_record r = hotel();
			setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
			close(STDERR_FILENO); /* the assertion is expected */
			do_wrong(&r, (enum wrong)what);
			_exit(0);
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		if (what == WRONG_COUNT)
			assert_int_equal(status, 0);
		else if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
			fail_msg("case %u: status %d", what, status);
	}
}

static void a_field_of_the_type_comes_and_goes(void **state)
{
	(void)state;
	struct drg_record r = hotel();
	drg_record_set_s(&r, DRG_F_URL, DRG_STR("https://one.example"));
	assert_true(drg_str_eq(drg_record_s(&r, DRG_F_URL), DRG_STR("https://one.example")));
	assert_false(drg_record_has(&r, DRG_F_PHONE));
	drg_record_unset(&r, DRG_F_URL);
	assert_false(drg_record_has(&r, DRG_F_URL));
	assert_true(drg_record_d(&r, DRG_F_LAT, 0) == -36.85);
	assert_true(drg_record_d(&r, DRG_F_LNG, 1) == 1);
}

GROUP(record)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(equal_means_every_part),
		cmocka_unit_test(absent_values_are_not_compared),
		cmocka_unit_test(a_copy_borrows_nothing),
		cmocka_unit_test(labels_name_the_identity),
		cmocka_unit_test(packing_goes_round),
		cmocka_unit_test(a_cut_record_is_not_unpacked),
		cmocka_unit_test(a_field_of_another_type_is_caught),
		cmocka_unit_test(a_field_of_the_type_comes_and_goes),
	};
	return cmocka_run_group_tests_name("model/record", tests, NULL, NULL);
}
