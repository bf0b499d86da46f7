#include <assert.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "names/file_priv.h"
#include "text/fold.h"

/* The file: this header, then the arrays, each at a multiple of eight bytes. It has the byte order and the
 * structs of the machine that wrote it, because only that machine reads it. */
enum { NAME_FORMAT = 4, FILE_PATH_MAX = 4096 };
struct name_head {
	char magic[8];
	uint32_t format, sizes; /* sizes: of the structs in the file */
	uint64_t type; /* enum drg_type_id */
	char epoch[40];
	int64_t seq, branch;
	uint64_t n_records, n_names, n_words, n_texts;
	uint64_t folding; /* drg_fold_stamp */
};

static const char name_magic[8] = "drgnames";

static uint32_t name_sizes(void)
{
	return (uint32_t)(sizeof(struct name_head) << 16 | sizeof(struct drg_named) << 8 |
	                  sizeof(struct drg_name_entry));
}

static uint64_t padded(uint64_t n)
{
	return (n + 7) / 8 * 8;
}

/* ---- reading ------------------------------------------------------------------------------------------- */

/* Find an array in the file. @param at  Its place; moves behind it. @return NULL: the array does not fit into
 * the file. */
static const void *name_array(const struct drg_name_file *f, uint64_t *at, uint64_t n, size_t size)
{
	const char *p = (const char *)f->map + *at;
	if (n > UINT32_MAX * UINT64_C(16) || padded(n * size) > f->n - *at)
		return NULL;
	*at += padded(n * size);
	return p;
}

static bool name_parts(struct drg_name_file *f, const struct name_head *h)
{
	struct drg_name_part *p = &f->part;
	uint64_t at = sizeof *h;
	*p = (struct drg_name_part){
		.n_records = h->n_records, .n_names = h->n_names, .n_words = h->n_words, .n_texts = h->n_texts
	};
	p->records = name_array(f, &at, h->n_records, sizeof *p->records);
	p->names = p->records != NULL ? name_array(f, &at, h->n_names, sizeof *p->names) : NULL;
	p->words = p->names != NULL ? name_array(f, &at, h->n_words, sizeof *p->words) : NULL;
	p->texts = p->words != NULL ? name_array(f, &at, h->n_texts, 1) : NULL;
	return p->texts != NULL && at == f->n && h->n_texts > 0 && p->texts[h->n_texts - 1] == '\0';
}

static bool name_read(struct drg_name_file *f)
{
	const struct name_head *h = f->map;
	if (memcmp(h->magic, name_magic, sizeof h->magic) != 0 || h->format != NAME_FORMAT ||
	    h->sizes != name_sizes() || h->folding != drg_fold_stamp || h->epoch[sizeof h->epoch - 1] != '\0')
		return false;
	f->type = (enum drg_type_id)h->type;
	f->clock = (struct drg_clock){ .seq = h->seq, .branch = h->branch };
	memcpy(f->clock.epoch, h->epoch, sizeof f->clock.epoch);
	return name_parts(f, h);
}

int drg_name_file_open(const char *path, struct drg_name_file *ret)
{
	struct stat st;
	*ret = (struct drg_name_file){ .map = NULL };
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return DRG_ENOENT;
	if (fstat(fd, &st) == 0 && st.st_size >= (off_t)sizeof(struct name_head)) {
		ret->n = (size_t)st.st_size;
		ret->map = mmap(NULL, ret->n, PROT_READ, MAP_PRIVATE, fd, 0);
	}
	close(fd);
	if (ret->map == MAP_FAILED)
		ret->map = NULL;
	if (ret->map != NULL && name_read(ret))
		return DRG_OK;
	drg_name_file_close(ret);
	return DRG_ENOENT;
}

void drg_name_file_close(struct drg_name_file *f)
{
	if (f->map != NULL)
		munmap(f->map, f->n);
	f->map = NULL;
}

/* ---- writing ------------------------------------------------------------------------------------------- */

static void name_put(FILE *f, const void *p, size_t n)
{
	static const char zeros[8];
	if (n > 0)
		fwrite(p, 1, n, f);
	fwrite(zeros, 1, padded(n) - n, f);
}

static void name_put_all(FILE *f, enum drg_type_id type, const struct drg_clock *clock,
                         const struct drg_name_part *p)
{
	struct name_head h = { .format = NAME_FORMAT,
		               .type = type,
		               .sizes = name_sizes(),
		               .seq = clock->seq,
		               .branch = clock->branch,
		               .folding = drg_fold_stamp,
		               .n_records = p->n_records,
		               .n_names = p->n_names,
		               .n_words = p->n_words,
		               .n_texts = p->n_texts };
	memcpy(h.magic, name_magic, sizeof h.magic);
	memcpy(h.epoch, clock->epoch, sizeof h.epoch);
	name_put(f, &h, sizeof h);
	name_put(f, p->records, p->n_records * sizeof *p->records);
	name_put(f, p->names, p->n_names * sizeof *p->names);
	name_put(f, p->words, p->n_words * sizeof *p->words);
	name_put(f, p->texts, p->n_texts);
}

void drg_name_file_write(const char *path, enum drg_type_id type, const struct drg_clock *clock,
                         const struct drg_name_part *p)
{
	assert(p->n_texts > 0 && p->texts[p->n_texts - 1] == '\0');
	char aside[FILE_PATH_MAX];
	if (snprintf(aside, sizeof aside, "%s.%ld", path, (long)getpid()) >= (int)sizeof aside)
		return;
	int fd = open(aside, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	FILE *f = fd >= 0 ? fdopen(fd, "w") : NULL;
	if (f == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	name_put_all(f, type, clock, p);
	bool whole = fflush(f) == 0 && ferror(f) == 0 && fsync(fd) == 0;
	whole = fclose(f) == 0 && whole;
	if (!whole || rename(aside, path) != 0)
		unlink(aside);
}
