#include "node/unmatched.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/log.h"
#include "base/worker.h"

/* Reports in one transaction: others can write in between. */
enum { CHUNK = 2000 };

struct report_entry {
	uint64_t hash;
	struct drg_air_report r;
};

/* Reports and a hash table of them: open addressing, twice as many slots as entries, and more. */
struct report_batch {
	struct drg_arena arena;
	struct report_entry **entries, **slots;
	size_t n;
};

struct drg_unmatched {
	struct drg_unmatched_options o;
	size_t n_slots; /* a power of two */
	unsigned char seed[crypto_shorthash_KEYBYTES]; /* so that nobody can prepare reports that collide */

	struct drg_worker worker; /* its lock is for what follows, up to the thread's own */
	struct report_batch *pending;
	uint64_t lost;
	bool job_done;

	/* the thread's; while a job is under way the writer's */
	struct report_batch *storing;
	size_t stored, chunk; /* of `storing`: how many are stored, how many come next */
	struct drg_job job;
	struct report_batch batches[2];
};

/* ---- counting ------------------------------------------------------------------------------------------- */

static uint64_t hash_bytes(const struct drg_unmatched *d, const void *p, size_t n)
{
	unsigned char out[crypto_shorthash_BYTES];
	uint64_t hash;
	crypto_shorthash(out, p, n, d->seed);
	memcpy(&hash, out, sizeof hash);
	return hash;
}

static uint64_t hash_text(const struct drg_unmatched *d, struct drg_str s)
{
	return hash_bytes(d, s.n > 0 ? s.p : "", s.n);
}

static uint64_t hash_report(const struct drg_unmatched *d, const struct drg_air_report *r)
{
	const uint64_t parts[] = { (uint64_t)r->adapter, hash_text(d, r->external_id),
		                   hash_text(d, r->iata_code), hash_text(d, r->title),
		                   hash_text(d, r->lang) };
	return hash_bytes(d, parts, sizeof parts);
}

static bool unmatched_same(const struct drg_air_report *a, const struct drg_air_report *b)
{
	return a->adapter == b->adapter && drg_str_eq(a->external_id, b->external_id) &&
	       drg_str_eq(a->iata_code, b->iata_code) && drg_str_eq(a->title, b->title) &&
	       drg_str_eq(a->lang, b->lang);
}

/* The slot of a report, or the empty one where it belongs. */
static struct report_entry **unmatched_find(const struct drg_unmatched *d, const struct report_batch *b,
                                            uint64_t hash, const struct drg_air_report *r)
{
	assert(b->n < d->n_slots); /* or a report that is not there would be looked for without an end */
	size_t at = hash & (d->n_slots - 1);
	while (b->slots[at] != NULL && (b->slots[at]->hash != hash || !unmatched_same(&b->slots[at]->r, r)))
		at = (at + 1) & (d->n_slots - 1);
	return &b->slots[at];
}

/* NULL when there is no room. */
static struct report_entry *new_entry(const struct drg_unmatched *d, struct report_batch *b, uint64_t hash,
                                      const struct drg_air_report *r)
{
	const struct drg_str *texts[] = { &r->external_id, &r->iata_code, &r->title, &r->lang };
	size_t bytes = sizeof(struct report_entry);
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++)
		bytes += texts[i]->n;
	struct report_entry *e = b->n < d->o.max_pending ? drg_arena_alloc(&b->arena, bytes) : NULL;
	if (e == NULL)
		return NULL;
	*e = (struct report_entry){ .hash = hash, .r = *r };
	struct drg_str *copies[] = { &e->r.external_id, &e->r.iata_code, &e->r.title, &e->r.lang };
	char *p = (char *)(e + 1);
	for (size_t i = 0; i < DRG_ARRAY_LEN(texts); i++) {
		if (texts[i]->n > 0)
			memcpy(p, texts[i]->p, texts[i]->n);
		copies[i]->p = p;
		p += texts[i]->n;
	}
	return e;
}

void drg_unmatched_report(struct drg_unmatched *d, const struct drg_air_report *r)
{
	uint64_t hash = hash_report(d, r);
	struct drg_air_report once = *r;
	once.count = 1;
	once.first_us = once.last_us = drg_wall_us();
	pthread_mutex_lock(&d->worker.lock);
	struct report_batch *b = d->pending;
	struct report_entry **slot = unmatched_find(d, b, hash, &once);
	if (*slot != NULL) {
		(*slot)->r.count++;
		(*slot)->r.last_us = once.last_us;
	} else if ((*slot = new_entry(d, b, hash, &once)) != NULL) {
		b->entries[b->n++] = *slot;
		if (b->n == d->o.max_pending / 2) /* do not wait for the next second */
			drg_worker_wake(&d->worker);
	} else {
		d->lost++;
	}
	pthread_mutex_unlock(&d->worker.lock);
}

/* ---- storing -------------------------------------------------------------------------------------------- */

/* A decision (struct drg_unmatched), on the writer's thread. */
static int run_chunk(void *unmatched, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_unmatched *d = unmatched;
	assert(d->stored + d->chunk <= d->storing->n);
	struct report_entry *const *e = d->storing->entries + d->stored;
	int rc = DRG_OK;
	for (size_t i = 0; i < d->chunk && rc == DRG_OK; i++) {
		bool last = i + 1 == d->chunk || e[i + 1]->r.adapter != e[i]->r.adapter;
		rc = drg_txn_air_report(t, &e[i]->r, reterr);
		if (rc == DRG_OK && last)
			rc = drg_txn_air_reports_trim(t, e[i]->r.adapter, d->o.keep, reterr);
	}
	return rc;
}

static void chunk_done(struct drg_job *j)
{
	struct drg_unmatched *d = DRG_CONTAINER_OF(j, struct drg_unmatched, job);
	pthread_mutex_lock(&d->worker.lock);
	d->job_done = true;
	pthread_cond_signal(&d->worker.changed);
	pthread_mutex_unlock(&d->worker.lock);
}

/* False: nothing of it was stored. */
static bool store_chunk(struct drg_unmatched *d)
{
	size_t left = d->storing->n - d->stored;
	d->chunk = left < CHUNK ? left : CHUNK;
	d->job = (struct drg_job){
		.run = run_chunk, .decision = d, .done = chunk_done, .rows = d->chunk, .own = true
	};
	d->job_done = false;
	if (drg_writer_submit(d->o.writer, &d->job, NULL) != DRG_OK)
		return false;
	pthread_mutex_lock(&d->worker.lock);
	while (!d->job_done)
		pthread_cond_wait(&d->worker.changed, &d->worker.lock);
	pthread_mutex_unlock(&d->worker.lock);
	if (d->job.rc == DRG_ENOMEM || (d->job.rc != DRG_OK && strcmp(d->job.err.reason, "not_stored") == 0))
		return false;
	d->stored += d->chunk;
	return true;
}

static bool store_rest(struct drg_unmatched *d)
{
	while (d->stored < d->storing->n)
		if (!store_chunk(d))
			return false;
	return true;
}

/* By adapter, so that each is trimmed once, and then as the store's index has them. */
static int by_identity(const void *a, const void *b)
{
	const struct drg_air_report *x = &(*(struct report_entry *const *)a)->r,
	                            *y = &(*(struct report_entry *const *)b)->r;
	if (x->adapter != y->adapter)
		return x->adapter < y->adapter ? -1 : 1;
	return drg_str_cmp(x->external_id, y->external_id);
}

/* What was counted is to be stored; what was stored gives its room to what will be counted. */
static void swap(struct drg_unmatched *d)
{
	struct report_batch *empty = d->storing;
	assert(d->stored == empty->n); /* what is not stored is not thrown away */
	drg_arena_reset(&empty->arena);
	memset(empty->slots, 0, d->n_slots * sizeof *empty->slots);
	empty->n = d->stored = 0;
	pthread_mutex_lock(&d->worker.lock);
	d->storing = d->pending;
	d->pending = empty;
	pthread_mutex_unlock(&d->worker.lock);
	if (d->storing->n > 1)
		qsort(d->storing->entries, d->storing->n, sizeof *d->storing->entries, by_identity);
}

static void unmatched_flush(struct drg_unmatched *d)
{
	if (!store_rest(d))
		return;
	pthread_mutex_lock(&d->worker.lock);
	uint64_t lost = d->lost;
	bool waits = d->pending->n > 0;
	d->lost = 0;
	pthread_mutex_unlock(&d->worker.lock);
	if (lost > 0)
		drg_log(DRG_LOG_WARN,
		        "%" PRIu64 " reports of avia/compared were not kept: there were too many", lost);
	if (waits) {
		swap(d);
		(void)store_rest(d);
	}
}

static void log_unstored(struct drg_unmatched *d)
{
	size_t n = d->storing->n - d->stored + d->pending->n;
	if (n > 0 || d->lost > 0)
		drg_log(DRG_LOG_WARN,
		        "%zu reports of avia/compared could not be stored, and %" PRIu64 " were not kept", n,
		        d->lost);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

static int64_t unmatched_next_ns(const struct drg_unmatched *d)
{
	return drg_clock_ns() + (int64_t)d->o.flush_ms * 1000000;
}

/* A step: each second, when half of the room is taken, and at the end. */
static int64_t unmatched_step(void *unmatched)
{
	struct drg_unmatched *d = unmatched;
	bool last = d->worker.stopping;
	pthread_mutex_unlock(&d->worker.lock);
	unmatched_flush(d);
	if (last)
		log_unstored(d);
	pthread_mutex_lock(&d->worker.lock);
	return unmatched_next_ns(d);
}

static bool batch_init(const struct drg_unmatched *d, struct report_batch *b)
{
	drg_arena_init(&b->arena, d->o.max_bytes);
	b->entries = calloc(d->o.max_pending, sizeof *b->entries);
	b->slots = calloc(d->n_slots, sizeof *b->slots);
	return b->entries != NULL && b->slots != NULL;
}

static void unmatched_free(struct drg_unmatched *d)
{
	drg_worker_done(&d->worker);
	for (size_t i = 0; i < DRG_ARRAY_LEN(d->batches); i++) {
		drg_arena_done(&d->batches[i].arena);
		free(d->batches[i].entries);
		free(d->batches[i].slots);
	}
	free(d);
}

static void set_options(struct drg_unmatched *d, const struct drg_unmatched_options *o)
{
	d->o = *o;
	d->o.flush_ms = o->flush_ms > 0 ? o->flush_ms : 1000;
	d->o.max_pending = o->max_pending > 0 ? o->max_pending : 16384;
	d->o.max_bytes = o->max_bytes > 0 ? o->max_bytes : (size_t)16 << 20;
	d->o.keep = o->keep > 0 ? o->keep : 100000;
	for (d->n_slots = 2; d->n_slots < 2 * d->o.max_pending;)
		d->n_slots *= 2;
}

int drg_unmatched_start(const struct drg_unmatched_options *o, struct drg_unmatched **ret,
                        struct drg_err *reterr)
{
	struct drg_unmatched *d = calloc(1, sizeof *d);
	if (d == NULL)
		return drg_fail_memory(reterr);
	set_options(d, o);
	crypto_shorthash_keygen(d->seed);
	drg_worker_init(&d->worker);
	bool ok = batch_init(d, &d->batches[0]);
	ok = batch_init(d, &d->batches[1]) && ok;
	d->pending = &d->batches[0];
	d->storing = &d->batches[1];
	int rc = ok ? drg_worker_start(&d->worker, unmatched_step, d, unmatched_next_ns(d), reterr)
	            : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = d;
	else
		unmatched_free(d);
	return rc;
}

void drg_unmatched_stop(struct drg_unmatched *d)
{
	if (d != NULL)
		unmatched_free(d);
}
