/* tests/unit/main.c
 * test_FOLDER runs the tests of all files of a folder, each file's in a process of its own; test_FOLDER FILE
 * those of one, and test_FOLDER FILE PATTERN what matches a pattern with * and ?. */
#include "unit.h"

#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct group *groups;

void group_add(struct group *g)
{
	struct group **at = &groups;
	while (*at != NULL && strcmp((*at)->name, g->name) < 0)
		at = &(*at)->next;
	g->next = *at;
	*at = g;
}

static int run_apart(const struct group *g)
{
	int status = -1;
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0)
		exit(g->run() == 0 ? 0 : 1);
	if (pid > 0)
		waitpid(pid, &status, 0);
	if (status != 0)
		fprintf(stderr, "%s: failed%s\n", g->name, WIFSIGNALED(status) ? " by a signal" : "");
	return status != 0;
}

int main(int argc, char **argv)
{
	int n = 0, failed = 0;
	if (argc > 2)
		cmocka_set_test_filter(argv[2]);
	for (const struct group *g = groups; g != NULL; g = g->next) {
		if (argc > 1 && strcmp(argv[1], g->name) != 0)
			continue;
		failed += argc > 1 ? g->run() != 0 : run_apart(g);
		n++;
	}
	if (argc == 1)
		printf("%d files, %d failed\n", n, failed);
	if (n > 0)
		return failed != 0;
	fprintf(stderr, "%s FILE: one of", argv[0]);
	for (const struct group *g = groups; g != NULL; g = g->next)
		fprintf(stderr, " %s", g->name);
	fputc('\n', stderr);
	return 2;
}
