/* The file of --config and, behind a NUL, a variable of the environment without its "DRAGOMAN_", for one of
 * the commands. */
#include "list.h"

#include "cli/settings.h"

static char variable[4096];

/* @param text  "NAME=VALUE"; one without "=" is not set. */
static void set_variable(struct drg_str text)
{
	int n = snprintf(variable, sizeof variable, "DRAGOMAN_%.*s", DRG_STR_ARG(text));
	if (n < (int)sizeof variable && strchr(variable, '=') != NULL)
		REQUIRE(putenv(variable) == 0);
}

static void unset_variable(void)
{
	char name[sizeof variable];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(variable, "="), variable);
	REQUIRE(unsetenv(name) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
	char path[64], name[] = "--config";
	unsigned commands = 0;
	struct drg_arena arena;
	struct drg_options *options;
	struct drg_err err = { 0 };
	while (drg_commands[commands].name != NULL)
		commands++;
	if (n == 0)
		return 0;
	struct drg_str rest = input_text(data + 1, n - 1), file = input_part(&rest);
	int fd = file_of(file.p, file.n, path);
	char *const argv[] = { name, path, NULL };
	set_variable(rest);
	drg_arena_init(&arena, 1 << 26);
	int rc = drg_settings_options(&drg_commands[data[0] % commands], argv, &arena, &options, &err);
	REQUIRE(rc == DRG_OK || (rc == DRG_EUSAGE && err.message[0] != '\0'));
	drg_arena_done(&arena);
	unset_variable();
	close(fd);
	return 0;
}
