#include "cli/country.h"

#include "matching/automap.h"
#include "model/model.h"

struct country_search {
	struct drg_str code;
	bool found;
	int64_t id;
};

static int look_at_country(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct country_search *x = ctx;
	(void)m;
	if (drg_str_eq_nocase(drg_record_s(r, DRG_F_ISO_ALPHA_2), x->code)) {
		x->found = true;
		x->id = r->v[DRG_F_ID].i;
	}
	return DRG_OK;
}

int drg_cli_country(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_DICT],
		                      .one_kind = true,
		                      .kind = DRG_KIND_COUNTRY };
	struct country_search x = { .code = drg_str_c(text) };
	if (drg_str_to_i64(x.code, ret))
		return DRG_OK;
	int rc = drg_store_scan(s, &f, look_at_country, &x, NULL, &cli->err);
	if (rc == DRG_OK && x.found)
		*ret = x.id;
	else if (rc == DRG_OK)
		rc = drg_country_find(s, x.code, ret, &cli->err);
	return rc != DRG_ENOENT
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
