#include "admin/backup/restore.h"

#include <string.h>

#include "admin/backup/blocks.h"
#include "admin/backup/head.h"

/* State while a backup is read, block by block, row by row. */
struct restoring {
	struct drg_blocks_in in;
	struct drg_backup_head head;
	/* sort of the present block; NULL: the file was read to its end */
	const struct drg_layout_sort *sort;
	struct drg_packed rows; /* rows of the present block that were not read yet */
	uint64_t n;
};

static int restore_damaged(struct restoring *r, struct drg_err *reterr)
{
	return drg_blocks_damaged(&r->in, "has an invalid row", reterr);
}

/* Read the next block if all rows of the present one were read. At the end of the file r->sort is NULL. */
static int restore_next(struct restoring *r, struct drg_err *reterr)
{
	unsigned what;
	struct drg_str bytes;
	if (r->rows.n > 0)
		return DRG_OK;
	r->sort = NULL;
	int rc = drg_blocks_next(&r->in, &what, &bytes, reterr);
	if (rc == DRG_ENOENT)
		return r->n == r->in.rows ? DRG_OK : restore_damaged(r, reterr);
	if (rc != DRG_OK)
		return rc;
	if (what >= r->head.layout.n || bytes.n == 0)
		return restore_damaged(r, reterr);
	r->sort = &r->head.layout.sorts[what];
	r->rows = (struct drg_packed){ bytes.p, bytes.n, false };
	return DRG_OK;
}

static int restore_open(const char *path, struct restoring *r, struct drg_err *reterr)
{
	unsigned what;
	struct drg_str bytes;
	int rc = drg_blocks_open(path, &r->in, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_blocks_next(&r->in, &what, &bytes, reterr);
	if (rc == DRG_ENOENT || (rc == DRG_OK && what != DRG_BLOCK_HEAD))
		rc = drg_blocks_damaged(&r->in, "has no head", reterr);
	if (rc == DRG_OK)
		rc = drg_backup_head_read(path, bytes, &r->head, reterr);
	r->n = 0;
	r->rows.n = 0;
	if (rc == DRG_OK)
		rc = restore_next(r, reterr);
	if (rc != DRG_OK)
		drg_blocks_close(&r->in);
	return rc;
}

/* Pass the records. In a backup they come before the rows of side tables. */
static int restore_records(void *from, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct restoring *r = from;
	struct drg_record record;
	struct drg_row_meta meta;
	int rc = DRG_OK;
	while (rc == DRG_OK && r->sort != NULL && r->sort->type != NULL) {
		if (!drg_layout_unpack_row(r->sort, &r->rows, &record, &meta))
			return restore_damaged(r, reterr);
		r->n++;
		rc = fn(ctx, &record, &meta);
		if (rc == DRG_OK)
			rc = restore_next(r, reterr);
	}
	return rc;
}

static int restore_sides(void *from, drg_move_side_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct restoring *r = from;
	union drg_side_row row;
	int rc = DRG_OK;
	while (rc == DRG_OK && r->sort != NULL) {
		if (r->sort->type != NULL || !drg_layout_unpack_side(r->sort, &r->rows, &row))
			return restore_damaged(r, reterr);
		r->n++;
		rc = fn(ctx, r->sort->side, &row);
		if (rc == DRG_OK)
			rc = restore_next(r, reterr);
	}
	return rc;
}

/* ---- looking ------------------------------------------------------------------------------------------- */

struct restore_look {
	const struct restoring *r;
	void (*progress)(void *ctx, uint64_t rows);
	void *ctx;
};

static int restore_look_on(const struct restore_look *x)
{
	if (x->progress != NULL)
		x->progress(x->ctx, x->r->n);
	return DRG_OK;
}

static int restore_look_row(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	(void)r, (void)m;
	return restore_look_on(ctx);
}

static int restore_look_side(void *ctx, enum drg_side_id side, const void *row)
{
	(void)side, (void)row;
	return restore_look_on(ctx);
}

int drg_backup_verify(const char *path, void (*progress)(void *ctx, uint64_t rows), void *ctx,
                      struct drg_backup_info *ret, struct drg_err *reterr)
{
	struct restoring r;
	struct restore_look look = { &r, progress, ctx };
	int rc = restore_open(path, &r, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = restore_records(&r, restore_look_row, &look, reterr);
	if (rc == DRG_OK)
		rc = restore_sides(&r, restore_look_side, &look, reterr);
	drg_blocks_close(&r.in);
	if (rc != DRG_OK)
		return rc;
	*ret = (struct drg_backup_info){ .clock = r.head.clock, .rows = r.n };
	memcpy(ret->program, r.head.program, sizeof ret->program);
	memcpy(ret->made, r.head.made, sizeof ret->made);
	return DRG_OK;
}

/* ---- restoring ----------------------------------------------------------------------------------------- */

static int restore_end(void *from, struct drg_clock *ret_clock, struct drg_matching *ret,
                       struct drg_err *reterr)
{
	const struct restoring *r = from;
	(void)reterr;
	*ret_clock = r->head.clock;
	*ret = (struct drg_matching){ .place = r->head.matched };
	return DRG_OK;
}

int drg_restore(const struct drg_restore_options *o, const struct drg_backup_info *told,
                struct drg_err *reterr)
{
	struct restoring r;
	struct drg_store *to = NULL;
	uint64_t rows;
	int rc = restore_open(o->path, &r, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_store_open(o->store, DRG_STORE_TARGET, &to, reterr);
	const struct drg_move move = { .to = to,
		                       .from = &r,
		                       .records = restore_records,
		                       .sides = restore_sides,
		                       .end = restore_end,
		                       .total = told->rows,
		                       .progress = o->progress,
		                       .progress_ctx = o->ctx };
	if (rc == DRG_OK)
		rc = drg_move(&move, &rows, reterr);
	if (rc == DRG_OK && rows != told->rows)
		rc = drg_fail(
		        reterr, DRG_ECORRUPT, NULL, NULL,
		        "the backup %s was changed while it was restored: remove what was made of it, and "
		        "try again",
		        o->path);
	drg_store_close(to);
	drg_blocks_close(&r.in);
	return rc;
}
