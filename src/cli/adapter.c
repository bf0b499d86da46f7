#include "cli/adapter.h"

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

int drg_cli_adapter_option(struct drg_cli *cli, int64_t *ret)
{
	const char *text = drg_opt_text(cli->options, "adapter");
	*ret = 0;
	return text != NULL ? drg_cli_adapter_named(cli, text, ret) : DRG_OK;
}
