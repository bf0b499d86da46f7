#include "catalog/table_priv.h"

#include <assert.h>

#include "base/pages.h"

/* A removed slot is not empty, so that probes continue behind it; it has no reference. */
#define REMOVED ((uint64_t)1 << 32)

/* A table grows when three quarters are taken: a look-up that misses then reads 8.5 slots, about one cache
 * line. After it grew it is half full: 13 bytes per reference on average. */
static size_t limit_of(size_t n)
{
	return n - n / 4;
}

static struct drg_slots *slots_new(size_t n)
{
	size_t bytes = sizeof(struct drg_slots) + n * sizeof(uint64_t);
	bytes = (bytes + 4095) & ~(size_t)4095;
	n = (bytes - sizeof(struct drg_slots)) / sizeof(uint64_t);
	struct drg_slots *s = n <= UINT32_MAX ? drg_pages_new(bytes, true) : NULL;
	if (s != NULL) {
		s->n = (uint32_t)n;
		s->bytes = bytes;
	}
	return s;
}

static struct drg_slots *slots_of(const struct drg_table *t)
{
	/* this thread alone writes it, so relaxed is enough */
	return atomic_load_explicit(&t->slots, memory_order_relaxed);
}

int drg_table_init(struct drg_table *t, struct drg_retire *retire, struct drg_err *reterr)
{
	struct drg_slots *s = slots_new(1);
	if (s == NULL)
		return drg_fail_memory(reterr);
	*t = (struct drg_table){ .limit = limit_of(s->n), .retire = retire };
	atomic_store_explicit(&t->slots, s, memory_order_release);
	return DRG_OK;
}

int drg_table_room(struct drg_table *t, size_t slots, size_t live, size_t taken, void **ret,
                   struct drg_err *reterr)
{
	struct drg_slots *s = slots <= UINT32_MAX ? slots_new(slots) : NULL;
	if (s == NULL)
		return drg_fail_memory(reterr);
	if (s->n != slots || taken > limit_of(slots)) {
		drg_pages_free(s, s->bytes);
		return drg_fail(reterr, DRG_ECORRUPT, NULL, NULL, "no table has %zu slots", slots);
	}
	drg_table_done(t);
	t->live = live;
	t->taken = taken;
	t->limit = limit_of(slots);
	atomic_store_explicit(&t->slots, s, memory_order_release);
	*ret = s->slot;
	return DRG_OK;
}

void drg_table_done(struct drg_table *t)
{
	struct drg_slots *s = slots_of(t);
	if (s != NULL)
		drg_pages_free(s, s->bytes);
	atomic_store_explicit(&t->slots, NULL, memory_order_relaxed);
}

/* Does the slot still have the reference that the probe returned last? */
static bool is_at(const struct drg_slots *s, const struct drg_probe *at)
{
	uint64_t slot = atomic_load_explicit(&s->slot[at->found], memory_order_relaxed);
	return at->slots == s && slot >> 32 == at->tag && (drg_ref)slot != DRG_NO_REF;
}

static void table_put(struct drg_slots *s, uint64_t slot, memory_order order)
{
	assert((drg_ref)slot != DRG_NO_REF);
	uint32_t at = drg_slots_home(s, (uint32_t)(slot >> 32));
	while (atomic_load_explicit(&s->slot[at], memory_order_relaxed) != 0)
		at = at + 1 == s->n ? 0 : at + 1;
	atomic_store_explicit(&s->slot[at], slot, order);
}

int drg_table_reserve(struct drg_table *t, struct drg_err *reterr)
{
	if (DRG_LIKELY(t->taken < t->limit))
		return DRG_OK;
	struct drg_slots *old = slots_of(t), *s = slots_new((t->live + 1) * 2);
	if (s == NULL)
		return drg_fail_memory(reterr);
	size_t copied = 0;
	for (uint32_t i = 0; i < old->n; i++) {
		uint64_t slot = atomic_load_explicit(&old->slot[i], memory_order_relaxed);
		if ((drg_ref)slot == DRG_NO_REF)
			continue;
		table_put(s, slot, memory_order_relaxed);
		copied++;
	}
	t->taken = t->live;
	t->limit = limit_of(s->n);
	assert(copied == t->live && t->taken < t->limit);
	atomic_store_explicit(&t->slots, s, memory_order_release);
	drg_retire_pages(t->retire, old, old->bytes);
	return DRG_OK;
}

void drg_table_insert(struct drg_table *t, uint32_t tag, drg_ref ref)
{
	assert(t->taken < t->limit && ref != DRG_NO_REF);
	table_put(slots_of(t), (uint64_t)tag << 32 | ref, memory_order_release);
	t->taken++;
	t->live++;
	assert(t->live <= t->taken);
}

void drg_table_replace(struct drg_table *t, const struct drg_probe *at, drg_ref ref)
{
	struct drg_slots *s = slots_of(t);
	assert(is_at(s, at) && ref != DRG_NO_REF);
	atomic_store_explicit(&s->slot[at->found], (uint64_t)at->tag << 32 | ref, memory_order_release);
}

void drg_table_remove(struct drg_table *t, const struct drg_probe *at)
{
	struct drg_slots *s = slots_of(t);
	assert(is_at(s, at) && t->live > 0);
	atomic_store_explicit(&s->slot[at->found], REMOVED, memory_order_release);
	t->live--;
	assert(t->live < t->taken); /* a removed slot stays taken */
}

size_t drg_table_bytes(const struct drg_table *t)
{
	return atomic_load_explicit(&t->slots, memory_order_acquire)->bytes;
}

drg_ref drg_table_next(const struct drg_table *t, size_t *at)
{
	const struct drg_slots *s = atomic_load_explicit(&t->slots, memory_order_acquire);
	assert(s != NULL && *at <= s->n);
	while (*at < s->n) {
		drg_ref ref = (drg_ref)atomic_load_explicit(&s->slot[(*at)++], memory_order_relaxed);
		if (ref != DRG_NO_REF)
			return ref;
	}
	return DRG_NO_REF;
}
