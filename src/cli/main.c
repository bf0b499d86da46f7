#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/version.h"
#include "base/arena.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/testing.h"
#include "cli/cli.h"
#include "cli/person.h"
#include "cli/help.h"
#include "console/nearest.h"
#include "console/say.h"
#include "cli/settings.h"

static int status_of(int rc)
{
	return rc == DRG_OK ? 0 : rc == DRG_EUSAGE ? 2 : 1;
}

/* "key" has commands under it: say which. */
static bool group_of(const char *word, char *buf, size_t n)
{
	buf[0] = '\0';
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++) {
		size_t first = strcspn(c->name, " ");
		if (c->name[first] == '\0' || strlen(word) != first || memcmp(word, c->name, first) != 0)
			continue;
		strncat(buf, buf[0] != '\0' ? ", " : "", n - strlen(buf) - 1);
		strncat(buf, c->name + first + 1, n - strlen(buf) - 1);
	}
	return buf[0] != '\0';
}

static int unknown_command(char *const *argv, struct drg_err *reterr)
{
	char group[160];
	if (group_of(argv[0], group, sizeof group))
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "%s: expected one of %s%s%s", argv[0], group,
		                argv[1] != NULL ? ", found " : "", argv[1] != NULL ? argv[1] : "");
	struct drg_nearest near = { .wanted = argv[0] };
	for (const struct drg_command *c = drg_commands; c->name != NULL; c++)
		drg_nearest_offer(&near, c->name);
	if (near.best != NULL)
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "unknown command %s; did you mean %s?",
		                argv[0], near.best);
	return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "unknown command %s; 'dragoman --help' lists them",
	                argv[0]);
}

static bool wants_help(char *const *argv)
{
	for (; *argv != NULL && strcmp(*argv, "--") != 0; argv++)
		if (strcmp(*argv, "--help") == 0 || strcmp(*argv, "-h") == 0)
			return true;
	return false;
}

static int check_arguments(const struct drg_command *c, const struct drg_options *o, struct drg_err *reterr)
{
	size_t n;
	const char *const *args = drg_opt_args(o, &n);
	if (n < c->min_args)
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL, "%s: %s is missing; see 'dragoman help %s'",
		                c->name, c->args, c->name);
	if (n > c->max_args)
		return drg_fail(reterr, DRG_EUSAGE, NULL, NULL,
		                "%s: unexpected argument \"%s\"; see 'dragoman help %s'", c->name,
		                args[c->max_args], c->name);
	return DRG_OK;
}

static int run_command(char *const *argv, struct drg_cli *cli)
{
	size_t words;
	cli->command = drg_command_find((const char *const *)argv, &words);
	if (cli->command == NULL && wants_help(argv) && drg_help_group(stdout, argv[0]))
		return DRG_OK;
	if (cli->command == NULL)
		return unknown_command(argv, &cli->err);
	if (wants_help(argv + words)) {
		drg_help_command(stdout, cli->command);
		return DRG_OK;
	}
	struct drg_options *options;
	cli->argv = argv + words;
	int rc = drg_settings_options(cli->command, cli->argv, cli->arena, &options, &cli->err);
	if (rc == DRG_OK)
		rc = check_arguments(cli->command, options, &cli->err);
	if (rc != DRG_OK)
		return rc;
	cli->options = options;
	rc = drg_person_check(cli);
	if (rc == DRG_OK)
		rc = cli->command->run(cli);
	if (rc == DRG_EUSAGE)
		drg_options_blame(options, &cli->err);
	return rc;
}

static int run_help(char *const *argv, struct drg_err *reterr)
{
	size_t words;
	const struct drg_command *c = drg_command_find((const char *const *)argv, &words);
	if (c != NULL)
		drg_help_command(stdout, c);
	else if (argv[0] == NULL)
		drg_help_all(stdout);
	else if (argv[1] != NULL || !drg_help_group(stdout, argv[0]))
		return unknown_command(argv, reterr);
	return DRG_OK;
}

static int main_run(char *const *argv, struct drg_cli *cli)
{
	const _Atomic int64_t *clock;
	if (drg_testing_number("DRG_TEST_CLOCK", &clock, &cli->err) != DRG_OK)
		return DRG_EIO;
	drg_clock_set_ahead(clock);
	if (argv[0] == NULL) {
		drg_help_all(stderr);
		return DRG_EUSAGE;
	}
	if (strcmp(argv[0], "--help") == 0 || strcmp(argv[0], "-h") == 0 || strcmp(argv[0], "help") == 0)
		return run_help(argv + 1, &cli->err);
	if (strcmp(argv[0], "--version") == 0) {
		printf("dragoman %s (%s)\n", drg_version_text, drg_commit_text);
		return DRG_OK;
	}
	return run_command(argv, cli);
}

void drg_exit_if_pipe_closed(void)
{
	struct pollfd out = { .fd = STDOUT_FILENO };
	if (poll(&out, 1, 0) != 1 || (out.revents & POLLERR) == 0)
		return;
	signal(SIGPIPE, SIG_DFL);
	raise(SIGPIPE);
}

int main(int argc, char **argv)
{
	/* A reader that goes away is seen as a failed write, so that a command can end its work in order. */
	signal(SIGPIPE, SIG_IGN);
	/* A file that may not grow (ulimit -f) is a failed write too, as a full disk is. */
	signal(SIGXFSZ, SIG_IGN);
	drg_log_start();
	struct drg_arena arena;
	drg_arena_init(&arena, 64 << 20);
	struct drg_cli cli = { .arena = &arena };
	int rc = argc > 0 ? main_run(argv + 1, &cli) : DRG_EUSAGE;
	bool unwritten = fflush(stdout) != 0 || ferror(stdout);
	if (unwritten)
		drg_exit_if_pipe_closed();
	if (rc == DRG_OK && unwritten)
		rc = drg_fail(&cli.err, DRG_EIO, NULL, NULL, "cannot write to standard output");
	if ((rc == DRG_OK && drg_print_failed()) || (rc == DRG_ENOMEM && cli.err.message[0] == '\0'))
		rc = drg_fail_memory(&cli.err);
	if (rc != DRG_OK && cli.err.message[0] != '\0') {
		if (drg_log_is_text())
			drg_print(stderr, "dragoman: %s\n", cli.err.message);
		else
			drg_log(DRG_LOG_ERROR, "%s", cli.err.message);
	}
	drg_arena_done(&arena);
	return status_of(rc);
}
