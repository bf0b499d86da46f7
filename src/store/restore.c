#include "store/restore.h"

#include "store/side_priv.h"
#include "store/store_priv.h"

static const struct drg_restore_ops *restore_ops_of(const struct drg_store *s)
{
	return ((const struct drg_store_head *)s)->ops->restore;
}

static const struct drg_restore_ops *restore_ops(const struct drg_txn *t)
{
	return restore_ops_of(drg_txn_store(t));
}

/* ---- an empty store ------------------------------------------------------------------------------------- */

static int restore_found_row(void *ctx, const struct drg_count *c)
{
	(void)ctx, (void)c;
	return DRG_EINVAL; /* one row is enough */
}

static int restore_found_side(void *ctx, const void *row)
{
	(void)ctx, (void)row;
	return DRG_EINVAL; /* one row is enough */
}

static int restore_check_empty(struct drg_store *s, struct drg_err *reterr)
{
	struct drg_clock clock;
	int rc = drg_store_clock(s, &clock, reterr);
	if (rc == DRG_OK && clock.seq > 0)
		rc = DRG_EINVAL;
	if (rc == DRG_OK)
		rc = drg_store_counts(s, restore_found_row, NULL, reterr);
	/* A new store already has a row of commit times, and is marked as repaired. */
	for (unsigned i = 0; i < DRG_SIDE_TABLES && rc == DRG_OK; i++)
		if (i != DRG_SIDE_MOMENT && i != DRG_SIDE_REPAIR)
			rc = drg_store_each_side(s, (enum drg_side_id)i, restore_found_side, NULL, reterr);
	if (rc != DRG_EINVAL)
		return rc;
	return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
	                "there is a store in the target, which is not empty: name a folder or file without "
	                "one, or an "
	                "empty database; nothing was changed");
}

static int restore_prepare(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_store *s = drg_txn_store(t);
	int rc = drg_txn_disable_timeouts(t, reterr);
	if (rc != DRG_OK)
		return rc;
	if (restore_ops(t)->incomplete(s))
		return restore_ops(t)->clear(t, reterr);
	rc = restore_check_empty(s, reterr);
	return rc == DRG_OK ? restore_ops(t)->mark(t, reterr) : rc;
}

int drg_store_make_target(struct drg_store *s, struct drg_err *reterr)
{
	struct drg_txn *t;
	int rc = drg_store_begin(s, &t, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = restore_prepare(t, reterr);
	if (rc == DRG_OK)
		return drg_txn_commit(t, NULL, reterr);
	drg_txn_rollback(t);
	return rc;
}

/* ---- what comes in -------------------------------------------------------------------------------------- */

bool drg_store_restores_in_parts(const struct drg_store *s)
{
	return restore_ops_of(s)->in_parts;
}

int drg_txn_disable_timeouts(struct drg_txn *t, struct drg_err *reterr)
{
	const struct drg_restore_ops *ops = restore_ops(t);
	return ops->unhurried != NULL ? ops->unhurried(t, reterr) : DRG_OK;
}

int drg_txn_restore(struct drg_txn *t, const struct drg_record *r, const struct drg_row_meta *m,
                    struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_txn_note_write(h, restore_ops(t)->row(t, r, m, reterr)) : rc;
}

int drg_txn_restore_side(struct drg_txn *t, enum drg_side_id side, const void *row, struct drg_err *reterr)
{
	return drg_txn_side_put(t, side, row, reterr);
}

int drg_store_each_side(struct drg_store *s, enum drg_side_id side, drg_side_fn *fn, void *ctx,
                        struct drg_err *reterr)
{
	return drg_store_side(s, DRG_SIDE_ALL + side, NULL, fn, ctx, reterr);
}

int drg_txn_restore_rows_end(struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	if (rc != DRG_OK || restore_ops(t)->rows_end == NULL)
		return rc;
	return drg_txn_note_write(h, restore_ops(t)->rows_end(t, reterr));
}

int drg_txn_restore_end(struct drg_txn *t, const struct drg_clock *clock, struct drg_err *reterr)
{
	struct drg_txn_head *h = drg_txn_head(t);
	int rc = drg_txn_usable(h, reterr);
	return rc == DRG_OK ? drg_txn_note_write(h, restore_ops(t)->whole(t, clock, reterr)) : rc;
}
