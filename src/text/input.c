#include "text/input.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

enum { RAW_BYTES = 128 * 1024 };

/* One way to uncompress. read() gives 0 bytes only at the end of the file. */
struct codec {
	struct drg_str magic;
	int (*start)(struct drg_input *in);
	int (*read)(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr);
	void (*stop)(struct drg_input *in);
};

struct drg_input {
	int fd;
	const struct codec *codec;
	uint64_t bytes; /* of the file */
	uint64_t given; /* bytes, uncompressed */
	size_t at, n; /* what is unread of raw */
	bool inside; /* a compressed member or frame is begun and not ended */
	z_stream gzip;
	ZSTD_DStream *zstd;
	char raw[RAW_BYTES];
};

/* ---- the file ------------------------------------------------------------------------------------------ */

static int input_read_file(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	ssize_t n;
	do
		n = read(in->fd, buf, cap);
	while (n < 0 && errno == EINTR);
	if (n < 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read: %s", strerror(errno));
	in->bytes += (uint64_t)n;
	*ret_n = (size_t)n;
	return DRG_OK;
}

/* Have at least one unread byte in raw, unless the file ends. */
static int input_refill(struct drg_input *in, struct drg_err *reterr)
{
	assert(in->at <= in->n && in->n <= sizeof in->raw);
	if (in->at < in->n)
		return DRG_OK;
	in->at = in->n = 0;
	return input_read_file(in, in->raw, sizeof in->raw, &in->n, reterr);
}

/* ---- plain --------------------------------------------------------------------------------------------- */

static int plain_start(struct drg_input *in)
{
	(void)in;
	return DRG_OK;
}

static int plain_read(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	if (in->at == in->n)
		return input_read_file(in, buf, cap, ret_n, reterr);
	size_t n = in->n - in->at < cap ? in->n - in->at : cap; /* what was read to look for the magic */
	memcpy(buf, in->raw + in->at, n);
	in->at += n;
	*ret_n = n;
	return DRG_OK;
}

static void plain_stop(struct drg_input *in)
{
	(void)in;
}

/* ---- gzip ---------------------------------------------------------------------------------------------- */

static int gzip_start(struct drg_input *in)
{
	return inflateInit2(&in->gzip, 16 + MAX_WBITS) == Z_OK ? DRG_OK : DRG_ENOMEM;
}

static int gzip_step(struct drg_input *in, struct drg_err *reterr)
{
	/* A file may hold several members one behind the other. */
	if (!in->inside && inflateReset(&in->gzip) != Z_OK)
		return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "zlib cannot be reset");
	in->inside = true;
	in->gzip.next_in = (Bytef *)in->raw + in->at;
	in->gzip.avail_in = (uInt)(in->n - in->at);
	int z = inflate(&in->gzip, Z_NO_FLUSH);
	in->at = in->n - in->gzip.avail_in;
	if (z == Z_STREAM_END)
		in->inside = false;
	else if (z == Z_MEM_ERROR)
		return drg_fail_memory(reterr);
	else if (z != Z_OK && z != Z_BUF_ERROR)
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "the gzip data is damaged: %s",
		                in->gzip.msg != NULL ? in->gzip.msg : "bad stream");
	return DRG_OK;
}

static int gzip_read(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	in->gzip.next_out = (Bytef *)buf;
	in->gzip.avail_out = (uInt)cap;
	while (in->gzip.avail_out == cap) {
		int rc = input_refill(in, reterr);
		if (rc != DRG_OK)
			return rc;
		if (in->n == 0 && in->inside)
			return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "the gzip data is cut off");
		if (in->n == 0)
			break;
		rc = gzip_step(in, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	*ret_n = cap - in->gzip.avail_out;
	return DRG_OK;
}

static void gzip_stop(struct drg_input *in)
{
	inflateEnd(&in->gzip);
}

/* ---- Zstandard ----------------------------------------------------------------------------------------- */

static int zstd_start(struct drg_input *in)
{
	in->zstd = ZSTD_createDStream();
	return in->zstd != NULL ? DRG_OK : DRG_ENOMEM;
}

static int zstd_read(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	ZSTD_outBuffer out = { buf, cap, 0 };
	while (out.pos == 0) {
		int rc = input_refill(in, reterr);
		if (rc != DRG_OK)
			return rc;
		/* Even without new bytes it may hold output back that did not fit last time. */
		ZSTD_inBuffer raw = { in->raw, in->n, in->at };
		size_t left = in->n > 0 || in->inside ? ZSTD_decompressStream(in->zstd, &out, &raw) : 0;
		if (ZSTD_isError(left))
			return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "the zstd data is damaged: %s",
			                ZSTD_getErrorName(left));
		in->at = raw.pos;
		in->inside = left != 0;
		if (in->n == 0 && out.pos == 0 && in->inside)
			return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "the zstd data is cut off");
		if (in->n == 0)
			break;
	}
	*ret_n = out.pos;
	return DRG_OK;
}

static void zstd_stop(struct drg_input *in)
{
	ZSTD_freeDStream(in->zstd);
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* clang-format off */
static const struct codec codecs[] = {
	{ { "\x1f\x8b", 2 },         gzip_start,  gzip_read,  gzip_stop },
	{ { "\x28\xb5\x2f\xfd", 4 }, zstd_start,  zstd_read,  zstd_stop },
	{ { "", 0 },                 plain_start, plain_read, plain_stop },
};
/* clang-format on */

static int choose_codec(struct drg_input *in, struct drg_err *reterr)
{
	assert(in->codec == NULL && in->at == 0);
	enum { MAGIC_BYTES = 4 };
	size_t n = 1;
	while (in->n < MAGIC_BYTES && n > 0) { /* a pipe may give one byte at a time */
		int rc = input_read_file(in, in->raw + in->n, sizeof in->raw - in->n, &n, reterr);
		if (rc != DRG_OK)
			return rc;
		in->n += n;
	}
	const struct codec *c = codecs;
	while (c->magic.n > in->n || memcmp(in->raw, c->magic.p, c->magic.n) != 0)
		c++;
	if (c->start(in) != DRG_OK)
		return drg_fail_memory(reterr);
	in->codec = c;
	return DRG_OK;
}

static int input_open_file(struct drg_input *in, const char *path, struct drg_err *reterr)
{
	bool standard = strcmp(path, "-") == 0;
	in->fd = standard ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0) : open(path, O_RDONLY | O_CLOEXEC);
	if (in->fd < 0)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot open %s: %s",
		                standard ? "standard input" : path, strerror(errno));
	return choose_codec(in, reterr);
}

int drg_input_open(const char *path, struct drg_input **ret, struct drg_err *reterr)
{
	struct drg_input *in = calloc(1, sizeof *in);
	if (in == NULL)
		return drg_fail_memory(reterr);
	in->fd = -1;
	int rc = input_open_file(in, path, reterr);
	if (rc != DRG_OK) {
		drg_input_close(in);
		return rc;
	}
	*ret = in;
	return DRG_OK;
}

void drg_input_close(struct drg_input *in)
{
	if (in == NULL)
		return;
	if (in->codec != NULL)
		in->codec->stop(in);
	if (in->fd >= 0)
		close(in->fd);
	free(in);
}

/* Records shrink to a hundredth at best. A few hundred kilobytes that unfold to gigabytes would only keep us
 * busy. */
static int check_growth(const struct drg_input *in, struct drg_err *reterr)
{
	if (in->given <= DRG_INPUT_GROWTH_FROM || in->given / DRG_INPUT_GROWTH_MAX <= in->bytes)
		return DRG_OK;
	return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
	                "the compressed data unfolds to more than %d times its size, which no records do: "
	                "uncompress it and look at it, or import it uncompressed",
	                DRG_INPUT_GROWTH_MAX);
}

int drg_input_read(struct drg_input *in, char *buf, size_t cap, size_t *ret_n, struct drg_err *reterr)
{
	assert(cap > 0); /* nothing read means the end */
	int rc = in->codec->read(in, buf, cap, ret_n, reterr);
	if (rc != DRG_OK)
		return rc;
	assert(*ret_n <= cap);
	in->given += *ret_n;
	return check_growth(in, reterr);
}

uint64_t drg_input_bytes(const struct drg_input *in)
{
	return in->bytes;
}

static int input_write(int fd, const char *p, size_t n, struct drg_err *reterr)
{
	while (n > 0) {
		ssize_t done = write(fd, p, n);
		if (done < 0 && errno == EINTR)
			continue;
		if (done < 0)
			return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
			                "cannot write the output: %s", strerror(errno));
		p += done;
		n -= (size_t)done;
	}
	return DRG_OK;
}

int drg_input_copy(const char *path, int fd, struct drg_err *reterr)
{
	char block[32 * 1024];
	size_t n = 0;
	struct drg_input *in = NULL;
	int rc = drg_input_open(path, &in, reterr);
	while (rc == DRG_OK && (rc = drg_input_read(in, block, sizeof block, &n, reterr)) == DRG_OK && n > 0)
		rc = input_write(fd, block, n, reterr);
	drg_input_close(in);
	return rc;
}
