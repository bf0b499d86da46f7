#include "cli/country.h"

#include "matching/automap.h"

int drg_cli_country(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret)
{
	const struct drg_str name = drg_str_c(text);
	if (drg_str_to_i64(name, ret))
		return DRG_OK;
	int rc = drg_country_find(s, &name, 1, ret, &cli->err);
	return rc != DRG_OK || *ret != INT64_MIN
	               ? rc
	               : drg_fail(&cli->err, DRG_ENOENT, NULL, NULL,
	                          "no country of the reference, or more than one, has the code or name %s; "
	                          "expected a name, a code as TR, or an id ('dragoman dict find NAME --kind "
	                          "country')",
	                          text);
}

int drg_cli_country_option(struct drg_cli *cli, struct drg_store *s, int64_t none, int64_t *ret)
{
	const char *text = drg_opt_text(cli->options, "country");
	*ret = none;
	return text != NULL ? drg_cli_country(cli, s, text, ret) : DRG_OK;
}
