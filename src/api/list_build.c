#include "api/list_build.h"

#include "api/reading.h"

static void set_rows_of_kind(struct drg_list_work *k, enum drg_kind kind)
{
	if (kind == DRG_KIND_COUNTRY)
		drg_list_rows_set(&k->rows, k->sel.countries, k->sel.n_countries);
	else if (kind == DRG_KIND_DEP_CITY)
		drg_list_rows_set(&k->rows, k->sel.dep_cities, k->sel.n_dep_cities);
	else
		drg_list_rows_set_kind(&k->rows, kind);
}

static void set_rows(struct drg_list_work *k, const struct drg_list_member *m)
{
	struct drg_list_rows *rows = &k->rows;
	const struct drg_selection *sel = &k->sel;
	switch (m->part) {
	case DRG_LIST_OPERATORS: drg_list_rows_set_adapters(rows, sel->operators, sel->n_operators); break;
	case DRG_LIST_KIND: set_rows_of_kind(k, m->kind); break;
	case DRG_LIST_CITIES: drg_list_rows_set(rows, sel->cities, sel->n_cities); break;
	case DRG_LIST_RESORTS: break;
	case DRG_LIST_HOTELS: drg_list_rows_set(rows, sel->hotels, sel->n_hotels); break;
	}
}

static void list_build_id_and_name(struct drg_jw *w, const struct drg_list_row *row, const char *title)
{
	drg_jw_member_i64(w, "id", row->id);
	drg_jw_member_escaped(w, title, row->name);
}

static void row_key(struct drg_jw *w, enum drg_list_by by, const struct drg_list_row *row,
                    const struct drg_str *name_key)
{
	char id[DRG_I64_TEXT];
	switch (by) {
	case DRG_LIST_ARRAY: break;
	case DRG_LIST_BY_ID: drg_jw_key_escaped(w, drg_str(id, drg_i64_text(row->id, id))); break;
	case DRG_LIST_BY_CODE:
		drg_jw_key_escaped(w, row->adapter != NULL ? row->adapter->code_esc : row->dict.code);
		break;
	case DRG_LIST_BY_NAME: drg_jw_key_escaped(w, *name_key); break;
	}
}

static void write_item(struct drg_jw *w, const char *list, const struct drg_list_row *row)
{
	drg_jw_object(w);
	drg_jw_member_str(w, "kind", drg_str_c(list));
	list_build_id_and_name(w, row, "name");
	drg_jw_object_end(w);
}

static void write_rows(struct drg_list_work *k, const struct drg_list_member *m, const struct drg_str *keys,
                       struct drg_jw *w, struct drg_jw *items)
{
	for (size_t i = 0; i < k->rows.n; i++) {
		const struct drg_list_row *row = &k->rows.row[i];
		if (m->part == DRG_LIST_RESORTS && !row->dict.is_resort)
			continue;
		row_key(w, m->by, row, keys != NULL ? &keys[i] : NULL);
		drg_jw_object(w);
		list_build_id_and_name(w, row, m->title != NULL ? m->title : "name");
		if (m->more != NULL)
			m->more(w, k, row);
		drg_jw_object_end(w);
		if (items != NULL)
			write_item(items, m->name, row);
	}
}

static int list_build_write_member(struct drg_list_work *k, const struct drg_list_member *m, struct drg_jw *w,
                                   struct drg_jw *items)
{
	bool array = m->by == DRG_LIST_ARRAY;
	const struct drg_str *keys = NULL;
	set_rows(k, m);
	if (m->by == DRG_LIST_BY_NAME) {
		keys = drg_list_name_keys(&k->rows, &k->arena);
		if (keys == NULL)
			return DRG_ENOMEM;
	}
	drg_jw_key(w, m->name);
	(array ? drg_jw_array : drg_jw_object)(w);
	write_rows(k, m, keys, w, items);
	(array ? drg_jw_array_end : drg_jw_object_end)(w);
	return DRG_OK;
}

static struct drg_list_member list_build_kind(const struct drg_list_form *form, enum drg_kind kind)
{
	static const enum drg_list_by by[] = { [DRG_KEYED_ID] = DRG_LIST_BY_ID,
		                               [DRG_KEYED_CODE] = DRG_LIST_BY_CODE,
		                               [DRG_KEYED_NAME] = DRG_LIST_BY_NAME };
	const struct drg_kind_row *row = &drg_kinds[kind];
	return (struct drg_list_member){ .name = form->with_status ? row->name : row->plural,
		                         .part = DRG_LIST_KIND,
		                         .by = form->with_status ? DRG_LIST_ARRAY : by[row->keyed],
		                         .more = form->kind_more,
		                         .kind = kind };
}

static int list_build_write_members(struct drg_list_work *k, const struct drg_list_form *form,
                                    struct drg_jw *w, struct drg_jw *items)
{
	int rc = DRG_OK;
	drg_jw_object(w);
	for (const struct drg_list_member *m = form->members; m->name != NULL && rc == DRG_OK; m++)
		rc = list_build_write_member(k, m, w, items);
	for (unsigned i = 0; i < DRG_KIND_COUNT && form->kind_more != NULL && rc == DRG_OK; i++) {
		const enum drg_kind kind = (enum drg_kind)drg_kinds_in_order[i];
		const struct drg_list_member m = list_build_kind(form, kind);
		if (drg_kinds[kind].keyed != DRG_KEYED_NOT)
			rc = list_build_write_member(k, &m, w, items);
	}
	drg_jw_object_end(w);
	return rc;
}

static int write_with_items(struct drg_list_work *k, const struct drg_list_form *form, struct drg_jw *w,
                            struct drg_err *err)
{
	struct drg_buf text;
	drg_buf_init(&text, w->b->max);
	struct drg_jw items = { .b = &text };
	drg_jw_array(&items);
	int rc = list_build_write_members(k, form, w, &items);
	drg_jw_array_end(&items);
	drg_jw_member_raw(w, "items", drg_buf_view(&text));
	if (rc == DRG_OK && text.rc != DRG_OK)
		rc = drg_fail(err, text.rc, NULL, NULL, "the list is too large to build");
	drg_buf_done(&text);
	return rc;
}

static int write_form(struct drg_list_work *k, const struct drg_list_form *form, struct drg_buf *out,
                      struct drg_err *err)
{
	struct drg_jw w = { .b = out };
	if (form->with_status)
		drg_data_begin(&w);
	else
		drg_buf_lit(out, "{\"data\":");
	int rc = form->with_items ? write_with_items(k, form, &w, err)
	                          : list_build_write_members(k, form, &w, NULL);
	drg_data_end(&w);
	return rc;
}

int drg_list_build(const struct drg_catalog *cat, const struct drg_list_key *key, void *ctx,
                   struct drg_buf *out, int64_t *ret_total, struct drg_err *err)
{
	(void)ret_total;
	const struct drg_list_form *form = key->form;
	struct drg_list_work k;
	int rc = drg_list_work_init(&k, cat, key, err);
	k.public_url = ((const struct drg_app *)ctx)->public_url;
	if (rc == DRG_OK && form->of_direction)
		rc = drg_select_hotels(cat, key->demo, key->dep_city, key->country, &k.arena, &k.sel, err);
	else if (rc == DRG_OK)
		rc = drg_select_main(cat, key->demo, key->country_code, &k.arena, &k.sel, err);
	if (rc == DRG_OK)
		rc = write_form(&k, form, out, err);
	return drg_list_work_done(&k, rc, err);
}
