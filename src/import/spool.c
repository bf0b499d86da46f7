#include "import/spool.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <zstd.h>

#include "base/bound.h"

/* The fastest level makes records four times smaller, in half a microsecond each. */
enum { LEVEL = 1 };

/* A block of the file. */
struct block {
	uint64_t place; /* place of its first frame */
	uint64_t at; /* offset of the block in the file */
	/* bytes of the frames, and of the block in the file; equal if it is not compressed */
	uint32_t size, packed;
	uint32_t n; /* number of frames */
	uint8_t *rejected; /* a bit for each frame; NULL: no frame was rejected after it was written */
};

struct drg_spool {
	struct drg_tempfile *file;
	struct block *blocks;
	size_t n, room;
	uint64_t size; /* bytes of all frames */
	struct drg_buf packed; /* packed bytes of the block that is being read */
	struct drg_buf frames; /* frames of the block that was read last */
	size_t current; /* number of that block; SIZE_MAX: none */
	unsigned frame; /* number of the frame that drg_spool_each() is passing */
};

struct frame {
	uint64_t line;
	uint32_t file;
	uint16_t rejected, asks;
	uint32_t record; /* bytes; 0: a bad line */
	uint32_t row; /* bytes */
};

int drg_spool_open(const char *dir, struct drg_spool **ret, struct drg_err *reterr)
{
	struct drg_spool *s = calloc(1, sizeof *s);
	if (s == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&s->packed, SIZE_MAX);
	drg_buf_init(&s->frames, SIZE_MAX);
	s->current = SIZE_MAX;
	int rc = drg_tempfile_open(dir, &s->file, reterr);
	if (rc == DRG_OK)
		*ret = s;
	else
		drg_spool_close(s);
	return rc;
}

void drg_spool_close(struct drg_spool *s)
{
	if (s == NULL)
		return;
	drg_tempfile_close(s->file);
	drg_buf_done(&s->packed);
	drg_buf_done(&s->frames);
	for (size_t i = 0; i < s->n; i++)
		free(s->blocks[i].rejected);
	free(s->blocks);
	free(s);
}

/* ---- writing ------------------------------------------------------------------------------------------- */

void drg_spool_frame(const struct drg_spool_origin *from, const struct drg_record *r, struct drg_buf *out)
{
	struct frame f = {
		.line = from->line, .file = from->file, .rejected = r == NULL, .asks = from->asks
	};
	size_t start = out->n;
	drg_buf_add(out, &f, sizeof f);
	if (r != NULL)
		drg_record_pack(r, out);
	assert(out->rc != DRG_OK || out->n - start <= UINT32_MAX);
	f.record = (uint32_t)(out->n - start - sizeof f);
	f.row = (uint32_t)from->row.n;
	drg_buf_str(out, from->row);
	if (out->rc == DRG_OK)
		memcpy(out->p + start, &f, sizeof f);
}

void drg_spool_block_init(struct drg_spool_block *b)
{
	drg_buf_init(&b->bytes, SIZE_MAX);
	b->size = 0;
}

static int pack_plainly(struct drg_spool_block *b, struct drg_str frames, struct drg_err *reterr)
{
	drg_buf_str(&b->bytes, frames);
	return b->bytes.rc == DRG_OK ? DRG_OK : drg_fail_memory(reterr);
}

int drg_spool_block_pack(struct drg_spool_block *b, struct drg_str frames, unsigned n, bool plain,
                         struct drg_err *reterr)
{
	assert(frames.n <= UINT32_MAX);
	drg_buf_clear(&b->bytes);
	b->size = frames.n;
	b->n = n;
	if (frames.n == 0 || plain)
		return pack_plainly(b, frames, reterr);
	if (!drg_buf_reserve(&b->bytes, ZSTD_compressBound(frames.n)))
		return drg_fail_memory(reterr);
	size_t packed = ZSTD_compress(b->bytes.p, b->bytes.cap, frames.p, frames.n, LEVEL);
	if (ZSTD_isError(packed))
		return drg_fail_memory(reterr);
	if (packed >= frames.n)
		return pack_plainly(b, frames, reterr);
	b->bytes.n = packed;
	return DRG_OK;
}

static bool spool_grow(struct drg_spool *s)
{
	if (s->n < s->room)
		return true;
	size_t room = s->room == 0 ? 64 : s->room * 2;
	struct block *blocks = realloc(s->blocks, room * sizeof *blocks);
	if (blocks == NULL)
		return false;
	s->blocks = blocks;
	s->room = room;
	return true;
}

int drg_spool_add(struct drg_spool *s, const struct drg_spool_block *b, struct drg_err *reterr)
{
	if (b->size == 0)
		return DRG_OK;
	if (!spool_grow(s))
		return drg_fail_memory(reterr);
	const struct block block = { .place = s->size,
		                     .at = drg_tempfile_size(s->file),
		                     .size = (uint32_t)b->size,
		                     .packed = (uint32_t)b->bytes.n,
		                     .n = b->n };
	int rc = drg_tempfile_add(s->file, b->bytes.p, b->bytes.n, reterr);
	if (rc != DRG_OK)
		return rc;
	s->blocks[s->n++] = block;
	s->size += b->size;
	return DRG_OK;
}

uint64_t drg_spool_size(const struct drg_spool *s)
{
	return s->size;
}

/* ---- rejecting ----------------------------------------------------------------------------------------- */

int drg_spool_reject(struct drg_spool *s, struct drg_err *reterr)
{
	assert(s->current < s->n && s->frame < s->blocks[s->current].n);
	struct block *b = &s->blocks[s->current];
	if (b->rejected == NULL)
		b->rejected = calloc(b->n / 8 + 1, 1);
	if (b->rejected == NULL)
		return drg_fail_memory(reterr);
	b->rejected[s->frame / 8] |= (uint8_t)(1 << s->frame % 8);
	return DRG_OK;
}

bool drg_spool_rejected(const struct drg_spool *s, size_t block, unsigned number)
{
	const struct block *b = &s->blocks[block];
	assert(number < b->n);
	return b->rejected != NULL && (b->rejected[number / 8] >> number % 8 & 1) != 0;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

static int spool_damaged(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EIO, NULL, NULL, "the temporary file of the import cannot be read back");
}

size_t drg_spool_blocks(const struct drg_spool *s)
{
	return s->n;
}

int drg_spool_unpack(struct drg_spool *s, size_t block, struct drg_buf *out, struct drg_err *reterr)
{
	assert(block < s->n);
	const struct block *b = &s->blocks[block];
	bool plain = b->packed == b->size;
	size_t got;
	drg_buf_clear(&s->packed);
	if ((!plain && !drg_buf_reserve(&s->packed, b->packed)) || !drg_buf_reserve(out, b->size))
		return drg_fail_memory(reterr);
	char *to = out->p + out->n;
	int rc = drg_tempfile_read(s->file, b->at, plain ? to : s->packed.p, b->packed, &got, reterr);
	if (rc != DRG_OK)
		return rc;
	if (got != b->packed || (!plain && ZSTD_decompress(to, b->size, s->packed.p, got) != b->size))
		return spool_damaged(reterr);
	out->n += b->size;
	return DRG_OK;
}

size_t drg_spool_parse(struct drg_str frames, struct drg_spooled *ret)
{
	struct frame f;
	if (frames.n < sizeof f)
		return 0;
	memcpy(&f, frames.p, sizeof f);
	const char *p = frames.p + sizeof f;
	if (frames.n - sizeof f < (size_t)f.record + f.row)
		return 0;
	ret->from = (struct drg_spool_origin){ f.file, f.line, drg_str(p + f.record, f.row), f.asks != 0 };
	ret->rejected = f.rejected != 0;
	ret->readable = f.record > 0;
	if (f.record > 0 && drg_record_unpack(p, f.record, &ret->record) != f.record)
		return 0;
	return sizeof f + f.record + f.row;
}

/* Read the frames of a block into s->frames, unless they are there. */
static int turn_to(struct drg_spool *s, size_t number, struct drg_err *reterr)
{
	assert(number < s->n);
	if (s->current == number)
		return DRG_OK;
	s->current = SIZE_MAX;
	drg_buf_clear(&s->frames);
	int rc = drg_spool_unpack(s, number, &s->frames, reterr);
	if (rc == DRG_OK)
		s->current = number;
	return rc;
}

static int each_of_block(struct drg_spool *s, size_t block, drg_spool_fn *fn, void *ctx,
                         struct drg_err *reterr)
{
	struct drg_spooled r;
	size_t at = 0;
	int rc = turn_to(s, block, reterr);
	for (s->frame = 0; rc == DRG_OK && at < s->frames.n; s->frame++) {
		size_t n = drg_spool_parse(drg_str(s->frames.p + at, s->frames.n - at), &r);
		if (n == 0)
			return spool_damaged(reterr);
		r.at = s->blocks[block].place + at;
		r.rejected = r.rejected || drg_spool_rejected(s, block, s->frame);
		rc = fn(ctx, &r, reterr);
		at += n;
	}
	return rc;
}

int drg_spool_each(struct drg_spool *s, drg_spool_fn *fn, void *ctx, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < s->n && rc == DRG_OK; i++)
		rc = each_of_block(s, i, fn, ctx, reterr);
	return rc;
}

/* The number of the block that contains a place. */
static size_t spool_block_of(const struct drg_spool *s, uint64_t at)
{
	assert(s->n > 0);
	size_t behind;
	DRG_BOUND(behind, s->n, i, s->blocks[i].place <= at);
	return behind > 0 ? behind - 1 : 0;
}

int drg_spool_get(struct drg_spool *s, uint64_t at, drg_spool_fn *fn, void *ctx, struct drg_err *reterr)
{
	assert(at < s->size);
	size_t number = spool_block_of(s, at);
	struct drg_spooled r = { .at = at };
	int rc = turn_to(s, number, reterr);
	if (rc != DRG_OK)
		return rc;
	size_t from = (size_t)(at - s->blocks[number].place);
	assert(s->blocks[number].place <= at && from < s->frames.n);
	if (drg_spool_parse(drg_str(s->frames.p + from, s->frames.n - from), &r) == 0)
		return spool_damaged(reterr);
	return fn(ctx, &r, reterr);
}
