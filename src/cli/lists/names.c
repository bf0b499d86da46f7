#include "cli/lists/names.h"

#include <stdio.h>

#include "cli/data_dir.h"
#include "console/progress.h"
#include "model/key.h"
#include "store/fetch.h"
#include "text/json_scan.h"

static void names_progress(void *ctx, uint64_t done)
{
	drg_progress_show(ctx, "making the index of names, once:", done, 0, DRG_PROGRESS_RECORDS);
}

int drg_cli_names(struct drg_cli *cli, struct drg_store *s, enum drg_type_id type, size_t max_changed,
                  struct drg_name_index **ret)
{
	struct drg_data_dir dir;
	struct drg_progress progress;
	const char *file = type == DRG_TYPE_DICT ? "names.index" : "supplier-names.index";
	char path[sizeof dir.path + sizeof "/supplier-names.index"];
	int rc = drg_data_dir_open(cli, false, &dir, &cli->err);
	if (rc != DRG_OK)
		return rc;
	snprintf(path, sizeof path, "%s/%s", dir.path, file);
	const struct drg_name_index_options o = { .path = path,
		                                  .type = type,
		                                  .max_changed = max_changed,
		                                  .progress = names_progress,
		                                  .ctx = &progress };
	drg_progress_init(&progress);
	rc = drg_name_index_open(s, &o, ret, &cli->err);
	drg_progress_clear(&progress);
	return rc;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

/* Append the name of a dict record, in English if it has one. */
static void append_name(struct drg_buf *out, const struct drg_record *r)
{
	struct drg_arena arena;
	struct drg_json_item object, v;
	struct drg_json_walk w;
	struct drg_str lang, found = { NULL, 0 };
	drg_arena_init(&arena, 1 << 20);
	if (drg_json_scan(drg_record_s(r, DRG_F_NAMES), &arena, &object, NULL) == DRG_OK) {
		drg_json_walk_init(&w, &object, &arena);
		while (drg_json_walk_next(&w, &lang, &v) == DRG_OK)
			if (v.type == DRG_JSON_STRING && (found.p == NULL || drg_str_eq(lang, DRG_STR("en"))))
				found = v.s;
	}
	drg_buf_str(out, found);
	drg_arena_done(&arena);
}

static int copy_name(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	append_name(ctx, r);
	return DRG_OK;
}

int drg_list_dict_name(struct drg_store *s, enum drg_kind kind, int64_t id, struct drg_buf *out,
                       struct drg_err *reterr)
{
	struct drg_record key;
	drg_buf_clear(out);
	drg_key_dict(&key, kind, id);
	int rc = drg_store_get(s, &key, copy_name, out, reterr);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* What a field of a dict record names, in English where there is that. */
static void print_place(struct drg_listing *l, struct drg_store *s, const struct drg_record *r,
                        enum drg_field f, enum drg_kind kind)
{
	struct drg_record key;
	struct drg_buf name;
	drg_buf_init(&name, 4096);
	if (drg_record_has(r, f)) {
		drg_key_dict(&key, kind, r->v[f].i);
		if (drg_store_get(s, &key, copy_name, &name, NULL) != DRG_OK)
			drg_buf_clear(&name); /* a record that cannot be read has no name here */
	}
	if (name.n > 0)
		drg_listing_text(l, drg_buf_view(&name));
	else
		drg_listing_none(l);
	drg_buf_done(&name);
}

void drg_list_place(struct drg_listing *l, struct drg_store *s, const struct drg_record *r)
{
	print_place(l, s, r, DRG_F_CITY_ID, DRG_KIND_CITY);
	print_place(l, s, r, DRG_F_COUNTRY_ID, DRG_KIND_COUNTRY);
}

int drg_list_dict_names(struct drg_listing *l, struct drg_store *s, enum drg_kind kind, int64_t id,
                        struct drg_err *reterr)
{
	struct drg_record key, r;
	struct drg_arena arena;
	struct drg_buf name;
	drg_arena_init(&arena, 1 << 20);
	drg_buf_init(&name, 4096);
	drg_key_dict(&key, kind, id);
	int rc = drg_fetch(s, &key, &arena, &r, reterr);
	if (rc == DRG_OK) {
		append_name(&name, &r);
		drg_listing_text(l, drg_buf_view(&name));
		drg_list_place(l, s, &r);
	}
	drg_buf_done(&name);
	drg_arena_done(&arena);
	return rc;
}
