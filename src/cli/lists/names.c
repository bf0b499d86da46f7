#include "cli/lists/names.h"

#include <stdio.h>

#include "cli/data_dir.h"
#include "console/progress.h"
#include "model/key.h"
#include "model/names.h"
#include "store/fetch.h"

static void names_progress(void *ctx, uint64_t done)
{
	drg_progress_show(ctx, "making the index of names, once:", done, 0, DRG_PROGRESS_RECORDS);
}

/* So many records that were changed since are read as they are. Suppliers' change with each load and each
 * mapping. */
enum { SMALL_CHANGE = 5000, SMALL_CHANGE_OF_SOURCES = 50000 };

int drg_cli_names(struct drg_cli *cli, struct drg_store *s, enum drg_type_id type,
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
		                                  .max_changed = type == DRG_TYPE_DICT
		                                                         ? SMALL_CHANGE
		                                                         : SMALL_CHANGE_OF_SOURCES,
		                                  .progress = names_progress,
		                                  .ctx = &progress };
	drg_progress_init(&progress);
	rc = drg_name_index_open(s, &o, ret, &cli->err);
	drg_progress_clear(&progress);
	return rc;
}

/* ---- cells --------------------------------------------------------------------------------------------- */

int drg_list_dict_name(struct drg_store *s, enum drg_kind kind, int64_t id, struct drg_buf *out,
                       struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	struct drg_arena arena;
	struct drg_str name;
	drg_buf_clear(out);
	drg_arena_init(&arena, 1 << 20);
	drg_key_dict(&key, kind, id);
	drg_rows_get(&rows, s, &key, reterr);
	if (drg_rows_next(&rows) && (rows.rc = drg_main_name(&rows.row.r, &arena, &name)) == DRG_OK) {
		drg_buf_str(out, name);
		rows.rc = out->rc;
	}
	int rc = drg_rows_end(&rows);
	drg_arena_done(&arena);
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

/* Print the record that a field of a dict record names, in English if it has an English name. */
static int print_place(struct drg_listing *l, struct drg_store *s, const struct drg_record *r,
                       enum drg_field f, struct drg_err *reterr)
{
	struct drg_buf name;
	drg_buf_init(&name, 4096);
	int rc = drg_record_has(r, f)
	                 ? drg_list_dict_name(s, drg_kind_named_by(f), drg_record_i(r, f, 0), &name, reterr)
	                 : DRG_OK;
	if (rc == DRG_OK && name.n > 0)
		drg_listing_text(l, drg_buf_view(&name));
	else if (rc == DRG_OK)
		drg_listing_none(l);
	drg_buf_done(&name);
	return rc;
}

int drg_list_place(struct drg_listing *l, struct drg_store *s, const struct drg_record *r,
                   struct drg_err *reterr)
{
	int rc = print_place(l, s, r, DRG_F_CITY_ID, reterr);
	return rc == DRG_OK ? print_place(l, s, r, DRG_F_COUNTRY_ID, reterr) : rc;
}

int drg_list_dict_names(struct drg_listing *l, struct drg_store *s, enum drg_kind kind, int64_t id,
                        struct drg_err *reterr)
{
	struct drg_record key, r;
	struct drg_arena arena;
	struct drg_str name;
	drg_arena_init(&arena, 1 << 20);
	drg_key_dict(&key, kind, id);
	int rc = drg_fetch(s, &key, &arena, &r, reterr);
	if (rc == DRG_OK)
		rc = drg_main_name(&r, &arena, &name);
	if (rc == DRG_OK) {
		drg_listing_text(l, name);
		rc = drg_list_place(l, s, &r, reterr);
	}
	drg_arena_done(&arena);
	return rc;
}
