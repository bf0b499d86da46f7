#include "api/list_rows.h"

#include <assert.h>
#include <stdlib.h>

#include "text/json.h"

static const size_t MAX_KEY_BYTES = (size_t)1 << 30;

int drg_list_rows_init(struct drg_list_rows *r, const struct drg_catalog *cat, struct drg_str lang,
                       struct drg_err *reterr)
{
	*r = (struct drg_list_rows){ .cat = cat, .pref = drg_catalog_langs(cat, lang) };
	drg_buf_init(&r->keys, MAX_KEY_BYTES);
	return drg_collator_open(lang, &r->collator, reterr);
}

void drg_list_rows_done(struct drg_list_rows *r)
{
	drg_collator_close(r->collator);
	drg_buf_done(&r->keys);
	free(r->row);
	r->row = NULL;
	r->n = r->cap = 0;
}

/* Room for so many rows, and for keys of names of the usual length. */
static bool make_rows(struct drg_list_rows *r, size_t most)
{
	enum { KEY_BYTES = 64 };
	drg_buf_clear(&r->keys);
	r->n = 0;
	if (most > r->cap) {
		free(r->row);
		r->row = malloc(most * sizeof *r->row);
		r->cap = r->row != NULL ? most : 0;
	}
	if (r->cap < most || !drg_buf_reserve(&r->keys, most * KEY_BYTES))
		r->rc = DRG_ENOMEM;
	return r->rc == DRG_OK;
}

static struct drg_list_row *new_row(struct drg_list_rows *r)
{
	struct drg_list_row *row = &r->row[r->n++];
	assert(r->n <= r->cap);
	memset(row, 0, sizeof *row);
	return row;
}

/* Names are kept with JSON's escapes; their order is that of the text itself. */
static void list_rows_add_key(struct drg_list_rows *r, struct drg_list_row *row)
{
	row->key_at = r->keys.n;
	if (memchr(row->name.p, '\\', row->name.n) == NULL) {
		drg_collator_key(r->collator, row->name, &r->keys);
	} else {
		struct drg_buf plain;
		drg_buf_init(&plain, row->name.n + 1);
		drg_json_unescape(&plain, row->name);
		drg_collator_key(r->collator, drg_buf_view(&plain), &r->keys);
		if (plain.rc != DRG_OK)
			r->rc = DRG_ENOMEM;
		drg_buf_done(&plain);
	}
	row->key_n = r->keys.n - row->key_at;
}

static int by_key_then_id(const void *pa, const void *pb, void *keys)
{
	const struct drg_list_row *a = pa, *b = pb;
	const char *k = keys;
	int c = drg_str_cmp(drg_str(k + a->key_at, a->key_n), drg_str(k + b->key_at, b->key_n));
	if (c != 0)
		return c;
	return a->id < b->id ? -1 : a->id > b->id;
}

static void list_rows_sort(struct drg_list_rows *r)
{
	if (r->keys.rc != DRG_OK)
		r->rc = DRG_ENOMEM;
	if (r->rc == DRG_OK && r->n > 0)
		qsort_r(r->row, r->n, sizeof *r->row, by_key_then_id, r->keys.p);
}

void drg_list_rows_set(struct drg_list_rows *r, const drg_handle *handles, size_t n)
{
	if (!make_rows(r, n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct drg_dict d;
		if (!drg_catalog_dict_at(r->cat, handles[i], &d))
			continue;
		struct drg_list_row *row = new_row(r);
		row->id = d.id;
		row->name = drg_dict_name_esc(&d, &r->pref);
		row->dict = d;
		list_rows_add_key(r, row);
	}
	list_rows_sort(r);
}

void drg_list_rows_set_kind(struct drg_list_rows *r, enum drg_kind kind)
{
	const drg_handle *all;
	size_t n = drg_catalog_kind_handles(r->cat, kind, &all);
	drg_list_rows_set(r, all, n);
}

void drg_list_rows_set_adapters(struct drg_list_rows *r, const struct drg_adapter *const *adapters, size_t n)
{
	if (!make_rows(r, n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct drg_list_row *row = new_row(r);
		row->id = adapters[i]->id;
		row->name = adapters[i]->name_esc;
		row->adapter = adapters[i];
		list_rows_add_key(r, row);
	}
	list_rows_sort(r);
}

void drg_list_rows_set_places(struct drg_list_rows *r, const char *code, int place)
{
	const size_t n = drg_air_count(r->cat);
	if (!make_rows(r, n))
		return;
	for (size_t i = 0; i < n; i++) {
		struct drg_air_place p;
		struct drg_str tag;
		drg_air_at(r->cat, i, &p);
		if ((place >= 0 && (int)p.place != place) ||
		    (code[0] != '\0' && !drg_str_eq(p.country_code, drg_str_c(code))))
			continue;
		struct drg_list_row *row = new_row(r);
		row->id = p.id;
		row->name = drg_air_title_esc(r->cat, &p, &r->pref, &tag);
		list_rows_add_key(r, row);
	}
	list_rows_sort(r);
}

bool drg_list_rows_name(const struct drg_list_rows *r, drg_handle h, int64_t *ret_id,
                        struct drg_str *ret_name)
{
	struct drg_dict d;
	if (h == DRG_NO_HANDLE || !drg_catalog_dict_at(r->cat, h, &d))
		return false;
	*ret_id = d.id;
	*ret_name = drg_dict_name_esc(&d, &r->pref);
	return true;
}
