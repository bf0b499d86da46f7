#include "import/apply.h"

#include <assert.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "decide/ledger.h"
#include "import/pipe.h"
#include "import/window.h"
#include "model/relink.h"
#include "model/value.h"

enum { ARENA_BYTES = 64 << 20 };

/* One window is applied while the next is read and sorted. */
enum { WINDOWS = 2 };

struct applying {
	struct drg_importing *im;
	struct drg_store *store;
	FILE *rejects;
	struct drg_str header; /* CSV: the header row that was written to the rejects last */
	const struct drg_redirects *redirects;
	struct drg_arena arena; /* for one record */
	struct drg_ledger ledger;
	struct drg_buf files; /* names of the files, for the batch */
	struct drg_txn *txn;
	size_t next_block; /* next block of the spool; used by the filling thread only */
	uint64_t done, total, durable; /* records */
	uint64_t results[4]; /* counts by enum drg_put_result, also of records that are not durable yet */
};

static int commit(struct applying *a, struct drg_err *reterr)
{
	if (a->txn == NULL)
		return DRG_OK;
	int rc = drg_txn_commit(a->txn, NULL, reterr);
	a->txn = NULL;
	if (rc == DRG_OK)
		a->durable = a->done;
	return rc;
}

static int write_row(const struct applying *a, struct drg_str row, struct drg_err *reterr)
{
	fwrite(row.p, 1, row.n, a->rejects);
	if (fputc('\n', a->rejects) == EOF)
		return drg_fail(reterr, drg_rc_from_errno(errno), NULL, NULL,
		                "cannot write the rejects file: %s", strerror(errno));
	return DRG_OK;
}

/* Write a rejected row to the rejects. A row of CSV comes with its header, so that it can be corrected and
 * imported. */
static int reject(struct applying *a, const struct drg_spool_origin *from, struct drg_err *reterr)
{
	if (a->rejects == NULL || from->row.n == 0)
		return DRG_OK;
	int rc = DRG_OK;
	if (a->im->o->csv != NULL) {
		struct drg_str header = drg_import_rows_header(a->im->rows, from->file);
		if (a->header.p == NULL || !drg_str_eq(a->header, header))
			rc = write_row(a, header, reterr);
		a->header = header;
	}
	return rc == DRG_OK ? write_row(a, from->row, reterr) : rc;
}

static int64_t follow_redirect(void *ctx, enum drg_kind kind, int64_t id)
{
	const struct applying *a = ctx;
	int64_t now = id;
	drg_redirects_resolve(a->redirects, kind, id, &now);
	return now;
}

/* Put a record. An id that was merged away is replaced by the id that it leads to (decision M19). */
static int apply_put(struct applying *a, const struct drg_record *r, enum drg_put_result *ret,
                     struct drg_err *reterr)
{
	struct drg_record now = *r;
	bool changed = false;
	if (!drg_redirects_any(a->redirects))
		return drg_ledger_put(&a->ledger, a->txn, r, ret, reterr);
	drg_arena_reset(&a->arena);
	if (drg_record_relink(&now, follow_redirect, a, &a->arena, &changed) != DRG_OK)
		return drg_fail_memory(reterr);
	/* A redirect remembers the id that it led to first. */
	if (changed && r->type->id == DRG_TYPE_REDIRECT && !drg_record_has(r, DRG_F_INTO))
		drg_record_set_i(&now, DRG_F_INTO, r->v[DRG_F_TO].i);
	return drg_ledger_put(&a->ledger, a->txn, &now, ret, reterr);
}

static int apply_apply(void *ctx, const struct drg_spooled *r, struct drg_err *reterr)
{
	struct applying *a = ctx;
	enum drg_put_result result;
	if (r->rejected)
		return reject(a, &r->from, reterr);
	int rc = a->txn == NULL ? drg_store_begin(a->store, &a->txn, reterr) : DRG_OK;
	a->ledger.asks = r->from.asks;
	a->ledger.event_why =
	        r->from.asks ? DRG_STR("its id seems to mean another house now") : drg_str("", 0);
	if (rc == DRG_OK)
		rc = apply_put(a, &r->record, &result, reterr);
	if (rc != DRG_OK)
		return rc;
	assert((unsigned)result < DRG_ARRAY_LEN(a->results));
	a->results[result]++;
	a->done++;
	if (drg_txn_should_commit(a->txn))
		rc = commit(a, reterr);
	const struct drg_import_options *o = a->im->o;
	if (rc == DRG_OK && a->txn == NULL && o->stop != NULL && atomic_load(o->stop))
		return drg_fail(reterr, DRG_ESTOPPED, DRG_R(shutting_down), NULL, "it was stopped");
	if (a->txn == NULL && o->progress != NULL)
		o->progress(o->ctx, DRG_IMPORT_APPLYING, a->done, a->total);
	return rc;
}

static int fill_window(void *ctx, void *window, struct drg_err *reterr)
{
	struct applying *a = ctx;
	return drg_window_fill(window, a->im->spool, &a->next_block, DRG_WINDOW_BYTES, reterr);
}

static int sort_window(void *ctx, unsigned worker, void *window, struct drg_err *reterr)
{
	(void)ctx, (void)worker, (void)reterr;
	drg_window_sort(window);
	return DRG_OK;
}

static int apply_window(void *ctx, void *window, struct drg_err *reterr)
{
	return drg_window_each(window, apply_apply, ctx, reterr);
}

static int apply_all(struct applying *a, struct drg_err *reterr)
{
	struct drg_window *windows[WINDOWS] = { NULL };
	void *batches[WINDOWS];
	int rc = DRG_OK;
	for (unsigned i = 0; i < WINDOWS && rc == DRG_OK; i++) {
		rc = drg_window_new(&windows[i], reterr);
		batches[i] = windows[i];
	}
	const struct drg_pipe pipe = {
		.fill = fill_window,
		.work = sort_window,
		.drain = apply_window,
		.ctx = a,
		.batches = batches,
		.n_batches = WINDOWS,
		.n_workers = 1,
	};
	if (rc == DRG_OK)
		rc = drg_pipe_run(&pipe, reterr);
	for (unsigned i = 0; i < WINDOWS; i++)
		drg_window_free(windows[i]);
	return rc;
}

/* Complete the message about a failure: it tells the cause already; add how much was applied. */
static int interrupted(const struct applying *a, int rc, struct drg_err *reterr)
{
	struct drg_err e = { .message = "" };
	if (reterr != NULL)
		e = *reterr;
	if (rc == DRG_ECORRUPT) /* running the import again would fail in the same way */
		return drg_fail(reterr, rc, drg_reason_find(e.reason), e.field,
		                "%.500s; %" PRIu64 " of %" PRIu64 " records are applied", e.message,
		                a->durable, a->total);
	return drg_fail(reterr, rc, drg_reason_find(e.reason), e.field,
	                "%.400s; %" PRIu64 " of %" PRIu64
	                " records are applied, the same import run again completes it",
	                e.message, a->durable, a->total);
}

static void apply_ledger(struct applying *a)
{
	const struct drg_import_options *o = a->im->o;
	drg_buf_init(&a->files, DRG_CHARS_FILES);
	for (size_t i = 0; i < o->n_files && a->files.n < 500; i++)
		drg_buf_printf(&a->files, "%s%s", i > 0 ? ", " : "",
		               o->names != NULL ? o->names[i] : o->files[i]);
	a->ledger = (struct drg_ledger){
		.what = o->what,
		.by = o->by,
		.why = o->why,
		.files = drg_buf_view(&a->files),
		/* The records of an export have events of their mappings; CSV and loads have none. */
		.first_mappings = o->csv != NULL || o->what == DRG_BATCH_LOAD,
		.remember = o->remember,
	};
	drg_ledger_init(&a->ledger);
}

/* Commit the last transaction, which stores the sums of the batch. The batch of an import that failed has no
 * sums, and can be undone too. */
static int apply_end(struct applying *a, struct drg_err *reterr)
{
	int rc = DRG_OK;
	if (a->txn == NULL && a->ledger.state.batch > 0)
		rc = drg_store_begin(a->store, &a->txn, reterr);
	if (rc == DRG_OK && a->txn != NULL)
		rc = drg_ledger_end(&a->ledger, a->txn, reterr);
	return rc == DRG_OK ? commit(a, reterr) : rc;
}

int drg_import_apply(struct drg_importing *im, struct drg_store *store, FILE *rejects, struct drg_err *reterr)
{
	struct applying a = { .im = im,
		              .store = store,
		              .rejects = rejects,
		              .total = im->sums->rows - im->sums->bad,
		              .redirects = drg_refs_redirects(im->refs) };
	drg_arena_init(&a.arena, ARENA_BYTES);
	apply_ledger(&a);
	int rc = apply_all(&a, reterr);
	if (rc == DRG_OK)
		rc = apply_end(&a, reterr);
	drg_txn_rollback(a.txn);
	im->sums->batch = a.ledger.state.batch;
	drg_ledger_done(&a.ledger);
	drg_buf_done(&a.files);
	drg_arena_done(&a.arena);
	im->sums->created = a.results[DRG_PUT_CREATED];
	im->sums->changed = a.results[DRG_PUT_CHANGED];
	im->sums->same = a.results[DRG_PUT_SAME];
	im->sums->deleted = a.results[DRG_PUT_DELETED];
	return rc == DRG_OK ? DRG_OK : interrupted(&a, rc, reterr);
}
