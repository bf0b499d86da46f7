#include "decide/undo/batch_items.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "decide/batch.h"
#include "model/key.h"
#include "model/ndjson.h"

/* How many items are read at once. */
enum { ITEMS_PAGE = 10000 };

struct item_row {
	int64_t seq, number;
	size_t line, key;
	uint32_t line_n, key_n;
};

/* ---- all items, in pages ------------------------------------------------------------------------------- */

int drg_batch_items_from(struct drg_store *s, int64_t batch, int64_t number, drg_row_fn *fn, void *ctx,
                         struct drg_err *reterr)
{
	struct drg_rows rows;
	struct drg_record key;
	int64_t last = number - 1;
	unsigned n;
	int rc;
	do {
		drg_key_batch_item(&key, batch, last + 1);
		n = 0;
		for (drg_rows_siblings(&rows, s, &key, ITEMS_PAGE, reterr); drg_rows_next(&rows); n++) {
			last = drg_record_i(&rows.row.r, DRG_F_NUMBER, 0);
			rows.rc = fn(ctx, &rows.row.r, &rows.row.m);
		}
		rc = drg_rows_end(&rows);
	} while (rc == DRG_OK && n == ITEMS_PAGE);
	return rc;
}

int drg_batch_items(struct drg_store *s, int64_t batch, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	return drg_batch_items_from(s, batch, 0, fn, ctx, reterr);
}

/* ---- one part ------------------------------------------------------------------------------------------ */

struct item_reading {
	struct drg_batch_items *b;
	bool seqs; /* gather the commits of the whole batch, also of items behind the part */
	struct drg_arena arena; /* of one record */
	struct drg_err *err;
};

static uint64_t item_hash(const struct drg_batch_items *b, const struct item_row *row)
{
	return drg_hash(b->keys.p + row->key, row->key_n, 0) | 1;
}

static int item_add(struct item_reading *x, int64_t seq, int64_t number, struct drg_str was)
{
	struct drg_batch_items *b = x->b;
	struct item_row row = { .seq = seq, .number = number, .line = b->lines.n, .key = b->keys.n };
	struct drg_record r;
	drg_arena_reset(&x->arena);
	int rc = drg_ndjson_read(was, &x->arena, &r, x->err);
	if (rc != DRG_OK)
		return rc;
	drg_key_order(&b->keys, &r);
	row.key_n = (uint32_t)(b->keys.n - row.key);
	row.line_n = (uint32_t)was.n;
	if (b->keys.rc == DRG_OK && drg_tally_get(&b->seen, item_hash(b, &row)) > 0) {
		b->keys.n = row.key;
		return DRG_OK;
	}
	drg_buf_str(&b->lines, was);
	drg_buf_add(&b->rows, &row, sizeof row);
	return b->keys.rc == DRG_OK && b->lines.rc == DRG_OK && b->rows.rc == DRG_OK
	               ? DRG_OK
	               : drg_fail_memory(x->err);
}

static int item_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct item_reading *x = ctx;
	struct drg_batch_items *b = x->b;
	int64_t seq = drg_record_i(r, DRG_F_SEQ, 0), number = drg_record_i(r, DRG_F_NUMBER, 0);
	struct drg_str was = drg_record_s(r, DRG_F_DATA);
	(void)m;
	if (x->seqs &&
	    (b->seqs.n == 0 || ((const int64_t *)(const void *)(b->seqs.p + b->seqs.n))[-1] != seq))
		drg_buf_add(&b->seqs, &seq, sizeof seq);
	if (b->seqs.rc != DRG_OK)
		return drg_fail_memory(x->err);
	if (was.n == 0 || b->next >= 0)
		return DRG_OK;
	if (b->rows.n < b->part * sizeof(struct item_row))
		return item_add(x, seq, number, was);
	b->next = number;
	return x->seqs ? DRG_OK : DRG_ELIMIT;
}

/* ---- the order of the items ---------------------------------------------------------------------------- */

static int item_compare_keys(const struct item_row *a, const struct item_row *b, const char *keys)
{
	uint32_t n = a->key_n < b->key_n ? a->key_n : b->key_n;
	int c = memcmp(keys + a->key, keys + b->key, n);
	return c != 0 ? c : (a->key_n > b->key_n) - (a->key_n < b->key_n);
}

static int item_compare(const void *a, const void *b, void *keys)
{
	const struct item_row *x = a, *y = b;
	int c = item_compare_keys(x, y, keys);
	return c != 0 ? c : (x->number > y->number) - (x->number < y->number);
}

/* Sort the items. Of a record that was changed twice keep the first state: it is the one before the batch. */
static void items_sort(struct drg_batch_items *b)
{
	struct item_row *rows = (struct item_row *)(void *)b->rows.p;
	size_t n = b->rows.n / sizeof *rows;
	b->n = n > 0;
	if (n > 1)
		qsort_r(rows, n, sizeof *rows, item_compare, b->keys.p);
	for (size_t i = 1; i < n; i++)
		if (item_compare_keys(&rows[b->n - 1], &rows[i], b->keys.p) != 0)
			rows[b->n++] = rows[i];
}

/* ---- the parts ----------------------------------------------------------------------------------------- */

/* Read a part from the item number @p from on. @param seqs  Read on to the end of the batch, to gather its
 * commits. */
static int items_read_part(struct drg_store *s, struct drg_batch_items *b, int64_t from, bool seqs,
                           struct drg_err *reterr)
{
	struct item_reading x = { .b = b, .seqs = seqs, .err = reterr };
	b->next = -1;
	b->n = 0;
	drg_arena_init(&x.arena, 64 << 20);
	int rc = drg_batch_items_from(s, b->batch, from, item_take, &x, reterr);
	drg_arena_done(&x.arena);
	if (rc == DRG_ELIMIT && b->next >= 0)
		rc = DRG_OK;
	if (rc == DRG_OK)
		items_sort(b);
	return rc;
}

int drg_batch_items_read(struct drg_store *s, int64_t batch, size_t part, struct drg_batch_items *ret,
                         struct drg_err *reterr)
{
	*ret = (struct drg_batch_items){ .batch = batch, .part = part > 0 ? part : DRG_BATCH_PART };
	drg_buf_init(&ret->seqs, SIZE_MAX);
	drg_buf_init(&ret->rows, SIZE_MAX);
	drg_buf_init(&ret->lines, SIZE_MAX);
	drg_buf_init(&ret->keys, SIZE_MAX);
	drg_tally_init(&ret->seen);
	return items_read_part(s, ret, 0, true, reterr);
}

bool drg_batch_items_more(const struct drg_batch_items *b)
{
	return b->next >= 0;
}

int drg_batch_items_next(struct drg_store *s, struct drg_batch_items *b, struct drg_err *reterr)
{
	assert(drg_batch_items_more(b));
	const struct item_row *rows = (const struct item_row *)(const void *)b->rows.p;
	assert(b->next >= 0);
	for (size_t i = 0; i < b->n; i++)
		if (drg_tally_add(&b->seen, item_hash(b, &rows[i])) != DRG_OK)
			return drg_fail_memory(reterr);
	drg_buf_clear(&b->rows);
	drg_buf_clear(&b->lines);
	drg_buf_clear(&b->keys);
	return items_read_part(s, b, b->next, false, reterr);
}

void drg_batch_items_done(struct drg_batch_items *b)
{
	drg_buf_done(&b->seqs);
	drg_buf_done(&b->rows);
	drg_buf_done(&b->lines);
	drg_buf_done(&b->keys);
	drg_tally_done(&b->seen);
}

struct drg_batch_item drg_batch_item(const struct drg_batch_items *b, size_t i)
{
	const struct item_row *row = (const struct item_row *)(const void *)b->rows.p + i;
	assert(i < b->n);
	return (struct drg_batch_item){ row->seq, drg_str(b->lines.p + row->line, row->line_n) };
}
