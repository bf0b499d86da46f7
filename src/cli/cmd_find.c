#include <inttypes.h>
#include <stdio.h>

#include "admin/find.h"
#include "cli/adapter.h"
#include "cli/person.h"
#include "cli/store.h"
#include "model/key.h"
#include "text/json_scan.h"

struct find_print {
	struct drg_cli *cli;
	struct drg_store *s;
};

/* ---- parts of a line -------------------------------------------------------------------------------------- */

static int copy_name(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_arena arena;
	struct drg_json_item object, v;
	struct drg_json_walk w;
	struct drg_str lang, found = { NULL, 0 };
	struct drg_buf *out = ctx;
	(void)m;
	drg_arena_init(&arena, 1 << 20);
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), &arena, &object, NULL) == DRG_OK) {
		drg_json_walk_init(&w, &object, &arena);
		while (drg_json_walk_next(&w, &lang, &v) == DRG_OK)
			if (v.type == DRG_JSON_STRING && (found.p == NULL || drg_str_eq(lang, DRG_STR("en"))))
				found = v.s;
	}
	drg_buf_str(out, found);
	drg_arena_done(&arena);
	return DRG_OK;
}

/* ", Kemer": what a field of a dict record names, in English where there is that. */
static void print_place(const struct find_print *x, const struct drg_record *r, enum drg_field f,
                        enum drg_kind kind)
{
	struct drg_record key;
	struct drg_buf name;
	if (!drg_record_has(r, f))
		return;
	drg_buf_init(&name, 4096);
	drg_key_dict(&key, kind, r->v[f].i);
	if (drg_store_get(x->s, &key, copy_name, &name, NULL) == DRG_OK)
		printf(", %.*s", DRG_STR_ARG(name));
	drg_buf_done(&name);
}

struct mapped_by {
	int64_t adapters[64];
	unsigned n;
};

static int count_mapped(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct mapped_by *by = ctx;
	(void)m;
	if (r->type->id == DRG_TYPE_SOURCE && by->n < DRG_ARRAY_LEN(by->adapters))
		by->adapters[by->n++] = r->v[DRG_F_ADAPTER_ID].i;
	return DRG_OK;
}

static int copy_code(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	drg_buf_str(ctx, r->v[DRG_F_CODE].s);
	return DRG_OK;
}

static void print_code(const struct find_print *x, int64_t adapter)
{
	struct drg_record key;
	struct drg_buf code;
	drg_buf_init(&code, 256);
	drg_key_adapter(&key, adapter);
	if (drg_store_get(x->s, &key, copy_code, &code, NULL) == DRG_OK)
		printf("%.*s", DRG_STR_ARG(code));
	drg_buf_done(&code);
}

/* The suppliers that have a record mapped to it, each once. */
static int print_mapped(const struct find_print *x, const struct drg_record *r)
{
	struct mapped_by by = { .n = 0 };
	int rc = drg_store_referrers(x->s, drg_record_kind(r), r->v[DRG_F_ID].i, DRG_ARRAY_LEN(by.adapters),
	                             count_mapped, &by, &x->cli->err);
	bool first = true;
	for (unsigned i = 0; i < by.n; i++) {
		bool again = false;
		for (unsigned k = 0; k < i; k++)
			again |= by.adapters[k] == by.adapters[i];
		if (again)
			continue;
		fputs(first ? "  [" : " ", stdout);
		print_code(x, by.adapters[i]);
		first = false;
	}
	fputs(first ? "\n" : "]\n", stdout);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* ---- commands --------------------------------------------------------------------------------------------- */

static int print_dict(void *ctx, const struct drg_record *r, struct drg_str name)
{
	const struct find_print *x = ctx;
	printf("%-14s %10" PRId64 "  %.*s", drg_kind_name(drg_record_kind(r)), r->v[DRG_F_ID].i,
	       DRG_STR_ARG(name));
	print_place(x, r, DRG_F_CITY_ID, DRG_KIND_CITY);
	print_place(x, r, DRG_F_COUNTRY_ID, DRG_KIND_COUNTRY);
	return print_mapped(x, r);
}

static int print_source(void *ctx, const struct drg_record *r, struct drg_str name)
{
	const struct find_print *x = ctx;
	print_code(x, r->v[DRG_F_ADAPTER_ID].i);
	printf(" %s %.*s  %.*s", drg_kind_name(drg_record_kind(r)), DRG_STR_ARG(r->v[DRG_F_SOURCE_ID].s),
	       DRG_STR_ARG(name));
	if (drg_record_kind(r) == DRG_KIND_HOTEL || drg_record_kind(r) == DRG_KIND_CITY) {
		if (drg_record_has(r, DRG_F_CITY_NAME))
			printf(", %.*s", DRG_STR_ARG(r->v[DRG_F_CITY_NAME].s));
		if (drg_record_has(r, DRG_F_COUNTRY_NAME))
			printf(", %.*s", DRG_STR_ARG(r->v[DRG_F_COUNTRY_NAME].s));
	}
	if (drg_record_has(r, DRG_F_DICT_ID))
		printf("  -> %" PRId64 "\n", r->v[DRG_F_DICT_ID].i);
	else
		fputs("  (not mapped)\n", stdout);
	return DRG_OK;
}

static int find_run(struct drg_cli *cli, struct drg_find *f, drg_find_fn *print)
{
	const char *kind = drg_opt_text(cli->options, "kind");
	struct find_print x = { .cli = cli };
	f->text = drg_str_c(drg_opt_args(cli->options, NULL)[0]);
	f->limit = (unsigned)drg_opt_int(cli->options, "limit");
	f->one_kind = kind != NULL;
	int rc = kind != NULL ? drg_read_kind(cli, kind, f->sources ? DRG_KIND_SOURCE_COUNT : DRG_KIND_COUNT,
	                                      &f->kind)
	                      : DRG_OK;
	if (rc == DRG_OK)
		rc = drg_cli_open_store(cli, DRG_STORE_READ, &x.s);
	if (rc != DRG_OK)
		return rc;
	rc = drg_find_each(x.s, f, print, &x, &cli->err);
	drg_store_close(x.s);
	return rc;
}

int drg_cmd_dict_find(struct drg_cli *cli)
{
	struct drg_find f = { .country = drg_opt_int(cli->options, "country") };
	return find_run(cli, &f, print_dict);
}

int drg_cmd_map_find(struct drg_cli *cli)
{
	struct drg_find f = { .sources = true };
	int rc = drg_cli_adapter_option(cli, &f.adapter);
	return rc == DRG_OK ? find_run(cli, &f, print_source) : rc;
}
