#include "text/compress.h"

#include <brotli/encode.h>
#include <libdeflate.h>
#include <zstd.h>

/* Appends to @p out, which has room. @return bytes written, 0 on failure. */
typedef size_t encoder(struct drg_str in, char *out, size_t cap);

/* Each takes 25-40 ms for 1 MB of a hotel list, off the request path, once per version of a list. The next steps
 * (9, 9, 13) cost 1.5 to 3 times as much for 1-3 % less. */
enum { GZIP_LEVEL = 8, BROTLI_QUALITY = 8, ZSTD_LEVEL = 12 };

static size_t gzip_bound(size_t n)
{
	return libdeflate_gzip_compress_bound(NULL, n);
}

static size_t gzip(struct drg_str in, char *out, size_t cap)
{
	struct libdeflate_compressor *c = libdeflate_alloc_compressor(GZIP_LEVEL);
	if (c == NULL)
		return 0;
	size_t n = libdeflate_gzip_compress(c, in.p, in.n, out, cap);
	libdeflate_free_compressor(c);
	return n;
}

static size_t brotli(struct drg_str in, char *out, size_t cap)
{
	size_t n = cap;
	if (!BrotliEncoderCompress(BROTLI_QUALITY, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, in.n,
	                           (const uint8_t *)in.p, &n, (uint8_t *)out))
		return 0;
	return n;
}

static size_t zstd(struct drg_str in, char *out, size_t cap)
{
	size_t n = ZSTD_compress(out, cap, in.p, in.n, ZSTD_LEVEL);
	return ZSTD_isError(n) ? 0 : n;
}

static const struct {
	const char *name;
	size_t (*bound)(size_t n);
	encoder *encode;
} codings[DRG_CODING_COUNT] = {
	[DRG_CODING_IDENTITY] = { "identity", NULL, NULL },
	[DRG_CODING_GZIP] = { "gzip", gzip_bound, gzip },
	[DRG_CODING_BR] = { "br", BrotliEncoderMaxCompressedSize, brotli },
	[DRG_CODING_ZSTD] = { "zstd", ZSTD_compressBound, zstd },
};

const char *drg_coding_name(enum drg_coding c)
{
	return codings[c].name;
}

int drg_compress(enum drg_coding c, struct drg_str in, struct drg_buf *out, struct drg_err *reterr)
{
	if (c == DRG_CODING_IDENTITY)
		drg_buf_str(out, in);
	else if (drg_buf_reserve(out, codings[c].bound(in.n))) {
		size_t n = codings[c].encode(in, out->p + out->n, out->cap - out->n);
		out->n += n;
		if (n == 0)
			out->rc = DRG_ENOMEM;
	}
	if (out->rc != DRG_OK)
		return drg_fail(reterr, out->rc, NULL, NULL, "cannot compress %zu bytes as %s: %s", in.n,
		                codings[c].name, drg_rc_text(out->rc));
	return DRG_OK;
}
