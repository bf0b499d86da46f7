#include "api/list_json.h"

#include <stdlib.h>

#include "base/bound.h"

static const size_t MAX_WORK_BYTES = (size_t)1 << 30;

int drg_list_work_init(struct drg_list_work *k, const struct drg_catalog *cat, const struct drg_list_key *key,
                       struct drg_err *reterr)
{
	memset(k, 0, sizeof *k);
	drg_arena_init(&k->arena, MAX_WORK_BYTES);
	int rc = drg_list_rows_init(&k->rows, cat, drg_str_c(key->lang), reterr);
	k->rows.describe = key->description;
	return rc;
}

int drg_list_work_done(struct drg_list_work *k, int rc, struct drg_err *reterr)
{
	if (rc == DRG_OK && k->rows.rc != DRG_OK)
		rc = drg_fail_memory(reterr);
	drg_list_rows_done(&k->rows);
	drg_arena_done(&k->arena);
	return rc;
}

void drg_list_description(struct drg_jw *w, const struct drg_list_rows *rows, const struct drg_dict *d)
{
	if (!rows->describe)
		return;
	struct drg_str text = drg_dict_description_esc(d, &rows->pref);
	drg_jw_key(w, "description");
	if (text.p != NULL)
		drg_jw_escaped(w, text);
	else
		drg_jw_null(w);
}

void drg_list_members(struct drg_jw *w, const struct drg_list_rows *rows, const struct drg_dict *d)
{
	drg_jw_member_i64(w, "id", d->id);
	drg_jw_member_escaped(w, "name", drg_dict_name_esc(d, &rows->pref));
}

void drg_list_reference(struct drg_jw *w, const struct drg_list_rows *rows, drg_handle h, bool described)
{
	struct drg_dict d;
	if (h == DRG_NO_HANDLE || !drg_catalog_dict_at(rows->cat, h, &d)) {
		drg_jw_null(w);
		return;
	}
	drg_jw_object(w);
	drg_list_members(w, rows, &d);
	if (described)
		drg_list_description(w, rows, &d);
	drg_jw_object_end(w);
}

int64_t drg_list_dict_id(const struct drg_list_rows *rows, drg_handle h)
{
	struct drg_dict d;
	return h != DRG_NO_HANDLE && drg_catalog_dict_at(rows->cat, h, &d) ? d.id : 0;
}

static int by_name_then_id(const void *pa, const void *pb)
{
	const struct drg_list_row *a = *(const struct drg_list_row *const *)pa;
	const struct drg_list_row *b = *(const struct drg_list_row *const *)pb;
	int c = drg_str_cmp(a->name, b->name);
	if (c != 0)
		return c;
	return a->id < b->id ? -1 : a->id > b->id;
}

/* The first row of that name in rows sorted by name and id; NULL when there is none. */
static const struct drg_list_row *first_of_name(const struct drg_list_row *const *sorted, size_t n,
                                                struct drg_str name)
{
	size_t at;
	DRG_BOUND(at, n, i, drg_str_cmp(sorted[i]->name, name) < 0);
	return at < n && drg_str_eq(sorted[at]->name, name) ? sorted[at] : NULL;
}

/* "<name> #<id>"; a record that is really named so keeps its name, and this one gets the number once more. */
static bool numbered_key(const struct drg_list_row *const *sorted, size_t n, const struct drg_list_row *row,
                         struct drg_arena *arena, struct drg_str *ret)
{
	char id[DRG_I64_TEXT];
	size_t id_n = drg_i64_text(row->id, id);
	struct drg_str key = row->name;
	do {
		char *p = drg_arena_alloc(arena, key.n + 2 + id_n);
		if (p == NULL)
			return false;
		memcpy(p, key.p, key.n);
		memcpy(p + key.n, " #", 2);
		memcpy(p + key.n + 2, id, id_n);
		key = drg_str(p, key.n + 2 + id_n);
	} while (first_of_name(sorted, n, key) != NULL);
	*ret = key;
	return true;
}

struct drg_str *drg_list_name_keys(const struct drg_list_rows *rows, struct drg_arena *arena)
{
	struct drg_str *keys = drg_arena_calloc(arena, rows->n, sizeof *keys);
	const struct drg_list_row **sorted = drg_arena_calloc(arena, rows->n, sizeof *sorted);
	if (keys == NULL || sorted == NULL)
		return NULL;
	for (size_t i = 0; i < rows->n; i++)
		sorted[i] = &rows->row[i];
	if (rows->n > 0)
		qsort(sorted, rows->n, sizeof *sorted, by_name_then_id);
	for (size_t i = 0; i < rows->n; i++) {
		const struct drg_list_row *row = &rows->row[i];
		keys[i] = row->name;
		if (first_of_name(sorted, rows->n, row->name) != row &&
		    !numbered_key(sorted, rows->n, row, arena, &keys[i]))
			return NULL;
	}
	return keys;
}
