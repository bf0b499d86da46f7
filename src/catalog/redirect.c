#include "catalog/catalog_priv.h"

#include <assert.h>

/* Redirects: the ids of dict records that were merged into others. They are looked up only if a record is not
 * found. */

struct redirect {
	int64_t kind, id, to;
};

static int redirect_compare(const void *a, const void *b)
{
	const struct redirect *x = a, *y = b;
	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	return x->id < y->id ? -1 : x->id > y->id;
}

void drg_catalog_redirects_init(struct drg_small *s)
{
	drg_small_init(s, sizeof(struct redirect), redirect_compare);
}

int drg_redirect_apply(struct drg_catalog *c, const struct drg_record *r, struct drg_err *reterr)
{
	assert(r->type->id == DRG_TYPE_REDIRECT);
	const struct redirect row = {
		.kind = (int64_t)drg_record_kind(r),
		.id = r->v[DRG_F_ID].i,
		.to = drg_record_i(r, DRG_F_TO, 0),
	};
	return drg_small_change(&c->redirects, &row, r->deleted, reterr);
}

static void record_of(const struct redirect *row, struct drg_record *ret)
{
	drg_record_init(ret, &drg_types[DRG_TYPE_REDIRECT]);
	drg_record_set_i(ret, DRG_F_KIND, row->kind);
	drg_record_set_i(ret, DRG_F_ID, row->id);
	drg_record_set_i(ret, DRG_F_TO, row->to);
}

int drg_catalog_redirects_each(const struct drg_catalog *c, drg_catalog_row_fn *fn, void *ctx)
{
	const void *rows;
	size_t n = drg_small_rows(&c->redirects, &rows);
	const struct redirect *row = rows;
	int rc = DRG_OK;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		struct drg_record r;
		record_of(&row[i], &r);
		rc = fn(ctx, &r);
	}
	return rc;
}

int64_t drg_catalog_resolve(const struct drg_catalog *c, enum drg_kind kind, int64_t id)
{
	if (drg_handle_ref(&c->handles, drg_handle_find(&c->handles, kind, id)) != DRG_NO_REF)
		return id;
	const struct redirect key = { .kind = (int64_t)kind, .id = id };
	const struct redirect *row = drg_small_find(&c->redirects, &key);
	return row != NULL ? row->to : id;
}
