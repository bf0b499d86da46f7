#include "cli/adapter.h"

#include <stdlib.h>
#include <string.h>

#include "cli/person.h"
#include "cli/store.h"
#include "model/key.h"

struct adapter_search {
	struct drg_str code;
	int64_t found;
	struct drg_buf known; /* codes, for a message */
};

static int look_at_adapter(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct adapter_search *s = ctx;
	(void)m;
	if (drg_str_eq_nocase(r->v[DRG_F_CODE].s, s->code))
		s->found = r->v[DRG_F_ID].i;
	if (s->known.n < 300)
		drg_buf_printf(&s->known, "%s%.*s", s->known.n > 0 ? ", " : "",
		               DRG_STR_ARG(r->v[DRG_F_CODE].s));
	return DRG_OK;
}

int drg_cli_adapter(struct drg_cli *cli, struct drg_store *s, const char *text, int64_t *ret)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct adapter_search x = { .code = drg_str_c(text) };
	struct drg_record key;
	int64_t id;
	if (drg_str_to_i64(x.code, &id)) {
		drg_key_adapter(&key, id);
		if (drg_store_exists(s, &key, &cli->err) == DRG_OK)
			x.found = id;
	}
	drg_buf_init(&x.known, 1024);
	int rc = x.found == 0 ? drg_store_scan(s, &f, look_at_adapter, &x, NULL, &cli->err) : DRG_OK;
	if (rc == DRG_OK && x.found == 0)
		rc = drg_fail(&cli->err, DRG_ENOENT, NULL, NULL,
		              "there is no supplier %s (there are: %.*s); 'dragoman supplier add %s' adds it",
		              text, (int)x.known.n, x.known.n > 0 ? x.known.p : "", text);
	drg_buf_done(&x.known);
	if (rc == DRG_OK)
		*ret = x.found;
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
	return rc == DRG_OK ? drg_cli_parse_kind(cli, args[1], DRG_KIND_SOURCE_COUNT, ret_kind) : rc;
}

/* ---- codes --------------------------------------------------------------------------------------------- */

struct code_gathering {
	struct drg_cli *cli;
	struct drg_cli_codes *to;
};

struct cli_code {
	int64_t id;
	struct drg_str code;
};

static int codes_gather(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	const struct code_gathering *g = ctx;
	(void)m;
	const struct cli_code c = { r->v[DRG_F_ID].i, drg_arena_str(g->cli->arena, r->v[DRG_F_CODE].s) };
	drg_buf_add(&g->to->list, &c, sizeof c);
	return g->to->list.rc == DRG_OK && c.code.p != NULL ? DRG_OK : drg_fail_memory(&g->cli->err);
}

int drg_cli_codes_load(struct drg_cli *cli, struct drg_store *s, struct drg_cli_codes *ret)
{
	const struct drg_filter f = { .type = &drg_types[DRG_TYPE_ADAPTER] };
	struct code_gathering g = { cli, ret };
	drg_buf_init(&ret->list, SIZE_MAX);
	return drg_store_scan(s, &f, codes_gather, &g, NULL, &cli->err);
}

static int compare_code(const void *key, const void *row)
{
	int64_t id = *(const int64_t *)key, other = ((const struct cli_code *)row)->id;
	return id < other ? -1 : id > other;
}

struct drg_str drg_cli_code(struct drg_cli_codes *codes, int64_t adapter)
{
	const struct cli_code *c =
	        codes->list.n > 0
	                ? bsearch(&adapter, codes->list.p, codes->list.n / sizeof *c, sizeof *c, compare_code)
	                : NULL;
	return c != NULL ? c->code : drg_str(codes->number, drg_i64_text(adapter, codes->number));
}

void drg_cli_codes_done(struct drg_cli_codes *codes)
{
	drg_buf_done(&codes->list);
}

int drg_cli_adapter_option(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_text(cli->options, "adapter");
	*ret = 0;
	return text != NULL ? drg_cli_adapter_named(cli, text, ret) : DRG_OK;
}
