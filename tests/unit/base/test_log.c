#include "../clock.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"

/** What is logged by @p run, in @p ret. */
static void logged(void (*run)(void), bool journal, char ret[static 4000])
{
	char path[256], stream[64];
	struct stat st;
	int before = dup(STDERR_FILENO), fd = mkstemp(temp_path("log-XXXXXX", path, sizeof path));
	assert_true(fd >= 0 && unlink(path) == 0 && fstat(fd, &st) == 0);
	snprintf(stream, sizeof stream, "%llu:%llu", (unsigned long long)st.st_dev,
	         (unsigned long long)st.st_ino + !journal);
	setenv("JOURNAL_STREAM", stream, 1);
	dup2(fd, STDERR_FILENO);
	run();
	dup2(before, STDERR_FILENO);
	drg_log_set_format(DRG_LOG_TEXT);
	unsetenv("JOURNAL_STREAM");
	ssize_t n = pread(fd, ret, 3999, 0);
	ret[n > 0 ? n : 0] = '\0';
	close(fd);
	close(before);
}

static void say_all(void)
{
	drg_log(DRG_LOG_ERROR, "no \"room\" in C:\\x\nnow");
	drg_log(DRG_LOG_WARN, "little");
	drg_log(DRG_LOG_INFO, "some");
	drg_log(DRG_LOG_DEBUG, "not said");
}

static void say_as_found(void)
{
	drg_log_set_format(DRG_LOG_AUTO);
	say_all();
}

static void each_form_has_its_lines(void **state)
{
	(void)state;
	char text[4000];
	clock_stop();
	logged(say_all, true, text);
	assert_string_equal(text, "2023-11-14T22:13:20.000Z error: no \"room\" in C:\\x now\n"
	                          "2023-11-14T22:13:20.000Z warning: little\n"
	                          "2023-11-14T22:13:20.000Z info: some\n");
	logged(say_as_found, true, text);
	assert_string_equal(text, "<3>no \"room\" in C:\\x now\n<4>little\n<6>some\n");
	logged(say_as_found, false, text);
	assert_string_equal(
	        text, "{\"time\":\"2023-11-14T22:13:20.000Z\",\"level\":\"error\",\"message\":\"no "
	              "\\\"room\\\" in C:\\\\x now\"}\n"
	              "{\"time\":\"2023-11-14T22:13:20.000Z\",\"level\":\"warning\",\"message\":\"little\"}\n"
	              "{\"time\":\"2023-11-14T22:13:20.000Z\",\"level\":\"info\",\"message\":\"some\"}\n");
	clock_go();
}

static void say_much(void)
{
	char much[3000];
	memset(much, '"', sizeof much - 1);
	much[sizeof much - 1] = '\0';
	drg_log_set_format(DRG_LOG_AUTO);
	drg_log(DRG_LOG_ERROR, "%s", much);
}

static void a_long_text_is_cut_and_still_json(void **state)
{
	(void)state;
	char text[4000];
	logged(say_much, false, text);
	size_t n = strlen(text);
	assert_true(n > 2000 && n < 2600);
	assert_string_equal(text + n - 5, "\\\"\"}\n");
}

GROUP(log)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_form_has_its_lines),
		cmocka_unit_test(a_long_text_is_cut_and_still_json),
	};
	return cmocka_run_group_tests_name("base/log", tests, NULL, NULL);
}
