#include "../unit.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "http/access_log.h"

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

static struct drg_access_line sample(void)
{
	return (struct drg_access_line){ .request_id = DRG_STR("id"),
		                         .remote = "::1",
		                         .method = "GET",
		                         .path = DRG_STR("/p"),
		                         .route = "/:p",
		                         .status = 200,
		                         .bytes = 5,
		                         .us = 9 };
}

static void *write_many(void *log)
{
	struct drg_buf scratch;
	drg_buf_init(&scratch, 4096);
	struct drg_access_line line = sample();
	for (int i = 0; i < 1000; i++)
		drg_access_log_write(log, &line, &scratch);
	drg_buf_done(&scratch);
	return NULL;
}

static void lines_of_many_threads_do_not_mix(void **state)
{
	(void)state;
	struct drg_access_log *log = NULL;
	pthread_t threads[4];
	unlink(path);
	assert_int_equal(drg_access_log_open(path, &log, NULL), DRG_OK);
	for (int i = 0; i < 4; i++)
		pthread_create(&threads[i], NULL, write_many, log);
	for (int i = 0; i < 4; i++)
		pthread_join(threads[i], NULL);
	drg_access_log_close(log);
	assert_int_equal(
	        count_lines("Z\",\"request_id\":\"id\",\"remote\":\"::1\",\"method\":\"GET\",\"path\":\"/p\","
	                    "\"route\":\"/:p\",\"status\":200,\"bytes\":5,\"us\":9}"),
	        4000);
	struct stat st;
	assert_int_equal(stat(path, &st), 0);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void what_clients_send_is_escaped(void **state)
{
	(void)state;
	struct drg_access_log *log = NULL;
	struct drg_buf scratch;
	struct drg_access_line line = sample();
	unlink(path);
	drg_buf_init(&scratch, 64 * 1024);
	assert_int_equal(drg_access_log_open(path, &log, NULL), DRG_OK);
	line.path = DRG_STR("/\"\n\x1b\xff\xd0\x9c\xed\xa0\x80");
	drg_access_log_write(log, &line, &scratch);
	char much[5000];
	memset(much, 'x', sizeof much);
	line.path = drg_str(much, sizeof much);
	line.route = NULL;
	drg_access_log_write(log, &line, &scratch);
	drg_access_log_close(log);
	drg_buf_done(&scratch);
	assert_int_equal(count_lines("\"path\":\"/\\\"\\n\\u001b?\xd0\x9c???\""), 1);
	assert_int_equal(count_lines("xxx\",\"route\":null,"), 1);
}

/** The writer is held up by a full pipe: lines are dropped, and their number is told afterwards. */
static void a_slow_disk_drops_lines_and_says_so(void **state)
{
	(void)state;
	struct drg_access_log *log = NULL;
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_int_equal(drg_access_log_open(path, &log, NULL), DRG_OK);
	for (int i = 0; i < 20; i++)
		write_many(log);
	static char text[8 * 1024 * 1024];
	size_t got = 0;
	for (int quiet = 0; quiet < 15;) { /* 1.5 s: the writer looks each second */
		ssize_t n = read(reader, text + got, sizeof text - 1 - got);
		got += n > 0 ? (size_t)n : 0;
		quiet = n > 0 ? 0 : quiet + 1;
		if (n <= 0)
			usleep(100000);
	}
	drg_access_log_close(log);
	close(reader);
	text[got] = '\0';
	unsigned long long dropped = 0, lines = 0;
	for (const char *at = text; (at = strchr(at, '\n')) != NULL; at++)
		lines++;
	const char *told = strstr(text, "{\"dropped_lines\":");
	assert_non_null(told);
	for (; told != NULL; told = strstr(told + 1, "{\"dropped_lines\":")) {
		dropped += strtoull(told + 17, NULL, 10);
		lines--;
	}
	assert_int_equal(lines + dropped, 20000);
	unlink(path);
}

GROUP(access_log)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_of_many_threads_do_not_mix),
		cmocka_unit_test(what_clients_send_is_escaped),
		cmocka_unit_test(a_slow_disk_drops_lines_and_says_so),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
