#include "cli/refused.h"

#include "cli/say.h"

void drg_say_refused(void *ctx, const char *file, uint64_t line, const char *why)
{
	(void)ctx;
	drg_say(stdout, "refused %s:%" PRIu64 ": %s\n", file, line, why);
}

int drg_end_refused(struct drg_cli *cli, uint64_t n)
{
	if (n == 0)
		return DRG_OK;
	return drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%" PRIu64 " rows were refused", n);
}
