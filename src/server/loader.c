#include "server/loader.h"

#include <assert.h>

#include "base/thread.h"

/* A batch is small enough to stay in the second-level cache on its way to the other core. */
enum { BATCHES = 8, BATCH_BYTES = 1 << 16 };

/* Batches are numbered in the order of filling; number k uses place k % BATCHES. */
struct loading {
	struct drg_store *store;
	const struct drg_filter *filter;
	struct drg_clock clock;
	struct drg_buf batches[BATCHES]; /* struct drg_row_meta and packed record, one behind the other */
	pthread_mutex_t lock;
	pthread_cond_t moved; /* something below changed */
	unsigned long filled, taken; /* batches */
	bool over; /* no further batch will be filled */
	bool given_up; /* no further batch will be taken */
	int rc; /* result of the reading */
	struct drg_err err;
};

/* ---- the reading thread -------------------------------------------------------------------------------- */

/* Hand over a full batch. @return false: the caller has given up. */
static bool loading_pass_on(struct loading *l)
{
	pthread_mutex_lock(&l->lock);
	l->filled++;
	assert(l->filled - l->taken <= BATCHES);
	pthread_cond_signal(&l->moved);
	while (l->filled - l->taken == BATCHES && !l->given_up)
		pthread_cond_wait(&l->moved, &l->lock);
	bool go_on = !l->given_up;
	pthread_mutex_unlock(&l->lock);
	return go_on;
}

static void *loading_run(void *arg)
{
	struct drg_rows rows;
	struct loading *l = arg;
	for (drg_rows_scan(&rows, l->store, l->filter, &l->err); drg_rows_next(&rows);) {
		struct drg_buf *b = &l->batches[l->filled % BATCHES];
		drg_buf_add(b, &rows.row.m, sizeof rows.row.m);
		drg_record_pack(&rows.row.r, b);
		if (b->rc != DRG_OK)
			rows.rc = drg_fail_memory(&l->err);
		else if (b->n >= BATCH_BYTES && !loading_pass_on(l))
			rows.rc = DRG_ESTOPPED;
	}
	int rc = drg_rows_end(&rows);
	l->clock = rows.clock;
	if (rc == DRG_OK && l->batches[l->filled % BATCHES].n > 0)
		loading_pass_on(l);
	pthread_mutex_lock(&l->lock);
	l->rc = rc;
	l->over = true;
	pthread_cond_signal(&l->moved);
	pthread_mutex_unlock(&l->lock);
	return NULL;
}

/* ---- the caller's thread ------------------------------------------------------------------------------- */

static struct drg_buf *loading_next(struct loading *l)
{
	pthread_mutex_lock(&l->lock);
	while (l->filled == l->taken && !l->over)
		pthread_cond_wait(&l->moved, &l->lock);
	assert(l->taken <= l->filled);
	struct drg_buf *b = l->filled > l->taken ? &l->batches[l->taken % BATCHES] : NULL;
	pthread_mutex_unlock(&l->lock);
	return b;
}

static void loading_done_with(struct loading *l, struct drg_buf *b, bool give_up)
{
	drg_buf_clear(b);
	pthread_mutex_lock(&l->lock);
	assert(l->taken < l->filled);
	l->taken++;
	l->given_up = give_up;
	pthread_cond_signal(&l->moved);
	pthread_mutex_unlock(&l->lock);
}

static int loading_use_batch(const struct drg_buf *b, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_record r;
	struct drg_row_meta m;
	int rc = DRG_OK;
	for (size_t at = 0; at < b->n && rc == DRG_OK;) {
		memcpy(&m, b->p + at, sizeof m);
		at += sizeof m;
		size_t n = drg_record_unpack(b->p + at, b->n - at, &r);
		if (n == 0)
			return drg_fail(reterr, DRG_EINTERNAL, NULL, NULL, "a row was damaged on its way");
		at += n;
		rc = fn(ctx, &r, &m);
	}
	return rc;
}

static int loading_use_all(struct loading *l, drg_row_fn *fn, void *ctx, struct drg_err *reterr)
{
	struct drg_buf *b;
	int rc = DRG_OK;
	while (rc == DRG_OK && (b = loading_next(l)) != NULL) {
		rc = loading_use_batch(b, fn, ctx, reterr);
		loading_done_with(l, b, rc != DRG_OK);
	}
	return rc;
}

int drg_load_rows(struct drg_store *s, const struct drg_filter *f, drg_row_fn *fn, void *ctx,
                  struct drg_clock *ret_clock, struct drg_err *reterr)
{
	struct loading l = { .store = s, .filter = f };
	pthread_t thread;
	pthread_mutex_init(&l.lock, NULL);
	pthread_cond_init(&l.moved, NULL);
	for (unsigned i = 0; i < BATCHES; i++)
		drg_buf_init(&l.batches[i], SIZE_MAX);
	int rc = drg_thread_start(&thread, loading_run, &l, reterr);
	if (rc == DRG_OK) {
		rc = loading_use_all(&l, fn, ctx, reterr);
		pthread_join(thread, NULL);
		if (rc == DRG_OK && l.rc != DRG_OK)
			rc = drg_fail(reterr, l.rc, drg_reason_find(l.err.reason), l.err.field, "%s",
			              l.err.message);
	}
	for (unsigned i = 0; i < BATCHES; i++)
		drg_buf_done(&l.batches[i]);
	pthread_cond_destroy(&l.moved);
	pthread_mutex_destroy(&l.lock);
	if (rc == DRG_OK)
		*ret_clock = l.clock;
	return rc;
}
