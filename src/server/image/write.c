#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/checksum.h"
#include "server/image/file_priv.h"

/* ---- the new file ---------------------------------------------------------------------------------------- */

int drg_image_begin(const char *path, size_t bytes, struct drg_newfile *ret, struct drg_err *reterr)
{
	struct drg_newfile w;
	int rc = drg_newfile_begin("the snapshot", path, NULL, &w, reterr);
	if (rc != DRG_OK)
		return rc;
	rc = drg_newfile_room(&w, bytes, reterr);
	if (rc == DRG_OK)
		*ret = w;
	else
		drg_newfile_drop(&w);
	return rc;
}

/* ---- its parts ------------------------------------------------------------------------------------------- */

struct image_writer {
	const struct drg_newfile *w;
	int64_t until_ns;
	uint64_t at; /* in the file */
	uint64_t *hashes, n_hashes;
	struct drg_err *err;
};

static int put_bytes(struct image_writer *g, struct drg_str bytes)
{
	while (bytes.n > 0) {
		ssize_t n = pwrite(g->w->fd, bytes.p, bytes.n, (off_t)g->at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return drg_newfile_fail(g->w, g->w->aside, n < 0 ? errno : ENOSPC, g->err);
		g->at += (uint64_t)n;
		bytes = drg_str(bytes.p + n, bytes.n - (size_t)n);
	}
	return DRG_OK;
}

/* Write a part. Written data are flushed as we go, so that the final fsync does not have gigabytes to write
 * while the store's fsyncs wait. */
static int put_part(struct image_writer *g, struct drg_str part)
{
	int rc = DRG_OK;
	for (size_t at = 0; at < part.n && rc == DRG_OK; at += DRG_IMAGE_CHUNK) {
		struct drg_str chunk =
		        drg_str(part.p + at, part.n - at < DRG_IMAGE_CHUNK ? part.n - at : DRG_IMAGE_CHUNK);
		if (drg_clock_ns() > g->until_ns)
			return drg_fail(g->err, DRG_ESTOPPED, NULL, NULL,
			                "writing the snapshot takes too long");
		off_t from = (off_t)g->at;
		g->hashes[g->n_hashes++] = drg_checksum(chunk.p, chunk.n, 0);
		rc = put_bytes(g, chunk);
		(void)sync_file_range(g->w->fd, from, DRG_IMAGE_CHUNK, SYNC_FILE_RANGE_WRITE);
		if (from > 16 * DRG_IMAGE_CHUNK)
			(void)sync_file_range(g->w->fd, from - 16 * DRG_IMAGE_CHUNK, DRG_IMAGE_CHUNK,
			                      SYNC_FILE_RANGE_WAIT_BEFORE);
	}
	return rc;
}

static int put_head(struct image_writer *g, struct drg_image_head *head, const struct drg_image_of *of)
{
	assert(g->n_hashes == drg_image_chunks(head->bytes));
	memcpy(head->magic, DRG_IMAGE_MAGIC, sizeof DRG_IMAGE_MAGIC);
	head->layout = drg_image_layout();
	head->file_bytes = g->at;
	head->n_chunks = g->n_hashes;
	head->hash_of_hashes = drg_checksum(g->hashes, g->n_hashes * sizeof *g->hashes, 0);
	head->seq = of->clock.seq;
	head->branch = of->clock.branch;
	head->current_us = of->current_us;
	memcpy(head->epoch, of->clock.epoch, sizeof head->epoch);
	head->hash = drg_checksum(head, offsetof(struct drg_image_head, hash), 0);
	g->at = 0;
	int rc = put_bytes(g, drg_str((const char *)head, sizeof *head));
	return rc == DRG_OK ? drg_newfile_sync(g->w, g->err) : rc;
}

static int put_all(struct image_writer *g, const struct drg_str part[DRG_IMAGE_ALL],
                   const struct drg_image_of *of)
{
	struct drg_image_head head = { .magic = "" };
	for (int i = 0; i < DRG_IMAGE_ALL; i++)
		head.bytes[i] = part[i].n;
	g->at = DRG_IMAGE_HEAD;
	g->hashes = malloc((drg_image_chunks(head.bytes) + 1) * sizeof *g->hashes);
	int rc = g->hashes != NULL ? DRG_OK : drg_fail_memory(g->err);
	for (int i = 0; i < DRG_IMAGE_ALL && rc == DRG_OK; i++)
		rc = put_part(g, part[i]);
	if (rc == DRG_OK)
		rc = put_bytes(g, drg_str((const char *)g->hashes, g->n_hashes * sizeof *g->hashes));
	if (rc == DRG_OK)
		rc = put_head(g, &head, of);
	free(g->hashes);
	return rc;
}

int drg_image_write(const struct drg_newfile *w, const struct drg_catalog *c, const struct drg_image_of *of,
                    int64_t until_ns, struct drg_err *reterr)
{
	struct image_writer g = { .w = w, .until_ns = until_ns, .err = reterr };
	struct drg_image image = { 0 };
	struct drg_str part[DRG_IMAGE_ALL];
	int rc = drg_image_of(c, &image, reterr);
	if (rc == DRG_OK) {
		memcpy(part, image.part, sizeof image.part);
		part[DRG_IMAGE_BRANCHES] =
		        drg_str((const char *)of->branches.v, of->branches.n * sizeof *of->branches.v);
		rc = put_all(&g, part, of);
	}
	drg_image_done(&image);
	return rc;
}
