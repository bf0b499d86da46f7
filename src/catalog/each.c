/* Makes model records of the catalog's records, for `dragoman check`, which compares them with the store. */
#include "catalog/dict_priv.h"
#include "catalog/source_priv.h"

/* Room for the texts of one record. */
enum { RECORD_ROOM = 64 << 20 };

struct records_walk {
	const struct drg_catalog *c;
	struct drg_arena arena;
	drg_catalog_row_fn *fn;
	void *ctx;
};

static int each_call(struct records_walk *w, int rc, const struct drg_record *r)
{
	if (rc == DRG_OK)
		rc = w->fn(w->ctx, r);
	drg_arena_reset(&w->arena);
	return rc;
}

static int each_small(struct records_walk *w)
{
	struct drg_record r;
	const void *rows;
	int rc = DRG_OK;
	const struct drg_adapter *a;
	size_t n = drg_catalog_adapters(w->c, &a);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_adapter_record(&a[i], &r);
		rc = each_call(w, DRG_OK, &r);
	}
	const struct drg_direction *d;
	n = drg_catalog_directions(w->c, &d);
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_direction_record(&d[i], &r);
		rc = each_call(w, DRG_OK, &r);
	}
	n = drg_small_rows(&w->c->keys, &rows);
	const struct drg_key *k = rows;
	for (size_t i = 0; i < n && rc == DRG_OK; i++)
		rc = each_call(w, drg_key_record(&k[i], &w->arena, &r), &r);
	n = drg_small_rows(&w->c->people, &rows);
	const struct drg_person *p = rows;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_person_record(&p[i], &r);
		rc = each_call(w, DRG_OK, &r);
	}
	n = drg_small_rows(&w->c->sessions, &rows);
	const struct drg_session *s = rows;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		drg_session_record(&s[i], &r);
		rc = each_call(w, DRG_OK, &r);
	}
	return rc == DRG_OK ? drg_catalog_redirects_each(w->c, w->fn, w->ctx) : rc;
}

static int each_dict(struct records_walk *w)
{
	struct drg_record r;
	struct drg_dict d;
	uint32_t n = atomic_load_explicit(&w->c->handles.n, memory_order_relaxed);
	int rc = DRG_OK;
	for (drg_handle h = 1; h < n && rc == DRG_OK; h++)
		if (drg_catalog_dict_at(w->c, h, &d))
			rc = each_call(w, drg_dict_record(w->c, &d, &w->arena, &r), &r);
	return rc;
}

static int each_source(struct records_walk *w)
{
	struct drg_record r;
	struct drg_source s;
	size_t at = 0;
	drg_ref ref;
	int rc = DRG_OK;
	while (rc == DRG_OK && (ref = drg_table_next(&w->c->by_id, &at)) != DRG_NO_REF) {
		drg_source_fill(w->c, drg_source_rec_at(w->c, ref), &s);
		rc = each_call(w, drg_source_record(w->c, &s, &w->arena, &r), &r);
	}
	return rc;
}

int drg_catalog_each_small(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx)
{
	struct records_walk w = { .c = c, .fn = fn, .ctx = ctx };
	drg_arena_init(&w.arena, RECORD_ROOM);
	int rc = each_small(&w);
	if (rc == DRG_OK)
		rc = drg_air_each(c, &w.arena, fn, ctx);
	drg_arena_done(&w.arena);
	return rc;
}

int drg_catalog_each(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx)
{
	struct records_walk w = { .c = c, .fn = fn, .ctx = ctx };
	int rc = drg_catalog_each_small(c, fn, ctx);
	drg_arena_init(&w.arena, RECORD_ROOM);
	if (rc == DRG_OK)
		rc = each_dict(&w);
	if (rc == DRG_OK)
		rc = each_source(&w);
	drg_arena_done(&w.arena);
	return rc;
}
