/* The file of --config, for one of the commands. */
#include "list.h"

#include "cli/settings.h"

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
	int fd = file_of(data + 1, n - 1, path);
	char *const argv[] = { name, path, NULL };
	drg_arena_init(&arena, 1 << 26);
	int rc = drg_settings_options(&drg_commands[data[0] % commands], argv, &arena, &options, &err);
	REQUIRE(rc == DRG_OK || (rc == DRG_EUSAGE && err.message[0] != '\0'));
	drg_arena_done(&arena);
	close(fd);
	return 0;
}
