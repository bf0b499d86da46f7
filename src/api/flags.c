#include "api/flags.h"

#include <ctype.h>
#include <stdlib.h>

#include "api/flags_table.h"
#include "api/tables.h"
#include "base/bound.h"

static int flags_compare(const struct drg_flag_row *row, struct drg_str ratio, struct drg_str code)
{
	int c = drg_str_cmp(drg_str_c(row->ratio), ratio);
	return c != 0 ? c : drg_str_cmp(drg_str_c(row->code), code);
}

static const struct drg_flag_row *flags_find(struct drg_str ratio, struct drg_str code)
{
	const struct drg_flag_row *rows = drg_flag_rows;
	size_t at;
	DRG_BOUND(at, drg_flag_count, i, flags_compare(&rows[i], ratio, code) < 0);
	return at < drg_flag_count && flags_compare(&rows[at], ratio, code) == 0 ? &rows[at] : NULL;
}

const char *drg_flag_name(struct drg_str alpha_2)
{
	if (alpha_2.n == 2) {
		char code[2] = { (char)tolower((unsigned char)alpha_2.p[0]),
			         (char)tolower((unsigned char)alpha_2.p[1]) };
		const struct drg_flag_row *row = flags_find(DRG_STR("4x3"), drg_str(code, sizeof code));
		if (row != NULL)
			return row->code;
	}
	return "xx";
}

/* The contents of all flags, kept until the program ends; NULL: out of memory. */
static struct drg_content *all_flags(void)
{
	static _Atomic(struct drg_content *) table;
	struct drg_content *all = atomic_load_explicit(&table, memory_order_acquire);
	struct drg_content *mine = all == NULL ? calloc(drg_flag_count, sizeof *mine) : NULL;
	if (mine == NULL)
		return all;
	for (size_t i = 0; i < drg_flag_count; i++) {
		const struct drg_flag_row *row = &drg_flag_rows[i];
		atomic_init(&mine[i].holders, 1);
		mine[i].type = "image/svg+xml";
		mine[i].cache_control = "public, max-age=86400";
		mine[i].body[DRG_CODING_IDENTITY] = drg_str(drg_flags_blob + row->at, row->n);
		mine[i].body[DRG_CODING_GZIP] = drg_str(drg_flags_blob + row->at + row->n, row->n_gzip);
		memcpy(mine[i].etag, row->etag, strlen(row->etag) + 1);
	}
	if (atomic_compare_exchange_strong(&table, &all, mine))
		return mine;
	free(mine);
	return all;
}

static int flag(struct drg_exchange *x)
{
	struct drg_str ratio = drg_exchange_text(x, "ratio"), file = drg_exchange_text(x, "file");
	const struct drg_flag_row *row = NULL;
	if (file.n == 6 && memcmp(file.p + 2, ".svg", 4) == 0)
		row = flags_find(ratio, drg_str(file.p, 2));
	if (row == NULL)
		return drg_fail(drg_exchange_err(x), DRG_ENOENT, DRG_R(unknown_flag), NULL,
		                "there is no such flag; the paths are /flags/1x1/tr.svg and "
		                "/flags/4x3/tr.svg, with the code "
		                "in lower case");
	struct drg_content *all = all_flags();
	if (all == NULL)
		return DRG_ENOMEM;
	drg_content_hold(&all[row - drg_flag_rows]);
	drg_exchange_content(x, &all[row - drg_flag_rows], NULL);
	return DRG_OK;
}

static const struct drg_param flags_params[] = {
	{ .name = "ratio",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 16,
	  .doc = "1x1 or 4x3",
	  .schema = "{\"enum\":[\"1x1\",\"4x3\"]}" },
	{ .name = "file",
	  .type = DRG_P_TEXT,
	  .in_path = true,
	  .required = true,
	  .max = 16,
	  .doc = "xx.svg",
	  .schema = "{\"pattern\":\"^[a-z]{2}[.]svg$\"}" },
	{ 0 },
};

const struct drg_endpoint drg_flags_endpoints[] = {
	{ .method = DRG_GET,
	  .path = "/flags/:ratio/:file",
	  .name = "flag",
	  .handler = flag,
	  .auth = DRG_AUTH_PUBLIC,
	  .cors = true,
	  .params = flags_params,
	  .summary = "A country's flag" },
	{ 0 },
};
