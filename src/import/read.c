#include "import/read.h"

#include <assert.h>
#include <stdlib.h>
#include <unistd.h>

#include "import/pipe.h"

/* A batch has a quarter of a megabyte, unless one row is longer; a few batches are in each step. */
/* PLAIN_BYTES: the first bytes are spooled without compression: for a small import, compression costs more
 * time than it saves. */
enum { PLAIN_BYTES = 128 << 20 };
enum { BATCH_BYTES = 1 << 18, BATCH_ROWS = 4096, BATCHES_PER_WORKER = 2, READ_ARENA_BYTES = 256 << 20 };

struct input_row {
	size_t at, n; /* place in `texts`, and bytes */
	uint32_t file;
	uint64_t line;
	bool too_long;
};

struct bad_row {
	uint32_t file;
	uint64_t line;
	struct drg_err err;
};

struct drg_import_batch {
	/* Filled by the reader: */
	struct drg_buf texts;
	/* rows; none if a feed gives records, which are put into `frames` at once */
	struct input_row rows[BATCH_ROWS];
	unsigned n_rows;
	uint64_t bytes_done; /* of the files, for progress */
	bool plain; /* spooled without compression */
	/* Filled by a worker: */
	struct drg_buf frames;
	unsigned n_frames;
	struct drg_spool_block block; /* the frames, packed */
	struct drg_gathered gathered;
	struct bad_row *bad; /* the first DRG_IMPORT_SHOWN of them */
	uint64_t n_bad;
	uint64_t by_type[DRG_TYPE_COUNT];
};

struct read_worker {
	struct drg_arena arena;
	struct drg_ident_cache cache;
	struct drg_csv *csv; /* reader of the file csv_file */
	uint32_t csv_file;
};

struct import_reading {
	struct drg_importing *im;
	struct read_worker *workers;
	unsigned n_workers;
	struct drg_import_batch **batches;
	unsigned n_batches;
	uint64_t bytes; /* bytes of texts and frames so far; used by the filling thread only */
};

void drg_importing_bad_row(struct drg_importing *im, uint32_t file, uint64_t line, const struct drg_err *e)
{
	const struct drg_import_options *o = im->o;
	if (im->sums->bad++ < DRG_IMPORT_SHOWN && o->bad_row != NULL)
		o->bad_row(o->ctx, o->files[file], line, e);
}

/* ---- the steps of the pipe ----------------------------------------------------------------------------- */

static int fill_rows(struct import_reading *rd, struct drg_import_batch *b, struct drg_err *reterr)
{
	while (b->n_rows < BATCH_ROWS && b->texts.n < BATCH_BYTES) {
		struct drg_import_row row;
		int rc = drg_import_rows_next(rd->im->rows, &row, reterr);
		if (rc != DRG_OK)
			return rc;
		b->rows[b->n_rows++] =
		        (struct input_row){ b->texts.n, row.text.n, row.file, row.line, row.too_long };
		drg_buf_str(&b->texts, row.text);
		if (b->texts.rc != DRG_OK)
			return drg_fail_memory(reterr);
	}
	return DRG_OK;
}

void drg_import_append(struct drg_import_batch *to, const struct drg_record *r, uint32_t file, uint64_t line,
                       bool asks)
{
	const struct drg_spool_origin from = { .file = file, .line = line, .asks = asks };
	drg_spool_frame(&from, r, &to->frames);
	to->n_frames++;
}

static int fill_records(const struct drg_record_feed *feed, struct drg_import_batch *b,
                        struct drg_err *reterr)
{
	int rc = DRG_OK;
	while (rc == DRG_OK && b->n_frames < BATCH_ROWS && b->frames.n < BATCH_BYTES)
		rc = feed->next(feed->ctx, b, reterr);
	return b->frames.rc == DRG_OK ? rc : drg_fail_memory(reterr);
}

static int fill(void *ctx, void *place, struct drg_err *reterr)
{
	struct import_reading *rd = ctx;
	struct drg_import_batch *b = place;
	const struct drg_record_feed *feed = rd->im->o->feed;
	b->n_rows = b->n_frames = 0;
	drg_buf_clear(&b->texts);
	drg_buf_clear(&b->frames);
	int rc = feed != NULL ? fill_records(feed, b, reterr) : fill_rows(rd, b, reterr);
	b->bytes_done = drg_import_rows_bytes_read(rd->im->rows);
	rd->bytes += b->texts.n + b->frames.n;
	b->plain = rd->bytes <= PLAIN_BYTES;
	return rc == DRG_ENOENT && b->n_rows + b->n_frames > 0 ? DRG_OK : rc;
}

/* Get the worker's reader of CSV. Each worker has its own, and makes a new one when the next file begins. */
static int csv_of(struct import_reading *rd, struct read_worker *w, uint32_t file, struct drg_err *reterr)
{
	if (w->csv != NULL && w->csv_file == file)
		return DRG_OK;
	drg_csv_close(w->csv);
	w->csv = NULL;
	w->csv_file = file;
	return drg_csv_open(rd->im->o->csv, drg_import_rows_header(rd->im->rows, file), &w->csv, reterr);
}

static int read_record(struct import_reading *rd, struct read_worker *w, const struct input_row *row,
                       struct drg_str text, struct drg_record *ret, struct drg_err *reterr)
{
	if (row->too_long)
		return drg_fail(reterr, DRG_EINVAL, NULL, NULL,
		                "expected a line of at most %zu bytes, found a longer one", DRG_ROW_MAX);
	if (rd->im->o->csv == NULL)
		return drg_ndjson_read(text, &w->arena, ret, reterr);
	int rc = csv_of(rd, w, row->file, reterr);
	return rc == DRG_OK ? drg_csv_read(w->csv, text, &w->arena, ret, reterr) : rc;
}

/* Count a record and gather its references. @param at  Place of the record among the frames. */
static void take_frame(struct drg_import_batch *b, struct read_worker *w, const struct drg_record *r,
                       size_t at)
{
	drg_gathered_add(&b->gathered, &w->cache, r, at);
	b->by_type[r->type->id]++;
}

static void take_record(struct drg_import_batch *b, struct read_worker *w, const struct drg_record *r,
                        const struct drg_spool_origin *from)
{
	take_frame(b, w, r, b->frames.n);
	drg_spool_frame(from, r, &b->frames);
	b->n_frames++;
}

/* Count the records that a feed gave, and gather their references. */
static void take_frames(struct drg_import_batch *b, struct read_worker *w)
{
	struct drg_spooled one;
	for (size_t at = 0, n; at < b->frames.n; at += n) {
		n = drg_spool_parse(drg_str(b->frames.p + at, b->frames.n - at), &one);
		assert(n > 0);
		take_frame(b, w, &one.record, at);
	}
}

static void take_bad_row(struct import_reading *rd, struct drg_import_batch *b,
                         const struct drg_spool_origin *from, const struct drg_err *e)
{
	if (b->n_bad < DRG_IMPORT_SHOWN)
		b->bad[b->n_bad] = (struct bad_row){ from->file, from->line, *e };
	b->n_bad++;
	if (rd->im->o->rejects == NULL)
		return;
	drg_spool_frame(from, NULL, &b->frames);
	b->n_frames++;
}

static int work(void *ctx, unsigned number, void *place, struct drg_err *reterr)
{
	struct import_reading *rd = ctx;
	struct drg_import_batch *b = place;
	struct read_worker *w = &rd->workers[number];
	bool keep_rows = rd->im->o->rejects != NULL;
	drg_gathered_clear(&b->gathered);
	b->n_bad = 0;
	memset(b->by_type, 0, sizeof b->by_type);
	take_frames(b, w);
	for (unsigned i = 0; i < b->n_rows; i++) {
		const struct input_row *row = &b->rows[i];
		struct drg_str text = row->n > 0 ? drg_str(b->texts.p + row->at, row->n) : drg_str(NULL, 0);
		struct drg_spool_origin from = { row->file, row->line, keep_rows ? text : drg_str(NULL, 0),
			                         false };
		struct drg_record r;
		struct drg_err e;
		drg_arena_reset(&w->arena);
		int rc = read_record(rd, w, row, text, &r, &e);
		if (rc == DRG_OK)
			take_record(b, w, &r, &from);
		else if (rc == DRG_EINVAL)
			take_bad_row(rd, b, &from, &e);
		else
			return drg_fail(reterr, rc, NULL, NULL, "%s:%llu: %.500s",
			                rd->im->o->files[row->file], (unsigned long long)row->line,
			                e.message);
	}
	if (b->frames.rc != DRG_OK)
		return drg_fail_memory(reterr);
	return drg_spool_block_pack(&b->block, drg_buf_view(&b->frames), b->n_frames, b->plain, reterr);
}

static int read_drain(void *ctx, void *place, struct drg_err *reterr)
{
	struct import_reading *rd = ctx;
	struct drg_import_batch *b = place;
	struct drg_importing *im = rd->im;
	uint64_t reported = b->n_bad < DRG_IMPORT_SHOWN ? b->n_bad : DRG_IMPORT_SHOWN;
	for (uint64_t i = 0; i < reported; i++)
		drg_importing_bad_row(im, b->bad[i].file, b->bad[i].line, &b->bad[i].err);
	im->sums->bad += b->n_bad - reported;
	im->sums->rows += im->o->feed != NULL ? b->n_frames : b->n_rows;
	for (unsigned t = 0; t < DRG_TYPE_COUNT; t++)
		im->sums->by_type[t] += b->by_type[t];
	if (im->o->progress != NULL)
		im->o->progress(im->o->ctx, DRG_IMPORT_CHECKING, b->bytes_done,
		                drg_import_rows_bytes_total(rd->im->rows));
	/* If nothing will be applied, rows are only checked, to report further mistakes. */
	if (im->sums->bad > 0 && !im->o->keep_going)
		return DRG_OK;
	uint64_t base = drg_spool_size(im->spool);
	int rc = drg_spool_add(im->spool, &b->block, reterr);
	return rc == DRG_OK ? drg_refs_add(im->refs, &b->gathered, base, reterr) : rc;
}

/* ---- making and freeing -------------------------------------------------------------------------------- */

static void free_batch(struct drg_import_batch *b)
{
	if (b == NULL)
		return;
	drg_buf_done(&b->texts);
	drg_buf_done(&b->frames);
	drg_buf_done(&b->block.bytes);
	drg_gathered_done(&b->gathered);
	free(b->bad);
	free(b);
}

static struct drg_import_batch *new_batch(void)
{
	struct drg_import_batch *b = calloc(1, sizeof *b);
	if (b == NULL)
		return NULL;
	drg_buf_init(&b->texts, SIZE_MAX);
	drg_buf_init(&b->frames, SIZE_MAX);
	drg_spool_block_init(&b->block);
	drg_gathered_init(&b->gathered);
	b->bad = malloc(DRG_IMPORT_SHOWN * sizeof *b->bad);
	if (b->bad == NULL) {
		free_batch(b);
		return NULL;
	}
	return b;
}

static void read_done(struct import_reading *rd)
{
	for (unsigned i = 0; rd->batches != NULL && i < rd->n_batches; i++)
		free_batch(rd->batches[i]);
	for (unsigned i = 0; rd->workers != NULL && i < rd->n_workers; i++) {
		drg_arena_done(&rd->workers[i].arena);
		drg_csv_close(rd->workers[i].csv);
	}
	free(rd->batches);
	free(rd->workers);
}

static unsigned cores(void)
{
	long n = sysconf(_SC_NPROCESSORS_ONLN);
	return n > 0 ? (unsigned)n : 1;
}

static int read_init(struct import_reading *rd, struct drg_err *reterr)
{
	const struct drg_import_options *o = rd->im->o;
	rd->n_workers = o->threads > 0 ? o->threads : cores();
	rd->n_batches = rd->n_workers * BATCHES_PER_WORKER + 2;
	rd->workers = calloc(rd->n_workers, sizeof *rd->workers);
	rd->batches = calloc(rd->n_batches, sizeof *rd->batches);
	bool ok = rd->workers != NULL && rd->batches != NULL;
	for (unsigned i = 0; ok && i < rd->n_workers; i++) {
		drg_arena_init(&rd->workers[i].arena, READ_ARENA_BYTES);
		drg_ident_cache_clear(&rd->workers[i].cache);
	}
	for (unsigned i = 0; ok && i < rd->n_batches; i++) {
		rd->batches[i] = new_batch();
		ok = rd->batches[i] != NULL;
	}
	return ok ? DRG_OK : drg_fail_memory(reterr);
}

int drg_import_read(struct drg_importing *im, struct drg_err *reterr)
{
	struct import_reading rd = { .im = im };
	int rc = read_init(&rd, reterr);
	if (rc == DRG_OK) {
		const struct drg_pipe pipe = {
			.fill = fill,
			.work = work,
			.drain = read_drain,
			.ctx = &rd,
			.batches = (void *const *)rd.batches,
			.n_batches = rd.n_batches,
			.n_workers = rd.n_workers,
		};
		rc = drg_pipe_run(&pipe, reterr);
	}
	read_done(&rd);
	return rc;
}
