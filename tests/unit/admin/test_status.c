/* status and export, on the small fixture. */
#include "../importing.h"

#include <fcntl.h>

#include "admin/status.h"

static struct importing data;

static struct drg_store *opened(enum drg_store_mode mode)
{
	struct drg_store *s;
	assert_int_equal(drg_store_open(data.store_url, mode, &s, NULL), DRG_OK);
	return s;
}

static void status_has_version_size_counts_and_licences(void **state)
{
	(void)state;
	struct drg_store *s = opened(DRG_STORE_READ);
	struct drg_status st;
	assert_int_equal(drg_status_read(s, &st, NULL), DRG_OK);
	assert_int_equal(st.clock.seq, 1);
	int64_t live = 0, mapped = 0;
	for (size_t i = 0; i < st.n_counts; i++) {
		live += st.counts[i].live;
		mapped += st.counts[i].mapped;
	}
	assert_int_equal(live, 57);
	assert_int_equal(mapped, 12);

	assert_true(st.bytes > 100000); /* its tables alone take some pages each */
	for (const struct drg_licence *l = drg_licences; l->source != NULL; l++)
		assert_true(l->licence[0] != '\0');
	drg_status_done(&st);
	drg_store_close(s);
}

static void export_reports_a_full_disk(void **state)
{
	(void)state;
	struct drg_store *s = opened(DRG_STORE_READ);
	const struct drg_filter all = { 0 };
	struct drg_err e;
	int fd = open("/dev/full", O_WRONLY);
	assert_int_equal(drg_export(s, &all, fd, NULL, NULL, NULL, NULL, &e), DRG_EFULL);
	close(fd);
	drg_store_close(s);
}

static void export_counts_what_it_wrote(void **state)
{
	(void)state;
	struct drg_store *s = opened(DRG_STORE_READ);
	const struct drg_filter hotels = { .one_kind = true, .kind = DRG_KIND_HOTEL };
	uint64_t n = 0;
	int fd = open("/dev/null", O_WRONLY);
	assert_int_equal(drg_export(s, &hotels, fd, NULL, NULL, NULL, &n, NULL), DRG_OK);
	assert_int_equal(n, 9);
	close(fd);
	drg_store_close(s);
}

static int set_up(void **state)
{
	(void)state;
	importing_mini(&data);
	return 0;
}

static int tear_down(void **state)
{
	(void)state;
	importing_end(&data);
	return 0;
}

GROUP(status)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(status_has_version_size_counts_and_licences),
		cmocka_unit_test(export_reports_a_full_disk),
		cmocka_unit_test(export_counts_what_it_wrote),
	};
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
