/* Loads records into the catalog: all of them into an empty one, and single ones. Quarantines the records
 * that the catalog refuses. */
#include "server/follower_priv.h"

#include <assert.h>

#include "server/branch.h"
#include "server/load_progress.h"
#include "server/loader.h"

/* Was the record refused? Then trying again is of no use, unlike after failures of memory or disk. */
static bool follower_is_refusal(int rc)
{
	return rc == DRG_ELIMIT || rc == DRG_EINVAL;
}

/* A record that the catalog refuses is removed from it. A stale copy would be worse: think of a key that was
 * just revoked. */
static int set_aside(const struct drg_follower_apply *a, const struct drg_record *r)
{
	struct drg_record gone = *r;
	int rc = drg_aside_add(a->aside, r, a->err, a->err);
	gone.deleted = true;
	if (rc == DRG_OK)
		rc = drg_catalog_apply(a->cat, &gone, a->err);
	return follower_is_refusal(rc) ? DRG_OK : rc;
}

/* Apply a row. A refused record never stops the feed (decision E14). A stop is checked at each row, because a
 * load can take a minute. */
static int follower_load_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)m;
	struct drg_follower_apply *a = ctx;
	if (atomic_load_explicit(&a->f->stopping, memory_order_relaxed))
		return DRG_ESTOPPED;
	a->rows++;
	if (a->progress != NULL)
		drg_load_progress_row(a->progress, a->rows);
	atomic_fetch_add_explicit(&a->f->rows, 1, memory_order_relaxed);
	int rc = drg_catalog_apply(a->cat, r, a->err);
	if (rc == DRG_OK)
		drg_aside_remove(a->aside, r);
	return follower_is_refusal(rc) ? set_aside(a, r) : rc;
}

int drg_follower_apply_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct drg_follower_apply *a = ctx;
	if (a->first && r->type->id == DRG_TYPE_REDIRECT && r->deleted)
		return DRG_OK; /* the restored record is applied before this removal */
	drg_follower_call_changed(a->f, r);
	return follower_load_row(ctx, r, m);
}

/* Publish the epoch first, so that its text has a place in the heap before records fill it. */
static int empty_catalog(struct drg_follower *f, struct drg_catalog **ret, struct drg_err *err)
{
	struct drg_catalog *cat;
	struct drg_clock clock;
	int rc = drg_catalog_new(&f->o.catalog, &cat, err);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_clock(f->store, &clock, err);
	if (rc == DRG_OK)
		rc = drg_catalog_publish(cat, 0, clock.epoch, err);
	if (rc == DRG_OK)
		*ret = cat;
	else
		drg_catalog_free(cat);
	return rc;
}

int drg_follower_publish(struct drg_catalog *cat, const struct drg_clock *commit, struct drg_err *err)
{
	assert(commit->seq >= drg_catalog_seq(cat)); /* a restored store gets a new catalog */
	drg_catalog_set_history(cat, drg_history_of(commit->epoch, commit->branch));
	return drg_catalog_publish(cat, commit->seq, commit->epoch, err);
}

int drg_follower_load(struct drg_follower *f, struct drg_aside *aside, struct drg_catalog **ret,
                      struct drg_clock *ret_clock, struct drg_err *err)
{
	struct drg_catalog *cat;
	int rc = empty_catalog(f, &cat, err);
	if (rc != DRG_OK)
		return rc;
	const struct drg_filter all = { .without = drg_catalog_ignored_types(),
		                        .internal = true,
		                        .any_order = true };
	struct drg_load_progress progress;
	struct drg_follower_apply a = { f, cat, aside, 0, err, false, &progress };
	drg_load_progress_begin(&progress, f->store);
	rc = drg_load_rows(f->store, &all, follower_load_row, &a, ret_clock, err);
	if (rc == DRG_OK)
		rc = drg_follower_publish(cat, ret_clock, err);
	/* Rows that were read while the file was replaced may be of neither store. */
	if (rc == DRG_OK)
		rc = drg_store_in_place(f->store, err);
	if (rc != DRG_OK) {
		drg_catalog_free(cat);
		return rc;
	}
	*ret = cat;
	return DRG_OK;
}
