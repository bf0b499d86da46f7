#include "cli/person.h"

#include <pwd.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/clock.h"
#include "decide/history.h"
#include "text/stamp.h"

/* Under sudo USER is the account that the command runs as, which many people share. */
static struct drg_str os_user(void)
{
	const char *name = getenv("SUDO_USER");
	if (name == NULL || name[0] == '\0')
		name = getenv("USER");
	if (name == NULL || name[0] == '\0') {
		const struct passwd *user = getpwuid(getuid());
		name = user != NULL ? user->pw_name : NULL;
	}
	return drg_str_c(name);
}

struct drg_str drg_person(const struct drg_cli *cli)
{
	const char *by = drg_opt_text(cli->options, "by");
	return by != NULL && by[0] != '\0' ? drg_str_c(by) : os_user();
}

struct drg_str drg_reason(const struct drg_cli *cli)
{
	return drg_str_c(drg_opt_text(cli->options, "why"));
}

int drg_person_check(struct drg_cli *cli)
{
	return drg_opt_known(cli->options, "why")
	               ? drg_audit_check(
	                         &(const struct drg_audit){ .by = drg_person(cli), .why = drg_reason(cli) },
	                         &cli->err)
	               : DRG_OK;
}

int drg_cli_since(struct drg_cli *cli, int64_t *ret_us)
{
	const char *text = drg_opt_text(cli->options, "since");
	const char *fault = text != NULL ? drg_stamp_read_past(drg_str_c(text), drg_wall_us(), ret_us) : NULL;
	return fault == NULL
	               ? DRG_OK
	               : drg_fail(&cli->err, DRG_EUSAGE, NULL, "since", "--since: \"%.60s\" %s", text, fault);
}

int drg_cli_parse_kind(struct drg_cli *cli, const char *text, unsigned kinds, enum drg_kind *ret)
{
	enum drg_kind kind = drg_kind_by_name(drg_str_c(text));
	char known[300];
	if (!drg_kind_in(kinds, kind))
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "kind", "KIND: expected one of %s, found \"%s\"",
		                drg_kind_names(kinds, known, sizeof known), text);
	*ret = kind;
	return DRG_OK;
}

int drg_cli_parse_number(struct drg_cli *cli, const char *name, const char *text, int64_t *ret)
{
	if (drg_str_to_i64(drg_str_c(text), ret))
		return DRG_OK;
	return drg_fail(&cli->err, DRG_EUSAGE, NULL, name, "%s: expected an integer, found \"%s\"", name,
	                text);
}
