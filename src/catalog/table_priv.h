/* src/catalog/table_priv.h
 * A hash table from the tag of a key to references, read without locks while one thread writes.
 *
 * A slot is 8 bytes: the tag (32 bits of the key's hash) and the reference. The table does not know keys: a
 * look-up returns the references with this tag one after the other, and the caller compares the keys. Slots
 * are probed in line from the tag's place, tag * size / 2^32: tags stand nearly in order, so any size will
 * do, and a larger table is made in one pass from first to last slot without looking at a single record.
 * Removed slots stay marked until then. */
#pragma once
#include "catalog/heap_priv.h"
#include "catalog/retire_priv.h"

struct drg_slots {
	uint32_t n;
	size_t bytes;
	_Alignas(64) _Atomic uint64_t slot[];
};

struct drg_table {
	_Atomic(struct drg_slots *) slots;
	size_t live; /**< references in it */
	size_t taken; /**< slots that are not empty: live and removed */
	size_t limit; /**< taken may not exceed it */
	struct drg_retire *retire;
};

/** The state of a look-up. */
struct drg_probe {
	const struct drg_slots *slots;
	uint32_t tag;
	uint32_t next; /**< slot to look at next */
	uint32_t found; /**< slot of the last reference returned */
};

/** @param retire  Takes replaced slots; outlives the table. */
DRG_MUSTCHECK
int drg_table_init(struct drg_table *t, struct drg_retire *retire, struct drg_err *reterr);
void drg_table_done(struct drg_table *t);

/** Make room for the slots of a table that comes from an image, in place of an empty table's.
 * @param ret  Where the slots belong.
 * @return DRG_OK; DRG_ECORRUPT: no table has so many; DRG_ENOMEM. */
DRG_MUSTCHECK
int drg_table_room(struct drg_table *t, size_t slots, size_t live, size_t taken, void **ret,
                   struct drg_err *reterr);

/** Reserve room for the next drg_table_insert(). The writer's probes in progress become invalid. */
DRG_MUSTCHECK
int drg_table_reserve(struct drg_table *t, struct drg_err *reterr);
/** Insert a reference that the table does not have, into reserved room. */
void drg_table_insert(struct drg_table *t, uint32_t tag, drg_ref ref);
/** Replace or remove the reference that @p at returned last. */
void drg_table_replace(struct drg_table *t, const struct drg_probe *at, drg_ref ref);
void drg_table_remove(struct drg_table *t, const struct drg_probe *at);
/** Bytes in use. Callable anywhere inside a read section. */
size_t drg_table_bytes(const struct drg_table *t);

static inline uint32_t drg_slots_home(const struct drg_slots *s, uint32_t tag)
{
	return (uint32_t)((uint64_t)tag * s->n >> 32);
}

static inline struct drg_probe drg_table_probe(const struct drg_table *t, uint32_t tag)
{
	const struct drg_slots *s = atomic_load_explicit(&t->slots, memory_order_acquire);
	return (struct drg_probe){ .slots = s, .tag = tag, .next = drg_slots_home(s, tag) };
}

static inline void drg_probe_prefetch(const struct drg_probe *p)
{
	__builtin_prefetch((const void *)&p->slots->slot[p->next]);
}

/** The next reference with the tag, or DRG_NO_REF. A table always has an empty slot, so the search ends. */
static inline drg_ref drg_probe_next(struct drg_probe *p)
{
	for (;;) {
		uint64_t slot = atomic_load_explicit(&p->slots->slot[p->next], memory_order_acquire);
		if (slot == 0)
			return DRG_NO_REF;
		p->found = p->next;
		p->next = p->next + 1 == p->slots->n ? 0 : p->next + 1;
		if (slot >> 32 == p->tag && (drg_ref)slot != DRG_NO_REF)
			return (drg_ref)slot;
	}
}

/** Every reference, for walks: start with *at = 0; DRG_NO_REF at the end. */
drg_ref drg_table_next(const struct drg_table *t, size_t *at);
