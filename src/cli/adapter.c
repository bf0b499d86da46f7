#include "cli/adapter.h"

#include <stdlib.h>
#include <string.h>

#include "cli/person.h"
#include "cli/store.h"
#include "model/key.h"

int drg_cli_adapter(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct drg_record key;
	struct drg_buf known; /* codes, for a message */
	int64_t id, found = 0;
	if (drg_str_to_i64(drg_str_c(text), &id)) {
		drg_key_adapter(&key, id);
		if (drg_store_exists(s, &key, &cli->err) == DRG_OK) {
			*ret = id;
			return DRG_OK;
		}
	}
	drg_buf_init(&known, 1024);
	for (drg_rows_scan(&rows, s, &f, &cli->err); drg_rows_next(&rows);) {
		struct drg_str code = rows.row.r.v[DRG_F_CODE].s;
		if (drg_str_eq_nocase(code, drg_str_c(text)))
			found = rows.row.r.v[DRG_F_ID].i;
		if (known.n < 300)
			drg_buf_printf(&known, "%s%.*s", known.n > 0 ? ", " : "", DRG_STR_ARG(code));
	}
	int rc = drg_rows_end(&rows);
	if (rc == DRG_OK && found == 0)
		rc = drg_fail(&cli->err, DRG_ENOENT, NULL, NULL,
		              "there is no supplier %s (there are: %.*s); 'dragoman supplier add %s' adds it",
		              text, (int)known.n, known.n > 0 ? known.p : "", text);
	drg_buf_done(&known);
	if (rc == DRG_OK)
		*ret = found;
	return rc;
}

int drg_cli_adapter_named(struct drg_cli *cli, const char *text, int64_t *ret)
{
	struct drg_store *s;
	int64_t id;
	if (drg_str_to_i64(drg_str_c(text), &id)) {
		*ret = id;
		return id > 0 && id <= INT32_MAX ? DRG_OK
		                                 : drg_fail(&cli->err, DRG_EUSAGE, NULL, "adapter",
		                                            "--adapter: expected an integer of 1 to "
		                                            "2147483647 or a code, found \"%s\"",
		                                            text);
	}
	int rc = drg_cli_open_store(cli, DRG_STORE_READ, &s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_cli_adapter(cli, s, text, ret);
	drg_store_close(s);
	return rc;
}

int drg_cli_adapters_option(struct drg_cli *cli, const char *name, const int64_t **ret, size_t *ret_n)
{
	size_t n;
	const char *const *texts = drg_opt_texts(cli->options, name, &n);
	int64_t *ids = drg_arena_alloc(cli->arena, (n + 1) * sizeof *ids);
	int rc = ids != NULL ? DRG_OK : drg_fail_memory(&cli->err);
	if (n == 1 && strcmp(texts[0], "all") == 0)
		n = 0;
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = drg_cli_adapter_named(cli, texts[i], &ids[i]);
	*ret = ids;
	*ret_n = n;
	return rc;
}

int drg_cli_source(struct drg_cli *cli, int64_t *ret_adapter, enum drg_kind *ret_kind, struct drg_str *ret_id)
{
	const char *const *args = drg_opt_args(cli->options, NULL);
	*ret_id = drg_str_c(args[2]);
	int rc = drg_cli_adapter_named(cli, args[0], ret_adapter);
	return rc == DRG_OK ? drg_cli_parse_kind(cli, args[1], DRG_KINDS_SOURCE, ret_kind) : rc;
}

int drg_cli_adapter_option(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_text(cli->options, "adapter");
	*ret = 0;
	return text != NULL ? drg_cli_adapter_named(cli, text, ret) : DRG_OK;
}

int drg_cli_which(struct drg_cli *cli, int64_t *ret_adapter, enum drg_kind *ret_kind)
{
	const char *kind = drg_opt_known(cli->options, "kind") ? drg_opt_text(cli->options, "kind") : NULL;
	*ret_kind = DRG_KIND_NONE;
	int rc = drg_cli_adapter_option(cli, ret_adapter);
	return rc == DRG_OK && kind != NULL ? drg_cli_parse_kind(cli, kind, DRG_KINDS_SOURCE, ret_kind) : rc;
}
