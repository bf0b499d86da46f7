#include "cli/adapter.h"

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
