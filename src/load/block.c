/* Reads many rows of a file at a time, and asks the store for the records of each kind that they name in one
 * question: over a network a question costs more than its answer. */
#include <assert.h>
#include <stdlib.h>

#include "base/bound.h"
#include "load/load_priv.h"
#include "model/key.h"

enum { BLOCK_BYTES = 8 << 20 };

void drg_load_block_init(struct load_block *b)
{
	drg_arena_init(&b->arena, 256 << 20);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		drg_buf_init(&b->ids[k], SIZE_MAX);
		drg_buf_init(&b->stored[k], SIZE_MAX);
	}
}

void drg_load_block_done(struct load_block *b)
{
	drg_arena_done(&b->arena);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		drg_buf_done(&b->ids[k]);
		drg_buf_done(&b->stored[k]);
	}
}

/* ---- ids that a program took for numbers --------------------------------------------------------------- */

struct drg_str drg_load_whole(struct drg_str id)
{
	bool decimals = id.n > 2 && memcmp(id.p + id.n - 2, ".0", 2) == 0;
	return drg_str(id.p, id.n - (decimals ? 2 : 0));
}

bool drg_load_may_lack_zeros(struct drg_str id)
{
	int64_t number;
	return id.n <= 12 && drg_str_is_canonical_i64(id, &number) && number >= 0;
}

struct drg_str drg_load_padded(struct drg_str id, size_t zeros, char *to)
{
	memset(to, '0', zeros);
	memcpy(to + zeros, id.p, id.n);
	return drg_str(to, zeros + id.n);
}

/* ---- what is stored ------------------------------------------------------------------------------------ */

struct block_taking {
	struct load_block *b;
	struct drg_err *err;
};

static int block_take(void *ctx, const struct drg_record *r, const struct drg_row_meta *m)
{
	struct block_taking *x = ctx;
	struct drg_buf *stored = &x->b->stored[drg_record_kind(r)];
	struct drg_record *copy = drg_arena_calloc(&x->b->arena, 1, sizeof *copy);
	(void)m;
	if (copy == NULL || drg_record_copy(&x->b->arena, r, copy) != DRG_OK)
		return drg_fail_memory(x->err);
	const struct drg_record *found = copy;
	drg_buf_add(stored, &found, sizeof found);
	return stored->rc == DRG_OK ? DRG_OK : drg_fail_memory(x->err);
}

static int block_by_id(const void *a, const void *b)
{
	const struct drg_record *const *x = a, *const *y = b;
	return drg_str_cmp((*x)->v[DRG_F_SOURCE_ID].s, (*y)->v[DRG_F_SOURCE_ID].s);
}

static int block_by_text(const void *a, const void *b)
{
	return drg_str_cmp(*(const struct drg_str *)a, *(const struct drg_str *)b);
}

static size_t block_unique(struct drg_str *ids, size_t n)
{
	size_t kept = n > 0;
	qsort(ids, n, sizeof *ids, block_by_text);
	for (size_t i = 1; i < n; i++)
		if (!drg_str_eq(ids[i], ids[kept - 1]))
			ids[kept++] = ids[i];
	return kept;
}

/* Look up all ids of a kind at once. @return in @p ret_n how many different ids there are; they come first in
 * the list. */
static int block_ask(struct load_run *l, enum drg_kind kind, size_t *ret_n, struct drg_err *reterr)
{
	struct load_block *b = &l->block;
	struct block_taking x = { b, reterr };
	struct drg_str *ids = (struct drg_str *)(void *)b->ids[kind].p;
	struct drg_record key;
	if (b->ids[kind].rc != DRG_OK)
		return drg_fail_memory(reterr);
	*ret_n = b->ids[kind].n > 0 ? block_unique(ids, b->ids[kind].n / sizeof *ids) : 0;
	drg_key_source(&key, l->o->adapter, kind, drg_str("", 0));
	int rc = drg_store_get_many(l->store, &key, ids, *ret_n, block_take, &x, reterr);
	if (rc == DRG_OK && b->stored[kind].n > 0)
		qsort(b->stored[kind].p, b->stored[kind].n / sizeof(const struct drg_record *),
		      sizeof(const struct drg_record *), block_by_id);
	return rc;
}

/* Replace the list by the ids that were not found, each with zeros before it, or without ".0". */
static int block_pad(struct load_run *l, enum drg_kind kind, size_t n, struct drg_err *reterr)
{
	struct load_block *b = &l->block;
	const struct drg_str *ids = (const struct drg_str *)(const void *)b->ids[kind].p;
	struct drg_buf padded;
	drg_buf_init(&padded, SIZE_MAX);
	for (size_t i = 0; i < n; i++) {
		struct drg_str whole = drg_load_whole(ids[i]);
		if (!drg_load_may_lack_zeros(whole) || drg_load_stored(l, kind, ids[i]) != NULL)
			continue;
		for (size_t zeros = whole.n == ids[i].n; zeros <= LOAD_ZEROS_MAX; zeros++) {
			char text[LOAD_PADDED_MAX];
			struct drg_str id = drg_arena_str(&b->arena, drg_load_padded(whole, zeros, text));
			drg_buf_add(&padded, &id, sizeof id);
			if (id.p == NULL)
				padded.rc = DRG_ENOMEM;
		}
	}
	drg_buf_done(&b->ids[kind]);
	b->ids[kind] = padded;
	return padded.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

/* Look up the ids of the block. Kinds without stored records are skipped. */
static int block_look(struct load_run *l, struct drg_err *reterr)
{
	int rc = DRG_OK;
	size_t n;
	for (unsigned k = 0; k < DRG_KIND_COUNT && rc == DRG_OK; k++) {
		if (l->stored[k] == 0)
			continue;
		rc = block_ask(l, (enum drg_kind)k, &n, reterr);
		if (rc == DRG_OK)
			rc = block_pad(l, (enum drg_kind)k, n, reterr);
		if (rc == DRG_OK)
			rc = block_ask(l, (enum drg_kind)k, &n, reterr);
	}
	return rc;
}

const struct drg_record *drg_load_stored(const struct load_run *l, enum drg_kind kind, struct drg_str id)
{
	assert(drg_kind_is_source(kind));
	const struct drg_buf *stored = &l->block.stored[kind];
	const struct drg_record *const *list = (const struct drg_record *const *)(const void *)stored->p;
	size_t n = stored->n / sizeof *list, at;
	DRG_BOUND(at, n, i, drg_str_cmp(list[i]->v[DRG_F_SOURCE_ID].s, id) < 0);
	return at < n && drg_str_eq(list[at]->v[DRG_F_SOURCE_ID].s, id) ? list[at] : NULL;
}

/* ---- rows ---------------------------------------------------------------------------------------------- */

static void block_clear(struct load_block *b)
{
	b->n = b->at = 0;
	drg_arena_reset(&b->arena);
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++) {
		drg_buf_clear(&b->ids[k]);
		drg_buf_clear(&b->stored[k]);
	}
}

static int block_read_row(struct load_run *l, struct drg_err *reterr)
{
	assert(l->block.n < LOAD_BLOCK_ROWS);
	struct load_block *b = &l->block;
	struct load_row *to = &b->rows[b->n];
	struct drg_sheet_row row;
	struct drg_converted c;
	int rc = drg_plan_next(&l->plan, &row, reterr);
	if (rc == DRG_OK)
		rc = drg_convert_row(&l->plan, l->o->adapter, &row, &b->arena, &c, reterr);
	if (rc != DRG_OK)
		return rc;
	to->c = c;
	if (drg_record_copy(&b->arena, &c.r, &to->c.r) != DRG_OK)
		return drg_fail_memory(reterr);
	to->line = row.line;
	b->n++;
	return DRG_OK;
}

/* Note the ids of a row that no earlier block has looked up. */
static void block_note(struct load_run *l, const struct load_row *row)
{
	const struct drg_profile *p = &l->plan.profile;
	struct drg_buf *ids = l->block.ids;
	struct drg_record also;
	if (drg_record_has(&row->c.r, DRG_F_SOURCE_ID))
		drg_buf_add(&ids[p->kind], &row->c.r.v[DRG_F_SOURCE_ID].s, sizeof(struct drg_str));
	if (row->c.reasons.n > 0 || row->c.skipped != NULL)
		return;
	for (unsigned k = 0; k < DRG_KIND_COUNT; k++)
		if ((p->also >> k & 1) != 0 && k != (unsigned)p->kind &&
		    drg_convert_also(&row->c.r, (enum drg_kind)k, &also) &&
		    !drg_seen_has(&l->seen, k, also.v[DRG_F_SOURCE_ID].s))
			drg_buf_add(&ids[k], &also.v[DRG_F_SOURCE_ID].s, sizeof(struct drg_str));
}

/* Read rows until the block is full. An error after some rows is reported after them. */
static int block_fill(struct load_run *l, struct drg_err *reterr)
{
	struct load_block *b = &l->block;
	block_clear(b);
	while (b->n < LOAD_BLOCK_ROWS && b->arena.used < BLOCK_BYTES && b->rc == DRG_OK)
		b->rc = block_read_row(l, &b->err);
	for (unsigned i = 0; i < b->n; i++)
		block_note(l, &b->rows[i]);
	return block_look(l, reterr);
}

int drg_load_next_row(struct load_run *l, const struct load_row **ret, struct drg_err *reterr)
{
	struct load_block *b = &l->block;
	assert(b->at <= b->n);
	int rc = b->at == b->n && b->rc == DRG_OK ? block_fill(l, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	if (b->at < b->n) {
		*ret = &b->rows[b->at++];
		return DRG_OK;
	}
	rc = b->rc;
	b->rc = DRG_OK; /* the error ended one file; the next file begins without it */
	if (rc != DRG_ENOENT)
		*reterr = b->err;
	return rc;
}
