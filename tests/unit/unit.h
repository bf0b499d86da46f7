/* tests/unit/unit.h
 * What every unit test includes: cmocka with the headers that it forgets to include itself, how a file's
 * tests are named, and how a test waits. */
#pragma once
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

/** The tests of one file; main.c runs those of a folder, of a file, or one by its name. */
struct group {
	const char *name;
	int (*run)(void); /* how many failed */
	struct group *next;
};

void group_add(struct group *g);

/** Begins the function that runs the tests of a file: GROUP(str) { … return cmocka_run_group_tests(…); } */
#define GROUP(subject)                                                                                       \
	static int group_run(void);                                                                          \
	__attribute__((constructor)) static void group_register(void)                                        \
	{                                                                                                    \
		static struct group g = { #subject, group_run, NULL };                                       \
		group_add(&g);                                                                               \
	}                                                                                                    \
	static int group_run(void)

/** In place of cmocka's: a test that fails or hangs takes nothing down but itself (main.c). */
int run_group(const char *name, const struct CMUnitTest *tests, size_t n, CMFixtureFunction set_up,
              CMFixtureFunction tear_down);
#define _cmocka_run_group_tests run_group

/** Path of a file in tests/fixtures/, from the environment that meson sets. */
static inline const char *fixture(const char *name, char *buf, size_t n)
{
	const char *dir = getenv("DRG_FIXTURES");
	int len = snprintf(buf, n, "%s/%s", dir != NULL ? dir : "tests/fixtures", name);
	return len > 0 && (size_t)len < n ? buf : "";
}

/** Where temporary files are made. */
static inline const char *temp_dir(void)
{
	const char *dir = getenv("TMPDIR");
	return dir != NULL && dir[0] != '\0' ? dir : "/tmp";
}

/** A name in it, for mkstemp() and mkdtemp(), in @p buf. */
static inline char *temp_path(const char *name, char *buf, size_t n)
{
	if (snprintf(buf, n, "%s/%s", temp_dir(), name) >= (int)n)
		fail_msg("TMPDIR is too long: %s", temp_dir());
	return buf;
}

static inline void a_moment(void)
{
	const struct timespec ms = { 0, 1000000 };
	nanosleep(&ms, NULL);
}

/** What a test waits for from now on; if it hangs there, main.c ends the test and says so. @p what and @p file
 * are literals. From any thread; the latest one counts. */
void waits_for(const char *what, const char *file, int line);

/** Wait until an expression holds. */
#define wait_until(holds)                                                                                    \
	do {                                                                                                 \
		waits_for(#holds, __FILE__, __LINE__);                                                       \
		while (!(holds))                                                                             \
			a_moment();                                                                          \
	} while (0)
