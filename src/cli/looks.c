#include "cli/looks.h"

#include <string.h>

#include "cli/person.h"
#include "text/utf8.h"

/* Split off a pair: a part without "=" belongs to the column before it, which has a comma in its name. */
static bool split_pair(struct drg_str *rest, struct drg_str *ret)
{
	struct drg_str behind, part;
	if (!drg_str_split(rest, ',', ret))
		return false;
	for (behind = *rest; drg_str_split(&behind, ',', &part) && memchr(part.p, '=', part.n) == NULL;
	     *rest = behind)
		ret->n = (size_t)(part.p + part.n - ret->p);
	return true;
}

/* "a=B,c=D" into the NULL-terminated list of pairs that the reader of CSV wants; any number of --map. */
int drg_cli_parse_map(struct drg_cli *cli, const char *const **ret)
{
	size_t n_maps, n = 0, room = 1;
	const char *const *maps = drg_opt_texts(cli->options, "map", &n_maps);
	for (size_t i = 0; i < n_maps; i++)
		room += strlen(maps[i]) / 2 + 1;
	const char **pairs = drg_arena_calloc(cli->arena, room, sizeof *pairs);
	for (size_t i = 0; i < n_maps && pairs != NULL; i++) {
		struct drg_str rest = drg_str_c(maps[i]), pair;
		while (split_pair(&rest, &pair)) {
			if (pair.n < 3 || memchr(pair.p, '=', pair.n) == NULL)
				return drg_fail(&cli->err, DRG_EUSAGE, NULL, "map",
				                "--map: expected FIELD=COLUMN, found \"%.*s\"",
				                DRG_STR_ARG(pair));
			pairs[n] = drg_arena_str(cli->arena, pair).p;
			if (pairs[n++] == NULL)
				return drg_fail_memory(&cli->err);
		}
	}
	if (pairs == NULL)
		return drg_fail_memory(&cli->err);
	*ret = pairs;
	return DRG_OK;
}

int drg_cli_parse_separator(struct drg_cli *cli, uint32_t *ret)
{
	const char *text = drg_opt_text(cli->options, "separator");
	if (text == NULL)
		return DRG_OK;
	if (strcmp(text, "\\t") == 0 || strcmp(text, "tab") == 0)
		text = "\t";
	const uint32_t c = drg_utf8_only(drg_str_c(text));
	if (c == 0 || c == '"' || c == '\n' || c == '\r')
		return drg_fail(&cli->err, DRG_EUSAGE, NULL, "separator",
		                "--separator: expected one character, or tab, found \"%s\"", text);
	*ret = c;
	return DRG_OK;
}

/* NULL: not given. */
static const char *value_or_none(const struct drg_options *o, const char *name)
{
	const char *text = drg_opt_text(o, name);
	return text != NULL && strcmp(text, "none") == 0 ? "" : text;
}

/* Several --sheet are one wish, "A/B". */
static int parse_sheets(struct drg_cli *cli, const char **ret)
{
	size_t n;
	struct drg_buf all;
	const char *const *sheets = drg_opt_texts(cli->options, "sheet", &n);
	drg_buf_init(&all, SIZE_MAX);
	for (size_t i = 0; i < n; i++) {
		drg_buf_str(&all, drg_str_c(i > 0 ? "/" : ""));
		drg_buf_str(&all, drg_str_c(sheets[i]));
	}
	*ret = all.rc == DRG_OK && n > 0 ? drg_arena_str(cli->arena, drg_buf_view(&all)).p : NULL;
	drg_buf_done(&all);
	return n == 0 || *ret != NULL ? DRG_OK : drg_fail_memory(&cli->err);
}

int drg_cli_parse_format(struct drg_cli *cli, struct drg_plan_wishes *ret)
{
	const struct drg_options *o = cli->options;
	const char *kind = drg_opt_text(o, "kind");
	int decimal = drg_opt_word(o, "decimal"), quote = drg_opt_word(o, "quote");
	*ret = (struct drg_plan_wishes){
		.kind = DRG_KIND_NONE,
		.encoding = drg_opt_text(o, "encoding"),
		.lang = drg_opt_text(o, "lang"),
		.country = value_or_none(o, "country"),
		.category = value_or_none(o, "category"),
		.quote = quote < 0 ? DRG_QUOTE_UNKNOWN : DRG_QUOTE_DOUBLE + (unsigned)quote,
		.decimal = decimal < 0 ? '\0' : ".,"[decimal],
	};
	int rc = drg_cli_parse_separator(cli, &ret->separator);
	if (rc == DRG_OK)
		rc = parse_sheets(cli, &ret->sheet);
	if (rc == DRG_OK && kind != NULL)
		rc = drg_cli_parse_kind(cli, kind, DRG_KINDS_SOURCE, &ret->kind);
	return rc == DRG_OK ? drg_cli_parse_map(cli, &ret->map) : rc;
}
