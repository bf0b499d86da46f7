#include "import/refset.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/tempfile.h"
#include "base/thread.h"
#include "import/pipe.h"

enum {
	RUN_BUFFER = 4096, /* entries of one run in memory while runs are merged */
	GIVEN = 8192 /* entries that the merging thread hands over at once */
};

struct drg_refset {
	struct drg_refset_entry *chunk;
	size_t n, room;
	struct drg_tempfile *spilled; /* NULL until the first spill; belongs to the sorter while it runs */
	struct sorted_run {
		uint64_t at, end; /* bytes */
	} * runs;
	size_t n_runs;
	uint64_t size;
	char *dir;
	/* Sorts and writes a full chunk while the next one is filled. */
	struct sorter {
		struct drg_refset_entry *chunk; /* NULL until the first spill */
		size_t n;
		struct sorted_run *run; /* the run that gets its place in the file */
		pthread_t thread;
		bool runs;
		int rc;
		struct drg_err err;
	} sorter;
};

/* A sorted stream that is merged: a run in the file, or the chunk in memory. */
struct stream {
	const struct drg_refset_entry *next, *end;
	struct drg_refset_entry *buffer; /* NULL: the stream is the chunk */
	uint64_t at, file_end; /* bytes of the file still to be read */
};

struct run_merge {
	struct drg_tempfile *file;
	struct stream *streams;
	size_t n_streams;
	/* streams; the one with the smallest next entry is at [0]; streams that ended are dropped */
	struct stream **heap;
	size_t n;
};

int drg_refset_new(const char *dir, size_t chunk, struct drg_refset **ret, struct drg_err *reterr)
{
	assert(chunk > 0);
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

static void join_sorter(struct sorter *w)
{
	if (w->runs)
		pthread_join(w->thread, NULL);
	w->runs = false;
}

/* Wait for the sorting thread. @return its result. */
static int await_sorter(struct drg_refset *s, struct drg_err *reterr)
{
	struct sorter *w = &s->sorter;
	if (!w->runs)
		return DRG_OK;
	join_sorter(w);
	if (w->rc != DRG_OK && reterr != NULL)
		*reterr = w->err;
	return w->rc;
}

void drg_refset_free(struct drg_refset *s)
{
	if (s == NULL)
		return;
	join_sorter(&s->sorter);
	drg_tempfile_close(s->spilled);
	free(s->runs);
	free(s->chunk);
	free(s->sorter.chunk);
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

static void *sorter_run(void *refset)
{
	struct drg_refset *s = refset;
	struct sorter *w = &s->sorter;
	w->run->at = drg_tempfile_size(s->spilled);
	qsort(w->chunk, w->n, sizeof *w->chunk, refset_compare);
	w->rc = drg_tempfile_add(s->spilled, w->chunk, w->n * sizeof *w->chunk, &w->err);
	w->run->end = drg_tempfile_size(s->spilled);
	return NULL;
}

static int prepare_spill(struct drg_refset *s, struct drg_err *reterr)
{
	int rc = await_sorter(s, reterr);
	if (rc == DRG_OK && s->spilled == NULL)
		rc = drg_tempfile_open(s->dir, &s->spilled, reterr);
	if (rc == DRG_OK && s->sorter.chunk == NULL)
		s->sorter.chunk = malloc(s->room * sizeof *s->chunk);
	if (rc != DRG_OK || s->sorter.chunk == NULL)
		return rc != DRG_OK ? rc : drg_fail_memory(reterr);
	struct sorted_run *runs = realloc(s->runs, (s->n_runs + 1) * sizeof *runs);
	if (runs == NULL)
		return drg_fail_memory(reterr);
	s->runs = runs;
	return DRG_OK;
}

/* Give the full chunk to the sorting thread. If sorting fails, the next spill or the reading returns the
 * error. */
static int spill(struct drg_refset *s, struct drg_err *reterr)
{
	struct sorter *w = &s->sorter;
	assert(s->n > 0); /* runs are not empty: each begins with an entry */
	int rc = prepare_spill(s, reterr);
	if (rc != DRG_OK)
		return rc;
	struct drg_refset_entry *full = s->chunk;
	s->chunk = w->chunk;
	w->chunk = full;
	w->n = s->n;
	w->run = &s->runs[s->n_runs];
	rc = drg_thread_start(&w->thread, sorter_run, s, reterr);
	w->runs = rc == DRG_OK;
	if (rc != DRG_OK)
		return rc;
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

/* Make st->next point to an entry; at the end of the stream next == end. */
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

/* Restore the heap below heap[i]. */
static void sift(struct run_merge *m, size_t i)
{
	struct stream *moved = m->heap[i];
	for (;;) {
		size_t child = 2 * i + 1;
		if (child + 1 < m->n && less(m->heap[child + 1]->next, m->heap[child]->next))
			child++;
		if (child >= m->n || !less(m->heap[child]->next, moved->next))
			break;
		m->heap[i] = m->heap[child];
		i = child;
	}
	m->heap[i] = moved;
}

static int start_run(struct run_merge *m, const struct sorted_run *run, struct drg_err *reterr)
{
	struct stream *st = &m->streams[m->n_streams];
	*st = (struct stream){ .at = run->at, .file_end = run->end };
	st->buffer = malloc(RUN_BUFFER * sizeof *st->buffer);
	if (st->buffer == NULL)
		return drg_fail_memory(reterr);
	m->heap[m->n_streams++] = st;
	return refset_refill(m, st, reterr);
}

static int refset_start(struct drg_refset *s, struct run_merge *m, struct drg_err *reterr)
{
	int rc = await_sorter(s, reterr);
	m->file = s->spilled;
	m->streams = calloc(s->n_runs + 1, sizeof *m->streams);
	m->heap = calloc(s->n_runs + 1, sizeof *m->heap);
	if (rc == DRG_OK && (m->streams == NULL || m->heap == NULL))
		rc = drg_fail_memory(reterr);
	for (size_t i = 0; i < s->n_runs && rc == DRG_OK; i++)
		rc = start_run(m, &s->runs[i], reterr);
	if (rc != DRG_OK)
		return rc;
	qsort(s->chunk, s->n, sizeof *s->chunk, refset_compare);
	if (s->n > 0) {
		m->streams[m->n_streams] = (struct stream){ .next = s->chunk, .end = s->chunk + s->n };
		m->heap[m->n_streams] = &m->streams[m->n_streams];
		m->n_streams++;
	}
	m->n = m->n_streams;
	for (size_t i = m->n / 2; i > 0; i--)
		sift(m, i - 1);
	return DRG_OK;
}

static void refset_stop(struct run_merge *m)
{
	for (size_t i = 0; i < m->n_streams; i++)
		free(m->streams[i].buffer);
	free(m->streams);
	free(m->heap);
}

static int refset_pop(struct run_merge *m, struct drg_refset_entry *ret, struct drg_err *reterr)
{
	struct stream *top = m->heap[0];
	assert(top->next < top->end);
	*ret = *top->next++;
	int rc = refset_refill(m, top, reterr);
	if (top->next == top->end)
		m->heap[0] = m->heap[--m->n];
	if (m->n > 0)
		sift(m, 0);
	return rc;
}

/* Merged entries that were not passed to the caller's function yet. */
struct given {
	size_t n;
	struct drg_refset_entry entries[GIVEN];
};

struct giving {
	struct run_merge *m;
	struct drg_refset_entry last;
	drg_refset_fn *fn;
	void *ctx;
};

static int giving_fill(void *ctx, void *place, struct drg_err *reterr)
{
	struct run_merge *m = ((struct giving *)ctx)->m;
	struct given *g = place;
	int rc = DRG_OK;
	for (g->n = 0; g->n < GIVEN && m->n > 0 && rc == DRG_OK; g->n++)
		rc = refset_pop(m, &g->entries[g->n], reterr);
	return rc == DRG_OK && g->n == 0 ? DRG_ENOENT : rc;
}

static int giving_work(void *ctx, unsigned worker, void *place, struct drg_err *reterr)
{
	(void)ctx, (void)worker, (void)place, (void)reterr;
	return DRG_OK;
}

static int giving_drain(void *ctx, void *place, struct drg_err *reterr)
{
	struct giving *x = ctx;
	const struct given *g = place;
	int rc = DRG_OK;
	for (size_t i = 0; i < g->n && rc == DRG_OK; i++) {
		assert(!less(&g->entries[i], &x->last));
		x->last = g->entries[i];
		rc = x->fn(x->ctx, &g->entries[i], reterr);
	}
	return rc;
}

/* Pass all entries. One thread merges them, the caller's thread passes them. */
static int give_all(struct giving *x, struct drg_err *reterr)
{
	enum { BATCHES = 3 };
	struct given *all = malloc(BATCHES * sizeof *all);
	if (all == NULL)
		return drg_fail_memory(reterr);
	void *const batches[BATCHES] = { &all[0], &all[1], &all[2] };
	const struct drg_pipe pipe = { .fill = giving_fill,
		                       .work = giving_work,
		                       .drain = giving_drain,
		                       .ctx = x,
		                       .batches = batches,
		                       .n_batches = BATCHES,
		                       .n_workers = 1 };
	int rc = drg_pipe_run(&pipe, reterr);
	free(all);
	return rc;
}

static int give_chunk(const struct drg_refset *s, drg_refset_fn *fn, void *ctx, struct drg_err *reterr)
{
	int rc = DRG_OK;
	for (size_t i = 0; i < s->n && rc == DRG_OK; i++)
		rc = fn(ctx, &s->chunk[i], reterr);
	return rc;
}

int drg_refset_each(struct drg_refset *s, drg_refset_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct run_merge m = { 0 };
	struct giving x = { .m = &m, .fn = fn, .ctx = ctx };
	int rc = refset_start(s, &m, reterr);
	if (rc == DRG_OK)
		rc = s->n_runs == 0 ? give_chunk(s, fn, ctx, reterr) : give_all(&x, reterr);
	refset_stop(&m);
	return rc;
}
