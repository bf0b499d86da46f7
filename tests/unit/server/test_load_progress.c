#include "../clock.h"

#include <unistd.h>

#include "server/load_progress.h"

/* 20,000 rows in 12 seconds. */
static void load(uint64_t total)
{
	struct drg_load_progress p = { .began_ns = drg_clock_ns(), .total = total };
	p.next_ns = p.began_ns + INT64_C(5000000000);
	for (uint64_t rows = 1; rows <= 20000; rows++) {
		if (rows % 5000 == 0)
			(void)clock_pass_ms(3000);
		drg_load_progress_row(&p, rows);
	}
}

static void a_line_each_few_seconds(void **state)
{
	(void)state;
	char path[256], text[4000];
	int before = dup(STDERR_FILENO), fd = mkstemp(temp_path("said-XXXXXX", path, sizeof path));
	assert_true(fd >= 0 && unlink(path) == 0);
	clock_stop();
	dup2(fd, STDERR_FILENO);
	load(80000);
	load(0);
	dup2(before, STDERR_FILENO);
	clock_go();
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	text[n > 0 ? n : 0] = '\0';
	assert_non_null(
	        strstr(text, "info: loading the data: 12288 of about 80000 records, 15 %, after 6 s\n"));
	assert_non_null(strstr(text, "info: loading the data: 12288 records, after 6 s\n"));
	size_t lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	assert_int_equal(lines, 2);
	close(fd);
	close(before);
}

GROUP(load_progress)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(a_line_each_few_seconds) };
	return cmocka_run_group_tests_name("server/load_progress", tests, NULL, NULL);
}
