#include "../clock.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log_file.h"

static char dir[64], path[80];

static int setup(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(temp_path("dragoman-test-XXXXXX", dir, sizeof dir)));
	snprintf(path, sizeof path, "%s/log", dir);
	return 0;
}

static int teardown(void **state)
{
	(void)state;
	unlink(path);
	rmdir(dir);
	return 0;
}

static size_t count_lines(const char *part)
{
	static char line[8192];
	size_t n = 0;
	FILE *f = fopen(path, "r");
	assert_non_null(f);
	while (fgets(line, sizeof line, f) != NULL) {
		assert_int_equal(line[0], '{');
		assert_int_equal(line[strlen(line) - 2], '}');
		n += strstr(line, part) != NULL;
	}
	fclose(f);
	return n;
}

static void *write_many(void *log)
{
	struct drg_buf scratch;
	drg_buf_init(&scratch, 4096);
	drg_buf_lit(
	        &scratch,
	        "\"text\":\"a line that is as long as lines usually are, so that twenty thousand of them are "
	        "more than a pipe and two buffers hold\",\"n\":1");
	for (int i = 0; i < 1000; i++)
		drg_log_file_add(log, &scratch);
	drg_buf_done(&scratch);
	return NULL;
}

static void lines_of_many_threads_do_not_mix(void **state)
{
	(void)state;
	struct drg_log_file *log = NULL;
	pthread_t threads[4];
	unlink(path);
	assert_int_equal(drg_log_file_open(path, "the log", &log, NULL), DRG_OK);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, write_many, log);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	drg_log_file_close(log);
	assert_int_equal(count_lines("Z\",\"text\":\"a line that is as long as lines usually are, so that "
	                             "twenty thousand of "
	                             "them are more than a pipe and two buffers hold\",\"n\":1}"),
	                 4000);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

/* What has come through a pipe: lines, and lines that it says were dropped. */
struct accounted {
	int reader;
	unsigned long long lines, dropped;
	char line[8192];
	size_t n; /* of a line that has not come to its end */
};

static bool all_accounted(struct accounted *a)
{
	char part[4096];
	for (ssize_t got; (got = read(a->reader, part, sizeof part)) > 0;)
		for (ssize_t i = 0; i < got; i++) {
			assert_true(a->n < sizeof a->line - 1);
			a->line[a->n++] = part[i];
			if (part[i] != '\n')
				continue;
			a->line[a->n] = '\0';
			a->n = 0;
			unsigned long long n = 0;
			if (sscanf(a->line, "{\"dropped_lines\":%llu}", &n) == 1)
				a->dropped += n;
			else
				a->lines++;
		}
	return a->lines + a->dropped >= 20000;
}

/** The writer is held up by a full pipe: lines are dropped, and their number is told afterwards. */
static void a_slow_disk_drops_lines_and_says_so(void **state)
{
	(void)state;
	struct drg_log_file *log = NULL;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	clock_stop();
	assert_int_equal(drg_log_file_open(path, "the log", &log, NULL), DRG_OK);
	for (int i = 0; i < 20; i++)
		write_many(log);
	struct accounted a = { .reader = reader };
	wait_and_pass(1000, all_accounted(&a)); /* the writer looks each second */
	drg_log_file_close(log);
	close(reader);
	clock_go();
	assert_true(a.dropped > 0);
	assert_int_equal(a.lines + a.dropped, 20000);
	unlink(path);
}

GROUP(log_file)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_many_threads_do_not_mix),
		cmocka_unit_test(a_slow_disk_drops_lines_and_says_so),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
