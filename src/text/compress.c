#include "text/compress.h"

#include <assert.h>
#include <brotli/encode.h>
#include <libdeflate.h>
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <zstd.h>

/* How hard to try, by size. A list is compressed off the request path, once per version, but a change must be
 * seen within a second (decision E8), so big ones get less time per byte: up to 1 MB the levels take 25-40 ms
 * for 1 MB of a hotel list (the next steps, 9, 9 and 13, cost 1.5 to 3 times as much for 1-3 % less); beyond,
 * a third of that per byte, for a body 3-8 % larger. */
static const size_t BIG_BYTES = 1000000;

static int level_for(size_t n, int usual, int big)
{
	return n > BIG_BYTES ? big : usual;
}

static size_t gzip_bound(size_t n)
{
	return libdeflate_gzip_compress_bound(NULL, n);
}

/* Most of what a coding of some kilobytes costs is memory that is fetched from the system and given back: 24
 * ms of brotli's 25 for a list of 10 kB. So it stays with the packer, and brotli's, which wants new sizes
 * each time, is one piece of which it gets parts until it is done: 28 MB for a body of 1 MB. */
static const size_t ROOM_BYTES = (size_t)32 << 20;

struct drg_packer {
	struct libdeflate_compressor *gzip[2]; /* usual, big; NULL: not yet */
	ZSTD_CCtx *zstd;
	char *room; /* brotli's */
	size_t used;
};

int drg_packer_new(struct drg_packer **ret, struct drg_err *reterr)
{
	struct drg_packer *p = calloc(1, sizeof *p);
	if (p == NULL)
		return drg_fail_memory(reterr);
	*ret = p;
	return DRG_OK;
}

void drg_packer_free(struct drg_packer *p)
{
	if (p == NULL)
		return;
	libdeflate_free_compressor(p->gzip[0]);
	libdeflate_free_compressor(p->gzip[1]);
	ZSTD_freeCCtx(p->zstd);
	if (p->room != NULL)
		munmap(p->room, ROOM_BYTES);
	free(p);
}

/* Appends to @p out, which has room. @return bytes written, 0 on failure. */
typedef size_t encoder(struct drg_packer *p, struct drg_str in, char *out, size_t cap);

static size_t gzip(struct drg_packer *p, struct drg_str in, char *out, size_t cap)
{
	struct libdeflate_compressor **c = &p->gzip[in.n > BIG_BYTES];
	if (*c == NULL)
		*c = libdeflate_alloc_compressor(level_for(in.n, 8, 6));
	return *c != NULL ? libdeflate_gzip_compress(*c, in.p, in.n, out, cap) : 0;
}

/* Allocate from the room, as long as there is some. */
static void *packer_alloc(void *packer, size_t n)
{
	enum { ALIGNED = 64 };
	struct drg_packer *p = packer;
	assert(p->used <= ROOM_BYTES && p->room != NULL);
	if (n > ROOM_BYTES - p->used)
		return malloc(n);
	void *at = p->room + p->used;
	p->used += (n + ALIGNED - 1) / ALIGNED * ALIGNED;
	return at;
}

static void packer_release(void *packer, void *at)
{
	const struct drg_packer *p = packer;
	uintptr_t here = (uintptr_t)at, room = (uintptr_t)p->room;
	if (here < room || here >= room + ROOM_BYTES)
		free(at);
}

static bool packer_make_room(struct drg_packer *p)
{
	p->used = 0;
	if (p->room != NULL)
		return true;
	void *room = mmap(NULL, ROOM_BYTES, PROT_READ | PROT_WRITE,
	                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	p->room = room != MAP_FAILED ? room : NULL;
	return p->room != NULL;
}

static size_t brotli(struct drg_packer *p, struct drg_str in, char *out, size_t cap)
{
	const struct {
		BrotliEncoderParameter name;
		uint32_t value;
	} set[] = {
		{ BROTLI_PARAM_QUALITY, (uint32_t)level_for(in.n, 8, 5) },
		{ BROTLI_PARAM_LGWIN, BROTLI_DEFAULT_WINDOW },
		{ BROTLI_PARAM_MODE, BROTLI_MODE_TEXT },
		{ BROTLI_PARAM_SIZE_HINT, in.n < UINT32_MAX ? (uint32_t)in.n : UINT32_MAX },
	};
	BrotliEncoderState *s =
	        packer_make_room(p) ? BrotliEncoderCreateInstance(packer_alloc, packer_release, p) : NULL;
	if (s == NULL)
		return 0;
	for (size_t i = 0; i < DRG_ARRAY_LEN(set); i++)
		BrotliEncoderSetParameter(s, set[i].name, set[i].value);
	const uint8_t *from = (const uint8_t *)in.p;
	uint8_t *to = (uint8_t *)out;
	size_t n = 0;
	bool ok = BrotliEncoderCompressStream(s, BROTLI_OPERATION_FINISH, &in.n, &from, &cap, &to, &n) &&
	          BrotliEncoderIsFinished(s);
	BrotliEncoderDestroyInstance(s);
	return ok ? n : 0;
}

static size_t zstd(struct drg_packer *p, struct drg_str in, char *out, size_t cap)
{
	if (p->zstd == NULL)
		p->zstd = ZSTD_createCCtx();
	size_t n = p->zstd != NULL ? ZSTD_compressCCtx(p->zstd, out, cap, in.p, in.n, level_for(in.n, 12, 6))
	                           : 0;
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

static size_t gzip_fast(struct drg_packer *unused, struct drg_str in, char *out, size_t cap)
{
	(void)unused;
	struct fast *f = fast_of_thread();
	if (f != NULL && f->gzip == NULL)
		f->gzip = libdeflate_alloc_compressor(1);
	return f != NULL && f->gzip != NULL ? libdeflate_gzip_compress(f->gzip, in.p, in.n, out, cap) : 0;
}

static size_t brotli_fast(struct drg_packer *unused, struct drg_str in, char *out, size_t cap)
{
	(void)unused;
	size_t n = cap;
	return BrotliEncoderCompress(1, BROTLI_DEFAULT_WINDOW, BROTLI_MODE_TEXT, in.n, (const uint8_t *)in.p,
	                             &n, (uint8_t *)out)
	               ? n
	               : 0;
}

static size_t zstd_fast(struct drg_packer *unused, struct drg_str in, char *out, size_t cap)
{
	(void)unused;
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
	assert(c < DRG_CODING_COUNT);
	return codings[c].name;
}

static int compress_by(encoder *encode, struct drg_packer *p, enum drg_coding c, struct drg_str in,
                       struct drg_buf *out, struct drg_err *reterr)
{
	assert(c == DRG_CODING_IDENTITY || (c < DRG_CODING_COUNT && encode != NULL));
	if (c == DRG_CODING_IDENTITY)
		drg_buf_str(out, in);
	else if (drg_buf_reserve(out, codings[c].bound(in.n))) {
		size_t n = encode(p, in, out->p + out->n, out->cap - out->n);
		assert(n <= out->cap - out->n);
		out->n += n;
		if (n == 0)
			out->rc = DRG_ENOMEM;
	}
	if (out->rc != DRG_OK)
		return drg_fail(reterr, out->rc, NULL, NULL, "cannot compress %zu bytes as %s: %s", in.n,
		                codings[c].name, drg_rc_text(out->rc));
	return DRG_OK;
}

int drg_packer_compress(struct drg_packer *p, enum drg_coding c, struct drg_str in, struct drg_buf *out,
                        struct drg_err *reterr)
{
	return compress_by(codings[c].encode, p, c, in, out, reterr);
}

int drg_compress_fast(enum drg_coding c, struct drg_str in, struct drg_buf *out, struct drg_err *reterr)
{
	return compress_by(codings[c].fast, NULL, c, in, out, reterr);
}
