#include "../clock.h"
#include "../folder.h"

#include "server/idempotency.h"

static const int64_t DAY_US = INT64_C(24) * 3600 * 1000000;

struct fixture {
	struct folder dir;
	struct drg_store *s;
	struct drg_txn *t;
	struct drg_buf out;
	struct drg_err err;
};

static int set_up(void **state)
{
	struct fixture *f = calloc(1, sizeof *f);
	char url[128];
	folder_make(&f->dir);
	drg_buf_init(&f->out, 4096);
	snprintf(url, sizeof url, "sqlite:%s/t.db", f->dir.path);
	*state = f;
	return drg_store_open(url, DRG_STORE_CREATE, &f->s, &f->err) != DRG_OK ||
	       drg_store_begin(f->s, &f->t, &f->err) != DRG_OK;
}

static int tear_down(void **state)
{
	struct fixture *f = *state;
	drg_txn_rollback(f->t);
	drg_store_close(f->s);
	drg_buf_done(&f->out);
	folder_remove(&f->dir);
	free(f);
	return 0;
}

static struct drg_retry retry(int64_t key, const char *name, const char *body)
{
	struct drg_retry r;
	assert_int_equal(drg_retry_init(&r, key, drg_str_c(name), drg_str_c(body), NULL), DRG_OK);
	return r;
}

static void test_names(void **state)
{
	(void)state;
	char longest[257];
	memset(longest, 'x', 256);
	const struct {
		struct drg_str name;
		int rc;
	} cases[] = {
		{ DRG_STR("a"), DRG_OK },          { DRG_STR("!~"), DRG_OK },
		{ drg_str(longest, 255), DRG_OK }, { drg_str(longest, 256), DRG_EINVAL },
		{ DRG_STR(""), DRG_EINVAL },       { DRG_STR("a b"), DRG_EINVAL },
		{ DRG_STR("a\x7f"), DRG_EINVAL },  { DRG_STR("\xc3\xa4"), DRG_EINVAL },
		{ DRG_STR("a\tb"), DRG_EINVAL },
	};
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct drg_retry r;
		struct drg_err err = { 0 };
		assert_int_equal(drg_retry_init(&r, 1, cases[i].name, DRG_STR(""), &err), cases[i].rc);
		if (cases[i].rc != DRG_OK)
			assert_string_equal(err.reason, "invalid_idempotency_key");
	}
}

static void test_one_at_a_time_for_each_key(void **state)
{
	(void)state;
	struct drg_retries *set;
	assert_int_equal(drg_retries_new(&set, NULL), DRG_OK);
	struct drg_retry a = retry(1, "a", ""), again = retry(1, "a", "x"), b = retry(1, "b", ""),
	                 other = retry(2, "a", "");
	assert_int_equal(drg_retries_enter(set, &a, NULL), DRG_OK);
	assert_int_equal(drg_retries_enter(set, &again, NULL), DRG_EEXIST);
	assert_int_equal(drg_retries_enter(set, &b, NULL), DRG_OK);
	assert_int_equal(drg_retries_enter(set, &other, NULL), DRG_OK);
	drg_retries_leave(set, &a);
	assert_int_equal(drg_retries_enter(set, &again, NULL), DRG_OK);
	drg_retries_leave(set, &b);
	drg_retries_leave(set, &again);
	drg_retries_leave(set, &other);
	drg_retries_free(set);
	drg_retries_free(NULL);
}

static void test_kept_answers_are_found_by_key_name_and_body(void **state)
{
	struct fixture *f = *state;
	struct drg_retry r = retry(1, "a", "body");
	assert_int_equal(drg_retry_find(&r, f->t, &f->out, &f->err), DRG_ENOENT);
	assert_int_equal(drg_retry_keep(&r, f->t, DRG_STR("answer \"\xd0\xb6\""), &f->err), DRG_OK);
	const struct {
		struct drg_retry r;
		int rc;
	} cases[] = {
		{ retry(1, "a", "body"), DRG_OK },      { retry(1, "a", "bodY"), DRG_EINVAL },
		{ retry(1, "A", "body"), DRG_ENOENT },  { retry(2, "a", "body"), DRG_ENOENT },
		{ retry(1, "ab", "body"), DRG_ENOENT },
	};
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		drg_buf_clear(&f->out);
		assert_int_equal(drg_retry_find(&cases[i].r, f->t, &f->out, &f->err), cases[i].rc);
		if (cases[i].rc == DRG_OK)
			assert_true(drg_str_eq(drg_buf_view(&f->out), DRG_STR("answer \"\xd0\xb6\"")));
		else
			assert_int_equal(f->out.n, 0);
	}
}

static void keep_from(struct fixture *f, const char *name, int64_t age_us)
{
	struct drg_retry r = retry(1, name, "body");
	const struct drg_kept_answer k = { 1, r.name, drg_wall_us() - age_us, drg_str_c(r.body_hash),
		                           DRG_STR("old") };
	assert_int_equal(drg_txn_kept_put(f->t, &k, &f->err), DRG_OK);
}

static void test_answers_are_good_for_a_day(void **state)
{
	struct fixture *f = *state;
	keep_from(f, "young", DAY_US - 5000000);
	keep_from(f, "old", DAY_US + 1);
	struct drg_retry young = retry(1, "young", "body"), old = retry(1, "old", "body");
	assert_int_equal(drg_retry_find(&young, f->t, &f->out, &f->err), DRG_OK);
	assert_int_equal(drg_retry_find(&old, f->t, &f->out, &f->err), DRG_ENOENT);
	/* An old name can be used anew, with another body. */
	struct drg_retry anew = retry(1, "old", "other");
	assert_int_equal(drg_retry_keep(&anew, f->t, DRG_STR("new"), &f->err), DRG_OK);
	assert_int_equal(drg_retry_find(&anew, f->t, &f->out, &f->err), DRG_OK);
}

static int count_one(void *ctx, const struct drg_kept_answer *k)
{
	(void)k;
	++*(int *)ctx;
	return DRG_OK;
}

static int count(struct fixture *f, unsigned n)
{
	int found = 0;
	for (unsigned i = 0; i < n; i++) {
		char name[16];
		int len = snprintf(name, sizeof name, "old%u", i);
		(void)!drg_txn_kept_get(f->t, 1, drg_str(name, (size_t)len), count_one, &found, NULL);
	}
	return found;
}

static void test_keeping_forgets_some_old_ones(void **state)
{
	struct fixture *f = *state;
	for (int i = 0; i < 20; i++) {
		char name[16];
		snprintf(name, sizeof name, "old%d", i);
		keep_from(f, name, DAY_US + 1000000);
	}
	int before = 20;
	for (int i = 0; i < 3; i++) {
		char name[16];
		snprintf(name, sizeof name, "new%d", i);
		struct drg_retry r = retry(1, name, "body");
		assert_int_equal(drg_retry_keep(&r, f->t, DRG_STR("x"), &f->err), DRG_OK);
		int now = count(f, 20);
		assert_true(now < before);
		before = now;
	}
	assert_int_equal(before, 0);
	struct drg_retry r = retry(1, "new0", "body");
	assert_int_equal(drg_retry_find(&r, f->t, &f->out, &f->err), DRG_OK);
}

static int keep(struct fixture *f, int64_t key, const char *name, struct drg_str answer)
{
	struct drg_retry r = retry(key, name, "body");
	return drg_retry_keep(&r, f->t, answer, &f->err);
}

static void test_a_key_has_so_much_kept_a_day(void **state)
{
	struct fixture *f = *state;
	static char answer[DRG_RETRY_DAY_BYTES / 4 - 100];
	memset(answer, 'x', sizeof answer);
	const struct drg_str most = drg_str(answer, sizeof answer);
	clock_stop();
	for (unsigned i = 0; i < 4; i++)
		assert_int_equal(keep(f, 1, &"abcd"[i], most), DRG_OK);
	assert_int_equal(keep(f, 1, "e", drg_str(answer, 400)), DRG_EINVAL);
	assert_string_equal(f->err.reason, "too_much_kept");
	assert_string_equal(f->err.field, "Idempotency-Key");
	assert_int_equal(keep(f, 2, "e", drg_str(answer, 400)), DRG_OK);
	assert_int_equal(keep(f, 1, "f", DRG_STR("x")), DRG_OK); /* there is some room */
	clock_pass_ms(24 * 3600 * 1000);
	assert_int_equal(keep(f, 1, "e", drg_str(answer, 400)), DRG_OK);
	clock_go();
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)

GROUP(idempotency)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_names),
		cmocka_unit_test(test_one_at_a_time_for_each_key),
		TEST(test_kept_answers_are_found_by_key_name_and_body),
		TEST(test_answers_are_good_for_a_day),
		TEST(test_keeping_forgets_some_old_ones),
		TEST(test_a_key_has_so_much_kept_a_day),
	};
	return cmocka_run_group_tests_name("server/idempotency", tests, NULL, NULL);
}
