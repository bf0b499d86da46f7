/* tests/unit/folder.h
 * A folder of its own for a test, and files in it. */
#pragma once
#include <stdio.h>
#include <unistd.h>

#include "unit.h"

struct folder {
	char path[64];
};

static inline void folder_make(struct folder *f)
{
	assert_non_null(mkdtemp(temp_path("dragoman-test-XXXXXX", f->path, sizeof f->path)));
}

static inline void folder_remove(struct folder *f)
{
	char command[96];
	snprintf(command, sizeof command, "rm -rf %s", f->path);
	assert_int_equal(system(command), 0);
}

/** The path of a file in it, in @p buf. */
static inline const char *folder_file(const struct folder *f, const char *name, char *buf, size_t n)
{
	snprintf(buf, n, "%s/%s", f->path, name);
	return buf;
}

static inline void folder_write(const struct folder *f, const char *name, const char *text, size_t n)
{
	char path[128];
	FILE *out = fopen(folder_file(f, name, path, sizeof path), "w");
	assert_non_null(out);
	assert_int_equal(fwrite(text, 1, n, out), n);
	assert_int_equal(fclose(out), 0);
}

/** How many entries has it? What a crash would leave behind. */
static inline int folder_count(const struct folder *f)
{
	char command[96];
	int n = -1;
	snprintf(command, sizeof command, "ls -A %s | wc -l", f->path);
	FILE *p = popen(command, "r");
	assert_non_null(p);
	assert_int_equal(fscanf(p, "%d", &n), 1);
	pclose(p);
	return n;
}

/** For tests that have a folder as their state. */
static inline int folder_set_up(void **state)
{
	static struct folder f;
	folder_make(&f);
	*state = &f;
	return 0;
}

static inline int folder_tear_down(void **state)
{
	folder_remove(*state);
	return 0;
}
