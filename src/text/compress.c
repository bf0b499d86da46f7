#include "text/compress.h"

#include <brotli/encode.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <zstd.h>

/* Appends to @p out, which has room. @return bytes written, 0 on failure. */
typedef size_t encoder(struct drg_str in, char *out, size_t cap);

/* How hard to try, by size. A list is compressed off the request path, once per version, but a change must be seen
 * within a second (decision E8), so big ones get less time per byte: up to 1 MB the levels take 25-40 ms for 1 MB of
 * a hotel list (the next steps, 9, 9 and 13, cost 1.5 to 3 times as much for 1-3 % less); beyond, a third of that per
 * byte, for a body 3-8 % larger. */
static const size_t BIG_BYTES = 1000000;

static int level_for(size_t n, int usual, int big)
{
	return n > BIG_BYTES ? big : usual;
}

static size_t gzip_bound(size_t n)
{
	return libdeflate_gzip_compress_bound(NULL, n);
}

static size_t gzip(struct drg_str in, char *out, size_t cap)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(level_for(in.n, 8, 6));
	if (c == NULL)
		return 0;
	size_t n = libdeflate_gzip_compress(c, in.p, in.n, out, cap);
	libdeflate_free_compressor(c);
	return n;
}

static size_t brotli(struct drg_str in, char *out, size_t cap)
{
	size_t n = cap;
	if (!BrotliEncoderCompress(level_for(in.n, 8, 5), BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, in.n,
	                           (const uint8_t *)in.p, &n, (uint8_t *)out))
		return 0;
	return n;
}

static size_t zstd(struct drg_str in, char *out, size_t cap)
{
	size_t n = ZSTD_compress(out, cap, in.p, in.n, level_for(in.n, 12, 6));
	return ZSTD_isError(n) ? 0 : n;
}

/* ---- the fastest levels ---------------------------------------------------------------------------------- */

/* A thread's own. */
struct fast {
	struct libdeflate_compressor *gzip;
	ZSTD_CCtx *zstd;
};

static pthread_key_t fast_key;
static pthread_once_t fast_once = PTHREAD_ONCE_INIT;

static void fast_free(void *p)
{
	struct fast *f = p;
	libdeflate_free_compressor(f->gzip);
	ZSTD_freeCCtx(f->zstd);
	free(f);
}

static void fast_make_key(void)
{
	pthread_key_create(&fast_key, fast_free);
}

/* NULL: no memory. */
static struct fast *fast_of_thread(void)
{
	pthread_once(&fast_once, fast_make_key);
	struct fast *f = pthread_getspecific(fast_key);
	if (f != NULL)
		return f;
	f = calloc(1, sizeof *f);
	if (f != NULL && pthread_setspecific(fast_key, f) != 0) {
		free(f);
		f = NULL;
	}
	return f;
}

static size_t gzip_fast(struct drg_str in, char *out, size_t cap)
{
	struct fast *f = fast_of_thread();
	if (f != NULL && f->gzip == NULL)
		f->gzip = libdeflate_alloc_compressor(1);
	return f != NULL && f->gzip != NULL ? libdeflate_gzip_compress(f->gzip, in.p, in.n, out, cap) : 0;
}

static size_t brotli_fast(struct drg_str in, char *out, size_t cap)
{
	size_t n = cap;
	return BrotliEncoderCompress(1, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, in.n, (const uint8_t *)in.p,
	                             &n, (uint8_t *)out)
	               ? n
	               : 0;
}

static size_t zstd_fast(struct drg_str in, char *out, size_t cap)
{
	struct fast *f = fast_of_thread();
	if (f != NULL && f->zstd == NULL)
		f->zstd = ZSTD_createCCtx();
	size_t n = f != NULL && f->zstd != NULL ? ZSTD_compressCCtx(f->zstd, out, cap, in.p, in.n, 1) : 0;
	return ZSTD_isError(n) ? 0 : n;
}

static const struct {
	const char *name;
	size_t (*bound)(size_t n);
	encoder *encode, *fast;
} codings[DRG_CODING_COUNT] = {
	[DRG_CODING_IDENTITY] = { "identity", NULL, NULL, NULL },
	[DRG_CODING_GZIP] = { "gzip", gzip_bound, gzip, gzip_fast },
	[DRG_CODING_BR] = { "br", BrotliEncoderMaxCompressedSize, brotli, brotli_fast },
	[DRG_CODING_ZSTD] = { "zstd", ZSTD_compressBound, zstd, zstd_fast },
};

const char *drg_coding_name(enum drg_coding c)
{
	return codings[c].name;
}

static int compress_by(encoder *encode, enum drg_coding c, struct drg_str in, struct drg_buf *out,
                       struct drg_err *reterr)
{
	if (c == DRG_CODING_IDENTITY)
		drg_buf_str(out, in);
	else if (drg_buf_reserve(out, codings[c].bound(in.n))) {
		size_t n = encode(in, out->p + out->n, out->cap - out->n);
		out->n += n;
		if (n == 0)
			out->rc = DRG_ENOMEM;
	}
	if (out->rc != DRG_OK)
		return drg_fail(reterr, out->rc, NULL, NULL, "cannot compress %zu bytes as %s: %s", in.n,
		                codings[c].name, drg_rc_text(out->rc));
	return DRG_OK;
}

int drg_compress(enum drg_coding c, struct drg_str in, struct drg_buf *out, struct drg_err *reterr)
{
	return compress_by(codings[c].encode, c, in, out, reterr);
}

int drg_compress_fast(enum drg_coding c, struct drg_str in, struct drg_buf *out, struct drg_err *reterr)
{
	return compress_by(codings[c].fast, c, in, out, reterr);
}
