#include "node/uses.h"

#include <assert.h>
#include <pthread.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "base/worker.h"

enum {
	KEYS = 4096, /* slots; a key that finds none near its place is not noted */
	KINDS = 8192,
	NEAR = 16,
	STRIPES = 16,
	RECORDS = 2048, /* slots of a stripe; three quarters of them are used */
	ID_BYTES = 128, /* a longer id is not counted */
	CHUNK = 2000, /* uses in one transaction: others can write in between */
	KEPT_DAYS = 400
};

struct key_slot {
	_Atomic int64_t id; /* 0: free */
	_Atomic int64_t day, stored_day;
};

struct kind_slot {
	_Atomic uint64_t of; /* adapter and kind, and 1 so that 0 is free */
	_Atomic uint64_t asked, mapped;
};

struct record_slot {
	uint64_t count; /* 0: free */
	int64_t adapter;
	uint8_t kind, n;
	char id[ID_BYTES];
};

/* Records share a lock only with those of their stripe. */
struct stripe {
	pthread_mutex_t lock;
	unsigned n;
	struct record_slot slot[RECORDS];
};

struct drg_uses {
	struct drg_uses_options o;
	struct drg_worker worker;
	unsigned char seed[crypto_shorthash_KEYBYTES];
	struct key_slot key[KEYS];
	struct kind_slot kind[KINDS];
	struct stripe stripe[STRIPES];

	/* the thread's; while a job is under way the writer's */
	struct drg_buf storing; /* struct drg_use, whose ids are in `ids` */
	struct drg_buf ids;
	size_t stored, chunk;
	int64_t forgot_day;
	struct drg_job job;
	bool job_done; /* under the worker's lock */
};

static int64_t uses_today(void)
{
	return drg_wall_us() / (86400 * INT64_C(1000000));
}

static uint64_t uses_mix(uint64_t x)
{
	x *= UINT64_C(0x9e3779b97f4a7c15);
	return x ^ x >> 29;
}

/* ---- counting ------------------------------------------------------------------------------------------- */

void drg_uses_key(struct drg_uses *u, int64_t key_id)
{
	if (u == NULL)
		return;
	const int64_t today = uses_today();
	size_t at = uses_mix((uint64_t)key_id) % KEYS;
	for (unsigned i = 0; i < NEAR; i++, at = (at + 1) % KEYS) {
		struct key_slot *k = &u->key[at];
		int64_t there = atomic_load_explicit(&k->id, memory_order_relaxed);
		if (there == 0 && atomic_compare_exchange_strong(&k->id, &there, key_id))
			there = key_id;
		if (there != key_id)
			continue;
		if (atomic_load_explicit(&k->day, memory_order_relaxed) != today)
			atomic_store_explicit(&k->day, today, memory_order_relaxed);
		return;
	}
}

void drg_uses_kind(struct drg_uses *u, int64_t adapter, enum drg_kind kind, uint64_t asked, uint64_t mapped)
{
	if (u == NULL || asked == 0)
		return;
	const uint64_t of = (uint64_t)adapter << 9 | (uint64_t)kind << 1 | 1;
	size_t at = uses_mix(of) % KINDS;
	for (unsigned i = 0; i < NEAR; i++, at = (at + 1) % KINDS) {
		struct kind_slot *k = &u->kind[at];
		uint64_t there = atomic_load_explicit(&k->of, memory_order_relaxed);
		if (there == 0 && atomic_compare_exchange_strong(&k->of, &there, of))
			there = of;
		if (there != of)
			continue;
		atomic_fetch_add_explicit(&k->asked, asked, memory_order_relaxed);
		atomic_fetch_add_explicit(&k->mapped, mapped, memory_order_relaxed);
		return;
	}
}

static uint64_t uses_hash(const struct drg_uses *u, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	unsigned char out[crypto_shorthash_BYTES];
	uint64_t hash;
	crypto_shorthash(out, (const unsigned char *)id.p, id.n, u->seed);
	memcpy(&hash, out, sizeof hash);
	return uses_mix(hash ^ uses_mix((uint64_t)adapter << 8 | (uint64_t)kind));
}

static bool record_is(const struct record_slot *r, int64_t adapter, enum drg_kind kind, struct drg_str id)
{
	return r->adapter == adapter && r->kind == kind && r->n == id.n && memcmp(r->id, id.p, id.n) == 0;
}

static void uses_record(struct drg_uses *u, int64_t adapter, enum drg_kind kind, struct drg_str id,
                        uint64_t count)
{
	if (id.n == 0 || id.n > ID_BYTES)
		return;
	const uint64_t hash = uses_hash(u, adapter, kind, id);
	struct stripe *s = &u->stripe[hash % STRIPES];
	size_t at = (hash >> 8) % RECORDS;
	pthread_mutex_lock(&s->lock);
	while (s->slot[at].count > 0 && !record_is(&s->slot[at], adapter, kind, id))
		at = (at + 1) % RECORDS;
	struct record_slot *r = &s->slot[at];
	if (r->count > 0) {
		r->count += count;
	} else if (s->n < RECORDS / 4 * 3) {
		*r = (struct record_slot){
			.count = count, .adapter = adapter, .kind = (uint8_t)kind, .n = (uint8_t)id.n
		};
		memcpy(r->id, id.p, id.n);
		s->n++;
	}
	pthread_mutex_unlock(&s->lock);
}

void drg_uses_records(struct drg_uses *u, int64_t adapter, enum drg_kind kind, const struct drg_str *ids,
                      const uint32_t *pick, size_t n)
{
	if (u == NULL || n == 0)
		return;
	const size_t step = (n + DRG_USES_SAMPLE - 1) / DRG_USES_SAMPLE;
	const size_t begin = step > 1 ? randombytes_uniform((uint32_t)step) : 0;
	for (size_t i = begin; i < n; i += step)
		uses_record(u, adapter, kind, ids[pick[i]], step);
}

/* ---- gathering what is to be stored ---------------------------------------------------------------------- */

static void uses_take_keys(struct drg_uses *u)
{
	for (size_t i = 0; i < KEYS; i++) {
		struct key_slot *k = &u->key[i];
		int64_t day = atomic_load_explicit(&k->day, memory_order_relaxed);
		if (day == 0 || day == atomic_exchange_explicit(&k->stored_day, day, memory_order_relaxed))
			continue;
		const struct drg_use use = { .sort = DRG_USE_KEY,
			                     .number = atomic_load_explicit(&k->id, memory_order_relaxed),
			                     .day = day };
		drg_buf_add(&u->storing, &use, sizeof use);
	}
}

static void uses_take_kinds(struct drg_uses *u)
{
	const int64_t today = uses_today();
	for (size_t i = 0; i < KINDS; i++) {
		struct kind_slot *k = &u->kind[i];
		uint64_t of = atomic_load_explicit(&k->of, memory_order_relaxed);
		if (of == 0 || atomic_load_explicit(&k->asked, memory_order_relaxed) == 0)
			continue;
		/* Mapped first: what is asked for in between is counted as mapped the next time. */
		uint64_t mapped = atomic_exchange_explicit(&k->mapped, 0, memory_order_relaxed);
		const struct drg_use use = {
			.sort = DRG_USE_KIND,
			.number = (int64_t)(of >> 9),
			.kind = (enum drg_kind)(of >> 1 & 255),
			.slot = today,
			.count = (int64_t)atomic_exchange_explicit(&k->asked, 0, memory_order_relaxed),
			.mapped = (int64_t)mapped,
			.day = today,
		};
		drg_buf_add(&u->storing, &use, sizeof use);
	}
}

static void uses_take_stripe(struct drg_uses *u, struct stripe *s)
{
	const int64_t today = uses_today();
	pthread_mutex_lock(&s->lock);
	for (size_t i = 0; i < RECORDS && s->n > 0; i++) {
		struct record_slot *r = &s->slot[i];
		if (r->count == 0)
			continue;
		/* The place of its id is told when all are gathered: the buffer may move. */
		const struct drg_use use = { .sort = DRG_USE_RECORD,
			                     .number = r->adapter,
			                     .kind = (enum drg_kind)r->kind,
			                     .id = { NULL, r->n },
			                     .count = (int64_t)r->count,
			                     .day = today };
		/* Both or none: without its id there is no telling which those behind it have. */
		if (drg_buf_reserve(&u->ids, r->n) && drg_buf_reserve(&u->storing, sizeof use)) {
			drg_buf_add(&u->storing, &use, sizeof use);
			drg_buf_add(&u->ids, r->id, r->n);
		}
		r->count = 0;
	}
	s->n = 0;
	pthread_mutex_unlock(&s->lock);
}

static size_t uses_n(const struct drg_uses *u)
{
	return u->storing.n / sizeof(struct drg_use);
}

static void uses_gather(struct drg_uses *u)
{
	assert(u->stored == uses_n(u)); /* what is not stored is not thrown away */
	drg_buf_clear(&u->storing);
	drg_buf_clear(&u->ids);
	u->stored = 0;
	uses_take_keys(u);
	uses_take_kinds(u);
	for (size_t i = 0; i < STRIPES; i++)
		uses_take_stripe(u, &u->stripe[i]);
	struct drg_use *use = (struct drg_use *)(void *)u->storing.p;
	const char *id = u->ids.n > 0 ? u->ids.p : "";
	for (size_t i = 0, n = uses_n(u); i < n; i++) {
		use[i].id.p = id;
		id += use[i].id.n;
	}
}

/* ---- storing -------------------------------------------------------------------------------------------- */

/* A decision (struct drg_uses), on the writer's thread. */
static int uses_run_chunk(void *uses, struct drg_txn *t, struct drg_err *reterr)
{
	struct drg_uses *u = uses;
	const struct drg_use *use = (const struct drg_use *)(const void *)u->storing.p + u->stored;
	const int64_t today = uses_today();
	int rc = DRG_OK;
	for (size_t i = 0; i < u->chunk && rc == DRG_OK; i++)
		rc = drg_txn_use(t, &use[i], reterr);
	for (int sort = DRG_USE_KIND; sort <= DRG_USE_RECORD && rc == DRG_OK && u->forgot_day != today;
	     sort++)
		rc = drg_txn_uses_forget(t, (enum drg_use_sort)sort, today - KEPT_DAYS, reterr);
	u->forgot_day = rc == DRG_OK ? today : u->forgot_day;
	return rc;
}

static void uses_chunk_done(struct drg_job *j)
{
	struct drg_uses *u = DRG_CONTAINER_OF(j, struct drg_uses, job);
	pthread_mutex_lock(&u->worker.lock);
	u->job_done = true;
	pthread_cond_signal(&u->worker.changed);
	pthread_mutex_unlock(&u->worker.lock);
}

/* False: nothing of it was stored. */
static bool uses_store_chunk(struct drg_uses *u)
{
	size_t left = uses_n(u) - u->stored;
	u->chunk = left < CHUNK ? left : CHUNK;
	u->job = (struct drg_job){
		.run = uses_run_chunk, .decision = u, .done = uses_chunk_done, .rows = u->chunk, .own = true
	};
	u->job_done = false;
	if (drg_writer_submit(u->o.writer, &u->job, NULL) != DRG_OK)
		return false;
	pthread_mutex_lock(&u->worker.lock);
	while (!u->job_done)
		pthread_cond_wait(&u->worker.changed, &u->worker.lock);
	pthread_mutex_unlock(&u->worker.lock);
	if (u->job.rc == DRG_ENOMEM || (u->job.rc != DRG_OK && strcmp(u->job.err.reason, "not_stored") == 0))
		return false;
	u->stored += u->chunk;
	return true;
}

/* While the store fails, what was gathered stays, and is tried again. */
static void uses_flush(struct drg_uses *u)
{
	bool stored = true;
	for (int round = 0; round < 2 && stored; round++) {
		while (u->stored < uses_n(u) && stored)
			stored = uses_store_chunk(u);
		if (stored && round == 0)
			uses_gather(u);
	}
}

/* ---- the thread ----------------------------------------------------------------------------------------- */

static int64_t uses_next_ns(const struct drg_uses *u)
{
	return drg_clock_ns() + (int64_t)u->o.flush_ms * 1000000;
}

static int64_t uses_step(void *uses)
{
	struct drg_uses *u = uses;
	pthread_mutex_unlock(&u->worker.lock);
	uses_flush(u);
	pthread_mutex_lock(&u->worker.lock);
	return uses_next_ns(u);
}

static void uses_free(struct drg_uses *u)
{
	drg_worker_done(&u->worker);
	for (size_t i = 0; i < STRIPES; i++)
		pthread_mutex_destroy(&u->stripe[i].lock);
	drg_buf_done(&u->storing);
	drg_buf_done(&u->ids);
	free(u);
}

int drg_uses_start(const struct drg_uses_options *o, struct drg_uses **ret, struct drg_err *reterr)
{
	/* Pages that nobody counts in are never touched. */
	struct drg_uses *u = calloc(1, sizeof *u);
	if (u == NULL)
		return drg_fail_memory(reterr);
	u->o = *o;
	u->o.flush_ms = o->flush_ms > 0 ? o->flush_ms : 10000;
	crypto_shorthash_keygen(u->seed);
	drg_buf_init(&u->storing, SIZE_MAX);
	drg_buf_init(&u->ids, SIZE_MAX);
	for (size_t i = 0; i < STRIPES; i++)
		pthread_mutex_init(&u->stripe[i].lock, NULL);
	drg_worker_init(&u->worker);
	int rc = drg_worker_start(&u->worker, uses_step, u, uses_next_ns(u), reterr);
	if (rc == DRG_OK)
		*ret = u;
	else
		uses_free(u);
	return rc;
}

void drg_uses_stop(struct drg_uses *u)
{
	if (u != NULL)
		uses_free(u);
}
