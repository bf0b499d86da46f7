#include "import/refset.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tempfile.h"

enum { RUN_BUFFER = 4096 /* entries of one run that are in memory while runs are merged */ };

struct drg_refset {
	struct drg_refset_entry *chunk;
	size_t n, room;
	struct drg_tempfile *spilled; /* NULL until the first spill */
	struct sorted_run {
		uint64_t at, end; /* bytes */
	} * runs;
	size_t n_runs;
	uint64_t size;
	char *dir;
};

/* A sorted stream being merged: a run in the file, or the chunk in memory. */
struct stream {
	const struct drg_refset_entry *next, *end;
	struct drg_refset_entry *buffer; /* NULL: the chunk */
	uint64_t at, file_end; /* bytes still to be read */
};

struct run_merge {
	struct drg_tempfile *file;
	struct stream *heap; /* smallest next entry at [0]; streams that ended are dropped */
	size_t n;
};

int drg_refset_new(const char *dir, size_t chunk, struct drg_refset **ret, struct drg_err *reterr)
{
	struct drg_refset *s = calloc(1, sizeof *s);
	if (s != NULL) {
		s->chunk = malloc(chunk * sizeof *s->chunk);
		s->dir = strdup(dir);
		s->room = chunk;
	}
	if (s == NULL || s->chunk == NULL || s->dir == NULL) {
		drg_refset_free(s);
		return drg_fail_memory(reterr);
	}
	*ret = s;
	return DRG_OK;
}

void drg_refset_free(struct drg_refset *s)
{
	if (s == NULL)
		return;
	drg_tempfile_close(s->spilled);
	free(s->runs);
	free(s->chunk);
	free(s->dir);
	free(s);
}

static inline bool less(const struct drg_refset_entry *a, const struct drg_refset_entry *b)
{
	if (a->hi != b->hi)
		return a->hi < b->hi;
	if (a->lo != b->lo)
		return a->lo < b->lo;
	return a->tag < b->tag;
}

static int refset_compare(const void *a, const void *b)
{
	return less(a, b) ? -1 : less(b, a);
}

static int spill(struct drg_refset *s, struct drg_err *reterr)
{
	int rc = s->spilled == NULL ? drg_tempfile_open(s->dir, &s->spilled, reterr) : DRG_OK;
	if (rc != DRG_OK)
		return rc;
	struct sorted_run *runs = realloc(s->runs, (s->n_runs + 1) * sizeof *runs);
	if (runs == NULL)
		return drg_fail_memory(reterr);
	s->runs = runs;
	struct sorted_run *run = &runs[s->n_runs];
	assert(s->n > 0); /* runs are not empty: each begins with an entry */
	run->at = drg_tempfile_size(s->spilled);
	qsort(s->chunk, s->n, sizeof *s->chunk, refset_compare);
	rc = drg_tempfile_add(s->spilled, s->chunk, s->n * sizeof *s->chunk, reterr);
	if (rc != DRG_OK)
		return rc;
	run->end = drg_tempfile_size(s->spilled);
	s->n_runs++;
	s->n = 0;
	return DRG_OK;
}

int drg_refset_add(struct drg_refset *s, const struct drg_refset_entry *e, size_t n, struct drg_err *reterr)
{
	while (n > 0) {
		if (s->n == s->room) {
			int rc = spill(s, reterr);
			if (rc != DRG_OK)
				return rc;
		}
		size_t take = s->room - s->n < n ? s->room - s->n : n;
		assert(s->n + take <= s->room);
		memcpy(s->chunk + s->n, e, take * sizeof *e);
		s->n += take;
		s->size += take;
		e += take;
		n -= take;
	}
	return DRG_OK;
}

uint64_t drg_refset_size(const struct drg_refset *s)
{
	return s->size;
}

/* Make st->next point at an entry again; at the end next == end. */
static int refset_refill(struct run_merge *m, struct stream *st, struct drg_err *reterr)
{
	if (st->next < st->end || st->at == st->file_end)
		return DRG_OK;
	uint64_t left = st->file_end - st->at;
	size_t want = RUN_BUFFER * sizeof *st->buffer, got;
	int rc = drg_tempfile_read(m->file, st->at, st->buffer, left < want ? (size_t)left : want, &got,
	                           reterr);
	if (rc != DRG_OK)
		return rc;
	if (got == 0)
		return drg_fail(reterr, DRG_EIO, NULL, NULL, "a temporary file of the import was cut short");
	st->at += got;
	st->next = st->buffer;
	st->end = st->buffer + got / sizeof *st->buffer;
	return DRG_OK;
}

/* Put heap[i] where it belongs among what is below it. */
static void sift(struct run_merge *m, size_t i)
{
	for (;;) {
		size_t child = 2 * i + 1;
		if (child >= m->n)
			return;
		if (child + 1 < m->n && less(m->heap[child + 1].next, m->heap[child].next))
			child++;
		if (!less(m->heap[child].next, m->heap[i].next))
			return;
		struct stream swap = m->heap[i];
		m->heap[i] = m->heap[child];
		m->heap[child] = swap;
		i = child;
	}
}

static int refset_start(struct drg_refset *s, struct run_merge *m, struct drg_err *reterr)
{
	m->file = s->spilled;
	m->heap = calloc(s->n_runs + 1, sizeof *m->heap);
	if (m->heap == NULL)
		return drg_fail_memory(reterr);
	for (size_t i = 0; i < s->n_runs; i++) {
		struct stream *st = &m->heap[m->n];
		st->buffer = malloc(RUN_BUFFER * sizeof *st->buffer);
		if (st->buffer == NULL)
			return drg_fail_memory(reterr);
		m->n++;
		st->at = s->runs[i].at;
		st->file_end = s->runs[i].end;
		int rc = refset_refill(m, st, reterr);
		if (rc != DRG_OK)
			return rc;
	}
	qsort(s->chunk, s->n, sizeof *s->chunk, refset_compare);
	if (s->n > 0)
		m->heap[m->n++] = (struct stream){ .next = s->chunk, .end = s->chunk + s->n };
	for (size_t i = m->n / 2; i-- > 0;)
		sift(m, i);
	return DRG_OK;
}

static void refset_stop(struct run_merge *m)
{
	for (size_t i = 0; i < m->n; i++)
		free(m->heap[i].buffer);
	free(m->heap);
}

int drg_refset_each(struct drg_refset *s, drg_refset_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct run_merge m = { 0 };
	struct drg_refset_entry last = { 0 };
	int rc = refset_start(s, &m, reterr);
	while (rc == DRG_OK && m.n > 0) {
		struct stream *top = &m.heap[0];
		assert(top->next < top->end && !less(top->next, &last));
		last = *top->next;
		rc = fn(ctx, top->next++, reterr);
		if (rc == DRG_OK)
			rc = refset_refill(&m, top, reterr);
		if (rc == DRG_OK && top->next == top->end) {
			free(top->buffer);
			*top = m.heap[--m.n];
		}
		sift(&m, 0);
	}
	refset_stop(&m);
	return rc;
}
