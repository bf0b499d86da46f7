#include "admin/backup/blocks.h"

#include <assert.h>
#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zstd.h>
#include <zstd_errors.h>

#include "base/checksum.h"
#include "base/newfile.h"
#include "base/packed.h"

static const char MAGIC[] = "dragoman backup\n";
enum { MAGIC_BYTES = sizeof MAGIC - 1, LEVEL = 1, LARGEST = 1 << 30 };

/* The header of a block as it is in the file, little-endian. */
struct block_head {
	uint32_t what, number;
	/* bytes of the content, and of its form in the file; equal if it is not compressed */
	uint32_t size, packed;
	uint64_t hash; /* hash of the content as it is in the file */
	uint64_t own; /* hash of the members before this one */
};
enum { HASHED = offsetof(struct block_head, own) };

/* ---- writing ------------------------------------------------------------------------------------------- */

static int blocks_write(struct drg_blocks_out *o, struct drg_str bytes, struct drg_err *reterr)
{
	int e = drg_write_all(o->fd, bytes);
	if (e != 0)
		return drg_fail(reterr, drg_rc_from_errno(e), NULL, NULL, "cannot write the backup %s: %s",
		                o->name, strerror(e));
	o->bytes += bytes.n;
	return DRG_OK;
}

/* Write data to the disk while the file grows. So the last fsync has no gigabytes to write, for which the
 * store's fsyncs would wait. Written data are also dropped from memory, which the store's pages need. */
static void blocks_pace(const struct drg_blocks_out *o, off_t from, off_t n)
{
	static const off_t BEHIND = 16 << 20;
	if (!o->paced)
		return;
	(void)sync_file_range(o->fd, from, n, SYNC_FILE_RANGE_WRITE);
	if (from < BEHIND)
		return;
	(void)sync_file_range(o->fd, from - BEHIND, n, SYNC_FILE_RANGE_WAIT_BEFORE);
	(void)posix_fadvise(o->fd, 0, from - BEHIND, POSIX_FADV_DONTNEED);
}

int drg_blocks_begin(int fd, const char *name, struct drg_blocks_out *ret, struct drg_err *reterr)
{
	struct stat st;
	*ret = (struct drg_blocks_out){ .fd = fd,
		                        .name = name,
		                        .paced = fstat(fd, &st) == 0 && S_ISREG(st.st_mode) };
	drg_buf_init(&ret->packed, SIZE_MAX);
	return blocks_write(ret, drg_str(MAGIC, MAGIC_BYTES), reterr);
}

/* Pack the content behind room for its header, so that both are written at once. */
static int blocks_pack(struct drg_blocks_out *o, bool plain, struct drg_str bytes, struct drg_err *reterr)
{
	drg_buf_clear(&o->packed);
	if (!drg_buf_reserve(&o->packed, sizeof(struct block_head) + ZSTD_compressBound(bytes.n)))
		return drg_fail_memory(reterr);
	char *to = o->packed.p + sizeof(struct block_head);
	size_t room = o->packed.cap - sizeof(struct block_head);
	size_t n = plain ? bytes.n : ZSTD_compress(to, room, bytes.p, bytes.n, LEVEL);
	if (ZSTD_isError(n))
		return drg_fail_memory(reterr);
	if (plain || n >= bytes.n) {
		n = bytes.n;
		memcpy(to, bytes.p, n);
	}
	o->packed.n = sizeof(struct block_head) + n;
	return DRG_OK;
}

int drg_blocks_put(struct drg_blocks_out *o, unsigned what, struct drg_str bytes, struct drg_err *reterr)
{
	assert(bytes.n > 0 && bytes.n <= LARGEST);
	int rc = blocks_pack(o, what == DRG_BLOCK_HEAD, bytes, reterr);
	if (rc != DRG_OK)
		return rc;
	const size_t n = o->packed.n - sizeof(struct block_head);
	struct block_head h = { .what = htole32(what),
		                .number = htole32(o->n),
		                .size = htole32((uint32_t)bytes.n),
		                .packed = htole32((uint32_t)n),
		                .hash = htole64(drg_checksum(o->packed.p + sizeof h, n, 0)),
		                .own = 0 };
	h.own = htole64(drg_checksum(&h, HASHED, 0));
	memcpy(o->packed.p, &h, sizeof h);
	o->hash = drg_checksum(&h, sizeof h, o->hash);
	o->n++;
	off_t from = (off_t)o->bytes;
	rc = blocks_write(o, drg_buf_view(&o->packed), reterr);
	blocks_pace(o, from, (off_t)o->packed.n);
	return rc;
}

int drg_blocks_end(struct drg_blocks_out *o, uint64_t rows, struct drg_err *reterr)
{
	struct drg_buf end;
	drg_buf_init(&end, SIZE_MAX);
	drg_pack_u(&end, o->n);
	drg_pack_u(&end, o->hash);
	drg_pack_u(&end, rows);
	int rc = end.rc == DRG_OK ? drg_blocks_put(o, DRG_BLOCK_END, drg_buf_view(&end), reterr)
	                          : drg_fail_memory(reterr);
	drg_buf_done(&end);
	return rc;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

int drg_blocks_damaged(const struct drg_blocks_in *in, const char *how, struct drg_err *reterr)
{
	return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
	                "the backup %s %s (block %" PRIu32 ", byte %" PRIu64 "): take another one", in->name,
	                how, in->n, in->bytes);
}

/* Read bytes. @param ret_n  Less than @p n only at the end of the file. */
static int blocks_read(struct drg_blocks_in *in, void *to, size_t n, size_t *ret_n, struct drg_err *reterr)
{
	size_t got = 0;
	while (got < n) {
		ssize_t done = read(in->fd, (char *)to + got, n - got);
		if (done == 0)
			break;
		if (done < 0 && errno != EINTR)
			return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
			                "cannot read the backup %s: %s", in->name, strerror(errno));
		got += done > 0 ? (size_t)done : 0;
	}
	*ret_n = got;
	return DRG_OK;
}

bool drg_blocks_are_at(const char *path, bool unsynced)
{
	static const char lost[MAGIC_BYTES] = { 0 };
	char magic[MAGIC_BYTES];
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd >= 0 ? read(fd, magic, sizeof magic) : -1;
	if (fd >= 0)
		close(fd);
	return n == 0 || (n == MAGIC_BYTES && (memcmp(magic, MAGIC, sizeof magic) == 0 ||
	                                       (unsynced && memcmp(magic, lost, sizeof magic) == 0)));
}

int drg_blocks_open(const char *path, struct drg_blocks_in *ret, struct drg_err *reterr)
{
	char magic[MAGIC_BYTES];
	size_t n = 0;
	*ret = (struct drg_blocks_in){ .fd = open(path, O_RDONLY | O_CLOEXEC), .name = path };
	drg_buf_init(&ret->packed, SIZE_MAX);
	drg_buf_init(&ret->plain, SIZE_MAX);
	if (ret->fd < 0)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot read the backup %s: %s",
		                path, strerror(errno));
	(void)posix_fadvise(ret->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
	int rc = blocks_read(ret, magic, sizeof magic, &n, reterr);
	if (rc == DRG_OK && (n < sizeof magic || memcmp(magic, MAGIC, sizeof magic) != 0))
		rc = drg_fail(reterr, DRG_EINVAL, NULL, NULL, "%s is not a backup that dragoman made", path);
	ret->bytes = MAGIC_BYTES;
	if (rc != DRG_OK)
		drg_blocks_close(ret);
	return rc;
}

void drg_blocks_close(struct drg_blocks_in *in)
{
	if (in->fd >= 0)
		close(in->fd);
	in->fd = -1;
	drg_buf_done(&in->packed);
	drg_buf_done(&in->plain);
}

static int blocks_read_head(struct drg_blocks_in *in, struct block_head *ret, struct drg_err *reterr)
{
	size_t n;
	int rc = blocks_read(in, ret, sizeof *ret, &n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (n < sizeof *ret)
		return drg_blocks_damaged(in, "is cut off", reterr);
	if (le64toh(ret->own) != drg_checksum(ret, HASHED, 0) || le32toh(ret->number) != in->n ||
	    le32toh(ret->size) > LARGEST || le32toh(ret->packed) > le32toh(ret->size))
		return drg_blocks_damaged(in, "is damaged", reterr);
	return DRG_OK;
}

static int blocks_read_bytes(struct drg_blocks_in *in, const struct block_head *h, struct drg_str *ret,
                             struct drg_err *reterr)
{
	const size_t packed = le32toh(h->packed), size = le32toh(h->size);
	size_t n;
	drg_buf_clear(&in->packed);
	drg_buf_clear(&in->plain);
	if (!drg_buf_reserve(&in->packed, packed + 1) || !drg_buf_reserve(&in->plain, size + 1))
		return drg_fail_memory(reterr);
	int rc = blocks_read(in, in->packed.p, packed, &n, reterr);
	if (rc != DRG_OK)
		return rc;
	if (n < packed)
		return drg_blocks_damaged(in, "is cut off", reterr);
	if (drg_checksum(in->packed.p, packed, 0) != le64toh(h->hash))
		return drg_blocks_damaged(in, "is damaged", reterr);
	*ret = drg_str(in->packed.p, packed);
	if (packed == size)
		return DRG_OK;
	size_t got = ZSTD_decompress(in->plain.p, size, in->packed.p, packed);
	if (ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
		return drg_fail_memory(reterr);
	if (got != size)
		return drg_blocks_damaged(in, "is damaged", reterr);
	*ret = drg_str(in->plain.p, size);
	return DRG_OK;
}

/* Do the last block and the end of the file agree with the blocks that were read? */
static int blocks_check_end(struct drg_blocks_in *in, struct drg_str bytes, struct drg_err *reterr)
{
	struct drg_packed end = { bytes.p, bytes.n, false };
	char more;
	size_t n = 0;
	uint64_t blocks = drg_unpack_u(&end), hash = drg_unpack_u(&end);
	in->rows = drg_unpack_u(&end);
	if (end.cut || blocks != in->n || hash != in->hash)
		return drg_blocks_damaged(in, "is damaged", reterr);
	int rc = blocks_read(in, &more, 1, &n, reterr);
	if (rc == DRG_OK && n > 0)
		rc = drg_blocks_damaged(in, "has something behind its end", reterr);
	return rc == DRG_OK ? DRG_ENOENT : rc;
}

int drg_blocks_next(struct drg_blocks_in *in, unsigned *ret_what, struct drg_str *ret_bytes,
                    struct drg_err *reterr)
{
	struct block_head h;
	struct drg_str bytes;
	int rc = blocks_read_head(in, &h, reterr);
	if (rc == DRG_OK)
		rc = blocks_read_bytes(in, &h, &bytes, reterr);
	if (rc != DRG_OK)
		return rc;
	if (le32toh(h.what) == DRG_BLOCK_END)
		return blocks_check_end(in, bytes, reterr);
	in->hash = drg_checksum(&h, sizeof h, in->hash);
	in->bytes += sizeof h + le32toh(h.packed);
	in->n++;
	*ret_what = le32toh(h.what);
	*ret_bytes = bytes;
	return DRG_OK;
}
