#include "server/source_export.h"

#include <assert.h>

struct source_exporting {
	const struct drg_source_export *x;
	struct drg_store *s;
	struct drg_snapshot *snapshot;
	struct drg_err *err;
};

static int source_export_item(const struct source_exporting *g, const struct drg_change *c)
{
	return g->x->item(g->x->ctx, c, g->err);
}

/* Leave out a record that the server's catalog refuses too (E14). The follower has counted and logged it. */
static int set_aside_or(int rc)
{
	return drg_snapshot_refuses(rc) ? DRG_OK : rc;
}

static int export_dict(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct source_exporting *g = ctx;
	struct drg_view view;
	const struct drg_change c = {
		.is_dict = true, .kind = drg_record_kind(r), .dict_id = r->v[DRG_F_ID].i, .view = &view
	};
	(void)m;
	if (drg_record_find_unknown_enum(r) != NULL || (g->x->filter.dict_kinds >> c.kind & 1) == 0)
		return DRG_OK;
	int rc = drg_snapshot_dict(g->snapshot, r, &view, g->err);
	return rc == DRG_OK ? source_export_item(g, &c) : set_aside_or(rc);
}

static int export_redirect(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct source_exporting *g = ctx;
	const struct drg_change c = { .is_dict = true,
		                      .is_merged = true,
		                      .kind = drg_record_kind(r),
		                      .dict_id = r->v[DRG_F_ID].i,
		                      .into = r->v[DRG_F_TO].i };
	(void)m;
	bool wanted = drg_record_find_unknown_enum(r) == NULL && (g->x->filter.dict_kinds >> c.kind & 1) != 0;
	return wanted ? source_export_item(g, &c) : DRG_OK;
}

static int export_source(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct source_exporting *g = ctx;
	struct drg_view view;
	const struct drg_change c = { .kind = drg_record_kind(r),
		                      .adapter = r->v[DRG_F_ADAPTER_ID].i,
		                      .source_id = r->v[DRG_F_SOURCE_ID].s,
		                      .view = &view };
	(void)m;
	if (drg_record_find_unknown_enum(r) != NULL || (g->x->filter.source_kinds >> c.kind & 1) == 0)
		return DRG_OK;
	int rc = drg_snapshot_source(g->snapshot, r, &view, g->err);
	return rc == DRG_OK ? source_export_item(g, &c) : set_aside_or(rc);
}

static int scan(struct source_exporting *g, enum drg_type_id type, int64_t adapter, drg_row_fn *fn)
{
	struct drg_rows rows;
	const struct drg_filter f = { .type = &drg_types[type],
		                      .adapter = adapter,
		                      .any_order = adapter == 0 };
	return drg_rows_each(drg_rows_scan(&rows, g->s, &f, g->err), fn, g);
}

static int export_all(struct source_exporting *g, const struct drg_clock *clock)
{
	const struct drg_cursor cursor = drg_cursor_at(clock);
	int rc = drg_snapshot_new(g->s, g->x->lang, &g->snapshot, g->err);
	if (rc != DRG_OK)
		return rc;
	rc = g->x->begin(g->x->ctx, &cursor, g->err);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_DICT, 0, export_dict);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_REDIRECT, 0, export_redirect);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_SOURCE, g->x->filter.adapter, export_source);
	drg_snapshot_free(g->snapshot);
	return rc;
}

int drg_source_export_run(const struct drg_source_export *x, struct drg_store *s, struct drg_err *reterr)
{
	struct source_exporting g = { .x = x, .s = s, .err = reterr };
	struct drg_clock clock;
	assert(x->begin != NULL && x->item != NULL);
	int rc = drg_store_hold(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = export_all(&g, &clock);
	drg_store_release(s);
	return rc;
}
