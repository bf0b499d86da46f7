#include "decide/undo/earlier.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "decide/undo/batch_items.h"
#include "model/key.h"

/* The beginning of `files` of an undoing; the number of the batch follows. */
#define UNDO_OF "undo of batch "

const char *drg_undo_files(int64_t batch, char *room)
{
	snprintf(room, DRG_UNDO_FILES, UNDO_OF "%" PRId64, batch);
	return room;
}

/* The data of a batch by which the batch that it undid is found. */
struct undone {
	enum drg_batch_what what;
	int64_t batch, before; /* before: the batch that it undid; 0: none */
};

static struct undone undone_of(const struct drg_record *batch)
{
	static const char words[] = UNDO_OF;
	struct drg_str files = drg_record_s(batch, DRG_F_FILES);
	struct undone u = { .what = (enum drg_batch_what)drg_record_i(batch, DRG_F_WHAT, DRG_BATCH_IMPORT),
		            .batch = batch->v[DRG_F_ID].i };
	if (u.what == DRG_BATCH_UNDO && files.n > sizeof words - 1 &&
	    memcmp(files.p, words, sizeof words - 1) == 0 &&
	    !drg_str_to_i64(drg_str(files.p + sizeof words - 1, files.n - sizeof words + 1), &u.before))
		u.before = 0;
	return u;
}

int drg_undo_first(struct drg_store *s, const struct drg_record *batch, enum drg_batch_what *ret,
                   struct drg_err *reterr)
{
	struct drg_rows rows;
	assert(batch->type->id == DRG_TYPE_BATCH);
	struct undone u = undone_of(batch);
	struct drg_record key;
	int rc = DRG_OK;
	while (rc == DRG_OK && u.before > 0 && u.before < u.batch) {
		drg_key_batch(&key, u.before);
		drg_rows_get(&rows, s, &key, reterr);
		if (drg_rows_next(&rows))
			u = undone_of(&rows.row.r);
		rc = drg_rows_end(&rows);
	}
	*ret = u.what;
	return rc == DRG_ENOENT ? DRG_OK : rc;
}

struct earlier {
	int64_t batch;
	bool later; /* search undoings of later batches, not of this one */
	struct drg_buf *commits;
	struct drg_err *err;
};

static int earlier_take_commit(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct earlier *x = ctx;
	struct drg_buf *b = x->commits;
	int64_t seq = drg_record_i(r, DRG_F_SEQ, 0);
	(void)m;
	if (b->n == 0 || ((const int64_t *)(const void *)(b->p + b->n))[-1] != seq)
		drg_buf_add(b, &seq, sizeof seq);
	return b->rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

/* Batches that hold the right to import follow each other, so their commits do too. */
static int earlier_commits(struct drg_store *s, struct earlier *x)
{
	struct drg_rows rows;
	const struct drg_filter batches = { .type = &drg_types[DRG_TYPE_BATCH] };
	struct drg_buf ids; /* int64_t: batches of undoings */
	drg_buf_init(&ids, SIZE_MAX);
	for (drg_rows_scan(&rows, s, &batches, x->err); drg_rows_next(&rows);) {
		const struct undone u = undone_of(&rows.row.r);
		if (u.batch > x->batch && (x->later ? u.before > x->batch : u.before == x->batch))
			drg_buf_add(&ids, &u.batch, sizeof u.batch);
		if (ids.rc != DRG_OK)
			rows.rc = drg_fail_memory(x->err);
	}
	int rc = drg_rows_end(&rows);
	const int64_t *v = (const int64_t *)(const void *)ids.p;
	for (size_t i = 0; i < ids.n / sizeof *v && rc == DRG_OK; i++)
		rc = drg_batch_items_from(s, v[i], 0, earlier_take_commit, x, x->err);
	drg_buf_done(&ids);
	return rc;
}

int drg_undo_earlier(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr)
{
	return earlier_commits(s, &(struct earlier){ .batch = batch, .commits = ret, .err = reterr });
}

int drg_undo_returns(struct drg_store *s, int64_t batch, struct drg_buf *ret, struct drg_err *reterr)
{
	return earlier_commits(
	        s, &(struct earlier){ .batch = batch, .later = true, .commits = ret, .err = reterr });
}
