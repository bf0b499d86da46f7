#include "server/source_export.h"

#include <assert.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

#include "base/clock.h"
#include "store/lend.h"

/* A longer export is cut off, or the log of the store would grow without end. */
static const int64_t LONGEST_NS = INT64_C(3600) * 1000000000;

struct drg_source_exports {
	struct drg_readers *readers;
	unsigned max; /* exports at one time */
	atomic_bool draining;
};

/* ---- one export ------------------------------------------------------------------------------------------ */

struct source_exporting {
	struct drg_source_export *x;
	struct drg_store *s;
	struct drg_snapshot *snapshot;
	int64_t until_ns;
	unsigned n;
	struct drg_err *err;
};

static int source_export_item(struct source_exporting *g, const struct drg_change *c)
{
	if ((++g->n & 1023) == 0 && drg_clock_ns() > g->until_ns)
		return DRG_ESTOPPED;
	return g->x->item(g->x->ctx, c);
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
	const struct drg_filter f = { .type = &drg_types[type],
		                      .adapter = adapter,
		                      .any_order = adapter == 0 };
	return drg_store_scan(g->s, &f, fn, g, NULL, g->err);
}

static int export_all(struct source_exporting *g, const struct drg_clock *clock)
{
	const struct drg_cursor cursor = drg_cursor_at(clock);
	int rc = drg_snapshot_new(g->s, g->x->lang, &g->snapshot, g->err);
	if (rc != DRG_OK)
		return rc;
	g->x->begun = true;
	rc = g->x->begin(g->x->ctx, &cursor);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_DICT, 0, export_dict);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_REDIRECT, 0, export_redirect);
	if (rc == DRG_OK)
		rc = scan(g, DRG_TYPE_SOURCE, g->x->filter.adapter, export_source);
	drg_snapshot_free(g->snapshot);
	return rc;
}

static int source_export_run(struct drg_read_job *j, struct drg_store *s, struct drg_err *reterr)
{
	struct drg_source_export *x = DRG_CONTAINER_OF(j, struct drg_source_export, job);
	struct source_exporting g = {
		.x = x, .s = s, .err = reterr, .until_ns = drg_clock_ns() + LONGEST_NS
	};
	struct drg_clock clock;
	int rc = drg_store_hold(s, &clock, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = export_all(&g, &clock);
	drg_store_release(s);
	x->complete = rc == DRG_OK && x->end(x->ctx) == DRG_OK;
	/* Items that were sent cannot be taken back: the export is cut off, not tried again. */
	return x->begun ? DRG_OK : rc;
}

static void ended(struct drg_read_job *j)
{
	struct drg_source_export *x = DRG_CONTAINER_OF(j, struct drg_source_export, job);
	x->done(x->ctx);
}

void drg_source_export_ask(struct drg_source_exports *e, struct drg_source_export *x)
{
	assert(x->begin != NULL && x->item != NULL && x->end != NULL);
	x->begun = x->complete = false;
	x->job = (struct drg_read_job){ .run = source_export_run, .done = ended };
	drg_source_exports_submit(e, &x->job, x->key_id);
}

void drg_source_exports_submit(struct drg_source_exports *e, struct drg_read_job *job, int64_t key_id)
{
	job->item.owner = key_id;
	if (drg_readers_submit(e->readers, job) == DRG_OK)
		return;
	drg_fail(&job->err, DRG_EBUSY, DRG_R(busy), NULL,
	         "%u exports of this key, or %u in all, are being read already; try again later",
	         DRG_EXPORTS_EACH, e->max);
	job->done(job);
}

/* ---- start and stop -------------------------------------------------------------------------------------- */

int drg_source_exports_start(const char *store_url, struct drg_follower *follower,
                             struct drg_source_exports **ret, struct drg_err *reterr)
{
	/* No export waits for a thread: it begins at once or is refused. One connection is left for short
	 * readings. */
	unsigned lendable = drg_store_lendable(store_url) - 1,
	         max = lendable < DRG_EXPORTS_MAX ? lendable : DRG_EXPORTS_MAX;
	assert(max > 0);
	const struct drg_readers_options o = { .store_url = store_url,
		                               .follower = follower,
		                               .threads = max,
		                               .max_jobs = max,
		                               .max_each = DRG_EXPORTS_EACH,
		                               .odd_words = true,
		                               .all_threads = true };
	struct drg_source_exports *e = calloc(1, sizeof *e);
	if (e == NULL)
		return drg_fail_memory(reterr);
	e->max = max;
	int rc = drg_readers_start(&o, &e->readers, reterr);
	if (rc == DRG_OK)
		*ret = e;
	else
		free(e);
	return rc;
}

void drg_source_exports_drain(struct drg_source_exports *e)
{
	if (e != NULL)
		atomic_store(&e->draining, true);
}

bool drg_source_exports_draining(const struct drg_source_exports *e)
{
	return atomic_load(&e->draining);
}

void drg_source_exports_stop(struct drg_source_exports *e)
{
	if (e == NULL)
		return;
	drg_readers_stop(e->readers);
	free(e);
}
