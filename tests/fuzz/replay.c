/* replay NAME FOLDER...: the files of the folders through one of the fuzz targets, each once: what the
 * fuzzers began with and what they found. No libFuzzer is needed, so it runs in any build. */
#include "fuzz.h"

#include <dirent.h>

#define DECLARED(name)                                                                                       \
	int replay_##name##_input(const uint8_t *data, size_t n);                                            \
	int replay_##name##_begin(int *argc, char ***argv) __attribute__((weak));
#define ROW(name) { #name, replay_##name##_begin, replay_##name##_input },

REPLAY_TARGETS(DECLARED)

static const struct target {
	const char *name;
	int (*begin)(int *argc, char ***argv); /* NULL: it needs nothing */
	int (*input)(const uint8_t *data, size_t n);
} targets[] = { REPLAY_TARGETS(ROW) };

/* A copy of just that size: a sanitizer sees the first byte that is read beyond it. */
static void replay_file(const struct target *t, const char *path)
{
	FILE *f = fopen(path, "re");
	REQUIRE(f != NULL && fseek(f, 0, SEEK_END) == 0);
	size_t n = (size_t)ftell(f);
	uint8_t *data = malloc(n);
	rewind(f);
	REQUIRE((data != NULL || n == 0) && fread(data, 1, n, f) == n);
	fclose(f);
	printf("%s\n", path);
	fflush(stdout); /* the last line names what was replayed when it ends */
	t->input(data, n);
	free(data);
}

/* @return How many files there were. */
static unsigned replay_folder(const struct target *t, const char *folder)
{
	char path[4096];
	unsigned n = 0;
	DIR *dir = opendir(folder);
	for (struct dirent *e; dir != NULL && (e = readdir(dir)) != NULL;) {
		if (e->d_name[0] == '.')
			continue;
		snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
		replay_file(t, path);
		n++;
	}
	if (dir != NULL)
		closedir(dir);
	return n;
}

int main(int argc, char **argv)
{
	const struct target *t = NULL;
	unsigned n = 0;
	for (size_t i = 0; argc > 2 && i < sizeof targets / sizeof *targets; i++)
		if (strcmp(targets[i].name, argv[1]) == 0)
			t = &targets[i];
	REQUIRE(t != NULL);
	if (t->begin != NULL)
		t->begin(&argc, &argv);
	for (int i = 2; i < argc; i++)
		n += replay_folder(t, argv[i]);
	printf("%u inputs, each as it should be\n", n);
	return n > 0 ? 0 : 1;
}
