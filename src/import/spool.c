#include "import/spool.h"

#include <stdlib.h>

/* Bytes read ahead; the buffer grows where one record is longer. */
enum { READ_BYTES = 1 << 20 };

struct drg_spool {
	struct drg_tempfile *file;
};

struct frame {
	uint64_t line;
	uint32_t file;
	uint32_t rejected;
	uint32_t record; /* bytes; 0: a bad line */
	uint32_t row; /* bytes */
};

int drg_spool_open(const char *dir, struct drg_spool **ret, struct drg_err *reterr)
{
	struct drg_spool *s = malloc(sizeof *s);
	if (s == NULL)
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	int rc = drg_tempfile_open(dir, &s->file, reterr);
	if (rc == DRG_OK)
		*ret = s;
	else
		free(s);
	return rc;
}

void drg_spool_close(struct drg_spool *s)
{
	if (s == NULL)
		return;
	drg_tempfile_close(s->file);
	free(s);
}

void drg_spool_frame(const struct drg_spool_origin *from, const struct drg_record *r, struct drg_buf *out)
{
	struct frame f = { .line = from->line, .file = from->file, .rejected = r == NULL };
	size_t start = out->n;
	drg_buf_add(out, &f, sizeof f);
	if (r != NULL)
		drg_record_pack(r, out);
	f.record = (uint32_t)(out->n - start - sizeof f);
	f.row = (uint32_t)from->row.n;
	drg_buf_str(out, from->row);
	if (out->rc == DRG_OK)
		memcpy(out->p + start, &f, sizeof f);
}

int drg_spool_add(struct drg_spool *s, struct drg_str frames, struct drg_err *reterr)
{
	return drg_tempfile_add(s->file, frames.p, frames.n, reterr);
}

uint64_t drg_spool_size(const struct drg_spool *s)
{
	return drg_tempfile_size(s->file);
}

static int damaged(struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_EIO, NULL, NULL, "the temporary file of the import cannot be read back");
}

/* Bytes [at, at + have) of the spool. */
struct window {
	struct drg_buf buf;
	uint64_t at;
};

/* See to it that at least @p want bytes from @p at are in the window; fewer only at the end of the file. */
static int move_window(struct drg_spool *s, struct window *w, uint64_t at, size_t want, size_t ahead,
                       struct drg_err *reterr)
{
	size_t n = want > ahead ? want : ahead;
	drg_buf_clear(&w->buf);
	if (!drg_buf_reserve(&w->buf, n))
		return drg_fail(reterr, DRG_ENOMEM, NULL, NULL, "out of memory");
	int rc = drg_tempfile_read(s->file, at, w->buf.p, n, &w->buf.n, reterr);
	w->at = at;
	return rc == DRG_OK && w->buf.n < want ? damaged(reterr) : rc;
}

static bool inside(const struct window *w, uint64_t at, size_t n)
{
	return at >= w->at && at + n <= w->at + w->buf.n;
}

/* Read the record at @p at. @param ret_next  Offset behind it. */
static int read_at(struct drg_spool *s, struct window *w, uint64_t at, size_t ahead, struct drg_spooled *ret,
                   uint64_t *ret_next, struct drg_err *reterr)
{
	struct frame f;
	int rc = inside(w, at, sizeof f) ? DRG_OK : move_window(s, w, at, sizeof f, ahead, reterr);
	if (rc != DRG_OK)
		return rc;
	memcpy(&f, w->buf.p + (at - w->at), sizeof f);
	size_t n = sizeof f + f.record + f.row;
	if (!inside(w, at, n))
		rc = move_window(s, w, at, n, ahead, reterr);
	if (rc != DRG_OK)
		return rc;
	const char *p = w->buf.p + (at - w->at) + sizeof f;
	ret->at = at;
	ret->from = (struct drg_spool_origin){ f.file, f.line, drg_str(p + f.record, f.row) };
	ret->rejected = f.rejected != 0;
	ret->readable = f.record > 0;
	if (f.record > 0 && drg_record_unpack(p, f.record, &ret->record) != f.record)
		return damaged(reterr);
	*ret_next = at + n;
	return DRG_OK;
}

int drg_spool_each(struct drg_spool *s, drg_spool_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct window w = { .at = 0 };
	struct drg_spooled r;
	uint64_t at = 0;
	int rc = DRG_OK;
	drg_buf_init(&w.buf, SIZE_MAX);
	while (rc == DRG_OK && at < drg_spool_size(s)) {
		rc = read_at(s, &w, at, READ_BYTES, &r, &at, reterr);
		if (rc == DRG_OK)
			rc = fn(ctx, &r, reterr);
	}
	drg_buf_done(&w.buf);
	return rc;
}

int drg_spool_get(struct drg_spool *s, uint64_t at, drg_spool_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct window w = { .at = 0 };
	struct drg_spooled r;
	drg_buf_init(&w.buf, SIZE_MAX);
	int rc = read_at(s, &w, at, 1024, &r, &at, reterr);
	if (rc == DRG_OK)
		rc = fn(ctx, &r, reterr);
	drg_buf_done(&w.buf);
	return rc;
}

int drg_spool_reject(struct drg_spool *s, uint64_t at, struct drg_err *reterr)
{
	const uint32_t yes = 1;
	return drg_tempfile_write_at(s->file, at + offsetof(struct frame, rejected), &yes, sizeof yes,
	                             reterr);
}
