#include "admin/move.h"

#include <assert.h>
#include <inttypes.h>

#include "admin/row_sum.h"
#include "store/restore.h"

/* Sorts of rows: the types of records, then the side tables. */
enum { SORT_COUNT = DRG_TYPE_COUNT + DRG_SIDE_TABLES };

struct move {
	const struct drg_move *o;
	struct drg_txn *t; /* NULL: none is open */
	uint64_t total, done;
	unsigned in_part; /* rows since the last commit */
	struct drg_row_sum sent[SORT_COUNT], found[SORT_COUNT];
	struct drg_buf bytes; /* scratch for the bytes of a row */
	struct drg_err *err;
};

static void move_show(struct move *m, enum drg_move_step step, uint64_t total)
{
	if (m->o->progress != NULL)
		m->o->progress(m->o->progress_ctx, step, m->done, total);
}

/* ---- digests -------------------------------------------------------------------------------------------- */

static void move_add_i(struct move *m, int64_t i)
{
	drg_buf_add(&m->bytes, &i, sizeof i);
}

static void move_add_s(struct move *m, struct drg_str s)
{
	move_add_i(m, (int64_t)s.n);
	drg_buf_str(&m->bytes, s);
}

/* Add the row in m->bytes to the sum of its sort. */
static int move_digest(struct move *m, struct drg_row_sum *d)
{
	if (m->bytes.rc != DRG_OK)
		return drg_fail_memory(m->err);
	assert(m->bytes.n > 0);
	drg_row_sum_add(d, drg_buf_view(&m->bytes));
	m->done++;
	return DRG_OK;
}

static int move_digest_row(struct move *m, struct drg_row_sum *sorts, const struct drg_record *r,
                           const struct drg_row_meta *meta)
{
	assert(r->type->id < DRG_TYPE_COUNT);
	drg_buf_clear(&m->bytes);
	move_add_i(m, meta->row);
	move_add_i(m, meta->seq);
	move_add_i(m, meta->created_seq);
	move_add_i(m, meta->data_seq);
	move_add_i(m, meta->mapped_seq);
	drg_record_pack(r, &m->bytes);
	return move_digest(m, &sorts[r->type->id]);
}

static int move_digest_side(struct move *m, struct drg_row_sum *sorts, enum drg_side_id id, const void *row)
{
	const struct drg_side *side = &drg_sides[id];
	assert(id < DRG_SIDE_TABLES && row != NULL);
	drg_buf_clear(&m->bytes);
	for (unsigned i = 0; i < side->n_columns; i++) {
		const struct drg_side_value v = drg_side_value(&side->columns[i], row);
		if (v.is_text)
			move_add_s(m, v.v.s);
		else
			move_add_i(m, v.v.i);
	}
	return move_digest(m, &sorts[DRG_TYPE_COUNT + id]);
}

/* ---- copying -------------------------------------------------------------------------------------------- */

static int move_begin(struct move *m)
{
	int rc = drg_store_begin(m->o->to, &m->t, m->err);
	return rc == DRG_OK ? drg_txn_disable_timeouts(m->t, m->err) : rc;
}

static int move_commit(struct move *m)
{
	struct drg_txn *t = m->t;
	m->t = NULL;
	return drg_txn_commit(t, NULL, m->err);
}

static int move_one_sent(struct move *m)
{
	enum { PART = 100000 };
	if (!drg_store_restores_in_parts(m->o->to) || ++m->in_part < PART)
		return DRG_OK;
	m->in_part = 0;
	int rc = move_commit(m);
	return rc == DRG_OK ? move_begin(m) : rc;
}

static int move_row_sent(struct move *m)
{
	move_show(m, DRG_MOVE_COPYING, m->total);
	return move_one_sent(m);
}

static int move_send_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct move *m = ctx;
	int rc = move_digest_row(m, m->sent, r, meta);
	if (rc == DRG_OK)
		rc = drg_txn_restore(m->t, r, meta, m->err);
	return rc == DRG_OK ? move_row_sent(m) : rc;
}

static int move_send_side(void *ctx, enum drg_side_id side, const void *row)
{
	struct move *m = ctx;
	int rc = move_digest_side(m, m->sent, side, row);
	if (rc == DRG_OK)
		rc = drg_txn_restore_side(m->t, side, row, m->err);
	return rc == DRG_OK ? move_one_sent(m) : rc;
}

static int move_copy(struct move *m)
{
	const struct drg_move *o = m->o;
	int rc = move_begin(m);
	if (rc == DRG_OK)
		rc = o->records(o->from, move_send_row, m, m->err);
	move_show(m, DRG_MOVE_INDEXING, 0);
	if (rc == DRG_OK)
		rc = drg_txn_restore_rows_end(m->t, m->err);
	return rc == DRG_OK ? o->sides(o->from, move_send_side, m, m->err) : rc;
}

/* ---- comparing ------------------------------------------------------------------------------------------ */

static int move_find_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *meta)
{
	struct move *m = ctx;
	int rc = move_digest_row(m, m->found, r, meta);
	move_show(m, DRG_MOVE_COMPARING, m->total);
	return rc;
}

static int move_find_side(void *ctx, enum drg_side_id side, const void *row)
{
	return move_digest_side(ctx, ((struct move *)ctx)->found, side, row);
}

static int move_compare_digests(const struct move *m)
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

/* Compare the copy with the rows that were sent. This is done in the transaction that makes the target
 * complete, so no other process writes to the target from here on. */
static int move_compare(struct move *m)
{
	m->total = m->done;
	m->done = 0;
	int rc = drg_move_records_of(m->o->to, move_find_row, m, m->err);
	if (rc == DRG_OK)
		rc = drg_move_sides_of(m->o->to, move_find_side, m, m->err);
	return rc == DRG_OK ? move_compare_digests(m) : rc;
}

/* ---- the whole move ------------------------------------------------------------------------------------- */

static int move_finish(struct move *m)
{
	struct drg_matching matching;
	struct drg_clock clock;
	int rc = m->o->end(m->o->from, &clock, &matching, m->err);
	if (rc == DRG_OK)
		rc = drg_txn_restore_matching(m->t, &matching, m->err);
	if (rc == DRG_OK)
		rc = drg_txn_restore_end(m->t, &clock, m->err);
	return rc == DRG_OK ? move_commit(m) : rc;
}

int drg_move(const struct drg_move *o, uint64_t *ret_rows, struct drg_err *reterr)
{
	struct move m = { .o = o, .err = reterr, .total = o->total };
	drg_buf_init(&m.bytes, SIZE_MAX);
	drg_store_allow_unknown_enums(o->to);
	int rc = drg_store_make_target(o->to, reterr);
	if (rc == DRG_OK)
		rc = move_copy(&m);
	if (rc == DRG_OK)
		rc = move_compare(&m);
	if (rc == DRG_OK)
		rc = move_finish(&m);
	if (rc == DRG_OK)
		rc = drg_store_repair(o->to, "that was filled", reterr); /* rows of an older version */
	if (rc == DRG_OK)
		*ret_rows = m.done;
	drg_txn_rollback(m.t);
	drg_buf_done(&m.bytes);
	return rc;
}

/* ---- the rows of a store --------------------------------------------------------------------------------- */

int drg_move_records_of(struct drg_store *s, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_rows rows;
	static const struct drg_filter everything = { .tombstones = true,
		                                      .internal = true,
		                                      .any_order = true };
	return drg_rows_each(drg_rows_scan(&rows, s, &everything, reterr), fn, ctx);
}

struct move_side {
	enum drg_side_id side; /* the side table that is read */
	drg_move_side_fn *fn;
	void *ctx;
};

static int move_give_side(void *ctx, const void *row)
{
	const struct move_side *x = ctx;
	return x->fn(x->ctx, x->side, row);
}

int drg_move_sides_of(struct drg_store *s, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct move_side x = { .fn = fn, .ctx = ctx };
	int rc = DRG_OK;
	for (unsigned i = 0; i < DRG_SIDE_TABLES && rc == DRG_OK; i++) {
		x.side = (enum drg_side_id)i;
		rc = drg_store_each_side(s, x.side, move_give_side, &x, reterr);
	}
	return rc;
}
