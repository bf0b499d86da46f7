#include "import/window.h"

#include <assert.h>
#include <stdlib.h>

#include "model/key.h"

/* A record of the window. */
struct window_row {
	uint64_t head; /* the first bytes of the key, as a number */
	uint32_t key, key_n; /* place in `keys`, and bytes */
	uint32_t frame; /* place in `frames` */
};

struct drg_window {
	struct drg_buf frames, keys;
	struct drg_buf rows; /* struct window_row */
	struct drg_buf rejected; /* uint32_t: places of frames */
};

int drg_window_new(struct drg_window **ret, struct drg_err *reterr)
{
	struct drg_window *w = calloc(1, sizeof *w);
	if (w == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&w->frames, UINT32_MAX);
	drg_buf_init(&w->keys, UINT32_MAX);
	drg_buf_init(&w->rows, SIZE_MAX);
	drg_buf_init(&w->rejected, SIZE_MAX);
	*ret = w;
	return DRG_OK;
}

void drg_window_free(struct drg_window *w)
{
	if (w == NULL)
		return;
	drg_buf_done(&w->frames);
	drg_buf_done(&w->keys);
	drg_buf_done(&w->rows);
	drg_buf_done(&w->rejected);
	free(w);
}

static uint64_t head_of(const char *key, size_t n)
{
	uint64_t head = 0;
	for (size_t i = 0; i < sizeof head; i++)
		head = head << 8 | (i < n ? (unsigned char)key[i] : 0);
	return head;
}

/* ---- filling --------------------------------------------------------------------------------------------- */

static void window_add_row(struct drg_window *w, const struct drg_spooled *r, uint32_t frame)
{
	struct window_row row = { .frame = frame, .key = (uint32_t)w->keys.n };
	if (r->rejected) {
		drg_buf_add(&w->rejected, &frame, sizeof frame);
		return;
	}
	drg_key_order(&w->keys, &r->record);
	row.key_n = (uint32_t)w->keys.n - row.key;
	row.head = w->keys.rc == DRG_OK ? head_of(w->keys.p + row.key, row.key_n) : 0;
	drg_buf_add(&w->rows, &row, sizeof row);
}

static int window_add_block(struct drg_window *w, struct drg_spool *s, size_t block, struct drg_err *reterr)
{
	struct drg_spooled r;
	size_t at = w->frames.n;
	int rc = drg_spool_unpack(s, block, &w->frames, reterr);
	for (unsigned i = 0; rc == DRG_OK && at < w->frames.n; i++) {
		size_t n = drg_spool_parse(drg_str(w->frames.p + at, w->frames.n - at), &r);
		if (n == 0)
			return drg_fail(reterr, DRG_EIO, NULL, NULL,
			                "the temporary file of the import cannot be read back");
		r.rejected = r.rejected || drg_spool_rejected(s, block, i);
		window_add_row(w, &r, (uint32_t)at);
		at += n;
	}
	return rc;
}

int drg_window_fill(struct drg_window *w, struct drg_spool *s, size_t *block, size_t bytes,
                    struct drg_err *reterr)
{
	assert(bytes > 0);
	int rc = DRG_OK;
	drg_buf_clear(&w->frames);
	drg_buf_clear(&w->keys);
	drg_buf_clear(&w->rows);
	drg_buf_clear(&w->rejected);
	if (*block == drg_spool_blocks(s))
		return DRG_ENOENT;
	while (rc == DRG_OK && *block < drg_spool_blocks(s) && w->frames.n < bytes)
		rc = window_add_block(w, s, (*block)++, reterr);
	if (rc == DRG_OK && (w->keys.rc != DRG_OK || w->rows.rc != DRG_OK || w->rejected.rc != DRG_OK))
		rc = drg_fail_memory(reterr);
	return rc;
}

/* ---- sorting and giving ---------------------------------------------------------------------------------- */

static int by_key_then_place(const void *pa, const void *pb, void *ctx)
{
	const struct window_row *a = pa, *b = pb;
	const struct drg_window *w = ctx;
	if (a->head != b->head)
		return a->head < b->head ? -1 : 1;
	uint32_t n = a->key_n < b->key_n ? a->key_n : b->key_n;
	int c = memcmp(w->keys.p + a->key, w->keys.p + b->key, n);
	if (c != 0)
		return c;
	if (a->key_n != b->key_n)
		return a->key_n < b->key_n ? -1 : 1;
	return a->frame < b->frame ? -1 : 1;
}

void drg_window_sort(struct drg_window *w)
{
	size_t n = w->rows.n / sizeof(struct window_row);
	if (n > 1)
		qsort_r(w->rows.p, n, sizeof(struct window_row), by_key_then_place, w);
}

static int window_give(const struct drg_window *w, uint32_t frame, bool rejected, drg_spool_fn *fn, void *ctx,
                       struct drg_err *reterr)
{
	assert(frame < w->frames.n);
	struct drg_spooled r = { .at = 0 };
	size_t n = drg_spool_parse(drg_str(w->frames.p + frame, w->frames.n - frame), &r);
	assert(n > 0);
	(void)n;
	r.rejected = rejected;
	return fn(ctx, &r, reterr);
}

int drg_window_each(const struct drg_window *w, drg_spool_fn *fn, void *ctx, struct drg_err *reterr)
{
	const struct window_row *rows = (const struct window_row *)(const void *)w->rows.p;
	const uint32_t *rejected = (const uint32_t *)(const void *)w->rejected.p;
	int rc = DRG_OK;
	for (size_t i = 0; i < w->rejected.n / sizeof *rejected && rc == DRG_OK; i++)
		rc = window_give(w, rejected[i], true, fn, ctx, reterr);
	for (size_t i = 0; i < w->rows.n / sizeof *rows && rc == DRG_OK; i++)
		rc = window_give(w, rows[i].frame, false, fn, ctx, reterr);
	return rc;
}
