#include "admin/migrate.h"

#include <inttypes.h>
#include <string.h>

#include "admin/row_sum.h"
#include "store/matching.h"
#include "store/restore.h"

/* Sorts of rows: the types of records, then the side tables. */
enum { SORT_COUNT = DRG_TYPE_COUNT + DRG_SIDE_TABLES };

struct migrate {
	const struct drg_migrate_options *o;
	struct drg_store *locked, *from, *to; /* the source twice: to hold its lock, and to read */
	struct drg_txn *lock, *t; /* NULL: none is open */
	struct drg_clock clock;
	uint64_t total, done;
	unsigned in_part; /* rows since the last commit */
	struct drg_row_sum sent[SORT_COUNT], found[SORT_COUNT];
	enum drg_side_id side; /* that is read */
	struct drg_buf bytes; /* to build in */
	struct drg_err *err;
};

static void migrate_show(struct migrate *m, enum drg_migrate_step step, uint64_t total)
{
	if (m->o->progress != NULL)
		m->o->progress(m->o->ctx, step, m->done, total);
}

/* ---- digests -------------------------------------------------------------------------------------------- */

static void migrate_add_i(struct migrate *m, int64_t i)
{
	drg_buf_add(&m->bytes, &i, sizeof i);
}

static void migrate_add_s(struct migrate *m, struct drg_str s)
{
	migrate_add_i(m, (int64_t)s.n);
	drg_buf_str(&m->bytes, s);
}

/* What was built is a row of the sort. */
static int migrate_digest(struct migrate *m, struct drg_row_sum *d)
{
	if (m->bytes.rc != DRG_OK)
		return drg_fail_memory(m->err);
	drg_row_sum_add(d, drg_buf_view(&m->bytes));
	m->done++;
	return DRG_OK;
}

static int migrate_digest_row(struct migrate *m, struct drg_row_sum *sorts, const struct drg_record *r,
                              const struct drg_row_meta *meta)
{
	drg_buf_clear(&m->bytes);
	migrate_add_i(m, meta->row);
	migrate_add_i(m, meta->seq);
	migrate_add_i(m, meta->created_seq);
	migrate_add_i(m, meta->data_seq);
	migrate_add_i(m, meta->mapped_seq);
	drg_record_pack(r, &m->bytes);
	return migrate_digest(m, &sorts[r->type->id]);
}

static int migrate_digest_side(struct migrate *m, struct drg_row_sum *sorts, const void *row)
{
	const struct drg_side *side = &drg_sides[m->side];
	drg_buf_clear(&m->bytes);
	for (unsigned i = 0; i < side->n_columns; i++) {
		const struct drg_side_value v = drg_side_value(&side->columns[i], row);
		if (v.is_text)
			migrate_add_s(m, v.v.s);
		else
			migrate_add_i(m, v.v.i);
	}
	return migrate_digest(m, &sorts[DRG_TYPE_COUNT + m->side]);
}

/* Every row beside the records. */
static int migrate_each_side(struct migrate *m, struct drg_store *s, drg_side_fn *fn)
{
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_SIDE_TABLES && rc == DRG_OK; i++) {
		m->side = (enum drg_side_id)i;
		rc = drg_store_each_side(s, m->side, fn, m, m->err);
	}
	return rc;
}

/* ---- copying -------------------------------------------------------------------------------------------- */

static int migrate_begin(struct migrate *m)
{
	int rc = drg_store_begin(m->to, &m->t, m->err);
	return rc == DRG_OK ? drg_txn_unhurried(m->t, m->err) : rc;
}

static int migrate_commit(struct migrate *m)
{
	struct drg_txn *t = m->t;
	m->t = NULL;
	return drg_txn_commit(t, NULL, m->err);
}

static int migrate_one_sent(struct migrate *m)
{
	enum { PART = 100000 };
	if (!drg_store_restores_in_parts(m->to) || ++m->in_part < PART)
		return DRG_OK;
	m->in_part = 0;
	int rc = migrate_commit(m);
	return rc == DRG_OK ? migrate_begin(m) : rc;
}

static int migrate_row_sent(struct migrate *m)
{
	migrate_show(m, DRG_MIGRATE_COPYING, m->total);
	return migrate_one_sent(m);
}

static int migrate_send_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct migrate *m = ctx;
	int rc = migrate_digest_row(m, m->sent, r, meta);
	if (rc == DRG_OK)
		rc = drg_txn_restore(m->t, r, meta, m->err);
	return rc == DRG_OK ? migrate_row_sent(m) : rc;
}

static int migrate_send_side(void *ctx, const void *row)
{
	struct migrate *m = ctx;
	int rc = migrate_digest_side(m, m->sent, row);
	if (rc == DRG_OK)
		rc = drg_txn_restore_side(m->t, m->side, row, m->err);
	return rc == DRG_OK ? migrate_one_sent(m) : rc;
}

static const struct drg_filter everything = { .tombstones = true, .internal = true, .any_order = true };

static int migrate_copy(struct migrate *m)
{
	int rc = migrate_begin(m);
	if (rc == DRG_OK)
		rc = drg_store_scan(m->from, &everything, migrate_send_row, m, NULL, m->err);
	migrate_show(m, DRG_MIGRATE_INDEXING, 0);
	if (rc == DRG_OK)
		rc = drg_txn_restored_rows(m->t, m->err);
	return rc == DRG_OK ? migrate_each_side(m, m->from, migrate_send_side) : rc;
}

/* ---- comparing ------------------------------------------------------------------------------------------ */

static int migrate_find_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct migrate *m = ctx;
	int rc = migrate_digest_row(m, m->found, r, meta);
	migrate_show(m, DRG_MIGRATE_COMPARING, m->total);
	return rc;
}

static int migrate_find_side(void *ctx, const void *row)
{
	struct migrate *m = ctx;
	return migrate_digest_side(m, m->found, row);
}

static int migrate_compare_digests(const struct migrate *m)
{
	for (unsigned i = 0; i < SORT_COUNT; i++)
		if (!drg_row_sum_same(&m->sent[i], &m->found[i]))
			return drg_fail(m->err, DRG_ECORRUPT, NULL, NULL,
			                "the copy is not what was read (%s: %" PRIu64 " sent, %" PRIu64
			                " found): give the command again, and let nobody else use the target",
			                i < DRG_TYPE_COUNT ? drg_types[i].name
			                                   : drg_sides[i - DRG_TYPE_COUNT].what,
			                m->sent[i].n, m->found[i].n);
	return DRG_OK;
}

/* In the transaction that makes the target whole: nobody else writes to it from here on. */
static int migrate_compare(struct migrate *m)
{
	m->total = m->done;
	m->done = 0;
	int rc = drg_store_scan(m->to, &everything, migrate_find_row, m, NULL, m->err);
	if (rc == DRG_OK)
		rc = migrate_each_side(m, m->to, migrate_find_side);
	return rc == DRG_OK ? migrate_compare_digests(m) : rc;
}

/* ---- the source ----------------------------------------------------------------------------------------- */

static int migrate_count(void *ctx, const struct drg_count *c)
{
	struct migrate *m = ctx;
	m->total += (uint64_t)(c->live + c->tombstones);
	return DRG_OK;
}

/* Nobody writes to it until drg_migrate() ends. */
static int migrate_lock_source(struct migrate *m)
{
	int rc = drg_store_open(m->o->from, DRG_STORE_WRITE, &m->locked, m->err);
	if (rc == DRG_OK)
		rc = drg_store_lock_imports(m->locked, m->err);
	if (rc == DRG_OK)
		rc = drg_store_begin(m->locked, &m->lock, m->err);
	return rc == DRG_OK ? drg_txn_unhurried(m->lock, m->err) : rc;
}

static int migrate_read_source(struct migrate *m)
{
	int rc = drg_store_hold(m->from, &m->clock, m->err);
	return rc == DRG_OK ? drg_store_counts(m->from, migrate_count, m, m->err) : rc;
}

/* A lock that a connection held is gone with it, and what was read may not be all. */
static int migrate_still_locked(struct migrate *m)
{
	int rc = drg_store_in_place(m->locked, m->err);
	return rc == DRG_OK ? drg_txn_unhurried(m->lock, m->err) : rc;
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
		drg_store_give_odd_words(m->from);
	if (rc == DRG_OK)
		drg_store_give_odd_words(m->to);
	return rc;
}

static int migrate_finish(struct migrate *m)
{
	struct drg_matching matching;
	int rc = migrate_still_locked(m);
	if (rc == DRG_OK)
		rc = drg_store_matching(m->from, &matching, m->err);
	if (rc == DRG_OK)
		rc = drg_txn_restore_matching(m->t, &matching, m->err);
	if (rc == DRG_OK)
		rc = drg_txn_restored(m->t, &m->clock, m->err);
	return rc == DRG_OK ? migrate_commit(m) : rc;
}

static int migrate_all(struct migrate *m)
{
	int rc = migrate_open(m);
	if (rc == DRG_OK)
		rc = migrate_lock_source(m);
	if (rc == DRG_OK)
		rc = migrate_read_source(m);
	if (rc == DRG_OK)
		rc = drg_store_make_target(m->to, m->err);
	if (rc == DRG_OK)
		rc = migrate_copy(m);
	if (rc == DRG_OK)
		rc = migrate_compare(m);
	return rc == DRG_OK ? migrate_finish(m) : rc;
}

/* Whatever was open, in whatever state. */
static void migrate_close(struct migrate *m)
{
	drg_txn_rollback(m->t);
	drg_store_close(m->to);
	drg_store_close(m->from);
	drg_txn_rollback(m->lock);
	drg_store_close(m->locked);
	drg_buf_done(&m->bytes);
}

int drg_migrate(const struct drg_migrate_options *o, struct drg_migrated *ret, struct drg_err *reterr)
{
	struct migrate m = { .o = o, .err = reterr };
	drg_buf_init(&m.bytes, SIZE_MAX);
	int rc = migrate_all(&m);
	if (rc == DRG_OK)
		*ret = (struct drg_migrated){ m.done, m.clock };
	migrate_close(&m);
	return rc;
}
