#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/checksum.h"
#include "base/thread.h"
#include "server/branch.h"
#include "server/image/file_priv.h"

struct drg_image_file {
	int fd;
	char *path;
	struct drg_image_head head;
	struct drg_image_of of;
	uint64_t *hashes;
};

static int damaged(const struct drg_image_file *f, struct drg_err *reterr, const char *how)
{
	return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "the snapshot %s %s", f->path, how);
}

static int read_at(const struct drg_image_file *f, uint64_t at, void *to, size_t n, struct drg_err *reterr)
{
	char *p = to;
	while (n > 0) {
		ssize_t got = pread(f->fd, p, n, (off_t)at);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read the snapshot %s: %s",
			                f->path, strerror(errno));
		if (got == 0)
			return damaged(f, reterr, "is cut");
		p += got;
		at += (uint64_t)got;
		n -= (size_t)got;
	}
	return DRG_OK;
}

/* ---- the header and the hashes --------------------------------------------------------------------------- */

static int check_head(const struct drg_image_file *f, uint64_t file_bytes, struct drg_err *reterr)
{
	const struct drg_image_head *head = &f->head;
	if (memcmp(head->magic, DRG_IMAGE_MAGIC, sizeof DRG_IMAGE_MAGIC) != 0)
		return damaged(f, reterr, "is not a snapshot");
	if (head->hash != drg_checksum(head, offsetof(struct drg_image_head, hash), 0))
		return damaged(f, reterr, "is damaged in its header");
	if (head->layout != drg_image_layout())
		return damaged(f, reterr, "was written by another version of the program");
	if (head->file_bytes != file_bytes)
		return damaged(f, reterr, "is cut");
	uint64_t body = 0;
	for (int i = 0; i < DRG_IMAGE_ALL; i++)
		body += head->bytes[i];
	if (head->n_chunks != drg_image_chunks(head->bytes) ||
	    DRG_IMAGE_HEAD + body + head->n_chunks * sizeof *f->hashes != file_bytes ||
	    head->bytes[DRG_IMAGE_BRANCHES] % sizeof(struct drg_branch) != 0)
		return damaged(f, reterr, "has a header that does not fit its parts");
	return DRG_OK;
}

static int read_hashes(struct drg_image_file *f, struct drg_err *reterr)
{
	size_t bytes = f->head.n_chunks * sizeof *f->hashes;
	f->hashes = malloc(bytes + 1);
	if (f->hashes == NULL)
		return drg_fail_memory(reterr);
	int rc = read_at(f, f->head.file_bytes - bytes, f->hashes, bytes, reterr);
	if (rc == DRG_OK && drg_checksum(f->hashes, bytes, 0) != f->head.hash_of_hashes)
		rc = damaged(f, reterr, "is damaged in its hashes");
	return rc;
}

/* ---- parts ----------------------------------------------------------------------------------------------- */

/* Two threads read the chunks of the wanted parts, one chunk after the other. */
struct image_reader {
	const struct drg_image_file *f;
	void *to[DRG_IMAGE_ALL]; /* NULL: not wanted */
	const _Atomic bool *stopping;
	_Atomic uint64_t next; /* chunk */
	_Atomic int rc;
	struct drg_err err[2]; /* of each thread */
};

struct chunk_place {
	int part;
	uint64_t at, in_part, n; /* place in the file, place in the part, bytes */
};

static struct chunk_place find_chunk(const struct drg_image_head *head, uint64_t number)
{
	assert(number < head->n_chunks);
	struct chunk_place c = { .at = DRG_IMAGE_HEAD };
	for (;; c.part++) {
		uint64_t bytes = head->bytes[c.part],
		         chunks = (bytes + DRG_IMAGE_CHUNK - 1) / DRG_IMAGE_CHUNK;
		if (number < chunks) {
			c.in_part = number * DRG_IMAGE_CHUNK;
			c.at += c.in_part;
			c.n = bytes - c.in_part < DRG_IMAGE_CHUNK ? bytes - c.in_part : DRG_IMAGE_CHUNK;
			return c;
		}
		number -= chunks;
		c.at += bytes;
	}
}

static int read_chunk(const struct image_reader *r, uint64_t number, struct drg_err *reterr)
{
	const struct drg_image_file *f = r->f;
	struct chunk_place c = find_chunk(&f->head, number);
	if (r->to[c.part] == NULL)
		return DRG_OK;
	if (r->stopping != NULL && atomic_load_explicit(r->stopping, memory_order_relaxed))
		return drg_fail(reterr, DRG_ESTOPPED, NULL, NULL, "the server is stopping");
	char *to = (char *)r->to[c.part] + c.in_part;
	int rc = read_at(f, c.at, to, c.n, reterr);
	if (rc == DRG_OK && drg_checksum(to, c.n, 0) != f->hashes[number])
		rc = drg_fail(reterr, DRG_ECORRUPT, NULL, NULL,
		              "the snapshot %s is damaged between bytes %llu and %llu", f->path,
		              (unsigned long long)c.at, (unsigned long long)(c.at + c.n));
	return rc;
}

static void read_chunks(struct image_reader *r, struct drg_err *err)
{
	uint64_t number;
	while (atomic_load(&r->rc) == DRG_OK &&
	       (number = atomic_fetch_add(&r->next, 1)) < r->f->head.n_chunks) {
		int none = DRG_OK, rc = read_chunk(r, number, err);
		if (rc != DRG_OK && !atomic_compare_exchange_strong(&r->rc, &none, rc))
			err->message[0] = '\0'; /* the other thread has failed first; its error is reported */
	}
}

static void *second_reader(void *reader)
{
	struct image_reader *r = reader;
	read_chunks(r, &r->err[1]);
	return NULL;
}

static int read_parts(struct image_reader *r, bool with_two, struct drg_err *reterr)
{
	pthread_t thread;
	bool two = with_two && drg_thread_start(&thread, second_reader, r, NULL) == DRG_OK;
	read_chunks(r, &r->err[0]);
	if (two)
		pthread_join(thread, NULL);
	int rc = atomic_load(&r->rc);
	if (rc != DRG_OK && reterr != NULL)
		*reterr = r->err[r->err[0].message[0] == '\0'];
	return rc;
}

static int image_alloc(uint64_t bytes, void **ret, struct drg_err *reterr)
{
	*ret = malloc(bytes + 1);
	return *ret != NULL ? DRG_OK : drg_fail_memory(reterr);
}

static int read_branches_part(struct drg_image_file *f, struct drg_err *reterr)
{
	struct image_reader r = { .f = f };
	int rc = image_alloc(f->head.bytes[DRG_IMAGE_BRANCHES], &r.to[DRG_IMAGE_BRANCHES], reterr);
	f->of.branches.v = r.to[DRG_IMAGE_BRANCHES];
	f->of.branches.n = (unsigned)(f->head.bytes[DRG_IMAGE_BRANCHES] / sizeof *f->of.branches.v);
	return rc == DRG_OK ? read_parts(&r, false, reterr) : rc;
}

static int read_file_of(struct drg_image_file *f, struct drg_err *reterr)
{
	struct stat st;
	if (fstat(f->fd, &st) != 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "cannot read the snapshot %s: %s", f->path,
		                strerror(errno));
	int rc = read_at(f, 0, &f->head, sizeof f->head, reterr);
	if (rc == DRG_OK)
		rc = check_head(f, (uint64_t)st.st_size, reterr);
	if (rc == DRG_OK)
		rc = read_hashes(f, reterr);
	if (rc == DRG_OK)
		rc = read_branches_part(f, reterr);
	f->of.clock.seq = f->head.seq;
	f->of.clock.branch = f->head.branch;
	f->of.current_us = f->head.current_us;
	memcpy(f->of.clock.epoch, f->head.epoch, sizeof f->head.epoch);
	f->of.clock.epoch[sizeof f->of.clock.epoch - 1] = '\0';
	return rc;
}

int drg_image_open(const char *path, struct drg_image_file **ret, struct drg_err *reterr)
{
	struct drg_image_file *f = calloc(1, sizeof *f);
	if (f == NULL)
		return drg_fail_memory(reterr);
	f->path = strdup(path);
	f->fd = open(path, O_RDONLY | O_CLOEXEC);
	int rc = f->path == NULL ? drg_fail_memory(reterr) : DRG_OK;
	if (rc == DRG_OK && f->fd < 0)
		rc = drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL, "cannot read the snapshot %s: %s",
		              path, strerror(errno));
	if (rc == DRG_OK)
		rc = read_file_of(f, reterr);
	if (rc == DRG_OK)
		*ret = f;
	else
		drg_image_close(f);
	return rc;
}

const struct drg_image_of *drg_image_file_of(const struct drg_image_file *f)
{
	return &f->of;
}

void drg_image_close(struct drg_image_file *f)
{
	if (f == NULL)
		return;
	if (f->fd >= 0)
		close(f->fd);
	free(f->of.branches.v);
	free(f->hashes);
	free(f->path);
	free(f);
}

/* ---- the catalog ----------------------------------------------------------------------------------------- */

static int image_publish(const struct drg_image_file *f, struct drg_catalog *c, struct drg_err *reterr)
{
	const struct drg_clock *clock = &f->of.clock;
	drg_catalog_set_history(c, drg_history_of(clock->epoch, clock->branch));
	return drg_catalog_publish(c, clock->seq, clock->epoch, reterr);
}

/* Read the parts, then finish the catalog. Facts, lists and records are read into memory of their own, the
 * other parts into the catalog. */
static int image_load_into(struct drg_image_file *f, struct image_reader *r, struct drg_catalog *c,
                           struct drg_err *reterr)
{
	const uint64_t *bytes = f->head.bytes;
	int rc = image_alloc(bytes[DRG_IMAGE_LISTS], &r->to[DRG_IMAGE_LISTS], reterr);
	if (rc == DRG_OK)
		rc = image_alloc(bytes[DRG_IMAGE_RECORDS], &r->to[DRG_IMAGE_RECORDS], reterr);
	if (rc == DRG_OK)
		rc = read_parts(r, true, reterr);
	if (rc == DRG_OK)
		rc = drg_image_finish(c, drg_str(r->to[DRG_IMAGE_LISTS], bytes[DRG_IMAGE_LISTS]),
		                      drg_str(r->to[DRG_IMAGE_RECORDS], bytes[DRG_IMAGE_RECORDS]), reterr);
	if (rc == DRG_OK)
		rc = image_publish(f, c, reterr);
	free(r->to[DRG_IMAGE_LISTS]);
	free(r->to[DRG_IMAGE_RECORDS]);
	return rc;
}

int drg_image_load(struct drg_image_file *f, const struct drg_catalog_options *o,
                   const _Atomic bool *stopping, struct drg_catalog **ret, struct drg_err *reterr)
{
	assert(f->hashes != NULL);
	struct image_reader facts = { .f = f }, all = { .f = f, .stopping = stopping };
	const uint64_t *bytes = f->head.bytes;
	struct drg_catalog *c;
	int rc = image_alloc(bytes[DRG_IMAGE_FACTS], &facts.to[DRG_IMAGE_FACTS], reterr);
	if (rc == DRG_OK)
		rc = read_parts(&facts, false, reterr);
	if (rc == DRG_OK)
		rc = drg_image_room(o, drg_str(facts.to[DRG_IMAGE_FACTS], bytes[DRG_IMAGE_FACTS]), bytes, &c,
		                    all.to, reterr);
	free(facts.to[DRG_IMAGE_FACTS]);
	if (rc != DRG_OK)
		return rc;
	rc = image_load_into(f, &all, c, reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_catalog_free(c);
	return rc;
}
