#include "server/counters.h"

#include <assert.h>
#include <inttypes.h>
#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/hashtab.h"
#include "base/log.h"
#include "base/worker.h"
#include "server/own_job.h"

/* Things in one transaction; other writers get their turn in between. */
enum { CHUNK = 2000 };

struct counter_entry {
	uint64_t hash;
	struct drg_counted is;
};

/* Things and a hash table of them, with room for all. */
struct counter_batch {
	struct drg_arena arena;
	struct counter_entry **entries;
	size_t n;
	struct drg_hashtab table;
};

struct counter_stripe {
	pthread_mutex_t lock;
	struct counter_batch *pending;
	uint64_t lost;

	struct counter_batch *storing; /* for the thread; for the writer while a job is in progress */
	struct counter_batch batches[2];
};

struct drg_counters {
	struct drg_counters_options o;
	unsigned char seed[crypto_shorthash_KEYBYTES]; /* so that nobody can prepare things that collide */
	struct drg_worker worker; /* for the thread; for the writer while a job is in progress */
	const struct drg_counted **things; /* of all stripes */
	size_t n_taken, n_things; /* numbers of the user's own counts and of things; the things come second */
	size_t stored, chunk; /* how many of both are stored; how many come next */
	struct counter_stripe stripes[];
};

/* ---- counting ------------------------------------------------------------------------------------------- */

static uint64_t counters_mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

static uint64_t counters_hash(const struct drg_counters *c, const struct drg_counted *t)
{
	uint64_t hash = counters_mix((uint64_t)t->number << 8 | (uint64_t)t->kind), of_text;
	unsigned char out[crypto_shorthash_BYTES];
	for (size_t i = 0; i < DRG_COUNTED_TEXTS; i++) {
		hash = counters_mix(hash + 1);
		if (t->text[i].n == 0)
			continue;
		crypto_shorthash(out, (const unsigned char *)t->text[i].p, t->text[i].n, c->seed);
		memcpy(&of_text, out, sizeof of_text);
		hash ^= of_text;
	}
	return counters_mix(hash);
}

static bool counters_same(const struct drg_counted *a, const struct drg_counted *b)
{
	bool same = a->number == b->number && a->kind == b->kind;
	for (size_t i = 0; i < DRG_COUNTED_TEXTS && same; i++)
		same = drg_str_eq(a->text[i], b->text[i]);
	return same;
}

/* Make an entry. @return false: no room. */
static bool counters_new(const struct drg_counters *c, struct counter_batch *b, uint64_t hash,
                         const struct drg_counted *t)
{
	size_t bytes = sizeof(struct counter_entry);
	for (size_t i = 0; i < DRG_COUNTED_TEXTS; i++)
		bytes += t->text[i].n;
	struct counter_entry *e = b->n < c->o.max_pending ? drg_arena_alloc(&b->arena, bytes) : NULL;
	if (e == NULL)
		return false;
	*e = (struct counter_entry){ .hash = hash, .is = *t };
	char *p = (char *)(e + 1);
	for (size_t i = 0; i < DRG_COUNTED_TEXTS; i++) {
		if (t->text[i].n > 0)
			memcpy(p, t->text[i].p, t->text[i].n);
		e->is.text[i].p = p;
		p += t->text[i].n;
	}
	assert(p == (char *)e + bytes);
	b->entries[b->n++] = e;
	return true;
}

void drg_counters_add(struct drg_counters *c, const struct drg_counted *thing)
{
	const uint64_t hash = counters_hash(c, thing);
	struct counter_stripe *s = &c->stripes[(uint32_t)hash % c->o.stripes];
	pthread_mutex_lock(&s->lock);
	struct counter_batch *b = s->pending;
	struct counter_entry **e = b->entries;
	uint32_t i;
	size_t at;
	bool wake = false;
	DRG_HASHTAB_FIND(i, &b->table, hash, at, e[i]->hash == hash && counters_same(&e[i]->is, thing));
	if (i != DRG_HASHTAB_NONE) {
		e[i]->is.count += thing->count;
		/* two threads may read the clock before either takes the lock */
		if (thing->last_us > e[i]->is.last_us)
			e[i]->is.last_us = thing->last_us;
	} else if (counters_new(c, b, hash, thing)) {
		drg_hashtab_put(&b->table, hash, at, (uint32_t)b->n - 1);
		wake = b->n == c->o.wake_at;
	} else {
		s->lost++;
	}
	pthread_mutex_unlock(&s->lock);
	if (wake)
		drg_worker_lock_and_wake(&c->worker);
}

/* ---- storing -------------------------------------------------------------------------------------------- */

/* Store the next chunk, on the writer's thread. A drg_txn_fn; ctx is a struct drg_counters. */
static int counters_run_chunk(void *counters, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_counters *c = counters;
	const size_t end = c->stored + c->chunk;
	const size_t taken = c->stored < c->n_taken ? (end < c->n_taken ? end : c->n_taken) - c->stored : 0;
	assert(end <= c->n_taken + c->n_things);
	int rc = c->o.take != NULL ? c->o.store_taken(c->o.ctx, t, c->stored, taken, reterr) : DRG_OK;
	if (rc == DRG_OK && taken < c->chunk)
		rc = c->o.store(c->o.ctx, t, c->things + (c->stored + taken - c->n_taken), c->chunk - taken,
		                reterr);
	return rc;
}

/* Store a chunk. @return false: nothing was stored. */
static bool counters_store_chunk(struct drg_counters *c)
{
	assert(c->stored < c->n_taken + c->n_things);
	const size_t left = c->n_taken + c->n_things - c->stored;
	struct drg_err e;
	c->chunk = left < CHUNK ? left : CHUNK;
	int rc = drg_own_job_run(c->o.writer, counters_run_chunk, c, c->chunk, &e);
	if (rc == DRG_ENOMEM ||
	    (rc != DRG_OK && (strcmp(e.reason, "not_stored") == 0 || strcmp(e.reason, "queue_full") == 0)))
		return false;
	c->stored += c->chunk;
	return true;
}

static bool counters_store_rest(struct drg_counters *c)
{
	while (c->stored < c->n_taken + c->n_things)
		if (!counters_store_chunk(c))
			return false;
	return true;
}

static int counters_by_identity(const void *a, const void *b)
{
	const struct drg_counted *x = *(const struct drg_counted *const *)a,
	                         *y = *(const struct drg_counted *const *)b;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return drg_str_cmp(x->text[0], y->text[0]);
}

/* Exchange the two batches of a stripe: the counts so far will be stored; the other batch, which was stored,
 * is emptied and counts from now on. @return how many things found no room. */
static uint64_t counters_swap(struct drg_counters *c, struct counter_stripe *s)
{
	struct counter_batch *empty = s->storing;
	if (empty->n > 0) {
		drg_arena_reset(&empty->arena);
		drg_hashtab_clear(&empty->table);
		empty->n = 0;
	}
	pthread_mutex_lock(&s->lock);
	s->storing = s->pending;
	s->pending = empty;
	const uint64_t lost = s->lost;
	s->lost = 0;
	pthread_mutex_unlock(&s->lock);
	for (size_t i = 0; i < s->storing->n; i++)
		c->things[c->n_things++] = &s->storing->entries[i]->is;
	assert(c->n_things <= (size_t)c->o.stripes * c->o.max_pending);
	return lost;
}

static void counters_flush(struct drg_counters *c)
{
	uint64_t lost = 0;
	if (!counters_store_rest(c))
		return;
	assert(c->stored == c->n_taken + c->n_things); /* everything was stored */
	c->n_things = c->stored = 0;
	c->n_taken = c->o.take != NULL ? c->o.take(c->o.ctx) : 0;
	for (unsigned i = 0; i < c->o.stripes; i++)
		lost += counters_swap(c, &c->stripes[i]);
	if (c->n_things > 1)
		qsort(c->things, c->n_things, sizeof *c->things, counters_by_identity);
	if (lost > 0 && c->o.what != NULL)
		drg_log(DRG_LOG_WARN, "%" PRIu64 " %s were not kept: there were too many", lost, c->o.what);
	(void)counters_store_rest(c);
}

static void counters_log_unstored(const struct drg_counters *c)
{
	size_t n = c->n_taken + c->n_things - c->stored;
	uint64_t lost = 0;
	for (unsigned i = 0; i < c->o.stripes; i++) {
		n += c->stripes[i].pending->n;
		lost += c->stripes[i].lost;
	}
	if (c->o.what != NULL && (n > 0 || lost > 0))
		drg_log(DRG_LOG_WARN, "%zu %s could not be stored, and %" PRIu64 " were not kept", n,
		        c->o.what, lost);
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

static int64_t counters_next_ns(const struct drg_counters *c)
{
	return drg_clock_ns() + (int64_t)c->o.flush_ms * 1000000;
}

/* A step of the thread: after flush_ms, when a stripe has `wake_at` things, and at the end. */
static int64_t counters_step(void *counters)
{
	struct drg_counters *c = counters;
	const bool last = c->worker.stopping;
	pthread_mutex_unlock(&c->worker.lock);
	counters_flush(c);
	if (last)
		counters_log_unstored(c);
	pthread_mutex_lock(&c->worker.lock);
	return counters_next_ns(c);
}

/* calloc(): pages that are never counted in take no memory. */
static bool counters_batch_init(const struct drg_counters *c, struct counter_batch *b)
{
	drg_arena_init(&b->arena, c->o.max_bytes);
	b->entries = calloc(c->o.max_pending, sizeof *b->entries);
	return b->entries != NULL && drg_hashtab_reserve(&b->table, c->o.max_pending);
}

static bool counters_stripe_init(const struct drg_counters *c, struct counter_stripe *s)
{
	pthread_mutex_init(&s->lock, NULL);
	s->pending = &s->batches[0];
	s->storing = &s->batches[1];
	const bool ok = counters_batch_init(c, s->pending);
	return counters_batch_init(c, s->storing) && ok;
}

void drg_counters_stop(struct drg_counters *c)
{
	if (c == NULL)
		return;
	drg_worker_done(&c->worker);
	for (unsigned i = 0; i < c->o.stripes; i++) {
		for (size_t k = 0; k < DRG_ARRAY_LEN(c->stripes[i].batches); k++) {
			drg_arena_done(&c->stripes[i].batches[k].arena);
			free(c->stripes[i].batches[k].entries);
			drg_hashtab_done(&c->stripes[i].batches[k].table);
		}
		pthread_mutex_destroy(&c->stripes[i].lock);
	}
	free(c->things);
	free(c);
}

int drg_counters_start(const struct drg_counters_options *o, struct drg_counters **ret,
                       struct drg_err *reterr)
{
	assert((o->take == NULL) == (o->store_taken == NULL));
	assert(o->stripes > 0 && o->max_pending > 0 && o->store != NULL);
	struct drg_counters *c = calloc(1, sizeof *c + o->stripes * sizeof c->stripes[0]);
	if (c == NULL)
		return drg_fail_memory(reterr);
	c->o = *o;
	crypto_shorthash_keygen(c->seed);
	drg_worker_init(&c->worker);
	c->things = calloc(o->stripes * o->max_pending, sizeof *c->things);
	bool ok = c->things != NULL;
	for (unsigned i = 0; i < o->stripes; i++)
		ok = counters_stripe_init(c, &c->stripes[i]) && ok;
	int rc = ok ? drg_worker_start(&c->worker, counters_step, c, counters_next_ns(c), reterr)
	            : drg_fail_memory(reterr);
	if (rc == DRG_OK)
		*ret = c;
	else
		drg_counters_stop(c);
	return rc;
}
