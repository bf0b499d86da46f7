#include "admin/migrate.h"

#include <string.h>

#include "store/restore.h"

struct migrate {
	const struct drg_migrate_options *o;
	struct drg_store *locked, *from, *to; /* the source is open twice: to hold its lock, and to read */
	bool held; /* `from` has a snapshot */
	struct drg_txn *lock; /* NULL: none is open */
	struct drg_clock clock;
	uint64_t total;
	struct drg_err *err;
};

/* ---- the source ----------------------------------------------------------------------------------------- */

static int migrate_count(void *ctx, const struct drg_count *c)
{
	struct migrate *m = ctx;
	m->total += (uint64_t)(c->live + c->tombstones);
	return DRG_OK;
}

/* Lock the source: no other process writes to it until drg_migrate() ends. */
static int migrate_lock_source(struct migrate *m)
{
	int rc = drg_store_open(m->o->from, DRG_STORE_WRITE, &m->locked, m->err);
	if (rc == DRG_OK)
		rc = drg_store_lock_imports(m->locked, m->err);
	if (rc == DRG_OK)
		rc = drg_store_begin(m->locked, &m->lock, m->err);
	return rc == DRG_OK ? drg_txn_disable_timeouts(m->lock, m->err) : rc;
}

static int migrate_read_source(struct migrate *m)
{
	int rc = drg_store_hold(m->from, &m->clock, m->err);
	m->held = rc == DRG_OK;
	return rc == DRG_OK ? drg_store_counts(m->from, migrate_count, m, m->err) : rc;
}

/* Is the source still locked? A lost connection releases its lock, and then rows may have been written that
 * were not read. */
static int migrate_still_locked(struct migrate *m)
{
	int rc = drg_store_in_place(m->locked, m->err);
	return rc == DRG_OK ? drg_txn_disable_timeouts(m->lock, m->err) : rc;
}

/* ---- all of it ------------------------------------------------------------------------------------------ */

static int migrate_open(struct migrate *m)
{
	struct drg_clock source, target;
	int rc = drg_store_open(m->o->from, DRG_STORE_READ, &m->from, m->err);
	if (rc == DRG_OK)
		rc = drg_store_open(m->o->to, DRG_STORE_TARGET, &m->to, m->err);
	if (rc == DRG_OK)
		rc = drg_store_clock(m->from, &source, m->err);
	if (rc == DRG_OK)
		rc = drg_store_clock(m->to, &target, m->err);
	if (rc == DRG_OK && strcmp(source.epoch, target.epoch) == 0)
		rc = drg_fail(m->err, DRG_EINVAL, NULL, NULL,
		              "the target is the source, or was made of it before; nothing was changed");
	if (rc == DRG_OK)
		drg_store_allow_unknown_enums(m->from);
	return rc;
}

static int migrate_records(void *from, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	return drg_move_records_of(((struct migrate *)from)->from, fn, ctx, reterr);
}

static int migrate_sides(void *from, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr)
{
	return drg_move_sides_of(((struct migrate *)from)->from, fn, ctx, reterr);
}

static int migrate_end(void *from, struct drg_clock *ret_clock, struct drg_matching *ret,
                       struct drg_err *reterr)
{
	struct migrate *m = from;
	*ret_clock = m->clock;
	int rc = migrate_still_locked(m);
	return rc == DRG_OK ? drg_store_matching(m->from, ret, reterr) : rc;
}

static int migrate_all(struct migrate *m, uint64_t *ret_rows)
{
	int rc = migrate_open(m);
	if (rc == DRG_OK)
		rc = migrate_lock_source(m);
	if (rc == DRG_OK)
		rc = migrate_read_source(m);
	const struct drg_move move = { .to = m->to,
		                       .from = m,
		                       .records = migrate_records,
		                       .sides = migrate_sides,
		                       .end = migrate_end,
		                       .total = m->total,
		                       .progress = m->o->progress,
		                       .progress_ctx = m->o->ctx };
	return rc == DRG_OK ? drg_move(&move, ret_rows, m->err) : rc;
}

/* Close and release everything that is open, in whatever state. */
static void migrate_close(struct migrate *m)
{
	drg_store_close(m->to);
	if (m->held)
		drg_store_release(m->from);
	drg_store_close(m->from);
	drg_txn_rollback(m->lock);
	drg_store_close(m->locked);
}

int drg_migrate(const struct drg_migrate_options *o, struct drg_migrated *ret, struct drg_err *reterr)
{
	struct migrate m = { .o = o, .err = reterr };
	uint64_t rows;
	int rc = migrate_all(&m, &rows);
	if (rc == DRG_OK)
		*ret = (struct drg_migrated){ rows, m.clock };
	migrate_close(&m);
	return rc;
}
