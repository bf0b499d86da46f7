#include "server/uses.h"

#include <assert.h>
#include <sodium.h>
#include <stdatomic.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/clock.h"
#include "server/counters.h"

enum {
	KEYS = 4096, /* slots; a key that finds no free one near its place is not counted */
	KINDS = 8192,
	NEAR = 16,
	STRIPES = 16,
	RECORDS = 1536, /* of a stripe; further ones are not counted until these are stored */
	ID_BYTES = 128, /* a longer id is not counted */
	KEPT_DAYS = 400
};

/* A key, or an adapter and kind. */
struct use_slot {
	_Atomic uint64_t of; /* 0: free */
	union {
		_Atomic int64_t day; /* of a key */
		_Atomic int64_t asked;
	};
	union {
		_Atomic int64_t stored_day;
		_Atomic int64_t mapped;
	};
};

struct drg_uses {
	struct use_slot key[KEYS];
	struct use_slot kind[KINDS];
	struct drg_counters *records;

	/* for the counters' thread, and for the writer */
	struct drg_buf storing; /* struct drg_use of keys and kinds */
	int64_t forgot_day;
};

static int64_t day_of(int64_t wall_us)
{
	return wall_us / (86400 * INT64_C(1000000));
}

static int64_t uses_today(void)
{
	return day_of(drg_wall_us());
}

/* ---- counting ------------------------------------------------------------------------------------------- */

/* The slot of @p of; NULL: all slots near its place are taken. */
static struct use_slot *uses_slot(struct use_slot *slots, size_t n, uint64_t of)
{
	assert(of != 0 && n >= NEAR);
	size_t at = (of * UINT64_C(0x9e3779b97f4a7c15) >> 29) % n;
	for (unsigned i = 0; i < NEAR; i++, at = (at + 1) % n) {
		uint64_t there = atomic_load_explicit(&slots[at].of, memory_order_relaxed);
		if (there == 0 && atomic_compare_exchange_strong(&slots[at].of, &there, of))
			there = of;
		if (there == of)
			return &slots[at];
	}
	return NULL;
}

void drg_uses_key(struct drg_uses *u, int64_t key_id)
{
	const int64_t today = uses_today();
	struct use_slot *k = u != NULL ? uses_slot(u->key, KEYS, (uint64_t)key_id) : NULL;
	if (k != NULL && atomic_load_explicit(&k->day, memory_order_relaxed) != today)
		atomic_store_explicit(&k->day, today, memory_order_relaxed);
}

void drg_uses_kind(struct drg_uses *u, int64_t adapter, enum drg_kind kind, uint64_t asked, uint64_t mapped)
{
	if (u == NULL || asked == 0)
		return;
	struct use_slot *k =
	        uses_slot(u->kind, KINDS, (uint64_t)adapter << 9 | (uint64_t)kind << 1 | 1 /* never 0 */);
	if (k == NULL)
		return;
	atomic_fetch_add_explicit(&k->asked, (int64_t)asked, memory_order_relaxed);
	atomic_fetch_add_explicit(&k->mapped, (int64_t)mapped, memory_order_relaxed);
}

void drg_uses_records(struct drg_uses *u, int64_t adapter, enum drg_kind kind, const struct drg_str *ids,
                      const uint32_t *pick, size_t n)
{
	if (u == NULL || n == 0)
		return;
	const size_t step = (n + DRG_USES_SAMPLE - 1) / DRG_USES_SAMPLE;
	const size_t begin = step > 1 ? randombytes_uniform((uint32_t)step) : 0;
	struct drg_counted used = { .number = adapter, .kind = kind, .count = (int64_t)step };
	used.first_us = used.last_us = drg_wall_us();
	for (size_t i = begin; i < n; i += step) {
		used.text[0] = ids[pick[i]];
		if (used.text[0].n > 0 && used.text[0].n <= ID_BYTES)
			drg_counters_add(u->records, &used);
	}
}

/* ---- gathering the counts to store ----------------------------------------------------------------------- */

static void uses_take_keys(struct drg_uses *u)
{
	for (size_t i = 0; i < KEYS; i++) {
		struct use_slot *k = &u->key[i];
		int64_t day = atomic_load_explicit(&k->day, memory_order_relaxed);
		if (day == 0 || day == atomic_exchange_explicit(&k->stored_day, day, memory_order_relaxed))
			continue;
		const struct drg_use use = { .sort = DRG_USE_KEY,
			                     .number = (int64_t)atomic_load_explicit(&k->of,
			                                                             memory_order_relaxed),
			                     .day = day };
		drg_buf_add(&u->storing, &use, sizeof use);
	}
}

static void uses_take_kinds(struct drg_uses *u)
{
	const int64_t today = uses_today();
	for (size_t i = 0; i < KINDS; i++) {
		struct use_slot *k = &u->kind[i];
		uint64_t of = atomic_load_explicit(&k->of, memory_order_relaxed);
		if (of == 0 || atomic_load_explicit(&k->asked, memory_order_relaxed) == 0)
			continue;
		/* Read `mapped` first: it must never exceed `asked`. Requests in between count as mapped the
		 * next time. */
		int64_t mapped = atomic_exchange_explicit(&k->mapped, 0, memory_order_relaxed);
		const struct drg_use use = {
			.sort = DRG_USE_KIND,
			.number = (int64_t)(of >> 9),
			.kind = (enum drg_kind)(of >> 1 & 255),
			.slot = today,
			.count = atomic_exchange_explicit(&k->asked, 0, memory_order_relaxed),
			.mapped = mapped,
			.day = today,
		};
		drg_buf_add(&u->storing, &use, sizeof use);
	}
}

static size_t uses_take(void *uses)
{
	struct drg_uses *u = uses;
	drg_buf_clear(&u->storing);
	uses_take_keys(u);
	uses_take_kinds(u);
	return u->storing.n / sizeof(struct drg_use);
}

/* ---- storing -------------------------------------------------------------------------------------------- */

/* Store the uses of keys and kinds, and remove old ones once a day. */
static int uses_store_taken(void *uses, struct drg_txn *t, size_t from, size_t n, struct drg_err *reterr)
{
	struct drg_uses *u = uses;
	assert(n == 0 || from + n <= u->storing.n / sizeof(struct drg_use));
	const struct drg_use *use = (const struct drg_use *)(const void *)u->storing.p;
	const int64_t today = uses_today();
	int rc = DRG_OK;
	for (size_t i = from; i < from + n && rc == DRG_OK; i++)
		rc = drg_txn_use(t, &use[i], reterr);
	static const enum drg_use_sort old[] = { DRG_USE_KIND, DRG_USE_RECORD, DRG_USE_ADDS, DRG_USE_KEPT };
	for (size_t i = 0; i < DRG_ARRAY_LEN(old) && rc == DRG_OK && u->forgot_day != today; i++)
		rc = drg_txn_uses_forget(t, old[i], today - KEPT_DAYS, reterr);
	u->forgot_day = rc == DRG_OK ? today : u->forgot_day;
	return rc;
}

static int uses_store_records(void *uses, struct drg_txn *t, const struct drg_counted *const *things,
                              size_t n, struct drg_err *reterr)
{
	(void)uses;
	int rc = DRG_OK;
	for (size_t i = 0; i < n && rc == DRG_OK; i++) {
		const struct drg_use use = { .sort = DRG_USE_RECORD,
			                     .number = things[i]->number,
			                     .kind = things[i]->kind,
			                     .id = things[i]->text[0],
			                     .count = things[i]->count,
			                     .day = day_of(things[i]->last_us) };
		rc = drg_txn_use(t, &use, reterr);
	}
	return rc;
}

int drg_uses_start(const struct drg_uses_options *o, struct drg_uses **ret, struct drg_err *reterr)
{
	/* calloc(): pages that are never counted in take no memory. */
	struct drg_uses *u = calloc(1, sizeof *u);
	if (u == NULL)
		return drg_fail_memory(reterr);
	drg_buf_init(&u->storing, SIZE_MAX);
	const struct drg_counters_options c = {
		.writer = o->writer,
		.flush_ms = o->flush_ms > 0 ? o->flush_ms : 10000,
		.stripes = STRIPES,
		.max_pending = RECORDS,
		.max_bytes = (size_t)RECORDS * 4 * ID_BYTES,
		.ctx = u,
		.take = uses_take,
		.store_taken = uses_store_taken,
		.store = uses_store_records,
	};
	int rc = drg_counters_start(&c, &u->records, reterr);
	if (rc == DRG_OK)
		*ret = u;
	else
		free(u);
	return rc;
}

void drg_uses_stop(struct drg_uses *u)
{
	if (u == NULL)
		return;
	drg_counters_stop(u->records);
	drg_buf_done(&u->storing);
	free(u);
}
