#include "../folder.h"

#include "base/tempfile.h"

static void what_was_added_is_read_back(void **state)
{
	struct folder *f = *state;
	struct drg_tempfile *t;
	char in[5000], out[5000];
	size_t n;
	for (size_t i = 0; i < sizeof in; i++)
		in[i] = (char)(i * 7);
	assert_int_equal(drg_tempfile_open(f->path, &t, NULL), DRG_OK);
	for (size_t i = 0; i < 100; i++)
		assert_int_equal(drg_tempfile_add(t, in, sizeof in, NULL), DRG_OK);
	assert_int_equal(drg_tempfile_size(t), 100 * sizeof in);
	for (size_t i = 0; i < 100; i += 9) {
		assert_int_equal(drg_tempfile_read(t, i * sizeof in, out, sizeof out, &n, NULL), DRG_OK);
		assert_int_equal(n, sizeof out);
		assert_memory_equal(out, in, n);
	}
	drg_tempfile_close(t);
}

static void a_piece_larger_than_the_buffer(void **state)
{
	struct folder *f = *state;
	struct drg_tempfile *t;
	size_t n = 1 << 20, got;
	char *in = calloc(1, n), *out = malloc(n);
	in[n - 1] = 'z';
	assert_int_equal(drg_tempfile_open(f->path, &t, NULL), DRG_OK);
	assert_int_equal(drg_tempfile_add(t, "abc", 3, NULL), DRG_OK);
	assert_int_equal(drg_tempfile_add(t, in, n, NULL), DRG_OK);
	assert_int_equal(drg_tempfile_add(t, "def", 3, NULL), DRG_OK);
	assert_int_equal(drg_tempfile_read(t, 3, out, n, &got, NULL), DRG_OK);
	assert_memory_equal(out, in, n);
	assert_int_equal(drg_tempfile_read(t, 3 + n, out, n, &got, NULL), DRG_OK);
	assert_int_equal(got, 3);
	assert_memory_equal(out, "def", 3);
	drg_tempfile_close(t);
	free(in);
	free(out);
}

static void it_has_no_name(void **state)
{
	struct folder *f = *state;
	struct drg_tempfile *t;
	assert_int_equal(drg_tempfile_open(f->path, &t, NULL), DRG_OK);
	assert_int_equal(folder_count(f), 0);
	drg_tempfile_close(t);
	drg_tempfile_close(NULL);
}

static void a_missing_folder_is_named(void **state)
{
	(void)state;
	struct drg_tempfile *t = NULL;
	struct drg_err e;
	assert_int_equal(drg_tempfile_open("/nonexistent/folder", &t, &e), DRG_ENOENT);
	assert_non_null(strstr(e.message, "/nonexistent/folder"));
	assert_null(t);
}

GROUP(tempfile)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(what_was_added_is_read_back, folder_set_up, folder_tear_down),
		cmocka_unit_test_setup_teardown(a_piece_larger_than_the_buffer, folder_set_up,
		                                folder_tear_down),
		cmocka_unit_test_setup_teardown(it_has_no_name, folder_set_up, folder_tear_down),
		cmocka_unit_test(a_missing_folder_is_named),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
