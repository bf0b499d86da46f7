#include <inttypes.h>
#include <stdio.h>

#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/store.h"
#include "model/key.h"

struct coverage {
	struct drg_store *s;
	int64_t adapter; /* 0: all */
	enum drg_kind kind; /* DRG_KIND_NONE: all */
	int64_t min; /* per cent; 0: none is asked for */
	unsigned below;
	struct drg_buf counts; /* struct drg_count */
};

static int coverage_code(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	snprintf(ctx, 65, "%.*s", DRG_STR_ARG(r->v[DRG_F_CODE].s));
	return DRG_OK;
}

static int coverage_gather(void *ctx, const struct drg_count *c)
{
	struct coverage *x = ctx;
	if (c->type->id != DRG_TYPE_SOURCE || c->live == 0 || (x->adapter != 0 && c->adapter != x->adapter) ||
	    (x->kind != DRG_KIND_NONE && c->kind != x->kind))
		return DRG_OK;
	drg_buf_add(&x->counts, c, sizeof *c);
	return x->counts.rc == DRG_OK ? DRG_OK : DRG_ENOMEM;
}

static int coverage_line(struct coverage *x, const struct drg_count *c, struct drg_err *reterr)
{
	struct drg_record key;
	char code[65] = "";
	drg_key_adapter(&key, c->adapter);
	int rc = drg_store_get(x->s, &key, coverage_code, code, reterr);
	if (rc != DRG_OK && rc != DRG_ENOENT)
		return rc;
	/* Down, so that 100 means all of them. */
	int64_t tenths = c->mapped * 1000 / c->live;
	bool below = tenths < x->min * 10;
	x->below += below;
	printf("%-20s %-16s %10" PRId64 " %10" PRId64 " %10" PRId64 " %5" PRId64 ".%" PRId64 " %%%s\n", code,
	       drg_kind_name(c->kind), c->live, c->mapped, c->live - c->mapped, tenths / 10, tenths % 10,
	       below ? "  <" : "");
	return DRG_OK;
}

static int coverage_print(struct coverage *x, struct drg_err *reterr)
{
	int rc = drg_store_counts(x->s, coverage_gather, x, reterr);
	const struct drg_count *list = (const struct drg_count *)(const void *)x->counts.p;
	printf("%-20s %-16s %10s %10s %10s %7s\n", "supplier", "kind", "records", "mapped", "unmapped",
	       "share");
	for (size_t i = 0; i < x->counts.n / sizeof *list && rc == DRG_OK; i++)
		rc = coverage_line(x, &list[i], reterr);
	return rc;
}

int drg_cmd_coverage(struct drg_cli *cli)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	struct coverage x = { .kind = DRG_KIND_NONE, .min = drg_opt_int(cli->options, "min-coverage") };
	int rc = drg_cli_adapter_option(cli, &x.adapter);
	if (rc == DRG_OK && kind != NULL)
		rc = drg_read_kind(cli, kind, DRG_KIND_SOURCE_COUNT, &x.kind);
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	drg_buf_init(&x.counts, SIZE_MAX);
	rc = coverage_print(&x, &cli->err);
	drg_buf_done(&x.counts);
	drg_store_close(x.s);
	if (rc == DRG_OK && x.below > 0)
		rc = drg_fail(&cli->err, DRG_EINVAL, NULL, NULL, "%u of these are below %" PRId64 " %%",
		              x.below, x.min);
	return rc;
}
